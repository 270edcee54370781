"""Follow-ups that set two things side by side: "compared to last year?", "vs Lidl", "which of the two was more?"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.planner.edit import TOTALS, periods_after, shared_after, total_of
from graph.planner.filling import phrase_of, set_period, union
from graph.planner.followups import before
from graph.planner.intents import COMPARE, EXTREMES, INCOME, SEARCH
from graph.planner.vocabulary import MORE
from ledger.periods import Period, find_periods, granularity, previous_period, year_before
from tools.calls import Call
from tools.slots.names import names_of
from tools.slots.period import read_period

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.planner.edit import Edit
    from tools.registry import Tool

_TWO = 2
_YEARS = 10


def side_by_side(edit: Edit) -> tuple[Call, ...] | None:
    """Compare what stands with what the follow-up names, or two things of before with each other."""
    tool = edit.tools.get(COMPARE)
    if tool is None:
        return None
    named = [slot for slot in ("category", "merchant") if edit.of(slot)]
    if edit.base.tool == COMPARE and edit.manner.has("rivals") and not edit.reading.mentions:
        return (Call(tool.name, dict(edit.base.arguments)),)
    if edit.manner.has("both", "rivals") and not named:
        return _both(edit, tool)
    if named:
        return _with_another_subject(edit, tool, named[0])
    return _with_another_period(edit, tool)


def compared_again(edit: Edit, tool: Tool, shared: Mapping[str, Any]) -> tuple[Call, ...]:
    """Return a comparison with another subject or another period, the rest as it stands."""
    properties = tool.parameters.get("properties", {})
    arguments = {name: value for name, value in shared.items() if name in properties}
    sides = max(len(names_of(edit.base.shared.get(slot))) for slot in ("category", "merchant"))
    periods = list(edit.base.arguments.get("periods") or ())
    if periods and not edit.of("period"):
        return (Call(tool.name, {**arguments, "periods": periods}),)
    if periods and sides <= 1:
        others = [phrase_of(period) for period in periods_after(edit) if period is not None]
        return (Call(tool.name, {**arguments, "periods": [periods[0], *others]}),)
    period = periods_after(edit)[0]
    for slot in ("category", "merchant"):  # "and Target?", after two shops: a third
        if edit.of(slot) and len(names_of(edit.base.shared.get(slot))) > 1:
            arguments[slot] = union([edit.base.shared[slot], arguments.get(slot)])
    if period is not None:
        set_period(tool, period, arguments)
    return (Call(tool.name, arguments),)


def _both(edit: Edit, tool: Tool) -> tuple[Call, ...] | None:
    """Compare or add up the two things that were asked about last."""
    pair = last_two(edit)
    if pair is None:
        return _both_periods(edit, tool)
    slot, names = pair
    shared = {name: value for name, value in edit.base.shared.items() if name not in ("category", "merchant")}
    shared[slot] = names
    more = edit.manner.has("compares", "rivals") or bool(set(edit.manner.keys) & MORE)
    target = tool if more else edit.tools.get(total_of(shared, edit.base.tool))
    if target is None or (edit.of("measure") and edit.of("measure")[0].value != "top"):
        return None
    arguments = {name: value for name, value in shared.items() if name in target.parameters.get("properties", {})}
    period = periods_after(edit)[0]
    if period is not None:
        set_period(target, period, arguments)
    return (Call(target.name, arguments),)


def last_two(edit: Edit) -> tuple[str, list[str]] | None:
    """Return the slot and names of the two things asked about last, if they are of one kind and nothing else came between."""
    slot = next((slot for slot in ("merchant", "category") if slot in edit.base.shared), None)
    if slot is None:
        return None
    found: list[str] = []
    for turn in reversed(edit.past):
        names = names_of(turn.scope.arguments.get(slot)) if turn.scope else ()
        if turn.scope and not names:
            break
        found += [name for name in names if name not in found]
        if len(found) > 1:
            break
    return (slot, found[::-1]) if len(found) == _TWO else None


def _both_periods(edit: Edit, tool: Tool) -> tuple[Call, ...] | None:
    """Compare the same in the two periods that it was asked about last ("and in June?", "compare the two")."""
    told = [turn.scope for turn in edit.past if turn.scope]
    # A look at an answer's receipt leaves its question standing a second time.
    scopes = [scope for place, scope in enumerate(told) if not place or scope != told[place - 1]][-_TWO:]
    asked = [before(scope, edit.context) for scope in scopes]
    same = len(asked) == _TWO and (asked[0].tool, asked[0].shared) == (asked[1].tool, asked[1].shared)
    if not same or edit.base.tool not in TOTALS or edit.of("period"):
        return None
    periods = [each.period for each in asked if each.period is not None]
    if len(periods) < _TWO or periods[0] == periods[1]:
        return None
    arguments = {
        name: value for name, value in edit.base.shared.items() if name in tool.parameters.get("properties", {})
    }
    return (Call(tool.name, {**arguments, "periods": [phrase_of(period) for period in periods]}),)


def _with_another_subject(edit: Edit, tool: Tool, slot: str) -> tuple[Call, ...] | None:
    base = edit.base
    if slot not in base.shared:
        return None
    arguments = {name: value for name, value in base.shared.items() if name in tool.parameters.get("properties", {})}
    arguments[slot] = union([base.shared[slot], *(mention.value for mention in edit.of(slot))])
    if len(names_of(arguments[slot])) <= len(names_of(base.shared[slot])):
        return None
    period = periods_after(edit)[0]
    if _is_of_purchases(edit):
        names = union(mention.value for mention in edit.of(slot))
        return _measured_again(edit.base.arguments, {**edit.base.arguments, slot: names})
    if period is not None:
        set_period(tool, period, arguments)
    return (Call(tool.name, arguments),)


def _with_another_period(edit: Edit, tool: Tool) -> tuple[Call, ...] | None:
    """Compare the question's period with the one named, else with the one before it."""
    if edit.base.tool in (INCOME, SEARCH):
        return None
    current = edit.base.period or read_period("this month", edit.context)
    found = find_periods(edit.reading.text, edit.context.today, edit.context.week_start, current)
    others = [_as_long(mention.period, current) for mention in found] or [previous_period(current)]
    shared = shared_after(edit)
    if _is_of_purchases(edit):
        again = [_dated(edit, edit.base.arguments, period) for period in (current, *others)]
        return _measured_again(*again)
    arguments = {name: value for name, value in shared.items() if name in tool.parameters.get("properties", {})}
    arguments["periods"] = [phrase_of(period) for period in (current, *others)]
    return (Call(tool.name, arguments),)


