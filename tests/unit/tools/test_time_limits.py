"""A tool's time limit is true: when it is over the tool has nothing left in its hands, and holds up nobody."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.people import Person
from ledger.search import LedgerSearch
from ledger.store import Store
from tests.conftest import until
from tools.changes import Change
from tools.context import ToolContext
from tools.errors import CallEnded, ToolBusy, ToolQuit, ToolTimedOut, WriteRefused
from tools.registry import Registry, Tool, tool_of
from tools.registry import tool as mark
from tools.results import Result
from tools.running import any_late, run_tool, run_work
from tools.threads import ToolThreads

SOON, LONG = 0.05, 60.0


async def no_index() -> None:
    """There is no index."""


async def context_of(store: Store, user: str) -> ToolContext:
    repository = await store.repository(Person("memory", "home", user))
    search = LedgerSearch(repository, no_index)
    return ToolContext(repository, await repository.vocabulary(), search, date(2026, 11, 21))


def made(function: Any, *, apart: bool = True, **details: Any) -> Tool:
    found = tool_of(mark(**details)(function))
    return Tool(**{name: getattr(found, name) for name in Tool.__dataclass_fields__} | {"apart": apart})


class Gate:
    """What a runaway tool waits for; opened when the test is over, so that no thread outlives it."""

    def __init__(self) -> None:
        self.event, self.ended, self.seen = threading.Event(), threading.Event(), []

    def wait(self) -> None:
        assert self.event.wait(LONG)


@pytest.fixture
async def gate() -> AsyncIterator[Gate]:
    made_ = Gate()
    yield made_
    made_.event.set()
    await until(lambda: not any_late())


@pytest.mark.parametrize("way", ["sync", "blocking"])
async def test_after_the_limit_nothing_is_left_in_a_tools_hands(sqlite_store: Store, gate: Gate, way: str) -> None:
    """It goes on in its thread; its reads are refused, its writes were never possible, and its change is thrown away."""

    async def try_on(context: ToolContext) -> None:
        for attempt in (context.ledger.accounts, context.ledger.vocabulary, lambda: context.search.find("x", 1)):
            try:
                await attempt()
            except CallEnded:
                gate.seen.append("ended")
        try:
            async with context.ledger.store.write():
                gate.seen.append("wrote")
        except WriteRefused:
            gate.seen.append("refused")
        gate.ended.set()

    def sync(context: ToolContext) -> Result:
        """Wait, then try to go on."""
        gate.wait()
        asyncio.run(try_on(context))
        return Result("Late", change=Change(never, "Late"))

    async def blocking(context: ToolContext) -> Result:
        """Block its loop, then try to go on."""
        async with context.ledger.store.read() as connection:
            await connection.execute(sa.select(schema.people.c.id))
            gate.wait()
            try:
                await connection.execute(sa.select(schema.people.c.id))
            except CallEnded:
                gate.seen.append("gone")
            await try_on(context)
        return Result("Late", change=Change(never, "Late"))

    async def never(_connection: Any) -> None:
        raise AssertionError

    threads = ToolThreads()
    late = made({"sync": sync, "blocking": blocking}[way], writes=True)
    me, other = await context_of(sqlite_store, "me"), await context_of(sqlite_store, "other")
    with pytest.raises(ToolTimedOut) as told:
        await run_tool(late, {}, me, SOON, threads)
    assert told.value.message == "That took too long, so I stopped it."
    assert threads.late == 1
    for _ in range(3):  # every connection that reads is back
        await asyncio.gather(*(other.ledger.accounts() for _ in range(4)))
    quick = made(answer)
    with pytest.raises(ToolBusy, match="has not ended yet"):
        await run_tool(quick, {}, me, LONG, threads)
    assert (await run_tool(quick, {}, other, LONG, threads)).names["text"] == "done"
    gate.event.set()
    await until(lambda: threads.late == 0)
    assert gate.seen == (["gone"] if way == "blocking" else []) + ["ended", "ended", "ended", "refused"]
    assert (await run_tool(quick, {}, me, LONG, threads)).names["text"] == "done"


def answer() -> str:
    """Answer at once."""
    return "done"


async def test_many_peoples_runaway_tools_hold_up_nobody(sqlite_store: Store, gate: Gate) -> None:
    """More than the program has threads of its own; the others' tools, and those threads, are free."""

    def wait() -> str:
        """Wait."""
        gate.wait()
        return "late"

    threads, people = ToolThreads(), [await context_of(sqlite_store, f"u{number}") for number in range(30)]
    stuck = await asyncio.gather(
        *(run_tool(made(wait), {}, one, SOON, threads) for one in people), return_exceptions=True
    )
    assert {type(each) for each in stuck} == {ToolTimedOut}
    assert threads.late == len(people)
    assert (await run_tool(made(answer), {}, await context_of(sqlite_store, "new"), LONG, threads)).names
    assert await asyncio.to_thread(lambda: "free") == "free"
    gate.event.set()
    await until(lambda: threads.late == 0)


async def test_the_number_of_threads_is_bounded_for_one_and_for_all(sqlite_store: Store, gate: Gate) -> None:
    begun = threading.Semaphore(0)

    def wait() -> str:
        """Wait."""
        begun.release()
        gate.wait()
        return "late"

    threads = ToolThreads(most=3, most_of_one=2)
    one, two, three = [await context_of(sqlite_store, name) for name in ("one", "two", "three")]
    running = [asyncio.ensure_future(run_tool(made(wait), {}, who, LONG, threads)) for who in (one, one, two)]
    for _ in running:
        await asyncio.to_thread(begun.acquire)
    for who in (one, three):
        with pytest.raises(ToolBusy, match="Too many tools"):
            await run_tool(made(answer), {}, who, LONG, threads)
    gate.event.set()
    assert [each.names["text"] for each in await asyncio.gather(*running)] == ["late"] * 3
    assert (await run_tool(made(answer), {}, three, LONG, threads)).names["text"] == "done"


