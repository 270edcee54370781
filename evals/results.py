"""Replies as they were stored: one JSON line each, so that a long run can go on where it stopped.

A line holds the reply, not what it is worth: it is judged anew whenever it is read. It is known by what was asked over
which files; if those have changed since, it is stale.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evals.figures import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from evals.questions import Question

_FIELDS = {"row", "model", "id", "asked", "reply"}


@dataclass(frozen=True, slots=True)
class Result:
    """What one row of the board replied to one question."""

    row: str
    model: str
    id: str
    asked: str
    reply: Mapping[str, Any]


def read_results(path: Path) -> list[Result]:
    """Return the results of a file, none if it is not there; raises Malformed with file and line."""
    if not path.exists():
        return []
    results = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            made = json.loads(line)
        except ValueError as error:
            raise Malformed(
                f"{path.name}:{number} is no JSON: a run may have been cut off there; delete the line"
            ) from error
        if not isinstance(made, dict) or set(made) != _FIELDS:
            raise Malformed(f"{path.name}:{number} is no result")
        results.append(Result(**made))
    return results


def add_result(path: Path, result: Result) -> None:
    """Write one more line."""
    made = {name: getattr(result, name) for name in Result.__slots__}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(made, ensure_ascii=False) + "\n")


def is_fresh(result: Result, questions: Mapping[str, Question], files: Mapping[str, str]) -> bool:
    """Whether a result is about a question of today; ``files`` are the checksums of the ledgers' files."""
    question = questions.get(result.id)
    return question is not None and result.asked == question.checksum(files[question.ledger])


def latest(results: Iterable[Result]) -> dict[tuple[str, str, str], Result]:
    """Return the last result by row, model and question."""
    return {(result.row, result.model, result.id): result for result in results}
