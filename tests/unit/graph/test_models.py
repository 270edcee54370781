"""Turns with a model: every form of call is read, nothing unchecked runs, and a bad model costs no answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from graph.agent import MoneyAgent
from graph.answers import show_fact
from graph.models.breaker import Breaker
from graph.models.choice import ModelChoice, best_of
from graph.models.model import ModelUnavailable, PromptMessage
from graph.models.ollama import OllamaModel
from graph.reply import Audience
from graph.turn import TurnRequest
from language.utterances import fillers, read_bank
from tests.support.bank_files import american_lines, spent, within
from tests.support.ollama_server import MODEL, OllamaServer
from tests.unit.graph.conftest import ME, Talk

OCTOBER = within("2026-10-01", "2026-10-31")
GROCERIES = spent(american_lines(), lambda line: line.category == "Groceries" and OCTOBER(line))
QUESTION = "How much did I spend on groceries in October?"
RIGHT = {"tool": "ledger-ask", "arguments": {"act": "total"}}


@pytest.fixture
async def ask(
    american: Path, ollama: OllamaServer, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> Callable[..., Awaitable[Any]]:
    """Asks one question of an agent whose model is the scripted server."""

    async def run(
        question: str, *answers: Any, routing: str = "model", grammar: bool = True, deadline: float = 20
    ) -> Any:
        ollama.answers, ollama.grammar = list(answers), grammar
        model = OllamaModel(MODEL, ollama.url)
        agent = await open_agent(american, model, routing=routing, model_deadline=deadline)
        outcome = await Talk(agent).say(question)
        await agent._store.close()
        return outcome

    return run


def total(outcome: Any) -> str:
    return str(next(fact.value for fact in outcome.reply.facts if fact.id == "total"))


@pytest.mark.parametrize(
    ("answer", "grammar"),
    [
        (RIGHT, True),
        ("```json\n" + json.dumps({"name": RIGHT["tool"], "parameters": RIGHT["arguments"]}) + "\n```", False),
        ({"tool_calls": [{"name": RIGHT["tool"], "arguments": RIGHT["arguments"]}]}, False),
        (
            "<tool_call>" + json.dumps({"name": "ledger.ask", "arguments": RIGHT["arguments"]}) + "</tool_call>",
            False,
        ),
    ],
    ids=["grammar", "fenced text", "native", "tagged text, other separator"],
)
async def test_calls_are_read_in_every_form(ask: Any, answer: Any, grammar: bool) -> None:
    outcome = await ask(QUESTION, answer, grammar=grammar)
    assert total(outcome) == str(GROCERIES)
    assert outcome.trace["calls"][-1]["by"] == "model"


@pytest.mark.parametrize("fault", [404, 500, "cut", "nonsense", "empty", "I would rather not.", "slow"])
async def test_a_failing_model_costs_no_answer(ask: Any, fault: Any) -> None:
    """404, 500, a cut stream, garbage, silence, prose and slowness all end in the planner's answer."""
    outcome = await ask(QUESTION, fault, deadline=2)
    assert total(outcome) == str(GROCERIES)
    assert outcome.trace["calls"][-1]["by"] == "planner"


async def test_what_the_person_never_said_is_dropped(ask: Any) -> None:
    """Neither other dates nor a shop: names, dates and amounts are read from the words, whatever a model writes."""
    invented = {"act": "total", "category": "rent", "merchant": "Costco", "start_date": "2026-11-01", "over": "20"}
    outcome = await ask(QUESTION, {"tool": RIGHT["tool"], "arguments": invented})
    assert total(outcome) == str(GROCERIES)
    assert "merchant" not in outcome.trace["calls"][-1]["arguments"]
    assert set(outcome.trace["model"][0]["dropped"]) == invented.keys() - {"act"}


@pytest.mark.parametrize(
    "bad",
    [
        {"tool": "get_total_expenses", "arguments": {}},
        {"tool": RIGHT["tool"], "arguments": {"kategorie": "groceries", "colour": "red"}},
        {"tool": RIGHT["tool"], "arguments": {}},
        {"tool": RIGHT["tool"], "arguments": {"act": "advice"}},
        {"tool": RIGHT["tool"], "arguments": "total"},
        {"tool": "spending-analyze_by_category", "arguments": {"category": "rent"}},
    ],
)
async def test_a_bad_call_goes_back_with_a_reason(ask: Any, ollama: OllamaServer, bad: dict[str, Any]) -> None:
    """The model is told what was wrong and may try again; the second answer is the one that runs."""
    outcome = await ask(QUESTION, bad, RIGHT)
    assert total(outcome) == str(GROCERIES)
    if len(ollama.chats) > 1:
        assert "could not be made" in ollama.chats[1]["messages"][-1]["content"]


async def test_a_model_that_never_learns_is_given_up(ask: Any, ollama: OllamaServer) -> None:
    """Where the planner is not sure, the model is told twice what was wrong before it is overruled."""
    outcome = await ask("how does the money situation look with zorbs", {"tool": "nope", "arguments": {}})
    assert len(ollama.chats) == 3
    assert outcome.reply.kind in ("clarify", "refuse")


async def test_the_model_may_say_that_no_tool_fits(ask: Any) -> None:
    outcome = await ask("what is love", {"tool": "none", "arguments": {}})
    assert outcome.reply.kind == "refuse"


async def test_auto_asks_the_planner_first(ask: Any, ollama: OllamaServer) -> None:
    outcome = await ask(QUESTION, 500, routing="auto")
    assert total(outcome) == str(GROCERIES)
    assert not ollama.requests


