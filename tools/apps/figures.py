"""Arithmetic on facts that are on the table already."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation
from typing import TYPE_CHECKING

from ledger.money import Money, to_minor
from tools.arithmetic import percent
from tools.registry import tool
from tools.results import Fact, Result
from tools.slots import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

_HUNDREDTH = Decimal("0.01")


@tool(
    app="figures",
    batch=True,
    examples=(
        "What {operation} of my spending {period} was {category}?",
        "What {operation} of my spending goes to {merchant}?",
        "What {operation} is that of the total?",
        "What is the {operation} of those two?",
        "{operation} them",
        "How much is that {operation}?",
        "What's the {operation}?",
        "What {operation} of my {category} spending was at {merchant} {period}?",
        "Welcher {operation} meiner Ausgaben {period} war für {category}?",
        "Wie viel {operation} meiner Ausgaben gehen an {merchant}?",
        "Wie viel ist das {operation}?",
        "Was ist die {operation}?",
    ),
    keywords=("share", "percent", "sum", "difference", "ratio", "Anteil", "Prozent", "Summe", "Differenz"),
)
async def calculate(operation: Operation, values: list[str]) -> Result:
    """The sum, difference, rest, share or ratio of figures found before, or the days between two dates.

    Args:
        operation: sum, difference, rest (first less second), share (first as percent of second), ratio (first divided by
            second), or days (from the first date to the second).
        values: References to facts of earlier rounds or answers, such as "{f1}".
    """
    if operation == "days":
        return _days_between(values)
    try:
        numbers, currencies = zip(*(_read(value) for value in values), strict=True) if values else ((), ())
    except InvalidOperation:
        return Result("That is no figure I could compute with.", kind="clarify")
    if len(numbers) < 2:
        return Result("There are not enough figures to compute with yet.", kind="clarify")
    if len(set(currencies)) > 1:
        return Result("These figures are in different currencies, so they can't be computed together.", kind="clarify")
    return _compute(operation, numbers, currencies[0])


def _days_between(values: Sequence[str]) -> Result:
    """Return how many days lie between two dates, whichever is the earlier."""
    try:
        first, last = sorted(map(date.fromisoformat, values))
    except ValueError:
        return Result("There are no two dates to count the days between.", kind="clarify")
    facts = (
        Fact("days", "Days", (last - first).days, "days", None, "last - first"),
        Fact("first", "First", first, "date"),
        Fact("last", "Last", last, "date"),
    )
    one = facts[0].value == 1
    return Result("{days} day between {first} and {last}" if one else "{days} days between {first} and {last}", facts)


def _compute(operation: str, numbers: Sequence[Decimal], currency: str | None) -> Result:
    first, second = numbers[0], numbers[1]
    facts = [_amount(f"value_{n}", "Figure", number, currency) for n, number in enumerate(numbers, start=1)]
    parts = [f"{{value_{n}}}" for n in range(1, len(numbers) + 1)]
    if operation == "sum":
        facts.insert(0, _amount("sum", "Sum", sum(numbers, Decimal(0)), currency))
        return Result("{sum} together", tuple(facts), (" + ".join(parts),))
    if operation == "rest":
        facts.insert(0, _amount("rest", "Left", first - second, currency))
        left = "{rest}: {value_1} less {value_2}" if first >= second else "Nothing is left: {value_1} less {value_2}"
        return Result(left, tuple(facts))
    if operation == "difference":
        return _apart(first, second, currency, facts)
    if second == 0:
        return Result("There is nothing to divide by: the second figure is zero.", tuple(facts), kind="clarify")
    if operation == "share":
        share = percent(first, second)
        facts.insert(
            0, Fact("share", "Share", share if share is not None else Decimal(0), "percent", None, "first / second")
        )
        return Result("{share}: {value_1} of {value_2}", tuple(facts))
    ratio = (first / second).quantize(_HUNDREDTH, rounding=ROUND_HALF_EVEN)
    facts.insert(0, Fact("ratio", "Ratio", ratio, "number", None, "first / second"))
    return Result("{ratio} times as much: {value_1} against {value_2}", tuple(facts))


def _apart(first: Decimal, second: Decimal, currency: str | None, facts: list[Fact]) -> Result:
    """Return how far one figure is from another, in percent of that too."""
    facts.insert(0, _amount("difference", "Difference", abs(first - second), currency))
    if first == second:
        return Result("No difference: both are {value_1}", tuple(facts))
    share = percent(abs(first - second), abs(second))
    if share is not None:
        facts.append(Fact("percent", "Difference", share, "percent", None, "difference / second"))
    by = "{difference} ({percent})" if share is not None else "{difference}"
    word = "more" if first > second else "less"
    return Result(f"{{value_1}} is {by} {word} than {{value_2}}", tuple(facts))


def _read(value: str) -> tuple[Decimal, str | None]:
    """Read a resolved reference: a decimal, with a currency where it is money."""
    number, _, currency = str(value).partition(" ")
    return Decimal(number), currency or None


def _amount(name: str, label: str, number: Decimal, currency: str | None) -> Fact:
    if currency is None:
        return Fact(name, label, number, "number")
    return Fact.money(name, label, Money(to_minor(number, currency), currency))
