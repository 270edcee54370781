"""Comparing periods, categories or merchants."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.money import Money
from ledger.own_names import told_name
from ledger.periods import granularity, is_one_year, previous_period, same_days
from ledger.tallies import Totals
from tools.apps.measures import none_of
from tools.apps.populations import Of, Population, resolve_population
from tools.apps.scope import Asked, Scoped, without_largest
from tools.arithmetic import percent
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Chart, Column, Fact, Result, Table
from tools.slots import (
    Accounts,
    EndDate,
    Excluded,
    ExcludedLargest,
    Merchants,
    Over,
    PeriodPhrase,
    Sides,
    StartDate,
    Under,
)
from tools.slots.names import names_of, sides_of
from tools.slots.period import period_of, read_period
from tools.wording import period_name, when

if TYPE_CHECKING:
    from language.catalogue import Template
    from ledger.filters import Filter
    from ledger.periods import Period


Claim = Literal["more", "less"]

#: What a comparison says of how it counts, and what its column of amounts is called.
_COUNTED = {"spending": "refunds taken off, transfers left out"}
_COLUMN = {"spending": "Spent", "income": "Received", "left": "Left"}

#: What is said of two periods, two merchants and two categories.
_IN = {
    "same": "The same{subject} {side_1} and {side_2}: {side_1_total}",
    "more": "{difference}{change} more{subject} {side_1} ({side_1_total}) than {side_2} ({side_2_total})",
    "less": "{difference}{change} less{subject} {side_1} ({side_1_total}) than {side_2} ({side_2_total})",
}
#: The same where the first side and its total stand above.
UNDER_THE_FIRST = {
    _IN["more"]: "{difference}{change} more than {side_2} ({side_2_total})",
    _IN["less"]: "{difference}{change} less than {side_2} ({side_2_total})",
}
_AT = {
    "same": "The same at {side_1} and {side_2} {when}: {side_1_total}",
    "more": "{difference} more at {side_1} ({side_1_total}) than at {side_2} ({side_2_total}) {when}",
    "less": "{difference} less at {side_1} ({side_1_total}) than at {side_2} ({side_2_total}) {when}",
}
_ON = {
    "same": "The same on {side_1} and {side_2} {when}: {side_1_total}",
    "more": "{difference} more on {side_1} ({side_1_total}) than on {side_2} ({side_2_total}) {when}",
    "less": "{difference} less on {side_1} ({side_1_total}) than on {side_2} ({side_2_total}) {when}",
}


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the things compared."""

    label: str
    wanted: Filter
    period: Period
    totals: tuple[Totals, ...]

    def within(self, currency: str) -> Totals:
        """Return the side's totals in one currency."""
        return next((each for each in self.totals if each.currency == currency), Totals(currency))


