"""Reading question files: what is malformed is named with its file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.figures import Malformed, read_figure, read_where
from evals.questions import chosen, read_question, read_questions

EXPECT = {
    "outcome": "answer",
    "tools": ["spending-analyze_by_category"],
    "period": ["2026-10-01", "2026-10-31"],
    "figures": [{"measure": "spent", "where": {"category": ["Groceries"], "from": "2026-10-01", "to": "2026-10-31"}}],
}
QUESTION = {"id": "us-001", "kind": "single", "language": "en", "turns": ["Groceries in October?"], "expect": EXPECT}


def question(**changes: Any) -> dict[str, Any]:
    return {**QUESTION, **changes}


def expecting(**changes: Any) -> dict[str, Any]:
    return question(expect={**EXPECT, **changes})


def write(folder: Path, name: str, *questions: Any) -> None:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in questions]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_question_is_read(tmp_path: Path) -> None:
    write(tmp_path, "american.jsonl", QUESTION, "", question(id="us-002", turns=["a", "b"]))
    first, second = read_questions(tmp_path)
    assert (first.id, first.ledger, first.wants_answer) == ("us-001", "american", True)
    assert first.readings[0].figures[0].where.category == ("Groceries",)
    assert second.turns == ("a", "b")
    assert chosen([first, second], ["american"], ["us-002"]) == [second]
    assert chosen([first, second], ["german"], []) == []


def test_another_reading_takes_over_what_it_does_not_name() -> None:
    other = {"measure": "count", "where": {}}
    read = read_question(expecting(**{"or": [{"figures": [other]}, {"period": None}]}), "american")
    main, second, third = read.readings
    assert (second.period, second.tools, second.figures[0].measure) == (main.period, main.tools, "count")
    assert (third.period, third.figures) == (None, main.figures)


def test_outcomes_may_be_several() -> None:
    read = read_question(expecting(outcome=["clarify", "refuse"], figures=[], tools=[], period=None), "american")
    assert read.outcomes == {"clarify", "refuse"}
    assert not read.wants_answer
    assert read.readings == ()


@pytest.mark.parametrize(
    "made",
    [
        "no json",
        [1],
        {**QUESTION, "note": "x"},
        question(kind="hard"),
        question(turns=[]),
        question(turns=["ok", " "]),
        expecting(outcome="perhaps"),
        expecting(outcome=[]),
        expecting(figures=[]),
        expecting(tools=[]),
        expecting(period=["2026-10-01"]),
        expecting(period=["2026-10-01", "31 October"]),
        expecting(outcome="refuse"),
        expecting(hint="x"),
        expecting(**{"or": [{"figure": []}]}),
        expecting(figures=[{"measure": "mode"}]),
    ],
)
def test_what_is_malformed_is_named_with_file_and_line(tmp_path: Path, made: Any) -> None:
    write(tmp_path, "american.jsonl", question(id="us-000"), made)
    with pytest.raises(Malformed, match=r"^american\.jsonl:2: "):
        read_questions(tmp_path)


def test_an_id_is_there_once(tmp_path: Path) -> None:
    write(tmp_path, "american.jsonl", QUESTION)
    write(tmp_path, "british.jsonl", QUESTION)
    with pytest.raises(Malformed, match=r"british\.jsonl:1: us-001 is there twice"):
        read_questions(tmp_path)


@pytest.mark.parametrize(
    "made",
    [
        None,
        {"measure": ["spent"]},
        {"measure": "spent", "by": "month"},
        {"measure": "top", "by": "week"},
        {"measure": "top", "by": "month", "rank": 0},
        {"measure": "top", "by": "month", "lowest": "yes"},
        {"measure": "per", "unit": "quarter"},
        {"measure": "share", "part": {}, "whole": {}, "of": "rows"},
        {"measure": "difference", "a": {"measure": "spent"}},
        {"measure": "sum", "of": {"measure": "spent"}},
        {"measure": "fixed", "value": "many", "unit": "money"},
        {"measure": "fixed", "value": "NaN", "unit": "number"},
        {"measure": "fixed", "value": 3, "unit": "text"},
    ],
)
def test_malformed_figures(made: Any) -> None:
    with pytest.raises(Malformed):
        read_figure(made)


@pytest.mark.parametrize(
    "made",
    [
        {"categories": ["Groceries"]},
        {"category": "Groceries"},
        {"kind": ["gift"]},
        {"weekday": [7]},
        {"over": "much"},
        {"from": "2026-02-31"},
        {"drop_largest": -1},
        {"text": 5},
        [],
    ],
)
def test_malformed_conditions(made: Any) -> None:
    with pytest.raises(Malformed):
        read_where(made)


def test_the_checksum_is_of_what_is_asked_and_of_the_files() -> None:
    """What is expected may be corrected without asking again."""
    read = read_question(QUESTION, "american")
    corrected = read_question(expecting(period=None), "american")
    other = read_question(question(turns=["Groceries in May?"]), "american")
    assert read.checksum("files") == corrected.checksum("files")
    assert len({read.checksum("files"), read.checksum("other files"), other.checksum("files")}) == 3
