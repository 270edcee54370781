"""Reading statements for an import: rows in their accounts, told from those that are known, and a report on each file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Self

from language.catalogue import say
from ledger.errors import OpenQuestion
from ledger.file_sums import Movement, Rounding
from ledger.identity import Identity, Numbering, PlacedRow
from ledger.other_words import MOST, OtherWords
from ledger.statement_accounts import likeliest, name_from
from ledger.working import aside, each_aside

if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from ledger.errors import UnreadableFile
    from ledger.importers import Hints
    from ledger.importers.table.stated import SeenTable
    from ledger.reconciling import FileBalance, PlacedBalance
    from ledger.statement_accounts import KnownAccounts, Placing
    from ledger.transactions import RejectedRow, Statement, StatementRow

#: Told of a file's name, the rows done and all of its rows.
Progress = Callable[[str, int, int], None]
Identified = tuple[PlacedRow, Identity]
#: How many rows are worked on at once.
_AT_ONCE = 1000
_LATEST = 5
_AGAIN = "{count} of its transactions are there already in the words of another file, and are not counted again."


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it arrived: its name and its bytes, or the problem with it, which is one sentence.

    ``archive`` is the name of the file that it was packed in.
    """

    name: str
    data: bytes
    problem: str = ""
    archive: str = ""

    @property
    def title(self) -> str:
        """What it is called to a person."""
        return f"{self.archive}: {self.name}" if self.archive else self.name

    @property
    def sha256(self) -> str:
        """What tells the bytes from any others."""
        return hashlib.sha256(self.data).hexdigest()


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
    question: OpenQuestion | None = None
    """Set beside ``error`` where only a word of the person is missing."""
    latest: tuple[PlacedRow, ...] = ()
    """The latest of the rows that were added, five at most."""
    movements: tuple[Movement, ...] = ()
    direction: str = ""
    """Why the amounts have the signs that they have, where there is more to it than the file's own minus."""
    warnings: tuple[str, ...] = ()
    met: int = 0
    """How many of the rows that were added take the place of one that the person wrote down by hand."""
    table: SeenTable | None = None
    """Which column was taken for what, where the file is a table; also beside ``error``."""
    said_on: date | None = None
    """When the person said so, if that was before."""
    balances: tuple[FileBalance, ...] = ()
    """The last balance that it states of each account."""

    @classmethod
    def unread(cls, source: SourceFile, error: UnreadableFile) -> Self:
        """Return the report of a file that can't be read, or not yet."""
        question = error if isinstance(error, OpenQuestion) else None
        return cls(source.title, error=error.message, question=question, table=error.table)

    @property
    def is_news(self) -> bool:
        """Whether it brings anything that the ledger doesn't have."""
        return bool(self.added) or any(balance.is_new for balance in self.balances)


