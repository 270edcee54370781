"""A crash counts against the message that was alone in it: who merely stood beside is answered, however often."""

from __future__ import annotations

import asyncio
import random

import pytest
import sqlalchemy as sa

from bots.fixed_replies import GAVE_UP
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from bots.shared_lock import SharedLock
from ledger import schema
from tests.conftest import ScriptedAgent, until

ATTEMPTS = 3


class MortalAgent(ScriptedAgent):
    """Kills its process where the text says so; a process that is told to dies while it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.dead = asyncio.Event()
        self.exclusive: list[bool] = []

    async def _answer(self, request):
        self.exclusive.append(self.running == 1)
        if "poison" in request.text:
            self.dead.set()
        await asyncio.sleep(0)
        if self.dead.is_set():
            await asyncio.Event().wait()
        return await super()._answer(request)


@pytest.fixture
def platform(clock):
    return MemoryPlatform(now=clock.now)


@pytest.fixture
def bot(sqlite_store, platform, clock):
    """Starts processes, one after the other."""

    async def start():
        agent = MortalAgent()
        runner = Runner(
            sqlite_store, agent, [platform], RunnerSettings(attempts=ATTEMPTS, parallel_turns=8, parallel_turns_each=8),
            now=clock.now, seconds=clock.seconds, sleep=clock.sleep,
        )  # fmt: skip
        await runner.start()
        return runner, agent

    return start


async def kill(runner):
    """End a process as a kill does: it has no time to say what it leaves."""

    async def nothing(_):
        """A dead process writes nothing."""

    runner.inbox.reopen = nothing
    await runner.drain(0)


async def ended(runner, agent):
    """Return once everything is answered, or the process is dead; whether it is."""
    idle, dead = asyncio.ensure_future(runner.idle()), asyncio.ensure_future(agent.dead.wait())
    await asyncio.wait((idle, dead), return_when=asyncio.FIRST_COMPLETED)
    for task in (idle, dead):
        task.cancel()
    return agent.dead.is_set()


async def crashes(store):
    async with store.read() as connection:
        query = sa.select(schema.inbox.c.crashes, schema.inbox.c.state).order_by(schema.inbox.c.id)
        return (await connection.execute(query)).all()


@pytest.mark.parametrize("poison", range(4))
async def test_poison_ends_and_everybody_beside_it_is_answered(bot, platform, poison):
    texts = ["poison" if number == poison else f"q{number}" for number in range(4)]
    people = [platform.person(f"p{number}") for number in range(4)]
    for person, text in zip(people, texts, strict=True):
        await platform.say(person, text)
    starts = 0
    while True:
        runner, agent = await bot()
        starts += 1
        if not await ended(runner, agent):
            break
        await kill(runner)
    await runner.drain(0)
    told = [platform.visible_to(person)[-1].reply.headline for person in people]
    assert told == [GAVE_UP.headline if text == "poison" else f"You said {text}" for text in texts]
    assert starts <= 2 + ATTEMPTS


@pytest.mark.parametrize("seed", range(10))
async def test_kills_that_no_message_is_to_blame_for_give_nobody_up(bot, platform, sqlite_store, seed):
    """The process is killed as often as a message may crash it, each time with all of them begun."""
    people = [platform.person(f"p{number}") for number in range(6)]
    chance = random.Random(seed)
    for person in people:
        await platform.say(person, "hello")
    for _ in range(2 * ATTEMPTS):
        runner, agent = await bot()
        agent.gates = {"hello": asyncio.Event()}
        await agent.started("hello")
        for _ in range(chance.randrange(40)):
            await asyncio.sleep(0)
        await kill(runner)
    runner, agent = await bot()
    await runner.idle()
    await runner.drain(0)
    assert [platform.visible_to(person)[-1].reply.headline for person in people] == ["You said hello"] * 6
    assert all(row.crashes <= ATTEMPTS - 1 for row in await crashes(sqlite_store))


async def test_a_suspect_is_alone_and_the_others_follow(bot, platform, sqlite_store):
    people = [platform.person(f"p{number}") for number in range(4)]
    runner, agent = await bot()
    agent.gates = {"hello": asyncio.Event()}
    for person in people:
        await platform.say(person, "hello")
    await agent.busy(4)
    await kill(runner)
    runner, agent = await bot()
    assert await crashes(sqlite_store) == [(0, "suspect")] * 4 or agent.running
    agent.gates = {"hello": asyncio.Event()}
    await agent.started("hello")
    await platform.say(platform.person("late"), "hello")
    await asyncio.sleep(0.05)
    assert agent.running == 1
    agent.gates["hello"].set()
    await runner.idle()
    await runner.drain(0)
    assert agent.exclusive[:4] == [True] * 4
    assert len(platform.posts) == 5


async def test_a_process_that_ends_in_good_order_blames_nobody(bot, platform, sqlite_store):
    runner, agent = await bot()
    agent.gates = {"hello": asyncio.Event()}
    await platform.say(platform.person("alice"), "hello")
    await agent.started("hello")
    await runner.drain(0)
    assert await crashes(sqlite_store) == [(0, "waiting")]


async def test_company_is_many_or_one(clock):
    lock, seen, present = SharedLock(), [], []

    async def come(who, how):
        async with how():
            present.append(who)
            seen.append(tuple(present))
            await asyncio.sleep(0.001)
            present.remove(who)

    hows = [lock.shared, lock.shared, lock.exclusive, lock.shared, lock.exclusive, lock.shared]
    await asyncio.gather(*(come(number, how) for number, how in enumerate(hows)))
    assert len(seen) == len(hows)
    assert {state for state in seen if {2, 4} & set(state)} == {(2,), (4,)}
    assert max(map(len, seen)) > 1
    assert lock.is_free


async def test_one_who_is_stopped_while_waiting_to_be_alone_keeps_nobody_out():
    lock = SharedLock()
    async with lock.shared():
        lonely = asyncio.create_task(_be(lock.exclusive))
        await until(lambda: not lock.is_free)
        lonely.cancel()
        await asyncio.gather(lonely, return_exceptions=True)
        assert lock.is_free
        await _be(lock.shared)


async def _be(how):
    async with how():
        """Nothing to do."""
