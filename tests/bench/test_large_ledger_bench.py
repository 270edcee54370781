"""What each kind of question costs in one ledger of 200,000 and of 1,000,000 rows, on both databases."""

from __future__ import annotations

import asyncio
import gc
import os
import statistics
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bots.app import console_person, open_app
from bots.cli.ask import question
from bots.settings import Settings
from tests.conftest import POSTGRES
from tests.support.large_ledger import write

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
QUESTIONS = (
    "How much did I spend on groceries in October?",
    "How much did I spend at Costco this year?",
    "Give me a summary of last month",
    "Spending by category in 2025",
    "Compare 2024 and 2025",
    "How much did I save last year?",
    "What did I spend in total?",
    "How much have I spent since March 2012?",
    "How much did I spend on groceries?",
    "How much did I spend at Costco?",
    "How much did I earn?",
    "Compare groceries and restaurants",
    "What was my biggest purchase?",
    "What was my biggest purchase on coffee?",
    "What was my smallest purchase?",
    "What were my last five purchases?",
    "What was my first purchase at Starbucks?",
    "How many purchases did I make?",
    "How often do I go to Starbucks?",
    "What is my average purchase?",
    "How much do I spend on groceries per month on average?",
    "How much do I spend per week on average?",
    "Which merchants did I spend the most at?",
    "Top 10 categories",
    "In which month did I spend the most?",
    "Which day did I spend the most?",
    "Show purchases over $500",
    "Show purchases over $20",
    "Show me my refunds",
    "Find amber bakery",
    "How much did I spend in total without the 3 largest?",
    "How much did I spend without groceries?",
    "How much did I spend on weekends?",
    "What data do you have?",
)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str | None:
    """The URL of an empty database, or None for SQLite's file in the data directory."""
    if request.param == "postgres" and not os.environ.get(POSTGRES):
        pytest.skip(f"{POSTGRES} names no server")
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


@pytest.mark.parametrize("rows", [200_000, 1_000_000])
def test_questions_in_one_large_ledger(benchmark: Any, database: str | None, tmp_path: Path, rows: int) -> None:
    medians = benchmark.pedantic(lambda: asyncio.run(measured(database, tmp_path / "data", rows)), rounds=1)
    for text, (waited, worked) in sorted(medians.items(), key=lambda pair: pair[1]):
        print(f"{waited:8.1f} ms, {worked:8.1f} ms of processor time  {text}")
    benchmark.extra_info["median_of_all_ms"] = round(statistics.median(waited for waited, _ in medians.values()), 1)
    benchmark.extra_info["worst_ms"] = round(max(waited for waited, _ in medians.values()), 1)


async def measured(database: str | None, folder: Path, rows: int, rounds: int = 7) -> dict[str, tuple[float, float]]:
    """Return the median milliseconds of a whole turn of each question, asked once before: time, and this process's own."""
    settings = Settings(data_dir=folder, now=NOW, model="builtin", **({"database_url": database} if database else {}))
    person = console_person(uuid.uuid4().hex)
    found: dict[str, tuple[float, float]] = {}
    async with open_app(settings) as app:
        await write(app.store, person, rows)
        await app.agent.warm_up()
        await app.indexing.catch_up()
        gc.collect()
        gc.freeze()  # as the program that serves does
        for text in QUESTIONS:
            waited, worked = [], []
            for _ in range(rounds + 1):
                began, worked_before = time.perf_counter(), time.process_time()
                outcome = await app.runner.ask(question(person, uuid.uuid4().hex, text, app))
                waited.append((time.perf_counter() - began) * 1000)
                worked.append((time.process_time() - worked_before) * 1000)
                assert outcome.reply.kind == "answer", (text, outcome.reply.headline)
            found[text] = statistics.median(waited[1:]), statistics.median(worked[1:])
    return found
