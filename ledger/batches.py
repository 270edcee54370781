"""Past imports, as far as they can still be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.money import Money

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository


@dataclass(frozen=True, slots=True)
class Batch:
    """One import: when it was, the names of its files, and what of it is in the ledger."""

    id: int
    imported_at: datetime
    files: tuple[str, ...]
    count: int
    sums: tuple[Money, ...]
    first: date | None
    last: date | None


async def last_batch(repository: Repository, batch: int | None = None) -> Batch | None:
    """Return the import that would be taken back, the latest or the one with this id; None if there is none."""
    found = await _find(repository, 1, batch)
    return found[0] if found else None


async def recent_batches(repository: Repository, most: int) -> tuple[Batch, ...]:
    """Return the latest imports that can still be taken back, the latest first."""
    return await _find(repository, most)


async def _find(repository: Repository, most: int, batch: int | None = None) -> tuple[Batch, ...]:
    batches = schema.batches.c
    query = sa.select(batches.id, batches.created_at).where(
        batches.ledger_id == repository.ledger_id, batches.undone_at.is_(None)
    )
    if batch is not None:
        query = query.where(batches.id == batch)
    async with repository.store.read() as connection:
        found = (await connection.execute(query.order_by(batches.id.desc()).limit(most))).all()
        return tuple([await _read(connection, repository.ledger_id, row) for row in found])


async def _read(connection: AsyncConnection, ledger_id: int, found: Any) -> Batch:
    rows = schema.transactions.c
    names = sa.select(schema.files.c.name).where(schema.files.c.batch_id == found.id).order_by(schema.files.c.id)
    files = tuple((await connection.execute(names)).scalars())
    mine = (rows.ledger_id == ledger_id) & (rows.batch_id == found.id)
    totals = (
        sa.select(
            rows.currency, sa.func.count().label("rows"), sa.func.sum(rows.amount_minor).label("minor"),
            sa.func.min(rows.booked_on).label("first"), sa.func.max(rows.booked_on).label("last"),
        )
        .where(mine).group_by(rows.currency).order_by(rows.currency)
    )  # fmt: skip
    sums = (await connection.execute(totals)).all()
    return Batch(
        id=int(found.id),
        imported_at=datetime.fromisoformat(found.created_at),
        files=files,
        count=sum(int(each.rows) for each in sums),
        sums=tuple(Money(int(each.minor), each.currency) for each in sums),
        first=min((date.fromisoformat(each.first) for each in sums), default=None),
        last=max((date.fromisoformat(each.last) for each in sums), default=None),
    )
