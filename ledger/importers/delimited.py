"""Delimited text (CSV and its relatives): which delimiter and quote, and the records with their line numbers."""

from __future__ import annotations

import csv
import re
from collections import deque
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING, Literal

from ledger.errors import UnreadableFile
from ledger.importers.blocks import as_table
from ledger.importers.decoding import Encoding, decoded_lines, find_encoding, is_rubbish
from ledger.importers.importer import Importer
from ledger.importers.recognition import HEAD_SIZE
from ledger.importers.table.bank_layouts import bank_layouts
from ledger.importers.table.cells import LONGEST_LINE, MOST_COLUMNS, is_transaction
from ledger.importers.table.layout import Record, find_header
from ledger.importers.table.reader import NO_TABLE, read_table
from ledger.importers.table.seen import look_at
from ledger.importers.table.stated import find_stated, usual_rows
from ledger.spreadsheets import EXPORT_COLUMNS, restored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.importers.importer import Hints
    from ledger.importers.table.stated import StatedLayout
    from ledger.transactions import Statement

_DELIMITERS = ",;\t|^~"
#: How many records of a sample are judged, and how many lines one quoted cell may go over before the quote is an error.
_JUDGED = 150
_LONGEST_CELL = 60
#: From this many records on, fewer transactions among them than this share are an accident.
_TELLING = 100
_LEAST_SHARE = 0.02

