"""select: who proposes which calls in this round."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

from graph.models.model import ModelUnavailable
from graph.models.prompts import Ask, selection_prompt
from graph.models.reading import read_calls
from graph.nodes.timing import timed
from graph.planner.asking_back import OUTRIGHT
from graph.state import Proposal, State, Turn
from tools.selection import named_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.runtime import Runtime

    from graph.planner.plan import Plan
    from tools.registry import Tool
    from tools.selection import Selection

_log = structlog.get_logger(__name__)
#: Below this a plan is handed over to a model, where there is one.
SURE = 0.5


async def select(state: State, runtime: Runtime[Turn]) -> State:
    """Propose the calls of the next round, or none when the turn has what it needs."""
    turn = runtime.context
    rejected = bool(state.get("rejections"))
    round_ = state.get("round", 0) + (0 if rejected else 1)
    planned = state.get("plan", [])
    if round_ > turn.options.max_rounds:
        return {"proposals": [], "verdict": "capped", "rejections": []}
    if rejected:
        return await _again(state, turn)
    if round_ == 1:
        return await _first(state, turn)
    if round_ <= len(planned):
        return {"round": round_, "proposals": planned[round_ - 1], "rejections": []}
    if state.get("asks_on"):
        return await _further(state, turn, round_)
    return {"proposals": [], "rejections": []}


async def _first(state: State, turn: Turn) -> State:
    """Propose the first round: what a command names, what the planner reads, or what the model says."""
    request, options, began = turn.request, turn.options, time.perf_counter()
    if request.call is not None:
        proposal = Proposal(request.call.name, request.call.arguments, "command")
        return {"round": 1, "proposals": [proposal], "plan": [[proposal]]}
    if options.tool_choice == "none":
        return {"round": 1, "proposals": [], "verdict": "none"}
    plan = await turn.planner.plan(request.text, turn.context, _allowed(turn), request.past)
    note = {"kind": plan.kind, "confidence": round(plan.confidence, 3), **plan.trace}
    state = {**state, "trace": timed(state, "planner", began, planner=note)}
    if options.routing == "builtin" or turn.model is None:
        return _planned(plan, state, turn)
    decided = plan.confidence >= SURE if plan.kind != "clarify" else plan.confidence >= OUTRIGHT
    deliberate = plan.kind == "none" and bool(plan.question)  # other people's money, the future, an order
    if deliberate or (decided and (options.routing == "auto" or plan.kind == "clarify")):
        return _planned(plan, state, turn)
    return await _asked(plan, state, turn, decided=decided)


async def _asked(plan: Plan, state: State, turn: Turn, *, decided: bool) -> State:
    """Return what the model proposes; where the words name tools beyond doubt, theirs is the call whatever it says."""
    asked = await _ask_model(state, turn, 1)
    planned = _planned(plan, {**state, **asked}, turn)
    if "proposals" not in asked:
        return planned
    if not (decided and plan.kind == "calls"):
        return asked
    if not _agree(asked["proposals"], plan):
        return planned
    return {**asked, "asks_on": False, "planned": planned["proposals"], "unread": planned["unread"]}


def _agree(proposals: Sequence[Proposal], plan: Plan) -> bool:
    """Whether a model wants the very calls of tools that the person's words name."""
    if any(isinstance(each.arguments, dict) and "requests" in each.arguments for each in proposals):
        return False
    names = [sorted(call.name for call in calls) for calls in plan.rounds]
    return names == [sorted(each.name for each in proposals)]


async def _again(state: State, turn: Turn) -> State:
    """Propose once more after a refusal: the model with the reason, then the planner, then nobody."""
    repairs = state.get("repairs", 0) + 1
    if not any(proposal.by == "model" for proposal in state.get("proposals", [])):
        return {"proposals": [], "verdict": "clarify"}
    if repairs <= turn.options.repairs and not state.get("planned"):
        asked = await _ask_model(state, turn, state.get("round", 1))
        if "proposals" in asked:
            return {**asked, "repairs": repairs}
        state = {**state, **asked}
    if state.get("round", 1) > 1:  # what the earlier rounds found stands
        return {"proposals": [], "rejections": [], "asks_on": False, "trace": state.get("trace", {})}
    plan = await turn.planner.plan(turn.request.text, turn.context, _allowed(turn), turn.request.past)
    return {**_planned(plan, state, turn), "repairs": repairs}


