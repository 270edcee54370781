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
import structlog
from sqlalchemy.exc import DBAPIError

from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.models.model import ModelReply, Usage
from graph.references import UnknownReference, resolve_references
from graph.reply import Audience
from graph.state import CheckedCall, Options, Outcome
from graph.tool_choice import read_tool_choice
from graph.turn import PastTurn, TurnRequest
from ledger.people import Person
from ledger.store import Store
from ledger.switches import switch
from tools.calls import Call
from tools.registry import Registry, tool, tool_of
from tools.results import Change, Fact, Result

ME = Person("console", "local", "me")
#: What is asked: a probe, and every word and number that the models of these tests put into their calls.
ASKED = "probe a b c x same free private words 5 7 12.50 " + " ".join(map(str, range(13)))
ran: list[str] = []
prompts: list[tuple[list[str], list[str], bool]] = []


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


@tool(app="probe")
async def unshowable() -> object:
    """Return what can't be shown."""
    return {"secret": 4711}


@tool(app="probe")
async def flaky(word: str = "x") -> str:
    """Break once, as a connection may, then work."""
    ran.append(word)
    if len(ran) < 2:
        raise ConnectionResetError("secret address 4711")
    return "worked"


@tool(app="probe")
async def cut_off() -> str:
    """Lose the database, as asyncpg tells of it, and find it again."""
    ran.append("c")
    if len(ran) < 3:
        raise DBAPIError("SELECT", {}, Exception("secret words 4711"), connection_invalidated=True)
    return "worked"


@tool(app="probe", writes=True)
async def flaky_writer() -> Result:
    """Break once, as a connection may, then propose."""
    ran.append("w")
    if len(ran) < 2:
        raise ConnectionResetError("gone")
    return Result("Do it?", change=Change(_nothing, "Done."))


async def _nothing(_connection: Any) -> None:
    """Do nothing for a proposal that nobody confirms."""


@tool(app="probe", batch=True)
async def several(word: str) -> str:
    """Say a word back, many at once."""
    if word == "bad":
        raise RuntimeError("no")
    ran.append(word)
    return f"several {word}"


PROBES = (echo, plain, broken, slow, figure, unshowable, flaky, cut_off, flaky_writer, several)


class Scripted:
    """A model that answers the given texts in turn."""

    name = "ollama:scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)

    async def propose(self, messages: Any, tools: Any, _timeout: float, *, may_decline: bool = True) -> ModelReply:
        prompts.append(([message.text for message in messages], [tool.name for tool in tools], may_decline))
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        return ModelReply(text, (), Usage(1, 1, 0.0), "text")


