"""Imports: files become one batch that adds nothing twice and can be taken back whole.

A file may take long, and others write meanwhile. So its rows come in by short transactions, and none of them shows before
the last one (:mod:`ledger.staging`); what breaks off is taken out again, at the latest by the next import or start.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from language.catalogue import say
from ledger import schema
from ledger.account_journal import strike_out
from ledger.account_names import remember
from ledger.balances import forget_balances
from ledger.errors import AmbiguousCurrency, NothingToUndo, UnreadableFile
from ledger.files_before import files_before, with_note
from ledger.importers import Hints, open_statement
from ledger.kept_layouts import keep_layout, kept_layouts
from ledger.known_rows import KnownRows
from ledger.layout_directions import forget_directions, remember_direction, remembered_directions
from ledger.meetings import HandRows, give_back
from ledger.merging import give_back_merged
from ledger.other_words import OtherWords
from ledger.pairing import unpair
from ledger.reconciling import Books
from ledger.refunds import let_go
from ledger.revisions import touch
from ledger.staging import Stage, clear
from ledger.statement_accounts import KnownAccounts, name_from
from ledger.statement_writer import FileReport, OpenFile, Progress, SourceFile, Tally
from ledger.store import utc_now
from ledger.threads import to_the_end
from ledger.transactions import Statement
from ledger.visibility import BESIDE_AN_IMPORT, BatchKind, shows
from ledger.working import aside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.direction import Decision
    from ledger.importers.table.stated import SeenTable, StatedLayout
    from ledger.repository import Repository


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of an import; ``batch`` is None in a dry run and where nothing is new, neither a row nor a balance."""

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


#: What belongs into the transaction that lets an import show, or no longer: it is told what was done.
Within = Callable[["AsyncConnection", ImportReport], Awaitable[None]]
WithinUndo = Callable[["AsyncConnection", Undone], Awaitable[None]]


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
    """Read files and add their transactions as one batch, which shows all at once or not at all.

    A dry run reads only, and its figures are those of the import. ``currency`` is what the person has set for files that
    don't tell theirs. ``within`` is done in the transaction that lets the batch show. One import of a ledger runs at a time.

    Raises:
        LedgerGone: the ledger was deleted meanwhile.
    """
    hints, kept = hints or Hints(), await kept_layouts(repository)
    layouts = (*hints.layouts, *(each.layout for each in kept))
    said = _SaidLayouts(hints.layouts, dict(kept))
    hints = replace(hints, remembered=await remembered_directions(repository), layouts=layouts)
    opened = [(source, await aside(partial(_open, source, hints))) for source in files]
    work = _Import(repository, opened, hints, currency, progress, said)
    if dry_run:
        return ImportReport(None, tuple(await work.go(None)))
    async with repository.store.alone(repository.ledger_id):
        await clear(repository.store, repository.ledger_id)
        try:
            return await work.add(within)
        except BaseException:
            await to_the_end(clear(repository.store, repository.ledger_id))
            raise


def _open(source: SourceFile, hints: Hints) -> Statement | FileReport:
    """Return what a file states, or the report of why it can't be read."""
    if source.problem:
        return FileReport(source.title, error=source.problem)
    told = hints.answers.get(source.sha256) or hints.direction
    currency = hints.currencies.get(source.sha256) or hints.currency
    hints = replace(hints, direction=told, currency=currency, file_account=name_from(source.name))
    try:
        return open_statement(source.name, source.data, hints)
    except UnreadableFile as error:
        return FileReport.unread(source, error)


@dataclass(slots=True)
class _SaidLayouts:
    """What the person says of files with this import, what they said before and when, and what of the former was of use."""

    now: Sequence[StatedLayout]
    before: Mapping[StatedLayout, date]
    used: list[StatedLayout] = field(default_factory=list)

    def day_of(self, table: SeenTable | None) -> date | None:
        """Return the day on which it was said how a table is to be read; None if it is said now, or was never."""
        stated = table.stated if table is not None else None
        return None if stated is None or stated in self.now else self.before.get(stated)

    def use(self, table: SeenTable | None) -> None:
        """Note that rows came in as it is said now."""
        stated = table.stated if table is not None else None
        said = stated in self.now or (table is not None and table.said and stated not in self.before)
        if stated is not None and said and stated not in self.used:
            self.used.append(stated)


