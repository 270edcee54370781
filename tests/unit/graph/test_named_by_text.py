"""What a question means over a small ledger without categories: names that only the bank's text tells, people, exact amounts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.unit.graph.conftest import Talk, database

MONTHS = [f"2025-{month:02}" for month in range(9, 13)] + [f"2026-{month:02}" for month in range(1, 12)]


def rows() -> list[tuple[str, str, str, str]]:
    """Return day, payee, reference and amount; every figure that a test expects is a sum of these."""
    found = [("2026-11-20", "Meadow Grocers", "", "-5.00")]
    for month in MONTHS:
        found += [
            (f"{month}-01", "Larkfield", "violin lessons", "-40.00" if month < "2026-06" else "-44.00"),
            (f"{month}-02", "Quillstream", "", "-9.99" if month < "2026-03" else "-11.99"),
            (f"{month}-03", "Northgate Works Payroll", "salary", "2000.00"),
            (f"{month}-04", "Own savings account", "transfer to savings", "-100.00"),
            (f"{month}-07", "Meadow Grocers", "", "-20.00"),
        ]
    found += [
        ("2026-05-12", "Nora Beckett", "cinema", "-30.00"),
        ("2026-06-12", "Nora Beckett", "dinner", "-25.00"),
        ("2026-07-20", "Nora Beckett", "your half", "12.50"),
        ("2026-08-09", "Ironmonger Brandt", "", "-43.17"),
        ("2026-08-21", "Alsterblick Hamburg", "", "-61.00"),
        ("2026-08-25", "Ironmonger Brandt", "refund", "3.17"),
        ("2026-08-28", "Enterprise Rent-A-Car", "", "-57.00"),
        ("2026-09-13", "Seaview Cruises", "summer cruise", "-800.00"),
        ("2026-10-10", "Meadow Grocers", "", "-10.00"),
        ("2026-10-18", "Account services", "overdraft fee", "-6.00"),
        ("2026-10-19", "Account services", "foreign exchange fee", "-2.50"),
    ]
    return found


def statement() -> bytes:
    lines = ["Date,Payee,Memo,Amount (USD)", *(",".join(row) for row in sorted(rows()))]
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with the small ledger."""
    return asyncio.run(database(tmp_path_factory, "bank.csv", statement()))


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # a name that only the bank's text tells
        ("What do my violin lessons cost?", "44.00"),
        ("When did the violin lessons get dearer?", "4.00"),
        ("What did I spend in October 2026 without the violin lessons?", "50.49"),
        ("How much did I spend in September 2026, leaving out the cruise from Seaview Cruises?", "75.99"),
        ("What did I spend in September 2026?|and without the cruise?", "75.99"),
        # an amount by itself
        ("What was that 43.17 charge?", "Ironmonger Brandt"),
        ("Wofür waren die 43,17 im August?", "Ironmonger Brandt"),
        ("How many payments of exactly $44 did I make?", "6"),
        ("Since when do I pay Quillstream 11.99?", "2 Mar 2026"),
        # one payment is told by its day and who was paid
        ("What did I pay on 9 August 2026?|which day was that?", "9 Aug 2026"),
        # regular prices
        ("What does Quillstream cost?|and before the increase?", "9.99"),
        ("What does Quillstream cost?|and before the increase?|so how much more is that over a year?", "24.00"),
        ("What does Quillstream cost?|and the violin lessons?|both together per year?", "671.88"),
        ("Seit wann kostet mich Quillstream so viel?", "2. März 2026"),
        # people
        ("How much have I sent Nora Beckett?", "55.00"),
        ("How much has Nora Beckett sent me?", "12.50"),
        ("How much have I sent Nora Beckett?|and how much did she send me?", "12.50"),
        ("How much has Nora Beckett sent me?|and the other way round?", "55.00"),
        # what no total counts anyway
        ("What did I spend in October 2026, not counting transfers to savings?", "94.49"),
        ("Wie viel habe ich im Oktober 2026 ausgegeben, ohne die Überweisungen aufs Sparkonto?", "94.49"),
        ("How much came in during October 2026?|what share of that did I move to savings?", "5.0%"),
        # fees by their name
        ("How much did I pay in overdraft fees?", "6.00"),
        ("foreign exchange fees so far?", "2.50"),
        # what was said before
        ("What did I spend in September 2026?|why so much?", "Seaview Cruises"),
        ("How much did I spend at Meadow Grocers in October 2026?|nach Wochen", "Woche für Woche"),
        ("Was I at Seaview Cruises in October 2026?|so when was the last time?", "13 Sep 2026"),
        ("How much did Seaview Cruises cost me in September 2026?|how much on weekends?", "800.00"),
        # words of the bank's text beside a name, and towns
        ("How much did I send Nora Beckett for the cinema?", "30.00"),
        ("Wie viel habe ich Nora Beckett für dinner überwiesen?", "25.00"),
        ("What did I spend in Hamburg in August 2026?", "61.00"),
        ("everything paid in hamburg, total?", "61.00"),
        # the period before, also of the same name
        ("What did I spend in the week of 9 November 2026?|Und in der davor?", "31.99"),
        ("How much did I spend at Meadow Grocers in October 2026?|and the month before?", "20.00"),
        ("Wie viel habe ich im Oktober 2026 bei Meadow Grocers gelassen?|und im Oktober davor?", "20.00"),
        # what came back, and when, and net of it
        ("What did I spend at Ironmonger Brandt?|did they refund any of it?", "3.17"),
        ("What did I spend at Ironmonger Brandt in July 2026?|and how much did they refund in August?", "3.17"),
        ("When did Ironmonger Brandt pay me money back?", "25 Aug 2026"),
        ("How much did I send Nora Beckett?|Did she ever send me something?|When?", "20 Jul 2026"),
        ("How much did I send Nora Beckett?|and when you take off what she gave me back?", "42.50"),
        # when, where and what it was at first
        ("What was my last payment to Ironmonger Brandt?|and when was that one?", "9 Aug 2026"),
        ("What was my largest purchase in August 2026?|where was that?", "Alsterblick"),
        ("What does Quillstream cost?|and at the very beginning?", "9.99"),
        # one by one, and how far apart two prices are
        ("What did I spend at Meadow Grocers in October 2026?|je Rechnung bitte", "2 Buchungen"),
        ("What does Quillstream cost?|and the violin lessons?|how much more is that each month?", "32.01"),
        ("How much do I save each month now?|Und im ersten Halbjahr?", "100.00"),
        # how a price changed within a time, between two times, and how often
        ("By how much has Quillstream gone up since January 2026?", "2.00"),
        ("Um wie viel ist Quillstream heute teurer als im Januar 2026?", "2.00"),
        ("How many times have the violin lessons gone up?", "1 time"),
        ("Seit wann zahle ich an Quillstream?", "2. September 2025"),
        # several things left out, before and behind them
        ("What did I spend in October 2026 without the violin lessons, Quillstream and savings?", "38.50"),
        (
            "Wie viel habe ich im Oktober 2026 ausgegeben, violin lessons, Quillstream und Sparen nicht mitgerechnet?",
            "38.50",
        ),
        ("What did I spend in October 2026?|Rechne das Sparen bitte auch noch raus", "94.49"),
        # any such weekday
        ("How often was I at Meadow Grocers on a Saturday in 2026?", "4 times"),
        ("Wie oft war ich 2026 an einem Samstag bei Meadow Grocers?", "4-mal"),
        # what leaves its subject to the question before
        ("Show me my payments to Nora Beckett|how much was the dearest?", "30.00"),
        ("What do my violin lessons cost?|what percentage of my October salary is that?", "2.2%"),
        # whether a price changed, and how far apart payments are
        ("Did Quillstream get dearer in 2026?", "Yes"),
        ("Ist Quillstream billiger geworden?", "Nein"),
        ("Every how many months does Quillstream bill me?", "once a month"),
        # the time counted from that of the question before, a part of it by its time, and how much less it was
        ("What did I spend at Meadow Grocers in September 2026?|And the month after?", "30.00"),
        ("What have I paid Larkfield in total?|How much of that was in July 2026?", "44.00"),
        ("What did I spend at Meadow Grocers in October 2026?|And how much less was it in September?", "10.00"),
        ("How much have I spent at Meadow Grocers?|Nur 2025 bitte.", "80.00"),
        # which of two that were counted cost more, and who got what
        ("How often was I at Ironmonger Brandt?|And at Alsterblick Hamburg?|Which of the two cost me more?", "61.00"),
        ("How many payments of more than $500 did I make in September 2026?", "1 purchase"),
        ("Wer hat 2026 den höchsten Betrag von mir bekommen?", "Seaview Cruises"),
        # a figure for each month of a stretch
        ("What did Meadow Grocers cost me per month from August to October 2026?", "month by month"),
        ("Was habe ich bei Meadow Grocers pro Monat von August bis Oktober 2026 gelassen?", "Monat für Monat"),
        # a kind and a time alone are a sum
        ("Ausgaben in der ersten Oktoberhälfte bitte", "85.99"),
    ],
)
async def test_the_question_that_is_answered_is_the_one_that_was_asked(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "answer"
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        "What did the zorb weekend cost?|which was the dearest?",
        "What did the zorb weekend cost?|list the items",
        "What did the zorb weekend cost?|Ist das weniger als im Jahr davor?",
        "Wie oft war ich zorben?|Zeig sie mir einzeln",
    ],
)
async def test_what_goes_on_with_an_unanswered_question_is_not_about_everything(talk: Talk, turns: str) -> None:
    first, second = turns.split("|")
    assert (await talk.say(first)).reply.kind in ("clarify", "refuse")
    assert (await talk.say(second)).reply.kind in ("clarify", "refuse")