@pytest.fixture
async def probe(tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """Runs one turn over the probe tools: a command's call, or a text that a scripted model answers."""
    store = await Store.open(tmp_path / "data" / "money.sqlite3")
    ran.clear()
    prompts.clear()

    async def run(call: Call | None = None, *, says: str | list[str] = "", off: str = "", **options: Any) -> Any:
        registry = Registry([tool_of(each) for each in PROBES])
        if off:
            await switch(await store.repository(ME), off, on=False)
        models = ModelChoice("builtin", "http://127.0.0.1:9")
        models._model = Scripted(*([says] if isinstance(says, str) else says)) if says else None  # type: ignore[assignment]
        agent = MoneyAgent(
            store,
            registry,
            models,
            lambda: datetime(2026, 11, 21, tzinfo=UTC),
            options=Options(**{"routing": "model", "repairs": 0, **options}),
            search_index=_nothing,
        )
        return await agent.answer(TurnRequest(ME, "c", ASKED, Audience.PRIVATE, call=call))

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


def statuses(outcome: Any) -> list[tuple[str, str]]:
    return [(call["name"].removeprefix("probe-"), call["status"]) for call in outcome.trace["calls"]]


def problems(outcome: Any) -> list[str]:
    return [call["problem"] for call in outcome.trace["calls"] if "problem" in call]


async def test_a_command_cannot_run_what_there_is_not(probe: Any) -> None:
    outcome = await probe(Call("probe-nothing", {}))
    assert problems(outcome) == ["UnknownTool"]
    assert outcome.trace["rounds"] == 0


async def test_a_commands_bad_arguments_are_refused(probe: Any) -> None:
    outcome = await probe(Call("probe-plain", {"number": "many"}))
    assert problems(outcome) == ["InvalidArguments"]
    assert "could not make sense" in outcome.reply.headline or outcome.reply.headline.startswith("There is nothing")


@pytest.mark.parametrize("off", ["probe-several", "probe"])
async def test_what_is_switched_off_is_neither_offered_nor_run(probe: Any, off: str) -> None:
    """Not by a command, not in a batch, not by a model, and its name is not even told."""
    for call in (Call("probe-several", {"word": "x"}), Call("probe-several", {"requests": [{"word": "x"}]})):
        assert problems(await probe(call, off=off)) == ["UnknownTool"]
    await probe(says=calls(("probe-several", {"word": "x"})), off=off)
    assert ran == []
    assert all("probe-several" not in tools for _, tools, _ in prompts)
    assert not any("probe-several(" in text for texts, _, _ in prompts for text in texts)


async def test_every_proposal_has_exactly_one_outcome(probe: Any) -> None:
    """What runs, what is unknown, what is said twice, and what is bad: each is paired, in order, and the good one stands."""
    outcome = await probe(
        says=calls(
            ("probe-echo", {"word": "a"}),
            ("probe-echo", {"word": "a"}),
            ("probe-echo", {"colour": "red"}),
            ("probe-slow", {}),
        ),
        tool_timeout=0.05,
    )
    assert sorted(statuses(outcome)) == sorted(
        [("echo", "done"), ("echo", "skipped"), ("echo", "rejected"), ("slow", "failed")]
    )
    assert sorted(problems(outcome)) == ["AlreadyCompleted", "InvalidArguments", "ToolTimeout"]
    assert "echo a" in outcome.reply.plain().casefold()


async def test_failures_go_back_to_the_model_as_structured_errors_without_data(probe: Any) -> None:
    """In the next round a model reads what failed and how it is called, never an exception's text, a traceback or a value."""
    first = calls(("probe-broken", {"word": "private"}), ("probe-unshowable", {})) + '\n"more": true'
    await probe(says=[first, "Done."])
    told = prompts[1][0][-1]
    assert '"error": "ToolFailed"' in told
    assert '"error": "UnserialisableResult"' in told
    assert not any(secret in told for secret in ("4711", "secret", "RuntimeError", "Traceback", "File"))


async def test_a_later_round_uses_a_figure_of_an_earlier_one(probe: Any) -> None:
    first = calls(("probe-figure", {"amount": "12.50"})) + '\n"more": true'
    outcome = await probe(says=[first, calls(("probe-echo", {"word": "{f1}"})), "Done."])
    assert "{f1} = Amount" in prompts[1][0][-1]
    assert "12.50" not in prompts[1][0][-1]
    assert ran == ["12.50"]
    assert outcome.trace["rounds"] == 2


async def test_rounds_go_on_until_the_model_needs_no_more(probe: Any) -> None:
    rounds = [calls(("probe-echo", {"word": str(n)})) + '\n"more": true' for n in range(4)]
    outcome = await probe(says=[*rounds, '{"tool": "none", "arguments": {}}'])
    assert ran == ["0", "1", "2", "3"]
    assert outcome.reply.kind == "answer"


async def test_at_the_cap_the_person_gets_the_answer_so_far_and_is_told(probe: Any) -> None:
    rounds = [calls(("probe-echo", {"word": str(n)})) + '\n"more": true' for n in range(9)]
    outcome = await probe(says=rounds, max_rounds=3)
    assert ran == ["0", "1", "2"]
    assert "echo 2" in outcome.reply.plain().casefold()
    assert "stopped after 3 rounds" in outcome.reply.plain()


@pytest.mark.parametrize("choice", ["probe-plain", {"type": "function", "function": {"name": "probe-plain"}}])
async def test_a_named_tool_holds_for_the_first_round_only(probe: Any, choice: Any) -> None:
    choice = read_tool_choice(choice, ["probe-plain", "probe-echo"])
    first = calls(("probe-plain", {"number": 7})) + '\n"more": true'
    await probe(says=[first, calls(("probe-echo", {"word": "free"}))], tool_choice=choice)
    assert [tools for _, tools, _ in prompts] == [["probe-plain"], [each.__money_minder_tool__.name for each in PROBES]]
    assert ran == ["free"]


async def test_required_leaves_no_way_out_in_the_first_round(probe: Any) -> None:
    nothing = '{"tool": "none", "arguments": {}}'
    outcome = await probe(says=[nothing, nothing], tool_choice="required")
    assert not prompts[0][2]
    assert '"tool": "none"' not in "".join(prompts[0][0])
    assert outcome.trace["calls"] == []


@pytest.mark.parametrize(
    "bad", ["", "nothing-known", "{", {"type": "tool"}, {"function": {"name": "auto"}}, 7, None, "[]"]
)
def test_a_tool_choice_that_means_nothing_is_refused(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"tool choice|Expecting"):
        read_tool_choice(bad, ["probe-plain"])


async def test_a_passing_failure_is_tried_again(probe: Any) -> None:
    for name in ("probe-flaky", "probe-cut_off"):
        ran.clear()
        assert (await probe(Call(name, {}))).reply.headline == "Worked"
    ran.clear()
    proposed = await probe(Call("probe-flaky_writer", {}))
    assert proposed.reply.kind == "clarify"
    assert proposed.proposal == Call("probe-flaky_writer", {})


async def test_a_batch_runs_each_request_in_order_and_a_bad_one_fails_alone(probe: Any) -> None:
    requests = [{"word": "a"}, {"word": "bad"}, {"wort": "b"}, {"id": "last", "word": "c"}, "nonsense"]
    outcome = await probe(Call("probe-several", {"requests": requests}))
    done = [(call["item"], call["status"]) for call in outcome.trace["calls"]]
    assert sorted(done) == [("1", "done"), ("2", "failed"), ("3", "rejected"), ("5", "rejected"), ("last", "done")]
    text = outcome.reply.plain()
    assert text.index("Several a") < text.index("Several c")
    assert "Request 2:" in text
    assert "Request 3:" in text


async def test_a_batch_with_two_equal_ids_is_refused_whole(probe: Any) -> None:
    outcome = await probe(Call("probe-several", {"requests": [{"id": 1, "word": "a"}, {"id": "1", "word": "b"}]}))
    assert ran == []
    assert problems(outcome) == ["InvalidArguments"]


async def test_what_a_batch_holds_beyond_nine_is_said(probe: Any) -> None:
    outcome = await probe(Call("probe-several", {"requests": [{"word": str(n)} for n in range(11)]}))
    assert sorted(ran, key=int) == [str(n) for n in range(9)]
    assert problems(outcome) == ["TooManyCalls", "TooManyCalls"]
    assert "Request 10:" in outcome.reply.plain()


async def test_the_log_of_a_turn_holds_names_and_times_alone(probe: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with structlog.testing.capture_logs() as logs:
        await probe(says=calls(("probe-echo", {"word": "private words"}), ("probe-nope", {})))
    turn = next(entry for entry in logs if entry["event"] == "turn")
    assert turn["calls"] == ["probe-echo done"]
    assert "private" not in str(logs)


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
