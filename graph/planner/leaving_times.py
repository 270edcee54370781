"""Times that a question leaves out ("this year without August"): the sum of the stretches that are left."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from graph.planner.calls import CALCULATE, computed, meaning_of, rounds_of
from ledger.periods import Period
from tools.slots.period import periods_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.planner.plan import Plan
    from graph.planner.reading import Reading
    from tools.context import ToolContext
    from tools.registry import Tool

#: More calls than these are not made at once.
_MOST_STRETCHES = 8


def leaves_times_out(reading: Reading) -> bool:
    """Whether a sentence leaves times out, each of which is a stretch of days."""
    periods = [mention.value for mention in reading.of("period", excluded=True)]
    return bool(periods) and not any(each.weekdays or each.is_all_time for each in periods)


def times_at(reading: Reading) -> slice:
    """Return where in its text a sentence names the times that it leaves out."""
    out = reading.of("period", excluded=True)
    return slice(out[0].start, out[-1].end)


def without_doubt(reading: Reading) -> Reading:
    """Return the reading without the doubt whether a time can be left out."""
    out = [(mention.start, mention.end) for mention in reading.of("period", excluded=True)]
    return replace(reading, unclear=tuple(each for each in reading.unclear if (each.start, each.end) not in out))


def leaving_out(plan: Plan, reading: Reading, context: ToolContext, tools: Mapping[str, Tool]) -> Plan | None:
    """Return the plan of a sum without the times left out; None for anything but one sum, or where nothing is left."""
    meaning = meaning_of(plan.calls[0], context)
    if len(plan.calls) > 1 or CALCULATE not in tools or not _is_one_sum(meaning):
        return None
    whole = meaning.period if meaning.is_bounded else _all_time(context)
    left = _stretches(whole, _times_within(whole, reading, context)) if whole else []
    made = [rounds_of(meaning.but(periods=(stretch,)), tools) for stretch in left]
    calls = [rounds[0][0] for rounds in made if rounds and len(rounds) == 1]
    if not 0 < len(calls) == len(left) <= _MOST_STRETCHES:
        return None
    return replace(plan, rounds=computed("sum", *calls) if len(calls) > 1 else ((calls[0],),))


def _is_one_sum(meaning: Meaning) -> bool:
    return meaning.act == "total" and not meaning.by and not (meaning.period and meaning.period.weekdays)


def _times_within(whole: Period, reading: Reading, context: ToolContext) -> list[Period]:
    """Return the times left out, read from the period that they are left out of ("December" of last year)."""
    out = {(mention.start, mention.end) for mention in reading.of("period", excluded=True)}
    found = periods_in(reading.text, context, whole)
    return [each.period for each in found if (each.start, each.end) in out]


def _all_time(context: ToolContext) -> Period | None:
    first = context.vocabulary.first
    return Period(first, context.today) if first else None


def _stretches(whole: Period, times: Sequence[Period]) -> list[Period]:
    """Return what is left of a period, in order."""
    left, start = [], whole.start
    for each in sorted(times, key=lambda period: period.start):
        if start < each.start <= whole.end:
            left.append(Period(start, each.start - timedelta(1)))
        start = max(start, each.end + timedelta(1))
    return [*left, Period(start, whole.end)] if start <= whole.end else left
