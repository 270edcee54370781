"""Going through the records of a table, as often as needed and without ever holding them."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.importers.dates import date_part
from ledger.importers.table.cells import LONGEST_LINE, is_amount
from ledger.importers.table.signs import quote
from ledger.importers.table.stated import word_key
from ledger.importers.table.vocabulary import Role, fold
from ledger.transactions import RejectedRow, StatementRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import date

    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Layout
    from ledger.importers.table.rows import RowReader
    from ledger.importers.table.settling import Signed

MONEY_ROLES = (Role.AMOUNT, Role.DEBIT, Role.CREDIT)
_TEXT_ROLES = (
    Role.DESCRIPTION, Role.PAYEE, Role.PAYER, Role.MERCHANT, Role.CATEGORY, Role.TYPE, Role.ACCOUNT_NAME, Role.LABELS,
)  # fmt: skip
#: How many different amounts, how many balances and how many rows' currencies are looked at.
_TELLING, STATED = 5000, 500
_ONE_CELL = "the row has {held} cell where the table has {width}"
_CELLS = "the row has {held} cells where the table has {width}"


@dataclass(frozen=True, slots=True)
class Begins:
    """Where a table begins: after so many records, and what its header is, which some files repeat."""

    skipped: int
    header: tuple[str, ...] | None = None


class FittedRows:
    """The rows of a table, each as wide as it, plus one empty cell that stands for all columns that are not there."""

    def __init__(self, records: Iterable[PlainRecord], layout: Layout, begins: Begins) -> None:
        """Nothing is read yet."""
        self._records = records
        self._layout = layout
        self._begins = begins
        self._leaving: frozenset[int] = frozenset()
        self._reason = ""

    @property
    def header(self) -> tuple[str, ...] | None:
        """The names of the columns, if there are any."""
        return self._begins.header

    def leave_out(self, numbers: frozenset[int], reason: str) -> None:
        """From now on, these rows don't fit."""
        self._leaving, self._reason = numbers, reason

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        """Yield the cells of the rows that fit."""
        return (found for _, found in self.all() if not isinstance(found, str))

    def numbered(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Yield the same with their numbers."""
        return ((number, found) for number, found in self.all() if not isinstance(found, str))

    def all(self) -> Iterator[tuple[int, tuple[str, ...] | str]]:
        """Yield the number of every row with its cells, or with the reason why it doesn't fit."""
        width, date = self._layout.width, self._layout.dates[0]
        for place, (number, given) in enumerate(self._records):
            if place < self._begins.skipped or given == self._begins.header:
                continue
            cells = given if isinstance(given, str) or len(given) == width else self._fitted(given)
            if isinstance(cells, str):
                yield number, cells
            elif number in self._leaving:
                yield number, self._reason
            elif cells[date].strip() or any(cell.strip() for cell in cells):
                yield number, self._left_out(cells) or (*cells, "")

    def _left_out(self, cells: Sequence[str]) -> str:
        """Return the reason for a row that is said to be left out, by a word in one of its columns."""
        for column, words in self._layout.left_out:
            if word_key(cells[column]) in words:
                return say("“{text}” is to be left out", text=quote(cells[column]))
        return ""

    def _fitted(self, cells: tuple[str, ...]) -> tuple[str, ...] | str:
        width, count = self._layout.width, len(cells)
        if count == 1 and len(cells[0]) > LONGEST_LINE:
            return say("the row has more than {most} characters, too many for a transaction", most=f"{LONGEST_LINE:,}")
        while count and not cells[count - 1].strip():
            count -= 1
        if count > width or (count < width and _is_shifted(cells[:count], self._layout)):
            held = max(count, min(len(cells), width))
            return say(_ONE_CELL if held == 1 else _CELLS, held=str(held), width=str(width))
        return (*cells[:width], *[""] * (width - len(cells)))


def _is_shifted(cells: Sequence[str], layout: Layout) -> bool:
    """Tell a row that lacks a cell in its middle (a text column holds money) from one that ends early."""
    if not cells:
        return False
    texts = [layout.column(role) for role in _TEXT_ROLES] + list(layout.memos)
    return len(cells) <= layout.dates[0] or any(
        0 <= column < len(cells) and is_amount(cells[column]) and any(mark in cells[column] for mark in ".,")
        for column in texts
    )


class Survey:
    """What is learned of a table in the first pass: amounts, balances, dates and currencies as written, and its ids."""

    def __init__(self, layout: Layout) -> None:
        """Nothing was seen yet."""
        money = [layout.columns[role] for role in MONEY_ROLES if role in layout.columns]
        self._money = list(dict.fromkeys([*money, *(each.column for each in layout.by_currency)]))
        self._balance, self._currency = layout.column(Role.BALANCE), layout.column(Role.CURRENCY)
        self._dates: dict[int, dict[str, str]] = {column: {} for column in layout.dates}
        self._ids = [_Ids(layout.column(Role.ID), _is_counter, blank_counts=False)]
        self._ids.append(_Ids(layout.column(Role.REFERENCE), lambda cell: not _is_reference(cell)))
        self._count = 0
        self._sides = layout.column(Role.PAYEE), layout.column(Role.PAYER)
        self._in_all: set[str] | None = None
        self._partners: set[str] = set()
        self.amounts: dict[str, None] = {}
        self.balances: list[str] = []
        self.currencies: set[str] = set()

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]], layout: Layout) -> Survey:
        """Look at all rows."""
        survey = cls(layout)
        for cells in rows:
            survey.add(cells)
        return survey

    def add(self, cells: Sequence[str]) -> None:
        """Look at one row."""
        self._count += 1
        if len(self.amounts) < _TELLING:
            self.amounts.update((cells[column], None) for column in self._money)
        if self._count <= _TELLING:
            self.balances.append(cells[self._balance])
        if self._count <= STATED:
            self.currencies.add(cells[self._currency].strip())
        for column, seen in self._dates.items():
            seen.setdefault(date_part(cells[column]), cells[column])
        if min(self._sides) >= 0:
            self._add_sides(*(fold(cells[column]) for column in self._sides))
        for ids in self._ids:
            ids.add(cells)

    def _add_sides(self, payee: str, payer: str) -> None:
        both = {payee, payer} - {""}
        if len(both) < 2:
            return
        self._in_all = both if self._in_all is None else self._in_all & both
        if len(self._partners) <= 2:
            self._partners |= both

    @property
    def own_name(self) -> str:
        """The name that is payer or payee in all rows that have both, folded: the person's own. Empty if none is."""
        return next(iter(self._in_all)) if self._in_all and len(self._in_all) == 1 and len(self._partners) > 2 else ""

    @property
    def dates(self) -> list[str]:
        """One cell for each day, column by column, in the order in which the days appear."""
        return [cell for seen in self._dates.values() for cell in seen.values()]

    @property
    def id_column(self) -> int:
        """The column whose cells identify the rows, here and in the bank's next file; -1 if there is none.

        A short number does not, being a counter that may start anew in every file; nor does a reference that people
        write themselves.
        """
        return next((ids.column for ids in self._ids if ids.column >= 0), -1)