@pytest.mark.parametrize("apart", [True, False])
async def test_a_tool_that_swallows_its_cancellation_is_left_alone(
    sqlite_store: Store, gate: Gate, apart: bool
) -> None:
    swallowed = threading.Event()

    async def stubborn(context: ToolContext) -> str:
        """Never stop."""
        async with context.ledger.store.read():
            while not gate.event.is_set():
                try:
                    await asyncio.sleep(0.01)
                except asyncio.CancelledError:
                    swallowed.set()
        return "late"

    me = await context_of(sqlite_store, "me")
    with pytest.raises(ToolTimedOut):
        await run_tool(made(stubborn, apart=apart), {}, me, SOON)
    assert swallowed.is_set()
    assert any_late()
    await asyncio.gather(*(me.ledger.accounts() for _ in range(4)))
    gate.event.set()
    await until(lambda: not any_late())


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize(
    "raised", [SystemExit, KeyboardInterrupt, GeneratorExit, asyncio.CancelledError, StopIteration]
)
@pytest.mark.parametrize("way", ["sync", "async"])
async def test_a_tool_ends_nothing_but_itself(
    sqlite_store: Store, raised: type[BaseException], way: str, apart: bool
) -> None:
    def sync() -> str:
        """End."""
        raise raised

    async def later() -> str:
        """End."""
        raise raised

    expected = RuntimeError if (raised, way) == (StopIteration, "async") else ToolQuit
    with pytest.raises(expected):
        await run_tool(made({"sync": sync, "async": later}[way], apart=apart), {}, await context_of(sqlite_store, "me"))


async def test_work_that_takes_too_long_is_not_kept(sqlite_store: Store, gate: Gate) -> None:
    """The transaction ends without it, and others write on; what it still tries is refused."""
    me = await context_of(sqlite_store, "me")

    async def work(connection: Any) -> None:
        await connection.execute(sa.delete(schema.members))
        gate.wait()
        try:
            await connection.execute(sa.delete(schema.people))
        except CallEnded:
            gate.seen.append("ended")

    async def propose() -> Result:
        """Propose."""
        return Result("Shall I?", change=Change(work, "Done."))

    writer, threads = made(propose, writes=True), ToolThreads()
    change = (await run_tool(writer, {}, me, LONG, threads)).change
    assert change is not None

    async def confirm() -> None:
        async with sqlite_store.write() as connection:
            await run_work(writer, change, connection, SOON, threads)

    with pytest.raises(ToolTimedOut):
        await confirm()
    await context_of(sqlite_store, "another")
    gate.event.set()
    await until(lambda: threads.late == 0)
    assert gate.seen == ["ended"]
    async with sqlite_store.read() as connection:
        for table in (schema.members, schema.people):
            assert (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one() == 2


@pytest.mark.parametrize(
    "statement",
    [sa.delete(schema.people), sa.text("DELETE FROM people"), sa.insert(schema.people), sa.text("SELECT 1"), sa.update(schema.people)],
)  # fmt: skip
async def test_a_tool_reads_and_does_nothing_else(sqlite_store: Store, statement: Any) -> None:
    async def sneaky(context: ToolContext) -> str:
        """Try to write."""
        async with context.ledger.store.read() as connection:
            await connection.execute(statement)
        return "wrote"

    with pytest.raises(WriteRefused):
        await run_tool(made(sneaky), {}, await context_of(sqlite_store, "me"))


async def test_what_reads_can_not_write_in_the_store_either(store: Store) -> None:
    """On both databases."""
    await store.repository(Person("memory", "home", "me"))
    with pytest.raises(sa.exc.DBAPIError, match=r"(?i)read-?only"):
        async with store.read() as connection:
            await connection.execute(sa.delete(schema.members))


_FILE = '''
import asyncio, concurrent.futures, time
from tools.registry import tool

@tool(app="mine")
def sync() -> str:
    """Sleep."""
    time.sleep(3600)
    return ""

@tool(app="mine")
async def blocking() -> str:
    """Sleep."""
    time.sleep(3600)
    return ""

@tool(app="mine")
async def pool() -> str:
    """Sleep."""
    await asyncio.to_thread(time.sleep, 3600)
    return ""
'''


@pytest.mark.parametrize("name", ["mine-sync", "mine-blocking", "mine-pool"])
def test_the_command_ends_although_its_tool_does_not(tmp_path: Path, name: str) -> None:
    """The test's own limit would end it otherwise."""
    own = tmp_path / "own.py"
    own.write_text(_FILE, encoding="utf-8")
    settings = {"DATA_DIR": str(tmp_path / "data"), "EXTRA_TOOLS": str(own), "TOOL_TIMEOUT": "0.1", "MODEL": "builtin"}
    environment = os.environ | {f"MONEY_MINDER_{key}": value for key, value in settings.items()}
    command = [sys.executable, "-m", "bots.cli.main", "tool", name]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "money-minder: That took too long, so I stopped it.\n"


def test_only_what_comes_from_a_file_of_ones_own_runs_apart(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(_FILE, encoding="utf-8")
    assert {each.name for each in Registry.built_in([str(own)]) if each.apart} == {
        "mine-sync",
        "mine-blocking",
        "mine-pool",
    }
