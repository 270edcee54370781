"""Whose price changed the most of all that recurs (docs/definitions.md, D15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.money import Money
from tools.apps.prices import Step, step_of
from tools.apps.scope import Asked, clip, no_data
from tools.apps.series import commonest, filter_of, regular, subject_of
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.slots import Categories, MeansOfPayment, Merchants, PeriodPhrase
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from ledger.recurring import Series
    from tools.results import Value

Which = Literal["all", "subscriptions", "bills", "income"]
Measure = Literal["money", "percent"]
Direction = Literal["up", "down"]

_DETAILS = 5
_A_YEAR = "past 365 days"


@tool(
    app="recurring",
    name="recurring-changes",
    examples=(
        "Which subscription went up the most?",
        "Which of my bills rose most in percent {period}?",
        "Which regular payments got cheaper?",
        "Welches Abo ist am meisten teurer geworden?",
        "Welche Rechnung ist prozentual am stärksten gestiegen?",
    ),
    keywords=("price rise", "dearer", "increase", "teurer", "Preiserhöhung"),
)
async def changes(
    context: ToolContext,
    which: Which = "all",
    by: Measure = "money",
    direction: Direction = "up",
    category: Categories | None = None,
    merchant: Merchants | None = None,
    period: PeriodPhrase | None = None,
    text: str | None = None,
    means: MeansOfPayment | None = None,
) -> Result:
    """Which regular payments of a settled price rose or fell the most, from before a time to its end.

    Args:
        which: all, subscriptions, bills or income.
        by: money or percent of the old price.
        direction: up (dearer) or down (cheaper).
        category: Only of this category.
        merchant: Only to this merchant.
        period: The time looked at; the past year unless said.
        text: Only rows whose descriptor holds these words.
        means: Only what is paid so: card, direct_debit, standing_order, cheque or transfer.
    """
    if not context.vocabulary.count:
        return no_data(context)
    span = read_period(period or _A_YEAR, context)
    asked = Asked(category=category, merchant=merchant, text=text, means=means)
    found = [each for each in await regular(asked, which, context) if each.settled]
    steps = [(each, step) for each in found if (step := step_of(each.payments, span, settled=True)) and step.by]
    main = commonest([each for each, _ in steps]) if steps else context.currency
    moved = [(each, step) for each, step in steps if each.currency == main and (step.by > 0) == (direction == "up")]
    moved.sort(key=lambda one: (-_size(one[1], by), one[0].merchant))
    subject = subject_of(asked)
    names: dict[str, Value | Money] = {"what": subject} if subject else {}
    about = say(" for {what}" if subject else "")
    way = "up" if direction == "up" else "down"
    if not moved:
        return Result(
            say(f"No {_NOUNS[which]}{{about}} went {way} {{when}}.", about=about),
            (Fact.count("count", "Number", 0),),
            names=names,
            period=clip(span, context),
            behind=(filter_of(found),),
            kind="empty",
        )
    first, step = moved[0]
    names |= {"first": first.merchant, "per": say(first.rhythm.per)}
    of_all = "the most of {count}" if len(moved) > 1 else "the only one"
    return Result(
        headline=say(f"{{first}} went {way} by {{change}} ({{change_share}}), {of_all}{{about}}", about=about),
        facts=(*_facts(first, step), Fact.count("count", "Number", len(moved)), *_others(moved)),
        notes=("{dates}", "{after} {per} since {changed}, {before} before"),
        details=tuple(f"change_{number}" for number in range(2, min(len(moved), _DETAILS) + 1)),
        names=names,
        table=_table(moved),
        period=clip(span, context),
        behind=(filter_of([each for each, _ in moved]),),
    )


_NOUNS = {
    "all": "regular payment",
    "subscriptions": "subscription",
    "bills": "regular bill",
    "income": "regular income",
}


def _size(step: Step, by: str) -> Decimal | int:
    return abs(step.by) if by == "money" else percent(abs(step.by), step.before.minor) or 0


def _facts(series: Series, step: Step) -> list[Fact]:
    """Return how far one price moved, from what to what, and when."""
    facts = [
        Fact.money(
            "change", "Difference", Money(abs(step.by), series.currency), subject=series.merchant, how="new less old"
        ),
        Fact.money("after", "After", Money(step.after.minor, series.currency)),
        Fact.money("before", "Before", Money(step.before.minor, series.currency)),
        Fact("changed", "Changed", step.changes[-1].day, "date"),
    ]
    share = percent(abs(step.by), step.before.minor)
    return (
        facts
        if share is None
        else [*facts, Fact("change_share", "Difference, of the old", share, "percent", None, "difference / old")]
    )


def _others(moved: Sequence[tuple[Series, Step]]) -> list[Fact]:
    return [
        Fact.money(f"change_{number}", "Difference", Money(abs(step.by), each.currency), subject=each.merchant)
        for number, (each, step) in enumerate(moved[1:_DETAILS], 2)
    ]


def _table(moved: Sequence[tuple[Series, Step]]) -> Table:
    columns = (
        Column("What"),
        Column("Before", "money"),
        Column("After", "money"),
        Column("Difference", "money"),
        Column("Changed", "date"),
    )
    rows = tuple(
        (
            each.merchant,
            Money(step.before.minor, each.currency),
            Money(step.after.minor, each.currency),
            Money(step.by, each.currency),
            step.changes[-1].day,
        )
        for each, step in moved
    )
    return Table(columns, rows)
