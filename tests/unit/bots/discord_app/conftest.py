"""A Discord of ours in this event loop, and the adapter that speaks with it, with and without a runner behind it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from bots.contracts import Accepted, Message, Receipt
from bots.desk.desk import Desk
from bots.desk.duties import handlers, notices, works
from bots.discord_app.platform import DiscordConfig, DiscordPlatform
from bots.errors import InboxUnavailable
from bots.history import History
from bots.runner import Runner
from ledger.imports import import_files
from ledger.people import Person
from ledger.preferences import store_preference
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.conftest import ScriptedAgent
from tests.support.discord_server import ANA, TOKEN, DiscordServer
from tools.surroundings import tool_context

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PERSON = Person("discord", "", ANA)


@dataclass
class House:
    """The server, the adapter, and what it handed over; ``full`` takes nothing in, ``broken`` knows no names, ``later`` is added to the clock."""

    discord: DiscordServer
    adapter: DiscordPlatform
    desk: Desk
    agent: ScriptedAgent
    runner: Runner
    messages: list[Message] = field(default_factory=list)
    full: bool = False
    broken: bool = False
    later: float = 0.0
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    async def start(self, take: Callable[[Message], Awaitable[Receipt]] | None = None) -> None:
        async def receive(message: Message) -> Receipt:
            self.messages.append(message)
            self._more.set()
            if self.full:
                raise InboxUnavailable("full")
            return await take(message) if take else Accepted(len(self.messages))

        await self.adapter.start(receive)

    async def received(self, count: int = 1) -> Message:
        """The latest message once there are so many."""
        async with asyncio.timeout(20):
            while len(self.messages) < count:
                self._more.clear()
                await self._more.wait()
        return self.messages[-1]

    async def nothing_received(self) -> None:
        """What came before a typed option was seen to when its suggestions came."""
        await self.discord.autocomplete("ana", "money summary", "period")
        assert self.messages == []

    async def bring(self, data: bytes) -> None:
        await import_files(await self.desk.store.repository(PERSON), [SourceFile("bank.csv", data)])

    def seen(self, user: str = "ana") -> list[str]:
        return [each.text for each in self.discord.answers_to(user)]

    async def sees(self, words: str, user: str = "ana"):
        """The message with these words, once it is there."""
        found = lambda: [each for each in self.discord.answers_to(user) if words in each.text]  # noqa: E731
        return (await self.discord.until(found))[-1]


@pytest.fixture
async def discord() -> AsyncIterator[DiscordServer]:
    async with DiscordServer() as server:
        yield server


@pytest.fixture
def config(discord: DiscordServer) -> DiscordConfig:
    return DiscordConfig(TOKEN, discord.api_url)


@pytest.fixture
async def unstarted(
    discord: DiscordServer, config: DiscordConfig, sqlite_store: Store, agent: ScriptedAgent
) -> AsyncIterator[House]:
    """Ana is known already, so that nothing but what a test does is answered."""
    repository = await sqlite_store.repository(PERSON)
    async with sqlite_store.write() as connection:
        await store_preference(connection, repository, "welcomed", "2026-11-21")

    async def context(person: Person):
        if house.broken:
            raise OSError("no names")
        return await tool_context(await sqlite_store.repository(person), NOW, nothing, None)

    async def nothing(*_arguments: object):
        return None

    async def fetch(_source: str, attachment):
        return await house.adapter.fetch(attachment)

    desk = Desk(sqlite_store, History(sqlite_store), context, fetch, nothing)
    adapter = DiscordPlatform(config, desk, lambda: NOW, wall=lambda: time.time() + house.later)
    duties = {"handlers": handlers(desk), "works": works(desk), "notices": notices(desk)}
    runner = Runner(sqlite_store, agent, [adapter], now=lambda: NOW, **duties)
    house = House(discord, adapter, desk, agent, runner)
    yield house
    await house.adapter.stop()


@pytest.fixture
async def house(unstarted: House) -> House:
    """The adapter with nobody behind it; its commands are registered."""
    await unstarted.start()
    await unstarted.discord.until(lambda: unstarted.discord.commands.get(None))
    return unstarted


@pytest.fixture
async def served(unstarted: House) -> AsyncIterator[House]:
    """The adapter with a runner and a desk behind it."""
    await unstarted.runner.start()
    await unstarted.discord.until(lambda: unstarted.discord.commands.get(None))
    yield unstarted
    await unstarted.runner.drain(0)
