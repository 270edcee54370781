"""The golden questions and ledgers that are in the repository."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.bank_files import NAMES
from evals.golden import Golden, read_golden
from evals.judging import describe
from evals.oracle import compute
from evals.questions import FOLDER
from evals.subset import SIZE, draw, read_subset


@pytest.fixture(scope="module")
def golden() -> Golden:
    return read_golden()


def test_there_are_enough_of_every_sort(golden: Golden) -> None:
    questions = golden.questions.values()
    assert len(questions) >= 290
    assert sum(question.wants_answer for question in questions) >= 240
    assert set(golden.ledgers) == set(NAMES)
    kinds = Counter((question.ledger, question.kind) for question in questions)
    assert len(kinds) == 3 * 6
    assert min(kinds.values()) >= 3
    assert min(Counter(question.language for question in questions).values()) >= 75
    assert all(len(question.turns) > 1 for question in questions if question.kind == "follow-up")


def test_no_question_is_asked_twice(golden: Golden) -> None:
    asked = Counter(
        (question.ledger, tuple(turn.casefold() for turn in question.turns)) for question in golden.questions.values()
    )
    assert [turns for turns, times in asked.items() if times > 1] == []


def test_every_figure_can_be_computed(golden: Golden) -> None:
    """A figure without a value is one without rows: an expectation must not come to none by a slip."""
    without = []
    for question in golden.questions.values():
        ledger = golden.ledgers[question.ledger]
        values = [compute(figure, ledger) for reading in question.readings for figure in reading.figures]
        without += [question.id for value in values if str(value).endswith("none") and not value.nothing]
        assert describe(question, ledger)
    assert without == []


def test_the_ledgers_are_what_the_questions_suppose(golden: Golden) -> None:
    for ledger in golden.ledgers.values():
        assert 900 <= len(ledger.rows) <= 2000
        assert (ledger.first.isoformat()[:7], ledger.last.isoformat()) == ("2025-01", "2026-11-20")


def test_the_subset_is_the_one_that_is_drawn(golden: Golden) -> None:
    """``python -m evals.subset`` writes it anew."""
    assert read_subset() == draw(list(golden.questions.values()))
    assert len(read_subset()) == SIZE


def test_the_fresh_questions_are_others_and_can_be_computed(golden: Golden) -> None:
    fresh = read_golden(FOLDER / "fresh")
    assert len(fresh.questions) == 60
    assert fresh.questions.keys().isdisjoint(golden.questions)
    turns = {each.turns for each in golden.questions.values()}
    assert not [each.id for each in fresh.questions.values() if each.turns in turns]
