"""Which transactions of the list before are meant: "the second one", "that one", "rows 1 and 2"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from graph.planner.asking_back import OUTRIGHT
from graph.planner.plan import Plan
from language import cues
from ledger.refunds import refunded
from tools.calls import Call
from tools.slots.rows import BOTH, EVERY, RowSlot, RowsSlot, by_ids, place_in, places_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.asking import Asking
    from graph.turn import PastTurn
    from tools.registry import Tool

#: The tool that tells what came back of one purchase.
CAME_BACK = "transactions-came_back"


class Said(Protocol):
    """A sentence with what was said before it."""

    @property
    def asking(self) -> Asking:
        """What is asked."""
        ...

    @property
    def past(self) -> Sequence[PastTurn]:
        """The turns before."""
        ...


async def by_link(said: Said) -> Plan | None:
    """Return the call about the one purchase that was just answered, where it is known which refunds are of it."""
    asking, shown = said.asking, said.past[-1].listed if said.past else ()
    if len(shown) != 1 or CAME_BACK not in asking.tools or asking.named or asking.reading.of("period"):
        return None
    if not (asking.says(cues.IN_THE_END) or asking.says(cues.CAME_BACK)):
        return None
    linked = await refunded(asking.context.ledger, shown)
    return Plan("calls", ((Call(CAME_BACK, {"row": by_ids(shown)}),),), OUTRIGHT) if linked else None


def pointed_out(plan: Plan, tools: Mapping[str, Tool], past: Sequence[PastTurn]) -> Plan:
    """Return a plan whose calls name transactions that its sentence only points at; "that one" of several is asked about."""
    shown = next((turn.listed for turn in reversed(past) if turn.listed), ())
    if not shown:
        return plan
    rounds = tuple(tuple(_named(call, tools[call.name], shown) for call in calls) for calls in plan.rounds)
    return replace(plan, rounds=rounds)


def _named(call: Call, tool: Tool, shown: Sequence[int]) -> Call:
    arguments = dict(call.arguments)
    for parameter, slot in tool.slots.items():
        if isinstance(slot, RowSlot) and (ids := _pointed_at(str(arguments.get(parameter)), slot, shown)):
            arguments[parameter] = by_ids(ids)
    return replace(call, arguments=arguments)


def _pointed_at(reference: str, slot: RowSlot, shown: Sequence[int]) -> Sequence[int]:
    """Return the transactions that words point at; nothing where they don't, or where the list has not so many."""
    place = place_in(reference)
    places = places_in(reference) if isinstance(slot, RowsSlot) else None if place is None else (place,)
    if places is None or (places == BOTH and len(shown) != len(BOTH)):
        return ()
    if places in (EVERY, BOTH):
        return shown
    if any(abs(each) > len(shown) for each in places):
        return ()
    return tuple(shown[each - 1 if each > 0 else each] for each in places)
