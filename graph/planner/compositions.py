"""Questions that need two rounds: a share of something, or what is above an average."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.filling import fill, phrase_of, set_period
from graph.planner.followups import before, last_figures
from graph.planner.vocabulary import ABOVE_AVERAGE, INCOME_WORDS, LARGER, POINTERS
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from ledger.periods import Period
    from tools.context import ToolContext
    from tools.registry import Tool

Rounds = tuple[tuple[Call, ...], ...]


def composed(reading: Reading, tools: Mapping[str, Tool]) -> Rounds | None:
    """Return the rounds of a question of one of these forms, or None."""
    return _share(reading, tools) or _above_average(reading, tools)


def asks_about_figures(reading: Reading, past: Sequence[PastTurn]) -> bool:
    """Whether a text asks for arithmetic on what was answered before ("what's the difference?", "… of that was coffee?")."""
    if not reading.of("operation") or reading.of("period") or not last_figures(past):
        return False
    subject = bool(reading.of("category") or reading.of("merchant"))
    return not reading.residue and (not subject or reading.has(POINTERS))


def figures_from(
    reading: Reading, context: ToolContext, tools: Mapping[str, Tool], past: Sequence[PastTurn]
) -> Rounds | None:
    """Return the calls of such a question: a share of the last answer or of the whole, a sum, a difference, a ratio."""
    if not asks_about_figures(reading, past) or "figures-calculate" not in tools:
        return None
    operation = reading.of("operation")[0].value
    figures = last_figures(past)
    period = _last_period(past, context)
    if operation == "share" and (reading.of("category") or reading.of("merchant")):
        part = total_call(reading, tools)
        if part is None or tools[part.name].required == ():
            return None
        if period is not None:
            set_period(tools[part.name], period, part.arguments)
        share = Call("figures-calculate", {"operation": "share", "values": ["{1.total}", figures[-1]]})
        return ((part,), (share,))
    if operation == "share":
        whole = Call("spending-get_spending_summary", {"period": phrase_of(period) if period else "all_time"})
        share = Call("figures-calculate", {"operation": "share", "values": [figures[-1], "{1.total}"]})
        return ((whole,), (share,))
    if len(figures) < 2:
        return None
    return ((Call("figures-calculate", {"operation": operation, "values": figures}),),)


def _last_period(past: Sequence[PastTurn], context: ToolContext) -> Period | None:
    scope = next((turn.scope for turn in reversed(past) if turn.scope), None)
    return before(scope, context).period if scope else None


def total_call(reading: Reading, tools: Mapping[str, Tool]) -> Call | None:
    """Return the call for the spending that a reading's mentions describe."""
    name = "spending-get_spending_summary"
    if reading.of("merchant"):
        name = "spending-analyze_merchant"
    elif reading.of("category"):
        name = "spending-analyze_by_category"
    tool = tools.get(name)
    if tool is None:
        return None
    arguments = fill(tool, reading)
    arguments.pop("per", None)
    if name == "spending-get_spending_summary":
        arguments.setdefault("period", "all_time")
    return Call(name, arguments)


def _share(reading: Reading, tools: Mapping[str, Tool]) -> Rounds | None:
    """``What share of my October spending was groceries?``: the part, the whole, then their share."""
    operations = reading.of("operation")
    subjects = [slot for slot in ("merchant", "category") if reading.of(slot)]
    if (
        not operations
        or operations[0].value not in ("share", "ratio")
        or not subjects
        or "figures-calculate" not in tools
    ):
        return None
    part = total_call(reading, tools)
    smaller = subjects[0]
    rest = replace(reading, mentions=tuple(m for m in reading.mentions if m.slot != smaller or m.excluded))
    whole = total_call(rest, tools)
    if reading.has(INCOME_WORDS) and "income-summary" in tools:
        whole = Call("income-summary", fill(tools["income-summary"], rest))
    if part is None or whole is None:
        return None
    calculation = Call("figures-calculate", {"operation": operations[0].value, "values": ["{1.total}", "{2.total}"]})
    return ((part, whole), (calculation,))


def _above_average(reading: Reading, tools: Mapping[str, Tool]) -> Rounds | None:
    """``Which purchases were larger than my average?``: the average, then the list of what is over it."""
    needed = ("spending-extremes", "transactions-list")
    if not (reading.has(ABOVE_AVERAGE) and reading.has(LARGER)) or any(name not in tools for name in needed):
        return None
    plain = replace(
        reading, mentions=tuple(m for m in reading.mentions if m.slot in ("period", "category", "merchant", "account"))
    )
    average: dict[str, Any] = {**fill(tools["spending-extremes"], plain), "measure": "average"}
    listing: dict[str, Any] = {**fill(tools["transactions-list"], plain), "kind": "purchase", "over": "{1.average}"}
    return ((Call("spending-extremes", average),), (Call("transactions-list", listing),))
