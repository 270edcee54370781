"""What the first question would wait for can be done before anyone asks, and makes no ledger for nobody."""

from __future__ import annotations

from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Audience
from graph.turn import TurnRequest
from tests.unit.graph.conftest import ME, NOW, no_index
from tools.registry import Registry


async def test_warming_up_leaves_no_trace_in_an_empty_store(sqlite_store, embedder) -> None:
    agent = MoneyAgent(
        sqlite_store,
        Registry.built_in(),
        ModelChoice("builtin", "http://127.0.0.1:9"),
        lambda: NOW,
        embedder=embedder,
        search_index=no_index,
    )
    await agent.warm_up()
    assert await sqlite_store.known_people() == 0
    ranker = agent._planner._ranker
    assert ranker is not None
    outcome = await agent.answer(TurnRequest(ME, "talk", "How much did I spend last month?", Audience.PRIVATE))
    assert outcome.reply.kind == "answer"
    assert agent._planner._ranker is ranker
