"""What a question costs one of very many people whose rows are in one PostgreSQL: p50, p95, and the first one of a person."""

from __future__ import annotations

import asyncio
import gc
import random
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bots.app import open_app
from bots.cli.ask import question
from bots.settings import Settings
from tests.bench.test_large_ledger_bench import QUESTIONS
from tests.support.many_people import person, write

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ROWS, ASKING, EACH = 500, 136, 5


@pytest.mark.parametrize("people", [2_000, 20_000])
def test_questions_of_very_many_people(benchmark: Any, postgres_url: str, tmp_path: Path, people: int) -> None:
    first, later = benchmark.pedantic(lambda: asyncio.run(measured(postgres_url, tmp_path / "data", people)), rounds=1)
    for name, waited in (("first of a person", first), ("all", sorted(first + later))):
        count = len(waited)
        print(
            f"{name}: p50 {waited[count // 2]:.1f} ms, p95 {waited[count * 95 // 100]:.1f} ms, at most {waited[-1]:.1f} ms"
        )


async def measured(url: str, folder: Path, people: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of whole turns, sorted: of the first question of each person, and of the others."""
    settings = Settings(data_dir=folder, now=NOW, model="builtin", database_url=url, role="worker")
    drawn = random.Random(9)
    first: list[float] = []
    later: list[float] = []
    async with open_app(settings) as app:
        await write(app.store, people, ROWS)
        await app.agent.warm_up()
        gc.collect()
        gc.freeze()  # as the program that serves does
        for text in QUESTIONS:  # what the first question of each kind loads
            await app.runner.ask(question(person(0), uuid.uuid4().hex, text, app))
        for asking in range(ASKING):
            who = person(drawn.randrange(1, people))
            for number in range(EACH):
                text = QUESTIONS[(asking * EACH + number * 7) % len(QUESTIONS)]
                began = time.perf_counter()
                outcome = await app.runner.ask(question(who, uuid.uuid4().hex, text, app))
                (later if number else first).append((time.perf_counter() - began) * 1000)
                assert outcome.reply.kind == "answer", (text, outcome.reply.headline)
    return sorted(first), sorted(later)