def _as_long(other: Period, current: Period) -> Period:
    """Return the period to compare with: of another year that is named to a month or week, only that part.

    "last October", asked about October itself, means the one a year before.
    """
    if (other.start, other.end) == (current.start, current.end):
        return year_before(other)
    starts_year = (current.start.month, current.start.day) == (1, 1)
    years = current.start.year - other.start.year
    if granularity(other) != "year" or starts_year or current.start.year != current.end.year or not 0 < years <= _YEARS:
        return other
    for _ in range(years):
        current = year_before(current)
    return current


def _dated(edit: Edit, arguments: Mapping[str, Any], period: Period) -> dict[str, Any]:
    """Return arguments with another period."""
    dated = {name: value for name, value in arguments.items() if name not in ("start_date", "end_date")}
    set_period(edit.tools[EXTREMES], period, dated)
    return dated


def _is_of_purchases(edit: Edit) -> bool:
    """Whether what stands is a number, an average or an extreme of purchases, which no comparison of sums tells."""
    ranked = edit.base.arguments.get("by") not in (None, "purchase") or edit.base.arguments.get("measure") == "top"
    return edit.base.tool == EXTREMES and not ranked and EXTREMES in edit.tools


def _measured_again(*arguments: Mapping[str, Any]) -> tuple[Call, ...]:
    """Return the same measure for each of the sides."""
    return tuple(Call(EXTREMES, dict(each)) for each in arguments)
