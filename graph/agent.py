"""The agent: one turn through the graph, with everything it needs looked up for the person who asks."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from graph.answers import capitalised, render, result_reply
from graph.background import entries_of
from graph.build import build_graph, recursion_limit
from graph.models.model import ModelUnavailable
from graph.models.prompts import narration_prompt
from graph.narration import fill_in, sentences, verify
from graph.planner.asking_back import chosen
from graph.planner.planner import Planner
from graph.reply import Reply, Text
from graph.state import Options, State, Turn
from graph.turn import ChangeRefused, Confirmed, TurnOutcome, TurnRequest
from graph.verifying import names_in
from language.catalogue import heard, translated
from language.tongue import DEFAULT
from ledger.outages import is_passing
from ledger.repository import Repository, Vocabulary
from ledger.search import LedgerSearch
from tools.calls import Call
from tools.checking import check_arguments
from tools.context import ToolContext
from tools.failures import failure_of, logged
from tools.focus import FOCUS_MODES, in_focus
from tools.running import run_tool, run_work
from tools.selection import AllSelector
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from graph.models.choice import ModelChoice
    from graph.planner.ranking import TextEmbedder
    from ledger.index import SearchIndex
    from ledger.people import Person
    from ledger.store import Store
    from tools.changes import Change
    from tools.registry import Registry, Tool
    from tools.selection import Selector

_log = structlog.get_logger(__name__)

#: One question that is read by its words, and one whose likeness to examples is looked at.
_WARMING = ("How much did I spend last month?", "What was my biggest purchase last month?")
_NO_MORE = "This can't be done any more."


class MoneyAgent:
    """Answers turns over one store, with one set of tools; holds no memory of any person.

    ``now`` is an aware instant; each person's day follows from it and their time zone. ``search_index`` gives the index
    of the moment, or None where only words can be searched.
    """

    def __init__(  # noqa: PLR0913 - the parts that are wired together
        self,
        store: Store,
        registry: Registry,
        models: ModelChoice,
        now: Callable[[], datetime],
        *,
        options: Options | None = None,
        embedder: TextEmbedder | None = None,
        search_index: Callable[[], Awaitable[SearchIndex | None]],
        selector: Selector | None = None,
        environment: str = "production",
        writes: bool = True,
        default_locale: str | None = None,
    ) -> None:
        """Wire the parts."""
        self._store = store
        self._registry = registry
        self._environment = environment
        self._writes = writes
        self._models = models
        self._now = now
        self._options = options or Options()
        self._search_index = search_index
        self._default_locale = default_locale
        self._selector = selector or AllSelector()
        self._planner = Planner(registry.offered(environment), embedder)
        self._graph = build_graph(traced=self._options.traced)

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        """Answer one turn; what a person, a file or a model does wrong becomes a reply, not an exception."""
        request = _picked(request)
        turn = await self._turn(request)
        limit = recursion_limit(self._options.max_rounds, self._options.repairs)
        state = await self._graph.ainvoke(State(), context=turn, config={"recursion_limit": limit})
        reply: Reply = state["reply"]
        trace: dict[str, Any] = dict(reply.trace)
        trace["answered_by"] = turn.model.name if turn.usage and turn.model else "builtin"
        trace["usage"] = {
            "model_calls": len(turn.usage),
            "input_tokens": sum(usage.input_tokens for usage in turn.usage),
            "output_tokens": sum(usage.output_tokens for usage in turn.usage),
        }
        _log_turn(request, reply, trace)
        changing = [each.call for each in state.get("outcomes", []) if each.result and each.result.change is not None]
        proposal = Call(changing[0].name, changing[0].arguments) if reply.kind == "clarify" and changing else None
        picked = request.choice.label if request.choice else ""
        return TurnOutcome(replace(reply, trace=trace), reply.scope, trace["focus"], proposal, trace, picked=picked)

    async def confirmed(self, person: Person, call: Call, language: str = DEFAULT) -> Confirmed:
        """Run a writing tool again, now that the person has said yes, for the work that it proposes.

        What it says is in the language that the proposal was in.

        Raises:
            ChangeRefused: it can't be done any more; carries the sentence that says why.
        """
        context = replace(await self.context(person), language=language)
        tool = next((tool for tool in self.tools(context) if tool.name == call.name and tool.writes), None)
        if tool is None:
            raise ChangeRefused(translated(_NO_MORE, language))
        checked = check_arguments(tool, call.arguments, context)
        limit = self._options.tool_timeout
        try:
            result = None if checked.reason else await run_tool(tool, checked.arguments, context, limit)
        except Exception as error:
            if is_passing(error):  # the yes stands, and is acted on as soon as the store answers again
                raise
            raise ChangeRefused(translated(logged(failure_of(error), tool.name).message, language)) from error
        if result is None or result.change is None:
            raise ChangeRefused(translated(checked.message or _NO_MORE, language))
        said = capitalised(render(result.change.done, result, context))
        reply = Reply("answer", said, (Text(said, "headline"),), language=language)
        work = partial(_do, tool, result.change, limit, language)
        return Confirmed(result_reply(result, context), work, reply, result.change.undo)

    async def warm_up(self) -> None:
        """Read the examples and load what reads questions, so that nobody's first question waits for it."""
        nobody = Repository(self._store, 0, 0)
        search = LedgerSearch(nobody, self._search_index)
        context = ToolContext(nobody, Vocabulary.empty(), search, self._now().date())
        tools = self._registry.offered(self._environment)
        for question in _WARMING:
            await self._planner.plan(question, context, tools)
        self._planner.prepare(context)
        if self._options.routing != "builtin" and await self._models.current() is not None:
            await self._selector.prewarm(tools)

    def tools(self, context: ToolContext) -> list[Tool]:
        """Return the tools that a person has not switched off, in the focus mode of the conversation."""
        off = context.switched_off
        focus = None if "focus" in off else context.focus  # nobody is held in what they can't leave
        offered = [tool for tool in self._registry.offered(self._environment, off) if self._writes or not tool.writes]
        return in_focus(offered, focus)

    async def _turn(self, request: TurnRequest) -> Turn:
        context = await self.context(request.person, request.focus)
        context = replace(context, surface=request.surface, language=_language(request) or context.language)
        model = None if self._options.routing == "builtin" else await self._models.current()
        return Turn(
            request=request,
            context=context,
            tools=self.tools(context),
            planner=self._planner,
            model=model,
            options=self._options,
            selector=self._selector,
            background=await entries_of(context) if model is not None else (),
            focus=FOCUS_MODES.get(request.focus or ""),
        )

    async def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> AsyncGenerator[str, None]:
        """Yield a model's sentences about an answer's facts, each verified and filled in, until one is rejected."""
        facts = outcome.reply.facts
        model = None if self._options.routing == "builtin" else await self._models.current()
        if model is None or outcome.reply.kind != "answer" or not facts:
            return
        numbered = {f"f{number}": fact for number, fact in enumerate(facts, start=1)}
        context = await self.context(request.person)
        text = outcome.picked or request.text
        names = names_in(self._planner.read(text, context), facts, outcome.reply.scope)
        prompt = narration_prompt(text, facts)
        try:
            async with (
                aclosing(model.stream(prompt, self._options.model_deadline)) as pieces,
                aclosing(sentences(pieces)) as told,
            ):
                async for sentence in told:
                    reason = verify(sentence, numbered, names)
                    if reason is not None:
                        _log.info("narration rejected", reason=reason)
                        return
                    yield fill_in(sentence, numbered, context.locale)
        except ModelUnavailable as unavailable:
            _log.warning("no narration", reason=unavailable.reason)

    async def context(self, person: Person, focus: str | None = None) -> ToolContext:
        """Return what tools may know of a person."""
        repository = await self._store.repository(person)
        return await tool_context(repository, self._now(), self._search_index, self._default_locale, focus)


