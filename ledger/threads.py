"""SQLite beside the event loop: each connection lives in a thread of its own, one hop per statement.

An async SQLite driver makes four hops per statement; here a statement is one, and a whole function of a connection
(:meth:`ThreadConnection.run_sync`, :meth:`ConnectionThreads.at_once`) is one as well.

SQLite lets one connection write and has the others look again after a while, so one that writes often starves them
(https://sqlite.org/c3ref/busy_timeout.html). Whoever waits here is next: within a process by urgency, between processes by a
queue of file locks.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
    from pathlib import Path

T = TypeVar("T")

#: How many pages SQLite's log takes in before whoever commits next writes them into the database, which keeps others waiting.
#: Work in steps sees to it earlier, between its steps (:meth:`ledger.store.Store.shorten_log`).
_LONGEST_LOG = 20_000
#: ``synchronous=FULL``: an answered message stays answered after a power cut.
_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=10000",
    "secure_delete=ON",
    "cache_size=-32000",
    "temp_store=MEMORY",
    f"wal_autocheckpoint={_LONGEST_LOG}",
)
#: A long import changes pages of ten indices; those that do not fit are written more than once.
_WRITING = (*_PRAGMAS, "cache_size=-64000")


#: Seconds for which another process's write is waited for, as long as SQLite itself would wait.
_LONGEST_WAIT = 10.0
_LOOK_AGAIN = 0.001
_FILE_MODE = 0o600


class ThreadConnection:
    """One open transaction on a thread's connection; results come back whole."""

    def __init__(self, thread: ConnectionThread) -> None:
        """Use :meth:`ConnectionThread.transaction`."""
        self._thread = thread

    @property
    def dialect(self) -> sa.Dialect:
        """The database's dialect."""
        return self._thread.dialect

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> Any:
        """Run one statement; its rows are all read when this returns."""

        def work(connection: sa.Connection) -> Any:
            result = connection.execute(statement, parameters)
            return result.freeze()() if result.returns_rows else result

        return await self.run_sync(work)

    async def exec_driver_sql(self, text: str) -> None:
        """Run one plain SQL text."""
        await self.run_sync(lambda connection: connection.exec_driver_sql(text).close())

    async def run_sync(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function of the connection in its thread."""
        return await self._thread.run(work)


async def to_the_end(work: Coroutine[Any, Any, T]) -> T:
    """Return what the work returns, and let a cancellation through only after it is done."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()


class ConnectionThread:
    """A thread with one connection, used by one task at a time."""

    def __init__(self, engine: sa.Engine, queue: FileQueue | None = None) -> None:
        """The connection is opened by the thread, on first use; what its transactions entered at their start they leave."""
        self._engine = engine
        self._queue = queue
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="sqlite")
        self._connection: sa.Connection | None = None
        self._turns = Turns()

    @property
    def dialect(self) -> sa.Dialect:
        """The database's dialect."""
        return self._engine.dialect

    @asynccontextmanager
    async def transaction(self, *, patient: bool = False) -> AsyncIterator[ThreadConnection]:
        """Hold the connection; commit at the end of the block, or roll back if it raises.

        Whoever is cancelled meanwhile learns of it once the outcome is known, so that nobody goes on with half of it.
        """
        async with self._turns.turn(patient=patient):
            try:
                yield ThreadConnection(self)
                await to_the_end(self.run(self._commit))
            except BaseException:
                await to_the_end(self.run(self._roll_back))
                raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[ThreadConnection]:
        """Have the connection to oneself, and end its transaction before whatever it does next, without a wait for that."""
        try:
            yield ThreadConnection(self)
        finally:
            self._executor.submit(self._do, self._roll_back)

    async def at_once(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function of the connection in a transaction of its own, which is rolled back."""
        try:
            return await self.run(work)
        finally:
            self._executor.submit(self._do, self._roll_back)

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function of the connection in the thread; it begins a transaction by itself."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._do, work)

    async def close(self) -> None:
        """Close the connection and end the thread."""
        if self._connection is not None:
            await self.run(lambda connection: connection.close())
        self._executor.shutdown(wait=False)
        if self._queue is not None:
            self._queue.close()

    def _commit(self, connection: sa.Connection) -> None:
        connection.commit()
        self._leave()

    def _roll_back(self, connection: sa.Connection) -> None:
        """Roll back what was begun.

        A connection whose BEGIN has failed is closed: SQLAlchemy believes to be beginning from then on, and would let every
        statement commit by itself.
        """
        try:
            if connection.in_transaction():
                connection.rollback()
            else:
                self._connection = None
                connection.close()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._queue is not None:
            self._queue.leave()

    def _do(self, work: Callable[[sa.Connection], T]) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        return work(self._connection)


class ConnectionThreads:
    """A few reading threads, one for reading at length, and one that writes."""

    def __init__(self, path: Path, readers: int = 2) -> None:
        """Nothing is opened yet."""
        queue = FileQueue(path)
        reading = _engine(path, "BEGIN", pragmas=(*_PRAGMAS, "query_only=ON"))
        self._writer = ConnectionThread(_engine(path, "BEGIN IMMEDIATE", queue.enter, _WRITING), queue)
        self._readers = [ConnectionThread(reading) for _ in range(readers)]
        self._aside = ConnectionThread(reading)
        self._one_aside = asyncio.Lock()
        self._free: asyncio.Queue[ConnectionThread] = asyncio.Queue()
        for reader in self._readers:
            self._free.put_nowait(reader)

    @asynccontextmanager
    async def read(self, *, patient: bool = False) -> AsyncIterator[ThreadConnection]:
        """A connection that sees one consistent state; the ``patient`` share one, and keep nobody else waiting."""
        if patient:
            async with self._one_aside, self._aside.reading() as connection:
                yield connection
            return
        reader = await self._free.get()
        try:
            async with reader.reading() as connection:
                yield connection
        finally:
            self._free.put_nowait(reader)

    async def at_once(self, work: Callable[[sa.Connection], T]) -> T:
        """Return what a function of a reading connection returns."""
        reader = await self._free.get()
        try:
            return await reader.at_once(work)
        finally:
            self._free.put_nowait(reader)

    @asynccontextmanager
    async def write(self, *, patient: bool = False) -> AsyncIterator[ThreadConnection]:
        """The one writing connection; other tasks of this process wait their turn, the ``patient`` let them pass."""
        async with self._writer.transaction(patient=patient) as connection:
            yield connection

    async def close(self) -> None:
        """Close every connection."""
        for thread in (self._writer, self._aside, *self._readers):
            await thread.close()


def _engine(
    path: Path, begin: str, before: Callable[[], None] | None = None, pragmas: Sequence[str] = _PRAGMAS
) -> sa.Engine:
    """Make an engine with our pragmas; its transactions begin as told (https://sqlite.org/lang_transaction.html)."""
    engine = sa.create_engine(
        f"sqlite:///{path}", connect_args={"isolation_level": None}, poolclass=sa.NullPool, hide_parameters=True
    )

    @sa.event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @sa.event.listens_for(engine, "begin")
    def _on_begin(connection: sa.Connection) -> None:
        if before is not None:
            before()
        connection.exec_driver_sql(begin)

    return engine


class Turns:
    """One at a time within a process: whoever is urgent first, then the patient, each in the order in which they came."""

    def __init__(self) -> None:
        """Nobody is at it."""
        self._taken = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self, *, patient: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the block."""
        if self._taken:
            await self._wait(self._patient if patient else self._urgent)
        self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, queue: deque[asyncio.Future[None]]) -> None:
        waiting = asyncio.get_running_loop().create_future()
        queue.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Hand the turn to the next in line; it stays taken meanwhile."""
        for queue in (self._urgent, self._patient):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    waiting.set_result(None)
                    return
        self._taken = False


class FileQueue:
    """Two file locks that processes pass through to write: who holds the first is next, who holds the second writes.

    The first is given up only once the second is held, so a process that writes step by step queues up behind whoever
    came meanwhile. The system drops both when a process dies.
    """

    def __init__(self, path: Path) -> None:
        """Queue beside this database file."""
        self._paths = [path.with_name(f"{path.name}-{name}") for name in ("next", "writes")]
        self._files: list[int] = []

    def enter(self) -> None:
        """Wait for the turn to write; after a while go on without it: the database then says that it is locked."""
        if not self._files:
            self._files = [os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE) for path in self._paths]
        waiting, writing = self._files
        ends = time.monotonic() + _LONGEST_WAIT
        if _lock(waiting, ends):
            _lock(writing, ends)
            _unlock(waiting)

    def leave(self) -> None:
        """Let the next one write."""
        if self._files:
            _unlock(self._files[1])

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())


def _lock(file: int, ends: float) -> bool:
    while not try_lock(file):
        if time.monotonic() > ends:
            return False
        time.sleep(_LOOK_AGAIN)
    return True


if sys.platform == "win32":

    def try_lock(_file: int) -> bool:
        """Take no lock: SQLite's own is all there is."""
        return True

    def _unlock(_file: int) -> None:
        """Nothing is locked."""

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock a file that is open, or say at once that another open one is locked; the lock goes when it is closed."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without such locks
            return True
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
