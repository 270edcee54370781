"""Workbooks: Excel's of all kinds (XLSX, XLSM, XLSB, XLS) and OpenDocument's (ODS), told by what is in them."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from language.catalogue import say
from ledger.errors import UnreadableFile
from ledger.importers import workbook_process
from ledger.importers.importer import Importer
from ledger.importers.recognition import HEAD_SIZE
from ledger.importers.sheets import Sheet, SheetRecords, read_sheets
from ledger.importers.table.cells import MOST_COLUMNS

if TYPE_CHECKING:
    from ledger.importers.importer import Hints
    from ledger.transactions import Statement

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE = (b"[Content_Types].xml", b"_rels/.rels", b"xl/", b"mimetypeapplication/vnd.oasis.opendocument.")
#: What is unpacked at most, and how many times as large as the file: tables of numbers are packed ten to forty times.
_MOST_UNPACKED, _MOST_PACKED, _MOST_PARTS, _HARMLESS = 1 << 30, 250, 5000, 32 << 20
#: The parts by which a workbook is known, and the folders of what else comes in the same container.
_PARTS = {"xl/workbook.xml": "xlsx", "xl/workbook.bin": "xlsb"}
_FOLDERS = {"word": "a Word document", "ppt": "a PowerPoint file", "content.xml": "an OpenDocument file"}
#: The most rows of all sheets, and bytes of their cells.
_MOST_ROWS, _MOST_BYTES = 250_000, 256 << 20
#: So long a workbook may take to open.
_SECONDS = 150

#: How the stream of an XLS file begins, and how many of its records may stand before the one that says it is encrypted.
_GLOBALS, _FIRST_RECORDS = b"\x09\x08\x10\x00\x00\x06\x05\x00", 4

_AS_CSV = "open it, and save the sheet with your transactions as CSV"
_DAMAGED = f"This workbook is damaged, so I can't read it; if your spreadsheet still can, {_AS_CSV}."
_TOO_LARGE = f"This workbook is far too large for a statement; {_AS_CSV}."
_PROTECTED = "This workbook is protected by a password; save it without one, then send it again."
_PROBLEMS = {workbook_process.TOO_LARGE: _TOO_LARGE, workbook_process.DAMAGED: _DAMAGED}


def read_workbook(data: bytes, hints: Hints) -> Statement:
    """Read the sheets of a workbook that hold transactions."""
    file_format = _format_of(data)
    cells = _run(data)
    books = [_sheet(part) for part in cells.split(b"\n{") if part.strip()]
    if problem := next((_PROBLEMS[head["problem"]] for head, _ in books if "problem" in head), None):
        raise UnreadableFile(problem)
    if books and all(head["wide"] for head, _ in books):
        raise UnreadableFile(f"This file has more than {MOST_COLUMNS} columns, far more than any bank statement.")
    sheets = [Sheet(head["sheet"], head["visible"], SheetRecords(lines)) for head, lines in books if not head["wide"]]
    return read_sheets(sheets, hints, file_format)


def _format_of(data: bytes) -> str:
    """Name the kind of workbook; raises UnreadableFile where it is none, or nothing that may be opened."""
    if data.startswith(_OLE):
        _check_old(data)
        return "xls"
    try:
        with ZipFile(BytesIO(data)) as package:
            parts = package.infolist()
            kind, manifest = (_beginning(package, name) for name in ("mimetype", "META-INF/manifest.xml"))
    except (BadZipFile, OSError, RuntimeError, NotImplementedError, ValueError, zlib.error, EOFError):
        raise UnreadableFile(_DAMAGED) from None
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > _MOST_PARTS or unpacked > min(_MOST_UNPACKED, max(_MOST_PACKED * len(data), _HARMLESS)):
        raise UnreadableFile(_TOO_LARGE)
    if b"encryption-data" in manifest:
        raise UnreadableFile(_PROTECTED)
    names = {part.filename for part in parts}
    if b"spreadsheet" in kind:
        return "ods"
    if found := next((form for part, form in _PARTS.items() if part in names), None):
        return found
    folders = {name.partition("/")[0] for name in names}
    raise _foreign(next((what for folder, what in _FOLDERS.items() if folder in folders), "an Office file"))


def _check_old(data: bytes) -> None:
    """Raise UnreadableFile unless this is an old workbook that may be opened."""
    if _wide("EncryptedPackage") in data or _is_locked(data):
        raise UnreadableFile(_PROTECTED)
    if _wide("Workbook") not in data and _wide("Book") not in data:
        raise _foreign("an old Word or other Office file")


def _beginning(package: ZipFile, name: str) -> bytes:
    """Return the beginning of a part; nothing if it is not there."""
    if name not in package.NameToInfo:
        return b""
    with package.open(name) as part:
        return part.read(HEAD_SIZE)


def _is_locked(data: bytes) -> bool:
    """Tell an XLS file that is encrypted by one of its first records, FILEPASS ([MS-XLS] 2.4.117)."""
    place = data.find(_GLOBALS)
    for _ in range(_FIRST_RECORDS):
        if place < 0 or data[place : place + 2] == b"\x2f\x00":
            return place >= 0
        place += 4 + int.from_bytes(data[place + 2 : place + 4], "little")
    return False


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")


def _foreign(what: str) -> UnreadableFile:
    return UnreadableFile(
        say("This is {what}, which I can't read; save the table with your transactions as CSV.", what=say(what))
    )


def _run(data: bytes) -> bytes:
    """Return what the process that reads the cells writes of them."""
    limits = map(str, (MOST_COLUMNS, _MOST_ROWS, _MOST_BYTES))
    command = [sys.executable, "-I", str(Path(workbook_process.__file__)), *limits]
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=_SECONDS, check=True
        )
    except (subprocess.SubprocessError, OSError):
        raise UnreadableFile(_DAMAGED) from None
    return done.stdout


def _sheet(part: bytes) -> tuple[dict[str, Any], bytes]:
    """Return what is said of a sheet, and the lines of its rows."""
    head, _, lines = part.partition(b"\n")
    return json.loads(b"{" + head.removeprefix(b"{")), lines


def _sniff(head: bytes, _name: str) -> bool:
    """Tell Office files by their containers; what is in them is seen when they are read."""
    return head.startswith(_OLE) or (head.startswith(_ZIP) and any(part in head for part in _OFFICE))


WORKBOOK = Importer("Excel", frozenset({"xlsx", "xlsm", "xlsb", "xls", "ods", "excel"}), _sniff, read_workbook)
