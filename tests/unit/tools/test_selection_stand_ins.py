"""Questions and examples with typical words in the places of their particulars."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.registry import Registry, Tool
from tools.selection import SemanticSelector
from tools.selection.stand_ins import spoken_example, spoken_question
from tools.slots import MEASURE, Mention, PeriodSlot

OURS = Registry.built_in().offered()
SCHEMA: dict[str, Any] = {"type": "function", "function": {"name": "any", "parameters": {}}}


@pytest.mark.parametrize(
    ("question", "spoken"),
    [
        ("How much did I spend at Costco in May?", "How much did I spend at Amazon last month?"),
        ("Was hat mich Rewe im Mai gekostet?", "Was hat mich Amazon last month gekostet?"),
        ("June against July", "last month against last month"),
        ("petrol since Easter", "groceries last month"),
        ("teuerster Kauf im November", "largest purchase last month"),
        ("Wie oft war ich dort?", "how often war ich dort?"),
        ("wie oft tanke ich", "how often groceries ich"),
        ("everything over 250 euros", "everything over 50"),
        ("what came in from North London Tuners so far", "what came in from Amazon last month"),
        ("how mcuh at sainsburies in May", "how mcuh at Amazon last month"),
        ("what did I leave at the doctor's from my savings", "what did I leave at the groceries from my savings"),
        ("at 7 from here, from: Nowhere", "at 7 from here, from: Nowhere"),
        ("beim Xaver Huber am Eck", "beim Amazon am Eck"),
        ("nothing of that kind", "nothing of that kind"),
        ("", ""),
    ],
)
def test_what_the_slots_of_our_tools_find_is_replaced(question: str, spoken: str) -> None:
    assert spoken_question(question, OURS) == spoken


def test_only_the_slots_of_the_tools_at_hand_count() -> None:
    question = "my largest purchase in May 2024"
    assert spoken_question(question, [made()]) == question
    assert spoken_question(question, [made(slots={"when": PeriodSlot()})]) == "my largest purchase last month"
    assert spoken_question("teuerster Kauf im Mai", [made(slots={"how": MEASURE})]) == "largest Kauf im Mai"


@dataclass(frozen=True)
class OddSlot:
    """A slot from elsewhere, which needs more than a sentence."""

    name: str = "period"

    def find(self, text: str, context: Any) -> list[Mention]:
        raise RuntimeError(f"no ledger for {text} in {context}")


def test_a_slot_from_elsewhere_is_left_alone() -> None:
    odd: Any = OddSlot()
    assert spoken_question("in May", [made(slots={"when": odd})]) == "in May"


def test_every_example_of_our_tools_becomes_a_plain_sentence() -> None:
    examples = [example for tool in OURS for example in tool.examples]
    assert len(examples) > 100
    assert [spoken for example in examples if "{" in (spoken := spoken_example(example))] == []


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_sentence_can_be_spoken(question: str) -> None:
    assert isinstance(spoken_question(question, OURS), str)
    assert isinstance(spoken_example(question), str)


def test_a_question_is_embedded_as_asked_and_as_spoken_in_one_call() -> None:
    calls: list[list[str]] = []

    async def embed(texts: list[str]) -> list[list[float]]:
        calls.append(texts)
        # What was asked lies across every example; only what is spoken is near the one of the second tool.
        return [[0.0, 1.0] if "last month" in text or text.startswith("nearer") else [1.0, 0.0] for text in texts]

    when = {"when": PeriodSlot()}
    tools = [made("tool0", slots=when, examples=("across",)), made("tool1", slots=when, examples=("nearer",))]
    selection = asyncio.run(SemanticSelector(embed, 0.0, 1).choose("in May", tools))
    assert calls == [["tool0: ", "across", "tool1: ", "nearer", "tool0", "tool1"], ["in May", "last month"]]
    assert list(selection.scores) == ["tool0"]  # its description is as near as can be, the examples by half
    tools = [made("nearer0", slots=when, examples=("across",)), made("nearer1", slots=when, examples=("nearer",))]
    assert list(asyncio.run(SemanticSelector(embed, 0.0, 1).choose("in May", tools)).scores) == ["nearer1"]


def made(name: str = "any", **more: Any) -> Tool:
    return Tool(name, made, SCHEMA, **more)
