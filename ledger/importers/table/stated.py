"""What may be said of the files of one layout: which those are, and how they are to be read.

A stated layout is an answer, complete or in part, to what is otherwise told from a file's header and cells. It is a person's
word on files of theirs, or a file of :mod:`ledger.layouts`; :mod:`ledger.importers.table.layout_file` is its form as a text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from ledger.importers.dates import Order
from ledger.importers.table.by_currency import SIDES, MoneyColumn, currency_named
from ledger.importers.table.cells import MOST_COLUMNS, is_amount, is_date
from ledger.importers.table.known import KnownLayout
from ledger.importers.table.vocabulary import Role, fold

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ledger.importers.amounts import DecimalMark
    from ledger.importers.table.layout import Layout, Record
    from ledger.transactions import AccountType

#: How many records are looked at for a header, and for what the columns of a file without one hold.
_WITHIN, _SAMPLE = 100, 150
#: The shares of the filled cells of a column that are dates or numbers in one that holds such.
_DATES, _NUMBERS = 0.8, 0.95
#: Stands in a layout's header for a name that differs from file to file.
ANY_NAME = "*"
_MONEY = (Role.AMOUNT, Role.DEBIT, Role.CREDIT)

Sign = Literal["as-is", "reversed"]


class CellKind(StrEnum):
    """What the cells of a column are, in a file without a header; ``ANY`` where nothing is known."""

    DATE = "date"
    NUMBER = "number"
    TEXT = "text"
    ANY = "any"


_RENAMED = {
    Role.DEBIT: "money-out", Role.CREDIT: "money-in", Role.SIGN: "direction", Role.TYPE: "kind", Role.IGNORED: "ignore",
}  # fmt: skip
#: The word by which people name what a column holds, and what each word means.
WORDS: Mapping[Role, str] = {
    role: _RENAMED.get(role, role.value.replace(" ", "-")) for role in Role if role is not Role.EITHER_ACCOUNT
}
ROLES: Mapping[str, Role] = {word: role for role, word in WORDS.items()}
#: Roles that several columns may have, and those that several may have which are named by different currencies.
SHARED = frozenset((Role.DATE, Role.MEMO, Role.IGNORED))
BY_CURRENCY = frozenset(SIDES)
ORDERS: Mapping[str, Order] = {
    "day-first": Order.DAY_MONTH_YEAR,
    "month-first": Order.MONTH_DAY_YEAR,
    "year-first": Order.YEAR_MONTH_DAY,
}


@dataclass(frozen=True, slots=True)
class StatedLayout:
    """Which files these are, and what is said of them; what is not said is told from the file as ever.

    Columns are counted from 0, in the order of ``header`` or ``kinds``, one of which is empty. ``marks`` are texts that
    such a file holds somewhere: without a header, or with a plain one, little else tells it from those of other banks.
    ``out`` and ``into`` are the words of the direction column, ``left_out`` those of any column by which a row is left
    out. ``person`` is who of the people that its header names the person is.
    """

    header: tuple[str, ...] = ()
    kinds: tuple[CellKind, ...] = ()
    marks: tuple[str, ...] = ()
    columns: tuple[tuple[int, Role], ...] = ()
    out: tuple[str, ...] = ()
    into: tuple[str, ...] = ()
    left_out: tuple[tuple[int, tuple[str, ...]], ...] = ()
    order: Order | None = None
    decimal: DecimalMark | None = None
    sign: Sign | None = None
    currency: str = ""
    bank: str = ""
    account: str = ""
    account_type: AccountType | None = None
    person: str = ""

    @property
    def width(self) -> int:
        """How many columns it speaks of."""
        return len(self.header or self.kinds)

    @property
    def names(self) -> tuple[str, ...]:
        """The words of the header, in whatever order the columns are."""
        return names_of(self.header)

    @property
    def key(self) -> str:
        """What is the same for all that may be said of the same files."""
        said = ("header", *self.names, str(self.width)) if self.header else ("kinds", *self.kinds, *self.marks)
        return hashlib.sha256("\x1f".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def blank(self) -> StatedLayout:
        """The same files, and nothing said of them."""
        return StatedLayout(self.header, self.kinds, self.marks)

    @property
    def sides(self) -> dict[str, int]:
        """The side of each word of the direction column."""
        return {word_key(word): side for side, words in ((-1, self.out), (1, self.into)) for word in words}

    def column_of(self, role: Role) -> int | None:
        """Return the first column that is said to have a role."""
        return next(iter(self.columns_of(role)), None)

    def columns_of(self, role: Role) -> tuple[int, ...]:
        """Return all columns that are said to have a role."""
        return tuple(column for column, given in self.columns if given is role)

    def with_column(self, column: int, role: Role) -> StatedLayout:
        """Return the layout with a role for a column; the latest date column is the first one to be asked."""
        kept = [
            (other, given)
            for other, given in self.columns
            if other != column and (given is not role or may_share(role, self.header, (other, column)))
        ]
        columns = ((column, role), *kept) if role is Role.DATE else (*kept, (column, role))
        return replace(self, columns=columns)

    def without_column(self, column: int) -> StatedLayout:
        """Return the layout with nothing said of a column."""
        return replace(self, columns=tuple(each for each in self.columns if each[0] != column))


def may_share(role: Role, header: Sequence[str], columns: Sequence[int]) -> bool:
    """Tell whether several columns can have one role: any can for some, for amounts those of different currencies."""
    if len(columns) < 2 or role in SHARED:
        return True
    codes = [currency_named(header[column]) for column in columns] if header else [None]
    return role in BY_CURRENCY and None not in codes and len(set(codes)) == len(columns)


@dataclass(frozen=True, slots=True)
class Found:
    """A stated layout that fits a file: where its header stands, if it has one, and which column of it is which there."""

    stated: StatedLayout
    header_at: int | None
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as it was understood: all of its columns, its first rows, and what was said of it, by the person or not."""

    layout: StatedLayout
    rows: tuple[tuple[str, ...], ...] = ()
    stated: StatedLayout | None = None
    said: bool = False

    @property
    def base(self) -> StatedLayout:
        """What the person said so far."""
        return self.stated if self.stated is not None and self.said else self.layout.blank

    def example(self, column: int) -> str:
        """Return the first cell of a column that holds something."""
        cells = (row[column].strip() for row in self.rows if column < len(row))
        return next((cell for cell in cells if cell), "")


