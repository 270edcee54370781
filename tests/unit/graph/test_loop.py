"""The loop: caps, side by side calls, failures that stay single, and references between rounds."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.models.model import ModelReply, Usage
from graph.references import UnknownReference, resolve_references
from graph.reply import Audience
from graph.state import CheckedCall, Options, Outcome
from graph.turn import PastTurn, TurnRequest
from ledger.people import Person
from ledger.store import Store
from tools.calls import Call
from tools.registry import Registry, tool, tool_of
from tools.results import Fact, Result

ME = Person("console", "local", "me")
ran: list[str] = []


@tool(app="probe", examples=("Probe {query}",))
async def echo(word: str) -> str:
    """Say a word back."""
    ran.append(word)
    return f"echo {word}"


@tool(app="probe")
def plain(number: int = 1) -> str:
    """Count in a thread."""
    return str(number)


@tool(app="probe")
async def broken(word: str = "") -> str:
    """Fail with a text that nobody may see."""
    raise RuntimeError(f"secret amount 4711.00 {word}")


@tool(app="probe")
async def slow() -> str:
    """Take too long."""
    await asyncio.sleep(60)
    return "never"


@tool(app="probe")
async def figure(amount: str) -> Result:
    """Return one fact."""
    return Result("{amount}", (Fact("amount", "Amount", Decimal(amount), "number"),))


class Scripted:
    """A model that answers the given texts in turn."""

    name = "ollama:scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    async def propose(self, _messages: object, _tools: object, _timeout: float) -> ModelReply:
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return ModelReply(text, (), Usage(1, 1, 0.0), "text")


@pytest.fixture
async def probe(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """Runs one turn over the probe tools: a command's call, or a text that a scripted model answers."""
    store = await Store.open(tmp_path / "data" / "money.sqlite3")
    ran.clear()

    async def run(call: Call | None = None, *, says: str = "", switched_off: bool = False, **options: Any) -> Any:
        registry = Registry([tool_of(each) for each in (echo, plain, broken, slow, figure)])
        if switched_off:
            registry = Registry([tool_of(echo)])
        models = ModelChoice("builtin", "http://127.0.0.1:9")
        models._model = Scripted(says) if says else None  # type: ignore[assignment]
        agent = MoneyAgent(
            store,
            registry,
            models,
            lambda: datetime(2026, 11, 21, tzinfo=UTC),
            options=Options(**{"routing": "model", "repairs": 0, **options}),
            search_index=_nothing,
        )
        return await agent.answer(TurnRequest(ME, "c", "probe", Audience.PRIVATE, call=call))

    yield run
    await store.close()


async def _nothing() -> None:
    """No index."""


def calls(*pairs: tuple[str, dict[str, Any]]) -> str:
    return "\n".join(
        "```json\n" + json.dumps({"name": name, "arguments": arguments}) + "\n```" for name, arguments in pairs
    )


async def test_sync_and_async_tools_run(probe: Any) -> None:
    assert "echo hi" in (await probe(Call("probe-echo", {"word": "hi"}))).reply.plain().casefold()
    assert (await probe(Call("probe-plain", {"number": "7"}))).reply.headline == "7"


async def test_several_calls_keep_their_order_and_a_failure_stays_single(probe: Any) -> None:
    outcome = await probe(
        says=calls(("probe-echo", {"word": "a"}), ("probe-broken", {}), ("probe-echo", {"word": "b"}))
    )
    text = outcome.reply.plain()
    assert text.casefold().index("echo a") < text.casefold().index("echo b")
    assert "did not work" in text
    assert "4711" not in text


async def test_an_exceptions_text_reaches_neither_person_nor_log(
    probe: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = await probe(Call("probe-broken", {}))
    assert outcome.reply.kind == "error"
    captured = capsys.readouterr()
    assert "4711" not in outcome.reply.plain() + captured.out + captured.err


async def test_a_slow_tool_is_stopped(probe: Any) -> None:
    started = time.perf_counter()
    outcome = await probe(Call("probe-slow", {}), tool_timeout=0.05)
    assert "too long" in outcome.reply.plain()
    assert time.perf_counter() - started < 30


async def test_the_same_call_runs_once_in_a_turn(probe: Any) -> None:
    await probe(says=calls(*[("probe-echo", {"word": "same"})] * 4))
    assert ran == ["same"]


async def test_more_than_nine_calls_are_said_not_cut_silently(probe: Any) -> None:
    outcome = await probe(says=calls(*[("probe-echo", {"word": str(n)}) for n in range(12)]))
    assert sorted(ran, key=int) == [str(n) for n in range(9)]
    assert "more calls" in outcome.reply.plain()


async def test_calls_run_one_by_one_if_told(probe: Any) -> None:
    await probe(says=calls(*[("probe-echo", {"word": str(n)}) for n in range(5)]), parallel_tool_calls=False)
    assert ran == ["0", "1", "2", "3", "4"]


async def test_the_round_cap_ends_a_turn_with_the_answer_so_far(probe: Any) -> None:
    rounds = calls(("probe-figure", {"amount": "5"}))
    outcome = await probe(says=rounds, max_rounds=1)
    assert outcome.reply.kind == "answer"


async def test_tool_choice_none_calls_nothing(probe: Any) -> None:
    outcome = await probe(says=calls(("probe-echo", {"word": "x"})), tool_choice="none")
    assert not ran
    assert outcome.reply.kind != "answer" or "echo" not in outcome.reply.plain()


async def test_a_command_cannot_run_what_is_not_offered(probe: Any) -> None:
    outcome = await probe(Call("probe-broken", {}), switched_off=True)
    assert not outcome.trace.get("ran")


async def test_a_commands_bad_arguments_are_refused(probe: Any) -> None:
    outcome = await probe(Call("probe-plain", {"number": "many"}))
    assert not outcome.trace.get("ran")
    assert outcome.reply.kind in ("refuse", "clarify", "answer")


def _outcome(*facts: Fact) -> Outcome:
    return Outcome(CheckedCall("probe-figure", {}, "planner"), Result("", facts))


def test_references_name_facts_by_number_by_call_and_by_answer() -> None:
    total = Fact("total", "Total", Decimal("12.30"), "money", "USD")
    count = Fact("count", "Number", 3, "count")
    past = (PastTurn("before", "answer", None, (replace(total, value=Decimal("9.00")),)),)
    outcomes = [_outcome(total), _outcome(count)]
    assert resolve_references({"over": "{f1}"}, outcomes, past) == {"over": "12.30"}
    assert resolve_references({"values": ["{1.total}", "{p1}"]}, outcomes, past) == {
        "values": ["12.30 USD", "9.00 USD"]
    }
    assert resolve_references("{f2}", outcomes, past) == "3"
    assert resolve_references("no {reference} here", outcomes, past) == "no {reference} here"


@pytest.mark.parametrize("reference", ["{f9}", "{p2}", "{1.nothing}", "{7.total}", "{f0}", "{p0}"])
def test_a_reference_that_leads_nowhere_is_refused(reference: str) -> None:
    with pytest.raises(UnknownReference):
        resolve_references(reference, [_outcome(Fact("total", "Total", Decimal(1), "number"))], ())