async def test_no_imported_string_enters_a_prompt(ask: Any, ollama: OllamaServer) -> None:
    """Merchants, descriptors and categories of the ledger are in no prompt unless the person wrote them."""
    await ask("what was my largest splurge of all time", {"tool": "ledger-ask", "arguments": {"act": "extreme"}})
    prompt = json.dumps(ollama.requests).casefold()
    lines = american_lines()
    names = {line.name for line in lines} | {line.descriptor for line in lines}
    ours = json.dumps([line.written(fillers()) for line in read_bank()]).casefold()  # what the examples may hold
    leaked = {name for name in names if name.casefold() in prompt and name.casefold() not in ours} - {"Interest"}
    assert not leaked
    assert not any(str(abs(line.amount)) in prompt for line in lines if abs(line.amount) > 100)


async def test_format_and_tools_are_never_sent_together(ask: Any, ollama: OllamaServer) -> None:
    await ask(QUESTION, RIGHT)
    assert all(not (body.get("format") and body.get("tools")) for body in ollama.requests)


class _Failing:
    name = "ollama:down"

    def __init__(self) -> None:
        self.asked = 0

    async def propose(self, _messages: object, *_rest: object, **_options: object) -> Any:
        self.asked += 1
        raise ModelUnavailable("down")

    write = propose


async def test_breaker_rests_a_dead_model_and_tries_again_later() -> None:
    now = [0.0]
    model = _Failing()
    breaker = Breaker(model, clock=lambda: now[0])  # type: ignore[arg-type]
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await breaker.propose([PromptMessage("user", "x")], [], 1)
    assert model.asked == 2
    now[0] = 31
    with pytest.raises(ModelUnavailable):
        await breaker.propose([PromptMessage("user", "x")], [], 1)
    assert model.asked == 3


async def test_auto_takes_what_ollama_has_and_notices_changes(ollama: OllamaServer) -> None:
    now = [0.0]
    choice = ModelChoice("auto", ollama.url, clock=lambda: now[0])
    assert (await choice.current()).name == f"ollama:{MODEL}"  # type: ignore[union-attr]
    ollama.models = ()
    now[0] = 31
    await choice.current()
    assert choice._looking is not None
    await choice._looking
    assert await choice.current() is None


async def test_auto_without_a_server_is_builtin() -> None:
    assert await ModelChoice("auto", "http://127.0.0.1:9").current() is None


def test_embedding_models_are_no_chat_models() -> None:
    assert best_of(["nomic-embed-text:latest", "qwen3:4b", "zephyr:7b"]) == "qwen3:4b"
    assert best_of(["mxbai-embed-large:latest"]) is None


def test_unknown_model_setting_is_refused() -> None:
    with pytest.raises(ValueError, match="builtin, auto, ollama"):
        ModelChoice("gpt", "http://127.0.0.1:9")


@pytest.mark.parametrize("values", [["credit_score", "limit"], ["412.37", "100"], ["{f9}", "{f8}"]])
async def test_a_model_makes_up_no_figures_to_compute_with(ask: Any, values: list[str]) -> None:
    outcome = await ask(
        "what's my credit ratio", {"tool": "figures-calculate", "arguments": {"operation": "ratio", "values": values}}
    )
    assert outcome.reply.kind in ("refuse", "clarify")
    assert all(call["status"] == "rejected" for call in outcome.trace["calls"])


async def test_words_that_leave_no_doubt_outvote_the_model(ask: Any) -> None:
    """A share needs two figures and their quotient; a model that calls for anything else is overruled."""
    other = {"tool": RIGHT["tool"], "arguments": {"act": "breakdown"}}
    outcome = await ask("What share of my October spending was groceries?", other)
    assert outcome.trace["calls"][-1]["name"] == "figures-calculate"
    assert {call["by"] for call in outcome.trace["calls"]} == {"planner"}
    assert outcome.trace["model"][0]["calls"] == [RIGHT["tool"]]


@pytest.mark.parametrize("question", ["how much does my boss earn", "transfer 50 to my brother now"])
async def test_no_model_is_asked_about_what_has_no_answer_here(ask: Any, ollama: OllamaServer, question: str) -> None:
    outcome = await ask(question, RIGHT)
    assert outcome.reply.kind == "refuse"
    assert ollama.chats == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            ["You spent {f1}", " on this. It was", " {f2} purchases."],
            ["You spent {total} on this.", "It was {count} purchases."],
        ),
        (["You spent {f1}. ", "That is 12 times. ", "More {f2}."], ["You spent {total}."]),
        (["You spent a lot."], []),
        ("cut", []),
        (500, []),
    ],
    ids=["sentence by sentence", "until one is rejected", "rejected at once", "cut off", "failing"],
)
async def test_an_answer_is_told_in_verified_sentences(
    american: Path, ollama: OllamaServer, open_agent: Callable[..., Awaitable[MoneyAgent]], answer: Any, told: list[str]
) -> None:
    agent = await open_agent(american, OllamaModel(MODEL, ollama.url), routing="auto")
    talk = Talk(agent)
    outcome = await talk.say(QUESTION)
    assert not ollama.requests
    ollama.answers = [answer]
    request = TurnRequest(ME, "talk", QUESTION, Audience.PRIVATE)
    sentences = [sentence async for sentence in agent.narrate(request, outcome)]
    figures = {fact.id: show_fact(fact, "en_US") for fact in outcome.reply.facts}
    assert sentences == [sentence.format(**figures) for sentence in told]
    await agent._store.close()
