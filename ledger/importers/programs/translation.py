"""Tells by its header which program a table is of, and turns it into a plain one while it is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from ledger.importers.programs import postings, shares, two_sided
from ledger.importers.programs.plain import HEADER
from ledger.importers.table.vocabulary import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ledger.importers.importer import Hints
    from ledger.importers.programs.plain import PlainRecord
    from ledger.importers.table.layout import Record
    from ledger.importers.table.stated import SeenTable

#: A header stands among so many records at the top.
_WITHIN = 30


@dataclass(frozen=True, slots=True)
class _Program:
    """A program: the words of its header, and what turns its records below that into plain ones."""

    header: frozenset[str]
    open: Callable[[Iterable[Record], tuple[str, ...], Hints], Callable[[Iterable[Record]], Iterator[PlainRecord]]]


_PROGRAMS = (
    *(_Program(header, postings.open_postings) for header in postings.HEADERS),
    _Program(two_sided.FIREFLY, two_sided.open_firefly),
    _Program(two_sided.WISE_HISTORY, two_sided.open_wise),
)


class Translated:
    """The records of another program as a plain table, made anew whenever they are gone through."""

    def __init__(
        self,
        records: Iterable[Record],
        start: int,
        read: Callable[[Iterable[Record]], Iterator[PlainRecord]],
        seen: SeenTable | None = None,
    ) -> None:
        """``start`` is where the records below the header begin; ``seen`` is the table that people know, with what is said."""
        self.seen = seen
        self._records = records
        self._start = start
        self._read = read

    def __iter__(self) -> Iterator[PlainRecord]:
        """Yield the plain header and the plain records."""
        yield 0, HEADER
        yield from self._read(islice(self._records, self._start, None))


def translated(records: Iterable[Record], hints: Hints) -> tuple[Iterable[PlainRecord], Hints]:
    """Return the records as a plain table if they are another program's, else as they are; and what is left of the hints.

    Raises ``AmbiguousPerson`` where it must be said who of several people the person is.
    """
    for place, (_, cells) in enumerate(islice(records, _WITHIN)):
        below = _Below(records, place + 1)
        if shares.people_in(cells):
            seen = shares.whose(below, cells, hints)
            read = shares.open_shares(below, cells, seen.base.person)
            return Translated(records, place + 1, read, seen), replace(hints, account=None)
        words = frozenset(map(fold, cells))
        program = next((each for each in _PROGRAMS if each.header <= words), None)
        if program is not None:
            return Translated(records, place + 1, program.open(below, cells, hints)), hints
    return records, hints


@dataclass(frozen=True, slots=True)
class _Below:
    """The records below a header, gone through anew each time."""

    records: Iterable[Record]
    start: int

    def __iter__(self) -> Iterator[Record]:
        return islice(self.records, self.start, None)