@tool(
    app="spending",
    batch=True,
    examples=(
        "Compare {period} with {period}",
        "Compare my {category} spending {period} and {period}",
        "Compare {category} and {category} {period}",
        "Compare {merchant} and {merchant}",
        "Did I spend more on {category} or {category} {period}?",
        "Do I spend more at {merchant} or {merchant}?",
        "Did I spend more {period} than {period}?",
        "How much more did I spend {period} than {period}?",
        "How does {period} compare to {period}?",
        "What is the difference between {period} and {period}?",
        "Is my {category} spending up compared to {period}?",
        "{period} vs {period}",
        "{category} vs {category}",
        "{merchant} versus {merchant} {period}",
        "Did my {category} spending go up {period}?",
        "How did my spending change from {period} to {period}?",
        "Vergleiche {period} mit {period}",
        "War {period} teurer als {period}?",
        "Was {period} more expensive than {period}?",
        "Vergleiche {category} und {category}",
        "Habe ich {period} mehr ausgegeben als {period}?",
        "Gebe ich mehr für {category} oder {category} aus?",
        "Habe ich mehr bei {merchant} oder {merchant} ausgegeben?",
        "Wie viel mehr habe ich {period} als {period} für {category} ausgegeben?",
    ),
    keywords=(
        "compare",
        "versus",
        "vs",
        "more than",
        "less than",
        "difference",
        "vergleiche",
        "mehr als",
        "Unterschied",
    ),
)
async def compare(
    context: ToolContext,
    periods: list[PeriodPhrase] | None = None,
    category: Sides | None = None,
    merchant: Merchants | None = None,
    start_date: StartDate | None = None,
    end_date: EndDate | None = None,
    account: Accounts | None = None,
    over: Over | None = None,
    under: Under | None = None,
    exclude: Excluded | None = None,
    exclude_largest: ExcludedLargest = 0,
    of: Of = "spending",
    claim: Claim | None = None,
) -> Result:
    """The same spending, or other money, in several periods, or several categories or merchants in one period, side by side.

    Args:
        periods: The periods to compare; one alone is compared with the one before it.
        category: Categories to compare, or the category to look at in each period.
        merchant: Merchants to compare, or the merchant to look at in each period.
        start_date: First day for comparing categories or merchants.
        end_date: Last day for comparing categories or merchants.
        account: Only from this account.
        over: Only amounts over this.
        under: Only amounts under this.
        exclude: Merchants or categories to leave out.
        exclude_largest: How many of the largest purchases to leave out in each.
        of: Which money: spending, income, salary, refunds, fees, interest, transfers, savings, savings_back, cash, all, left.
        claim: Where it is asked whether the first side is more, or less, than the second: more or less.
    """
    asked = Asked(start_date, end_date, None, category, merchant, account, over, under, exclude, exclude_largest)
    within = _together(asked, context)
    sides, notes = await _sides(asked, periods or [], context, of)
    scoped, population = await resolve_population(replace(within, start_date=None, end_date=None), of, context)
    if not any(side.totals for side in sides):
        return await none_of(replace(scoped, period=sides[0].period, wanted=sides[0].wanted), population, context)
    by_period = sides[0].period != sides[1].period
    labels = [when(side.period, context.language) if by_period else side.label for side in sides]
    names = {**scoped.names, **{f"side_{n}": label for n, label in enumerate(labels, start=1)}}
    currency = _currency(sides, context)
    shown = [population.amount(side.within(currency)) for side in sides]
    apart = _apart(sides, currency, population)
    return Result(
        headline=_whether(
            shown, claim, _headline(shown, scoped, by_period=by_period, at_merchants=len(names_of(asked.merchant)) > 1)
        ),
        facts=(*_facts(sides, shown, population), *apart.values()),
        notes=(*notes, *apart, *scoped.restrictions, _COUNTED.get(of, population.verb)),
        details=tuple(f"side_{n}_total" for n in range(1, len(sides) + 1)),
        names=names,
        table=Table(
            (
                Column("", "text"),
                Column(_COLUMN.get(of, "Amount"), "money"),
                Column(population.many.capitalize(), "count"),
            ),
            tuple(
                (s.label, money, population.number(s.within(currency))) for s, money in zip(sides, shown, strict=True)
            ),
        ),
        chart=Chart(
            "Compared",
            tuple(s.label for s in sides),
            tuple(money.amount for money in shown),
            currency,
            flow=population.way,
        ),
        period=None if by_period else sides[0].period,
        behind=tuple(side.wanted for side in sides),
    )


def _whether(shown: list[Money], claim: Claim | None, told: Template) -> Template:
    """Say whether what is asked is so, before what there is to tell."""
    if claim is None:
        return told
    first, second = shown[0].amount_minor, shown[1].amount_minor
    is_so = first > second if claim == "more" else first < second
    return say("Yes: {told}" if is_so else "No: {told}", told=told)


def _headline(shown: list[Money], scoped: Scoped, *, by_period: bool, at_merchants: bool) -> Template:
    """Say the difference of the first two, whichever kind of thing they are."""
    first, second = shown[0].amount_minor, shown[1].amount_minor
    word = "same" if first == second else "more" if first > second else "less"
    if not by_period:
        return say((_AT if at_merchants else _ON)[word])
    return say(_IN[word], subject=scoped.subject, change=" ({change_size})" if second > 0 else "")


async def _sides(asked: Asked, phrases: list[str], context: ToolContext, of: str) -> tuple[list[_Side], list[str]]:
    """Return what is compared, in the order asked, and the notes on how."""
    if not phrases:
        merchants = {name: replace(asked, merchant=name) for name in names_of(asked.merchant)}
        categories = {
            told_name(name): replace(asked, category=members)
            for name, members in sides_of(asked.category, context).items()
        }
        for named in (merchants, categories):
            if len(named) > 1:
                scopes = [(await resolve_population(each, of, context))[0] for each in named.values()]
                return [await _side(name, scoped, context) for name, scoped in zip(named, scopes, strict=True)], []
    periods = [read_period(phrase, context) for phrase in phrases]
    if not periods and (asked.start_date or asked.end_date):
        periods = [period_of(asked.start_date, asked.end_date, context)]
    if not periods:
        periods = [read_period("this month", context)]
    if len(periods) == 1:
        periods.append(previous_period(periods[0], context.currency if periods[0].end == context.today else ""))
    periods, note = _comparable(periods, context)
    everything = replace(_together(asked, context), start_date=None, end_date=None, exclude_largest=0)
    base, _ = await resolve_population(everything, of, context)
    sides = []
    for period in periods:
        wanted = await without_largest(replace(base.wanted, period=period), asked.exclude_largest, context)
        scoped = replace(base, period=period, wanted=wanted)
        sides.append(await _side(period_name(period, context.language), scoped, context))
    return sides, note


