"""The person's transactions as a CSV or JSON text, which can be read elsewhere and imported again."""

from __future__ import annotations

import csv
import io
import json

from ledger.spreadsheets import EXPORT_COLUMNS, harmless

#: Columns whose texts are ours.
_FIGURES = frozenset(("Date", "Amount", "Currency", "Kind", "Account Type"))


def export_text(rows: list[tuple[str, ...]], *, as_json: bool = False) -> str:
    """Return the rows as a CSV or JSON file."""
    return _json(rows) if as_json else _csv(rows)


def _csv(rows: list[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(EXPORT_COLUMNS)
    for row in rows:
        cells = zip(EXPORT_COLUMNS, row, strict=True)
        writer.writerow([cell if column in _FIGURES else harmless(cell) for column, cell in cells])
    return out.getvalue()


def _json(rows: list[tuple[str, ...]]) -> str:
    keys = [column.lower().replace(" ", "_") for column in EXPORT_COLUMNS]
    return json.dumps([dict(zip(keys, row, strict=True)) for row in rows], ensure_ascii=False, indent=1) + "\n"
