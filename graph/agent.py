"""The agent: one turn through the graph, with everything it needs looked up for the person who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from graph.build import build_graph, recursion_limit
from graph.models.model import ModelUnavailable
from graph.models.prompts import narration_prompt
from graph.narration import fill_in, verify
from graph.planner.planner import Planner
from graph.state import Options, State, Turn
from graph.turn import TurnOutcome, TurnRequest
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from graph.models.choice import ModelChoice
    from graph.planner.ranking import TextEmbedder
    from ledger.index import SearchIndex
    from ledger.people import Person
    from ledger.store import Store
    from tools.context import ToolContext
    from tools.registry import Registry

_log = structlog.get_logger(__name__)


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
        environment: str = "production",
        default_locale: str | None = None,
    ) -> None:
        """Wire the parts."""
        self._store = store
        self._tools = registry.offered(environment)
        self._models = models
        self._now = now
        self._options = options or Options()
        self._search_index = search_index
        self._default_locale = default_locale
        self._planner = Planner(self._tools, embedder)
        self._graph = build_graph()

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        """Answer one turn; what a person, a file or a model does wrong becomes a reply, not an exception."""
        turn = Turn(
            request=request,
            context=await self.context(request.person),
            tools=self._tools,
            planner=self._planner,
            model=None if self._options.routing == "builtin" else await self._models.current(),
            options=self._options,
        )
        limit = recursion_limit(self._options.max_rounds, self._options.repairs)
        state = await self._graph.ainvoke(State(), context=turn, config={"recursion_limit": limit})
        trace: dict[str, Any] = dict(state["reply"].trace)
        trace["answered_by"] = turn.model.name if turn.usage and turn.model else "builtin"
        trace["usage"] = {
            "model_calls": len(turn.usage),
            "input_tokens": sum(usage.input_tokens for usage in turn.usage),
            "output_tokens": sum(usage.output_tokens for usage in turn.usage),
        }
        return TurnOutcome(state["reply"], state["reply"].scope, request.focus, trace)

    async def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> str | None:
        """Return one verified sentence of a model about an answer's facts, or None: no model, no time, or rejected."""
        facts = outcome.reply.facts
        model = None if self._options.routing == "builtin" else await self._models.current()
        if model is None or outcome.reply.kind != "answer" or not facts:
            return None
        numbered = {f"f{number}": fact for number, fact in enumerate(facts, start=1)}
        try:
            reply = await model.write(narration_prompt(request.text, facts), self._options.model_deadline)
        except ModelUnavailable as unavailable:
            _log.warning("no narration", reason=unavailable.reason)
            return None
        reason = verify(reply.text, numbered)
        if reason is not None:
            _log.info("narration rejected", reason=reason)
            return None
        return fill_in(reply.text, numbered, (await self.context(request.person)).locale)

    async def scores(self, text: str, person: Person) -> list[tuple[str, float]]:
        """Return how well the built-in planner finds each offered tool to fit a question, the best first."""
        return await self._planner.scores(text, await self.context(person), self._tools)

    async def context(self, person: Person) -> ToolContext:
        """Return what tools may know of a person."""
        repository = await self._store.repository(person)
        return await tool_context(repository, self._now(), self._search_index, self._default_locale)
