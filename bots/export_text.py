"""The person's transactions, or balances, as a CSV or JSON text that can be read elsewhere; transactions are read back."""

from __future__ import annotations

import csv
import io
import json

from ledger.spreadsheets import EXPORT_COLUMNS, harmless

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
