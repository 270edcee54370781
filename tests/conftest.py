"""What tests of every layer share: stores on both databases, a still clock, an agent that follows a script."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import tempfile
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from sqlalchemy.util import LRUCache

import ledger.store
from graph.reply import Reply, Text
from graph.turn import TurnOutcome, TurnRequest
from ledger import schema
from ledger.people import Person
from ledger.store import Store
from tests.support import nursery
from tools.results import Scope

POSTGRES = "MONEY_MINDER_TEST_POSTGRES"

OpenStore = Callable[[], Awaitable[Store]]


@pytest.fixture(autouse=True)
def own_logs() -> Iterator[None]:
    """Let no command that a test runs leave its logs to the output of that test, which is closed by then."""
    yield
    if structlog.is_configured():
        structlog.reset_defaults()


@pytest.fixture(scope="session", autouse=True)
def migrated_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give every new SQLite database of this process the tables of one that went through the migrations, 0.1 s each."""
    template = tmp_path_factory.mktemp("template") / "ledger.sqlite3"
    asyncio.run(_close_new(template))
    prepare = ledger.store._Sqlite.__init__

    def prepared(self: ledger.store._Sqlite, path: Path) -> None:
        if not path.exists():
            ledger.store.prepare_directory(path.parent)
            shutil.copyfile(template, path)
            path.chmod(0o600)
        prepare(self, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.store._Sqlite, "__init__", prepared)
        yield


class _Compiled(LRUCache[Any, Any]):
    """Statements that were compiled, whichever engine they were first compiled for."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Let the engines of this process share what they compiled: each test opens some, and would compile all of it anew."""
    known: defaultdict[type[sa.Dialect], _Compiled] = defaultdict(lambda: _Compiled(3000))
    shared = property(lambda engine: known[type(engine.dialect)], lambda _engine, _own: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sa.Engine, "_compiled_cache", shared, raising=False)
        yield


async def _close_new(path: Path) -> None:
    await (await Store.open(path)).close()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A database of this session's own on the server that the environment names."""
    with postgres_database() as url:
        yield url


@contextmanager
def postgres_database() -> Iterator[str]:
    """Make a database on the server that the environment names, and drop it afterwards."""
    server = os.environ.get(POSTGRES)
    if not server:
        pytest.skip(f"{POSTGRES} names no server")
    name = f"money_minder_{uuid.uuid4().hex[:12]}"
    url = sa.make_url(server)
    asyncio.run(_administer(url, f"CREATE DATABASE {name}"))
    # Nothing here survives the server's own crash, so no commit need wait for the disk.
    asyncio.run(_administer(url, f"ALTER DATABASE {name} SET synchronous_commit TO off"))
    yield url.set(database=name).render_as_string(hide_password=False)
    asyncio.run(_administer(url, f"DROP DATABASE {name} WITH (FORCE)"))


async def _administer(url: sa.URL, statement: str) -> None:
    import asyncpg

    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | Path:
    """Where this test's database is, once on SQLite and once on PostgreSQL."""
    if request.param == "sqlite":
        return tmp_path / "data" / "ledger.sqlite3"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def open_store(store_url: str | Path) -> AsyncIterator[OpenStore]:
    """Opens the test's database, as often as a test restarts; emptied and closed in the end."""
    opened: list[Store] = []

    async def open_one() -> Store:
        opened.append(await Store.open(store_url))
        return opened[-1]

    yield open_one
    if opened and not isinstance(store_url, Path):
        await take_all_out(opened[-1])
    for store in opened:
        await store.close()


async def take_all_out(store: Store) -> None:
    """Take all rows out and begin every count anew: in 0.02 s, where TRUNCATE makes new files for 29 tables in 0.5 s."""
    async with store.write() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            await connection.execute(table.delete())
        for table in ("jobs", "workers"):
            await connection.execute(sa.text(f"DELETE FROM procrastinate_{table}"))
        await connection.execute(
            sa.text(
                "SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) "
                "FROM pg_sequences WHERE last_value IS NOT NULL"
            )
        )


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    """An empty store."""
    return await open_store()


