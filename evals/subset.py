"""The fixed subset that rows with a model are asked: ``python -m evals.subset`` writes ``subset.txt``.

60 questions, drawn from the questions alone: as many of every ledger, kind and language as their shares come to, and
within those by the hash of the id, which knows nothing of what was answered.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import TYPE_CHECKING

from evals.questions import read_questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.questions import Question

FILE = Path(__file__).parent / "subset.txt"
SIZE = 60


def draw(questions: Sequence[Question], size: int = SIZE) -> list[str]:
    """Return the ids of the subset, in the order of the questions.

    A stratum gets the whole part of its share; what is left goes to the largest remainders, ties by name.
    """
    strata: dict[tuple[str, str, str], list[str]] = {}
    for question in questions:
        strata.setdefault((question.ledger, question.kind, question.language), []).append(question.id)
    shares = {key: len(ids) * size / len(questions) for key, ids in strata.items()}
    counts = {key: math.floor(share) for key, share in shares.items()}
    by_remainder = sorted(shares, key=lambda key: (counts[key] - shares[key], key))
    for key in by_remainder[: min(size, len(questions)) - sum(counts.values())]:
        counts[key] += 1
    drawn = {each for key, ids in strata.items() for each in sorted(ids, key=_hash)[: counts[key]]}
    return [question.id for question in questions if question.id in drawn]


def read_subset(file: Path = FILE) -> list[str]:
    """Return the ids in the file."""
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def _hash(each: str) -> str:
    return hashlib.sha256(each.encode()).hexdigest()


if __name__ == "__main__":
    ids = draw(read_questions())
    FILE.write_text("# Written by python -m evals.subset.\n" + "".join(f"{each}\n" for each in ids), encoding="utf-8")
    print(f"{len(ids)} questions in {FILE.name}")
