"""A whole house without a network: the in-memory platform, the runner with the desk's own work, and the real agent."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from bots.desk.desk import Desk
from bots.desk.duties import handlers, notices, works
from bots.history import History
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Actions
from ledger import schema
from ledger.store import Store
from tools.registry import Registry
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bots.contracts import Attachment, Message
    from bots.memory import Post
    from graph.reply import Reply
    from ledger.people import Person
    from tests.conftest import ManualClock
    from tools.context import ToolContext

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@asynccontextmanager
async def desk_house(directory: Path, clock: ManualClock, **desk: Any) -> AsyncIterator[House]:
    """Open a house over an empty store; ``desk`` are fields of the Desk that differ from the usual ones."""
    house = House(directory / "data" / "ledger.sqlite3", clock, MemoryPlatform(now=clock.now), desk)
    await house.open()
    try:
        yield house
    finally:
        await house.close()


@dataclass
class House:
    """People who say things, drop files and press buttons, and what they see."""

    path: Path
    clock: ManualClock
    platform: MemoryPlatform
    desk_fields: dict[str, Any]
    fetched: list[str] = field(default_factory=list)
    caught_up: int = 0

    @property
    def alice(self) -> Person:
        return self.platform.person("alice")

    @property
    def bob(self) -> Person:
        return self.platform.person("bob")

    async def open(self) -> None:
        self.store = await Store.open(self.path)
        agent = MoneyAgent(
            self.store, Registry.built_in(), ModelChoice("builtin", "http://127.0.0.1:9"), lambda: NOW,
            search_index=_no_index,
        )  # fmt: skip
        desk = Desk(
            self.store, History(self.store), self._context, self._fetch, self._catch_up,
            adapter={self.platform.name: self.platform}.get,
        )  # fmt: skip
        self.desk = replace(desk, **self.desk_fields)
        self.runner = Runner(
            self.store, agent, [self.platform], RunnerSettings(), handlers=handlers(self.desk), works=works(self.desk),
            notices=notices(self.desk),
            now=self.clock.now, seconds=self.clock.seconds, sleep=self.clock.sleep,
        )  # fmt: skip
        await self.runner.start()

    async def close(self) -> None:
        await self.runner.drain(0)
        await self.store.close()

    async def restart(self) -> None:
        """End the process and begin another; the platform goes on meanwhile."""
        await self.close()
        await self.open()

    async def say(self, text: str, person: Person | None = None, **said: Any) -> Post:
        person = person or self.alice
        await self.platform.say(person, text, **said)
        return await self.last(person)

    async def press(self, post: Post, label: str, person: Person | None = None) -> Post:
        person = person or self.alice
        await self.platform.press(person, post, label)
        return await self.last(person)

    async def drop(
        self, *files: tuple[str, bytes], person: Person | None = None, by_command: bool = False, **said: Any
    ) -> Post:
        """Drop several files in one message, as people do, or hand them over by a command, which nobody else sees."""
        person = person or self.alice
        attachments: list[Attachment] = []
        held: list[Message] = []
        deliver, self.platform.deliver = self.platform.deliver, _holding(held)  # type: ignore[method-assign]
        for name, data in files:
            await self.platform.drop(person, name, data, **said)
            attachments += held[-1].attachments
        self.platform.deliver = deliver  # type: ignore[method-assign]
        message = replace(held[-1], attachments=tuple(attachments))
        await self.platform.deliver(replace(message, ts=None) if by_command else message)
        return await self.last(person)

    def change_file(self, name: str, data: bytes | Exception | None) -> None:
        """Let the platform hand over something else for a file from now on; None is nothing, an error is raised."""
        self.changed[name] = data

    async def last(self, person: Person) -> Post:
        await self.runner.idle()
        return self.platform.visible_to(person)[-1]

    async def count(self, person: Person | None = None) -> int:
        """Return how many transactions are in a person's ledger."""
        repository = await self.store.repository(person or self.alice)
        rows = schema.transactions
        query = sa.select(sa.func.count()).where(rows.c.ledger_id == repository.ledger_id)
        async with self.store.read() as connection:
            return int((await connection.execute(query.select_from(rows))).scalar_one())

    def __post_init__(self) -> None:
        self.changed: dict[str, bytes | Exception | None] = {}

    async def _fetch(self, source: str, attachment: Attachment) -> bytes:
        from bots.errors import AttachmentUnavailable

        assert source == self.platform.name
        self.fetched.append(attachment.name)
        if attachment.name in self.changed:
            data = self.changed[attachment.name]
            if isinstance(data, Exception):
                raise data
            if data is None:
                raise AttachmentUnavailable("I can't get at that file any more. Please send it again.")
            return data
        return await self.platform.fetch(attachment)

    async def _context(self, person: Person) -> ToolContext:
        return await tool_context(await self.store.repository(person), NOW, _no_index)

    async def _catch_up(self) -> None:
        self.caught_up += 1


def buttons(reply: Reply) -> list[str]:
    """Return what the buttons of a reply say."""
    return [action.label for block in reply.blocks if isinstance(block, Actions) for action in block.actions]


def _holding(held: list[Message]) -> Any:
    async def deliver(message: Message) -> None:
        held.append(message)

    return deliver


async def _no_index() -> None:
    """Nothing to search."""
