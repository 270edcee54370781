"""validate: nothing runs unchecked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.planner.filling import fill
from graph.planner.followups import before, is_follow_up
from graph.references import UnknownReference, resolve_references
from graph.state import CheckedCall, Proposal, Rejection, State, Turn
from tools.arguments import coerce_arguments
from tools.checking import check_slots
from tools.slots.names import names_of

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from graph.planner.reading import Reading
    from tools.registry import Tool

#: Slots whose values must come from the person's own words (or the question that those words edit).
_FROM_WORDS = frozenset({"period", "category", "merchant", "account", "over", "under", "kind"})


async def validate(state: State, runtime: Runtime[Turn]) -> State:
    """Check every proposed call: known, offered, arguments coerced and valid, slots held against the person's words."""
    turn = runtime.context
    checked: list[CheckedCall] = []
    rejections: list[Rejection] = []
    done = {_identity(outcome.call) for outcome in state.get("outcomes", [])}
    for proposal in state.get("proposals", []):
        judged = _judge(proposal, state, turn)
        if isinstance(judged, Rejection):
            rejections.append(judged)
        elif _identity(judged) not in done:
            done.add(_identity(judged))
            checked.append(judged)
    trace = dict(state.get("trace", {}))
    trace.setdefault("validated", []).extend(
        {"call": call.name, "by": call.by, "arguments": call.arguments, "changes": list(call.changes)}
        for call in checked
    )
    trace.setdefault("rejected", []).extend({"call": item.name, "reason": item.reason} for item in rejections)
    if checked:  # what is valid runs; the rest is told with the answer
        return {"checked": checked, "rejections": [], "trace": trace}
    return {"checked": [], "rejections": rejections, "trace": trace}


def _judge(proposal: Proposal, state: State, turn: Turn) -> CheckedCall | Rejection:
    tool = turn.tool(proposal.name)
    if tool is None:
        offered = ", ".join(each.name for each in turn.tools)
        return Rejection(proposal.name, f"There is no tool {proposal.name!r}. The tools are: {offered}.")
    coerced = coerce_arguments(tool.parameters, proposal.arguments)
    if coerced.problems:
        reason = "; ".join(f"{problem.parameter}: {problem.reason}" for problem in coerced.problems)
        return Rejection(tool.name, reason, "I could not make sense of that request.")
    arguments, changes = dict(coerced.arguments), list(coerced.changes)
    if proposal.by == "model":
        held = _hold_to_words(tool, arguments, turn)
        arguments, changes = held[0], changes + held[1]
        missing = [name for name in tool.required if name not in arguments]
        if missing:
            return Rejection(tool.name, f"The question names no {', '.join(missing)}; use another tool.")
    try:
        arguments = resolve_references(arguments, state.get("outcomes", []), turn.request.past)
    except UnknownReference as unknown:
        return Rejection(
            tool.name, f"There is no fact {unknown.reference}.", "I have no figure to work with for that yet."
        )
    found = check_slots(tool, arguments, changes, turn.context)
    if found.reason:
        return Rejection(tool.name, found.reason, found.message, found.choices)
    return CheckedCall(tool.name, found.arguments, proposal.by, found.changes)


def _hold_to_words(tool: Tool, arguments: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[str]]:
    """Let the person's own words win over what a model made of them, and drop what they never said."""
    reading = turn.planner.read(turn.request.text, turn.context)
    said = fill(tool, reading)
    inherited = _inherited(tool, reading, turn)
    held: dict[str, Any] = {}
    changes: list[str] = []
    for parameter, value in arguments.items():
        slot = tool.slots.get(parameter)
        invented = slot is not None and slot.name in _FROM_WORDS and not _is_reference(value)
        if parameter in said or not invented or _in_words(value, turn.request.text) or parameter in inherited:
            held[parameter] = value
        else:
            changes.append(f"{parameter}: not said, dropped")
    for parameter, value in inherited.items():
        if parameter not in held and parameter not in said:
            held[parameter] = value
            changes.append(f"{parameter}: carried over from the question before")
    for parameter, value in said.items():
        if parameter in arguments and _same(arguments[parameter], value):
            continue
        if tool.slots.get(parameter) is not None or parameter in ("exclude", "exclude_largest"):
            held[parameter] = value
            changes.append(f"{parameter}: taken from the person's words")
    if reading.of("period") and "start_date" in said and "end_date" not in said:
        held.pop("end_date", None)
    return held, changes


def _inherited(tool: Tool, reading: Reading, turn: Turn) -> dict[str, Any]:
    """What a follow-up leaves unsaid because the question before said it."""
    past = turn.request.past
    scope = next((each.scope for each in reversed(past) if each.scope), None)
    if scope is None or not is_follow_up(reading, past):
        return {}
    base = before(scope, turn.context)
    subjects = ("category", "merchant")
    named = any(reading.of(slot) for slot in subjects)
    kept = {name: value for name, value in base.shared.items() if not (named and name in subjects)}
    carried = {name: value for name, value in kept.items() if name in tool.parameters.get("properties", {})}
    if base.period is not None and not reading.of("period"):
        from graph.planner.filling import set_period

        set_period(tool, base.period, carried)
    return carried


def _in_words(value: Any, text: str) -> bool:
    folded = text.casefold()
    return all(name.casefold() in folded for name in names_of(value))


def _is_reference(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("{")


def _same(first: Any, second: Any) -> bool:
    return [name.casefold() for name in names_of(first)] == [name.casefold() for name in names_of(second)]


def _identity(call: CheckedCall) -> str:
    return f"{call.name} {sorted((key, str(value)) for key, value in call.arguments.items())}"