async def _further(state: State, turn: Turn, round_: int) -> State:
    """Ask the model what else it needs, now that it can refer to what was found."""
    asked = await _ask_model(state, turn, round_)
    if asked.get("proposals"):
        return asked
    return {"proposals": [], "rejections": [], "asks_on": False, "trace": asked.get("trace", {})}


def _allowed(turn: Turn) -> Sequence[Tool]:
    """Return the tools of the first round: all of the person's, or the one that the setting names."""
    named = turn.tool(turn.options.tool_choice)
    return turn.tools if named is None else [named]


def _planned(plan: Plan, state: State, turn: Turn) -> State:
    rounds = [[Proposal(call.name, call.arguments, "planner") for call in calls] for calls in plan.rounds]
    must_call = turn.options.tool_choice != "auto"
    verdict: Any = "" if plan.kind == "calls" else "clarify" if must_call else plan.kind
    return {
        "round": 1,
        "plan": rounds,
        "proposals": rounds[0] if rounds else [],
        "rejections": [],
        "asks_on": False,
        "planned": [],
        "verdict": verdict,
        "question": plan.question,
        "choices": list(plan.choices),
        "unread": list(plan.unread),
        "trace": state.get("trace", {}),
    }


async def _ask_model(state: State, turn: Turn, round_: int) -> State:
    """Return the model's proposals, or only the trace where it gave no usable answer in time."""
    if turn.model is None:
        return {}
    offer = state.get("offer") or await _offer(turn)
    selection = _for_round(offer, round_, turn)
    known = named_in(turn.request.text, turn.background)
    may_decline = round_ > 1 or turn.options.tool_choice == "auto"
    ask = Ask(selection.tools, state.get("rejections", []), state.get("outcomes", []), known, may_decline)
    began = time.perf_counter()
    note: dict[str, Any] = {"round": round_}
    try:
        reply = await turn.model.propose(
            selection_prompt(turn, ask), selection.tools, max(0.1, turn.model_seconds_left), may_decline=may_decline
        )
    except ModelUnavailable as unavailable:
        _log.warning("model unavailable", model=turn.model.name, reason=unavailable.reason)
        return {"trace": _noted(state, began, {**note, "unavailable": unavailable.reason}, selection, known)}
    turn.usage.append(reply.usage)
    read = read_calls(reply, [tool.name for tool in selection.tools])
    note |= {"form": reply.form, "read_as": read.form, "calls": [call.name for call in read.calls]}
    trace = _noted(state, began, note, selection, known)
    common: State = {
        "round": round_, "offer": offer, "selection": selection, "rejections": [], "plan": [], "trace": trace
    }  # fmt: skip
    if read.says_none and may_decline:
        return {**common, "proposals": [], "asks_on": False, "verdict": "none" if round_ == 1 else ""}
    if not read.calls:
        return {"offer": offer, "trace": trace}
    proposals = [Proposal(call.name, call.arguments, "model") for call in read.calls]
    return {**common, "proposals": proposals, "asks_on": read.more, "verdict": ""}


async def _offer(turn: Turn) -> Selection:
    """Return the tools preselected for a question, with those of the thread's questions before, which it may continue."""
    selection = await turn.selector.choose(turn.request.text, turn.tools)
    names = {tool.name for tool in selection.tools}
    continued = {past.scope.tool for past in turn.request.past if past.scope is not None} - names
    return replace(selection, tools=(*selection.tools, *(tool for tool in turn.tools if tool.name in continued)))


def _for_round(selection: Selection, round_: int, turn: Turn) -> Selection:
    """Return what is offered in a round: a tool that the setting names is the only one of the first."""
    named = turn.tool(turn.options.tool_choice)
    return selection if named is None or round_ > 1 else replace(selection, tools=(named,), why="tool_choice")


def _noted(
    state: State, began: float, note: dict[str, Any], selection: Selection, known: Sequence[Tool]
) -> dict[str, Any]:
    """Return the trace with one more question to the model: what was offered and why, how it answered, how long it took."""
    asked = [*state.get("trace", {}).get("model", []), {**note, "seconds": round(time.perf_counter() - began, 3)}]
    offer = {
        "strategy": selection.strategy,
        "why": selection.why,
        "tools": [tool.name for tool in selection.tools],
        "scores": {name: round(score, 3) for name, score in selection.scores.items() if score is not None},
        "background": [entry.name for entry in known],
    }
    return timed(state, "model", began, model=asked, offered=offer)
