"""What holds beyond a question's words: focus modes, switches, settings and notes."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from graph.agent import MoneyAgent
from graph.models.ollama import OllamaModel
from ledger.imports import import_files
from ledger.memories import add_memory, list_memories, remove_memories
from ledger.statement_writer import SourceFile
from ledger.switches import switch
from tests.support.bank_files import american_lines, spent, within
from tests.support.ollama_server import MODEL, OllamaServer
from tests.unit.graph.conftest import ME, Talk

OCTOBER = within("2026-10-01", "2026-10-31")
SPENT = spent(american_lines(), OCTOBER)


def total(outcome: Any) -> str:
    return str(next(fact.value for fact in outcome.reply.facts if fact.id == "total"))


async def test_a_mode_narrows_what_a_question_leaves_unsaid(english: Talk) -> None:
    """In the month close, a question without a period is about last month; what is said always wins."""
    await english.say("Start the month close")
    outcome = await english.say("How much did I spend?")
    assert total(outcome) == str(SPENT)
    assert any("by the focus mode" in change for change in outcome.trace["calls"][0]["changes"])
    assert outcome.trace["focus"] == "month_close"
    said = await english.say("How much did I spend in 2025?")
    assert said.reply.period is not None
    assert said.reply.period.start.year == 2025


STREAMING = b"Date,Description,Amount (USD)\n2026-10-03,NETFLIX.COM,-15.49\n2026-10-05,TRADER JOE'S,-40.00\n2024-01-03,NETFLIX.COM,-9.99\n"


async def test_a_subscription_audit_is_about_subscriptions_of_a_year(
    tmp_path: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> None:
    agent = await open_agent(tmp_path / "money.sqlite3")
    await import_files(await agent._store.repository(ME), [SourceFile("bank.csv", STREAMING)])
    talk = Talk(agent)
    await talk.say("Start the subscription audit")
    assert total(await talk.say("How much did I spend?")) == "15.49"
    assert total(await talk.say("How much did I spend on groceries in October?")) == "40.00"
    assert total(await talk.say("How much did I spend in January 2024?")) == "9.99"
    await agent._store.close()


async def test_a_mode_whose_category_the_ledger_lacks_is_about_its_period(english: Talk) -> None:
    await english.say("Start the subscription audit")
    outcome = await english.say("How much did I spend?")
    assert outcome.reply.kind == "answer"
    assert outcome.reply.period is not None
    assert outcome.reply.period.start.year == 2025


async def test_outside_of_a_modes_apps_the_person_is_reminded_of_it(english: Talk) -> None:
    await english.say("Start the subscription audit")
    outcome = await english.say("How much did I earn last month?")
    assert outcome.reply.kind in ("refuse", "clarify")
    assert "subscription audit" in outcome.reply.plain()
    await english.say("Stop the focus")
    assert (await english.say("How much did I earn last month?")).reply.kind == "answer"


async def test_plain_answers_are_the_headline_alone(english: Talk) -> None:
    full = await english.say("How much did I spend in October?")
    await english.say("Plain answers please")
    plain = await english.say("How much did I spend in October?")
    assert plain.reply.plain() == plain.reply.headline == full.reply.headline
    assert len(full.reply.plain()) > len(plain.reply.plain())


@pytest.mark.parametrize("off", ["spending", "spending-analyze_by_category"])
async def test_a_follow_up_does_not_bring_back_what_is_switched_off(english: Talk, off: str) -> None:
    await english.say("How much did I spend on groceries in October?")
    repository = await english.agent._store.repository(ME)
    await switch(repository, off, on=False)
    try:
        outcome = await english.say("and in September?")
        assert all(call["name"] != "spending-analyze_by_category" for call in outcome.trace["calls"])
    finally:
        await switch(repository, off, on=True)


async def test_a_sentence_without_anything_in_it_calls_nothing(english: Talk) -> None:
    for text in ("", "   ", "?!", "🤷"):
        outcome = await english.say(text)
        assert outcome.trace["calls"] == []
        assert outcome.reply.kind in ("clarify", "refuse")


async def test_with_writes_off_no_writing_tool_is_offered(english: Talk) -> None:
    english.agent._writes = False
    outcome = await english.say("Remember that my rent is due on the 3rd")
    assert outcome.proposal is None
    assert not any(name.endswith(("remember", "change", "forget")) for name in outcome.trace["offered"]["tools"])


@pytest.fixture
async def prompted(american: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> Any:
    """Asks a question of an agent with a scripted model and two notes; returns what the model was told."""

    async def ask(question: str, **options: Any) -> str:
        with OllamaServer() as server:
            server.answers = [{"tool": "none", "arguments": {}}]
            agent = await open_agent(american, OllamaModel(MODEL, server.url), routing="model", **options)
            repository = await agent._store.repository(ME)
            async with agent._store.write() as connection:
                await add_memory(connection, repository, "Sam is my landlord")
                await add_memory(connection, repository, "the gym is shared with Ann")
            try:
                await Talk(agent).say(question)
            finally:
                notes = await list_memories(repository)
                async with agent._store.write() as connection:
                    await remove_memories(connection, repository, [note.id for note in notes])
                await agent._store.close()
            return json.dumps(server.chats)

    return ask


async def test_only_relevant_notes_enter_a_prompt(prompted: Any) -> None:
    told = await prompted("how much went to the landlord in October?")
    assert "Sam is my landlord" in told
    assert "Ann" not in told
    assert "Ann" not in await prompted("how much did I spend in October?")


async def test_a_required_call_leaves_none_out_of_the_grammar(prompted: Any) -> None:
    assert '"none"' in await prompted("how much did I spend in October?")
    body = json.loads(await prompted("how much did I spend in October?", tool_choice="required"))
    assert "none" not in body[0]["format"]["properties"]["tool"]["enum"]
