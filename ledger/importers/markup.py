"""Tables that banks call Excel files: HTML under the name of ``.xls``, and XML Spreadsheet 2003."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from ledger.errors import UnreadableFile
from ledger.importers.decoding import decode
from ledger.importers.importer import Importer
from ledger.importers.recognition import as_ascii, is_ofx
from ledger.importers.sheets import Sheet, SheetRecords, read_sheets
from ledger.importers.table.cells import MOST_COLUMNS
from ledger.importers.workbook_process import cell_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree.ElementTree import Element

    from ledger.importers.importer import Hints
    from ledger.importers.table.layout import Record
    from ledger.transactions import Statement

_NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
_ATTRIBUTE = f"{{{_NAMESPACE}}}"
_OFFICE = b'"' + _NAMESPACE.encode() + b'"'
_TABLE = re.compile(rb"<table\b", re.IGNORECASE)
_CHARSET = re.compile(rb"charset=[\"']?([\w-]{3,20})", re.IGNORECASE)
#: A tag with its attributes; nothing in it is looked at twice, so that a page of nothing but “<” is no more work than another.
_TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9:]*+)((?:"[^"<]*+"|'[^'<]*+'|[^<>"'])*+)>""")
_SPAN = re.compile(r"\b(col|row)span\s*=\s*[\"']?\s*([0-9]{1,4})", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n]+")
_MOST_ROWS, _MOST_TABLES = 250_000, 5000
_TOO_LARGE = "This file has far too many rows or tables for a statement."
_DAMAGED = "This XML spreadsheet is damaged, so I can't read it; save it as CSV in your spreadsheet."


