"""Delimited text (CSV and its relatives): which delimiter and quote, and the records with their line numbers."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ledger.errors import UnreadableFile
from ledger.importers.decoding import decode
from ledger.importers.importer import Importer
from ledger.importers.recognition import HEAD_SIZE
from ledger.importers.table.cells import MOST_COLUMNS, is_transaction
from ledger.importers.table.layout import Record, find_header
from ledger.importers.table.reader import NO_TABLE, read_table
from ledger.spreadsheets import EXPORT_COLUMNS, restored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.importers.importer import Hints
    from ledger.transactions import Statement

_DELIMITERS = ",;\t|^~"
#: How many records of a sample are judged, and how many lines one quoted cell may go over before the quote is an error.
_JUDGED = 150
_LONGEST_CELL = 60
#: From this many records on, fewer transactions among them than this share are an accident.
_TELLING = 100
_LEAST_SHARE = 0.02
_LONGEST_LINE = 10_000

_SEPARATOR_LINE = re.compile(r"\A\s*\"?sep=([,;\t|^~])\"?[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file separates and quotes its cells."""

    delimiter: str
    quote: str = '"'


def read_delimited(data: bytes, hints: Hints) -> Statement:
    """Read a file of delimited text."""
    text = decode(data)
    first_line = 1
    if stated := _SEPARATOR_LINE.match(text):
        text, first_line = text[stated.end() :], 2
    sample = _head(text)
    dialect = _find_dialect(sample, stated[1] if stated else None)
    if dialect is None:
        dialect = _find_dialect(_unwrapped(sample), None)
        text = _unwrapped(text) if dialect else text
    if dialect is None:
        raise UnreadableFile(NO_TABLE)
    records = split_records(text, dialect, first_line)
    if records and records[0][1] == EXPORT_COLUMNS:
        records = [(line, tuple(map(restored, cells))) for line, cells in records]
    return read_table(records, hints, "csv", european=dialect.delimiter == ";")


def _head(text: str) -> str:
    """Return the beginning of a text up to a line's end."""
    if len(text) <= HEAD_SIZE:
        return text
    end = text.rfind("\n", 0, HEAD_SIZE)
    return text[: end + 1] if end > 0 else text[:HEAD_SIZE]


def _find_dialect(sample: str, stated: str | None) -> Dialect | None:
    """Return the dialect in which most of a sample looks like a header and transactions; None if it does in none."""
    lines = [line.strip() for line in sample.splitlines()[:_JUDGED] if line.strip()]
    single = sum(line.startswith("'") and line.endswith("'") for line in lines)
    quote = "'" if lines and single >= 0.8 * len(lines) else '"'
    _refuse_wide(lines[:20])
    best: tuple[float, Dialect] | None = None
    for delimiter in (stated,) if stated else _DELIMITERS:
        if delimiter not in sample:
            continue
        dialect = Dialect(delimiter, quote)
        points = _judge(split_records(sample, dialect)[:_JUDGED])
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


def _unwrapped(text: str) -> str:
    """Take the quotes off lines that are quoted as a whole, as some spreadsheets save them; empty if they are not."""
    records = split_records(text, Dialect("\x1f"))
    if any(len(cells) != 1 for _, cells in records) or '"' not in text:
        return ""
    return "\n".join(cells[0] for _, cells in records)


def split_records(text: str, dialect: Dialect, first_line: int = 1) -> list[Record]:
    """Split a text into records, each with the number of its first line; lines without anything are left out.

    A quote that is opened and not closed is taken as a character of its cell, so that it costs one line, not the rest.
    """
    delimiter, quote = dialect.delimiter, dialect.quote
    if f"\\{quote}" in text:
        inner = re.compile(rf"\\{quote}(?!\s*(?:{re.escape(delimiter)}|$))", re.MULTILINE)
        text = inner.sub(quote * 2, text)
    return _Splitter(io.StringIO(text).readlines(), dialect, first_line, quoted=quote in text).split()


class _Splitter:
    """Splits lines into records and starts again behind each line in which a quote goes astray."""

    def __init__(self, lines: list[str], dialect: Dialect, first_line: int, *, quoted: bool) -> None:
        self.lines = lines
        self.first_line = first_line
        self.dialect = dialect
        self.quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        self.records: list[Record] = []

    def split(self) -> list[Record]:
        """Return all records with the number of their first line."""
        start = 0
        while start < len(self.lines):
            end = self._take_records(start)
            if end < len(self.lines):
                self.records.append((end + self.first_line, self._split_literally(end)))
            start = end + 1
        return self.records

    def _take_records(self, start: int) -> int:
        """Take records until a quote goes astray; return the index of that line, or the number of lines."""
        reader = csv.reader(
            map(self.lines.__getitem__, range(start, len(self.lines))),
            delimiter=self.dialect.delimiter,
            quotechar=self.dialect.quote,
            quoting=self.quoting,
            skipinitialspace=True,
        )
        line, first_line, take = start, self.first_line, self.records.append
        try:
            for cells in reader:
                behind = start + reader.line_num
                if behind - line > 1 and self._is_astray(cells, line, behind):
                    return line
                if cells:
                    take((line + first_line, tuple(cells)))
                line = behind
        except csv.Error:  # a cell longer than any bank's
            return line
        return len(self.lines)

    def _is_astray(self, cells: Sequence[str], line: int, behind: int) -> bool:
        """Tell a stray quote from a line break in a cell: without it, the lines are records of the usual width."""
        if behind - line > _LONGEST_CELL:
            return True
        width, first, last = len(cells), len(self._split_literally(line)), len(self._split_literally(behind - 1))
        if first == last == width:
            return True
        usual = {len(cells) for _, cells in self.records[-50:]}
        return width not in usual and first in usual and first > 1

    def _split_literally(self, line: int) -> tuple[str, ...]:
        around = f"{self.dialect.quote} \n"
        return tuple(cell.strip(around) for cell in self.lines[line][:_LONGEST_LINE].split(self.dialect.delimiter))


def _sniff(head: bytes, name: str) -> bool:
    """Any text may be a table: this importer comes last."""
    return bool(name or head)


DELIMITED = Importer("CSV", frozenset({"csv", "tsv", "txt"}), _sniff, read_delimited)
