"""Times that are misspelt, told by a financial year or by something that happened, and clauses that only look like one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.unit.graph.conftest import database

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.graph.conftest import Talk


def rows() -> list[tuple[str, str, str]]:
    """Return day, text and amount; every figure that a test expects is read off these."""
    found = [(f"{year}-{month:02}-10", "HARBOUR TIMBER", "-10.00") for year in (2025, 2026) for month in range(1, 12)]
    found += [(f"2026-{month:02}-05", "PETRONA FUEL 23", f"-{month}.00") for month in range(1, 12)]
    for month in range(2, 12):
        found += [(f"2026-{month:02}-03", "WILLOW GYM", "-20.00" if month < 6 else "-24.00")]
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["Date,Description,Amount,Currency,Account"]
    lines += [f"{day},{text},{amount},AUD,Everyday" for day, text, amount in sorted(rows())]
    return asyncio.run(database(tmp_path_factory, "bank.csv", "\n".join(lines).encode()))


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        # a slip or dialect in a time leaves it a time
        ("how much at harbour timber this calender year", "110.00"),
        ("how many times harbour timber last calander month", "1 purchase"),
        ("wie oft war ick dit jahr bei harbour timber", "11-mal"),
        ("harbour timber von letzem jahr auf dieses, um wieviel mehr?", "2025"),
        ("Harbour Timber in September this year|And the September before?", "September 2025"),
        # financial years, by the ledger's currency
        ("How much at Harbour Timber this financial year?", "50.00"),
        ("Harbour Timber in FY26 (July 25 to June 26)", "110.00"),
        ("Harbour Timber in the 25/26 financial year|and this financial year?", "50.00"),
        ("Harbour Timber this financial year|and in the financial year before that?", "110.00"),
        ("Wie viel ging im letzten Steuerjahr an Harbour Timber?", "110.00"),
        ("Harbour Timber this financial year vs last", "1 Jul to 21 Nov 2025"),
        ("how much at harbour timber since the new tax year started on 6 July", "50.00"),
        # a year with a beginning in it, and a year beside another time
        ("How much at Harbour Timber in all of 2025 (since March)?", "90.00"),
        ("What went to Harbour Timber in 2025 and since April?", "A$110.00 at Harbour Timber in 2025"),
        ("Harbour Timber in 2025, since April?", "A$110.00 at Harbour Timber in 2025"),
        ("How much more at Harbour Timber in 2025 than since April?", "A$30.00 (27.3%) less"),
        ("Was ging 2025 und seit April an Harbour Timber?", "A$110.00 bei Harbour Timber im Jahr 2025"),
        ("Harbour Timber 2025 gegenüber seit April?", "A$30.00 (27.3%) weniger"),
        # since a merchant's first payment, the latest one, a date that is told
        ("How many times has Willow Gym charged me since I started with them?", "from 3 Feb to 21 Nov 2026"),
        ("How much at Harbour Timber since I joined Willow Gym?", "A$100.00 at Harbour Timber from 3 Feb"),
        ("How much have I spent in all since I joined Willow Gym?", "spent from 3 Feb"),
        ("How much have I spent in all since I have been with Willow Gym?", "spent from 3 Feb"),
        ("Was habe ich bei Petrona getankt, seit ich bei Willow Gym bin?", "65.00"),
        ("How much did I spend at Harbour Timber since I last paid Willow Gym?", "from 3 to 21 Nov"),
        ("How much at Harbour Timber since I moved house in May?", "70.00"),
        ("Harbour Timber, seit ich im Mai zu Willow Gym gewechselt bin", "70.00"),
        ("How much at Harbour Timber this year before I moved in May?", "40.00"),
        # the price before and after it last changed, and what was paid since
        ("What did Willow Gym cost before they put it up?", "A$20.00 before"),
        ("Was kostet Willow Gym im Monat, seit die aufgeschlagen haben?", "A$24.00"),
        ("How much have I paid Willow Gym in all since it went up?", "144.00"),
        # reasons and remarks
        ("How much at Harbour Timber in May, since my wife is asking?", "10.00"),
        ("Quick one before I ring the accountant: how much at Harbour Timber this year?", "110.00"),
        ("Wie viel ging dieses Jahr an Harbour Timber, bevor ich den Steuerberater anrufe?", "110.00"),
        ("Sam mows the lawn since my back is bad. How much did I pay Harbour Timber in 2025?", "110.00"),
        ("List what I paid Willow Gym this year, one after the other", "10 payments"),
    ],
)
async def test_the_time_that_is_asked_for_is_the_one_that_is_answered(talk: Talk, turns: str, told: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert told in outcome.reply.headline


@pytest.mark.parametrize(
    "turns",
    [
        # words that may be a time, and none that is known
        "how much at harbour timber in dem jaar",
        "harbour timber per financial year",
        # what happened, and nobody knows when
        "How much at Harbour Timber since I moved here?",
        "How much at Harbour Timber since I left Willow Gym?",
        "How much at Harbour Timber before I quit smoking?",
        "Harbour Timber, seit ich die neue Karte habe",
        # something else with a shop than to be with it
        "How much at Harbour Timber since I got the refund from Willow Gym?",
        "How much have I spent since I bought the mat at Willow Gym?",
        "Wie viel bei Harbour Timber, seit ich bei Willow Gym die Matte gekauft habe?",
        # how things are is all the time that is meant
        "How much have I spent at Harbour Timber since I am working from home?",
        "How much at Harbour Timber since we are living in Leeds?",
        "How much at Harbour Timber since I work at Google?",
        "Wie viel bei Harbour Timber, bevor ich nach Köln zog?",
        "Wie viel ging dieses Jahr an Harbour Timber, bevor das Baby kam?",
        # what somebody put up is no price
        "How much at Willow Gym before I put the shelves up?",
    ],
)
async def test_a_time_that_can_not_be_told_is_asked_about(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "clarify"
