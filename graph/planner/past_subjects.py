"""What the questions before were about, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.calls import meaning_of_scope
from graph.planner.figures import last_two
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.meaning import Meaning
    from graph.turn import PastTurn
    from tools.context import ToolContext

_SLOTS = ("merchant", "category")
#: Which kind of figure an act states: of all rows, or of one of them.
_FIGURES = {
    **dict.fromkeys(("total", "rows"), "sum"),
    **dict.fromkeys(("current", "average", "extreme", "trend"), "single"),
    **dict.fromkeys(("count", "frequency"), "number"),
}


def last_subjects(past: Sequence[PastTurn], base: Meaning) -> dict[str, list[str]] | None:
    """Return the two things of one kind that were asked about last, if nothing else came between."""
    slot = _slot_of(base)
    found: list[str] = []
    for turn in reversed(past):
        names = names_of(turn.scope.arguments.get(slot)) if turn.scope and slot else ()
        if turn.scope and not names:
            break
        found = [*(name for name in names if name not in found), *found]
        if _things(found) > 1:
            break
    return {slot: found} if slot and _things(found) == 2 else None


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
    """Whether the last two answers may be set against each other: a sum and the price of one thing may not."""
    kinds = {_FIGURES[act] for each in last_two(past) if (act := meaning_of_scope(each, context).act) in _FIGURES}
    return len(kinds) < 2


def _slot_of(base: Meaning) -> str | None:
    return next((slot for slot in _SLOTS if slot in base.about), None)
