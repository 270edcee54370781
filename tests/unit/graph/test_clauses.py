"""Several questions in one message are each answered, and lend each other their subject and period."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.planner.clauses import clauses_of
from tests.unit.graph.test_follow_up_classes import (
    AT_COSTCO,
    CATEGORY,
    EXTREMES,
    INCOME,
    JUNE,
    MAY,
    MERCHANT,
    SUMMARY,
    ask,
    frage,
    planner,
    turn,
)

__all__ = ["ask", "frage", "planner"]

Calls = list[tuple[str, dict[str, Any]]]
IN_MAY = {"period": "2026-05-01 to 2026-05-31"}

ENGLISH: tuple[tuple[str, Calls], ...] = (
    (
        "How much on rent and how much on groceries in May?",
        [(CATEGORY, {"category": "Mortgage & Rent", **MAY}), (CATEGORY, {"category": "Groceries", **MAY})],
    ),
    (
        "What did I spend at Amazon in May, and what was the largest order?",
        [(MERCHANT, {"merchant": "Amazon", **MAY}), (EXTREMES, {"merchant": "Amazon", "measure": "largest", **MAY})],
    ),
    (
        "When was I last at Costco, and what did I spend there in May?",
        [
            (EXTREMES, {"measure": "last", "merchant": "Costco", "start_date": None}),
            (MERCHANT, {"merchant": "Costco", **MAY}),
        ],
    ),
    ("What came in and what went out in May?", [(INCOME, MAY), (SUMMARY, IN_MAY)]),
    ("How much did I earn in May, and how much did I spend?", [(INCOME, MAY), (SUMMARY, IN_MAY)]),
    ("total income and total spending in May", [(INCOME, MAY), (SUMMARY, IN_MAY)]),
    (
        "Starbucks in May: total, and how many visits was that?",
        [
            (MERCHANT, {"merchant": "Starbucks", **MAY}),
            (EXTREMES, {"measure": "count", "merchant": "Starbucks", **MAY}),
        ],
    ),
    (
        "my largest and smallest purchase at Costco in May",
        [(EXTREMES, {"measure": "largest", "merchant": "Costco"}), (EXTREMES, {"measure": "smallest", **MAY})],
    ),
    (
        "Uber, Lyft and Shell in May: how much each?",
        [(MERCHANT, {"merchant": shop, **MAY}) for shop in ("Uber", "Lyft", "Shell")],
    ),
    (
        "How much did I spend in May, and in June?",
        [(SUMMARY, IN_MAY), (SUMMARY, {"period": "2026-06-01 to 2026-06-30"})],
    ),
    (
        "Costco in May. And in June?",
        [(MERCHANT, {"merchant": "Costco", **MAY}), (MERCHANT, {"merchant": "Costco", **JUNE})],
    ),
    ("How much at Costco in May? Sorry, I meant Safeway.", [(MERCHANT, {"merchant": "Safeway", **MAY})]),
    ("ok cool. How much at Costco in May?", [(MERCHANT, {"merchant": "Costco", **MAY})]),
)
GERMAN: tuple[tuple[str, Calls], ...] = (
    (
        "Was hab ich im Mai an EDEKA und was an REWE gezahlt?",
        [(MERCHANT, {"merchant": "EDEKA", **MAY}), (MERCHANT, {"merchant": "REWE", **MAY})],
    ),
    (
        "Was war im Mai mein teuerster und was mein billigster Einkauf bei REWE?",
        [(EXTREMES, {"measure": "largest", "merchant": "REWE", **MAY}), (EXTREMES, {"measure": "smallest", **MAY})],
    ),
    (
        "Summe und Anzahl meiner Einkäufe bei EDEKA im Mai",
        [(MERCHANT, {"merchant": "EDEKA", **MAY}), (EXTREMES, {"measure": "count", "merchant": "EDEKA", **MAY})],
    ),
    ("Wie viel kam im Mai rein und wie viel ging raus?", [(INCOME, MAY), (SUMMARY, IN_MAY)]),
    ("Einnahmen und Ausgaben im Mai", [(INCOME, MAY), (SUMMARY, IN_MAY)]),
    (
        "Wie viel habe ich im Mai bei REWE ausgegeben und wann war ich zuletzt dort?",
        [(MERCHANT, {"merchant": "REWE", **MAY}), (EXTREMES, {"measure": "last", "merchant": "REWE"})],
    ),
    (
        "EDEKA, REWE und Lieferando im Mai, jeweils",
        [(MERCHANT, {"merchant": m, **MAY}) for m in ("EDEKA", "REWE", "Lieferando")],
    ),
)


async def check(plan: Any, text: str, calls: Calls) -> None:
    made = await plan(text)
    assert made.kind == "calls", made
    assert [call.name for call in made.rounds[0]] == [name for name, _ in calls]
    for call, (_, arguments) in zip(made.rounds[0], calls, strict=True):
        assert {key: call.arguments.get(key) for key in arguments} == arguments


@pytest.mark.parametrize(("text", "calls"), ENGLISH, ids=[text for text, _ in ENGLISH])
async def test_english_questions_in_one_message(ask: Any, text: str, calls: Calls) -> None:
    await check(ask, text, calls)


@pytest.mark.parametrize(("text", "calls"), GERMAN, ids=[text for text, _ in GERMAN])
async def test_german_questions_in_one_message(frage: Any, text: str, calls: Calls) -> None:
    await check(frage, text, calls)


async def test_a_clause_that_nobody_understands_is_not_left_out(ask: Any) -> None:
    """Half an answer would look like the whole one."""
    made = await ask("How much at Costco in May and how much at Zorgon?")
    assert made.kind != "calls" or len(made.rounds[0]) != 1


async def test_a_period_behind_counts_before_one_of_an_earlier_answer(ask: Any) -> None:
    made = await ask("How much on rent and how much on groceries in June?", turn(AT_COSTCO))
    assert [call.arguments["start_date"] for call in made.rounds[0]] == ["2026-06-01", "2026-06-01"]


async def test_arithmetic_in_a_message_reaches_no_earlier_answer(ask: Any) -> None:
    """ "Altogether" behind "and" is about this message's visits, not about what was answered before."""
    made = await ask("how often did I go to Starbucks in May and what did it cost altogether?", turn(AT_COSTCO))
    assert [call.name for call in made.rounds[0]] == [EXTREMES, MERCHANT]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Ausgaben am 3. Oktober", ["Ausgaben am 3. Oktober"]),
        ("vom 1. bis 15. Mai bei St. James", ["vom 1. bis 15. Mai bei St. James"]),
        ("Zeig mir, was ich im Mai bezahlt habe", ["Zeig mir, was ich im Mai bezahlt habe"]),
        ("hmm ok. and September", ["and September"]),
        ("and what was left?", ["and what was left?"]),
        ("What did I pay in 2025? And in 2026?", ["What did I pay in 2025?", "And in 2026?"]),
        ("how much in May, how much in June", ["how much in May", "how much in June"]),
        ("rent and groceries in May", ["rent and groceries in May"]),
    ],
)
def test_where_a_question_ends(text: str, clauses: list[str]) -> None:
    assert clauses_of(text) == clauses


@given(st.text(max_size=200))
def test_clauses_are_pieces_of_the_text_in_order(text: str) -> None:
    start = 0
    clauses = clauses_of(text)
    assert clauses
    for clause in clauses:
        start = text.index(clause, start) + len(clause)
