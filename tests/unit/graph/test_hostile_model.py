"""Whatever a model calls, with whatever arguments: the answer is the planner's, or a question, or a refusal.

The golden questions are asked of an agent that always asks its model, and the model is drawn: every argument of every tool.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.questions import Question, read_questions
from graph.models.form import NAME
from tests.support.hostile_model import FOREIGN, Attack, House, attacks, marks, plain, refers, shown
from tools.registry import Registry, Tool

GOLDEN = {question.id: question for question in read_questions()}
#: One in each few, so that every ledger and kind of question is among them.
SAMPLE = [question for number, question in enumerate(GOLDEN.values()) if number % 5 == 0]
TOOLS = {each.name: each for each in Registry([*Registry.built_in(), *FOREIGN])}
#: Names of the ledgers that a model might slip in.
NAMES = {
    "american": ("Costco", "King Soopers", "Groceries", "Rent", "Amazon", "Coffee Shops", "Chase Checking"),
    "british": ("Tesco", "Groceries", "Rent", "Amazon", "Eating Out"),
    "german": ("REWE", "Lebensmittel", "Miete", "Amazon", "Groceries"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with asyncio.Runner() as runner:
        made = House(tmp_path_factory.mktemp("hostile"), runner)
        yield made
        made.close()


def _unnamed(question: Question) -> list[str]:
    """Return the names that no word of a question is part of."""
    said = set(re.findall(r"\w+", " ".join(question.turns).casefold()))
    return [name for name in NAMES[question.ledger] if not said & set(name.casefold().split())]


def _attacks(house: House, question: Question) -> st.SearchStrategy[Attack]:
    """Return attacks on a question, among them the planner's own calls with more in them."""

    @cache
    def right() -> tuple[tuple[str, dict[str, object]], ...]:
        calls = house.ask(question).trace["calls"]
        return tuple((call["name"], call["arguments"]) for call in calls if call["status"] == "done")

    return attacks(_unnamed(question), right())


def _judge(house: House, question: Question, attack: Attack) -> None:
    true, got = house.ask(question), house.ask(question, attack)
    assert not marks(got), shown(got)
    if got.proposal is not None:
        assert got.proposal == true.proposal
    if got.reply.kind != "answer":
        return
    if true.reply.kind == "answer":
        assert plain(got.reply) == plain(true.reply)
        return
    if refers(attack.calls):
        return
    # Where the planner has no answer the model may choose a tool; what it says with the call makes no difference.
    assert plain(got.reply) == plain(house.ask(question, attack, bare=True).reply)


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_argument_of_a_model_is_held_that_the_words_do_not_give(house: House, data: st.DataObject) -> None:
    """Of every tool: what may be called with a model's arguments is what may be called without any."""
    question = data.draw(st.sampled_from(SAMPLE))
    attack = data.draw(attacks(_unnamed(question)))
    for name, arguments in attack.calls[0]:
        if "requests" not in arguments and name != NAME:
            given_, bare = house.licence(question, name, dict(arguments)), house.licence(question, name, {})
            held = {key: value for key, value in given_.arguments.items() if not refers(value)}
            free = {key: value for key, value in held.items() if bare.arguments.get(key) != value}
            tool = TOOLS[name]
            assert all(key in tool.free or _is_nothing(tool, key, value) for key, value in free.items()), (name, free)


def _is_nothing(tool: Tool, parameter: str, value: object) -> bool:
    """Whether a value says the same as leaving it out."""
    return value in (None, "", []) or tool.parameters["properties"][parameter].get("default") == value


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_hostile_model_changes_no_answer(house: House, data: st.DataObject) -> None:
    question = data.draw(st.sampled_from(SAMPLE))
    _judge(house, question, data.draw(_attacks(house, question)))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", GOLDEN)
def test_a_hostile_model_changes_no_answer_to_any_golden_question(house: House, name: str) -> None:
    question = GOLDEN[name]

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attacked(data: st.DataObject) -> None:
        _judge(house, question, data.draw(_attacks(house, question)))

    attacked()
