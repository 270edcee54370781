"""ZIP archives: each file in one is a file of its own in the same import, within limits that no archive can talk away."""

from __future__ import annotations

import zlib
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from ledger.importers import MOST_BYTES
from ledger.importers.recognition import ARCHIVE, HEAD_SIZE, foreign_format
from ledger.statement_writer import SourceFile

if TYPE_CHECKING:
    from zipfile import ZipInfo

#: A year of monthly statements of eight accounts; beside them, archives hold what nobody asked for.
_MOST_FILES, _MOST_ENTRIES = 100, 1000
#: Statements shrink to a tenth or thirtieth; what shrinks to less than this, and is not small, was made to burst.
_MOST_SHRUNK, _SMALL = 200, 1 << 20
_PIECE = 1 << 16
_ENTRY = b"PK\x01\x02"
_LONGEST_NAME = 120
_MEGABYTES = MOST_BYTES // 1024 // 1024

_DAMAGED = "This is a ZIP archive that is damaged; download it again."
_LOCKED = "This is a ZIP archive with a password: unpack it and import the files in it."
_EMPTY = "This is a ZIP archive without a file in it."
_MANY = f"This is a ZIP archive of more than {_MOST_FILES} files; send the statements in it by themselves."
_LARGE = f"This is a ZIP archive of more than {_MEGABYTES} MB, or packed to burst, too much for statements."
_NESTED = "This is a ZIP archive inside another: unpack it and import the files in it."
_DAMAGED_FILE = "This file is damaged in the archive; download it again."
_PACKED = "This file is packed in a way that I don't open: unpack the archive and import the file."


class _TooMuch(Exception):
    """The archive unpacks to more than any statements are."""


def unpacked(source: SourceFile) -> list[SourceFile]:
    """Return the files in a ZIP archive, those that can't be read with their problem; any other file is returned itself.

    An archive that is damaged, locked, too large or empty is returned as one file with that problem.
    """
    head = source.data[:HEAD_SIZE]
    if source.problem or len(source.data) > MOST_BYTES or not _is_archive(head):
        return [source]
    if source.data.count(_ENTRY) > _MOST_ENTRIES:  # counted before anything is believed, or held
        return [_refused(source, _MANY)]
    try:
        with ZipFile(BytesIO(source.data)) as archive:
            return _files(archive, source)
    except (BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError):
        return [_refused(source, _DAMAGED)]
    except _TooMuch:
        return [_refused(source, _LARGE)]


def _is_archive(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _refused(source: SourceFile, problem: str) -> SourceFile:
    return replace(source, data=b"", problem=problem)


def _files(archive: ZipFile, source: SourceFile) -> list[SourceFile]:
    entries = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info)]
    names = {info.filename for info in entries}
    if names & {"[Content_Types].xml", "mimetype"} or any(name.endswith(".iwa") for name in names):
        return [source]  # a document of an office program, which is one file for everybody
    if len(entries) > _MOST_FILES:
        return [_refused(source, _MANY)]
    if any(info.flag_bits & 1 for info in entries):
        return [_refused(source, _LOCKED)]
    found: list[SourceFile] = []
    left = MOST_BYTES
    for info in entries:
        file = _file(archive, info, left, source)
        left -= len(file.data)
        found.append(_refused(file, _NESTED) if foreign_format(file.data[:HEAD_SIZE]) is ARCHIVE else file)
    return found or [_refused(source, _EMPTY)]


def _file(archive: ZipFile, info: ZipInfo, left: int, source: SourceFile) -> SourceFile:
    """Unpack one file, unless it alone is damaged or packed by a method that unpacks without a bound."""
    file = SourceFile(_name(info), b"", archive=source.title)
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        return replace(file, problem=_PACKED)
    most = min(left, max(_SMALL, _MOST_SHRUNK * min(info.compress_size, len(source.data))))
    data = bytearray()
    try:
        with archive.open(info) as packed:
            while piece := packed.read(_PIECE):
                data += piece
                if len(data) > most:
                    raise _TooMuch
    except (BadZipFile, EOFError, OSError, ValueError, RuntimeError, zlib.error):
        return replace(file, problem=_DAMAGED_FILE)
    return replace(file, data=bytes(data))


def _is_hidden(info: ZipInfo) -> bool:
    """Tell what systems and programs put beside the files."""
    parts = info.filename.replace("\\", "/").split("/")
    return "__MACOSX" in parts or any(part.startswith(".") for part in parts)


def _name(info: ZipInfo) -> str:
    """Return a file's name as it can be shown: many programs write UTF-8 without saying so."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    shown = "".join(char if char.isprintable() else " " for char in name.replace("\\", "/"))
    return shown[-_LONGEST_NAME:].strip("/ ") or "file"
