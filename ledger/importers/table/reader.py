"""Reads a table of transactions: finds its header, settles what holds for the whole file, then reads row by row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousDates, UnreadableFile
from ledger.importers.amounts import DecimalMark, decimal_mark
from ledger.importers.currencies import currency_of_places
from ledger.importers.dates import DateReader, Order, find_order, first_ambiguous, read_date
from ledger.importers.table.accounts import Accounts
from ledger.importers.table.cells import is_amount, is_transaction
from ledger.importers.table.inference import infer_layout
from ledger.importers.table.layout import Layout, Record, find_header, read_header
from ledger.importers.table.phrases import (
    DAY_FIRST_CURRENCIES,
    DAY_FIRST_WORDS,
    MONTH_FIRST_CURRENCIES,
    MONTH_FIRST_WORDS,
)
from ledger.importers.table.preamble import Preamble, read_preamble
from ledger.importers.table.rows import RowReader
from ledger.importers.table.signs import quote, settle_amounts
from ledger.importers.table.vocabulary import Role, header_meanings
from ledger.money import exponent
from ledger.transactions import RejectedRow, Statement, StatementRow

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.importers.importer import Hints

NO_TABLE = "I can't find transactions in this file: no table with a date and an amount in each row."

#: From this many records on, a table of which none can be read is refused rather than listed.
_HOPELESS = 20
_MONEY_ROLES = (Role.AMOUNT, Role.DEBIT, Role.CREDIT)
#: Columns of numbers that are no amounts.
_NO_MONEY = frozenset({Role.BALANCE, Role.FEE, Role.IGNORED, Role.ID, Role.REFERENCE, Role.MCC})
_TEXT_ROLES = (
    Role.DESCRIPTION, Role.PAYEE, Role.PAYER, Role.MERCHANT, Role.CATEGORY, Role.TYPE, Role.ACCOUNT_NAME, Role.LABELS,
)  # fmt: skip


def read_table(records: Sequence[Record], hints: Hints, file_format: str, *, european: bool = False) -> Statement:
    """Read the records of one file as a statement; ``european`` says that its dialect is (semicolons).

    Raises ``AmbiguousDates`` if nothing decides what 03/04/2026 means, ``UnreadableFile`` if there is no table.
    """
    layout, above, below = _divide(records)
    preamble = read_preamble(above)
    numbers, rows, rejected = _fit(below, layout)
    currency = layout.currency or preamble.currency or hints.currency
    mark = _find_mark(rows, layout, currency, european=european)
    settled, cell_currencies = settle_amounts(rows, layout, mark, currency)
    stated = {
        currency,
        *cell_currencies.values(),
        *(cells[layout.column(Role.CURRENCY)].strip() for cells in rows[:500]),
    }
    order = _find_order(rows, layout, preamble, hints, _Evidence(mark, stated - {None, ""}, european=european))
    accounts = Accounts(layout, preamble, hints)
    reader = RowReader(layout, DateReader(order), accounts, currency, _id_column(rows, layout))
    read: list[StatementRow] = []
    for index, amount in enumerate(settled):
        row: StatementRow | RejectedRow
        if isinstance(amount, Decimal):
            row = reader.read(numbers[index], rows[index], amount, cell_currencies.get(index))
        else:
            row = RejectedRow(numbers[index], amount)
        if isinstance(row, StatementRow):
            read.append(row)
        else:
            rejected.append(row)
    rejected.sort(key=lambda row: row.row)
    if not read and len(rejected) >= _HOPELESS:
        first = rejected[0]
        raise UnreadableFile(
            f"None of the {len(rejected)} rows of this file can be read; about line {first.row}: {first.reason}."
        )
    guess = "EUR" if mark == "," else currency_of_places(row.description for row in read)
    return Statement(file_format, accounts.all(read), tuple(read), tuple(rejected), guess)


def _divide(records: Sequence[Record]) -> tuple[Layout, Sequence[Record], Sequence[Record]]:
    """Return the layout, the records above the table, and those of the table without its header."""
    header = find_header(records)
    if header:
        cells = records[header[0]][1]
        below = [record for record in records[header[0] + 1 :] if record[1] != cells]  # some files repeat it
        return read_header(cells, below), records[: header[0]], below
    layout, first = _infer(records)
    if first and len(records[first - 1][1]) == layout.width:
        header_cells = records[first - 1][1]
        other = {
            index for index, cell in enumerate(header_cells) if any(m.role in _NO_MONEY for m in header_meanings(cell))
        }
        layout, _ = _infer(records[first:], other)
        layout = _named(layout, read_header(header_cells, records[first:]))
    return layout, records[:first], records[first:]


def _infer(records: Sequence[Record], no_money: Collection[int] = ()) -> tuple[Layout, int]:
    """Return the layout that the cells suggest and the place of the first record that fits it."""
    layout = infer_layout(records, no_money)
    if layout is None:
        raise UnreadableFile(NO_TABLE)
    money = [layout.columns[role] for role in _MONEY_ROLES if role in layout.columns]
    first = next(
        index
        for index, (_, cells) in enumerate(records)
        if len(cells) == layout.width
        and (is_transaction(cells) or read_date(cells[layout.dates[0]]) or any(is_amount(cells[i]) for i in money))
    )
    return layout, first


def _named(inferred: Layout, named: Layout) -> Layout:
    """Add to a layout inferred from the cells what a header says of which only some words are known."""
    columns = dict(inferred.columns)
    if any(role in named.columns for role in _MONEY_ROLES):
        columns = {role: column for role, column in columns.items() if role not in _MONEY_ROLES}
    fixed = {columns[role] for role in _MONEY_ROLES if role in columns} | set(inferred.dates)
    added = {role: column for role, column in named.columns.items() if column not in fixed}
    columns = {role: column for role, column in columns.items() if column not in added.values()} | added
    used = set(columns.values())
    return replace(
        inferred,
        columns=columns,
        dates=named.dates or inferred.dates,
        memos=tuple(column for column in inferred.memos if column not in used),
        currency=named.currency,
        words=named.words,
        foreign=named.foreign,
    )


def _fit(records: Sequence[Record], layout: Layout) -> tuple[list[int], list[tuple[str, ...]], list[RejectedRow]]:
    """Make every record as wide as the table, plus one empty cell that stands for all columns that are not there."""
    width, date = layout.width, layout.dates[0]
    numbers: list[int] = []
    rows: list[tuple[str, ...]] = []
    rejected: list[RejectedRow] = []
    for number, given in records:
        cells, count = given, len(given)
        if count != width:
            while count and not cells[count - 1].strip():
                count -= 1
            if count > width or (count < width and _is_shifted(cells[:count], layout)):
                held = max(count, min(len(cells), width))
                cell = "cell" if held == 1 else "cells"
                rejected.append(RejectedRow(number, f"the row has {held} {cell} where the table has {width}"))
                continue
            cells = (*cells[:width], *[""] * (width - len(cells)))
        if not cells[date].strip() and not any(cell.strip() for cell in cells):
            continue
        numbers.append(number)
        rows.append((*cells, ""))
    return numbers, rows, rejected


def _is_shifted(cells: Sequence[str], layout: Layout) -> bool:
    """Tell a row that lacks a cell in its middle (a text column holds money) from one that ends early."""
    if not cells:
        return False
    texts = [layout.column(role) for role in _TEXT_ROLES] + list(layout.memos)
    return len(cells) <= layout.dates[0] or any(
        0 <= column < len(cells) and is_amount(cells[column]) and any(mark in cells[column] for mark in ".,")
        for column in texts
    )


def _find_mark(rows: Sequence[Sequence[str]], layout: Layout, currency: str | None, *, european: bool) -> DecimalMark:
    amounts = {cells[layout.columns[role]] for role in _MONEY_ROLES if role in layout.columns for cells in rows}
    balances = (cells[layout.column(Role.BALANCE)] for cells in rows)
    return decimal_mark(
        amounts,
        balances,
        default="," if layout.foreign or european else ".",
        three_decimals=currency is not None and exponent(currency) == 3,
    )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What else a file shows about where it comes from."""

    mark: DecimalMark
    currencies: set[str | None]
    european: bool


