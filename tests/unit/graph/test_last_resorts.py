"""Words that mostly mean nothing but stand in the bank's text, the days from one thing to another, and the last so many."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found = [(f"2026-{month:02}-02", "WALDSCHULE TROMMELKURS", "-40.00", "Main") for month in range(1, 10)]
    return [
        *found,
        ("2025-03-24", "KLEINGARTEN SONNENTAL E.V. PACHT PARZELLE", "-140.00", "Main"),
        ("2026-03-23", "KLEINGARTEN SONNENTAL E.V. PACHT PARZELLE", "-150.00", "Main"),
        ("2026-01-16", "HARBOUR CAFE PAYROLL", "410.00", "Main"),
        ("2026-02-13", "HARBOUR CAFE PAYROLL", "390.00", "Main"),
        ("2026-02-20", "HARBOUR CAFE", "-6.50", "Main"),
        ("2026-02-24", "PREPAID CARD LOADED", "-30.00", "Main"),
        ("2026-02-26", "ZUMBA STUDIO", "-13.99", "Prepaid"),
        ("2026-04-10", "ORCHARD BISTRO PAYROLL", "380.00", "Main"),
        ("2026-05-08", "ORCHARD BISTRO PAYROLL", "395.00", "Main"),
    ]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("wieviel pacht hab ich bezahlt", "€290.00"),
        ("was kostet die Pacht?", "€150.00"),
        ("pacht 2026?", "€150.00"),
        ("How many days between my last Harbour Cafe pay and the first from Orchard Bistro?", "56 days"),
        ("From my last Harbour Cafe wage to the first Orchard Bistro wage, how many days is that?", "56 days"),
        (
            "Wie viele Tage lagen zwischen dem letzten Lohn von Harbour Cafe und dem ersten von Orchard Bistro?",
            "56 Tage",
        ),
        ("How many days were there between the first and the last Orchard Bistro pay?", "28 days"),
    ],
)
async def test_it_is_told(talk: Talk, question: str, told: str) -> None:
    assert told in (await talk.say(question)).reply.headline


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did my last 2 Waldschule lessons cost?", "€80.00"),
        ("How much were the last three Waldschule lessons in total?", "€120.00"),
        ("Was haben die letzten zwei Kurse bei Waldschule gekostet?", "€80.00"),
    ],
)
async def test_the_last_so_many_are_summed_and_listed(talk: Talk, question: str, told: str) -> None:
    reply = (await talk.say(question)).reply
    assert told in reply.headline


@pytest.mark.parametrize(
    "question",
    [
        "What was the average of my last three Waldschule lessons?",
        "Durchschnitt der letzten drei Buchungen bei Waldschule?",
    ],
)
async def test_an_average_of_the_last_so_many_is_not_that_of_all(talk: Talk, question: str) -> None:
    assert (await talk.say(question)).reply.kind in ("clarify", "refuse")


async def test_an_everyday_word_that_no_row_holds_whole_is_still_asked_about(talk: Talk) -> None:
    assert (await talk.say("wieviel kurs hab ich bezahlt")).reply.kind in ("clarify", "refuse")


async def test_a_word_for_an_account_is_no_merchant(talk: Talk) -> None:
    reply = (await talk.say("auf der prepaid sind am 26. 13,99 weg, wer is das")).reply
    assert reply.kind == "clarify" or "Zumba" in reply.text


@pytest.mark.parametrize(
    "question",
    [
        "How much did I spend at Waldschule in the last 5 working days?",
        "How much did I spend at Waldschule in the last two Mays?",
        "Wie viel habe ich bei Waldschule in den letzten fünf Arbeitstagen ausgegeben?",
        "How many months from January to June did I go to Waldschule and Harbour Cafe?",
        "How many days from 1 March to 31 May did I go to Waldschule or Harbour Cafe?",
    ],
)
async def test_a_stretch_of_time_is_no_number_of_things(talk: Talk, question: str) -> None:
    headline = (await talk.say(question)).reply.headline
    assert "latest" not in headline
    assert "letzten Einkäufe" not in headline
    assert "days between" not in headline