def read_markup(data: bytes, hints: Hints) -> Statement:
    """Read the tables of a page, or the sheets of an XML spreadsheet, that hold transactions."""
    if _OFFICE in as_ascii(data[:4096]):
        return read_sheets(list(_worksheets(data)), hints, "xml spreadsheet")
    charset = _CHARSET.search(as_ascii(data[:4096]))
    page = decode(data, charset[1].decode() if charset else None)
    for start, end in (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>")):
        page = _without(page, start, end)
    tables = [
        Sheet(f"table {number}", visible=True, records=table)
        for number, table in enumerate(_tables(page), start=1)
        if table
    ]
    return read_sheets(tables, hints, "html")


def _tables(page: str) -> list[list[Record]]:
    """Return the rows of every table of a page; one within another stands for itself."""
    tables: list[_Rows] = []
    within: list[_Rows] = []
    done = count = 0
    for match in _TAG.finditer(page):
        if within:
            within[-1].write(unescape(page[done : match.start()]))
        done = match.end()
        closes, tag, attributes = match[1], match[2].lower(), match[3]
        if tag == "table" and not closes:
            within.append(_Rows())
            tables.append(within[-1])
        elif within:
            within[-1].take(tag, attributes, closes=bool(closes))
            count += tag == "tr" and not closes
            if tag == "table":
                within.pop()
        if count > _MOST_ROWS or len(tables) > _MOST_TABLES:
            raise UnreadableFile(_TOO_LARGE)
    for rows in within:
        rows.end()
    return [rows.records for rows in tables]


def _without(page: str, start: str, end: str) -> str:
    """Cut out of a page what stands between two marks, to its end where the second one is missing."""
    kept, place = [], 0
    while (found := page.find(start, place)) >= 0:
        kept.append(page[place:found])
        close = page.find(end, found)
        place = close + len(end) if close >= 0 else len(page)
    return "".join([*kept, page[place:]])


class _Rows:
    """The rows of one table while it is read."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.in_cell = False
        self._cells: list[list[str]] = []
        self._written: list[str] = []
        self._number = 0
        self._below: dict[int, int] = {}
        """Columns that a cell of a row above reaches into, and for how many rows."""

    def take(self, tag: str, attributes: str, *, closes: bool) -> None:
        """Take in a tag within the table, or the one that closes it."""
        if tag == "table":
            self.end()
        elif tag == "tr" and not closes:
            self.begin()
        elif tag in {"td", "th"}:
            self.in_cell = False
            if not closes:
                spans = {kind.lower(): int(number) for kind, number in _SPAN.findall(attributes)}
                self.add(spans.get("col", 1) or 1, spans.get("row", 1) or 1)
        elif tag in {"br", "p", "div"}:
            self.write(" ")

    def begin(self) -> None:
        """Begin a row, which ends the one before: not everybody writes that."""
        self.end()
        self._number += 1

    def add(self, columns: int, rows: int) -> None:
        """Begin a cell that is so many columns wide and rows high; all of it but its first place is empty."""
        self._skip()
        if rows > 1:
            self._below |= {len(self._cells) + place: rows for place in range(columns)}
        self._written = []
        self._cells += [self._written, *([] for _ in range(columns - 1))]
        self.in_cell = True
        if len(self._cells) > MOST_COLUMNS:
            raise UnreadableFile(f"This file has more than {MOST_COLUMNS} columns, far more than any bank statement.")

    def write(self, text: str) -> None:
        """Write into the open cell, if one is."""
        if self.in_cell:
            self._written.append(text)

    def _skip(self) -> None:
        while self._below.get(len(self._cells), 0) > 0:
            self._cells.append([])

    def end(self) -> None:
        """End the row."""
        self._skip()
        cells = tuple(_SPACE.sub(" ", "".join(parts)).strip() for parts in self._cells)
        if any(cells):
            self.records.append((self._number, cells))
        self._below = {column: rows - 1 for column, rows in self._below.items() if rows > 1}
        self._cells, self.in_cell = [], False


def _worksheets(data: bytes) -> Iterator[Sheet]:
    """Yield the sheets of an XML spreadsheet; its elements are dropped as soon as they were looked at."""
    name, visible, count = "", True, 0
    records: list[Sequence[object]] = []
    number = 0
    try:
        for event, element in iterparse(BytesIO(data), events=("start", "end"), forbid_dtd=True):
            tag = element.tag.rpartition("}")[2]
            if event == "start":
                if tag == "Worksheet":
                    name, visible, records, number = element.get(_ATTRIBUTE + "Name", ""), True, [], 0
            elif tag == "Visible":
                visible = False
            elif tag == "Row":
                number, count = _place(element, number), count + 1
                cells = _cells(element)
                if any(cells):
                    records.append([number, *cells])
                element.clear()
                if count > _MOST_ROWS:
                    raise UnreadableFile(_TOO_LARGE)
            elif tag == "Worksheet":
                yield Sheet(name, visible, SheetRecords.of(records))
                element.clear()
    except (ParseError, DefusedXmlException, ValueError):
        raise UnreadableFile(_DAMAGED) from None


def _place(element: Element, before: int) -> int:
    """Return where a row or cell stands, counted from 1: behind the one before it, unless it says where."""
    return int(element.get(_ATTRIBUTE + "Index", before + 1))


def _cells(row: Element) -> list[str | int | float]:
    cells: list[str | int | float] = []
    place = 0
    for cell in row:
        place = _place(cell, place)
        if place > MOST_COLUMNS or place <= len(cells):
            raise ValueError(place)
        cells += [""] * (place - len(cells))
        for data in cell:
            if data.tag.rpartition("}")[2] == "Data":
                cells[-1] = _value("".join(data.itertext()), data.get(_ATTRIBUTE + "Type", "String"))
        place += int(cell.get(_ATTRIBUTE + "MergeAcross", 0))
    return cells


def _value(text: str, kind: str) -> str | int | float:
    if kind == "Number":
        return cell_of(float(text))
    if kind == "DateTime":
        return text[:10]
    if kind == "Boolean":
        return cell_of(text == "1")
    return "" if kind == "Error" else cell_of(text)


def _sniff(head: bytes, _name: str) -> bool:
    text = as_ascii(head)
    if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return False
    return _OFFICE in text[:4096] or (_TABLE.search(text) is not None and not is_ofx(head))


MARKUP = Importer("Excel", frozenset({"html", "xml"}), _sniff, read_markup)
