"""Several tables below each other on one sheet, each with a header of its own: purchases at home, then those abroad."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from ledger.importers.table.cells import is_date
from ledger.importers.table.column_names import header_meanings
from ledger.importers.table.layout import HEADER_WITHIN, find_header, read_header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.importers.table.layout import Record

#: So many names of columns are in another header of the sheet as well, and so many of its own are known.
_SHARED, _KNOWN = 2, 3
#: More tables than this are none.
_MOST = 20


@dataclass(frozen=True, slots=True)
class Section:
    """The records of a sheet from one place on, up to another one if there is more; gone through anew each time."""

    records: Iterable[Record]
    start: int
    end: int | None

    def __iter__(self) -> Iterator[Record]:
        """Yield them."""
        return islice(self.records, self.start, self.end)


def sections_of(records: Iterable[Record]) -> list[Iterable[Record]]:
    """Return the tables of a sheet, each as records; the sheet as it is where it has one, repeated headers and all."""
    header = find_header(first := list(islice(records, HEADER_WITHIN)))
    if header is None:
        return [records]
    starts = [0]
    known = first[header[0]][1]
    names = set(known) - {""}
    for place, (_, cells) in enumerate(records):
        if place > header[0] and len(names.intersection(cells)) >= _SHARED and cells != known and _is_header(cells):
            starts.append(place)
            known, names = cells, names.union(cells) - {""}
    if not 1 < len(starts) <= _MOST:
        return [records]
    return [Section(records, start, end) for start, end in pairwise([*starts, None]) if start is not None]


def _is_header(cells: Sequence[str]) -> bool:
    if any(map(is_date, cells)) or sum(bool(header_meanings(cell)) for cell in cells) < _KNOWN:
        return False
    return read_header(cells, []).is_complete
