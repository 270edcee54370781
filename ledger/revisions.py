"""A ledger's revision: it counts the changes, so that what is kept in memory is read again after one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import sqlalchemy as sa

from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
_ledgers = schema.ledgers.c


async def touch(connection: AsyncConnection, ledger_id: int) -> None:
    """Say that the ledger has changed."""
    counted = schema.ledgers.update().where(_ledgers.id == ledger_id).values(revision=_ledgers.revision + 1)
    await connection.execute(counted)


@dataclass(slots=True)
class Planned(Generic[T]):
    """What a long look at a ledger came to, which is looked up again where something has changed since."""

    make: Callable[[AsyncConnection], Awaitable[T]]
    revision: int | None = None
    made: T | None = None

    async def look(self, connection: AsyncConnection, ledger_id: int, *, touched: bool = False) -> T:
        """Return it as of now; ``touched`` if the transaction has said itself that it changes the ledger."""
        query = sa.select(_ledgers.revision).where(_ledgers.id == ledger_id)
        revision = int((await connection.execute(query)).scalar_one_or_none() or 0) - int(touched)
        if self.made is None or revision != self.revision:
            self.revision, self.made = revision, await self.make(connection)
        return self.made