@pytest.mark.parametrize(
    "question", ["What did I spend in August 2026 without rent?", "What did I pay for rent in August?"]
)
async def test_who_hires_out_cars_is_paid_no_rent(talk: Talk, question: str) -> None:
    assert (await talk.say(question)).reply.kind == "clarify"


async def test_refunds_that_are_not_there_are_told_as_none(talk: Talk) -> None:
    await talk.say("How much did I spend at Meadow Grocers in October 2026?")
    outcome = await talk.say("How much of that did they refund?")
    assert outcome.reply.headline.startswith("No refunds")


@pytest.mark.parametrize(
    "question",
    [
        "Did Ryanair ever take anything from me?",
        "How much did I spend at Whitcoulls?",
        "anything from Walmart ever?",
        "How much have I spent at Meadow Grocers?|and at Whitcoulls?",
    ],
)
async def test_a_shop_that_is_not_there_is_told_not_to_be_there(talk: Talk, question: str) -> None:
    for turn in question.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.headline.startswith(("No", "Nothing"))
    assert not any(fact.value for fact in outcome.reply.facts)


@pytest.mark.parametrize(
    "question",
    [
        "How much does Nora Beckett earn a month?",
        "Wie viel verdient Nora im Monat?",
        "How much rent did I pay last month?",  # nothing here is called so
        "How much Kindergeld did I get this year?",
        "should I cancel Quillstream?",
        "when was I last overdrawn?",
        "How much did I spend on unicorns?",
        "What did I spend in October 2026?|And how much has Nora got in her own account?",
        "Was hat unsere Nachbarin für violin lessons gezahlt?",
        "What did I spend in Hamburg and Rovinj together?",
        "Wie viel habe ich für Krankenkassenprämien bezahlt?",
        "What did I spend in Rovinj in October 2026?",
        "What did I spend in October 2026 without Quillstream, unicorns and savings?",
        "Wie viel habe ich im Oktober 2026 ausgegeben, wenn man Sparen und Einhörner weglässt?",
        "what did I spend there?",
        "and on which day?",
    ],
)
async def test_what_the_ledger_does_not_tell_is_not_answered(talk: Talk, question: str) -> None:
    for turn in question.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind in ("clarify", "refuse")
