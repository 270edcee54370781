"""What the person said of the direction of money in earlier files, by layout and account."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.direction import Reading

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.direction import Decision
    from ledger.repository import Repository

_table = schema.layout_directions.c


async def remembered_directions(repository: Repository) -> dict[tuple[str, str], Reading]:
    """Return how files are read of which the person was asked before, by layout and account."""
    query = sa.select(_table.layout, _table.account, _table.reading).where(_table.ledger_id == repository.ledger_id)
    query = query.order_by(_table.batch_id)  # the latest answer counts
    async with repository.store.read() as connection:
        return {(row.layout, row.account): Reading(row.reading) for row in await connection.execute(query)}


async def remember_direction(connection: AsyncConnection, ledger_id: int, batch: int, decision: Decision) -> None:
    """Keep the person's answer, as long as the import stands that it was given for."""
    mine = (_table.batch_id == batch, _table.layout == decision.layout, _table.account == decision.account)
    await connection.execute(schema.layout_directions.delete().where(*mine))
    values = {
        "ledger_id": ledger_id,
        "layout": decision.layout,
        "account": decision.account,
        "reading": decision.reading.value,
        "batch_id": batch,
    }
    await connection.execute(schema.layout_directions.insert().values(values))


async def forget_directions(connection: AsyncConnection, batch: int) -> None:
    """Forget the answers that were given for an import."""
    await connection.execute(schema.layout_directions.delete().where(_table.batch_id == batch))
