"""Which transaction of the list before is meant: "the second one", "that one"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tools.slots.rows import RowSlot, by_ids, place_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.plan import Plan
    from graph.turn import PastTurn
    from tools.calls import Call
    from tools.registry import Tool


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
        place = place_in(str(arguments.get(parameter))) if isinstance(slot, RowSlot) else None
        if place is None:
            continue
        if place == 0:
            arguments[parameter] = by_ids(shown)
        elif place <= len(shown):
            arguments[parameter] = by_ids(shown[place - 1 : place] if place > 0 else shown[-1:])
    return replace(call, arguments=arguments)
