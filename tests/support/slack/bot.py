"""The unmodified bot as a process of its own: ``money-minder run`` with tokens and an address in its environment."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ledger.imports import import_files
from ledger.people import Person
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support import nursery
from tests.support.nursery import Forked
from tests.support.slack.state import TEAM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.support.slack_server import SlackServer

COMMAND = Path(sys.executable).parent / "money-minder"
#: The day on which the bot believes to be.
NOW = "2026-11-21T12:00:00+00:00"


@dataclass
class BotProcess:
    """One installation of the bot, started as often as a test kills it.

    ``log`` is all that it wrote to standard error, over all its lives.
    """

    slack: SlackServer
    data_dir: Path
    settings: dict[str, str] = field(default_factory=dict)
    log: str = ""
    _process: asyncio.subprocess.Process | Forked | None = None
    _reader: asyncio.Task[None] | None = None
    _connections: int = 0
    """How many connections Slack had seen before the latest start."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.kill()
        if kind is not None:
            sys.stderr.write(self.log)

    async def start(self, *, connected: bool = True) -> None:
        """Start it, and wait until it is connected."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
        environment = {
            **inherited,
            "MONEY_MINDER_DATA_DIR": str(self.data_dir),
            "MONEY_MINDER_MODEL": "builtin",
            "MONEY_MINDER_NOW": NOW,
            "MONEY_MINDER_LOG_LEVEL": "info",
            **self.tokens(),
            **self.settings,
        }
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._connections = self.connections()
        given = {name: value for name, value in environment.items() if value}
        start = nursery.start if self._once.exists() else _start_command
        self._process = await start(given, self.data_dir.parent)
        assert self._process.stderr is not None
        self._reader = asyncio.create_task(self._read(self._process.stderr))
        if connected:
            await self.ready()

    @property
    def _once(self) -> Path:
        """What says that a bot of this platform was started by the command itself; all later ones are started sooner."""
        return nursery.shared() / type(self).__name__

    @property
    def cpu_seconds(self) -> float:
        """How long its present life has computed."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def has_ended(self) -> bool:
        """Whether it has said its last word."""
        return self._reader is not None and self._reader.done()

    def tokens(self) -> dict[str, str]:
        """What tells it where its platform is, and who it is there."""
        return {
            "MONEY_MINDER_SLACK__API_URL": self.slack.api_url,
            "MONEY_MINDER_SLACK__BOT_TOKEN": "xoxb-test",
            "MONEY_MINDER_SLACK__APP_TOKEN": "xapp-test",
        }

    def connections(self) -> int:
        """How many connections the platform has seen."""
        return self.slack.delivery.connections

    def person(self, user: str) -> Person:
        """Whose ledger is a user's."""
        return Person("slack", TEAM, user)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal and go on at once; for what has to happen at the very moment of a call."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def kill(self) -> None:
        """Kill it as a power cut does."""
        await self.end(signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        return await self.end(signal.SIGTERM)

    async def end(self, with_signal: signal.Signals) -> int:
        """Send a signal, wait for the end, and return the exit code."""
        if self._process is None:
            return 0
        self.signal(with_signal)
        return await self._ended(self._process)

    async def ended(self) -> int:
        """Wait until it ends by itself; return its exit code."""
        assert self._process is not None
        return await self._ended(self._process)

    async def ready(self) -> None:
        """Wait until it is connected; AssertionError if it ends instead."""
        reader = self._reader
        assert reader is not None
        await self.slack.until(lambda: reader.done() or self.connections() > self._connections, 60)
        assert not reader.done(), f"it ended before it was connected: {self.log}"
        self._once.touch()

    async def give(self, user: str, name: str, data: bytes) -> None:
        """Put a bank file into a person's ledger, beside the running bot."""
        store = await Store.open(self.settings.get("MONEY_MINDER_DATABASE_URL") or self.data_dir / "money.sqlite3")
        repository = await store.repository(self.person(user))
        await import_files(repository, [SourceFile(name, data)])
        await store.close()

    def keeps(self, words: Iterable[str]) -> list[tuple[str, str]]:
        """Which of these words stand in names and bytes of the files that it keeps, each with the file's name."""
        files = [path for path in self.data_dir.rglob("*") if path.is_file()]
        assert files
        content = {path.name: (path.name.encode() + path.read_bytes()).lower() for path in files}
        return [(name, word) for word in words for name, stored in content.items() if word.encode() in stored]

    async def _ended(self, process: asyncio.subprocess.Process | Forked) -> int:
        async with asyncio.timeout(60):
            code = await process.wait()
        self._process = None
        if self._reader is not None:
            await self._reader
        return code

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while line := await stream.readline():
            self.log += line.decode(errors="replace")


async def _start_command(environment: dict[str, str], directory: Path) -> asyncio.subprocess.Process:
    """Start the program as a person does."""
    return await asyncio.create_subprocess_exec(
        str(COMMAND),
        "run",
        env=environment,
        cwd=directory,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
