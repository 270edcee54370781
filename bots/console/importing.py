"""Bringing bank files in at the console: which files are meant, before the desk is asked about them."""

from __future__ import annotations

import asyncio
import glob
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.contracts import Attachment, Duty
from bots.desk.column_forms import COLUMNS
from bots.desk.importing import IMPORT
from bots.local_files import Folder, is_folder, listed, look_into, not_picked, read_picks
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bots.console.session import Session

_OPTIONS = {f"--{name}": name for name in ("account", "currency", "format", "direction", "person")}


async def import_paths(session: Session, words: Sequence[str]) -> None:
    """``/import PATH... [--account A] [--currency C]``: ask the desk about files; of a folder, ask first which."""
    paths, stated = _read_line(words[0] if words else "")
    if not paths:
        session.say("Which file? /import PATH, for example /import ~/Downloads/bank.csv")
        return
    await _import_paths(session, paths, stated)


async def _import_paths(session: Session, paths: Sequence[str], stated: Mapping[str, str]) -> None:
    """Go on to the preview, unless there is a folder of which it must be known what is meant."""
    place = next((place for place, path in enumerate(paths) if is_folder(path)), None)
    if place is None:
        files = tuple(Attachment(Path(path).name or path, 0, "application/octet-stream", path) for path in paths)
        await session.ask(Duty(IMPORT, stated), files)
        return
    folder = await asyncio.to_thread(look_into, paths[place])
    if not folder.statements:
        session.say(say("{file}: {told}", file=folder.path, told=not_picked(folder)), "red")
        return
    for line in listed(folder):
        session.say(line)
    session.expects = _Picks(session, folder, paths[:place], paths[place + 1 :], stated)


async def columns(session: Session, words: Sequence[str]) -> None:
    """``/columns [NAME=VALUE…|forget]``: show which column of the last file is what, or say it and look again."""
    value = {"value": session.columns} if session.columns else {}
    await session.ask(Duty(COLUMNS, {**value, "words": tuple(words)}))


@dataclass(frozen=True, slots=True)
class _Picks:
    """The question which files of a folder are meant, among the paths that were named."""

    session: Session
    folder: Folder
    before: Sequence[str]
    after: Sequence[str]
    stated: Mapping[str, str]

    async def take(self, line: str) -> bool:
        """Go on with the files that the line picks."""
        picked = read_picks(line, self.folder)
        if picked is None:
            self.session.say("That was none of them, so nothing was imported.", "dim")
            return False
        await _import_paths(self.session, [*self.before, *picked, *self.after], self.stated)
        return True


def _read_line(line: str) -> tuple[list[str], dict[str, str]]:
    """Return paths, patterns of them expanded, and what the options say; a line that is a path, blanks and all, is one."""
    named: list[str] = []
    said: dict[str, str] = {}
    rest = iter([line] if _is_there(line) else split(line))
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            said[_OPTIONS[name]] = value if equals else next(rest, "")
        else:
            named.append(word)
    named = [" ".join(named)] if _is_there(" ".join(named)) else named
    paths = [path for word in named for path in _expanded(word)]
    return paths, said


def split(text: str) -> list[str]:
    """Return words as a shell would; a quote that never ends is a character like any other."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _expanded(word: str) -> list[str]:
    """Return the files that a pattern stands for, or what is written where it is a path."""
    return [word] if _is_there(word) else sorted(glob.glob(os.path.expanduser(word))) or [word]  # noqa: PTH111, PTH207


def _is_there(path: str) -> bool:
    try:
        return bool(path) and Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False
