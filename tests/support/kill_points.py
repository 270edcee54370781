"""A process that dies at a chosen point of what it writes, and the one that is started after it, over the same tables.

A kill is what the database and the platform see of one: at the chosen statement or commit, and from then on, nothing
reaches either any more, and what was not committed is rolled back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from bots.desk.desk import Desk
from bots.desk.duties import handlers, notices, works
from bots.history import History
from bots.lease import Lease
from bots.memory import MemoryPlatform, Post
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Actions
from ledger.staging import sweep
from ledger.store import Store
from tests.conftest import ManualClock
from tools.registry import Registry

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Killed(BaseException):
    """What a dead process runs into, whatever it still tries; nothing in it can catch this."""


class Axe:
    """Counts the statements and commits that a store writes with, and kills at one of them."""

    def __init__(self, store: Store) -> None:
        self.points: list[str] = []
        """What was counted: ``commit``, or the first words of a statement."""
        self.fallen = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._dead = self._counting = False
        self._at: int | None = None
        database: Any = store._database
        if store.dialect == "sqlite":
            writing, reading = database._threads._writer._engine, database._threads._readers[0]._engine
            sa.event.listen(reading, "before_cursor_execute", self._before_read)
        else:
            writing = database._engine.sync_engine
        sa.event.listen(writing, "before_cursor_execute", self._before_write)
        sa.event.listen(writing, "commit", lambda _: self._reach("commit"))

    def lift(self, at: int | None = None) -> None:
        """Count from now on, and kill at the point of this number, the first being 0."""
        self.points, self._at, self._counting = [], at, True

    def rest(self) -> None:
        """Neither count nor kill any more."""
        self._counting = False

    def check(self) -> None:
        """Die, if dead."""
        if self._dead:
            raise Killed

    def _before_read(self, *_: Any) -> None:
        self.check()

    def _before_write(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        self.check()
        if not statement.lstrip().upper().startswith(("SELECT", "BEGIN")):
            self._reach(" ".join(statement.split()[:3]))

    def _reach(self, point: str) -> None:
        self.check()
        if not self._counting:
            return
        if len(self.points) == self._at:
            self._dead = True
            self._loop.call_soon_threadsafe(self.fallen.set)
            raise Killed
        self.points.append(point)


class MortalPlatform(MemoryPlatform):
    """A platform that hears nothing from the dead."""

    axe: Axe

    async def deliver(self, message: Any) -> Any:
        self.unacknowledged.append(message)
        receipt = await super().deliver(message)
        if receipt is not None:
            self.unacknowledged.remove(message)
        return receipt

    async def send(self, delivery: Any) -> None:
        self.axe.check()
        await super().send(delivery)
        self.axe.check()


Step = Callable[["Visit"], Awaitable[object]]
Setting = Callable[["Visit"], Awaitable[None]]


@dataclass
class Visit:
    """A person with a bot that is started again when it dies."""

    open_store: Callable[[], Awaitable[Store]]
    clock: ManualClock
    platform: MortalPlatform
    store: Store
    axe: Axe
    runner: Runner | None = None

    @classmethod
    async def open(cls, open_store: Callable[[], Awaitable[Store]]) -> Visit:
        clock, store = ManualClock(), await open_store()
        platform = MortalPlatform(now=clock.now)
        platform.axe = Axe(store)
        visit = cls(open_store, clock, platform, store, platform.axe)
        await visit.start()
        return visit

    async def revive(self) -> None:
        """Start another process over the same tables."""
        self.store = await self.open_store()
        self.axe = self.platform.axe = Axe(self.store)
        await self.start()

    @property
    def alice(self) -> Any:
        return self.platform.person("alice")

    async def start(self) -> None:
        model = ModelChoice("builtin", "http://127.0.0.1:9")
        agent = MoneyAgent(self.store, _registry(), model, lambda: NOW, search_index=_no_index)

        async def fetch(_source: str, attachment: Any) -> bytes:
            return await self.platform.fetch(attachment)

        desk = Desk(self.store, History(self.store), agent.context, fetch, _no_index)
        self.runner = Runner(
            self.store, agent, [self.platform], RunnerSettings(),
            handlers=handlers(desk), works=works(desk), notices=notices(desk),
            now=self.clock.now, seconds=self.clock.seconds, sleep=self.clock.sleep,
        )  # fmt: skip
        lease = Lease(self.store, "alices-machine", self.clock.now, self.clock.seconds)
        await lease.acquire()
        await self.runner.start(lease)
        await self.runner.idle()
        await sweep(self.store)  # as the command does beside the bot
        await asyncio.sleep(0.01)  # what keeps house has looked round once

    async def bury(self) -> None:
        """Leave nothing of the dead process."""
        runner = self.runner
        assert runner is not None
        tasks = [*runner._work, *runner._signals.tasks, *runner._narrations.tasks, *runner._chores]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.platform.stop()
        await self.store.close()

    async def do(self, step: Step) -> None:
        """Let the person do something, and the bot answer; where it dies, the next one goes on."""
        doing = asyncio.ensure_future(self._answered(step))
        fallen = asyncio.ensure_future(self.axe.fallen.wait())
        await asyncio.wait((doing, fallen), return_when=asyncio.FIRST_COMPLETED)
        died = self.axe.fallen.is_set()
        for task in (doing, fallen):
            task.cancel()
        results = await asyncio.gather(doing, fallen, return_exceptions=True)
        if died:
            await self.bury()
            await self.revive()
        elif isinstance(results[0], BaseException):
            raise results[0]

    async def _answered(self, step: Step) -> None:
        await step(self)
        assert self.runner is not None
        await self.runner.idle()
        if self.axe._dead:  # it died after the last thing that anybody waits for
            raise Killed

    async def press(self, label: str) -> object:
        """Press the button of the latest post that has it."""
        post = next(post for post in reversed(self.seen) if label in buttons(post))
        return await self.platform.press(self.alice, post, label)

    @property
    def seen(self) -> Sequence[Post]:
        return self.platform.visible_to(self.alice)

    def told(self) -> list[tuple[str, list[str]]]:
        """Return what the person was told: the text and the buttons of each reply."""
        return [(post.text, buttons(post)) for post in self.seen]


def buttons(post: Post) -> list[str]:
    return [action.label for block in post.reply.blocks if isinstance(block, Actions) for action in block.actions]


_REGISTRIES: list[Registry] = []


def _registry() -> Registry:
    if not _REGISTRIES:
        _REGISTRIES.append(Registry.built_in())
    return _REGISTRIES[0]


async def _no_index() -> None:
    """Nothing to search but words."""
