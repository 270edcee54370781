"""What a focus mode adds to a question that leaves it unsaid: its subject and its period."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.planner.filling import set_period
from graph.planner.relations import leans_back
from ledger.errors import UnknownPeriod
from tools.slots.names import CategorySlot
from tools.slots.period import read_period

if TYPE_CHECKING:
    from graph.state import Turn
    from tools.registry import Tool

_SUMMARY, _BY_CATEGORY = "spending-get_spending_summary", "spending-analyze_by_category"
_SUBJECTS = ("category", "merchant", "query", "kind")


def focused(tool: Tool, arguments: dict[str, Any], turn: Turn) -> tuple[Tool, dict[str, Any], list[str]]:
    """Return a call within the turn's focus mode, and what that changed; a question's own words always win."""
    if turn.focus is None or tool.app not in turn.focus.apps:
        return tool, arguments, []
    reading = turn.planner.read(turn.request.text, turn.context)
    if leans_back(reading, turn.request.past, turn.context):  # the question before was in focus already
        return tool, arguments, []
    narrowed, changes = dict(arguments), []
    subject = _known(turn.focus.defaults.get("category"), turn)
    if subject and not any(reading.of(name) or arguments.get(name) for name in _SUBJECTS):
        tool = _taking_category(tool, turn)
        if "category" in tool.slots:
            narrowed = {**_fitting(arguments, tool), "category": subject}
            changes.append(f"category: {subject}, by the focus mode")
    phrase = turn.focus.defaults.get("period")
    if phrase and not reading.of("period") and "periods" not in narrowed:
        if _has_set(phrase, tool, narrowed, turn):
            changes.append(f"period: {phrase}, by the focus mode")
    elif tool.name != _SUMMARY and "period" in arguments:  # a summary's period is a category's dates
        set_period(tool, read_period(str(arguments["period"]), turn.context), narrowed)
    return tool, narrowed, changes


def _has_set(phrase: str, tool: Tool, arguments: dict[str, Any], turn: Turn) -> bool:
    """Put a mode's period into a call; whether it is one."""
    try:
        set_period(tool, read_period(phrase, turn.context), arguments)
    except UnknownPeriod:
        return False
    return True


def _fitting(arguments: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """Return the arguments that a tool takes as well."""
    return {name: value for name, value in arguments.items() if name in tool.slots or name.startswith("excl")}


def _known(category: str | None, turn: Turn) -> str | None:
    """Return a mode's category, if the ledger has it; else the mode is about its period alone."""
    return category if category and not CategorySlot().check(category, turn.context).problem else None


def _taking_category(tool: Tool, turn: Turn) -> Tool:
    """Return the tool that answers the same about one category: the summary's twin."""
    return (turn.tool(_BY_CATEGORY) or tool) if tool.name == _SUMMARY else tool
