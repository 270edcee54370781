"""What a running tool holds of a person's ledger: it reads until its call has ended, and never writes.

A tool may run in a thread with an event loop of its own. What it reads is read on the program's loop all the same, which
alone may touch the database; so a call that has ended, or whose time is over, has nothing left in its hands.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import sqlalchemy as sa

from ledger.repository import Repository
from tools.errors import CallEnded, WriteRefused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.search import Found
    from ledger.store import Store
    from tools.context import PhraseSearch, ToolContext

T = TypeVar("T")


class Guard:
    """The handles of one call; made on the program's loop, and closed there when the call has ended."""

    def __init__(self) -> None:
        """Nothing is open yet."""
        self._home = asyncio.get_running_loop()
        self._open: set[AsyncExitStack] = set()
        self._closed = False

    def context(self, context: ToolContext) -> ToolContext:
        """Return the context that a tool is given: the same ledger, names and habits, to be read through this guard."""
        return replace(context, ledger=_HeldLedger(context, self), search=_HeldSearch(context.search, self))

    def connection(self, connection: AsyncConnection) -> AsyncConnection:
        """Return a transaction for the work that a person has confirmed."""
        return cast("AsyncConnection", _HeldConnection(connection, self))

    async def home(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run something on the program's loop, from whichever loop a tool has.

        Raises:
            CallEnded: the call has ended.
        """
        if self._closed:
            raise CallEnded
        if asyncio.get_running_loop() is self._home:
            return await work()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._still(work), self._home))

    async def enter(self, store: Store) -> tuple[Any, AsyncExitStack]:
        """Open a read that is given back when the call ends, at the latest."""
        stack = AsyncExitStack()
        connection = await stack.enter_async_context(store.read())
        if self._closed:
            await stack.aclose()
            raise CallEnded
        self._open.add(stack)
        return connection, stack

    async def leave(self, stack: AsyncExitStack) -> None:
        """Give a read back."""
        self._open.discard(stack)
        await stack.aclose()

    async def close(self) -> None:
        """End the call: what it holds open is given back, and what it still tries is refused."""
        self._closed = True
        while self._open:
            with suppress(Exception):  # a connection that broke meanwhile has nothing to give back
                await self._open.pop().aclose()

    async def _still(self, work: Callable[[], Awaitable[T]]) -> T:
        if self._closed:  # it ended on the way here
            raise CallEnded
        return await work()


class _HeldLedger(Repository):
    """The ledger in a tool's hands: what it reads itself is read at home, and leaves nothing open."""

    def __init__(self, context: ToolContext, guard: Guard) -> None:
        ledger = context.ledger
        # a store as far as tools may use one: the ledgers of others can't be opened with it
        held = cast("Store", _HeldStore(ledger.store, guard))
        super().__init__(held, ledger.person_id, ledger.ledger_id, context.vocabulary)
        self._at_once = ledger.store.at_once
        self._guard = guard

    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        return await self._guard.home(lambda: self._at_once(work))


class _HeldStore:
    """The store in a tool's hands."""

    def __init__(self, store: Store, guard: Guard) -> None:
        self._store = store
        self._guard = guard
        self.path = store.path
        self.dialect = store.dialect

    @asynccontextmanager
    async def read(self) -> AsyncIterator[_HeldReading]:
        connection, stack = await self._guard.home(lambda: self._guard.enter(self._store))
        try:
            yield _HeldReading(connection, self._guard)
        finally:
            with suppress(CallEnded):  # which gave it back
                await self._guard.home(lambda: self._guard.leave(stack))

    def write(self) -> Any:
        """Refuse: what a tool changes, it proposes."""
        raise WriteRefused


class _HeldConnection:
    """The connection of a change's work: statements only, since a function of it would hold its thread."""

    def __init__(self, connection: Any, guard: Guard) -> None:
        self._connection = connection
        self._guard = guard

    @property
    def dialect(self) -> sa.Dialect:
        return cast("sa.Dialect", self._connection.dialect)

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> Any:
        return await self._guard.home(lambda: self._execute(statement, parameters))

    def _execute(self, statement: sa.Executable, parameters: Any) -> Coroutine[Any, Any, Any]:
        return cast("Coroutine[Any, Any, Any]", self._connection.execute(statement, parameters))


class _HeldReading(_HeldConnection):
    """The same for what only reads."""

    async def execute(self, statement: sa.Executable, parameters: Any = None) -> Any:
        if not isinstance(statement, sa.SelectBase):
            raise WriteRefused
        return await super().execute(statement, parameters)


class _HeldSearch:
    """The search in a tool's hands."""

    def __init__(self, search: PhraseSearch, guard: Guard) -> None:
        self._search = search
        self._guard = guard

    async def find(self, query: str, limit: int) -> Found:
        return await self._guard.home(lambda: self._search.find(query, limit))
