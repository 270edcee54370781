"""One at a time per ledger, over several transactions and in all processes: an import, or taking one back.

What is held ends with its process, so nobody has to judge by a clock whether a holder still lives.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger.errors import LedgerBusy
from ledger.threads import Turns, try_lock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

_BUSY = "Something else is being done to this ledger."
_LOOK_AGAIN = 0.05
#: Keeps our advisory locks apart from other programs' in a shared PostgreSQL: ledgers' ids take 48 bits.
_OURS = 0x4D4D << 48


class _Within:
    """Turns at each ledger within this process."""

    def __init__(self) -> None:
        self._turns: dict[int, tuple[Turns, int]] = {}

    @asynccontextmanager
    async def turn(self, ledger_id: int, *, wait: bool) -> AsyncIterator[None]:
        if not wait and ledger_id in self._turns:
            raise LedgerBusy(_BUSY)
        turns, users = self._turns.get(ledger_id, (Turns(), 0))
        self._turns[ledger_id] = turns, users + 1
        try:
            async with turns.turn():
                yield
        finally:
            turns, users = self._turns.pop(ledger_id)
            if users > 1:
                self._turns[ledger_id] = turns, users - 1


class FileExclusion:
    """By a locked file for each ledger beside an SQLite database."""

    def __init__(self, path: Path) -> None:
        """Nothing is locked yet."""
        self._path = path
        self._within = _Within()

    @asynccontextmanager
    async def alone(self, ledger_id: int, *, wait: bool = True) -> AsyncIterator[None]:
        """Hold a ledger for the block; raises LedgerBusy where somebody else does and ``wait`` is false."""
        path = self._path.with_name(f"{self._path.name}-import-{ledger_id}")
        async with self._within.turn(ledger_id, wait=wait):
            file = await _held(path, wait=wait)
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
                os.close(file)


async def _held(path: Path, *, wait: bool) -> int:
    """Return a locked file, once it is, and is still the one of that name: its last holder removes it."""
    while True:
        file = _hold(path)
        if file is not None:
            return file
        if not wait:
            raise LedgerBusy(_BUSY)
        await asyncio.sleep(_LOOK_AGAIN)


def _hold(path: Path) -> int | None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with suppress(OSError):
        if try_lock(file) and os.path.samestat(os.fstat(file), path.stat()):
            return file
    os.close(file)
    return None


class AdvisoryExclusion:
    """By an advisory lock, on a PostgreSQL connection of its own (https://www.postgresql.org/docs/current/explicit-locking.html)."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Nothing is locked yet."""
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._within = _Within()

    @asynccontextmanager
    async def alone(self, ledger_id: int, *, wait: bool = True) -> AsyncIterator[None]:
        """Hold a ledger for the block; raises LedgerBusy where somebody else does and ``wait`` is false."""
        async with self._within.turn(ledger_id, wait=wait), self._engine.connect() as connection:
            await _lock(connection, _OURS | ledger_id, wait=wait)
            try:
                yield
            finally:
                await connection.invalidate()  # ends the session, and with it the lock, whatever became of it


async def _lock(connection: AsyncConnection, key: int, *, wait: bool) -> None:
    while True:
        if (await connection.execute(_TRY, {"key": key})).scalar_one():
            return
        if not wait:
            raise LedgerBusy(_BUSY)
        await asyncio.sleep(_LOOK_AGAIN)


_TRY = sa.text("SELECT pg_try_advisory_lock(:key)").bindparams(sa.bindparam("key", type_=sa.BigInteger()))
