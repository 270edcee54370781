"""Files of this machine that a person names: read if they are files, and looked for where they name a folder."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.errors import AttachmentUnavailable
from language.catalogue import say
from ledger.archives import unpacked
from ledger.importers import MOST_BYTES, looks_like_statement
from ledger.statement_writer import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.contracts import Attachment
    from language.catalogue import Template

#: Files that are looked at in a folder, newest first.
_MOST_LOOKED_AT = 500
_MOST_SHOWN = 20
#: A device or pipe may have no end, or nobody at the other one: it is opened without waiting, and not read.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds: the paths of what looks like statements, newest first, and how many other files."""

    path: str
    statements: tuple[str, ...]
    others: int


def read_files(paths: Iterable[str]) -> list[SourceFile]:
    """Return the files, those in archives each by itself; what can't be opened has its problem."""
    return [file for path in paths for file in unpacked(_read_file(path))]


def fetch_file(attachment: Attachment) -> bytes:
    """Return the bytes of a file of this machine; raises AttachmentUnavailable with what is wrong with it."""
    if is_folder(attachment.reference):
        raise AttachmentUnavailable(not_picked(look_into(attachment.reference)))
    file = _read_file(attachment.reference)
    if file.problem:
        raise AttachmentUnavailable(file.problem)
    return file.data


def is_folder(path: str) -> bool:
    """Tell whether a path is that of a folder."""
    try:
        return Path(path).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def look_into(path: str) -> Folder:
    """Find the statements in a folder itself, hidden files and other folders left out."""
    try:
        with os.scandir(Path(path).expanduser()) as entries:
            files = [entry for entry in entries if not entry.name.startswith(".") and entry.is_file()]
        newest = sorted(files, key=lambda entry: entry.stat().st_mtime, reverse=True)
    except (OSError, ValueError, RuntimeError):
        return Folder(path, (), 0)
    found = [entry.name for entry in newest[:_MOST_LOOKED_AT] if _is_statement(entry.path)]
    return Folder(path, tuple(str(Path(path) / name) for name in found), len(files) - len(found))


def listed(folder: Folder) -> list[Template]:
    """Return the lines in which a folder's statements are shown, numbered, with how one answers."""
    names = [Path(path).name for path in folder.statements[:_MOST_SHOWN]]
    more = len(folder.statements) - len(names)
    left = "; 1 other file was left aside" if folder.others == 1 else "; {count} other files were left aside"
    others = say(left, count=str(folder.others)) if folder.others else ""
    head = "{folder} is a folder. These files in it look like statements, the newest first{others}:"
    return [
        say(head, folder=folder.path, others=others),
        *(say("  {number}  {file}", number=str(place), file=name) for place, name in enumerate(names, start=1)),
        *([say("  … and {number} more", number=str(more))] if more else []),
        say("Say the numbers of those that you mean, or “all”."),
    ]


def not_picked(folder: Folder) -> Template:
    """Return why nothing of a folder is imported."""
    if not folder.statements:
        return say("This is a folder, and no file in it looks like a statement.")
    names = ", ".join(Path(path).name for path in folder.statements[:_MOST_SHOWN])
    if len(folder.statements) == 1:
        return say(
            "This is a folder; one file in it looks like a statement: {names}. Name it if you mean it.", names=names
        )
    looks = "This is a folder; {count} files in it look like statements: {names}. Name those that you mean."
    return say(looks, count=str(len(folder.statements)), names=names)


def read_picks(answer: str, folder: Folder) -> tuple[str, ...] | None:
    """Return the files that an answer picks by their numbers or as a whole; None where it picks none."""
    words = answer.casefold().replace(",", " ").replace("and", " ").replace("und", " ").strip(" .!").split()
    if words in (["all"], ["alle"]):
        return folder.statements
    count = len(folder.statements)
    if not words or not all(word.isascii() and word.isdigit() and 1 <= int(word[:6]) <= count for word in words):
        return None
    return tuple(folder.statements[int(word) - 1] for word in dict.fromkeys(words))


def _is_statement(path: str) -> bool:
    return any(not file.problem and looks_like_statement(file.name, file.data) for file in unpacked(_read_file(path)))


def _read_file(path: str) -> SourceFile:
    try:
        place = Path(path).expanduser()
        if not place.is_file():
            return SourceFile(path, b"", _no_file(place))
        with open(os.open(place, _FLAGS), "rb") as file:  # noqa: PTH123 - opened already
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return SourceFile(path, file.read(MOST_BYTES + 1))
        return SourceFile(path, b"", _no_file(place))
    except (OSError, ValueError, RuntimeError):
        return SourceFile(path, b"", "This file can't be opened.")


def _no_file(place: Path) -> str:
    if place.is_dir():
        return "This is a folder, not a file."
    return "This is a pipe or device, not a file." if place.exists() else "There is no such file."
