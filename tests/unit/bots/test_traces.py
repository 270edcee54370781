"""Traces: each part of a message's way is a span, and no span holds a text, a name or an amount."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from bots.app import App
from bots.clock import clock
from bots.errors import CommandError
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.serving import serve
from bots.settings import Settings
from bots.traces import traced
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.nodes import call_tool
from graph.state import Options
from graph.tracing import span
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.otlp_collector import Collector, words_of
from tools.registry import Registry

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
STATEMENT = "Date,Description,Amount (USD),Category\n2026-10-02,FLORBANE LTD,-712.34,Groceries\n2026-10-03,QUIBWICK,-98.76,Groceries\n"
CANARIES = ("florbane", "quibwick", "712.34", "98.76", "811.10", "zorbs", "alice", "secret", "bank.csv", "groceries")
PARTS = {"take_in", "turn", "select", "validate", "call_tool", "explain", "deliver"}
#: All that the spans of this test may say.
SAYS = {
    "platform": {"memory"},
    "outcome": {"stored", "again", "done", "failed", "sent", "not_sent"},
    "kind": {"answer", "clarify", "refuse", "error"},
    "by": {"planner", "model", "program"},
    "tool": {each.name for each in Registry.built_in()},
    "error": {"RuntimeError"},
}


@pytest.fixture
def collector():
    with Collector() as running:
        yield running


@pytest.fixture
async def house(sqlite_store):
    """A runner with the real agent, and Alice with two rows."""
    platform = MemoryPlatform(now=lambda: NOW)
    agent = MoneyAgent(
        sqlite_store,
        Registry.built_in(),
        ModelChoice("builtin", "http://127.0.0.1:9"),
        lambda: NOW,
        options=Options(traced=True),
        search_index=_no_index,
    )
    alice = platform.person("alice")
    await import_files(await sqlite_store.repository(alice), [SourceFile("bank.csv", STATEMENT.encode())])
    runner = Runner(sqlite_store, agent, [platform], now=lambda: NOW)
    await runner.start()
    yield platform, runner, alice
    await runner.drain(0)


async def _no_index():
    """Nothing to search but words."""


async def ask(house, *texts):
    platform, runner, alice = house
    for text in texts:
        await platform.say(alice, text)
        await runner.idle()
    return platform.visible_to(alice)


async def test_every_part_of_a_messages_way_is_a_span_of_one_trace(house, collector):
    async with traced(collector.url):
        (answer,) = await ask(house, "How much did I spend on groceries in October?")
    assert "811.10" in answer.text
    spans = {each["name"]: each for each in collector.spans}
    assert spans.keys() == PARTS
    assert len({each["traceId"] for each in collector.spans}) == 1
    within = {name: each.get("parentSpanId") for name, each in spans.items()}
    own = {name: each["spanId"] for name, each in spans.items()}
    assert within["take_in"] is None
    assert {within["turn"], within["deliver"]} == {own["take_in"]}
    assert {within["select"], within["validate"], within["explain"], within["call_tool"]} >= {own["turn"]}
    assert words_of(spans["turn"]) == {
        "money_minder.platform": "memory", "money_minder.kind": "answer", "money_minder.by": "planner"
    }  # fmt: skip
    assert words_of(spans["call_tool"])["money_minder.tool"] == "spending-analyze_by_category"


async def test_no_span_holds_a_text_a_name_or_an_amount(house, collector, monkeypatch):
    platform, runner, _ = house

    async def fail(*_arguments, **_options):
        raise RuntimeError("secret florbane 712.34")

    async with traced(collector.url):
        told = await ask(
            house,
            "How much did I spend at Florbane Ltd in October?",
            "what was my biggest purchase",
            "show everything above 98.76",
            "always file Quibwick under rent",
            "yes",
            "zorbs 712.34 florbane?",
            "remember that my secret is quibwick",
        )
        monkeypatch.setattr(call_tool, "run_tool", fail)
        await ask(house, "How much did I spend at Quibwick?")
        monkeypatch.setattr(runner._answering._agent, "answer", fail)
        await ask(house, "How much did I spend at Quibwick?")
        platform.faults.refuse_sends = True
        await ask(house, "and in September?")
    assert any("712.34" in post.text for post in told)
    assert {each["name"] for each in collector.spans} == PARTS
    sent = collector.everything.casefold()
    assert [canary for canary in CANARIES if canary in sent] == []
    said = {
        (key.removeprefix("money_minder."), word) for each in collector.spans for key, word in words_of(each).items()
    }
    assert {(label, word) for label, word in said if word not in SAYS[label]} == set()
    assert {("outcome", "failed"), ("outcome", "not_sent"), ("kind", "error")} <= said
    assert [each for each in collector.spans if "events" in each or each.get("status", {}).get("message")] == []
    service = {"attributes": [{"key": "service.name", "value": {"stringValue": "money-minder"}}]}
    assert [each for each in collector.resources if each != service] == []


async def test_of_an_error_only_the_type_is_told(collector):
    async with traced(collector.url):
        with pytest.raises(ValueError, match="secret"), span("call_tool"):
            raise ValueError("secret 712.34")
    (told,) = collector.spans
    assert words_of(told) == {"money_minder.error": "ValueError"}
    assert told["status"] == {"code": "STATUS_CODE_ERROR"}


async def test_a_collector_that_is_away_costs_nobody_an_answer(house):
    async with traced("http://127.0.0.1:9/v1/traces"):
        (answer,) = await ask(house, "How much did I spend on groceries in October?")
    assert "811.10" in answer.text


async def test_nothing_is_kept_where_nothing_is_switched_on(house, collector):
    await ask(house, "How much did I spend on groceries in October?")
    async with traced(collector.url):
        pass
    assert collector.spans == []


def test_nobody_else_loads_its_packages():
    program = "import sys, bots.app, bots.runner, bots.serving, graph.agent; print('bots.traces' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


async def test_what_serves_says_what_to_install(monkeypatch, tmp_path, sqlite_store):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "bots.traces")
    settings = Settings(traces_url="http://127.0.0.1:9/v1/traces", data_dir=tmp_path)
    with pytest.raises(CommandError, match=r"requirements-extras\.lock"):
        await serve(App(settings, sqlite_store, clock(NOW)))