_RUBBISH = "I can't tell in which encoding this text is; save it as UTF-8 (in Excel: “CSV UTF-8”), then send it again."
_SEPARATOR_LINE = re.compile(r"\A\s*\"?sep=([,;\t|^~])\"?[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file separates and quotes its cells."""

    delimiter: str
    quote: str = '"'


def read_delimited(data: bytes, hints: Hints) -> Statement:
    """Read a file of delimited text."""
    encoding = find_encoding(data)
    sample = _head(decoded_lines(data, encoding))
    if is_rubbish(sample):
        raise UnreadableFile(_RUBBISH)
    stated = _SEPARATOR_LINE.match(sample)
    if stated:
        sample = sample[stated.end() :]
    layouts = (*hints.layouts, *bank_layouts())
    dialect = _find_dialect(sample, stated[1] if stated else None, layouts)
    wrapped = dialect is None
    if dialect is None:
        dialect = _find_dialect("".join(_unwrapped(sample.splitlines(keepends=True))), None, layouts)
    if dialect is None and (table := as_table(decoded_lines(data, encoding))):
        return read_delimited(table, hints)
    if dialect is None:
        raise _no_table(sample)
    records = Records(data, encoding, dialect, skipped=1 if stated else 0, wrapped=wrapped)
    return read_table(records, hints, "csv", european=dialect.delimiter == ";")


class Records:
    """The records of a file, split anew whenever they are gone through, so that a large one is never held as a whole."""

    def __init__(
        self, data: bytes, encoding: Encoding, dialect: Dialect, *, skipped: int = 0, wrapped: bool = False
    ) -> None:
        """``skipped`` lines are left out at the top; ``wrapped`` lines are quoted as a whole."""
        self._data = data
        self._encoding = encoding
        self._dialect = dialect
        self._skipped = skipped
        self._wrapped = wrapped
        first = next(self._split(), None)
        self._is_export = first is not None and first[1] == EXPORT_COLUMNS

    def __iter__(self) -> Iterator[Record]:
        """Yield every record."""
        if not self._is_export:
            return self._split()
        return ((line, tuple(map(restored, cells))) for line, cells in self._split())

    def _split(self) -> Iterator[Record]:
        lines: Iterator[str] = islice(decoded_lines(self._data, self._encoding), self._skipped, None)
        quoted = self._dialect.quote.encode() in self._data
        return split_lines(
            _unwrapped(lines) if self._wrapped else lines, self._dialect, self._skipped + 1, quoted=quoted
        )


def _head(text: Iterable[str]) -> str:
    """Return the beginning of a text up to a line's end."""
    lines: list[str] = []
    size = 0
    for line in text:
        if size + len(line) > HEAD_SIZE:
            return "".join(lines) or line[:HEAD_SIZE]
        lines.append(line)
        size += len(line)
    return "".join(lines)


def _no_table(sample: str) -> UnreadableFile:
    """Return the refusal of a text in which no table is found, with the widest one that it may be, for a person to tell."""
    error = UnreadableFile(NO_TABLE)
    found: list[tuple[int, Sequence[Record]]] = []
    for delimiter in _DELIMITERS:
        records = split_records(sample, Dialect(delimiter))[:_JUDGED]
        rows = usual_rows(records)
        if rows and len(rows[0]) > 1 and len(rows) > len(records) // 2:
            found.append((len(rows) * len(rows[0]), records))
    if found:
        error.table = look_at(max(found, key=lambda each: each[0])[1])
    return error


def _find_dialect(sample: str, stated: str | None, layouts: Sequence[StatedLayout]) -> Dialect | None:
    """Return the dialect in which most of a sample looks like a header and transactions, or is of a layout; None if none."""
    lines = [line.strip() for line in sample.splitlines()[:_JUDGED] if line.strip()]
    single = sum(line.startswith("'") and line.endswith("'") for line in lines)
    quote = "'" if lines and single >= 0.8 * len(lines) else '"'
    _refuse_wide(lines[:20])
    best: tuple[float, Dialect] | None = None
    for delimiter in (stated,) if stated else _DELIMITERS:
        if delimiter not in sample:
            continue
        dialect = Dialect(delimiter, quote)
        records = split_records(sample, dialect)[:_JUDGED]
        if find_stated(records, layouts) is not None:
            return dialect
        points = _judge(records)
        if points and (best is None or points > best[0]):
            best = points, dialect
    return best[1] if best else None


def _refuse_wide(lines: Sequence[str]) -> None:
    wide = sum(any(line.count(delimiter) >= MOST_COLUMNS for delimiter in _DELIMITERS) for line in lines)
    if wide > len(lines) // 2:
        raise UnreadableFile(f"This file has more than {MOST_COLUMNS} columns, far more than any bank statement.")


def _judge(records: Sequence[Record]) -> float:
    """Return how many cells of a header are known, plus points for the share of records that are transactions."""
    header = find_header(records)
    below = records[header[0] + 1 :] if header else records
    share = sum(is_transaction(cells) for _, cells in below) / len(below) if below else 0
    if len(below) >= _TELLING and share < _LEAST_SHARE:
        return 0  # a line that looks like a header, above something else
    return (header[1] if header else 0) + 5 * share


def _unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Take the quotes off lines that are quoted as a whole, as some spreadsheets save them; nothing if they are not."""
    for _, cells in split_lines(lines, Dialect("\x1f")):
        if len(cells) != 1:
            return
        yield from f"{cells[0]}\n".splitlines(keepends=True)


def split_records(text: str, dialect: Dialect, first_line: int = 1) -> list[Record]:
    """Split a text as :func:`split_lines` does."""
    return list(split_lines(StringIO(text), dialect, first_line, quoted=dialect.quote in text))


def split_lines(
    lines: Iterable[str], dialect: Dialect, first_line: int = 1, *, quoted: bool = True
) -> Iterator[Record]:
    """Split lines into records, each with the number of its first line; lines without anything are left out.

    A quote that is opened and not closed is taken as a character of its cell, so that it costs one line, not the rest.
    ``="0123"`` is how a text is kept from becoming a number in a spreadsheet, and is that text.
    """
    delimiter, quote = dialect.delimiter, dialect.quote
    if quoted:
        escaped = re.compile(rf"\\({quote}+)(\s*(?:{re.escape(delimiter)}|$))?", re.MULTILINE)
        lines = (escaped.sub(_doubled, line) if f"\\{quote}" in line else line for line in lines)
        formula = re.compile(
            rf"(?:(?<={re.escape(delimiter)})|^)={quote}([^{quote}]*){quote}(?=\s*(?:{re.escape(delimiter)}|$))"
        )
        lines = (formula.sub(rf"{quote}\1{quote}", line) if f"={quote}" in line else line for line in lines)
    return _Splitter(lines, dialect, first_line, quoted=quoted).split()


def _doubled(escaped: re.Match[str]) -> str:
    """Double a quote behind a backslash, unless that stands for itself: before doubled quotes, or the one at a cell's end."""
    quotes, end = escaped[1], escaped[2]
    if len(quotes) % 2 == (end is not None):
        return escaped[0]
    return f"{quotes[0]}{quotes}{end or ''}"


class _Lines:
    """Lines, of which those of the record at hand are kept, so that reading can begin again behind its first one."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.held: list[str] = []
        self._again: list[str] = []
        self._rest = iter(lines)

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._rest)
        self.held.append(line)
        return line

    def begin_again(self) -> str:
        """Put back all of the lines at hand but the first, and return that."""
        first, *others = self.held
        self._again += reversed(others)
        self.held.clear()
        return first


class _Splitter:
    """Splits lines into records and starts again behind each line in which a quote goes astray."""

    def __init__(self, lines: Iterable[str], dialect: Dialect, first_line: int, *, quoted: bool) -> None:
        self.lines = _Lines(lines)
        self.line = first_line
        self.dialect = dialect
        self.quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        self.widths: deque[int] = deque(maxlen=50)

    def split(self) -> Iterator[Record]:
        """Yield all records with the number of their first line."""
        while True:
            yield from self._take_records()
            if not self.lines.held:
                return
            line = self.lines.begin_again()
            # A line beyond all reason stays one cell, by which the table tells what is wrong with it.
            cells = self._split_literally(line) if len(line) <= LONGEST_LINE else (line[: LONGEST_LINE + 1],)
            self.widths.append(len(cells))
            yield self.line, cells
            self.line += 1

    def _take_records(self) -> Iterator[Record]:
        """Yield records until a quote goes astray; the lines that it is in are still held then."""
        reader = csv.reader(
            self.lines,
            delimiter=self.dialect.delimiter,
            quotechar=self.dialect.quote,
            quoting=self.quoting,
            skipinitialspace=True,
        )
        held = self.lines.held
        try:
            for cells in reader:
                if len(held) > 1 and self._is_astray(cells):
                    return
                if cells:
                    self.widths.append(len(cells))
                    yield self.line, tuple(cells)
                self.line += len(held)
                held.clear()
        except csv.Error:  # a cell longer than any bank's
            return

    def _is_astray(self, cells: Sequence[str]) -> bool:
        """Tell a stray quote from a line break in a cell: without it, the lines are records of the usual width."""
        held = self.lines.held
        if len(held) > _LONGEST_CELL:
            return True
        width, first, last = len(cells), len(self._split_literally(held[0])), len(self._split_literally(held[-1]))
        if first == last == width:
            return True
        usual = set(self.widths)
        return width not in usual and first in usual and first > 1

    def _split_literally(self, line: str) -> tuple[str, ...]:
        around = f"{self.dialect.quote} \n"
        return tuple(cell.strip(around) for cell in line[:LONGEST_LINE].split(self.dialect.delimiter))


def _sniff(head: bytes, name: str) -> bool:
    """Any text may be a table: this importer comes last."""
    return bool(name or head)


DELIMITED = Importer("CSV", frozenset({"csv", "tsv", "txt"}), _sniff, read_delimited)
