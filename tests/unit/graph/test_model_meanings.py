"""A model chooses among what a question may mean: only acts that come to calls, only parts that have words of the person's."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from graph.agent import MoneyAgent
from graph.models.form import NAME, filled, form_of
from graph.models.model import ModelReply, Usage
from graph.models.ollama import OllamaModel
from graph.planner.asking import Asking
from graph.planner.meant import Meant
from graph.planner.plan import Plan
from graph.planner.reading import Reading
from graph.reply import Audience
from graph.turn import TurnOutcome, TurnRequest
from language.reader import Told
from language.words import words
from tests.support.ollama_server import MODEL, OllamaServer
from tests.unit.graph.conftest import ME, Talk
from tools.registry import Registry, tool

#: Questions of which the reader can't tell what they ask for; training may settle one, hardly all.
DOUBTFUL = (
    "how did it go at Costco in october",
    "What was the Netflix bill each month from August through November 2026?",
    "what came in at costco",
    "Costco month to month or what",
    "Costco october, how is it",
)


@pytest.fixture
async def agent(
    american: Path, ollama: OllamaServer, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> AsyncIterator[MoneyAgent]:
    """An agent that asks a scripted model where the planner would ask back."""
    made = await open_agent(american, OllamaModel(MODEL, ollama.url), routing="auto")
    yield made
    await made._store.close()


async def _meant(agent: MoneyAgent, question: str) -> tuple[Plan, Meant | None]:
    turn = await agent._turn(TurnRequest(ME, "talk", question, Audience.PRIVATE))
    plan = await turn.planner.plan(question, turn.context, turn.tools)
    return plan, await turn.planner.meant(question, turn.context, turn.tools)


@pytest.fixture
async def doubtful(agent: MoneyAgent) -> tuple[str, Meant]:
    """A question that the planner asks back about, and that may mean one thing or another."""
    for question in DOUBTFUL:
        plan, meant = await _meant(agent, question)
        if plan.kind == "clarify" and meant is not None and len(meant.acts) > 1:
            return question, meant
    raise AssertionError("every question is settled; find another one")


def says(act: str, **parts: Any) -> dict[str, Any]:
    return {"tool": NAME, "arguments": {"act": act, **parts}}


def done(outcome: TurnOutcome) -> list[tuple[str, dict[str, Any], str]]:
    return [
        (call["name"], call["arguments"], call["by"]) for call in outcome.trace["calls"] if call["status"] == "done"
    ]


async def test_the_act_that_a_model_tells_is_the_one_that_is_answered(
    agent: MoneyAgent, ollama: OllamaServer, doubtful: tuple[str, Meant]
) -> None:
    question, meant = doubtful
    answers = set()
    for act, plan in meant.acts.items():
        ollama.answers = [says(act)]
        outcome = await Talk(agent).say(question)
        assert outcome.reply.kind == "answer"
        assert [(name, by) for name, _, by in done(outcome)] == [(call.name, "model") for call in plan.calls]
        answers.add(repr(done(outcome)))
    assert len(answers) == len({repr(plan.rounds) for plan in meant.acts.values()}) > 1


@pytest.mark.parametrize(
    "answer",
    [
        {"tool": "none", "arguments": {}},
        says("forecast"),
        says("no such act"),
        {"tool": NAME, "arguments": {}},
        {"tool": "spending-extremes", "arguments": {"measure": "largest"}},
        500,
        "cut",
    ],
)
async def test_any_other_answer_leaves_the_planners_question_standing(
    agent: MoneyAgent, ollama: OllamaServer, doubtful: tuple[str, Meant], answer: Any
) -> None:
    plan, _ = await _meant(agent, doubtful[0])
    ollama.answers = [answer]
    outcome = await Talk(agent).say(doubtful[0])
    assert outcome.reply.kind == "clarify"
    assert outcome.reply.choices == plan.choices
    assert done(outcome) == []


async def test_a_model_is_shown_the_likely_acts_and_near_lines_of_the_bank(
    agent: MoneyAgent, ollama: OllamaServer, doubtful: tuple[str, Meant]
) -> None:
    question, meant = doubtful
    ollama.answers = [says(next(iter(meant.acts)))]
    await Talk(agent).say(question)
    (body,) = ollama.chats
    assert body["format"]["properties"]["tool"]["enum"] == [NAME, "none"]
    assert body["format"]["properties"]["arguments"]["properties"]["act"]["enum"] == list(meant.acts)
    shown = [message["content"] for message in body["messages"] if message["role"] == "assistant"]
    assert any(f'"act": "{act}"' in each for each in shown for act in meant.acts)
    assert body["messages"][-1]["content"] == question


@pytest.mark.parametrize(
    "question",
    [
        "how much did I spend at Zorbos in october",  # a name that nobody knows: no act would take it
        "how much was that one again?",
        "what does a plumber cost in Berlin",
        "what is love",
        "how much does my boss earn",
        "How much did I spend on groceries in October?",
    ],
)
async def test_no_model_is_asked_where_nothing_could_come_of_it(
    agent: MoneyAgent, ollama: OllamaServer, question: str
) -> None:
    ollama.answers = [says("total")]
    await Talk(agent).say(question)
    assert ollama.requests == []


def _told(text: str, agent_tools: Any, context: Any) -> Meant:
    reading = Reading(text, (), (), (), words(text))
    told = {
        "act": Told((("total", 0.5), ("rank", 0.4))),
        "of": Told((("spending", 0.6), ("income", 0.3), ("fees", 0.05))),
        "dir": Told((("largest", 0.5), ("smallest", 0.5))),
        "by": Told((("money", 1.0),)),
        "dim": Told((("merchant", 0.6), ("category", 0.4))),
        **{head: Told((("month", 1.0),)) for head in ("per", "grain", "want")},
    }
    acts = {"total": Plan("calls"), "rank": Plan("calls")}

    async def plan(_asking: Asking) -> Plan | None:
        return None

    return Meant(Asking(reading, told, agent_tools, context), acts, plan)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"money_income": "came in"}, {"of": "income"}),
        ({"money_income": "Came  In"}, {"of": "income"}),
        ({"money_income": "salary"}, {}),
        ({"money_income": "came from"}, {}),
        ({"money_income": ""}, {}),
        ({"money_income": True}, {}),
        ({"money_income": ["came in"]}, {}),
        ({"money_fees": "came in"}, {}),
        ({"money_income": "came in", "end_smallest": "came in"}, {"of": "income"}),
        ({"money_income": "came in", "which_category": "what"}, {"of": "income", "dim": "category"}),
        ({"which_merchant": "what", "which_category": "came in"}, {"dim": "merchant"}),
        ({"category": "what", "start_date": "in"}, {}),
    ],
)
def test_a_part_is_held_where_it_names_words_of_its_own(arguments: dict[str, Any], parts: dict[str, str]) -> None:
    meant = _told("what came in at Costco", {}, None)
    form = filled({"act": "rank", **arguments}, meant)
    assert form is not None
    assert form.parts == parts
    assert set(form.dropped) == {
        name for name in arguments if name not in {f"{_KEYS[head]}_{said}" for head, said in parts.items()}
    }


_KEYS = {"of": "money", "dim": "which"}


def test_a_form_offers_only_what_the_reader_thinks_possible() -> None:
    form = form_of(_told("what came in at Costco", {}, None))
    assert set(form.parameters["properties"]) == {
        "act",
        "money_income",
        "end_smallest",
        "which_merchant",
        "which_category",
    }


class _Slow:
    """A model that takes its time for an answer that nothing can be made of."""

    name = "ollama:slow"

    def __init__(self, seconds: float) -> None:
        self.seconds, self.asked = seconds, 0

    async def propose(self, _messages: Any, _tools: Any, _timeout: float, *, may_decline: bool = True) -> ModelReply:
        self.asked += 1
        time.sleep(self.seconds)
        return ModelReply('{"tool": "nope", "arguments": {}}', (), Usage(1, 1, self.seconds), "grammar")


@tool(app="foreign", keywords=("zorbs",))
def zorbs(count: int = 1) -> str:
    """Count zorbs."""
    return f"{count} zorbs"


@pytest.mark.parametrize(("seconds", "deadline", "asked"), [(0.0, 20.0, 3), (1.1, 2.0, 1)])
async def test_there_are_no_two_slow_calls_in_one_question(
    american: Path, open_agent: Callable[..., Awaitable[MoneyAgent]], seconds: float, deadline: float, asked: int
) -> None:
    """A second call begins only where what is left of the deadline is as long as the first one took."""
    model = _Slow(seconds)
    agent = await open_agent(american, model, routing="model", model_deadline=deadline)
    agent._registry = Registry([*Registry.built_in(), zorbs])
    outcome = await Talk(agent).say("how does the money situation look with zorbs")
    assert outcome.reply.kind in ("clarify", "refuse")
    assert model.asked == asked
    await agent._store.close()


async def test_what_is_nothing_to_us_may_be_somebody_elses(agent: MoneyAgent, ollama: OllamaServer) -> None:
    """With a tool of one's own a model is asked about what the reader says is none of ours."""
    agent._registry = Registry([*Registry.built_in(), zorbs])
    ollama.answers = [{"tool": "foreign-zorbs", "arguments": {"count": 3}}]
    outcome = await Talk(agent).say("three zorbs please, if you have")
    assert [(name, arguments) for name, arguments, _ in done(outcome)] == [("foreign-zorbs", {"count": 3})]
