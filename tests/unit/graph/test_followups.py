"""Follow-ups edit the question before them, and nothing else does."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.support.bank_files import Line, american_lines, spent, within

LINES = american_lines()
OCTOBER = within("2026-10-01", "2026-10-31")
SEPTEMBER = within("2026-09-01", "2026-09-30")


def category(*names: str) -> Any:
    return lambda line: line.category in names


def shop(*names: str) -> Any:
    return lambda line: line.name in names


def both(*conditions: Any) -> Any:
    return lambda line: all(condition(line) for condition in conditions)


def first_amount(outcome: Any) -> Decimal:
    return Decimal(str(next(fact.value for fact in outcome.reply.facts if fact.unit == "money")))


#: the turns of a conversation, each with what its first amount must be (None: whatever)
CONVERSATIONS: dict[str, list[tuple[str, Decimal | None]]] = {
    "another period, shop, union, without the largest": [
        ("How much did I spend on groceries in October?", spent(LINES, both(OCTOBER, category("Groceries")))),
        ("and in September?", spent(LINES, both(SEPTEMBER, category("Groceries")))),
        ("what about Costco?", spent(LINES, both(SEPTEMBER, shop("Costco")))),
        ("add Trader Joe's", spent(LINES, both(SEPTEMBER, shop("Costco", "Trader Joe's")))),
        (
            "without the biggest one",
            spent(LINES, both(SEPTEMBER, shop("Costco", "Trader Joe's")))
            - max(-line.amount for line in LINES if both(SEPTEMBER, shop("Costco", "Trader Joe's"))(line)),
        ),
    ],
    "filters added and dropped": [
        ("How much did I spend at Amazon in October?", spent(LINES, both(OCTOBER, shop("Amazon")))),
        ("only over $50", spent([x for x in LINES if abs(x.amount) > 50], both(OCTOBER, shop("Amazon")))),
        ("and under $100", spent([x for x in LINES if 50 < abs(x.amount) < 100], both(OCTOBER, shop("Amazon")))),
    ],
    "exclusion and account": [
        ("How much did I spend in October?", spent(LINES, OCTOBER)),
        ("excluding rent", spent(LINES, both(OCTOBER, lambda line: line.name != "Rent"))),
        ("and in September?", spent(LINES, both(SEPTEMBER, lambda line: line.name != "Rent"))),
    ],
    "narrowing and widening": [
        ("Give me a summary of September", spent(LINES, SEPTEMBER)),
        ("just groceries", spent(LINES, both(SEPTEMBER, category("Groceries")))),
        ("for all categories", spent(LINES, SEPTEMBER)),
    ],
    "sum and difference of the last answers": [
        ("How much did I spend on groceries in October?", spent(LINES, both(OCTOBER, category("Groceries")))),
        ("and in September?", spent(LINES, both(SEPTEMBER, category("Groceries")))),
        (
            "what's the difference?",
            abs(
                spent(LINES, both(OCTOBER, category("Groceries")))
                - spent(LINES, both(SEPTEMBER, category("Groceries")))
            ),
        ),
    ],
    "together": [
        ("How much did I spend at Uber in 2026?", None),
        ("and Lyft?", None),
        ("and together?", spent(LINES, both(within("2026-01-01", "2026-12-31"), shop("Uber", "Lyft")))),
    ],
    "how does that compare": [
        ("How much did I spend on groceries in October?", None),
        (
            "how does that compare?",
            abs(
                spent(LINES, both(OCTOBER, category("Groceries")))
                - spent(LINES, both(SEPTEMBER, category("Groceries")))
            ),
        ),
    ],
    "the amount after a count": [
        ("How many times did I go to Starbucks in October?", None),
        ("how much did that cost?", spent(LINES, both(OCTOBER, shop("Starbucks")))),
    ],
    "removing what was added": [
        (
            "How much did I spend at Costco and Safeway in October?",
            spent(LINES, both(OCTOBER, shop("Costco", "Safeway"))),
        ),
        ("without Safeway", spent(LINES, both(OCTOBER, shop("Costco")))),
    ],
}


@pytest.mark.parametrize("name", CONVERSATIONS)
async def test_conversation(english: Any, name: str) -> None:
    for text, expected in CONVERSATIONS[name]:
        outcome = await english.say(text)
        if expected is not None:
            assert first_amount(outcome) == expected, text


async def test_share_of_the_last_answer(english: Any) -> None:
    await english.say("How much did I spend in October?")
    outcome = await english.say("what share of that was groceries?")
    part, whole = spent(LINES, both(OCTOBER, category("Groceries"))), spent(LINES, OCTOBER)
    share = next(fact.value for fact in outcome.reply.facts if fact.unit == "percent")
    assert share == round(part * 100 / whole, 1)


async def test_per_week_instead_of_per_month(english: Any) -> None:
    await english.say("How much do I spend on groceries per month?")
    outcome = await english.say("per week")
    assert outcome.trace["calls"][-1]["arguments"]["per"] == "week"
    assert outcome.trace["calls"][-1]["arguments"]["category"] == "Groceries"


async def test_german_follow_up(deutsch: Any) -> None:
    await deutsch.say("Wie viel habe ich im Oktober bei REWE ausgegeben?")
    outcome = await deutsch.say("und im September?")
    arguments = outcome.trace["calls"][-1]["arguments"]
    assert (arguments["merchant"], arguments["start_date"]) == ("REWE", "2026-09-01")


async def test_second_round_takes_the_first_rounds_figure_by_reference(english: Any) -> None:
    """The list's bound is the average that the first round computed; it changes when the average does."""
    outcome = await english.say("Which purchases were larger than my average purchase at Costco?")
    costco = [-line.amount for line in LINES if line.name == "Costco" and line.amount < 0]
    average = round(sum(costco, Decimal(0)) / len(costco), 2)
    assert outcome.trace["rounds"] == 2
    assert outcome.trace["calls"][-1]["arguments"]["over"] == str(average)
    assert first_amount(outcome) == sum((amount for amount in costco if amount > average), Decimal(0))
    outcome = await english.say("Which purchases were larger than my average purchase at Costco in 2026?")
    lines = [line for line in LINES if line.name == "Costco" and line.amount < 0 and line.day.year == 2026]
    assert outcome.trace["calls"][-1]["arguments"]["over"] == str(
        round(sum((-line.amount for line in lines), Decimal(0)) / len(lines), 2)
    )


async def test_share_question_runs_in_two_rounds(english: Any) -> None:
    outcome = await english.say("What percentage of my October spending was groceries?")
    part, whole = spent(LINES, both(OCTOBER, category("Groceries"))), spent(LINES, OCTOBER)
    assert outcome.trace["rounds"] == 2
    assert next(fact.value for fact in outcome.reply.facts if fact.unit == "percent") == round(part * 100 / whole, 1)


def test_the_oracle_itself_counts_refunds() -> None:
    """The plain computation nets refunds, so that it can find fault with a program that does not."""
    refunds = [line for line in LINES if isinstance(line, Line) and line.is_spending and line.amount > 0]
    assert refunds