@dataclass(slots=True)
class _Import:
    """One import, done or only previewed."""

    repository: Repository
    files: Sequence[tuple[SourceFile, Statement | FileReport]]
    hints: Hints
    currency: str | None
    progress: Progress
    said: _SaidLayouts
    learned: list[Decision] = field(default_factory=list)
    """How files are read whose rows were added, where the person's word decided it."""
    books: Books | None = None
    """What the files' balances are held against, where they state any."""

    async def add(self, within: Within | None) -> ImportReport:
        """Add the files' rows, and let them show."""
        accounts = await KnownAccounts.read(self.repository, self.currency)
        stage = await Stage.open(self.repository, accounts)
        notes: list[dict[str, Any]] = []
        try:
            reports = await self.go(stage, accounts, notes)
        except BaseException:
            await to_the_end(stage.stop())
            raise

        async def finishing(connection: AsyncConnection, batch: int | None) -> None:
            if batch is not None:
                for decision in self.learned:
                    await remember_direction(connection, self.repository.ledger_id, batch, decision)
                for ref, name in accounts.told_twice.items():
                    ledger, account = self.repository.ledger_id, accounts.ids[name]
                    await remember(connection, ledger, _by(batch), account, [("ref", ref)])
                for layout in self.said.used:
                    await keep_layout(connection, self.repository.ledger_id, layout, date.fromisoformat(utc_now()[:10]))
            if within is not None:
                await within(connection, ImportReport(batch, tuple(reports)))

        await stage.finish(notes, finishing, self.books)
        return ImportReport(stage.batch, tuple(reports))

    async def go(
        self, stage: Stage | None, accounts: KnownAccounts | None = None, notes: list[dict[str, Any]] | None = None
    ) -> list[FileReport]:
        """Say what becomes of each file, and stage its rows if there is a stage; ``notes`` takes what is kept of files."""
        accounts = accounts or await KnownAccounts.read(self.repository, self.currency)
        others = OtherWords(self.repository, await KnownRows.open(self.repository))
        by_hand = await HandRows.open(self.repository)
        if any(isinstance(statement, Statement) and statement.balances for _, statement in self.files):
            self.books = await Books.read(self.repository, accounts.ids)
        before = await files_before(self.repository, [source.sha256 for source, _ in self.files])
        reports: list[FileReport] = []
        for source, statement in self.files:
            if isinstance(statement, FileReport):
                reports.append(statement)
                continue
            try:
                file = await OpenFile.open(source, statement, self.hints, accounts, others)
            except AmbiguousCurrency as error:
                error.table = statement.table
                reports.append(FileReport.unread(source, error))
                continue
            if stage is not None:
                await file.each(stage.learn)
            tally = await self._take(file, others, by_hand, stage)
            balances = self.books.take(file.balances()) if self.books else ()
            report = with_note(tally.report(file, balances), before.get(file.sha256))
            reports.append(replace(report, said_on=self.said.day_of(statement.table)))
            if tally.added:
                self._learn(statement)
            only = next(iter(tally.accounts)) if len(tally.accounts) == 1 else None
            if only is not None:
                accounts.of_files.setdefault(file.sha256, only)
                if len(tally.movements) == 1 and only not in accounts.ids:
                    accounts.currencies.setdefault(only, next(iter(tally.movements)))
            if notes is not None:
                notes.append(_note(reports[-1], file.sha256, accounts.ids.get(only or "")))
        return reports

    def _learn(self, statement: Statement) -> None:
        """Note what was said of a file whose rows come in."""
        if statement.direction is not None and statement.direction.learned:
            self.learned.append(statement.direction)
        self.said.use(statement.table)

    async def _take(self, file: OpenFile, others: OtherWords, by_hand: HandRows, stage: Stage | None) -> Tally:
        tally = Tally()
        async for rows in file.parts():
            fresh = file.without_told_twice(await others.known.fresh(rows))
            if stage is not None and fresh:
                await stage.add(fresh)
            await aside(partial(tally.add, rows, fresh))
            met = by_hand.match(fresh)
            tally.met += len(met)
            if stage is not None:
                stage.meet(met)
            if self.books is not None:
                self.books.add(placed for placed, _ in fresh)
            if len(self.files) > 1:
                others.remember(fresh)
            self.progress(file.name, tally.found, len(file.statement.rows))
        if stage is not None:
            await stage.settle(all_of_them=True)
        return tally


