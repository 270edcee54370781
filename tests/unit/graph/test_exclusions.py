"""What a question leaves out, takes along, or can't be told: in English and German, in front of, behind and around names."""

from __future__ import annotations

from typing import Any

import pytest

RENT, FOOD = "Mortgage & Rent", "Groceries"
#: question → what is left out
LEFT_OUT: tuple[tuple[str, list[str]], ...] = (
    ("How much did I spend in May, rent not included?", [RENT]),
    ("What was my biggest purchase in September, groceries aside?", [FOOD]),
    ("spending in July leaving the rent out", [RENT]),
    ("what did I spend in June if you leave groceries out", [FOOD]),
    ("the biggest thing I bought in March that wasn't rent", [RENT]),
    ("How much went out in April, and don't count groceries", [FOOD]),
    ("what did I spend in May with rent taken out", [RENT]),
    ("everything but groceries in June", [FOOD]),
    ("how much in October, no rent please", [RENT]),
    ("total for August without rent, groceries and coffee", [RENT, FOOD, "Coffee Shops"]),
    ("total for August, rent and groceries not counted", [RENT, FOOD]),
    ("if we drop rent, what did October cost", [RENT]),
    ("what's my biggest expense in 2026 apart from rent", [RENT]),
    ("groceries excluding Costco in October", ["Costco"]),
    ("how much did I spend in October without grocries", [FOOD]),
    ("Was habe ich im Mai ausgegeben, die Miete nicht mitgezählt?", [RENT]),
    ("Gesamtausgaben im Mai, die Miete bitte nicht mitrechnen", [RENT]),
    ("größte Ausgabe im Juni, Miete mal ausgenommen", [RENT]),
    ("Ausgaben im Juli, wenn man die Miete weglässt", [RENT]),
    ("Lass die Miete mal weg: was kam im Oktober zusammen?", [RENT]),
    ("alles außer Lebensmitteln im Juni", [FOOD]),
    ("Ausgaben im August bis auf die Miete", [RENT]),
)
#: question → how many of the largest are left out
LARGEST_LEFT_OUT = (
    ("What did I spend in May if you leave out the single biggest purchase?", 1),
    ("total for June without the two largest purchases", 2),
    ("How much in July excluding my most expensive purchase?", 1),
    ("Was habe ich im Mai ohne den größten Einkauf ausgegeben?", 1),
    ("Ausgaben im Juni ohne die drei größten Ausgaben", 3),
)
#: question → arguments that stay as they would be without the words that take along or take refunds off
UNCHANGED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("What did I spend at Costco in May, groceries included?", {"merchant": "Costco", "category": None}),
    ("How much did I spend in May including rent?", {"category": None, "exclude": None}),
    ("Was habe ich im Mai ausgegeben, inklusive Miete?", {"category": None, "exclude": None}),
    ("how much in October, not just groceries", {"category": None, "exclude": None}),
    ("nicht nur Lebensmittel: Ausgaben im Oktober", {"category": None, "exclude": None}),
    ("groceries including coffee in May", {"category": [FOOD, "Coffee Shops"]}),
    ("Amazon this year, net of what I sent back", {"merchant": "Amazon", "kind": None}),
    ("After the broken lamp was refunded, what did Amazon cost me in 2026?", {"merchant": "Amazon", "kind": None}),
    ("how much do I drop at Costco", {"merchant": "Costco", "exclude": None}),
    ("how much do I drop on groceries a month", {"category": FOOD, "exclude": None}),
)
#: question → what is asked about, in the words of the question
ASKED = (
    ("How much did I spend in May without my Visa Card?", "Visa Card"),
    ("total for May without Foobar", "Foobar"),
    ("How much have I spent since we got the dog?", "since we got the dog"),
    ("What did I spend at Costco before the wedding?", "before the wedding"),
    ("Wie viel habe ich seit dem Umzug ausgegeben?", "seit dem Umzug"),
    ("Was habe ich am 31. September ausgegeben?", "am 31. September"),
    ("how much did I spend on 31 April", "on 31 April"),
    ("groceries diesen monta", "monta"),
)
#: question → the days it is about
DAYS = (
    ("Was habe ich am 14. Oktober bei Costco ausgegeben?", ("2026-10-14", "2026-10-14")),
    ("Alle Buchungen vom 13. Oktober anzeigen", ("2026-10-13", "2026-10-13")),
    ("Meine Septembermiete", ("2026-09-01", "2026-09-30")),
    ("groceries in octobr", ("2026-10-01", "2026-10-31")),
    ("groceries lst mnth", ("2026-10-01", "2026-10-31")),
    ("letzen monat bei Costco", ("2026-10-01", "2026-10-31")),
    ("How much was left at the end of September?", ("2026-09-01", "2026-09-30")),
)


def _arguments(outcome: Any) -> dict[str, Any]:
    """Return the arguments of the only call."""
    (call,) = outcome.trace["calls"]
    return dict(call["arguments"])


@pytest.mark.parametrize(("question", "names"), LEFT_OUT, ids=[case[0] for case in LEFT_OUT])
async def test_names_are_left_out(english: Any, question: str, names: list[str]) -> None:
    assert _arguments(await english.say(question))["exclude"] == names


@pytest.mark.parametrize(("question", "count"), LARGEST_LEFT_OUT, ids=[case[0] for case in LARGEST_LEFT_OUT])
async def test_the_largest_are_left_out(english: Any, question: str, count: int) -> None:
    assert _arguments(await english.say(question))["exclude_largest"] == count


@pytest.mark.parametrize(("question", "arguments"), UNCHANGED, ids=[case[0] for case in UNCHANGED])
async def test_what_is_only_taken_along_changes_nothing(english: Any, question: str, arguments: dict[str, Any]) -> None:
    given = _arguments(await english.say(question))
    assert {name: given.get(name) for name in arguments} == arguments


@pytest.mark.parametrize(("question", "words"), ASKED, ids=[case[0] for case in ASKED])
async def test_what_can_not_be_told_is_asked(english: Any, question: str, words: str) -> None:
    """Nothing that narrows a question is lost without a word."""
    outcome = await english.say(question)
    assert outcome.reply.kind == "clarify"
    assert f"“{words}”" in outcome.reply.headline or f"„{words}“" in outcome.reply.headline
    assert not outcome.trace["calls"]


async def test_a_choice_is_a_whole_question(english: Any) -> None:
    """An unclear time is replaced in the person's own sentence."""
    asked = await english.say("How much did I spend at Costco since we moved?")
    assert "How much did I spend at Costco last month?" in [choice.label for choice in asked.reply.choices]
    chosen = await english.say("1")
    assert _arguments(chosen) == {"merchant": "Costco", "start_date": "2026-10-01", "end_date": "2026-10-31"}


@pytest.mark.parametrize(("question", "days"), DAYS, ids=[case[0] for case in DAYS])
async def test_dates_in_the_middle_of_a_sentence(english: Any, question: str, days: tuple[str, str]) -> None:
    """A dot behind a day ends no sentence, a month begins a compound, and a slip hides no period."""
    given = _arguments(await english.say(question))
    assert (given["start_date"], given["end_date"]) == days


async def test_weekdays_and_a_month_in_two_clauses_are_one_period(english: Any) -> None:
    given = _arguments(await english.say("how much do I spend on Fridays? just October"))
    assert given["period"] == "Fridays 2026-10-01 to 2026-10-31"
