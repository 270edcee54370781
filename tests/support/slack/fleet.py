"""Several processes of the unmodified bot on one PostgreSQL: some take in from a Slack, some answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from tests.support.slack.bot import BotProcess

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from tests.support.slack_server import SlackServer


#: What a process says of itself once it serves.
_BEGINS = {"ingress": "takes in from", "worker": "works for", "all": "answers on"}


@dataclass
class Fleet:
    """Ingress processes and workers, each started as often as a test kills it."""

    slack: SlackServer
    url: str
    directory: Path
    settings: dict[str, str] = field(default_factory=dict)
    ingress: list[BotProcess] = field(default_factory=list)
    workers: list[BotProcess] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(process.kill() for process in self.processes))
        if kind is not None:
            print("\n".join(process.log for process in self.processes))

    @property
    def processes(self) -> list[BotProcess]:
        return [*self.ingress, *self.workers]

    def make(self, role: str) -> BotProcess:
        """Make a process of this role, which is not started yet."""
        ours = self.workers if role == "worker" else self.ingress
        settings = {"MONEY_MINDER_DATABASE_URL": self.url, "MONEY_MINDER_ROLE": role, **self.settings}
        ours.append(BotProcess(self.slack, self.directory / f"{role}-{len(ours)}" / "data", settings))
        ours[-1].data_dir.mkdir(parents=True)
        return ours[-1]

    async def add(self, role: str) -> BotProcess:
        """Start one more process of this role."""
        made = self.make(role)
        await self.start(made)
        return made

    async def start(self, process: BotProcess) -> None:
        """Start a process, and wait until it does what it is there for."""
        begins = _BEGINS[process.settings["MONEY_MINDER_ROLE"]]
        before = process.log.count(begins)
        await process.start(connected=False)
        with suppress(AssertionError):  # the next one says more
            await self.slack.until(lambda: process.log.count(begins) > before or process.has_ended, 240)
        assert process.log.count(begins) > before, process.log[-3000:]