class _Ids:
    """Whether the cells of a column are all different and of a certain form; ``column`` is -1 once they are not.

    A million texts would fill the memory, so their hashes stand for them.
    """

    def __init__(self, column: int, is_wrong: Callable[[str], bool], *, blank_counts: bool = True) -> None:
        self.column = column
        self._is_wrong = is_wrong
        self._blank_counts = blank_counts
        self._seen: set[int] = set()

    def add(self, cells: Sequence[str]) -> None:
        if self.column < 0:
            return
        cell = cells[self.column].strip()
        if not cell and not self._blank_counts:
            return
        if self._is_wrong(cell) or hash(cell) in self._seen:
            self.column = -1
            self._seen.clear()
        else:
            self._seen.add(hash(cell))


def _is_counter(cell: str) -> bool:
    return cell.isdigit() and len(cell) < 6


def _is_reference(cell: str) -> bool:
    return len(cell) >= 10 and " " not in cell and sum(map(str.isdigit, cell)) >= 6


class TableRows:
    """The statement rows of a table, read anew whenever they are gone through."""

    def __init__(self, rows: FittedRows, signed: Signed, reader: RowReader) -> None:
        """``count`` says how many there are, once that is known."""
        self.count = 0
        self._rows = rows
        self._signed = signed
        self._reader = reader

    def __len__(self) -> int:
        return self.count

    def __contains__(self, row: object) -> bool:
        return any(row == each for each in self)

    def __iter__(self) -> Iterator[StatementRow]:
        return (row for row in self.all() if isinstance(row, StatementRow))

    def all(self) -> Iterator[StatementRow | RejectedRow]:
        """Yield every row, or why it can't be read."""
        return (row for _, row in self.with_cells())

    def with_cells(self) -> Iterator[tuple[Sequence[str], StatementRow | RejectedRow]]:
        """Yield every row, or why it can't be read, with its cells."""
        moves = self._signed.moves(self._rows)
        for number, cells in self._rows.all():
            if isinstance(cells, str):
                yield (), RejectedRow(number, cells)
                continue
            written, amount = self._signed.amount(cells, next(moves))
            if isinstance(amount, str):
                yield cells, RejectedRow(number, self._reader.without_amount(cells, amount))
            else:
                yield cells, self._reader.read(number, cells, amount, written.currency)


@dataclass(slots=True)
class Outcome:
    """What becomes of a table's rows: how many are read, which are not, what they come to, when and in which accounts."""

    count: int = 0
    rejected: list[RejectedRow] = field(default_factory=list)
    pairs: set[tuple[str | None, str | None]] = field(default_factory=set)
    total: Decimal = Decimal(0)
    first: date | None = None
    last: date | None = None

    def over(self, rows: Iterable[StatementRow | RejectedRow]) -> Iterator[StatementRow]:
        """Yield those that are read."""
        for row in rows:
            if isinstance(row, StatementRow):
                self.count += 1
                self.pairs.add((row.account, row.currency))
                self.total += row.amount
                self.first = min(self.first or row.booked_on, row.booked_on)
                self.last = max(self.last or row.booked_on, row.booked_on)
                yield row
            else:
                self.rejected.append(row)
