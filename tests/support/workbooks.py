"""Workbooks for tests, written from rows of cells."""

from __future__ import annotations

import datetime as dt
from io import BytesIO
from typing import TYPE_CHECKING

from xlsxwriter import Workbook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FORMATS = {dt.date: "dd/mm/yyyy", dt.datetime: "dd/mm/yyyy hh:mm:ss", dt.time: "hh:mm"}


def written(sheets: Mapping[str, Sequence[Sequence[object]]], *, hidden: Sequence[str] = ()) -> bytes:
    """Return an XLSX file with these sheets; a tuple is a formula and its value."""
    out = BytesIO()
    book = Workbook(out, {"in_memory": True})
    formats = {kind: book.add_format({"num_format": form}) for kind, form in _FORMATS.items()}
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        if name in hidden:
            sheet.hide()
        for place, row in enumerate(rows):
            for column, cell in enumerate(row):
                if isinstance(cell, tuple):
                    sheet.write_formula(place, column, cell[0], None, cell[1])
                elif type(cell) in formats:
                    sheet.write_datetime(place, column, cell, formats[type(cell)])
                elif isinstance(cell, str):
                    sheet.write_string(place, column, cell)
                elif cell is not None:
                    sheet.write(place, column, cell)
    book.close()
    return out.getvalue()
