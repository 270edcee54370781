"""Questions that need two rounds: a share of something, or what is above an average."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.coordinations import coordinated, total_call
from graph.planner.filling import fill, phrase_of, set_period
from graph.planner.followups import before, last_figures, standing
from graph.planner.manner import CLAUSE
from graph.planner.pointing import points_back, takes_part
from graph.planner.vocabulary import ABOVE_AVERAGE, INCOME_WORDS, LARGER
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
    together = coordinated(reading, tools)
    return ((together,) if together else None) or _share(reading, tools) or _above_average(reading, tools)


def asks_about_figures(reading: Reading, past: Sequence[PastTurn]) -> bool:
    """Whether a text asks for arithmetic on what was answered before ("what's the difference?", "… of that was coffee?")."""
    if not reading.of("operation") or reading.of("period") or not last_figures(past) or past[-1].kind == CLAUSE:
        return False
    if (
        past[-1].kind != "answer"
    ):  # what was asked last was not understood, so nothing points at what was answered before
        return False
    subject = bool(reading.of("category") or reading.of("merchant"))
    return not reading.residue and (not subject or points_back(reading))


def figures_from(
    reading: Reading, context: ToolContext, tools: Mapping[str, Tool], past: Sequence[PastTurn]
) -> Rounds | None:
    """Return the calls of such a question: a share of the last answer or of the whole, a sum, a difference, a ratio."""
    if not asks_about_figures(reading, past) or "figures-calculate" not in tools:
        return None
    operation = reading.of("operation")[0].value
    figures = last_figures(past)
    period = _last_period(past, context)
    named = total_call(reading, tools) if reading.of("category") or reading.of("merchant") else None
    if operation == "share" and named is not None and takes_part(reading):
        part = named
        part.arguments.update(_standing_arguments(part, tools, context, past))
        if period is not None:
            set_period(tools[part.name], period, part.arguments)
        share = Call("figures-calculate", {"operation": "share", "values": ["{1.total}", figures[-1]]})
        return ((part,), (share,))
    if operation == "share" and named is not None:
        if period is not None:
            set_period(tools[named.name], period, named.arguments)
        return ((named,), (Call("figures-calculate", {"operation": "share", "values": [figures[-1], "{1.total}"]}),))
    if operation == "share":
        whole = Call("spending-get_spending_summary", {"period": phrase_of(period) if period else "all_time"})
        share = Call("figures-calculate", {"operation": "share", "values": [figures[-1], "{1.total}"]})
        return ((whole,), (share,))
    if len(figures) < 2:
        return None
    return ((Call("figures-calculate", {"operation": operation, "values": figures}),),)


def _standing_arguments(
    part: Call, tools: Mapping[str, Tool], context: ToolContext, past: Sequence[PastTurn]
) -> dict[str, Any]:
    """Return what limits the whole, and so its part: "how much of that was Chipotle?" after fast food on one card."""
    scope = standing(past)
    if scope is None:
        return {}
    properties = tools[part.name].parameters.get("properties", {})
    shared = before(scope, context).shared
    if "merchant" not in part.arguments:  # a category of a category is no part that anything tells
        shared = {name: value for name, value in shared.items() if name != "category"}
    return {name: value for name, value in shared.items() if name in properties and name not in part.arguments}


def _last_period(past: Sequence[PastTurn], context: ToolContext) -> Period | None:
    scope = standing(past)
    return before(scope, context).period if scope else None


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
    if not _exceeds_average(reading) or any(name not in tools for name in needed):
        return None
    plain = replace(
        reading, mentions=tuple(m for m in reading.mentions if m.slot in ("period", "category", "merchant", "account"))
    )
    average: dict[str, Any] = {**fill(tools["spending-extremes"], plain), "measure": "average"}
    listing: dict[str, Any] = {**fill(tools["transactions-list"], plain), "kind": "purchase", "over": "{1.average}"}
    return ((Call("spending-extremes", average),), (Call("transactions-list", listing),))


def _exceeds_average(reading: Reading) -> bool:
    """Whether "larger", "above" … stands before "average", close enough to be about it."""
    keys = [word.key for word in reading.words]
    average = next((place for place, key in enumerate(keys) if key in ABOVE_AVERAGE), None)
    return average is not None and any(key in LARGER for key in keys[max(0, average - 4) : average])
