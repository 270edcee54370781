"""Tables as files, and a person's whole ledger as text that can be imported again."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from graph.reply import File
from ledger.money import Money
from ledger.spreadsheets import EXPORT_COLUMNS, harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.periods import Period
    from tools.results import Column, Table, Value

_NO_NAME = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 40


def table_file(table: Table, period: Period | None = None) -> File:
    """Return all rows of a table as a CSV file; an amount's currency has a column of its own."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(title for column in table.columns for title in _titles(column))
    for row in table.rows:
        writer.writerow(text for cell, column in zip(row, table.columns, strict=True) for text in _texts(cell, column))
    # Excel reads UTF-8 as such only behind a byte order mark.
    return File(_name(table, period), "text/csv", out.getvalue().encode("utf-8-sig", "replace"))


def _titles(column: Column) -> Iterator[str]:
    yield harmless(f"{column.title} (%)" if column.unit == "percent" else column.title)
    if column.unit == "money":
        yield "Currency"


def _texts(cell: Value | Money | None, column: Column) -> Iterator[str]:
    if isinstance(cell, Money):
        yield format(cell.amount, "f")
    elif isinstance(cell, Decimal):
        yield format(cell, "f")
    elif isinstance(cell, date):
        yield cell.isoformat()
    else:
        yield "" if cell is None else harmless(cell) if isinstance(cell, str) else str(cell)
    if column.unit == "money":
        yield harmless((cell.currency if isinstance(cell, Money) else None if cell is None else column.currency) or "")


def _name(table: Table, period: Period | None) -> str:
    title = _NO_NAME.sub("-", table.title.casefold()).strip("-")[:_LONGEST_NAME].strip("-") or "money-minder"
    days = () if period is None else (period.start, period.end)
    known = dict.fromkeys(day.isoformat() for day in days if day not in (date.min, date.max))
    return "-".join((title, *known)) + ".csv"


#: Columns whose texts are ours.
_FIGURES = frozenset(("Date", "Amount", "Currency", "Kind", "Account Type", "Balance", "Stated"))


def export_text(
    rows: list[tuple[str, ...]], columns: tuple[str, ...] = EXPORT_COLUMNS, *, as_json: bool = False
) -> str:
    """Return the rows as a CSV or JSON file."""
    return _json(rows, columns) if as_json else _csv(rows, columns)


def _csv(rows: list[tuple[str, ...]], columns: tuple[str, ...]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = zip(columns, row, strict=True)
        writer.writerow([cell if column in _FIGURES else harmless(cell) for column, cell in cells])
    return out.getvalue()


def _json(rows: list[tuple[str, ...]], columns: tuple[str, ...]) -> str:
    keys = [column.lower().replace(" ", "_") for column in columns]
    return json.dumps([dict(zip(keys, row, strict=True)) for row in rows], ensure_ascii=False, indent=1) + "\n"
