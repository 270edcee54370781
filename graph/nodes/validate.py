"""validate: nothing runs unchecked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from graph.focusing import focused
from graph.licence import license_call
from graph.nodes.timing import timed
from graph.references import UnknownReference, resolve_references
from graph.state import CheckedCall, Outcome, Problem, Proposal, State, Turn
from tools.arguments import coerce_arguments
from tools.batches import MOST_REQUESTS, read_batch
from tools.calls import Call, Choice
from tools.checking import check_slots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from langgraph.runtime import Runtime

    from graph.planner.calls import Rounds
    from tools.arguments.coercion import Coerced
    from tools.registry import Tool

_UNCLEAR = "I could not make sense of that request."


async def validate(state: State, runtime: Runtime[Turn]) -> State:
    """Check every proposed call: known, offered, arguments coerced and valid, slots held against the person's words.

    What is valid runs; every other proposal gets an outcome that says why it does not. A round in which nothing is
    valid goes back to select.
    """
    turn, began = runtime.context, time.perf_counter()
    checked: list[CheckedCall] = []
    outcomes = list(state.get("outcomes", []))
    done = {_identity(outcome.call, turn) for outcome in outcomes if outcome.result is not None}
    for proposal, problem in _single(state.get("proposals", []), turn):
        judged = _rejected(proposal, problem) if problem else _judge(proposal, state, turn)
        if isinstance(judged, CheckedCall) and _identity(judged, turn) in done:
            judged = Outcome(judged, None, Problem("AlreadyCompleted", "This call was made in this turn already."))
        if isinstance(judged, CheckedCall):
            done.add(_identity(judged, turn))
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
        # A model's ids are its own words; the person reads which one it is by its place.
        everyone = enumerate((*batch.requests, *batch.left_out), start=1)
        item = {each.id: str(place) if proposal.by == "model" else each.id for place, each in everyone}
        for request in batch.requests:
            yield Proposal(proposal.name, request.arguments, proposal.by, item[request.id]), None
        too_many = f"One call holds at most {MOST_REQUESTS} requests; this one was left out."
        for request in batch.left_out:
            left = Proposal(proposal.name, request.arguments, proposal.by, item[request.id])
            yield left, Problem("TooManyCalls", too_many, too_many)


def _judge(proposal: Proposal, state: State, turn: Turn) -> CheckedCall | Outcome:
    tool = turn.tool(proposal.name)
    selection = state.get("selection")
    offered = selection.tools if selection is not None and _is_models(proposal) else turn.tools
    if tool is None or tool not in offered:
        names = ", ".join(each.name for each in offered)
        reason = f"There is no tool {proposal.name!r}. The tools are: {names}."
        return _rejected(proposal, Problem("UnknownTool", reason, _UNCLEAR if proposal.by == "command" else ""))
    held = _held(tool, proposal, turn)
    if isinstance(held, Problem):
        return _rejected(proposal, held)
    arguments, changes = held
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
        choices = tuple(
            Choice(name, _instead(proposal, Call(tool.name, mended), state))
            for name, mended in zip(found.choices, found.mended, strict=True)
        )
        return _rejected(proposal, Problem("NotInLedger", found.reason, found.message, choices))
    return CheckedCall(tool.name, found.arguments, proposal.by, found.changes, proposal.item)


def _instead(proposal: Proposal, call: Call, state: State) -> Rounds:
    """Return all that was planned with another call in place of one."""
    plan = state.get("plan") or [[proposal]]
    return tuple(tuple(call if each is proposal else each.call for each in proposals) for proposals in plan)


def _held(tool: Tool, proposal: Proposal, turn: Turn) -> tuple[dict[str, Any], list[str]] | Problem:
    """Return arguments that fit the tool's schema and, where a model wrote them, are the person's; or why not."""
    coerced = coerce_arguments(tool.parameters, proposal.arguments)
    reasons = _invalid(coerced, tool, proposal)
    if reasons:
        return Problem("InvalidArguments", "; ".join(reasons), _UNCLEAR)
    if not _is_models(proposal):
        return dict(coerced.arguments), list(coerced.changes)
    licence = license_call(tool, dict(coerced.arguments), turn)
    if licence.refused:
        return Problem("InvalidArguments", licence.refused)
    return licence.arguments, [*coerced.changes, *licence.changes]


def _is_models(proposal: Proposal) -> bool:
    """Whether a model wrote a call's arguments."""
    return proposal.by == "model" and not proposal.from_words


def _invalid(coerced: Coerced, tool: Tool, proposal: Proposal) -> list[str]:
    """Return what is wrong with arguments; what a model left out may still be in the person's words."""
    return [
        each.reason
        for each in coerced.problems
        if not _is_models(proposal) or each.parameter not in tool.required or each.parameter in coerced.arguments
    ]


def _rejected(proposal: Proposal, problem: Problem) -> Outcome:
    arguments = proposal.arguments if isinstance(proposal.arguments, dict) else {}
    return Outcome(CheckedCall(proposal.name, arguments, proposal.by, (), proposal.item), None, problem)


def _identity(call: CheckedCall, turn: Turn) -> str:
    """Return what makes two calls the same: tool and arguments, without those that a model may vary as it likes."""
    tool = turn.tool(call.name)
    free = tool.free if tool is not None and call.by == "model" else {}
    return f"{call.name} {sorted((key, str(value)) for key, value in call.arguments.items() if key not in free)}"
