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
    ],
)
async def test_a_time_that_can_not_be_told_is_asked_about(talk: Talk, turns: str) -> None:
    for turn in turns.split("|"):
        outcome = await talk.say(turn)
    assert outcome.reply.kind == "clarify"