def word_key(word: str) -> str:
    """Return the form in which words of a cell are compared; signs stand for themselves."""
    return fold(word) or word.strip()


def find_stated(records: Sequence[Record], layouts: Iterable[StatedLayout]) -> Found | None:
    """Return the first layout that the records of a file fit: those of a header before those without."""
    listed = list(layouts)
    headed = [layout for layout in listed if layout.header]
    words = {fold(layout.header[0]) for layout in headed}
    for place, (_, cells) in enumerate(records[:_WITHIN]):
        if len(cells) > MOST_COLUMNS or words.isdisjoint(map(fold, cells)):  # most records are no header
            continue
        below = [below for _, below in records[place + 1 : place + 1 + _SAMPLE]]
        stated = next((layout for layout in headed if _is_headed(layout, cells, below)), None)
        if stated is not None:
            at = range(stated.width) if _is_like(stated.header, cells) else _places(stated.header, cells)
            return Found(stated, place, tuple(at))
    return _find_headless(records, [layout for layout in listed if layout.kinds])


def _is_headed(layout: StatedLayout, cells: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a record is the header of a layout, and the rows below hold one of its marks, if it has any."""
    if layout.names != names_of(cells) and not _is_like(layout.header, cells):
        return False
    return not layout.marks or _holds(rows, layout.marks)


def _find_headless(records: Sequence[Record], layouts: Iterable[StatedLayout]) -> Found | None:
    """Return the first layout of files without a header that the records fit."""
    rows = usual_rows(records)
    wide = [layout for layout in layouts if rows and layout.width == len(rows[0])]
    kinds = kinds_of(rows) if wide else ()
    stated = next((layout for layout in wide if _fits(layout, kinds, rows)), None)
    return Found(stated, None, tuple(range(stated.width))) if stated else None


def usual_rows(records: Sequence[Record]) -> list[tuple[str, ...]]:
    """Return the first records that are as wide as most, which is one cell at least."""
    sample = [cells for _, cells in records[:_SAMPLE] if any(cell.strip() for cell in cells)]
    usual = Counter(map(len, sample)).most_common(1)
    return [cells for cells in sample if len(cells) == usual[0][0]]


def kinds_of(rows: Sequence[Sequence[str]]) -> tuple[CellKind, ...]:
    """Return what the columns of rows that are equally wide hold."""
    return tuple(_kind([row[column] for row in rows]) for column in range(len(rows[0]))) if rows else ()


def _kind(cells: Iterable[str]) -> CellKind:
    filled = [cell for cell in map(str.strip, cells) if cell]
    if not filled:
        return CellKind.ANY
    if sum(map(is_date, filled)) >= _DATES * len(filled):
        return CellKind.DATE
    return CellKind.NUMBER if sum(map(is_amount, filled)) >= _NUMBERS * len(filled) else CellKind.TEXT


def _is_like(header: Sequence[str], cells: Sequence[str]) -> bool:
    """Tell whether cells are a header in the same order, of which some names are left open, such as those of months."""
    return (
        ANY_NAME in header
        and len(header) == len(cells)
        and all(name == ANY_NAME or fold(name) == fold(cell) for name, cell in zip(header, cells, strict=True))
    )


def names_of(cells: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a header, in whatever order the columns are."""
    return tuple(sorted(filter(None, map(fold, cells))))


def _places(header: Sequence[str], cells: Sequence[str]) -> tuple[int, ...]:
    """Return where each column of a layout is in a file; of equal names the first stands for the first."""
    free: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        free.setdefault(fold(cell), []).append(place)
    return tuple(places.pop(0) if (places := free.get(fold(cell))) else -1 for cell in header)


def _fits(layout: StatedLayout, kinds: Sequence[CellKind], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether a file without a header is of a layout; its very first row is none then."""
    if not all(map(_agree, layout.kinds, kinds)) or not all(map(_agree, layout.kinds, kinds_of(rows[:1]))):
        return False
    if layout.marks and not _holds(rows, layout.marks):
        return False
    column, sides = layout.column_of(Role.SIGN), layout.sides
    return column is None or not sides or all(not row[column].strip() or word_key(row[column]) in sides for row in rows)


def _agree(stated: CellKind, found: CellKind) -> bool:
    """Tell whether a column may be what it is said to be: a text may be made of digits, and a column may be empty."""
    return CellKind.ANY in (stated, found) or stated is found or (stated, found) == (CellKind.TEXT, CellKind.NUMBER)


def _holds(rows: Sequence[Sequence[str]], marks: Sequence[str]) -> bool:
    wanted = [mark.casefold() for mark in marks]
    return any(mark in cell.casefold() for row in rows for cell in row for mark in wanted)


def apply(layout: Layout, found: Found, *, said: bool) -> Layout:
    """Return what was told from a file with what is stated put over it; ``said`` if it is the person's own word."""
    stated = found.stated
    given = [(found.at[column], role) for column, role in stated.columns if found.at[column] >= 0]
    roles = {role for _, role in given}
    taken = {column for column, _ in given}
    no_money = roles.isdisjoint(_MONEY)
    dropped = (roles if no_money else roles | _other_money(roles)) - SHARED
    columns = {role: column for role, column in layout.columns.items() if column not in taken and role not in dropped}
    columns |= {role: column for column, role in reversed(given) if role not in SHARED}

    def of(role: Role, shown: Iterable[int] = ()) -> tuple[int, ...]:
        """Return the columns that are said to have a role, before those that the file shows and nothing is said of."""
        stated = [column for column, given_role in given if given_role is role]
        return (*stated, *(column for column in shown if column not in taken))

    return replace(
        layout,
        columns=columns,
        dates=of(Role.DATE, layout.dates),
        memos=of(Role.MEMO, layout.memos),
        types=of(Role.TYPE, layout.types),
        currency=layout.currency if no_money else _currency_of(stated),
        by_currency=_by_currency(found) or _left(layout.by_currency, roles, taken),
        guessed=layout.guessed and no_money,
        known=_known(layout.known, stated),
        stated=stated,
        said=said,
        ignored=of(Role.IGNORED),
        left_out=tuple((found.at[column], frozenset(map(word_key, words))) for column, words in stated.left_out),
    )


def _currency_of(stated: StatedLayout) -> str | None:
    """Return the currency that the name of a stated column of amounts holds."""
    names = (stated.header[column] for column, role in stated.columns if role in _MONEY and stated.header)
    return next(filter(None, map(currency_named, names)), None)


def _by_currency(found: Found) -> tuple[MoneyColumn, ...]:
    """Return the columns of amounts where several are stated for one role."""
    stated = found.stated
    if not any(len(stated.columns_of(role)) > 1 for role in BY_CURRENCY):
        return ()
    return tuple(
        MoneyColumn(found.at[column], SIDES[role], currency_named(stated.header[column]) or "")
        for column, role in stated.columns
        if role in BY_CURRENCY and found.at[column] >= 0
    )


def _left(
    columns: Sequence[MoneyColumn], roles: frozenset[Role] | set[Role], taken: Collection[int]
) -> tuple[MoneyColumn, ...]:
    """Return the columns of amounts that a file shows by itself, where nothing else is said of them."""
    left = tuple(each for each in columns if each.column not in taken)
    return left if roles.isdisjoint(_MONEY) and len(left) > 1 else ()


def _known(known: KnownLayout | None, stated: StatedLayout) -> KnownLayout | None:
    """Return whose files these are, by the name and type of account that are stated, if they are."""
    name = stated.account or stated.bank or (known.name if known else "")
    known = known or KnownLayout("", frozenset())
    return replace(known, name=name, type=stated.account_type or known.type) if name else None


def _other_money(roles: set[Role]) -> set[Role]:
    """Return the roles of money that give way: one column for both ways, or a column for each."""
    return {Role.DEBIT, Role.CREDIT} - roles if Role.AMOUNT in roles else {Role.AMOUNT}
