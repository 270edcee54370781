"""Asking the model for the calls of a round: what it is offered, what it answered, and what is made of that."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

from graph.models.form import NAME, examples, filled, form_of
from graph.models.model import ModelReply, ModelUnavailable
from graph.models.prompts import Ask, selection_prompt
from graph.models.reading import read_calls
from graph.nodes.timing import timed
from graph.planner.calls import ANSWERING, CALCULATE
from graph.planner.settling import is_ours
from graph.state import Proposal, State, Turn
from graph.steps import begin_step
from tools.selection import named_in
from tools.selection.selector import fall_back

if TYPE_CHECKING:
    from graph.models.reading import ReadReply
    from graph.planner.meant import Meant
    from graph.planner.plan import Plan
    from graph.state import By
    from tools.registry import Tool
    from tools.selection import Selection

_log = structlog.get_logger(__name__)


async def ask_model(state: State, turn: Turn, round_: int) -> State:
    """Return the model's proposals, or only the trace where it gave no usable answer in time."""
    meant = state.get("meant") if round_ == 1 else None
    selection = _for_round(state["offer"], round_, turn, meant)
    if turn.model is None or not selection.tools:
        return {}
    asking = _Asking(state, turn, round_, meant, selection)
    reply = await asking.reply()
    if reply is None:
        return {"trace": asking.trace()}
    return await asking.read(reply)


class _Asking:
    """One call of the model: what it is offered, and how that went."""

    def __init__(self, state: State, turn: Turn, round_: int, meant: Meant | None, selection: Selection) -> None:
        self.state = state
        self.turn = turn
        self.round = round_
        self.meant = meant if meant is not None and meant.acts else None
        self.selection = selection
        self.known = named_in(turn.request.text, turn.background)
        self.may_decline = round_ > 1 or turn.options.tool_choice == "auto"
        self.note: dict[str, Any] = {"round": round_}
        self.began = time.perf_counter()

    async def reply(self) -> ModelReply | None:
        """Return what the model answered; None where it gave no answer in time."""
        assert self.turn.model is not None
        begin_step("Reading your question" if self.round == 1 else "Deciding what else to look up")
        shown = await asyncio.to_thread(examples, self.meant) if self.meant is not None else ()
        rejections, outcomes = self.state.get("rejections", []), self.state.get("outcomes", [])
        ask = Ask(self.selection.tools, rejections, outcomes, self.known, self.may_decline, shown)
        prompt = selection_prompt(self.turn, ask)
        left = max(0.1, self.turn.model_seconds_left)
        try:
            reply = await self.turn.model.propose(prompt, self.selection.tools, left, may_decline=self.may_decline)
        except ModelUnavailable as unavailable:
            _log.warning("model unavailable", model=self.turn.model.name, reason=unavailable.reason)
            self.note["unavailable"] = unavailable.reason
            return None
        self.turn.usage.append(reply.usage)
        return reply

    async def read(self, reply: ModelReply) -> State:
        """Return what is made of an answer: calls, that no tool fits, or nothing where it can't be read."""
        read = read_calls(reply, [tool.name for tool in self.selection.tools])
        self.note |= {"form": reply.form, "read_as": read.form, "calls": [call.name for call in read.calls]}
        if read.says_none and self.may_decline:
            return {**self._common(), "proposals": [], "asks_on": False, "verdict": "none" if self.round == 1 else ""}
        plan = await self._meaning(read)
        written = [Proposal(call.name, call.arguments, "model") for call in read.calls if call.name != NAME]
        if plan is None and not written:
            return {"trace": self.trace()}
        calls: State = calls_of(plan, "model") if plan else {"proposals": written, "plan": [], "unread": []}
        return {**self._common(), **calls, "asks_on": read.more, "verdict": ""}

    async def _meaning(self, read: ReadReply) -> Plan | None:
        """Return the calls of a meaning that the model filled; None where it filled none that comes to calls."""
        call = next(iter(read.calls), None)
        if call is None or call.name != NAME or self.meant is None:
            return None
        form = filled(call.arguments, self.meant)
        if form is None:
            return None
        self.note |= {"act": form.act, "parts": dict(form.parts), "dropped": list(form.dropped)}
        return await self.meant.as_told(form.act, form.parts)

    def _common(self) -> State:
        kept: State = {"offer": self.state["offer"], "meant": self.meant, "selection": self.selection}
        return {"round": self.round, **kept, "rejections": [], "plan": [], "trace": self.trace()}

    def trace(self) -> dict[str, Any]:
        """Return the trace with one more question to the model: what was offered and why, how it answered, how long it took."""
        seconds = round(time.perf_counter() - self.began, 3)
        asked = [*self.state.get("trace", {}).get("model", []), {**self.note, "seconds": seconds}]
        scores = {name: round(score, 3) for name, score in self.selection.scores.items() if score is not None}
        offer = {
            "strategy": self.selection.strategy,
            "why": self.selection.why,
            "tools": [tool.name for tool in self.selection.tools],
            "scores": scores,
            "background": [entry.name for entry in self.known],
        }
        return timed(self.state, "model", self.began, model=asked, offered=offer)


def calls_of(plan: Plan, by: By) -> State:
    """Return the calls of a plan, and what they leave out, as proposed by whoever chose what is asked."""
    rounds = [[Proposal(call.name, call.arguments, by, from_words=True) for call in calls] for calls in plan.rounds]
    return {"plan": rounds, "proposals": rounds[0] if rounds else [], "unread": list(plan.unread)}


async def offer(turn: Turn) -> Selection:
    """Return the tools preselected for a question, with those of the thread's questions before, which it may continue."""
    try:
        left = max(0.1, turn.model_seconds_left)
        selection = await asyncio.wait_for(turn.selector.choose(turn.request.text, turn.tools), left)
    except TimeoutError:
        selection = fall_back(turn.tools, "none", "no time left")
    names = {tool.name for tool in selection.tools}
    continued = {past.scope.tool for past in turn.request.past if past.scope is not None} - names
    return replace(selection, tools=(*selection.tools, *(tool for tool in turn.tools if tool.name in continued)))


def _for_round(selection: Selection, round_: int, turn: Turn, meant: Meant | None) -> Selection:
    """Return what is offered in a round: the form of a meaning in the first, and each tool that no meaning comes to.

    Tools of ours are among these where the reader thinks that one may be asked for, arithmetic where there are figures.
    A tool that the setting names is the only one of the first round.
    """
    named = turn.tool(turn.options.tool_choice) if round_ == 1 else None
    tools = selection.tools if named is None else (named,)
    form = [form_of(meant)] if meant is not None and meant.acts else []
    ours = named is not None or meant is None or meant.by_other_tools
    figures = round_ > 1 or any(past.facts for past in turn.request.past)

    def is_offered(tool: Tool) -> bool:
        if tool.name == CALCULATE:
            return figures
        return tool.name not in ANSWERING and (ours or not is_ours(tool))

    why = selection.why if named is None else "tool_choice"
    return replace(selection, tools=(*form, *filter(is_offered, tools)), why=why)