def _find_order(
    rows: Sequence[Sequence[str]], layout: Layout, preamble: Preamble, hints: Hints, evidence: _Evidence
) -> Order:
    cells = [row[column] for column in layout.dates for row in rows]
    told = None
    if hints.day_first is not None:
        told = Order.DAY_MONTH_YEAR if hints.day_first else Order.MONTH_DAY_YEAR
    certain = Order.DAY_MONTH_YEAR if layout.foreign or evidence.mark == "," else None
    order = find_order([*cells, *preamble.dates], told=told, certain=certain, likely=_likely_order(layout, evidence))
    cell = first_ambiguous(cells) if order is None else None
    if cell is not None:
        readings = [read_date(cell, way) for way in (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR)]
        raise AmbiguousDates(quote(cell), *filter(None, readings))
    return order or Order.DAY_MONTH_YEAR


def _likely_order(layout: Layout, evidence: _Evidence) -> Order | None:
    day_first = bool(layout.words & DAY_FIRST_WORDS) or evidence.european
    month_first = bool(layout.words & MONTH_FIRST_WORDS)
    if evidence.currencies:
        day_first = day_first or evidence.currencies <= DAY_FIRST_CURRENCIES
        month_first = month_first or evidence.currencies <= MONTH_FIRST_CURRENCIES
    if day_first == month_first:
        return None
    return Order.DAY_MONTH_YEAR if day_first else Order.MONTH_DAY_YEAR


def _id_column(rows: Sequence[Sequence[str]], layout: Layout) -> int:
    """Return the column whose cells identify the rows, here and in the bank's next file; -1 if there is none.

    A short number does not, being a counter that may start anew in every file; nor does a reference that people write
    themselves.
    """
    column = layout.column(Role.ID)
    if column >= 0:
        cells = [cell for row in rows if (cell := row[column].strip())]
        if len(set(cells)) == len(cells) and not any(cell.isdigit() and len(cell) < 6 for cell in cells):
            return column
    column = layout.column(Role.REFERENCE)
    if column >= 0:
        cells = [row[column].strip() for row in rows]
        if len(set(cells)) == len(cells) and all(_is_reference(cell) for cell in cells):
            return column
    return -1


def _is_reference(cell: str) -> bool:
    return len(cell) >= 10 and " " not in cell and sum(map(str.isdigit, cell)) >= 6