def _language(request: TurnRequest) -> str | None:
    """Return the language of what was said, or last said before; None where no word tells one that answers can be in."""
    said = "" if request.choice or request.call else request.text
    return heard((said, *(turn.text for turn in reversed(request.past))))


def _picked(request: TurnRequest) -> TurnRequest:
    """Return a request with what it picks of an earlier reply in place of its words; a question back is settled by it."""
    choice = request.choice or (None if request.call else chosen(request.text, request.past))
    if choice is None:
        return request
    asked = bool(request.past) and request.past[-1].kind == "clarify"
    past = request.past[:-1] if asked else request.past
    return replace(request, text=choice.label, choice=choice, past=past)


async def _do(tool: Tool, change: Change, limit: float, language: str, connection: AsyncConnection) -> None:
    """Do the work of a change; raises ChangeRefused where that of somebody's own tool fails, so that nothing is kept."""
    try:
        await run_work(tool, change, connection, limit)
    except Exception as error:
        if not tool.apart:
            raise
        raise ChangeRefused(translated(logged(failure_of(error), tool.name).message, language)) from error


def _log_turn(request: TurnRequest, reply: Reply, trace: dict[str, Any]) -> None:
    """Log how a turn went: names, numbers and times, and nothing that was said or found."""
    _log.info(
        "turn",
        conversation=request.conversation,
        kind=reply.kind,
        answered_by=trace["answered_by"],
        strategy=trace["offered"]["strategy"],
        offered=len(trace["offered"]["tools"]),
        calls=[f"{call['name']} {call['status']}" for call in trace["calls"] if call["status"] != "rejected"],
        rejected=[call["problem"] for call in trace["calls"] if call["status"] == "rejected"],
        rounds=trace["rounds"],
        timings=trace.get("timings", {}),
        seconds=trace["seconds"],
    )
