"""Editing a question: the calls that answer it once a follow-up has changed it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graph.planner.contrasts import compared_again, side_by_side
from graph.planner.edit import TOTALS, Edit, is_let_in, periods_after, put_right, shared_after, total_of
from graph.planner.filling import set_period
from graph.planner.followups import before, standing
from graph.planner.intents import COMPARE, EXTREMES, INCOME, LIST, MERCHANT, SEARCH, SUMMARY
from graph.planner.manner import WHEN_WHERE, manner_of, without_nouns
from graph.planner.witness import WITNESSED, population_named
from ledger.periods import Period
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.slots.slot import Mention

#: How a list of money that came in is sorted where a measure of it is asked for.
_SORTS = {"largest": "largest", "smallest": "smallest", "first": "oldest", "last": "newest"}
#: Slots whose mention must have found a place in the edited question; else it would be lost.
_TELLING = ("category", "merchant", "account", "over", "under", "kind", "measure", "per", "period")
_BOUGHT = frozenset({"buy", "bought", "gekauft", "kaufte"})
_ROWS = frozenset("list show which display zeig zeige zeigen welche liste auflisten".split())


def edited(
    reading: Reading, past: Sequence[PastTurn], tools: Mapping[str, Tool], context: ToolContext
) -> tuple[Call, ...] | None:
    """Return the last question's call with the follow-up's changes; None where they don't fit it.

    Several periods that do not follow each other are several calls.
    """
    scope = standing(past)
    if scope is None:
        return None
    base = before(scope, context)
    reading = put_right(without_nouns(reading), base)
    edit = Edit(reading, manner_of(reading, past), base, past, tools, context)
    if edit.manner.has("compares", "both", "rivals"):
        return side_by_side(edit)
    if _asks_of_the_same(edit):
        return (Call(base.tool, dict(base.arguments)),)
    shared = shared_after(edit)
    name = _tool_for(edit, shared)
    tool = tools.get(name or "")
    if tool is None:
        return None
    if tool.name == COMPARE:
        return compared_again(edit, tool, shared)
    calls = tuple(_filled(edit, tool, shared, period) for period in periods_after(edit))
    return calls if all(_keeps_all(edit, tool, call) for call in calls) and not _changes_nothing(edit, calls) else None


def _asks_of_the_same(edit: Edit) -> bool:
    """Whether a text asks when or where that was, which the answer about one purchase tells as well."""
    leads = edit.manner.keys[:1]
    one = edit.base.tool == EXTREMES and edit.base.arguments.get("measure") in _SORTS
    named = any(mention.slot != "by" for mention in edit.reading.mentions)
    return one and bool(WHEN_WHERE & set(leads)) and edit.manner.has("points") and not named


def _changes_nothing(edit: Edit, calls: tuple[Call, ...]) -> bool:
    """Whether a text that neither points nor asks leaves the question as it was: then something else was meant."""
    same = len(calls) == 1 and (calls[0].name, calls[0].arguments) == (edit.base.tool, edit.base.arguments)
    return same and not edit.manner.has("points", "whole", "rivals", "sums", "subject", "period", "corrects")


def _filled(edit: Edit, tool: Tool, shared: Mapping[str, Any], period: Period | None) -> Call:
    """Return the tool's call with the edited question's arguments."""
    properties = tool.parameters.get("properties", {})
    arguments = {name: value for name, value in shared.items() if name in properties}
    arguments |= _chosen_arguments(edit, tool)
    if tool.name == INCOME and edit.base.tool != INCOME and not edit.of("merchant"):
        arguments.pop("merchant", None)
    if tool.name == LIST and edit.base.tool == INCOME:
        arguments |= _of_income(edit)
    if tool.name == edit.base.tool and tool.name in WITNESSED:  # what the reader told of it stands
        told = {key: value for key, value in edit.base.arguments.items() if key in properties and key not in tool.slots}
        arguments = told | arguments
        if "of" in properties and (of := population_named(edit.of("category"))) is not None:
            arguments["of"] = of
    if period is not None:
        set_period(tool, period, arguments)
    elif tool.name == SUMMARY:
        arguments["period"] = "all_time"
    return Call(tool.name, arguments)


def _chosen_arguments(edit: Edit, tool: Tool) -> dict[str, Any]:
    """Return the tool's own choices (measure, per, limit …): those named, and those that stand where nothing replaces them."""
    reading, base = edit.reading, edit.base
    arguments: dict[str, Any] = {}
    kept = base.arguments if tool.name == base.tool else {}
    if tool.name in TOTALS and base.tool in TOTALS:
        kept = {**kept, **{name: base.arguments[name] for name in ("per",) if name in base.arguments}}
    if reading.of("measure"):  # "the largest one", after the top five shops: one purchase
        kept = {name: value for name, value in kept.items() if name not in ("by", "limit", "per", "sort")}
    for parameter, slot in tool.slots.items():
        if slot.name not in ("measure", "by", "per", "limit", "sort", "query", "operation", "show"):
            continue
        mentions = reading.of(slot.name)
        if mentions:
            arguments[parameter] = mentions[0].value
        elif parameter in kept:
            arguments[parameter] = kept[parameter]
    grouped = any(mention.value == "category" for mention in reading.of("by")) or bool(kept.get("group_by_category"))
    if grouped and "group_by_category" in tool.parameters.get("properties", {}):
        arguments["group_by_category"] = True
    return arguments


