"""What is asked back is answered by picking calls that were made when it was asked; no sentence is read again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph.reply import Action, Actions
from graph.turn import PastTurn
from tools.calls import Call, Choice

UNCLEAR = "How much did I spend at Costco since we moved?"
#: What each of its choices is, by the first and last day.
DATES = [
    ("2026-10-01", "2026-10-31"),
    ("2026-11-01", "2026-11-21"),
    ("2026-08-01", "2026-10-31"),
    ("2026-01-01", "2026-11-21"),
]


def dates(outcome: Any) -> tuple[str, str]:
    (call,) = outcome.trace["calls"]
    assert (call["name"], call["arguments"]["merchant"]) == ("spending-analyze_merchant", "Costco")
    return call["arguments"]["start_date"], call["arguments"]["end_date"]


@pytest.fixture
def unread(english: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is read from now on, once the question is asked."""
    texts: list[str] = []
    plan = english.agent._planner.plan

    async def noted(text: str, *rest: Any) -> Any:
        texts.append(text)
        return await plan(text, *rest)

    monkeypatch.setattr(english.agent._planner, "plan", noted)
    return texts


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("2", 1), ("2.", 1), ("the second one", 1), ("Second, please", 1), ("die dritte", 2), ("number 4", 3),
        ("how much did I spend at Costco this month", 1), ("the last 3 months", 2), ("This year!", 3),
    ],
)  # fmt: skip
async def test_an_answer_picks_calls_and_is_not_read(english: Any, unread: list[str], answer: str, place: int) -> None:
    asked = await english.say(UNCLEAR)
    picked = await english.say(answer)
    assert dates(picked) == DATES[place]
    assert (picked.picked, unread) == (asked.reply.choices[place].label, [UNCLEAR])


@pytest.mark.parametrize("answer", ["5", "Costco", "the third month", "How much did I spend on rent last month?"])
async def test_what_picks_none_or_several_is_a_message_like_any_other(
    english: Any, unread: list[str], answer: str
) -> None:
    await english.say(UNCLEAR)
    assert not (await english.say(answer)).picked
    assert unread == [UNCLEAR, answer]


async def test_what_was_picked_stands_as_if_it_had_been_said(english: Any) -> None:
    await english.say(UNCLEAR)
    await english.say("1")
    assert english.past[-1].text == "How much did I spend at Costco last month?"
    assert dates(await english.say("and in May?")) == ("2026-05-01", "2026-05-31")


async def test_what_leads_to_no_calls_is_not_offered(english: Any) -> None:
    """Of two requests, one has no answer here."""
    asked = await english.say("My week starts on Sunday. What's the weather tomorrow?")
    assert [choice.label for choice in asked.reply.choices] == ["My week starts on Sunday"]


@pytest.mark.parametrize(
    "question", [UNCLEAR, "was habe ich diesen monta ausgegeben", "How much did I spend in francs?"]
)
async def test_every_choice_is_answered(english: Any, question: str) -> None:
    asked = await english.say(question)
    assert asked.reply.choices
    for choice in asked.reply.choices:
        assert (await english.press(choice)).reply.kind == "answer", choice.label


async def test_a_word_with_two_meanings_is_asked_about_with_the_calls_of_each(
    english: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    planner = english.agent._planner
    read = planner.read

    def of_two_minds(text: str, context: Any) -> Any:
        reading = read(text, context)
        (food,) = reading.of("category")
        return replace(reading, mentions=(replace(food, alternatives=("Restaurants",)), *reading.of("period")))

    monkeypatch.setattr(planner, "read", of_two_minds)
    asked = await english.say("How much did I spend on groceries last month?")
    assert "“groceries” can mean more than one thing" in asked.reply.headline
    assert [(choice.label, choice.rounds[0][0].arguments["category"]) for choice in asked.reply.choices] == [
        ("How much did I spend on Groceries last month?", "Groceries"),
        ("How much did I spend on Restaurants last month?", "Restaurants"),
    ]


async def test_a_choice_of_a_version_that_kept_texts_is_asked_in_words(english: Any) -> None:
    label = "How much did I spend at Costco last month?"
    english.past.append(PastTurn(UNCLEAR, "clarify", None, (), (Choice(label), Choice("Find coffee"))))
    assert dates(await english.say("1")) == DATES[0]


async def test_a_name_that_a_command_gets_wrong_is_put_right_in_the_same_call(english: Any) -> None:
    call = Call("spending-compare", {"periods": ["last quartre", "2026-10"]})
    asked = await english.say("", call=call)
    ((compared,),) = asked.reply.choices[0].rounds
    assert (compared.name, compared.arguments) == (call.name, {"periods": [asked.reply.choices[0].label, "2026-10"]})
    assert (await english.say("1")).reply.kind == "answer"


async def test_what_a_choice_names_is_checked_like_any_other_call(english: Any) -> None:
    """Between the question and its answer, names may have gone."""
    gone = Choice("Gone", ((Call("spending-analyze_merchant", {"merchant": "Zzyzx Wholesale"}),),))
    outcome = await english.press(gone)
    assert outcome.reply.kind in ("refuse", "clarify")
    assert "Zzyzx Wholesale" in outcome.reply.headline


FOLLOWED = [
    "How much did I spend on groceries in October?",
    "What was my biggest purchase in October?",
    "How much did I earn in October?",
    "Show purchases over 100 in October",
    "Which merchants cost me the most in October?",
    "Average spend per week in October?",
    "What changed in October compared to September?",
    "Which purchases in October were above average?",
    "What's my savings rate in October?",
]


@pytest.mark.parametrize("question", FOLLOWED)
async def test_the_next_question_is_the_same_of_the_period_before(
    english: Any, unread: list[str], question: str
) -> None:
    answered = await english.say(question)
    (follow_up,) = answered.reply.follow_ups
    buttons = [action for block in answered.reply.blocks if isinstance(block, Actions) for action in block.actions]
    assert Action("September 2026?", "choose", "1") in buttons
    assert answered.reply.offered("1") == follow_up
    pressed = await english.press(follow_up)
    assert unread == [question]
    asked = await english.say(question.replace("September", "August").replace("October", "September"))
    assert (pressed.reply.headline, pressed.reply.facts) == (asked.reply.headline, asked.reply.facts)


async def test_the_next_question_is_about_all_that_was_asked(english: Any) -> None:
    answered = await english.say("How much did I spend on rent and how much on groceries in October?")
    pressed = await english.press(answered.reply.follow_ups[0])
    assert [call["arguments"]["start_date"] for call in pressed.trace["calls"]] == ["2026-09-01", "2026-09-01"]
    assert len({call["arguments"]["category"] for call in pressed.trace["calls"]}) == 2


async def test_what_was_answered_already_is_no_next_question(english: Any) -> None:
    answered = await english.say("How much did I spend on groceries in October and in September?")
    assert len(answered.trace["calls"]) == 2
    assert answered.reply.follow_ups == ()


async def test_a_question_without_choices_introduces_none(english: Any) -> None:
    asked = await english.say("was habe ich diesen monta und diesen monta ausgegeben")
    assert asked.reply.headline == "Das Wort „monta“ kenne ich nicht."
    assert [choice.label for choice in asked.reply.choices] == [
        "Ausgaben letzten Monat",
        "Meine Abos",
        "Was ich importiert habe",
    ]
