"""A house with a desk: a platform in memory, the runner, the real agent without a model, and the handlers under test."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bots.contracts import Duty
from bots.desk.desk import Desk
from bots.desk.duties import handlers, notices, works
from bots.history import History
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Actions, Reply, Text
from ledger.imports import import_files
from ledger.sample import sample_csv
from ledger.statement_writer import SourceFile
from tools.calls import Call
from tools.registry import Registry
from tools.results import Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bots.memory import Post
    from ledger.people import Person
    from ledger.store import Store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class House:
    """Says things, presses buttons and gives commands as Alice or Bob, and looks at what they see."""

    def __init__(self, platform: MemoryPlatform, runner: Runner, desk: Desk) -> None:
        self.platform, self.runner, self.desk = platform, runner, desk
        self.alice, self.bob = platform.person("alice"), platform.person("bob")
        self.caught_up = 0

    async def say(self, text: str, person: Person | None = None, **where: Any) -> Post:
        person = person or self.alice
        await self.platform.say(person, text, **where)
        return await self._latest(person)

    async def command(self, name: str, person: Person | None = None, **arguments: Any) -> Post:
        return await self.say("", person, call=Call(name, arguments))

    async def press(self, post: Post, label: str, person: Person | None = None) -> Post:
        person = person or self.alice
        await self.platform.press(person, post, label)
        return await self._latest(person)

    async def press_added(self, post: Post, name: str, value: str = "", person: Person | None = None) -> Post:
        """Press what a platform itself puts under an answer, or what somebody claims to have pressed there."""
        person, last = person or self.alice, self.platform.last
        assert last is not None
        conversation = self.platform.conversation(person)
        pressed = replace(
            last, person=person, conversation=conversation, channel=conversation.channel, ts=None, kind="button",
            delivery_id=f"added-{name}-{value}-{last.delivery_id}", content=Duty(name, {"value": value} if value else {}),
            about=post.key,
        )  # fmt: skip
        await self.platform.deliver(pressed)
        return await self._latest(person)

    async def bring(self, data: bytes, person: Person | None = None) -> None:
        repository = await self.desk.store.repository(person or self.alice)
        await import_files(repository, [SourceFile("bank.csv", data)])

    async def bring_sample(self) -> None:
        await self.bring(sample_csv(NOW.date()))

    async def settings(self, person: Person | None = None) -> dict[str, str]:
        return await (await self.desk.store.repository(person or self.alice)).settings()

    async def _latest(self, person: Person) -> Post:
        await self.runner.idle()
        return self.platform.visible_to(person)[-1]


@asynccontextmanager
async def open_house(store: Store, clock: Any, *, writes: bool = True) -> AsyncIterator[House]:
    """Open a house over a store, at noon on 21 November 2026."""
    platform = MemoryPlatform(now=clock.now)
    model = ModelChoice("builtin", "http://127.0.0.1:9")
    agent = MoneyAgent(store, Registry.built_in(), model, lambda: NOW, search_index=_no_index, writes=writes)
    made: list[House] = []

    async def catch_up() -> None:
        made[0].caught_up += 1

    async def fetch(source: str, attachment: Any) -> bytes:
        del source
        return await platform.fetch(attachment)

    desk = Desk(store, History(store), agent.context, fetch, catch_up, writes)
    runner = Runner(
        store, agent, [platform], RunnerSettings(),
        handlers=handlers(desk), works=works(desk), notices=notices(desk),
        now=clock.now, seconds=clock.seconds, sleep=clock.sleep,
    )  # fmt: skip
    made.append(House(platform, runner, desk))
    await runner.start()
    try:
        yield made[0]
    finally:
        await runner.drain(0)


async def _no_index() -> None:
    """Nothing to search but words."""


def labels(reply: Reply) -> list[str]:
    """Return what the buttons of a reply say."""
    return [action.label for block in reply.blocks if isinstance(block, Actions) for action in block.actions]


def tables(reply: Reply) -> list[Table]:
    """Return the tables that a reply shows."""
    return [block for block in reply.blocks if isinstance(block, Table)]


def lines(reply: Reply) -> list[str]:
    """Return every line of text that a reply shows."""
    return [line for block in reply.blocks if isinstance(block, Text) for line in block.text.splitlines()]
