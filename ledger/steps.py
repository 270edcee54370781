"""Long writing in short transactions: each lets others in before and after it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa

from ledger import schema
from ledger.errors import LedgerGone
from ledger.store import utc_now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.store import Store

T = TypeVar("T")

#: How long a step should take, in seconds, and the bounds within which its size follows from that.
_WANTED = 0.03
_LEAST, _MOST, _FIRST = 150, 2000, 400
#: The same where nobody serves the database: no message waits, and the pages of the indices are written less often.
_WANTED_ALONE, _MOST_ALONE, _SHORTEN_ALONE_AFTER = 1.0, 10_000, 30_000
#: PostgreSQL's client works in the event loop, so that a step keeps everything waiting for as long as it takes to hand over.
_MOST_IN_LOOP = 150
#: How many rows are written before the database's log is shortened: about 30 MB of it.
_SHORTEN_AFTER = 5000


class Steps:
    """The steps of one piece of work on a ledger; ``size`` is how many rows the next one should write."""

    def __init__(self, store: Store, ledger_id: int) -> None:
        """Begin with a modest step."""
        self._in_loop = store.dialect != "sqlite"
        self.size = min(_FIRST, _MOST_IN_LOOP if self._in_loop else _MOST)
        self._logged = 0
        self._store = store
        self._ledger_id = ledger_id

    async def do(self, rows: int, work: Callable[[AsyncConnection, int], Awaitable[T]]) -> T:
        """Commit what the work writes, about so many rows; it is given the ledger's revision, which holds meanwhile.

        Raises:
            LedgerGone: the ledger was deleted.
        """
        async with self._store.write(patient=True) as connection:
            revision = await current_revision(connection, self._ledger_id)
            served = self._in_loop or await _is_served(connection)
            began = time.perf_counter()
            result = await work(connection, revision)
            taken = max(time.perf_counter() - began, 0.001)
        self._logged += rows
        if self._logged >= (_SHORTEN_AFTER if served else _SHORTEN_ALONE_AFTER):
            self._logged = 0
            await self._store.shorten_log()
        if rows:
            wanted, most = (_WANTED, _MOST) if served else (_WANTED_ALONE, _MOST_ALONE)
            most = min(most, _MOST_IN_LOOP) if self._in_loop else most
            self.size = min(most, max(_LEAST, min(2 * self.size, int(rows * wanted / taken))))
        return result


async def _is_served(connection: AsyncConnection) -> bool:
    """Whether somebody answers messages from this database now."""
    live = sa.select(schema.leases.c.name).where(schema.leases.c.expires_at > utc_now())
    return (await connection.execute(live.limit(1))).first() is not None


async def current_revision(connection: AsyncConnection, ledger_id: int) -> int:
    """Return a ledger's revision, which nobody changes before the transaction is over."""
    ledgers = schema.ledgers.c
    query = sa.select(ledgers.revision).where(ledgers.id == ledger_id).with_for_update(read=True)
    revision = (await connection.execute(query)).scalar_one_or_none()
    if revision is None:
        raise LedgerGone("This ledger was deleted meanwhile.")
    return int(revision)