class OpenFile:
    """One file of an import: its rows with their identities, part by part and as often as they are needed."""

    def __init__(self, source: SourceFile, sha256: str, statement: Statement, placing: Placing) -> None:
        """Use :meth:`open`."""
        self.name = source.title
        self.sha256 = sha256
        self.statement = statement
        self.fallback = placing.fallback
        self.rounding = Rounding()
        self._placing = placing
        self._again: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    async def open(
        cls, source: SourceFile, statement: Statement, hints: Hints, accounts: KnownAccounts, others: OtherWords
    ) -> OpenFile:
        """Settle which account the rows that name none are in: one that holds some of them, else one of the file's name.

        Raises:
            AmbiguousCurrency: nothing tells which currency they are in.
        """
        sha256 = await aside(lambda: source.sha256)
        fallback = accounts.only_account(statement, hints, sha256)
        unplaced = accounts.place(statement, "").unplaced
        if fallback is None and not others.known.is_empty:
            matches: Counter[str] = Counter()
            count = 0
            async for rows in each_aside(_parts(statement.rows, unplaced)):
                nameless = [each for each in rows if each[0].row.account is None]
                matches += await others.known.accounts_of(nameless)
                count += len(nameless)
            fallback = likeliest(matches, count)
        may_be_told_twice = not others.is_empty and len(statement.rows) <= MOST
        if may_be_told_twice and (possible := accounts.may_be(statement, fallback, hints)):
            found = await others.account_of(each_aside(_parts(statement.rows, unplaced)), possible)
            fallback = accounts.also(statement, found) if found else fallback
        default = statement.unnamed.name if statement.unnamed else name_from(source.name)
        placing = accounts.place(statement, fallback or default)
        if hints.assume_currency:
            placing.take_likeliest()
        if question := placing.question():
            raise question
        file = cls(source, sha256, statement, placing)
        if may_be_told_twice:
            file._again = await others.same(file.parts())
        return file

    def without_told_twice(self, rows: Sequence[Identified]) -> list[Identified]:
        """Return those of some rows that are not there in the words of another file."""
        return [(placed, identity) for placed, identity in rows if (placed.account, identity.key) not in self._again]

    def parts(self) -> AsyncIterator[list[Identified]]:
        """Yield all rows of the file in its order; ``rounding`` says afterwards which amounts had to be rounded."""
        rounding = self.rounding = Rounding()
        return each_aside(_parts(self.statement.rows, lambda row: rounding.round(self._placing.place(row))))

    async def each(self, look: Callable[[Iterable[PlacedRow]], None]) -> None:
        """Show something all rows of the file, with their accounts."""
        rows = iter(self.statement.rows)
        while part := await aside(lambda: list(islice(rows, _AT_ONCE))):
            await aside(partial(look, map(self._placing.place, part)))

    def balances(self) -> list[PlacedBalance]:
        """Return what the file states of its accounts, once the rows were gone through."""
        return [self._placing.place_balance(each) for each in self.statement.balances]

    def warnings(self) -> tuple[str, ...]:
        """Return what a person should know, once the rows were gone through."""
        again = (say(_AGAIN, count=str(len(self._again))),) if self._again else ()
        return (*self.statement.warnings, *self._placing.warnings(), *self.rounding.warnings(), *again)


def _parts(rows: Iterable[StatementRow], place: Callable[[StatementRow], PlacedRow]) -> Iterator[list[Identified]]:
    numbering, rest = Numbering(), iter(rows)
    while part := list(islice(rest, _AT_ONCE)):
        placed = map(place, part)
        yield [(each, numbering.identity(each)) for each in placed]


@dataclass(slots=True)
class Tally:
    """Counts what becomes of a file's rows, part by part."""

    found: int = 0
    added: int = 0
    met: int = 0
    movements: dict[str, Movement] = field(default_factory=dict)
    accounts: dict[str, None] = field(default_factory=dict)
    first: date | None = None
    last: date | None = None
    latest: list[PlacedRow] = field(default_factory=list)

    def add(self, rows: Sequence[Identified], fresh: Sequence[Identified]) -> None:
        """Count some rows, of which these are new."""
        for placed, _ in rows:
            currency = placed.currency
            movement = self.movements.get(currency) or self.movements.setdefault(currency, Movement(currency))
            movement.add(placed.row.amount)
            self.accounts[placed.account] = None
        days = [placed.row.booked_on for placed, _ in rows]
        self.first = min(self.first or days[0], *days)
        self.last = max(self.last or days[0], *days)
        self.found += len(rows)
        self.added += len(fresh)
        latest = [*self.latest, *(placed for placed, _ in fresh)]
        self.latest = sorted(latest, key=lambda placed: placed.row.booked_on, reverse=True)[:_LATEST]

    def report(self, file: OpenFile, balances: tuple[FileBalance, ...]) -> FileReport:
        """Return what became of the file."""
        return FileReport(
            file=file.name,
            format=file.statement.format,
            account=", ".join(self.accounts or [file.fallback]),
            found=self.found,
            added=self.added,
            duplicates=self.found - self.added,
            rejected=file.statement.rejected,
            sums={movement.currency: movement.into - movement.out for movement in self.movements.values()},
            first=self.first,
            last=self.last,
            latest=tuple(self.latest),
            movements=tuple(self.movements[currency] for currency in sorted(self.movements)),
            direction=file.statement.direction.why if file.statement.direction else "",
            warnings=file.warnings(),
            met=self.met,
            table=file.statement.table,
            balances=balances,
        )
