"""Past imports, as far as they can still be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.money import Money
from ledger.tallies import kept
from ledger.visibility import BatchKind

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


async def read_batch(connection: AsyncConnection, repository: Repository, batch: int) -> Batch | None:
    """Return an import as it stands in the caller's transaction."""
    found = (await connection.execute(_open_batches(repository, batch))).one_or_none()
    return None if found is None else await _read(connection, repository.ledger_id, found)


async def recent_batches(repository: Repository, most: int) -> tuple[Batch, ...]:
    """Return the latest imports that can still be taken back, the latest first."""
    return await _find(repository, most)


async def _find(repository: Repository, most: int, batch: int | None = None) -> tuple[Batch, ...]:
    query = _open_batches(repository, batch).order_by(schema.batches.c.id.desc()).limit(most)
    async with repository.store.read() as connection:
        found = (await connection.execute(query)).all()
        return tuple([await _read(connection, repository.ledger_id, row) for row in found])


def _open_batches(repository: Repository, batch: int | None) -> sa.Select[tuple[int, str]]:
    batches = schema.batches.c
    query = sa.select(batches.id, batches.created_at).where(
        batches.ledger_id == repository.ledger_id, batches.undone_at.is_(None), batches.finished_at.is_not(None),
        batches.kind == BatchKind.IMPORT,
    )  # fmt: skip
    return query if batch is None else query.where(batches.id == batch)


async def _read(connection: AsyncConnection, ledger_id: int, found: Any) -> Batch:
    sums = schema.sums.c
    names = sa.select(schema.files.c.name).where(schema.files.c.batch_id == found.id).order_by(schema.files.c.id)
    files = tuple((await connection.execute(names)).scalars())
    totals = (
        sa.select(
            sums.currency, sa.func.sum(sums.count).label("rows"), sa.func.sum(sums.minor * sums.sign).label("minor"),
            sa.func.min(sums.first_on).label("first"), sa.func.max(sums.last_on).label("last"),
        )
        .where(*kept(ledger_id, "month"), sums.batch_id == found.id).group_by(sums.currency).order_by(sums.currency)
    )  # fmt: skip
    come_to = (await connection.execute(totals)).all()
    return Batch(
        id=int(found.id),
        imported_at=datetime.fromisoformat(found.created_at),
        files=files,
        count=sum(int(each.rows) for each in come_to),
        sums=tuple(Money(int(each.minor), each.currency) for each in come_to),
        first=min((date.fromisoformat(each.first) for each in come_to), default=None),
        last=max((date.fromisoformat(each.last) for each in come_to), default=None),
    )
