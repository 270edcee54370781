"""Fifty people ask at once before a model that answers nobody: a few of them wait for it, and everybody else has an answer."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.models.choice import OpenAIServer as Address
from graph.models.gate import Limits
from graph.state import Options
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.openai_server import KEY, NAME, OpenAIServer
from tools.registry import Registry

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PEOPLE, AT_ONCE = 50, 4
QUESTION = "How much did I spend on groceries in October?"


def statement(number):
    return f"Date,Description,Amount (USD),Category\n2026-10-02,ALDI,-{number}.25,Groceries\n2026-10-03,REWE,-1.00,Groceries\n"


@pytest.fixture
async def crowd(sqlite_store):
    """A runner whose every question goes to a slow model, and people with some rows each."""
    platform = MemoryPlatform(now=lambda: NOW)
    with OpenAIServer(answers=["slow"]) as server:
        server.afterwards = {"tool": "ledger-ask", "arguments": {"act": "total"}}
        models = ModelChoice(f"openai:{NAME}", "http://127.0.0.1:9", Address(server.url, KEY), Limits(AT_ONCE, 0.05))
        agent = MoneyAgent(
            sqlite_store,
            Registry.built_in(),
            models,
            lambda: NOW,
            options=Options(routing="model", model_deadline=60),
            search_index=_no_index,
        )
        people = [platform.person(f"person-{number}") for number in range(PEOPLE)]
        for number, person in enumerate(people):
            data = SourceFile("bank.csv", statement(number + 10).encode())
            await import_files(await sqlite_store.repository(person), [data])
        runner = Runner(sqlite_store, agent, [platform], RunnerSettings(parallel_turns=2 * AT_ONCE, narration=False))
        await runner.start()
        yield platform, runner, server, people, models
        server.release.set()
        await runner.drain(0)


async def _no_index():
    """Nothing to search but words."""


async def test_a_slow_model_keeps_a_few_waiting_and_everybody_else_has_an_answer(crowd):
    platform, runner, server, people, models = crowd
    for person in people:
        await platform.say(person, QUESTION)
    while sum(bool(platform.visible_to(person)) for person in people) < PEOPLE - AT_ONCE:
        await asyncio.sleep(0.01)
    assert (server.running, models.crowd.running) == (AT_ONCE, AT_ONCE)
    assert models.crowd.turned_away == PEOPLE - AT_ONCE
    server.release.set()
    await runner.idle()
    told = [platform.visible_to(person)[-1].text for person in people]
    assert [f"{number + 11}.25" in text for number, text in enumerate(told)] == [True] * PEOPLE
    assert server.most_running == AT_ONCE
    counted = await runner.metrics.text(runner._store)
    assert f'kind="answer",by="model"}} {AT_ONCE}' in counted
    assert f'kind="answer",by="planner"}} {PEOPLE - AT_ONCE}' in counted
