"""What the questions before were about, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.calls import meaning_of_scope
from graph.planner.figures import last_two
from graph.planner.filling import union
from language import cues
from ledger.periods import granularity
from tools.slots.names import names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from graph.turn import PastTurn
    from ledger.periods import Period
    from tools.context import ToolContext

_SLOTS = ("merchant", "category")
#: Which kind of figure an act states: of all rows, or of one of them.
_FIGURES = {
    **dict.fromkeys(("total", "rows"), "sum"),
    **dict.fromkeys(("current", "average", "extreme", "trend"), "single"),
    **dict.fromkeys(("count", "frequency"), "number"),
}


def last_subjects(past: Sequence[PastTurn], base: Meaning) -> dict[str, list[str]] | None:
    """Return the two things of one kind that were asked about last, if nothing else came between.

    What one question named is one thing, whatever names it has; two things that the last one named are both.
    """
    slot = _slot_of(base)
    asked: list[list[str]] = []
    for turn in reversed(past):
        names = list(names_of(turn.scope.arguments.get(slot))) if turn.scope and slot else []
        if turn.scope and not names:
            break
        if names and not any(set(names) & set(other) for other in asked):
            asked.append(names)
        if len(asked) > 1:
            break
    both = [name for names in reversed(asked) for name in names]
    return {slot: both} if slot and (len(asked) == 2 or _things(both) == 2) else None


def _things(names: Sequence[str]) -> int:
    """Return how many things names stand for: those that begin with the same word are one ("Jonas" by two names)."""
    return len({name.split()[0] for name in names})


def asked_in_a_row(past: Sequence[PastTurn], base: Meaning, context: ToolContext) -> dict[str, list[str]] | None:
    """Return all the names that the same was asked of, one after the other; None where there were not several."""
    slot = _slot_of(base)
    found: list[str] = []
    for scope in reversed([turn.scope for turn in past if turn.scope]):
        meaning = meaning_of_scope(scope, context)
        if slot is None or slot not in meaning.about or meaning.without(slot) != base.without(slot):
            break
        found += [name for name in names_of(meaning.about[slot]) if name not in found]
    return {slot: found[::-1]} if slot and len(found) > 1 else None


def differ_in_their_subject(past: Sequence[PastTurn], context: ToolContext) -> bool:
    """Whether the last two questions differ in nothing but what they name, so that both can be asked as one."""
    named = [meaning_of_scope(each, context).about.keys() for each in last_two(past)]
    return len(named) > 1 and named[0] == named[1]


def are_of_one_kind(past: Sequence[PastTurn], context: ToolContext) -> bool:
    """Whether the last two answers may be set against each other: a sum and a price, or a part of it, may not."""
    sums = [meaning for each in last_two(past) if (meaning := meaning_of_scope(each, context)).act == "total"]
    if len(sums) > 1 and sums[0].about == sums[1].about and not sums[0].periods and sums[1].periods:
        return False
    kinds = {_FIGURES[act] for each in last_two(past) if (act := meaning_of_scope(each, context).act) in _FIGURES}
    return len(kinds) < 2


def last_two_compared(past: Sequence[PastTurn], asking: Asking, leaning: Asking) -> Meaning | None:
    """Return a comparison of the last two sums, where these differ in their period or in one name alone.

    ``leaning`` is the message asked of what stands.
    """
    scopes = last_two(past)
    if len(scopes) < 2:
        return None
    older, newer = (meaning_of_scope(scope, asking.context) for scope in scopes)
    if asking.says(cues.PRICED) and {older.act, newer.act} <= {"count", "frequency"}:
        older, newer = (each.but(act="total") for each in (older, newer))
    if asking.reading.of("period"):
        older, newer = (each.but(periods=leaning.periods) for each in (older, newer))
    if older.act != newer.act or older.act != "total" or older.of != newer.of:
        return None
    return _times_compared(older, newer, asking.context) or _names_compared(older, newer)


def _times_compared(older: Meaning, newer: Meaning, context: ToolContext) -> Meaning | None:
    """Return the comparison of the two times in which alone two sums differ; of all time the present one is meant."""
    if older.about != newer.about or not newer.periods:
        return None
    periods = older.periods or _present(newer.periods[0], context)  # "what was it? And last year?"
    if not periods or periods == newer.periods:
        return None
    both = sorted((*newer.periods, *periods), key=lambda period: period.start, reverse=True)
    return newer.but(act="compare", periods=tuple(both))


def _present(before: Period, context: ToolContext) -> tuple[Period, ...]:
    """Return the present year or month, where a period is the one before it."""
    size = granularity(before)
    this = read_period(f"this {size}", context) if size in ("week", "month", "quarter", "year") else None
    return (this,) if this and (this.start - before.end).days == 1 else ()


def _names_compared(older: Meaning, newer: Meaning) -> Meaning | None:
    """Return the comparison of the two names in which alone two sums differ."""
    slot = next((slot for slot in _SLOTS if slot in newer.about), None)
    if slot is None or older.periods != newer.periods or older.about.keys() != newer.about.keys():
        return None
    names = union([older.about[slot], newer.about[slot]])
    return newer.on(**{slot: names}).but(act="compare") if len(names_of(names)) == 2 else None


def _slot_of(base: Meaning) -> str | None:
    return next((slot for slot in _SLOTS if slot in base.about), None)
