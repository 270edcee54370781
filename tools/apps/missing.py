"""Intervals in which nothing came of what comes in each: the months that a payment missed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from ledger.filters import ALL_TIME
from tools.apps.series import SERIES_OF, last_day, regular
from tools.results import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from language.catalogue import Template
    from ledger.periods import Period
    from tools.apps.populations import Population
    from tools.apps.scope import Asked, Scoped
    from tools.context import ToolContext

#: What is asked of such intervals: which they are, whether there are any, or whether there are none.
Missing = Literal["empty", "missed", "every"]
#: So many intervals without anything are named.
_MOST_NAMED = 6
#: In so many intervals it has a day of its own if its days are no further apart.
_REGULAR, _ABOUT = 3, 7


async def without_any(
    shown: Missing,
    spans: Sequence[Period],
    labels: Sequence[str],
    asked: Asked,
    scoped: Scoped,
    population: Population,
    context: ToolContext,
    *,
    grain: str,
    unfinished: bool,
) -> tuple[list[Fact], str, list[str]]:
    """Return the intervals in which there was nothing, the headline that names them, and from when to when they are told.

    Nothing is missed before the first one ever, nor once it has ended, from when the next one was due. The last interval, where
    it is ``unfinished``, is missed once the day is past by which the first payment came in every other one.
    """
    run = await _run(asked, scoped, population, context)
    firsts = [next((day for day in run.days if span.start <= day <= span.end), None) for span in spans]
    begun, over, notes = 0, len(spans), []
    facts: list[Fact] = []
    if run.days and (shown != "empty" or run.is_regular or scoped.period.is_all_time):
        begun = sum(span.end < run.days[0] for span in spans)
    if begun and not scoped.period.is_all_time:
        facts.append(Fact("begun", "First", run.days[0], "date"))
        notes.append("counted from the first one on, {begun}")
    if run.due and run.due <= spans[-1].end:
        facts.append(Fact("ended", "Last", run.days[-1], "date"))
        notes.append("it seems to have ended: the last one was on {ended}")
        over = sum(span.end < run.due for span in spans) if shown == "missed" else over
    if unfinished and firsts[-1] is None and not _is_late(spans, firsts):
        over = min(over, len(spans) - 1)
    empty = [labels[place] for place in range(begun, over) if firsts[place] is None]
    named = [
        Fact(f"empty_{number}", "Without any", label, "text") for number, label in enumerate(empty[:_MOST_NAMED], 1)
    ]
    facts = [Fact.count("empty", f"{grain.capitalize()}s without any", len(empty)), *named, *facts]
    told = _told(len(empty), grain, population, scoped)
    if shown == "empty":
        return facts, told, notes
    answer = "Yes: {told}" if bool(empty) == (shown == "missed") else "No: {told}"
    return facts, say(answer, told=told), notes


@dataclass(frozen=True, slots=True)
class _Run:
    """From when to when something came: its days of all time, and when the next one was due after it ended."""

    days: tuple[date, ...]
    is_regular: bool
    due: date | None


async def _run(asked: Asked, scoped: Scoped, population: Population, context: ToolContext) -> _Run:
    """Return from when to when there was something, and whether it came in a rhythm."""
    ever = scoped.without(period=replace(ALL_TIME, weekdays=scoped.period.weekdays))
    groups = await context.ledger.groups(ever, "day")
    days = sorted(date.fromisoformat(group.key) for group in groups if population.number(group.totals))
    which = SERIES_OF.get(population.of)
    series = await regular(asked, which, context) if which and days else []
    ended = bool(series) and all(each.has_ended(last_day(context)) for each in series)
    goes_on = not ended or days[-1] > max(each.last for each in series)
    return _Run(tuple(days), bool(series), None if goes_on else max(each.due for each in series))


def _is_late(spans: Sequence[Period], firsts: Sequence[date | None]) -> bool:
    """Whether it is later in the last interval than the first payment of any other one, where these come about the same day."""
    waited = [(day - span.start).days for span, day in zip(spans, firsts, strict=True) if day]
    regular = len(waited) >= _REGULAR and max(waited) - min(waited) <= _ABOUT
    return regular and (spans[-1].end - spans[-1].start).days > max(waited)


def _told(number: int, grain: str, population: Population, scoped: Scoped) -> Template:
    parts = {"many": say(population.many), "subject": scoped.subject}
    if not number:
        return say(f"No {grain} without {{many}}{{subject}} {{when}}", **parts)
    named = [f"{{empty_{place}}}" for place in range(1, min(number, _MOST_NAMED) + 1)]
    return say(
        "{empty} {units} without any {many}{subject} {when}: {named}",
        units=say(grain if number == 1 else f"{grain}s"),
        named=", ".join([*named, "…"] if number > _MOST_NAMED else named),
        **parts,
    )
