"""The files of a message: fetched from where they are, a few at a time, each with its bytes or the reason why not."""

from __future__ import annotations

import asyncio
import hashlib
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from bots.errors import AttachmentUnavailable, outline
from bots.import_words import on_one_line
from language.catalogue import say
from ledger.archives import unpacked
from ledger.importers import MOST_BYTES
from ledger.statement_writer import SourceFile

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from bots.contracts import Attachment, Message
    from bots.desk.desk import Desk

_log = structlog.get_logger(__name__)

_AT_ONCE = 4
#: How much of a file is read at once.
PIECE = 64 * 1024
_MEGABYTES = str(MOST_BYTES // 1024 // 1024)
TOO_LARGE = say("This file is larger than {most} MB, too large for a statement.", most=_MEGABYTES)
_TOO_MUCH = say("The files before it have {most} MB already; please send this one by itself.", most=_MEGABYTES)
#: More is for the command: who waits for a file in a chat waits some seconds.
_MOST_LINES = 20_000
_TOO_LONG = "This file has more than 20,000 lines, too many for a chat. Send it in parts, or ask whoever runs me."
_FAILED = "I could not get this file; please send it again."


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file as its platform names it, and its bytes; ``error`` is one sentence where there are none."""

    attachment: Attachment
    data: bytes = b""
    error: str = ""

    @property
    def sha256(self) -> str:
        """What tells the bytes from any others."""
        return hashlib.sha256(self.data).hexdigest()


def referred(attachment: Attachment) -> Attachment:
    """Return an attachment that can be kept: a name that can be shown, and no bytes if they can be fetched again."""
    name = on_one_line(attachment.name) or "file"
    return replace(attachment, name=name, data=None if attachment.reference else attachment.data)


async def fetch_all(desk: Desk, message: Message, attachments: Sequence[Attachment]) -> list[Fetched]:
    """Return the files in their order; what can't be had or is too much is an error of its own file alone."""
    at_once = asyncio.Semaphore(_AT_ONCE)
    if message.surface.terminal:  # a file there is told by its path as it was typed
        fetched = [await _fetch(desk, message.source, attachment) for attachment in attachments]
        return [replace(got, attachment=attachment) for got, attachment in zip(fetched, attachments, strict=True)]
    refused = _too_large([attachment.size for attachment in attachments])

    async def fetch(attachment: Attachment, error: str) -> Fetched:
        if error:
            return Fetched(referred(attachment), error=error)
        async with at_once:
            return await _fetch(desk, message.source, attachment)

    fetched = await asyncio.gather(*map(fetch, attachments, refused))
    measured = _too_large([len(file.data) for file in fetched])  # sizes are what somebody said
    return [
        Fetched(file.attachment, error=file.error or error) if error else file
        for file, error in zip(fetched, measured, strict=True)
    ]


def read_all(message: Message, fetched: Sequence[Fetched]) -> list[tuple[Fetched, SourceFile]]:
    """Return each file with those that it holds: itself, or what is in the archive that it is."""
    most = math.inf if message.surface.terminal else _MOST_LINES
    return [(got, file) for got in fetched for file in _files(got, most)]


def _files(got: Fetched, most: float) -> list[SourceFile]:
    files = unpacked(SourceFile(got.attachment.name, got.data, got.error))
    too_long = sum(file.data.count(b"\n") for file in files) > most
    return [SourceFile(got.attachment.name, b"", _TOO_LONG)] if too_long else files


async def _fetch(desk: Desk, source: str, attachment: Attachment) -> Fetched:
    try:
        data = attachment.data if attachment.data is not None else await desk.fetch(source, attachment)
    except AttachmentUnavailable as error:
        return Fetched(referred(attachment), error=error.message)
    except Exception as error:  # noqa: BLE001 - one file that fails is no reason to refuse the others
        _log.warning("attachment_not_fetched", source=source, error=outline(error))
        return Fetched(referred(attachment), error=_FAILED)
    return Fetched(referred(attachment), data)


async def read_body(pieces: AsyncIterator[bytes]) -> bytes:
    """Return what a platform sends of a file, one byte more than an importer takes where there is more."""
    data = bytearray()
    async for piece in pieces:
        data += piece
        if len(data) > MOST_BYTES:
            break
    return bytes(data[: MOST_BYTES + 1])


def _too_large(sizes: Sequence[int]) -> list[str]:
    """Return for each file why it is too large, by itself or after those before it; empty where it is not."""
    errors, held = [], 0
    for size in sizes:
        error = TOO_LARGE if size > MOST_BYTES else _TOO_MUCH if held + size > MOST_BYTES else ""
        held += 0 if error else size
        errors.append(error)
    return errors
