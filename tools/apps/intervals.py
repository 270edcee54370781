"""Averages per day, week, month or year, over full intervals only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from language.catalogue import joined, say
from ledger.money import Money
from ledger.periods import Period, full_months
from tools.apps.scope import Scoped, clip, since_beginning
from tools.arithmetic import divide
from tools.results import Chart, Column, Fact, Table
from tools.wording import day, month, tick

if TYPE_CHECKING:
    from ledger.filters import GroupBy
    from ledger.repository import Group
    from tools.context import ToolContext


_PARTS: dict[str, GroupBy] = {"day": "day", "week": "week", "month": "month", "year": "year"}
#: How much of its first day names an interval.
_NAMED = {"day": 10, "month": 7, "year": 4}
#: Of more intervals than these, the latest are listed and charted.
_MOST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Averaged:
    """The average per interval with the facts, table and note that show it."""

    facts: tuple[Fact, ...]
    table: Table
    chart: Chart
    note: str


def intervals_of(period: Period, per: str, context: ToolContext) -> list[Period]:
    """Return the full days, weeks, months or years inside a period; the unfinished one is left out (D7)."""
    clipped = clip(period, context)
    if per == "month":
        return full_months(clipped, context.today)
    if per == "day":
        days = (min(clipped.end, context.today - timedelta(1)) - clipped.start).days + 1
        return [Period(day, day) for day in (clipped.start + timedelta(n) for n in range(days))]
    if per == "week":
        start = clipped.start + timedelta((context.week_start - clipped.start.weekday()) % 7)
        weeks = ((min(clipped.end, context.today - timedelta(1)) - start).days + 1) // 7
        return [Period(start + timedelta(7 * n), start + timedelta(7 * n + 6)) for n in range(max(0, weeks))]
    years = range(clipped.start.year, clipped.end.year + 1)
    whole = [Period(date(year, 1, 1), date(year, 12, 31)) for year in years]
    return [year for year in whole if clipped.start <= year.start and year.end <= min(clipped.end, context.today)]


async def averaged(scoped: Scoped, per: str, context: ToolContext, currency: str) -> Averaged | None:
    """Return the average spending per interval, or None where the period holds no full one."""
    intervals = intervals_of(scoped.period, per, context)
    if not intervals:
        return None
    span = Period(intervals[0].start, intervals[-1].end, weekdays=scoped.period.weekdays)
    groups = await context.ledger.groups(replace(scoped.wanted, period=span, currency=currency), _PARTS[per])
    sums = _sums(intervals, groups, per)
    total = sum(sums)
    average = Money(divide(total, len(intervals)), currency)
    labels = tuple(_label(interval, per, context.language) for interval in intervals[-_MOST_SHOWN:])
    shown = [Money(value, currency) for value in sums[-_MOST_SHOWN:]]
    facts = (
        Fact.money("per_interval", f"Average per {per}", average, how=f"total of the full {per}s / their number"),
        Fact.count("intervals", f"Full {per}s", len(intervals)),
        Fact.money("interval_total", f"Total of the full {per}s", Money(total, currency)),
    )
    return Averaged(
        facts=facts,
        table=Table((Column(per.capitalize()), Column("Spent", "money")), tuple(zip(labels, shown, strict=True))),
        chart=Chart(
            f"Spending per {per}",
            labels,
            tuple(money.amount for money in shown),
            currency,
            ticks=tuple(tick(interval.start, per, context.language) for interval in intervals[-_MOST_SHOWN:]),
            flow="out",
        ),
        note=joined(
            (
                say("the latest of them listed, " if len(intervals) > _MOST_SHOWN else ""),
                say(_note(per, len(intervals), unfinished=intervals[-1].end < clip(scoped.period, context).end)),
                since_beginning(scoped.period, context),
            )
        ),
    )


def _note(per: str, number: int, *, unfinished: bool) -> str:
    count = f"{{intervals}} full {per}s" if number != 1 else f"1 full {per}"
    return f"{count}, the unfinished one left out" if unfinished else count


def _sums(intervals: list[Period], groups: list[Group], per: str) -> list[int]:
    """Return the net spending of each interval; weeks are numbered, all others named as their first day begins."""
    found = {group.key: group.totals.net_out_minor for group in groups}
    keys = [str(n) if per == "week" else each.start.isoformat()[: _NAMED[per]] for n, each in enumerate(intervals)]
    return [found.get(key, 0) for key in keys]


def _label(interval: Period, per: str, language: str) -> str:
    if per == "month":
        return month(interval.start, language)
    return str(interval.start.year) if per == "year" else day(interval.start, language)
