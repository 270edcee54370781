"""Files whose very bytes came in before: read another way now, their rows would be there twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.visibility import BatchKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.repository import Repository


async def files_before(repository: Repository, digests: Iterable[str]) -> dict[str, int]:
    """Return the latest import of each file that is there already, by the digest of its bytes."""
    files, batches = schema.files.c, schema.batches.c
    query = (
        sa.select(files.sha256, sa.func.max(batches.id).label("batch"))
        .join(schema.batches, batches.id == files.batch_id)
        .where(batches.ledger_id == repository.ledger_id, batches.kind == BatchKind.IMPORT.value)
        .where(batches.undone_at.is_(None), batches.finished_at.is_not(None))
        .where(files.sha256.in_(sorted(set(digests))), files.added > 0)
        .group_by(files.sha256)
    )
    async with repository.store.read() as connection:
        return {row.sha256: row.batch for row in await connection.execute(query)}


def said_before(batch: int, added: int, found: int) -> str:
    """Say that a file came in before as an import, and that so many of its rows are new all the same."""
    rows = "its rows are" if added == found else f"{added} of its {found} rows {'is' if added == 1 else 'are'}"
    return (
        f"This very file came in before, as import {batch}; {rows} new because it is read another way now. "
        f"If that is the right one, undo import {batch}, or they count twice."
    )