def _of_income(edit: Edit) -> dict[str, Any]:
    """Return what makes a list one of money that came in, in the order that a measure asks for."""
    arguments: dict[str, Any] = {"kind": "income"}
    measures = edit.of("measure")
    if measures:
        arguments["sort"] = _SORTS[measures[0].value]
    return arguments


def _keeps_all(edit: Edit, tool: Tool, call: Call) -> bool:
    """Whether the call holds all that the follow-up says, and all that the tool needs."""
    if any(parameter not in call.arguments for parameter in tool.required):
        return False
    placed = {slot.name for parameter, slot in tool.slots.items() if parameter in call.arguments}
    if call.name in (LIST, INCOME):  # sorted by it, or told beside the sum
        placed |= {"measure", "kind"}
    for slot in _TELLING:
        telling = [mention for mention in edit.of(slot) if not _says_nothing(mention) and not is_let_in(edit, mention)]
        if telling and slot not in placed:
            return False
    left_out = [mention for slot in ("category", "merchant") for mention in edit.reading.of(slot, excluded=True)]
    return not left_out or "exclude" in tool.parameters.get("properties", {})


def _says_nothing(mention: Mention) -> bool:
    """Whether a mention names only what any question about spending is about, or takes a bound away."""
    return mention.value == "purchase" or (isinstance(mention.value, Period) and mention.value.is_all_time)


def _tool_for(edit: Edit, shared: Mapping[str, Any]) -> str | None:
    """Return the tool that answers the edited question: the same, unless it now wants another thing to be known."""
    base = edit.base
    measures = [mention.value for mention in edit.of("measure")]
    if base.tool in WITNESSED and not measures and not edit.of("show") and not _wants_rows(edit):
        return base.tool
    spent = "spent" in edit.manner.cues and not measures
    if _wants_income(edit):
        return INCOME
    if "kind" in shared:
        return LIST
    if base.tool == INCOME and not edit.of("category") and not spent:
        return _within_income(edit, measures)
    if base.tool == SEARCH and not _names_subject(edit):
        return None if measures else SEARCH
    return _tool_of_spending(edit, shared)


def _tool_of_spending(edit: Edit, shared: Mapping[str, Any]) -> str:
    """Return the tool for a measure, the rows, or the sum; what a number or a list was asked of before stays one."""
    base = edit.base
    counted = [mention.value for mention in edit.of("measure")] == ["count"]
    if edit.of("measure"):  # how many a list holds, it says itself
        return LIST if base.tool == LIST and counted else EXTREMES
    if _wants_rows(edit):
        return LIST
    averaged = not edit.of("per") or base.arguments.get("measure") == "average"
    stays = base.tool in (LIST, COMPARE) or (base.tool == EXTREMES and averaged)
    return base.tool if stays and not _wants_amount(edit) else total_of(shared, base.tool)


def _names_subject(edit: Edit) -> bool:
    return bool(edit.of("category") or edit.of("merchant"))


def _wants_income(edit: Edit) -> bool:
    """Whether the follow-up asks for income, or for what was left of it."""
    if edit.of("category"):
        return False
    if edit.of("show"):
        return True
    made = edit.of("measure") or edit.of("by") or edit.of("over") or edit.of("under")
    return "income" in edit.manner.cues and not made


def _within_income(edit: Edit, measures: Sequence[str]) -> str | None:
    """Return the tool for a further question about money that came in."""
    if edit.of("over") or edit.of("under") or (measures and measures[0] in _SORTS):
        return LIST
    if measures and measures[0] not in ("count", "how_often"):
        return None
    at_shop = any(_word_before(edit.reading, mention) in ("at", "bei", "beim") for mention in edit.of("merchant"))
    return MERCHANT if at_shop else INCOME


def _word_before(reading: Reading, mention: Mention) -> str:
    before_it = [word.key for word in reading.words if word.end <= mention.start]
    return before_it[-1] if before_it else ""


def _wants_rows(edit: Edit) -> bool:
    """Whether the follow-up asks for the transactions themselves ("which ones?", "show them")."""
    keys = edit.manner.keys
    if keys[:1] and keys[0] in {"what", "was"} and _BOUGHT & set(keys):
        return edit.manner.has("points")
    asked = edit.manner.has("rows") or bool(set(keys) & _ROWS) or {"list", "rows"} <= edit.manner.cues
    amount = {"spent"} & edit.manner.cues and not edit.manner.has("points")
    return asked and len(keys) <= 8 and not amount and not edit.of("category") and edit.base.tool != SEARCH


def _wants_amount(edit: Edit) -> bool:
    """Whether the follow-up asks for the money itself, after a number, an extreme or a list."""
    keys = edit.manner.keys
    how_much = any(pair in (("how", "much"), ("wie", "viel")) for pair in pairwise(keys))
    return "spent" in edit.manner.cues or how_much or "wieviel" in keys
