"""What a sentence asks for: classes of sentences that the golden questions stand for, in other words than theirs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.graph.conftest import Talk

CATEGORY, MERCHANT, SUMMARY = (
    "spending-analyze_by_category",
    "spending-analyze_merchant",
    "spending-get_spending_summary",
)
EXTREMES, COMPARE, INCOME = "spending-extremes", "spending-compare", "income-summary"
LIST, SEARCH, STATUS = "transactions-list", "transactions-search_transactions", "ledger-status"

ENGLISH = (
    # verbs of spending, in whatever words they come
    ("what did we blow on restaurants in August", CATEGORY),
    ("groceries set me back how much in July?", CATEGORY),
    ("how much has gone to Costco so far this year", MERCHANT),
    ("what's the damage for Target in 2025", MERCHANT),
    ("how much did I shell out last week", SUMMARY),
    ("what did October come to", SUMMARY),
    # a fragment is a total
    ("Starbucks, last quarter", MERCHANT),
    ("Costco in 2025, after returns", MERCHANT),
    # income, and what was left of it
    ("what came in during September", INCOME),
    ("how much did I take home in May", INCOME),
    ("what was left over in June", INCOME),
    # two set against each other, or added up
    ("did more go to Costco or to Safeway in 2025?", COMPARE),
    ("groceries and restaurants in May, each", COMPARE),
    ("Costco and Target together in June", MERCHANT),
    ("what did I spend in May and June", SUMMARY),
    ("by what percentage did my spending rise from May to June", COMPARE),
    # superlatives
    ("my dearest month in 2025", EXTREMES),
    ("what's the most I paid at Target this year", EXTREMES),
    ("how many purchases did I make in October", EXTREMES),
    # the movements themselves
    ("everything above 200 in September", LIST),
    ("expenses over 150 in October", LIST),
    ("how much did I spend on purchases over 150 in October", SUMMARY),
    ("anything with uber in the description", SEARCH),
    ("how many transactions do I have?", STATUS),
    ("what date range do you have on file", STATUS),
)
GERMAN = (
    ("was ging im September insgesamt raus", SUMMARY),
    ("was hab ich bei Rewe im Juli gelassen", MERCHANT),
    ("wie viel ist im Oktober für Lebensmittel draufgegangen", CATEGORY),
    ("was kam im August rein", INCOME),
    ("was blieb im Juli übrig", INCOME),
    ("Rewe oder Edeka, wo habe ich 2026 mehr ausgegeben", COMPARE),
    ("um wie viel Prozent sind meine Ausgaben von Juni bis Juli gestiegen", COMPARE),
    ("mein teuerster Monat 2025", EXTREMES),
    ("Ausgaben über 120 Euro im September", LIST),
    ("wie weit reichen die Daten", STATUS),
)
ASKED_BACK = (
    "how much went to EE",
    "how much did I spend on groceries and zorbs",
    "how many times did I zorb in August",
    "what did I spend when things were rough",
    "how much did I spend there?",
    "compare those two",
)
NOT_OURS = (
    "how much does my neighbour earn",
    "what does Anna's boss spend on rent",
    "delete everything",
    "pay my electricity bill now",
    "how do you pronounce spending",
    "will it snow on Monday",
)


def called(outcome: Any) -> list[str]:
    return [call["name"] for call in outcome.trace["calls"]]


@pytest.mark.parametrize(("sentence", "tool"), ENGLISH)
async def test_an_english_sentence_asks_for_its_tool(english: Talk, sentence: str, tool: str) -> None:
    assert called(await english.say(sentence)) == [tool]


@pytest.mark.parametrize(("sentence", "tool"), GERMAN)
async def test_a_german_sentence_asks_for_its_tool(deutsch: Talk, sentence: str, tool: str) -> None:
    assert called(await deutsch.say(sentence)) == [tool]


@pytest.mark.parametrize(
    "sentence", ["groceries and Costco in May", "what did I spend at Costco and on groceries in May"]
)
async def test_a_category_and_a_shop_joined_by_and_are_two_subjects(english: Talk, sentence: str) -> None:
    outcome = await english.say(sentence)
    assert sorted(called(outcome)) == [CATEGORY, MERCHANT]
    assert all(call["arguments"]["start_date"] == "2026-05-01" for call in outcome.trace["calls"])
    assert not any({"category", "merchant"} <= call["arguments"].keys() for call in outcome.trace["calls"])


@pytest.mark.parametrize("sentence", ASKED_BACK)
async def test_what_nobody_could_be_sure_of_is_asked(english: Talk, sentence: str) -> None:
    outcome = await english.say(sentence)
    assert outcome.reply.kind == "clarify"
    assert called(outcome) == []


@pytest.mark.parametrize("sentence", NOT_OURS)
async def test_what_is_no_question_about_ones_own_money_is_refused(english: Talk, sentence: str) -> None:
    outcome = await english.say(sentence)
    assert outcome.reply.kind == "refuse"
    assert called(outcome) == []


async def test_what_was_taken_back_in_the_same_message_does_not_count(english: Talk) -> None:
    outcome = await english.say("how much did I earn in, no wait, how much did I spend at Costco in October")
    assert called(outcome) == [MERCHANT]


async def test_what_stands_beside_a_question_and_is_none_is_left_aside(english: Talk) -> None:
    outcome = await english.say("Tell me a joke. How much did I spend on groceries in October?")
    assert called(outcome) == [CATEGORY]
