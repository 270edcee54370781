"""select: who proposes which calls in this round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from graph.models.model import ModelUnavailable
from graph.models.prompts import selection_prompt
from graph.models.reading import read_calls
from graph.planner.planner import SURE
from graph.state import Proposal, Routing, State, Turn

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from graph.planner.plan import Plan

_log = structlog.get_logger(__name__)


async def select(state: State, runtime: Runtime[Turn]) -> State:
    """Propose the calls of the next round, or none when the turn has what it needs."""
    turn = runtime.context
    round_ = state.get("round", 0) + 1
    planned = state.get("plan", [])
    if round_ > turn.options.max_rounds:
        return {"proposals": [], "verdict": "capped", "rejections": []}
    if round_ == 1 and not state.get("rejections"):
        return await _first(state, turn)
    if state.get("rejections"):
        return await _again(state, turn)
    if round_ <= len(planned):
        return {"round": round_, "proposals": planned[round_ - 1], "rejections": []}
    return {"proposals": [], "rejections": []}


async def _first(state: State, turn: Turn) -> State:
    """Propose the first round: what a command names, what the planner reads, or what the model says."""
    request = turn.request
    trace: dict[str, Any] = {**state.get("trace", {}), "offered": [tool.name for tool in turn.tools]}
    if request.call is not None:
        proposal = Proposal(request.call.name, request.call.arguments, "command")
        return {"round": 1, "proposals": [proposal], "plan": [[proposal]], "trace": trace}
    if turn.options.tool_choice == "none":
        return {"round": 1, "proposals": [], "verdict": "none", "trace": trace}
    routing: Routing = turn.options.routing
    plan = await turn.planner.plan(request.text, turn.context, turn.tools, request.past)
    trace["planner"] = {"kind": plan.kind, "confidence": round(plan.confidence, 3), **plan.trace}
    if routing == "builtin" or turn.model is None:
        return _planned(plan, trace)
    if routing == "auto" and (plan.kind != "clarify" and plan.confidence >= SURE):
        return _planned(plan, trace)
    asked = await _ask_model(state, turn, trace)
    return asked if asked is not None else _planned(plan, trace)


async def _again(state: State, turn: Turn) -> State:
    """Propose once more after a refusal: the model with the reason, then the planner, then nobody."""
    trace = dict(state.get("trace", {}))
    repairs = state.get("repairs", 0) + 1
    by_model = any(proposal.by == "model" for proposal in state.get("proposals", []))
    if by_model and repairs <= turn.options.repairs:
        asked = await _ask_model(state, turn, trace)
        if asked is not None:
            return {**asked, "repairs": repairs}
    if by_model:
        plan = await turn.planner.plan(turn.request.text, turn.context, turn.tools, turn.request.past)
        return {**_planned(plan, trace), "repairs": repairs}
    return {"proposals": [], "rejections": state.get("rejections", []), "verdict": "clarify", "trace": trace}


def _planned(plan: Plan, trace: dict[str, Any]) -> State:
    rounds = [[Proposal(call.name, call.arguments, "planner") for call in calls] for calls in plan.rounds]
    return {
        "round": 1,
        "plan": rounds,
        "proposals": rounds[0] if rounds else [],
        "rejections": [],
        "verdict": "" if plan.kind == "calls" else plan.kind,
        "question": plan.question,
        "choices": list(plan.choices),
        "trace": trace,
    }


async def _ask_model(state: State, turn: Turn, trace: dict[str, Any]) -> State | None:
    """Return the model's proposals, or None where it gave no usable answer in time."""
    if turn.model is None:
        return None
    messages = selection_prompt(turn, state.get("rejections", []))
    try:
        reply = await turn.model.propose(messages, turn.tools, turn.options.model_deadline)
    except ModelUnavailable as unavailable:
        _log.warning("model unavailable", model=turn.model.name, reason=unavailable.reason)
        trace["model"] = {"unavailable": unavailable.reason}
        return None
    turn.usage.append(reply.usage)
    read = read_calls(reply, [tool.name for tool in turn.tools])
    trace["model"] = {"form": reply.form, "read_as": read.form, "calls": [call.name for call in read.calls]}
    if read.says_none:
        return {"round": 1, "proposals": [], "plan": [], "rejections": [], "verdict": "none", "trace": trace}
    if not read.calls:
        return None
    proposals = [Proposal(call.name, call.arguments, "model") for call in read.calls]
    return {"round": 1, "proposals": proposals, "plan": [proposals], "rejections": [], "verdict": "", "trace": trace}
