"""Who serves a database: a lease in that database, renewed while its holder lives, and fenced by an epoch.

Each taking of the lease has an epoch of its own. What a holder claims or finishes checks in the same transaction that its
epoch still holds, so that a process which lost the lease unawares (it slept, or its connection did) changes nothing more.
"""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bots.errors import LeaseHeld, LeaseLost, outline
from bots.jobs import leave_no_worker
from bots.transactions import write
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ledger.store import Store

_log = structlog.get_logger(__name__)
_leases = schema.leases.c

#: How long a holder that is not heard of keeps others out; it is heard of three times as often.
TERM = timedelta(seconds=30)
_SERVING = "serving"
#: Who holds it where several processes share the work; a holder that is alone has a random name.
_SHARED = "shared"
_LOST = "Another bot has taken over this database, so this one has stopped."


class Fence(Protocol):
    """What tells whether this process may still do what it has begun; each taking has an epoch of its own."""

    epoch: int

    def fence(self, connection: sa.Connection) -> None:
        """Keep it so until this transaction ends; raises LeaseLost."""
        ...

    async def confirm(self) -> None:
        """Return if it may; raises LeaseLost."""
        ...


class Lease:
    """One holder's lease. The holder must be alone under its name: what it held before, it may take at once.

    ``shared`` is the lease of processes that share the work: whichever comes first takes it, and all keep it. They keep out
    one that would serve alone, and it keeps them out; among themselves they are told apart by ``bots/jobs.py``.
    On PostgreSQL the server's clock counts; an SQLite file is on the machine of all who open it.
    """

    def __init__(
        self,
        store: Store,
        holder: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = time.monotonic,
        *,
        shared: bool = False,
    ) -> None:
        """Nothing is taken before ``acquire``."""
        self.shared = shared
        self.epoch = 0
        self.lost = asyncio.Event()
        self._store = store
        self._holder = _SHARED if shared else holder
        self._now = now
        self._seconds = seconds
        self._sure_until = 0.0

    async def acquire(self) -> None:
        """Take the lease under a new epoch.

        Raises:
            LeaseHeld: another holder has it, and was heard of lately.
        """
        began = self._seconds()
        try:
            self.epoch = await write(self._store, self._take)
        except IntegrityError as error:  # somebody made the row between our look and our insert
            raise _held(TERM) from error
        self._sure_until = began + TERM.total_seconds()

    async def keep(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Renew the lease until it is lost; a database that is away for a while loses nobody theirs."""
        while not self.lost.is_set():
            await sleep(TERM.total_seconds() / 3)
            try:
                await self._renew()
            except LeaseLost:
                return
            except (SQLAlchemyError, OSError) as error:
                _log.warning("lease_not_renewed", error=outline(error))

    @property
    def sure(self) -> bool:
        """Whether the lease is ours without asking the database."""
        return not self.lost.is_set() and self._seconds() < self._sure_until

    async def confirm(self) -> None:
        """Return if the lease is ours for sure, asking the database where it was not renewed in time.

        Raises:
            LeaseLost: it is another's.
        """
        if self.lost.is_set():
            raise LeaseLost(_LOST)
        if not self.sure:
            await self._renew()

    def fence(self, connection: sa.Connection) -> None:
        """Let nobody take the lease before this transaction ends.

        Raises:
            LeaseLost: somebody has.
        """
        if connection.execute(_FENCE).scalar_one_or_none() != self.epoch:
            raise self._gone()

    async def release(self) -> None:
        """Leave the lease to whoever comes next; one that others share expires after the last of them."""
        if not self.lost.is_set() and not self.shared:
            await write(self._store, lambda connection: self._expire(connection, timedelta(0)))

    async def _renew(self) -> None:
        began = self._seconds()
        if not await write(self._store, lambda connection: self._expire(connection, TERM)):
            raise self._gone()
        self._sure_until = began + TERM.total_seconds()

    def _take(self, connection: sa.Connection) -> int:
        now = self._instant(connection)
        row = connection.execute(_LOOK).one_or_none()
        values: dict[str, Any] = {"holder": self._holder, "expires_at": _stamp(now + TERM)}
        if row is None:
            connection.execute(schema.leases.insert(), {"name": _SERVING, "epoch": 1, **values})
            return 1
        left = datetime.fromisoformat(row.expires_at) - now
        if row.holder != self._holder and left > timedelta(0):
            raise _held(left)
        if self.shared and row.holder == self._holder:
            connection.execute(_MINE.values(**values))
            return int(row.epoch)
        if row.holder == _SHARED:
            leave_no_worker(connection)
        connection.execute(_MINE.values(epoch=row.epoch + 1, **values))
        return int(row.epoch) + 1

    def _expire(self, connection: sa.Connection, term: timedelta) -> int:
        until = _stamp(self._instant(connection) + term)
        still = _MINE.where(_leases.holder == self._holder, _leases.epoch == self.epoch)
        return connection.execute(still.values(expires_at=until)).rowcount

    def _instant(self, connection: sa.Connection) -> datetime:
        return _database_instant(connection) if connection.dialect.name == "postgresql" else self._now()

    def _gone(self) -> LeaseLost:
        if not self.lost.is_set():
            _log.error("lease_lost", epoch=self.epoch)
            self.lost.set()
        return LeaseLost(_LOST)


async def vacate(store: Store) -> None:
    """Let anybody take the lease of a database that nobody serves, such as one that comes out of a backup."""
    await write(
        store,
        lambda connection: connection.execute(_MINE.values(expires_at=_stamp(datetime.fromtimestamp(0, UTC)))).rowcount,
    )


def keep_to_vacant(connection: sa.Connection) -> None:
    """Raise LeaseHeld where a process serves this PostgreSQL database, or did so until a moment ago."""
    row = connection.execute(_LOOK).one_or_none()
    if row is not None:
        left = datetime.fromisoformat(row.expires_at) - _database_instant(connection)
        if left > timedelta(0):
            raise _held(left)


def _database_instant(connection: sa.Connection) -> datetime:
    instant: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    return instant


def _held(left: timedelta) -> LeaseHeld:
    seconds = max(1, round(left.total_seconds()))
    return LeaseHeld(
        f"Another bot serves this database. Stop it first; if it is gone, its place is free in {seconds} seconds."
    )


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")


_MINE = schema.leases.update().where(_leases.name == _SERVING)
_LOOK = sa.select(schema.leases).where(_leases.name == _SERVING).with_for_update()
_FENCE = sa.select(_leases.epoch).where(_leases.name == _SERVING).with_for_update(read=True)
