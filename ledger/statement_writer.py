"""Writing statements into a batch: accounts found or made, rows judged, what is known left alone."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema
from ledger.identity import Identity, PlacedRow, identities
from ledger.judgement import Judge, Judged
from ledger.money import to_minor
from ledger.store import utc_now
from ledger.transactions import AccountType, RejectedRow, Statement, StatementAccount, StatementRow, flow_of

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.errors import AmbiguousDates
    from ledger.importers import Hints
    from ledger.repository import Repository

#: Told of a file's name, the rows done and all of its rows.
Progress = Callable[[str, int, int], None]
_CHUNK = 500
_NO_CHANCE = 3
_LATEST = 5


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
    ambiguous: AmbiguousDates | None = None
    """Set beside ``error`` where only a word on the order of day and month is missing."""
    latest: tuple[PlacedRow, ...] = ()
    """The latest of the rows that were added, five at most."""


class StatementWriter:
    """Writes statements into one batch of one ledger, within one transaction."""

    def __init__(self, connection: AsyncConnection, ledger_id: int, hints: Hints, currency: str | None) -> None:
        """Use :meth:`open`."""
        self.hints = hints
        self.batch = 0
        self.first = date.max
        self.last = date.min
        self._connection = connection
        self._ledger_id = ledger_id
        self._currency = currency
        self._accounts: dict[str, int] = {}
        self._names: dict[str, str] = {}
        self._types: dict[str, AccountType | None] = {}
        self._currencies: dict[str, str | None] = {}
        self._judge = Judge((), {})

    @classmethod
    async def open(
        cls, connection: AsyncConnection, repository: Repository, hints: Hints, currency: str | None
    ) -> StatementWriter:
        """Begin a batch."""
        writer = cls(connection, repository.ledger_id, hints, currency)
        values = {"ledger_id": repository.ledger_id, "created_at": utc_now()}
        writer.batch = await _insert_id(connection, schema.batches, values)
        table = schema.accounts.c
        query = sa.select(table.id, table.name, table.ref, table.type, table.currency).where(
            table.ledger_id == writer._ledger_id
        )
        for row in await connection.execute(query):
            writer._accounts[row.name] = row.id
            if row.ref:
                writer._names[row.ref] = row.name
            writer._types[row.name] = AccountType(row.type) if row.type else None
            writer._currencies[row.name] = row.currency
        if writer._currency is None:
            writer._currency = await _usual_currency(connection, repository.ledger_id)
        rules = sa.select(schema.rules.c.pattern, schema.rules.c.category).where(
            schema.rules.c.ledger_id == repository.ledger_id
        )
        rows = schema.transactions.c
        bought_at = (
            sa.select(rows.merchant_key, sa.func.coalesce(rows.own_category, rows.category).label("category"))
            .where(rows.ledger_id == repository.ledger_id, rows.kind == "purchase")
            .distinct()
        )
        writer._judge = Judge(
            tuple((row.pattern, row.category) for row in await connection.execute(rules)),
            {row.merchant_key: row.category for row in await connection.execute(bought_at)},
        )
        return writer

    async def add(self, source: SourceFile, statement: Statement, progress: Progress) -> FileReport:
        """Add one statement's rows; what the ledger has already is counted and left alone."""
        sha256 = hashlib.sha256(source.data).hexdigest()
        named = {account.ref: account for account in statement.accounts} | {a.name: a for a in statement.accounts}
        fallback = await self._fallback_account(source.name, sha256, statement)
        rows = [self._complete(row, named, fallback, statement) for row in statement.rows]
        names = list(dict.fromkeys(placed.account for placed in rows))
        for name in names:
            await self._ensure_account(name, named)
        before = await self._count()
        fresh = await self._insert_rows(source.name, rows, progress)
        added = await self._count() - before
        latest = sorted(fresh, key=lambda placed: placed.row.booked_on, reverse=True)[:_LATEST]
        report = replace(_report(source.name, statement, rows, names or [fallback], added), latest=tuple(latest))
        await self._note_file(sha256, report, names)
        return report

    def _complete(
        self, row: StatementRow, named: dict[str, StatementAccount], fallback: str, statement: Statement
    ) -> PlacedRow:
        """Return a row with the account and the currency that it belongs to."""
        account = named.get(row.account) if row.account else None
        name = (self._names.get(account.ref) or account.name) if account else row.account or fallback
        currency = (
            row.currency
            or (account.currency if account else None)
            or self.hints.currency
            or self._currencies.get(name)
            or self._currency
            or statement.currency_guess
            or "USD"
        )
        return PlacedRow(row, name, currency)

    async def _fallback_account(self, name: str, sha256: str, statement: Statement) -> str:
        """Return the account of rows that name none: as told, as before with these rows, or from the file's name."""
        if self.hints.account:
            return self.hints.account
        if len(statement.accounts) == 1:
            account = statement.accounts[0]
            return self._names.get(account.ref) or account.name
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
        """Return the account that holds some of these rows already: an overlapping export, or one under another name.

        The same day, amount and description in two accounts is chance; three such rows are not.
        """
        currency = self.hints.currency or self._currency or statement.currency_guess or "USD"
        unplaced = [PlacedRow(row, "", row.currency or currency) for row in statement.rows if row.account is None]
        wanted = [identity.content for identity in identities(unplaced)]
        seen: Counter[str] = Counter()
        table = schema.transactions.c
        for start in range(0, len(wanted), _CHUNK):
            query = (
                sa.select(schema.accounts.c.name, sa.func.count().label("matches"))
                .join(schema.accounts, schema.accounts.c.id == table.account_id)
                .where(table.ledger_id == self._ledger_id, table.content.in_(wanted[start : start + _CHUNK]))
                .group_by(schema.accounts.c.name)
            )
            for row in await self._connection.execute(query):
                seen[row.name] += row.matches
        best = seen.most_common(1)
        return best[0][0] if best and best[0][1] >= min(_NO_CHANCE, len(wanted)) else None

    async def _ensure_account(self, name: str, named: dict[str, StatementAccount]) -> None:
        if name in self._accounts:
            return
        stated = named.get(name)
        if stated is not None and stated.ref:
            self._names[stated.ref] = name
        kind = stated.type if stated and stated.type else guess_type(name)
        values = {
            "ledger_id": self._ledger_id,
            "name": name,
            "ref": stated.ref if stated else "",
            "type": kind.value if kind else None,
            "currency": stated.currency if stated else None,
        }
        self._accounts[name] = await _insert_id(self._connection, schema.accounts, values)
        self._types[name] = kind

    async def _insert_rows(self, file: str, rows: Sequence[PlacedRow], progress: Progress) -> list[PlacedRow]:
        """Insert what is new of the rows, and return that."""
        fresh = await self._fresh(rows)
        named = [(placed.row, self._types.get(placed.account)) for placed, _ in fresh]
        judged = await asyncio.to_thread(self._judge.judge_all, named)
        phrases = await phrase_ids(self._connection, self._ledger_id, {each.phrase for each in judged})
        values: list[dict[str, Any]] = []
        for (placed, identity), each in zip(fresh, judged, strict=True):
            values.append(self._values(placed, identity, each) | {"phrase_id": phrases[each.phrase]})
            self.first, self.last = min(self.first, placed.row.booked_on), max(self.last, placed.row.booked_on)
        insert = _insert_new(self._connection, schema.transactions)
        for start in range(0, len(values), 2000):
            await self._connection.execute(insert, values[start : start + 2000])
            progress(file, min(start + 2000, len(values)), len(values))
        return [placed for placed, _ in fresh]

    async def _fresh(self, rows: Sequence[PlacedRow]) -> list[tuple[PlacedRow, Identity]]:
        """Return the rows that the ledger may not have: by id where both sides have one, else by what they say."""
        if not rows:
            return []
        table = schema.transactions.c
        days = [placed.row.booked_on.isoformat() for placed in rows]
        query = sa.select(table.account_id, table.content, table.has_id).where(
            table.ledger_id == self._ledger_id, table.booked_on >= min(days), table.booked_on <= max(days)
        )
        without_id: set[tuple[int, str]] = set()
        known: set[tuple[int, str]] = set()
        for row in await self._connection.execute(query):
            known.add((row.account_id, row.content))
            if not row.has_id:
                without_id.add((row.account_id, row.content))
        return [
            (placed, identity)
            for placed, identity in zip(rows, identities(rows), strict=True)
            if (self._accounts[placed.account], identity.content) not in (without_id if identity.has_id else known)
        ]

    def _values(self, placed: PlacedRow, identity: Identity, judged: Judged) -> dict[str, Any]:
        row, currency = placed.row, placed.currency
        minor = to_minor(row.amount, currency)
        return {
            "ledger_id": self._ledger_id,
            "account_id": self._accounts[placed.account],
            "batch_id": self.batch,
            "identity": identity.key,
            "content": identity.content,
            "has_id": int(identity.has_id),
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
            "own_category": judged.own_category,
            "own_category_source": judged.own_category_source,
            "kind": judged.kind.value,
            "kind_ground": judged.ground.value,
            "own_kind": judged.kind.value,
            "flow": flow_of(judged.kind, minor).value,
            "labels": row.labels,
            "notes": row.notes,
        }

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


def guess_type(name: str) -> AccountType | None:
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
    return next((kind for kind, parts in words if any(part in folded for part in parts)), None)


def _report(
    name: str, statement: Statement, rows: Sequence[PlacedRow], accounts: Sequence[str], added: int
) -> FileReport:
    sums: dict[str, Decimal] = {}
    for placed in rows:
        sums[placed.currency] = sums.get(placed.currency, Decimal(0)) + placed.row.amount
    days = [placed.row.booked_on for placed in rows]
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


async def phrase_ids(connection: AsyncConnection, ledger_id: int, texts: set[str]) -> dict[str, int]:
    """Return the ids of a ledger's search strings, new ones made."""
    ordered = sorted(texts)
    insert = _insert_new(connection, schema.phrases)
    found: dict[str, int] = {}
    for start in range(0, len(ordered), _CHUNK):
        chunk = ordered[start : start + _CHUNK]
        await connection.execute(insert, [{"ledger_id": ledger_id, "text": text} for text in chunk])
        query = sa.select(schema.phrases.c.text, schema.phrases.c.id).where(
            schema.phrases.c.ledger_id == ledger_id, schema.phrases.c.text.in_(chunk)
        )
        found |= {row.text: row.id for row in await connection.execute(query)}
    return found


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
