"""Imports: files become one batch that adds nothing twice and can be taken back whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema
from ledger.errors import NothingToUndo, UnreadableFile
from ledger.importers import Hints, read_statement
from ledger.judgement import Judge, Judged
from ledger.money import to_minor
from ledger.pairing import pair_up, unpair
from ledger.store import utc_now
from ledger.transactions import AccountType, RejectedRow, Statement, StatementAccount, StatementRow, flow_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

Progress = Callable[[str, int, int], None]
Within = Callable[["AsyncConnection"], Awaitable[None]]
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it arrived: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file; ``error`` is set, and everything else empty, where it can't be read at all."""

    file: str
    format: str = ""
    account: str = ""
    found: int = 0
    added: int = 0
    duplicates: int = 0
    rejected: tuple[RejectedRow, ...] = ()
    sums: dict[str, Decimal] = field(default_factory=dict)
    first: date | None = None
    last: date | None = None
    error: str | None = None


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


async def import_files(
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
    reports: list[FileReport] = []
    batch: int | None = None
    async with _transaction(repository) as connection:
        writer = await _Writer.open(connection, repository, hints or Hints(), currency)
        for source in files:
            try:
                statement = read_statement(source.name, source.data, writer.hints)
            except UnreadableFile as error:
                reports.append(FileReport(source.name, error=error.message))
                continue
            reports.append(await writer.add(source, statement, progress))
        if any(report.added for report in reports):
            await pair_up(connection, repository.ledger_id, writer.first, writer.last)
            await _touch(connection, repository.ledger_id)
            batch = writer.batch
        if within is not None:
            await within(connection)
        elif batch is None:
            raise _DryRun
        if dry_run:
            raise _DryRun
    return ImportReport(None if dry_run else batch, tuple(reports))


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
        await _touch(connection, repository.ledger_id)
        if within is not None:
            await within(connection)
    return Undone(int(found), int(removed))


async def forget_unused(connection: AsyncConnection, ledger_id: int) -> None:
    """Drop search strings and accounts that no transaction has any more; the index is told by a queue."""
    used = sa.select(schema.transactions.c.phrase_id).where(schema.transactions.c.ledger_id == ledger_id)
    unused = (schema.phrases.c.ledger_id == ledger_id) & schema.phrases.c.id.not_in(used)
    await connection.execute(
        schema.forgotten_phrases.insert().from_select(["id"], sa.select(schema.phrases.c.id).where(unused))
    )
    await connection.execute(schema.phrases.delete().where(unused))
    accounts = sa.select(schema.transactions.c.account_id).where(schema.transactions.c.ledger_id == ledger_id)
    await connection.execute(
        schema.accounts.delete().where(schema.accounts.c.ledger_id == ledger_id, schema.accounts.c.id.not_in(accounts))
    )


async def _touch(connection: AsyncConnection, ledger_id: int) -> None:
    """Say that the ledger has changed, so that names kept in memory are read again."""
    revision = schema.ledgers.c.revision
    await connection.execute(
        schema.ledgers.update().where(schema.ledgers.c.id == ledger_id).values(revision=revision + 1)
    )


class _Writer:
    """Writes statements into one batch of one ledger, within one transaction."""

    def __init__(self, connection: AsyncConnection, ledger_id: int, hints: Hints, currency: str | None) -> None:
        self.hints = hints
        self.batch = 0
        self.first = date.max
        self.last = date.min
        self._connection = connection
        self._ledger_id = ledger_id
        self._currency = currency
        self._accounts: dict[str, int] = {}
        self._types: dict[str, AccountType | None] = {}
        self._currencies: dict[str, str | None] = {}
        self._judge = Judge((), ())

    @classmethod
    async def open(
        cls, connection: AsyncConnection, repository: Repository, hints: Hints, currency: str | None
    ) -> _Writer:
        """Begin a batch."""
        writer = cls(connection, repository.ledger_id, hints, currency)
        values = {"ledger_id": repository.ledger_id, "created_at": utc_now()}
        writer.batch = await _insert_id(connection, schema.batches, values)
        table = schema.accounts.c
        query = sa.select(table.id, table.name, table.type, table.currency).where(table.ledger_id == writer._ledger_id)
        for row in await connection.execute(query):
            writer._accounts[row.name] = row.id
            writer._types[row.name] = AccountType(row.type) if row.type else None
            writer._currencies[row.name] = row.currency
        if writer._currency is None:
            writer._currency = await _usual_currency(connection, repository.ledger_id)
        rules = sa.select(schema.rules.c.pattern, schema.rules.c.category).where(
            schema.rules.c.ledger_id == repository.ledger_id
        )
        rows = schema.transactions.c
        bought_at = (
            sa.select(rows.merchant_key)
            .where(rows.ledger_id == repository.ledger_id, rows.kind == "purchase")
            .distinct()
        )
        writer._judge = Judge(
            tuple((row.pattern, row.category) for row in await connection.execute(rules)),
            (await connection.execute(bought_at)).scalars(),
        )
        return writer

    async def add(self, source: SourceFile, statement: Statement, progress: Progress) -> FileReport:
        """Add one statement's rows; what the ledger has already is counted and left alone."""
        sha256 = hashlib.sha256(source.data).hexdigest()
        named = {account.ref: account for account in statement.accounts} | {a.name: a for a in statement.accounts}
        fallback = await self._fallback_account(source.name, sha256, statement)
        rows = [self._complete(row, named, fallback, statement) for row in statement.rows]
        names = list(dict.fromkeys(name for _, name, _ in rows))
        for name in names:
            await self._ensure_account(name, named)
        before = await self._count()
        await self._insert_rows(source.name, rows, progress)
        added = await self._count() - before
        report = _report(source.name, statement, rows, names or [fallback], added)
        await self._note_file(sha256, report, names)
        return report

    def _complete(
        self, row: StatementRow, named: dict[str, StatementAccount], fallback: str, statement: Statement
    ) -> tuple[StatementRow, str, str]:
        """Return a row with the account and the currency that it belongs to."""
        account = named[row.account] if row.account in named else None
        name = account.name if account else row.account or fallback
        currency = (
            row.currency
            or (account.currency if account else None)
            or self.hints.currency
            or self._currencies.get(name)
            or self._currency
            or statement.currency_guess
            or "USD"
        )
        return row, name, currency

    async def _fallback_account(self, name: str, sha256: str, statement: Statement) -> str:
        """Return the account of rows that name none: as told, as before with these rows, or from the file's name."""
        if self.hints.account:
            return self.hints.account
        if len(statement.accounts) == 1:
            return statement.accounts[0].name
        known = await self._account_of_file(sha256) or await self._account_of_rows(statement)
        return known or _account_name(name)

    async def _account_of_file(self, sha256: str) -> str | None:
        query = (
            sa.select(schema.accounts.c.name)
            .join(schema.files, schema.files.c.account_id == schema.accounts.c.id)
            .join(schema.batches, schema.batches.c.id == schema.files.c.batch_id)
            .where(schema.accounts.c.ledger_id == self._ledger_id, schema.files.c.sha256 == sha256)
            .where(schema.batches.c.undone_at.is_(None))
            .limit(1)
        )
        return (await self._connection.execute(query)).scalar_one_or_none()

    async def _account_of_rows(self, statement: Statement) -> str | None:
        """Return the account that holds most of a sample of these rows already: the file came under another name."""
        sample = [row for row in statement.rows if row.account is None][-200:]
        if not sample:
            return None
        seen: Counter[str] = Counter()
        currency = self.hints.currency or self._currency or statement.currency_guess or "USD"
        wanted = [identity for identity, _ in _identities((row, "", row.currency or currency) for row in sample)]
        table = schema.transactions.c
        query = (
            sa.select(schema.accounts.c.name, sa.func.count())
            .join(schema.accounts, schema.accounts.c.id == table.account_id)
            .where(table.ledger_id == self._ledger_id, table.identity.in_(wanted))
            .group_by(schema.accounts.c.name)
        )
        for name, count in await self._connection.execute(query):
            seen[name] = count
        best = seen.most_common(1)
        return best[0][0] if best and best[0][1] * 2 > len(sample) else None

    async def _ensure_account(self, name: str, named: dict[str, StatementAccount]) -> None:
        if name in self._accounts:
            return
        stated = named.get(name)
        values = {
            "ledger_id": self._ledger_id,
            "name": name,
            "ref": stated.ref if stated else "",
            "type": stated.type.value if stated and stated.type else guess_type(name),
            "currency": stated.currency if stated else None,
        }
        self._accounts[name] = await _insert_id(self._connection, schema.accounts, values)
        self._types[name] = AccountType(values["type"]) if values["type"] else None

    async def _insert_rows(self, file: str, rows: Sequence[tuple[StatementRow, str, str]], progress: Progress) -> None:
        judged = self._judge.judge_all([(row, self._types.get(name)) for row, name, _ in rows])
        phrases = await self._phrases({each.phrase for each in judged})
        values: list[dict[str, Any]] = []
        for (identity, (row, name, currency)), each in zip(_identities(rows), judged, strict=True):
            values.append(self._values(row, currency, identity, each) | {
                "account_id": self._accounts[name], "phrase_id": phrases[each.phrase],
            })  # fmt: skip
            self.first, self.last = min(self.first, row.booked_on), max(self.last, row.booked_on)
        insert = _insert_new(self._connection, schema.transactions)
        for start in range(0, len(values), 2000):
            await self._connection.execute(insert, values[start : start + 2000])
            progress(file, min(start + 2000, len(values)), len(values))

    def _values(self, row: StatementRow, currency: str, identity: str, judged: Judged) -> dict[str, Any]:
        minor = to_minor(row.amount, currency)
        return {
            "ledger_id": self._ledger_id,
            "batch_id": self.batch,
            "identity": identity,
            "booked_on": row.booked_on.isoformat(),
            "weekday": row.booked_on.weekday(),
            "amount_minor": minor,
            "currency": currency,
            "description": row.description,
            "memo": row.memo,
            "merchant": judged.merchant,
            "merchant_key": judged.merchant_key,
            "category": judged.category,
            "category_source": judged.category_source,
            "kind": judged.kind.value,
            "kind_ground": judged.ground.value,
            "own_kind": judged.kind.value,
            "flow": flow_of(judged.kind, minor).value,
            "labels": row.labels,
            "notes": row.notes,
        }

    async def _phrases(self, texts: set[str]) -> dict[str, int]:
        """Return the ids of search strings, new ones made."""
        ordered = sorted(texts)
        insert = _insert_new(self._connection, schema.phrases)
        found: dict[str, int] = {}
        for start in range(0, len(ordered), _CHUNK):
            chunk = ordered[start : start + _CHUNK]
            await self._connection.execute(insert, [{"ledger_id": self._ledger_id, "text": text} for text in chunk])
            query = sa.select(schema.phrases.c.text, schema.phrases.c.id).where(
                schema.phrases.c.ledger_id == self._ledger_id, schema.phrases.c.text.in_(chunk)
            )
            found |= {row.text: row.id for row in await self._connection.execute(query)}
        return found

    async def _count(self) -> int:
        query = sa.select(sa.func.count()).select_from(schema.transactions)
        return int(
            (await self._connection.execute(query.where(schema.transactions.c.batch_id == self.batch))).scalar_one()
        )

    async def _note_file(self, sha256: str, report: FileReport, names: Sequence[str]) -> None:
        values = {
            "batch_id": self.batch,
            "name": report.file,
            "sha256": sha256,
            "format": report.format,
            "account_id": self._accounts[names[0]] if len(names) == 1 else None,
            "found": report.found,
            "added": report.added,
            "duplicates": report.duplicates,
            "rejected": len(report.rejected),
        }
        await self._connection.execute(schema.files.insert().values(values))


def guess_type(name: str) -> str | None:
    """Return the type of account that a name says, or None."""
    folded = name.casefold()
    words = (
        (AccountType.CREDIT_CARD, ("credit", "visa", "mastercard", "amex", "kredit", "card")),
        (AccountType.SAVINGS, ("saving", "spar", "tagesgeld", "extra-konto")),
        (AccountType.LOAN, ("loan", "mortgage", "darlehen")),
        (AccountType.INVESTMENT, ("brokerage", "invest", "depot", "401k", "ira ")),
        (AccountType.CASH, ("cash", "bargeld", "wallet")),
        (AccountType.CHECKING, ("checking", "current", "giro", "chequing", "konto")),
    )
    return next((kind.value for kind, parts in words if any(part in folded for part in parts)), None)


def _identities(
    rows: Any,
) -> list[tuple[str, tuple[StatementRow, str, str]]]:
    """Return each row with what makes it itself: the bank's id or description, day and amount, and which of its equals.

    Two equal purchases on a day are the first and the second; the same file read again yields the same two.
    """
    seen: Counter[str] = Counter()
    found = []
    for row, name, currency in rows:
        core = "\x1f".join(
            (
                row.booked_on.isoformat(),
                str(to_minor(row.amount, currency)),
                currency,
                f"id:{row.external_id}" if row.external_id else " ".join(row.description.split()).casefold(),
            )
        )
        key = f"{name}\x1f{core}"
        seen[key] += 1
        digest = hashlib.sha256(f"{core}\x1f{seen[key]}".encode()).hexdigest()[:32]
        found.append((digest, (row, name, currency)))
    return found


def _report(
    name: str, statement: Statement, rows: Sequence[tuple[StatementRow, str, str]], accounts: Sequence[str], added: int
) -> FileReport:
    sums: dict[str, Decimal] = {}
    for row, _, currency in rows:
        sums[currency] = sums.get(currency, Decimal(0)) + row.amount
    days = [row.booked_on for row, _, _ in rows]
    return FileReport(
        file=name,
        format=statement.format,
        account=", ".join(accounts),
        found=len(rows),
        added=added,
        duplicates=len(rows) - added,
        rejected=statement.rejected,
        sums=sums,
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _account_name(file_name: str) -> str:
    """Return an account's name from its file's: the words of it, without dates, numbers and copy marks."""
    stem = file_name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or file_name
    letters = "".join(char if char.isalpha() else " " for char in stem)
    noise = {
        "export",
        "transactions",
        "transaction",
        "statement",
        "download",
        "copy",
        "csv",
        "ofx",
        "qfx",
        "umsaetze",
        "umsätze",
    }
    kept = [word for word in letters.split() if word.casefold() not in noise]
    return " ".join(kept).strip().capitalize() or "Main account"


async def _usual_currency(connection: AsyncConnection, ledger_id: int) -> str | None:
    count = sa.func.count()
    table = schema.transactions.c
    query = (
        sa.select(table.currency).where(table.ledger_id == ledger_id).group_by(table.currency).order_by(count.desc())
    )
    return (await connection.execute(query.limit(1))).scalar_one_or_none()


async def _insert_id(connection: AsyncConnection, table: sa.Table, values: dict[str, Any]) -> int:
    return int((await connection.execute(table.insert().values(values).returning(table.c.id))).scalar_one())


def _insert_new(connection: AsyncConnection, table: sa.Table) -> Any:
    """Return an insert that leaves out rows that are there already."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing()
