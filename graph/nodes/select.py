"""select: who proposes which calls in this round."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from graph.nodes.asking_model import ask_model, calls_of, offer
from graph.nodes.timing import timed
from graph.planner.asking_back import OUTRIGHT
from graph.planner.plan import Plan
from graph.planner.settling import is_ours
from graph.state import Proposal, State, Turn
from tools.selection.selector import NOTHING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from langgraph.runtime import Runtime

    from tools.registry import Tool

#: From here on a plan's calls are made even where a model that is always asked wants others.
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
    """Propose the first round: what a command names or was picked, what the planner reads, or what the model says."""
    request, options, began = turn.request, turn.options, time.perf_counter()
    outright = _outright(state, turn)
    if outright is not None:
        return outright
    if options.tool_choice == "none":
        return {"round": 1, "proposals": [], "verdict": "none"}
    plan = await turn.planner.plan(request.text, turn.context, _allowed(turn), request.past)
    note = {"kind": plan.kind, "confidence": round(plan.confidence, 3), **plan.trace}
    state = {**state, "trace": timed(state, "planner", began, planner=note)}
    if options.routing == "builtin" or turn.model is None:
        return _planned(plan, state, turn)
    if _is_settled(plan, turn):
        return _planned(plan, state, turn)
    meant = await turn.planner.meant(request.text, turn.context, _allowed(turn), request.past)
    state = {**state, "meant": meant, "offer": await offer(turn)}
    if options.routing == "auto" and not _is_worth_asking(state, turn):
        return _planned(plan, state, turn)
    return await _asked(plan, state, turn)


def _outright(state: State, turn: Turn) -> State | None:
    """Return the calls that a command names or that were picked; None where there are only words to read."""
    command, picked = turn.request.call, turn.request.choice
    if command is not None:
        proposal = Proposal(command.name, command.arguments, "command")
        return {"round": 1, "proposals": [proposal], "plan": [[proposal]]}
    if picked is None or not picked.rounds:
        return None
    plan = Plan("calls", picked.rounds, OUTRIGHT, unread=picked.unread)
    note = {"kind": plan.kind, "confidence": OUTRIGHT, "read_as": "choice"}
    return _planned(plan, {**state, "trace": {"planner": note}}, turn)


def _is_settled(plan: Plan, turn: Turn) -> bool:
    """Whether no model is asked beside a plan: it answers, it refuses by what is missing, or its question is the person's."""
    if plan.kind == "calls":
        return turn.options.routing == "auto"
    return bool(plan.question) if plan.kind == "none" else plan.confidence >= OUTRIGHT


def _is_worth_asking(state: State, turn: Turn) -> bool:
    """Whether a model may find what the planner does not, so that the wait is worth it."""
    meant, offer = state["meant"], state["offer"]
    if turn.options.tool_choice != "auto":
        return True
    foreign = offer.why != NOTHING and any(not is_ours(tool) for tool in offer.tools)
    return foreign if meant is None else meant.is_open_to(foreign)


async def _asked(plan: Plan, state: State, turn: Turn) -> State:
    """Return what the model proposes; where the planner is sure what is meant, its calls are made whatever the model says."""
    asked = await ask_model(state, turn, 1)
    planned = _planned(plan, {**state, **asked}, turn)
    declined = asked.get("proposals") == [] and turn.options.routing == "auto"  # the planner's question may be answered
    if "proposals" not in asked or declined:
        return planned
    if plan.kind != "calls" or plan.confidence < SURE:
        return asked
    agree = sorted(call.name for call in plan.rounds[0]) == sorted(each.name for each in asked["proposals"])
    return {**planned, **calls_of(plan, "model")} if agree else planned


async def _again(state: State, turn: Turn) -> State:
    """Propose once more after a refusal: the model with the reason, then the planner, then nobody."""
    repairs = state.get("repairs", 0) + 1
    if not any(proposal.by == "model" for proposal in state.get("proposals", [])):
        return {"proposals": [], "verdict": "clarify"}
    wrote = not any(proposal.from_words for proposal in state.get("proposals", []))
    if repairs <= turn.options.repairs and wrote and turn.has_time_for_model:
        asked = await ask_model(state, turn, state.get("round", 1))
        if "proposals" in asked:
            return {**asked, "repairs": repairs}
        state = {**state, **asked}
    if state.get("round", 1) > 1:  # what the earlier rounds found stands
        return {"proposals": [], "rejections": [], "asks_on": False, "trace": state.get("trace", {})}
    plan = await turn.planner.plan(turn.request.text, turn.context, _allowed(turn), turn.request.past)
    return {**_planned(plan, state, turn), "repairs": repairs}


async def _further(state: State, turn: Turn, round_: int) -> State:
    """Ask the model what else it needs, now that it can refer to what was found."""
    asked = await ask_model(state, turn, round_) if turn.has_time_for_model else {}
    if asked.get("proposals"):
        return asked
    return {"proposals": [], "rejections": [], "asks_on": False, "trace": asked.get("trace", state.get("trace", {}))}


def _allowed(turn: Turn) -> Sequence[Tool]:
    """Return the tools of the first round: all of the person's, or the one that the setting names."""
    named = turn.tool(turn.options.tool_choice)
    return turn.tools if named is None else [named]


def _planned(plan: Plan, state: State, turn: Turn) -> State:
    must_call = turn.options.tool_choice != "auto"
    verdict: Any = "" if plan.kind == "calls" else "clarify" if must_call else plan.kind
    return {
        "round": 1,
        **calls_of(plan, "planner"),
        "rejections": [],
        "asks_on": False,
        "verdict": verdict,
        "question": plan.question,
        "choices": plan.choices,
        "trace": state.get("trace", {}),
    }