@pytest.fixture
async def sqlite_store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store on SQLite, for what does not depend on the database."""
    store = await Store.open(tmp_path / "data" / "ledger.sqlite3")
    yield store
    await store.close()


async def until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds; raises TimeoutError after a time that no condition needs."""
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.001)


@dataclass
class ManualClock:
    """Time that passes only when a test says so."""

    instant: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    sleepers: list[tuple[datetime, asyncio.Future[None]]] = field(default_factory=list)

    def now(self) -> datetime:
        return self.instant

    def seconds(self) -> float:
        return self.instant.timestamp()

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.sleepers.append((self.instant + timedelta(seconds=seconds), future))
        await future

    def advance(self, seconds: float) -> None:
        self.instant += timedelta(seconds=seconds)
        due = [(when, future) for when, future in self.sleepers if when <= self.instant]
        self.sleepers = [(when, future) for when, future in self.sleepers if when > self.instant]
        for _, future in due:
            if not future.done():
                future.set_result(None)

    async def sleeping(self, seconds: float) -> None:
        """Return once somebody sleeps for just so long."""
        instant = self.instant + timedelta(seconds=seconds)
        await until(lambda: any(when == instant and not future.done() for when, future in self.sleepers))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def live_until(clock: ManualClock, condition: Callable[[], Awaitable[bool]]) -> None:
    """Let time pass until the condition holds; the test's own time limit ends a wait in vain."""
    while not await condition():
        clock.advance(1)
        await asyncio.sleep(0.002)


@dataclass
class ScriptedAgent:
    """Answers "You said …", counts, and fails, hangs or waits where the text tells it to."""

    requests: list[TurnRequest] = field(default_factory=list)
    running: int = 0
    most_running: int = 0
    gates: dict[str, asyncio.Event] = field(default_factory=dict)
    replies: dict[str, Reply] = field(default_factory=dict)
    sentences: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What a model would add to the answer to a text."""

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        self.requests.append(request)
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            return await self._answer(request)
        finally:
            self.running -= 1

    async def _answer(self, request: TurnRequest) -> TurnOutcome:
        if request.text in self.gates:
            await self.gates[request.text].wait()
        if request.text.startswith("fail"):
            raise RuntimeError("secret 712.34")
        said = f"You said {request.text}"
        reply = self.replies.get(request.text, Reply("answer", said, (Text(f"{len(request.past)} turns before"),)))
        return TurnOutcome(
            reply, Scope("echo", {"text": request.text}), focus="budget" if request.text == "focus" else None
        )

    async def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> AsyncIterator[str]:
        for sentence in self.sentences.get(request.text, ()):
            if sentence in self.gates:
                await self.gates[sentence].wait()
            yield sentence

    async def busy(self, turns: int) -> None:
        """Return once so many turns run at the same time."""
        await until(lambda: self.running == turns)

    def gate(self, text: str) -> asyncio.Event:
        """Let the turn of this text wait for the event."""
        return self.gates.setdefault(text, asyncio.Event())

    async def started(self, text: str) -> None:
        """Return once the turn of this text has begun."""
        await until(lambda: any(request.text == text for request in self.requests))


@pytest.fixture
def agent() -> ScriptedAgent:
    return ScriptedAgent()


@pytest.fixture
def alice() -> Person:
    return Person("memory", "home", "alice")


@pytest.fixture
def bob() -> Person:
    return Person("memory", "home", "bob")


def pytest_configure(config: pytest.Config) -> None:
    """Make the directory that the workers of this run share, where they are started."""
    if not hasattr(config, "workerinput"):
        shared = Path(tempfile.mkdtemp(prefix="money-minder-"))
        config.add_cleanup(partial(shutil.rmtree, shared, ignore_errors=True))
        config.add_cleanup(partial(os.close, nursery.open_shared(shared)))


def pytest_collection(session: pytest.Session) -> None:
    """Look for no garbage while tests are collected, as there is none; who only hands them out collects nothing."""
    if not session.config.pluginmanager.hasplugin("dsession"):
        gc.disable()


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the thousands of tests from now on: a look at them takes a second."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep scenarios that share one bot process per module on one worker, so that it is started once."""
    for item in items:
        if item.path.parent.name == "scenario" and item.path.name.startswith(("test_slack_", "test_discord_")):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
