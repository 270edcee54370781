"""Several places of one name: the bank's words tell whose rows are meant, and whose are not."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 11):
        month = f"2026-{number:02}"
        found += [
            (f"{month}-02", "POS SPAR HARBOUR ROAD", "-10.00", "Main"),
            (f"{month}-05", "POS SPAR CASTLE STREET", "-3.00", "Main"),
            (f"{month}-09", "TESCO STORES 2041", "-20.00", "Main"),
            (f"{month}-12", "TESCO PFS 3321 FUEL", "-50.00", "Main"),
        ]
    return [
        *found,
        ("2026-02-11", "TRANSFER TO MARTA NOWAK LENT SCOOTER", "-400.00", "Main"),
        ("2026-03-11", "TRANSFER TO MARTA NOWAK BIRTHDAY", "-30.00", "Main"),
        ("2026-04-11", "TRANSFER TO MARTA NOWAK BIRTHDAY", "-25.00", "Main"),
        ("2026-10-20", "POS SPAR CASTLE STREET", "-90.00", "Main"),
        ("2026-05-20", "OVERDRAFT FEE", "-36.00", "Main"),
        ("2026-05-21", "LATE FEE", "-12.00", "Main"),
        ("2026-05-22", "INCOMING WIRE FEE", "-15.00", "Main"),
    ]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # said of the name, before the question and behind it
        ("What did I spend at Spar this year, only the one in Castle Street?", "€120.00"),
        ("We have two Spars. Only the Harbour one: what did I spend there this year?", "€100.00"),
        ("What did I spend at Spar in October? Just the Harbour Road one, not the one in Castle Street.", "€10.00"),
        ("Wie viel habe ich dieses Jahr bei Spar ausgegeben, nur der in der Castle Street?", "€120.00"),
        # taken out, of whatever is asked
        ("How often was I at Spar this year, not the Castle Street one?", "10 purchases"),
        ("What was my biggest purchase at Spar, not counting Castle Street?", "€10.00"),
        ("Wie oft war ich dieses Jahr bei Spar, die in der Castle Street nicht mitgezählt?", "10 Ausgaben"),
        # by whatever word the bank has for a kind of thing
        ("How much at Tesco in May? just the shop, not the petrol", "€20.00"),
        ("Wie viel bei Tesco im Mai, ohne Benzin?", "€20.00"),
        ("How many times was I at Tesco in May, no petrol", "1 "),
        ("what did I spend in Tesco in May just the shopping not the petrol|and in June?", "€20.00"),
        # and of somebody
        ("What did I send Marta Nowak this year, what I lent her for the scooter left out?", "€55.00"),
        ("Was habe ich Marta Nowak dieses Jahr überwiesen, die Birthday-Zahlungen weggelassen?", "€400.00"),
        # in a follow-up: another one, the same at another time, all of it again
        ("What did I spend at Spar Castle Street in May?|and at Spar Harbour Road?", "€10.00"),
        ("What did I spend at Spar in May, not the Castle Street one?|and in June?", "€10.00"),
        ("What did I spend at Spar Castle Street in May?|and at Spar?", "€13.00"),
        ("Was habe ich im Mai bei Spar ausgegeben, nicht in der Castle Street?|und im Oktober?", "€10.00"),
    ],
)  # fmt: skip
async def test_the_rows_of_the_place_that_is_meant_are_counted(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "answer"
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "question",
    [
        "We have two Spars. Only the one by the cinema: what did I spend there this year?",
        "Wir haben zwei Spars. Nur der neben dem Kino: was habe ich da dieses Jahr gelassen?",
    ],
)
async def test_a_place_that_no_row_tells_is_never_answered_with_all_of_them(talk: Talk, question: str) -> None:
    reply = (await talk.say(question)).reply
    assert reply.kind in ("clarify", "refuse")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did I spend at Spar this year?", "€220.00"),
        ("Only Spar this year, please: what did I spend?", "€220.00"),
        ("Just tell me how much I spent at Tesco in May", "€70.00"),
    ],
)
async def test_a_name_alone_is_all_of_its_places(talk: Talk, question: str, told: str) -> None:
    assert told in (await talk.say(question)).reply.headline


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("overdraft, late fee and wire fee in May together?", "€63.00"),
        ("What did the fees come to in May: overdraft, the late fee and the wire fee?", "€63.00"),
    ],
)
async def test_no_part_of_a_list_of_fees_is_dropped(talk: Talk, question: str, told: str) -> None:
    assert told in (await talk.say(question)).reply.headline


async def test_words_of_one_part_of_a_list_are_not_said_of_all_of_it(talk: Talk) -> None:
    reply = (await talk.say("What did Tesco, the scooter for Marta Nowak and Spar come to this year together?")).reply
    assert reply.kind == "clarify" or "€1,320.00" in reply.headline


@pytest.mark.parametrize(
    "question",
    [
        "How much was the cheese on my last Tesco receipt?",
        "Wie viel hat der Käse auf meinem letzten Tesco-Einkauf gekostet?",
    ],
)
async def test_what_is_on_a_receipt_is_not_in_the_rows(talk: Talk, question: str) -> None:
    assert (await talk.say(question)).reply.kind == "refuse"


async def test_a_state_of_mind_behind_a_question_changes_nothing(talk: Talk) -> None:
    told = (await talk.say("What did I spend at Tesco in May, I'm nearly afraid to ask")).reply.headline
    assert told == (await talk.say("What did I spend at Tesco in May?")).reply.headline