def _comparable(periods: list[Period], context: ToolContext) -> tuple[list[Period], list[str]]:
    """Cut a finished period to the days that an unfinished one of its kind has had (D8)."""
    unfinished = [period for period in periods if period.start <= context.today <= period.end]
    if len(periods) != 2 or len(unfinished) != 1:
        return periods, []
    finished = next(period for period in periods if period is not unfinished[0])
    current = replace(unfinished[0], end=context.today)
    if not _same_kind(current, finished, context) or finished.days <= current.days:
        return [current if period is unfinished[0] else period for period in periods], []
    cut = [current if period is unfinished[0] else same_days(current, finished) for period in periods]
    return cut, ["one of the two is not over yet, so the same days of both are compared"]


def _same_kind(current: Period, finished: Period, context: ToolContext) -> bool:
    """Whether a period to date began as a unit of the finished one's kind begins."""
    start = current.start
    if is_one_year(finished):  # a financial year begins anywhere
        return (start.month, start.day) == (finished.start.month, finished.start.day)
    return {
        "week": start.weekday() == context.week_start,
        "month": start.day == 1,
        "quarter": start.day == 1 and start.month % 3 == 1,
    }.get(granularity(finished), False)


def _together(asked: Asked, context: ToolContext) -> Asked:
    """Return the question about all sides, words for several categories resolved."""
    every = [each for members in sides_of(asked.category, context).values() for each in members]
    return replace(asked, category=every if len(every) > 1 else every[0] if every else None)


async def _side(label: str, scoped: Scoped, context: ToolContext) -> _Side:
    return _Side(label, scoped.wanted, scoped.period, tuple(await context.ledger.totals(scoped.wanted)))


def _currency(sides: list[_Side], context: ToolContext) -> str:
    """Return the one currency to compare in: the ledger's usual one, or the one with the most rows where it has none."""
    counts = Counter[str]()
    for side in sides:
        counts.update({each.currency: each.count for each in side.totals})
    return context.currency if context.currency in counts else min(counts, key=lambda code: (-counts[code], code))


def _apart(sides: list[_Side], currency: str, population: Population) -> dict[str, Fact]:
    """Return notes on what the sides hold in other currencies, each with its fact."""
    found: dict[str, Fact] = {}
    for number, side in enumerate(sides, start=1):
        for each in side.totals:
            if each.currency != currency:
                name = f"side_{number}_total_{each.currency.casefold()}"
                fact = Fact.money(name, "In another currency", population.amount(each), subject=side.label)
                side_named = say(f"{{side_{number}}}")
                found[say("{side}: {amount} besides", side=side_named, amount=say(f"{{{name}}}"))] = fact
    return found


def _facts(sides: list[_Side], shown: list[Money], population: Population) -> list[Fact]:
    facts = []
    first, second = shown[0], shown[1]
    difference = first.amount_minor - second.amount_minor
    facts.append(
        Fact.money(
            "difference", "Difference", Money(abs(difference), first.currency), how="first less second, without sign"
        )
    )
    for number, (side, money) in enumerate(zip(sides, shown, strict=True), start=1):
        count = population.number(side.within(money.currency))
        facts.append(
            Fact.money(f"side_{number}_total", _COLUMN.get(population.of, "Amount"), money, subject=side.label)
        )
        facts.append(Fact.count(f"side_{number}_count", f"Number of {population.many}", count, subject=side.label))
    change = percent(difference, second.amount_minor) if second.amount_minor > 0 else None
    if change is not None:
        facts.append(
            Fact("change", "Change from the second to the first", change, "percent", None, "difference / second")
        )
        facts.append(Fact("change_size", "Size of that change", abs(change), "percent", None, "without sign"))
    return facts
