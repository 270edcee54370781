"""validate: nothing runs unchecked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from graph.focusing import focused
from graph.nodes.timing import timed
from graph.planner.filling import fill, set_period
from graph.planner.followups import before, is_follow_up
from graph.references import UnknownReference, resolve_references
from graph.state import CheckedCall, Outcome, Problem, Proposal, State, Turn
from tools.arguments import coerce_arguments
from tools.batches import MOST_REQUESTS, read_batch
from tools.checking import check_slots
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langgraph.runtime import Runtime

    from graph.planner.reading import Reading
    from tools.registry import Tool

#: Slots whose values must come from the person's own words (or the question that those words edit).
_FROM_WORDS = frozenset({"period", "category", "merchant", "account", "over", "under", "kind"})
_UNCLEAR = "I could not make sense of that request."


async def validate(state: State, runtime: Runtime[Turn]) -> State:
    """Check every proposed call: known, offered, arguments coerced and valid, slots held against the person's words.

    What is valid runs; every other proposal gets an outcome that says why it does not. A round in which nothing is
    valid goes back to select.
    """
    turn, began = runtime.context, time.perf_counter()
    checked: list[CheckedCall] = []
    outcomes = list(state.get("outcomes", []))
    done = {_identity(outcome.call) for outcome in outcomes if outcome.result is not None}
    for proposal, problem in _single(state.get("proposals", []), turn):
        judged = _rejected(proposal, problem) if problem else _judge(proposal, state, turn)
        if isinstance(judged, CheckedCall) and _identity(judged) in done:
            judged = Outcome(judged, None, Problem("AlreadyCompleted", "This call was made in this turn already."))
        if isinstance(judged, CheckedCall):
            done.add(_identity(judged))
            checked.append(judged)
        else:
            outcomes.append(judged)
    refused = [each for each in outcomes[len(state.get("outcomes", [])) :] if each.status == "rejected"]
    return {
        "checked": checked,
        "rejections": [] if checked else refused,
        "outcomes": outcomes,
        "trace": timed(state, "validate", began),
    }


def _single(proposals: list[Proposal], turn: Turn) -> Iterator[tuple[Proposal, Problem | None]]:
    """Yield every call by itself: the requests of a batch in order, then those that are too many, as refused."""
    for proposal in proposals:
        tool = turn.tool(proposal.name)
        batch = read_batch(tool, proposal.arguments) if tool else None
        if batch is None:
            yield proposal, None
            continue
        if batch.problem:
            yield proposal, Problem("InvalidArguments", batch.problem, _UNCLEAR)
        for request in batch.requests:
            yield Proposal(proposal.name, request.arguments, proposal.by, request.id), None
        too_many = f"One call holds at most {MOST_REQUESTS} requests; this one was left out."
        for request in batch.left_out:
            left = Proposal(proposal.name, request.arguments, proposal.by, request.id)
            yield left, Problem("TooManyCalls", too_many, too_many)


def _judge(proposal: Proposal, state: State, turn: Turn) -> CheckedCall | Outcome:
    tool = turn.tool(proposal.name)
    selection = state.get("selection")
    offered = selection.tools if selection is not None and proposal.by == "model" else turn.tools
    if tool is None or tool not in offered:
        names = ", ".join(each.name for each in offered)
        reason = f"There is no tool {proposal.name!r}. The tools are: {names}."
        return _rejected(proposal, Problem("UnknownTool", reason, _UNCLEAR if proposal.by == "command" else ""))
    coerced = coerce_arguments(tool.parameters, proposal.arguments)
    if coerced.problems:
        reason = "; ".join(problem.reason for problem in coerced.problems)
        return _rejected(proposal, Problem("InvalidArguments", reason, _UNCLEAR))
    arguments, changes = dict(coerced.arguments), list(coerced.changes)
    if proposal.by == "model":
        arguments, held = _hold_to_words(tool, arguments, turn)
        changes += held
        lacking = _lacking(tool, arguments, turn)
        if lacking:
            return _rejected(proposal, Problem("InvalidArguments", lacking))
    if proposal.by != "command":
        tool, arguments, narrowed = focused(tool, arguments, turn)
        changes += narrowed
    try:
        arguments = resolve_references(arguments, state.get("outcomes", []), turn.request.past)
    except UnknownReference as unknown:
        problem = Problem(
            "UnknownReference", f"There is no fact {unknown.reference}.", "I have no figure to work with for that yet."
        )
        return _rejected(proposal, problem)
    found = check_slots(tool, arguments, changes, turn.context)
    if found.reason:
        return _rejected(proposal, Problem("NotInLedger", found.reason, found.message, found.choices))
    return CheckedCall(tool.name, found.arguments, proposal.by, found.changes, proposal.item)


def _lacking(tool: Tool, arguments: dict[str, Any], turn: Turn) -> str:
    """Return why a model's call can't be made although its arguments fit: it made figures up, or dropped what is needed."""
    if any(not _is_given(value, turn.request.text) for value in arguments.get("values", ())):
        return "values: only references to facts, or numbers that the question holds."
    missing = [name for name in tool.required if name not in arguments]
    return f"The question names no {', '.join(missing)}." if missing else ""


def _rejected(proposal: Proposal, problem: Problem) -> Outcome:
    arguments = proposal.arguments if isinstance(proposal.arguments, dict) else {}
    return Outcome(CheckedCall(proposal.name, arguments, proposal.by, (), proposal.item), None, problem)


def _hold_to_words(tool: Tool, arguments: dict[str, Any], turn: Turn) -> tuple[dict[str, Any], list[str]]:
    """Let the person's own words win over what a model made of them, and drop what they never said."""
    reading = turn.planner.read(turn.request.text, turn.context)
    said = _said(tool, arguments, reading)
    inherited = _inherited(tool, reading, turn)
    held: dict[str, Any] = {}
    changes: list[str] = []
    for parameter, value in arguments.items():
        known = parameter in said or parameter in inherited or _in_words(value, turn.request.text)
        if known or not _from_words(tool, parameter, value):
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


def _said(tool: Tool, arguments: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """Return what a reading gives a tool; which words to look for, a model may say, if they are the person's."""
    said = fill(tool, reading)
    for parameter, slot in tool.slots.items():
        given = arguments.get(parameter)
        if slot.name == "query" and given and _in_words(given, reading.text):
            said.pop(parameter, None)
    return said


def _from_words(tool: Tool, parameter: str, value: Any) -> bool:
    """Whether a parameter's value must come from the person's words; a reference to a fact need not."""
    slot = tool.slots.get(parameter)
    return slot is not None and slot.name in _FROM_WORDS and not _is_reference(value)


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
        set_period(tool, base.period, carried)
    return carried


def _in_words(value: Any, text: str) -> bool:
    folded = text.casefold()
    return all(name.casefold() in folded for name in names_of(value))


def _is_given(value: Any, text: str) -> bool:
    """Whether a figure to compute with is a fact's, or written in the question; a model makes none up."""
    return _is_reference(value) or (any(char.isdigit() for char in str(value)) and str(value) in text)


def _is_reference(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("{")


def _same(first: Any, second: Any) -> bool:
    return [name.casefold() for name in names_of(first)] == [name.casefold() for name in names_of(second)]


def _identity(call: CheckedCall) -> str:
    return f"{call.name} {sorted((key, str(value)) for key, value in call.arguments.items())}"
