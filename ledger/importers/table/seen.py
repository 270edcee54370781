"""How a table was understood, as a layout that a person can look at, mend and hand on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.direction import Reading
from ledger.importers.table.by_currency import SIDES
from ledger.importers.table.cells import is_amount, is_date
from ledger.importers.table.stated import SeenTable, StatedLayout, kinds_of, usual_rows
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.direction import Decision
    from ledger.importers.amounts import DecimalMark
    from ledger.importers.dates import Order
    from ledger.importers.table.layout import Layout, Record
    from ledger.importers.table.passes import Begins
    from ledger.importers.table.stated import Sign

#: How many rows are kept to show what the columns hold, and how much of a cell.
_SHOWN, _LONGEST, _SAMPLE = 3, 60, 150
_LONGEST_NAME = 300
_LEAST = 2
_SIGNS: dict[Reading, Sign] = {Reading.AS_WRITTEN: "as-is", Reading.TURNED: "reversed"}


def look_at(records: Sequence[Record], layout: Layout | None = None, begins: Begins | None = None) -> SeenTable | None:
    """Return what is seen of a table, from its first records and as far as its columns are told; None if it is none."""
    if layout is None or begins is None:
        return _unknown(records)
    header = begins.header or _above(records, begins.skipped, layout.width)
    below = [cells for _, cells in records[begins.skipped :] if len(cells) == layout.width and cells != header]
    seen = StatedLayout(
        header=_cut(header, _LONGEST_NAME),
        kinds=() if header else kinds_of(below[:_SAMPLE]),
        columns=_columns(layout),
    )
    return SeenTable(seen, seen_rows(below), layout.stated, layout.said)


def as_settled(table: SeenTable | None, order: Order, mark: DecimalMark, decision: Decision) -> SeenTable | None:
    """Return a table with what was settled for all of its rows."""
    if table is None:
        return None
    layout = replace(table.layout, order=order, decimal=mark, sign=_SIGNS.get(decision.reading))
    return replace(table, layout=layout)


def _unknown(records: Sequence[Record]) -> SeenTable | None:
    """Return a table of which nothing is understood: its first usual record is a header if none of its cells is a value."""
    rows = usual_rows(records)
    if not rows or len(rows[0]) < _LEAST:
        return None
    first = rows[0]
    filled = [cell for cell in first if cell.strip()]
    headed = len(filled) >= _LEAST and not any(is_date(cell) or is_amount(cell) for cell in filled)
    seen = StatedLayout(header=_cut(first, _LONGEST_NAME)) if headed else StatedLayout(kinds=kinds_of(rows))
    return SeenTable(seen, seen_rows(rows[1:] if headed else rows))


def _above(records: Sequence[Record], first: int, width: int) -> tuple[str, ...]:
    """Return the record above a table that was told by its cells, if it is as wide."""
    cells = records[first - 1][1] if first else ()
    return cells if len(cells) == width else ()


def _columns(layout: Layout) -> tuple[tuple[int, Role], ...]:
    """Return one role for every column that has any: dates in their order, then what there is one of, then the rest."""
    found: dict[int, Role] = dict.fromkeys(layout.dates, Role.DATE)
    for role, column in layout.columns.items():
        found.setdefault(column, role)
    for each in layout.by_currency:
        found.setdefault(each.column, next(role for role, side in SIDES.items() if side == each.side))
    for role, columns in ((Role.TYPE, layout.types), (Role.MEMO, layout.memos), (Role.IGNORED, layout.ignored)):
        for column in columns:
            found.setdefault(column, role)
    return tuple(found.items())


def seen_rows(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return as much of a table's rows as is kept to show what its columns hold."""
    return tuple(_cut(cells, _LONGEST) for cells in rows[:_SHOWN])


def _cut(cells: Sequence[str], longest: int) -> tuple[str, ...]:
    return tuple(cell[:longest] for cell in cells)