def _by(batch: int) -> str:
    """Return what marks the names by which accounts are known since an import."""
    return f"import {batch}"


def _note(report: FileReport, sha256: str, account: int | None) -> dict[str, Any]:
    """Return what is kept of a file."""
    return {
        "name": report.file,
        "sha256": sha256,
        "format": report.format,
        "account_id": account,
        "found": report.found,
        "added": report.added,
        "duplicates": report.duplicates,
        "rejected": len(report.rejected),
    }


async def undo_import(repository: Repository, batch: int | None = None, *, within: WithinUndo | None = None) -> Undone:
    """Take back a batch, the latest by default; ``within`` is done in the transaction after which it no longer shows.

    Its rows go after that, step by step; if they can't, the next import or start sees to it.

    Raises:
        NothingToUndo: there is no such batch of this ledger, or it was taken back already.
    """
    async with repository.store.alone(repository.ledger_id):
        await clear(repository.store, repository.ledger_id)
        async with repository.store.write() as connection:
            undone = await _hide(connection, repository.ledger_id, batch)
            if within is not None:
                await within(connection, undone)
        await clear(repository.store, repository.ledger_id)
    return undone


async def _hide(connection: AsyncConnection, ledger_id: int, batch: int | None) -> Undone:
    """Let a batch show no longer, and part its rows from others."""
    table, rows = schema.batches.c, schema.transactions.c
    query = sa.select(table.id).where(
        table.ledger_id == ledger_id, table.undone_at.is_(None), table.kind == BatchKind.IMPORT.value
    )
    if batch is not None:
        query = query.where(table.id == batch)
    found = (await connection.execute(query.order_by(table.id.desc()).limit(1))).scalar_one_or_none()
    if found is None:
        raise NothingToUndo(await _why_not(connection, ledger_id, batch))
    mine = rows.batch_id == found
    await unpair(connection, ledger_id, mine, (rows.batch_id != found) & shows(ledger_id))
    count = sa.select(sa.func.count()).select_from(schema.transactions).where(mine)
    removed = (await connection.execute(count)).scalar_one()
    await forget_directions(connection, found)
    await strike_out(connection, ledger_id, _by(found))
    await give_back(connection, ledger_id, int(found))
    await give_back_merged(connection, ledger_id, int(found))
    await let_go(connection, ledger_id, int(found))
    await forget_balances(connection, found)
    mine_too = (table.of_batch_id == found) & table.kind.in_(BESIDE_AN_IMPORT)  # what was set aside of it
    going = schema.batches.update().where((table.id == found) | mine_too).values(undone_at=utc_now(), finished_at=None)
    await connection.execute(going)
    await touch(connection, ledger_id)
    return Undone(int(found), int(removed))


async def why_not_undone(repository: Repository, batch: int | None) -> str:
    """Return why there is nothing to take back, or no import of this number."""
    async with repository.store.read() as connection:
        return await _why_not(connection, repository.ledger_id, batch)


async def _why_not(connection: AsyncConnection, ledger_id: int, batch: int | None) -> str:
    """Return why there is nothing to take back; what is another ledger's is not there."""
    if batch is None:
        return "There is no import left to take back."
    table = schema.batches.c
    query = sa.select(table.id).where(
        table.ledger_id == ledger_id, table.id == batch, table.kind == BatchKind.IMPORT.value
    )
    was_there = (await connection.execute(query)).scalar_one_or_none() is not None
    form = "Import {number} was taken back already." if was_there else "There is no import {number}."
    return say(form, number=str(batch))
