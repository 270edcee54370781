"""Reads the cells of a workbook, in a process of its own: see :mod:`ledger.importers.workbook`.

The parser is not Python's. What it can't bear, a table of a billion cells or a mistake of its own, ends this process and
not the program. It imports nothing of ours, so that it starts at once.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from datetime import datetime, time
from io import BytesIO
from typing import TYPE_CHECKING, Any, TextIO

from python_calamine import CalamineError, SheetTypeEnum, SheetVisibleEnum, load_workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from python_calamine import CalamineSheet

#: What the process may take: memory in bytes, time in seconds.
_MOST_MEMORY, _MOST_SECONDS = 2 << 30, 120
#: A number in a cell has fifteen digits, as spreadsheets show them; money has no more than this many behind the point.
_DIGITS, _DECIMALS = 15, 9
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

TOO_LARGE, DAMAGED = "too large", "damaged"


def cell_of(value: object) -> str | int | float:
    """Return what a person reads in a cell: days as ISO dates without their time, numbers without binary noise."""
    reader = _READERS.get(type(value))
    return reader(value) if reader else str(value)


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() else round(float(f"{value:.{_DIGITS}g}"), _DECIMALS)


#: What the parser gives for errors (#REF!) is an empty text.
_READERS: dict[type, Callable[[Any], str | int | float]] = {
    str: lambda value: str(_NO_TEXT.sub("", value) if _NO_TEXT.search(value) else value),
    float: _number,
    int: int,
    bool: lambda value: "TRUE" if value else "FALSE",
    datetime: lambda value: str(value.date().isoformat()),
    time: lambda value: str(value.isoformat("seconds" if value.second else "minutes")),
}


def write_cells(data: bytes, out: TextIO, most_columns: int, most_rows: int, most_bytes: int) -> None:
    """Write every sheet as a line with its name and a line for each row that holds anything; in the end, what is wrong.

    A row is its number, counted from 1, and its cells. A sheet that is too wide has no rows.
    """
    try:
        with load_workbook(BytesIO(data)) as book:
            for sheet in book.sheets_metadata:
                if sheet.typ is SheetTypeEnum.WorkSheet:
                    cells = book.get_sheet_by_name(sheet.name)
                    visible = sheet.visible is SheetVisibleEnum.Visible
                    too_wide = cells.total_width > most_columns
                    _write(out, {"sheet": sheet.name, "visible": visible, "wide": too_wide})
                    if not too_wide:
                        most_rows, most_bytes = _write_rows(cells, out, most_rows, most_bytes)
    except OverflowError:
        _write(out, {"problem": TOO_LARGE})
    except CalamineError:
        _write(out, {"problem": DAMAGED})


def _write_rows(sheet: CalamineSheet, out: TextIO, most_rows: int, most_bytes: int) -> tuple[int, int]:
    """Write the rows of a sheet; return how many rows and bytes may follow, and raise OverflowError if there are more."""
    for number, row in enumerate(sheet.iter_rows(), start=1):
        if any(value != "" for value in row):
            most_rows -= 1
            most_bytes -= _write(out, [number, *map(cell_of, row)])
            if most_rows < 0 or most_bytes < 0:
                raise OverflowError
    return most_rows, most_bytes


def _write(out: TextIO, line: dict[str, object] | Sequence[object]) -> int:
    return out.write(json.dumps(line, separators=(",", ":")) + "\n")


def _main() -> None:
    with suppress(ImportError, ValueError, OSError):  # not everywhere can a process be bounded
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    write_cells(sys.stdin.buffer.read(), sys.stdout, *map(int, sys.argv[1:4]))


if __name__ == "__main__":
    _main()
