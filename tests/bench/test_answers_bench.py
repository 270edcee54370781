"""How fast answers, imports and starts are; docs/performance.md keeps what was measured."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bots.app import App, console_person, open_app
from bots.cli.ask import question
from bots.settings import Settings
from ledger import schema
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.support.bank_files import EVERYDAY_QUESTIONS, american_lines, many_lines, mint_csv

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


class Bench:
    """An open program over a data directory, driven from sync code."""

    def __init__(self, runner: asyncio.Runner, data: Path) -> None:
        self.runner = runner
        self._opening = open_app(Settings(data_dir=data, now=NOW, model="builtin"))
        self.app: App = runner.run(self._opening.__aenter__())
        self.person = console_person(None)

    def close(self) -> None:
        self.runner.run(self._opening.__aexit__(None, None, None))

    def fill(self, count: int) -> None:
        data = mint_csv(many_lines(count))
        repository = self.runner.run(self.app.repository(self.person))
        self.runner.run(import_files(repository, [SourceFile("mint.csv", data)]))
        self.runner.run(self.app.indexing.catch_up())

    def ask(self, text: str, thread: str) -> Any:
        return self.runner.run(self.app.runner.ask(question(self.person, thread, text, self.app)))


@pytest.fixture
def bench(runner: asyncio.Runner, tmp_path: Path) -> Iterator[Callable[[], Bench]]:
    opened: list[Bench] = []

    def make() -> Bench:
        opened.append(Bench(runner, tmp_path / "data"))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.mark.parametrize("text", EVERYDAY_QUESTIONS)
def test_answer_with_10000_transactions(benchmark: Any, bench: Callable[[], Bench], text: str) -> None:
    program = bench()
    program.fill(10_000)
    thread = uuid.uuid4().hex
    for warm in EVERYDAY_QUESTIONS:
        program.ask(warm, thread)
    outcome = benchmark.pedantic(program.ask, (text, thread), rounds=60, warmup_rounds=5)
    assert outcome.reply.kind == "answer"
    benchmark.extra_info["resident_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def test_answer_among_a_million_rows_of_2000_people(benchmark: Any, bench: Callable[[], Bench]) -> None:
    program = bench()
    program.fill(10_000)
    program.runner.run(_others(program.app, people=2000, rows=500))
    thread = uuid.uuid4().hex
    for warm in EVERYDAY_QUESTIONS:
        program.ask(warm, thread)
    outcome = benchmark.pedantic(program.ask, (EVERYDAY_QUESTIONS[0], thread), rounds=60, warmup_rounds=5)
    assert outcome.reply.kind == "answer"


@pytest.mark.parametrize("turns", [1, 500])
def test_turn_in_a_long_thread(benchmark: Any, bench: Callable[[], Bench], turns: int) -> None:
    program = bench()
    program.fill(2_000)
    for number in range(turns):
        program.ask(EVERYDAY_QUESTIONS[number % 2], "long")
    benchmark.pedantic(program.ask, (EVERYDAY_QUESTIONS[0], "long"), rounds=40, warmup_rounds=3)


def test_import_of_20000_rows(benchmark: Any, bench: Callable[[], Bench]) -> None:
    program = bench()
    data = mint_csv(many_lines(20_000))
    people = iter(range(10_000))

    def once() -> None:
        repository = program.runner.run(program.app.repository(console_person(str(next(people)))))
        report = program.runner.run(import_files(repository, [SourceFile("mint.csv", data)]))
        assert report.files[0].added == 20_000

    benchmark.pedantic(once, rounds=3, warmup_rounds=1)
    benchmark.extra_info["rows_per_second"] = round(20_000 / benchmark.stats.stats.median)


@pytest.mark.parametrize(
    "arguments",
    [
        ("period", "last quarter", "--json"),
        ("tool", "spending-get_spending_summary", '{"period": "2026-10"}', "--json"),
        ("import", "{file}", "--dry-run", "--json"),
        ("ask", "How much did I spend on groceries in October?", "--json"),
        ("ask", "what did the groceries come to for me in october, roughly", "--json"),
    ],
    ids=["period", "tool", "import", "ask", "ask by meaning"],
)
def test_cold_start(benchmark: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "mint.csv"
    file.write_bytes(mint_csv(american_lines()))
    environment = {
        **os.environ,
        "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"),
        "MONEY_MINDER_NOW": "2026-11-21",
        "MONEY_MINDER_MODEL": "builtin",
    }

    def command(*words: str) -> None:
        filled = [word.format(file=file) if word == "{file}" else word for word in words]
        subprocess.run(
            [sys.executable, "-m", "bots.cli.main", *filled],
            check=True,
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )

    command("import", "{file}")
    command("ask", "warm the caches up please", "--json")
    benchmark.pedantic(command, arguments, rounds=5)


async def _others(app: App, people: int, rows: int) -> None:
    """Give other people rows of their own, copied within the database."""
    mine = (await app.store.membership(console_person(None))).ledger_id
    columns = [
        column.name for column in schema.transactions.columns if column.name not in ("id", "ledger_id", "pair_id")
    ]
    table = schema.transactions.c
    async with app.store.write() as connection:
        for number in range(people):
            values = {"created_at": NOW.isoformat()}
            result = await connection.execute(schema.ledgers.insert().values(values).returning(schema.ledgers.c.id))
            ledger = result.scalar_one()
            chosen = sa.select(sa.literal(ledger), *(table[name] for name in columns)).where(table.ledger_id == mine)
            chosen = chosen.order_by(table.id).offset(number % 19 * rows).limit(rows)
            await connection.execute(schema.transactions.insert().from_select(["ledger_id", *columns], chosen))
