"""Tables whose days have no year, which the lines above them tell: “Periode: 01/05/2026 - 29/05/2026”."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from typing import TYPE_CHECKING

from ledger.importers.pdf.tokens import has_year, without_year
from ledger.importers.statement_days import settle_days
from ledger.importers.table.cells import is_amount
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ledger.importers.importer import Hints
    from ledger.importers.statement_days import Days
    from ledger.importers.table.layout import Record

#: How many records are looked at, and how many rows, and which share of them, must have such a day in a column.
_LOOKED_AT = 200
_FEWEST, _MOST_OF = 2, 0.7


def with_years(records: Iterable[Record], hints: Hints) -> Iterable[Record]:
    """Return records with the year in each of their days, where no row has one; those of any other table as they are.

    Raises as :func:`settle_days` does, where nothing states the time that the rows are of.
    """
    head = list(islice(records, _LOOKED_AT))
    rows = [place for place, (_, cells) in enumerate(head) if _is_row(cells)]
    columns = _columns(head, rows)
    if not columns or any(has_year(cell.strip()) for place in rows for cell in head[place][1]):
        return records
    above = [" ".join(filter(None, map(str.strip, cells))) for _, cells in head[: rows[0]]]
    written = {column: [cell for cell, _ in groupby(_days_in(records, column))] for column in columns}
    return _Dated(records, {column: settle_days(days, above, hints.day_first) for column, days in written.items()})


def _is_row(cells: Sequence[str]) -> bool:
    return any(without_year(_bare(cell)) for cell in cells) and any(map(is_amount, cells))


def _columns(head: Sequence[Record], rows: Sequence[int]) -> list[int]:
    """Return the columns of days, which are named so or can be nothing else, as 12.10 can."""
    found: Counter[int] = Counter()
    for place in rows:
        found.update(column for column, cell in enumerate(head[place][1]) if without_year(_bare(cell)))
    names = head[rows[0] - 1][1] if rows and rows[0] else ()
    usual = [column for column, count in found.items() if count >= max(_FEWEST, _MOST_OF * len(rows))]
    return [
        column
        for column in usual
        if any(meaning.role is Role.DATE for meaning in header_meanings("".join(names[column : column + 1])))
        or not any(is_amount(head[place][1][column]) for place in rows if column < len(head[place][1]))
    ]


def _bare(cell: str) -> str:
    """Return a cell without the mark by which a spreadsheet takes it for a text."""
    return cell.strip().removeprefix("'")


def _days_in(records: Iterable[Record], column: int) -> Iterator[str]:
    return (day for _, cells in records if column < len(cells) and without_year(day := _bare(cells[column])))


class _Dated:
    """Records in which days without a year have one, gone through anew each time."""

    def __init__(self, records: Iterable[Record], days: Mapping[int, Days]) -> None:
        self._records = records
        self._days = days

    def __iter__(self) -> Iterator[Record]:
        for number, cells in self._records:
            dated = list(cells)
            for column, days in self._days.items():
                if column < len(dated) and (day := days.get(_bare(dated[column]))):
                    dated[column] = day.isoformat()
            yield number, tuple(dated)
