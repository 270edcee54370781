"""Imports: files become one batch that adds nothing twice and can be taken back whole."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.deletion import forget_phrases
from ledger.errors import AmbiguousDates, NothingToUndo, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.pairing import pair_up, unpair
from ledger.statement_writer import FileReport, Progress, SourceFile, StatementWriter
from ledger.store import utc_now

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository
    from ledger.transactions import Statement

Within = Callable[["AsyncConnection"], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of an import; ``batch`` is None in a dry run and where nothing was added."""

    batch: int | None
    files: tuple[FileReport, ...]

    @property
    def failed(self) -> bool:
        """Whether any file could not be read."""
        return any(file.error for file in self.files)


@dataclass(frozen=True, slots=True)
class Undone:
    """What taking back an import removed."""

    batch: int
    removed: int


class _DryRun(Exception):
    """Leaves the transaction so that it rolls back."""


async def import_files(  # noqa: PLR0913 - what an import may be told
    repository: Repository,
    files: Sequence[SourceFile],
    hints: Hints | None = None,
    *,
    dry_run: bool = False,
    currency: str | None = None,
    progress: Progress = lambda _file, _done, _all: None,
    within: Within | None = None,
) -> ImportReport:
    """Read files and add their transactions as one batch, in one database transaction.

    A dry run does all of it and takes it back, so its figures are those of the import. ``currency`` is meant where
    neither file, hint nor account says one. ``within`` is done in the same transaction, before it commits.
    """
    hints = hints or Hints()
    statements = [await asyncio.to_thread(_read, source, hints) for source in files]  # while others may still write
    reports: list[FileReport] = []
    batch: int | None = None
    async with _transaction(repository) as connection:
        writer = await StatementWriter.open(connection, repository, hints, currency)
        for source, statement in zip(files, statements, strict=True):
            if isinstance(statement, FileReport):
                reports.append(statement)
            else:
                reports.append(await writer.add(source, statement, progress))
        if any(report.added for report in reports):
            await pair_up(connection, repository.ledger_id, writer.first, writer.last)
            await touch(connection, repository.ledger_id)
            batch = writer.batch
        else:
            await _drop(connection, repository.ledger_id, writer.batch)
        if within is not None:
            await within(connection)
        if dry_run:
            raise _DryRun
    return ImportReport(None if dry_run else batch, tuple(reports))


def _read(source: SourceFile, hints: Hints) -> Statement | FileReport:
    """Return what a file states, or the report of why it can't be read."""
    try:
        return read_statement(source.name, source.data, hints)
    except AmbiguousDates as error:
        return FileReport(source.name, error=error.message, ambiguous=error)
    except UnreadableFile as error:
        return FileReport(source.name, error=error.message)


async def _drop(connection: AsyncConnection, ledger_id: int, batch: int) -> None:
    """Take out a batch that nothing was added by, and the accounts that were made for it."""
    await connection.execute(schema.batches.delete().where(schema.batches.c.id == batch))
    await forget_unused(connection, ledger_id)


@asynccontextmanager
async def _transaction(repository: Repository) -> AsyncIterator[AsyncConnection]:
    try:
        async with repository.store.write() as connection:
            yield connection
    except _DryRun:
        return


async def undo_import(repository: Repository, batch: int | None = None, *, within: Within | None = None) -> Undone:
    """Take back a batch, the latest by default; ``within`` is done in the same transaction, before it commits.

    Raises:
        NothingToUndo: there is no such batch of this ledger, or it was taken back already.
    """
    table = schema.batches.c
    query = sa.select(table.id).where(table.ledger_id == repository.ledger_id, table.undone_at.is_(None))
    if batch is not None:
        query = query.where(table.id == batch)
    async with repository.store.write() as connection:
        found = (await connection.execute(query.order_by(table.id.desc()).limit(1))).scalar_one_or_none()
        if found is None:
            raise NothingToUndo("There is no import left to take back.")
        rows = schema.transactions.c
        mine = (rows.ledger_id == repository.ledger_id) & (rows.batch_id == found)
        await unpair(connection, mine)
        removed = (await connection.execute(schema.transactions.delete().where(mine))).rowcount
        await connection.execute(schema.batches.update().where(table.id == found).values(undone_at=utc_now()))
        await forget_unused(connection, repository.ledger_id)
        await touch(connection, repository.ledger_id)
        if within is not None:
            await within(connection)
    return Undone(int(found), int(removed))


async def forget_unused(connection: AsyncConnection, ledger_id: int) -> None:
    """Drop search strings and accounts that no transaction has any more; the index is told by a queue."""
    used = sa.select(schema.transactions.c.phrase_id).where(schema.transactions.c.ledger_id == ledger_id)
    unused = (schema.phrases.c.ledger_id == ledger_id) & schema.phrases.c.id.not_in(used)
    await forget_phrases(connection, unused)
    accounts = sa.select(schema.transactions.c.account_id).where(schema.transactions.c.ledger_id == ledger_id)
    await connection.execute(
        schema.accounts.delete().where(schema.accounts.c.ledger_id == ledger_id, schema.accounts.c.id.not_in(accounts))
    )


async def touch(connection: AsyncConnection, ledger_id: int) -> None:
    """Say that the ledger has changed, so that names kept in memory are read again."""
    revision = schema.ledgers.c.revision
    await connection.execute(
        schema.ledgers.update().where(schema.ledgers.c.id == ledger_id).values(revision=revision + 1)
    )
