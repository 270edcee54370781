"""The same bot in different houses: one process that does everything, or one that takes in and others that answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import sqlalchemy as sa

from bots.inbox import Inbox
from bots.ingress import Ingress
from bots.jobs import Jobs, Registration
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from bots.worker import Worker
from graph.turn import Agent
from ledger import schema
from ledger.store import Store

OpenStore = Callable[[], Awaitable[Store]]


class Outlet:
    """A platform as a worker has it: it sends and looks up, and to end is the business of who takes in."""

    def __init__(self, platform: MemoryPlatform) -> None:
        self._platform = platform

    def __getattr__(self, name: str) -> Any:
        return getattr(self._platform, name)

    async def stop(self) -> None:
        """Others still use it."""


class House(Protocol):
    """A bot that runs."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def idle(self) -> None:
        """Return when everything that came in is answered, sent or put aside."""
        ...

    def narrating(self) -> bool:
        """Whether a model is adding to an answer."""
        ...

    async def crash(self) -> None:
        """Let whoever answers die as by a kill, and another one come."""
        ...


@dataclass
class Alone:
    """One process."""

    open_store: OpenStore
    url: str
    platform: MemoryPlatform
    agent: Agent
    settings: RunnerSettings
    wiring: Callable[[Store], dict[str, Any]] = lambda _: {}
    store: Store | None = None
    runner: Runner | None = None

    async def start(self) -> None:
        self.store = self.store or await self.open_store()
        self.runner = Runner(self.store, self.agent, [self.platform], self.settings, **self.wiring(self.store))
        await self.runner.start()

    async def stop(self) -> None:
        assert self.runner is not None
        await self.runner.drain(0)

    async def idle(self) -> None:
        assert self.runner is not None
        await self.runner.idle()

    def narrating(self) -> bool:
        assert self.runner is not None
        return bool(self.runner._narrations.tasks)

    async def crash(self) -> None:
        assert self.runner is not None
        self.runner.inbox.reopen = _nothing
        await self.runner.drain(0)
        await self.start()


@dataclass
class Shared:
    """One process that takes in, and two that answer; each has its own store."""

    open_store: OpenStore
    url: str
    platform: MemoryPlatform
    agent: Agent
    settings: RunnerSettings
    wiring: Callable[[Store], dict[str, Any]] = lambda _: {}
    store: Store | None = None
    ingress: Ingress | None = None
    workers: list[Worker] = field(default_factory=list)

    async def start(self) -> None:
        self.store = self.store or await self.open_store()
        self.ingress = Ingress(self.store, [self.platform], self.settings)
        for _ in range(2):
            await self.hire()
        await self.ingress.start()

    async def hire(self) -> Worker:
        """Let one more worker begin."""
        store, outlet = await self.open_store(), Outlet(self.platform)
        runner = Runner(store, self.agent, [outlet], self.settings, **self.wiring(store))
        worker = Worker(store, self.url, runner, [outlet])
        self.workers.append(worker)
        await worker.start()
        return worker

    async def stop(self) -> None:
        await asyncio.gather(*(worker.drain(0) for worker in self.workers))
        if self.ingress is not None:
            await self.ingress.drain(0)

    async def idle(self) -> None:
        assert self.store is not None
        while not await all_done(self.store):
            await asyncio.sleep(0.02)

    def narrating(self) -> bool:
        return any(worker._runner._narrations.tasks for worker in self.workers)

    async def crash(self) -> None:
        """Kill every worker that is at something, and let as many others come."""
        for worker in [each for each in self.workers if each._runner._answering.running]:
            await self.kill(worker)
            await self.hire()

    async def kill(self, worker: Worker) -> None:
        """End a worker without a word: nothing that it had is given back, and its heart stands still."""
        assert self.store is not None
        self.workers.remove(worker)
        number = -worker._registration.epoch
        worker._jobs.leave = _nothing  # type: ignore[method-assign]
        worker._runner.inbox._writing.do = _for_ever  # type: ignore[method-assign]
        for task in worker._tasks:
            task.cancel()
        turns = list(worker._runner._answering.running.values())
        for turn in turns:
            turn.cancel()
        async with self.store.write() as connection:
            await connection.execute(
                sa.text("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour' WHERE id = :id"),
                {"id": number},
            )
        await worker._runner._narrations.close()


async def _nothing(*_: Any) -> None:
    """A dead process does nothing more."""


async def _for_ever(*_: Any) -> None:
    """Nor does it return from what it was at."""
    await asyncio.Event().wait()


HOUSES = {"sqlite": Alone, "postgres": Alone, "procrastinate": Shared}


async def all_done(store: Store) -> bool:
    """Whether everything that came in is answered and sent, or put aside, and no job is left."""
    async with store.read() as connection:
        inbox = set((await connection.execute(sa.select(schema.inbox.c.state).distinct())).scalars())
        outbox = set((await connection.execute(sa.select(schema.outbox.c.state).distinct())).scalars())
        jobs = 0
        if store.dialect == "postgresql":
            jobs = (await connection.execute(sa.text("SELECT count(*) FROM procrastinate_jobs"))).scalar_one()
    return not jobs and inbox <= {"done", "dead", "held"} and outbox <= {"sent", "refused", "parked"}


class WorkerInbox(Inbox):
    """An inbox as a worker uses it: what it claims it has the job of, and to recover is to come after a dead one."""

    def __init__(self, store: Store, now: Any) -> None:
        super().__init__(store, now)
        self.jobs: Jobs = Jobs(store)
        self.lease: Registration = Registration(store)

    async def register(self) -> None:
        """Be a worker that nobody was before."""
        async with self._store.write() as connection:
            number = (
                await connection.execute(sa.text("SELECT worker_id FROM procrastinate_register_worker_v1()"))
            ).scalar_one()
        self.lease.enter(number)

    async def claim(self, waiting: int, *, again: bool = False) -> Any:
        async with self._store.write() as connection:
            fetched = await connection.execute(_FETCH, {"message": waiting, "worker": -self.lease.epoch})
            if fetched.first() is None:
                return None
        return await super().claim(waiting, again=again)

    async def recover(self, sources: Any) -> None:
        async with self._store.write() as connection:
            await connection.execute(sa.text("DELETE FROM procrastinate_workers"))
        await self.register()
        await self.jobs.bury(sources)
        await self.unpark(sources)


_FETCH = sa.text(
    "UPDATE procrastinate_jobs SET status = 'doing', worker_id = :worker "
    "WHERE CAST(args->>'message' AS bigint) = :message AND status = 'todo' RETURNING id"
)
