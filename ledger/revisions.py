"""A ledger's revision: it counts the changes, so that what is kept in memory is read again after one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import schema

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


async def touch(connection: AsyncConnection, ledger_id: int) -> None:
    """Say that the ledger has changed."""
    revision = schema.ledgers.c.revision
    await connection.execute(
        schema.ledgers.update().where(schema.ledgers.c.id == ledger_id).values(revision=revision + 1)
    )
