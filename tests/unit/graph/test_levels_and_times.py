"""How prices changed, what costs the most of what recurs, times left out, and figures that can't be set against each other."""

from __future__ import annotations

import pytest

from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, text, amount and account; every figure that a test expects is read off these."""
    found: list[tuple[str, str, str, str]] = []
    for number in range(1, 12):
        month = f"2026-{number:02}"
        found += [
            (f"{month}-01", "STANDING ORDER RENT M HOLLIS", "-800.00" if number < 4 else "-840.00", "Joint Current"),
            (f"{month}-02", "NETFLIX.COM", "-14.99", "Travel Card"),
            (f"{month}-03", "SPOTIFY P0A1", "-11.99" if number < 9 else "-9.99", "Joint Current"),
            (f"{month}-05", "TALLOW BAKERY", f"-{number}.00", "Joint Current"),
            (f"{month}-12", "NORDWERK GMBH SALARY", "2000.00" if number < 11 else "2100.00", "Joint Current"),
            (f"{month}-15", "WAREHOUSE CLUB HALDEN", "-5.00", "Joint Current"),
        ]
        if number not in (3, 7):
            found += [
                (f"{month}-14", "SO RAINY SAVER A HOLLIS", "-150.00", "Joint Current"),
                (f"{month}-14", "RECEIPT FROM JOINT CURRENT A HOLLIS", "150.00", "Rainy Saver"),
            ]
    found += [
        *((f"2026-{number:02}-28", "ENTGELTABSCHLUSS ANLAGE", "-9.35", "Joint Current") for number in (3, 6, 9)),
        ("2026-06-11", "NON-STERLING TRANSACTION FEE", "-1.20", "Travel Card"),
        ("2026-05-30", "RAINY BANK INTEREST PAID", "7.25", "Rainy Saver"),
        ("2026-06-30", "TRANSFER TO JOINT CURRENT FLIGHTS", "-90.00", "Rainy Saver"),
        ("2026-06-30", "TRANSFER FROM RAINY SAVER FLIGHTS", "90.00", "Joint Current"),
    ]
    return found


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # by how much a price changed, when, and to what
        ("By how much did the rent go up in April?", "40.00"),
        ("Um wie viel ist die Miete im April raufgegangen?", "40.00"),
        ("By how much did Spotify drop in September?", "2.00"),
        ("What is Spotify at the moment?|When did it drop to that?", "3 Sep 2026"),
        # the dearest and cheapest of what recurs, through one account, without something
        ("What's my most expensive subscription?", "Netflix"),
        ("Welches Abo ist am billigsten?", "Spotify"),
        ("What do I pay every month?|And which is the dearest after rent?", "Netflix"),
        ("Which subscriptions are on my Travel Card?", "1 subscription: Netflix"),
        ("Welche Abos habe ich?|Welches ist das teuerste?|Und das zweitteuerste?", "Spotify"),
        # the month in which most was paid is none of that
        ("In which month did I pay the most for subscriptions?", "26.98"),
        # times that are left out of a sum
        ("How much did I spend at Tallow Bakery this year without August?", "58.00"),
        ("How much did I spend at Tallow Bakery in 2026?|Now leave out March and May.", "58.00"),
        ("Tallow Bakery this year|ohne Oktober", "56.00"),
        # the months in which something regular did not come
        ("How much do I put into savings each month?|Did we miss a month this year?", "March 2026, July 2026"),
        # a figure for each month
        ("Show me what Nordwerk paid me each month from September to November", "month by month"),
        # one payment against the one before it, and against the first
        ("What was my last payment from Nordwerk?|How much more is that than the one before?", "100.00"),
        ("What was my last payment from Nordwerk?|How much more is that than it was in the beginning?", "100.00"),
        # an account, and no payee whose name begins as it does
        ("What went out of the joint account in October?", "864.99"),
        # interest by its direction, and the account that a bank's name means
        ("How much interest did the Rainy Saver pay me this year?", "7.25"),
        # what is left of income, in percent of it
        ("What percentage of my income was left over in October?", "56.0%"),
        # fees of one kind, by whatever words the bank has for it
        ("How much did I pay in account fees this year?", "28.05"),
        ("Was haben wir in diesem Jahr für die Kontoführung bezahlt?", "28.05"),
        ("What did overseas transaction fees cost me in June?", "1.20"),
        # adverbs that change nothing, and what they stand between
        ("Wie oft waren wir dieses Jahr wirklich bei Tallow Bakery?", "11-mal"),
        ("Was war dieses Jahr die größte Ausgabe, wenn man die Miete einmal weglässt?", "Netflix"),
        # by how many percent one figure is more than another; a year of it
        ("Tallow Bakery im Oktober|und im Mai?|wie viel Prozent mehr ist das?", "100.0%"),
        ("Was zahle ich im Monat für Netflix?|Und auf ein ganzes Jahr gerechnet?", "179.88"),
        # a slip of “monthly” is no Monday, and my pay is no benefit
        ("total monthy account fees this year", "28.05"),
        ("When did my pay go up?", "12 Nov 2026"),
        # a follow-up that only says by which interval, and one in dialect
        ("Tallow Bakery this year|per month on average, January to October?", "5.50 per month"),
        ("wann war ich zulezt bei tallow bakery|un wie offt dises jahr", "11-mal"),
        # what two questions named is two things, whatever names each has
        ("Tallow Bakery im Mai|und Netflix?|wie viel Prozent macht Netflix von beiden zusammen?", "75.0%"),
        # two sums together, one of them without something
        ("Tallow Bakery in May|und bei Netflix ohne Spotify|beide zusammen?", "19.99"),
    ],
)
async def test_the_question_that_is_answered_is_the_one_that_was_asked(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        # the price of one thing and the sum of another
        "What does Netflix cost?|How much did I spend at Tallow Bakery this year?|By how much?",
        # no week, no largest purchase, no weekday can be left out
        "What was my largest purchase this year except in July?",
        "How much did I spend at Tallow Bakery except at weekends?",
        # a payee and an account that never met: one of them was misread
        "How much did I spend at Tallow Bakery from my Travel Card?",
        "Netflix this year|and from the joint account?",
        # what somebody else is paid, and what no bank knows
        "Was bekommen die Hartmanns im Monat an Rente?",
        "Wie viele Kilowattstunden Strom haben wir verbraucht?",
    ],
)
async def test_what_can_not_be_computed_is_asked_about(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind in ("clarify", "refuse")
