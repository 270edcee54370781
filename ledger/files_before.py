"""Files whose very bytes came in before: read another way now, their rows would be there twice."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.visibility import BatchKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.repository import Repository
    from ledger.statement_writer import FileReport


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


def with_note(report: FileReport, batch: int | None) -> FileReport:
    """Return the report of a file that says so where it came in before as an import and has rows that are new all the same."""
    if batch is None or not report.added:
        return report
    several = f"{report.added} of its {report.found} rows {'is' if report.added == 1 else 'are'}"
    rows = "its rows are" if report.added == report.found else several
    note = (
        f"This very file came in before, as import {batch}; {rows} new because it is read another way now. "
        f"If that is the right one, undo import {batch}, or they count twice."
    )
    return replace(report, warnings=(note, *report.warnings))
