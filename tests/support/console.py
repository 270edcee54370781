"""A console in this process: lines come from a script, what it prints is kept."""

from __future__ import annotations

import hashlib
import io
import struct
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bots.app import App, console_person, open_app
from bots.console.session import Session
from bots.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class WordEmbedder:
    """Vectors of words by their hash: fast, and equal for equal texts."""

    dimension = 8
    fingerprint = "words:1"

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        drawn = [number / 65535 + 0.01 for number in struct.unpack("8H", hashlib.sha256(text.encode()).digest()[:16])]
        length = sum(number * number for number in drawn) ** 0.5
        return [number / length for number in drawn]


@dataclass
class ScriptedLines:
    """Gives the lines one after another, then the end of input."""

    script: list[str]
    interactive: bool = False
    closed: bool = False
    before: dict[int, Callable[[], Any]] = field(default_factory=dict)
    """What happens before the line of this number is given."""
    _given: int = 0

    async def read(self) -> str | None:
        number, self._given = self._given, self._given + 1
        if number in self.before:
            await self.before[number]()
        return self.script[number] if number < len(self.script) else None

    def interject(self, show: Callable[[], None], *, urgent: bool = False) -> None:
        del urgent
        show()

    def close(self) -> None:
        self.closed = True


@dataclass
class Desk:
    """One person's console over one data directory; each :meth:`talk` is a session of its own."""

    app: App
    user: str | None = None
    width: int = 200
    session: Session | None = None
    code: int | None = None
    greeting: str = ""

    def press_ctrl_c(self) -> None:
        """Do what the signal does to the session that is being talked in."""
        assert self.session is not None
        self.session._interrupted()

    async def talk(self, *script: str, thread: str = "main", lines: ScriptedLines | None = None) -> str:
        """Say the lines; return everything that was printed, without the greeting."""
        out = io.StringIO()
        console = Console(file=out, width=self.width, highlight=False, soft_wrap=True, markup=False, emoji=False)
        session = Session(self.app, console_person(self.user), thread, console, lines or ScriptedLines(list(script)))
        self.session = session
        self.code = await session.run()
        self.greeting, _, printed = out.getvalue().partition("\n\n")
        return printed


@asynccontextmanager
async def desk(directory: Path, **settings: Any) -> AsyncIterator[Desk]:
    """Open a console's app over a directory, at noon on 21 November 2026, without any model."""
    given = {"data_dir": directory / "data", "model": "builtin", "now": NOW, **settings}
    async with open_app(Settings(_env_file=None, **given)) as app:
        app.__dict__["embedder"] = WordEmbedder()
        yield Desk(app)
