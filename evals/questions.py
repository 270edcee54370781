"""The golden questions, from ``questions/*.jsonl``."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.figures import Figure, Malformed, read_day, read_figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

FOLDER = Path(__file__).parent / "questions"
KINDS = ("single", "follow-up", "several", "ambiguous", "irrelevant", "adversarial")
OUTCOMES = ("answer", "clarify", "refuse")
LANGUAGES = ("en", "de")

Span = tuple["date | None", "date | None"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One right way to understand a question: its figures, the main one first, and its one period, if it has one."""

    figures: tuple[Figure, ...]
    period: Span | None
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """What a person says, in one conversation, and what the reply to the last turn must be."""

    id: str
    ledger: str
    kind: str
    language: str
    turns: tuple[str, ...]
    outcomes: frozenset[str]
    readings: tuple[Reading, ...]

    @property
    def wants_answer(self) -> bool:
        """Whether only an answer will do."""
        return self.outcomes == {"answer"}

    def checksum(self, files: str) -> str:
        """Return what a stored reply is known by: the words that were asked, and the bank files they are about."""
        asked = json.dumps([files, self.id, self.turns], ensure_ascii=False)
        return hashlib.sha256(asked.encode()).hexdigest()[:16]


def read_questions(folder: Path = FOLDER) -> list[Question]:
    """Read all questions, in the order of their files' names and lines; raises Malformed with file and line."""
    questions: list[Question] = []
    known: set[str] = set()
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip():
                continue
            try:
                question = read_question(json.loads(line), path.stem)
                if question.id in known:
                    raise Malformed(f"{question.id} is there twice")
            except ValueError as error:
                raise Malformed(f"{path.name}:{number}: {error}") from error
            known.add(question.id)
            questions.append(question)
    return questions


def read_question(made: Any, ledger: str) -> Question:
    """Read one question as JSON has it; raises Malformed."""
    if not isinstance(made, dict) or set(made) != {"id", "kind", "language", "turns", "expect"}:
        raise Malformed("a question has id, kind, language, turns and expect")
    _check(made["id"], isinstance(made["id"], str) and bool(made["id"]), "id")
    _check(made["kind"], made["kind"] in KINDS, "kind")
    _check(made["language"], made["language"] in LANGUAGES, "language")
    _check(made["turns"], _texts(made["turns"]) and bool(made["turns"]), "turns")
    expect = made["expect"]
    if not isinstance(expect, dict) or set(expect) - {"outcome", "tools", "period", "figures", "or"}:
        raise Malformed("“expect” has outcome, tools, period, figures and or")
    outcomes: Any = expect.get("outcome")
    outcomes = [outcomes] if isinstance(outcomes, str) else outcomes
    _check(outcomes, _texts(outcomes) and bool(outcomes) and set(outcomes) <= set(OUTCOMES), "outcome")
    readings = tuple(_readings(expect)) if "answer" in outcomes else ()
    if "answer" not in outcomes and (expect.get("figures") or expect.get("or")):
        raise Malformed("there are figures, but no answer is expected")
    return Question(
        made["id"], ledger, made["kind"], made["language"], tuple(made["turns"]), frozenset(outcomes), readings
    )


def chosen(questions: Iterable[Question], ledgers: Sequence[str], ids: Sequence[str]) -> list[Question]:
    """Return the questions of these ledgers and with these ids; nothing given means any."""
    return [
        question
        for question in questions
        if (not ledgers or question.ledger in ledgers) and (not ids or question.id in ids)
    ]


def _readings(expect: dict[str, Any]) -> list[Reading]:
    """Read the main reading and the others, which differ from it in what they name."""
    others = expect.get("or") or []
    _check(others, isinstance(others, list) and all(isinstance(other, dict) for other in others), "or")
    readings = []
    for given in ({}, *others):
        if set(given) - {"figures", "period", "tools"}:
            raise Malformed("a reading under “or” has figures, period and tools")
        merged = {**expect, **given}
        figures: Any = merged.get("figures")
        tools: Any = merged.get("tools")
        _check(figures, isinstance(figures, list) and bool(figures), "figures")
        _check(tools, _texts(tools) and bool(tools), "tools")
        readings.append(Reading(tuple(map(read_figure, figures)), _span(merged.get("period")), tuple(tools)))
    return readings


def _span(made: Any) -> Span | None:
    if made is None:
        return None
    _check(made, isinstance(made, list) and len(made) == 2, "period")
    return read_day(made[0], "period"), read_day(made[1], "period")


def _texts(made: Any) -> bool:
    return isinstance(made, list) and all(isinstance(each, str) and each.strip() for each in made)


def _check(made: Any, holds: bool, name: str) -> None:
    if not holds:
        raise Malformed(f"“{name}” can't be {made!r}")
