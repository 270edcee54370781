"""Reads the files that banks give: one importer per format, tried in order.

Another format is one more module and one more entry in ``IMPORTERS``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.errors import AmbiguousDates, OpenQuestion, UnreadableFile
from ledger.importers.camt import CAMT
from ledger.importers.delimited import DELIMITED
from ledger.importers.importer import Hints, Importer
from ledger.importers.markup import MARKUP
from ledger.importers.mt940 import MT940
from ledger.importers.ofx import OFX
from ledger.importers.pdf.reader import PDF, names_statement
from ledger.importers.qif import QIF
from ledger.importers.recognition import HEAD_SIZE, foreign_format, is_binary
from ledger.importers.workbook import WORKBOOK

if TYPE_CHECKING:
    from ledger.transactions import Statement

__all__ = [
    "IMPORTERS",
    "READABLE",
    "AmbiguousDates",
    "Hints",
    "Importer",
    "UnreadableFile",
    "open_statement",
    "read_statement",
]

#: Tried in this order; the last one takes any text.
IMPORTERS: tuple[Importer, ...] = (WORKBOOK, PDF, MARKUP, OFX, QIF, CAMT, MT940, DELIMITED)
_LABELS = tuple(dict.fromkeys(importer.label for importer in IMPORTERS))
#: The formats that can be read, as they are named to a person.
READABLE = f"{', '.join(_LABELS[:-1])} and {_LABELS[-1]}"

#: A larger file is no statement of one person: 64 MiB are half a million transactions.
MOST_BYTES = 64 * 1024 * 1024

_NO_HINTS = Hints()


def read_statement(name: str, data: bytes, hints: Hints = _NO_HINTS) -> Statement:
    """Read one file as :func:`open_statement` does, with all of its rows at once."""
    statement = open_statement(name, data, hints)
    return replace(statement, rows=tuple(statement.rows))


def open_statement(name: str, data: bytes, hints: Hints = _NO_HINTS) -> Statement:
    """Read one file as a statement whose rows are read anew whenever they are gone through.

    Bad rows come back as values in ``rejected``. Raises ``UnreadableFile`` with one sentence for the person if the file as
    a whole can't be read, and its subclass ``AmbiguousDates`` if only ``hints.day_first`` is missing to read it.
    """
    head = data[:HEAD_SIZE]
    if not head.strip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"):
        raise UnreadableFile("This file is empty.")
    importer = _asked_for(hints)
    table = next((importer for importer in (WORKBOOK, PDF, MARKUP) if importer.sniff(head, name)), None)
    if table is not None:
        importer = table  # such bytes are nothing else, whatever was asked for
    else:
        _refuse_foreign(head, asked=importer is not None)
    if len(data) > MOST_BYTES:
        megabytes = str(MOST_BYTES // 1024 // 1024)
        raise UnreadableFile(
            say("This file is larger than {megabytes} MB, too large for a statement.", megabytes=megabytes)
        )
    if importer is None:
        importer = next(importer for importer in IMPORTERS if importer.sniff(head, name))
    statement = importer.read(data, hints)
    if statement.rows or statement.rejected or statement.warnings:
        return statement
    return replace(statement, warnings=("This file has a header and no transactions.",))


def looks_like_statement(name: str, data: bytes) -> bool:
    """Tell by its beginning whether a file holds transactions, for whoever looks through a folder.

    Of PDFs, of which folders are full, the name tells.
    """
    head = data[:HEAD_SIZE]
    if PDF.sniff(head, name):
        return names_statement(name)
    *certain, tables = IMPORTERS
    if any(importer.sniff(head, name) for importer in certain):
        return True
    if name.lower().rpartition(".")[2] not in tables.names:
        return False
    try:
        statement = open_statement(name, head[: head.rfind(b"\n") + 1] if len(data) > HEAD_SIZE else head)
    except OpenQuestion:
        return True
    except UnreadableFile:
        return False
    return bool(statement.rows or statement.rejected)


def _refuse_foreign(head: bytes, *, asked: bool) -> None:
    """Name what a file is that is of no format of ours; text may be what it was ``asked`` to be read as."""
    if not asked or is_binary(head):
        foreign = foreign_format(head)
        if foreign:
            way = say(foreign.way) if foreign.way else say("I can read {formats}.", formats=say(READABLE))
            raise UnreadableFile(say("This is {what}, which I can't read. {way}", what=say(foreign.what), way=way))
    if is_binary(head):
        raise UnreadableFile(
            say(
                "This is no text file, so it is no statement that I can read; I can read {formats}.",
                formats=say(READABLE),
            )
        )


def _asked_for(hints: Hints) -> Importer | None:
    if hints.format is None:
        return None
    wanted = hints.format.lower().lstrip(".")
    for importer in IMPORTERS:
        if wanted in importer.names:
            return importer
    raise UnreadableFile(say("I don't know this format; I can read {formats}.", formats=say(READABLE)))
