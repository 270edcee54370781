"""PostgreSQL ends the bot's connections again and again while people talk to it: nobody notices more than a pause."""

from __future__ import annotations

import asyncio
import gc
import itertools
import time
import warnings
from collections import Counter

import asyncpg
import pytest
import sqlalchemy as sa

from bots.desk.desk import Desk
from bots.desk.duties import handlers, works
from bots.history import History
from bots.lease import Lease
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from ledger import schema
from ledger.imports import import_files
from ledger.memories import list_memories
from ledger.outages import is_passing
from ledger.sample import sample_csv
from ledger.statement_writer import SourceFile
from ledger.store import APPLICATION
from tests.support.kill_points import NOW
from tools.registry import Registry

QUESTIONS = (
    "How much did I spend on groceries last month?",
    "What was my biggest purchase last month?",
    "Compare last month with the month before",
    "Which merchants cost me the most?",
    "What data do you have?",
)
PEOPLE = 4

#: A connection that is ended leaves its socket to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture
def store_url(postgres_url):
    return postgres_url


async def test_a_connection_that_the_driver_has_lost_track_of_is_given_up(store, monkeypatch):
    """asyncpg tells so after some terminations (“cannot switch to state”), and does not say that it is closed."""
    fetch = asyncpg.prepared_stmt.PreparedStatement.fetch

    async def lost(*_):
        raise asyncpg.InternalClientError("cannot switch to state 12; another operation (5) is in progress")

    async def ask():
        async with store.write() as connection:
            return (await connection.execute(sa.text("SELECT pg_backend_pid()"))).scalar_one()

    first = await ask()
    monkeypatch.setattr(asyncpg.prepared_stmt.PreparedStatement, "fetch", lost)
    with pytest.raises(sa.exc.DBAPIError) as raised:
        await ask()
    assert is_passing(raised.value)
    monkeypatch.setattr(asyncpg.prepared_stmt.PreparedStatement, "fetch", fetch)
    assert await ask() != first


@pytest.fixture
async def house(store):
    """A bot with the real agent, whose people have the same ledger each."""
    platform = MemoryPlatform()
    agent = MoneyAgent(store, Registry.built_in(), ModelChoice("builtin", "http://127.0.0.1:9"), lambda: NOW,
                       search_index=_no_index)  # fmt: skip

    async def fetch(_source, attachment):
        return await platform.fetch(attachment)

    desk = Desk(store, History(store), agent.context, fetch, _no_index)
    settings = RunnerSettings(questions_per_minute=10_000, watch=1.0)
    runner = Runner(store, agent, [platform], settings, handlers=handlers(desk), works=works(desk))
    lease = Lease(store, "here")
    await lease.acquire()
    keeping = asyncio.create_task(lease.keep())
    people = [platform.person(f"p{number}") for number in range(PEOPLE)]
    for person in people:
        await import_files(await store.repository(person), [SourceFile("bank.csv", sample_csv(NOW.date()))])
    await runner.start(lease)
    yield platform, runner, people, lease
    await runner.drain(0)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


@pytest.fixture(autouse=True)
def none_left():
    """Clear away connections whose end came before they were whole: nobody holds them, and another test would be blamed."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def _no_index():
    """Nothing to search but words."""


async def terminate(url, every, seconds):
    """End the bot's connections every so often; return how many that were."""
    connection = await asyncpg.connect(url)
    ended = 0
    ours = "datname = current_database() AND application_name = $1"
    for _ in range(round(seconds / every)):
        await asyncio.sleep(every)
        ended += len(
            await connection.fetch(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}", APPLICATION)
        )
    await connection.close()
    return ended


class Person:
    """Asks in one thread after another, and has a note taken now and then."""

    def __init__(self, platform, person):
        self.platform, self.person = platform, person
        self.asked = []
        self.notes = []

    async def talk(self, ends):
        for number in itertools.count():
            if time.monotonic() > ends:
                return
            if number % 5 == 4:
                await self.note(f"bill {number} is due")
            else:
                await self.ask(QUESTIONS[number % len(QUESTIONS)], str(number))

    async def ask(self, question, thread):
        before = len(self.mine())
        await self.deliver(self.platform.say(self.person, question, channel="general", thread=thread))
        self.asked.append((question, self.platform.conversation(self.person, "general", thread)))
        await self.answered(before)

    async def note(self, text):
        before = len(self.mine())
        await self.deliver(self.platform.say(self.person, f"Remember that {text}"))
        await self.answered(before)
        await self.deliver(self.platform.press(self.person, self.mine()[-1], "Confirm"))
        await self.answered(before + 1)
        self.notes.append(text)

    async def deliver(self, saying):
        """Say something, and let the platform deliver it again until it is acknowledged."""
        receipt = await saying
        while receipt is None:
            message = self.platform.unacknowledged.pop()
            await asyncio.sleep(0.05)
            receipt = await self.platform.deliver(message)

    async def answered(self, before):
        while len(self.mine()) == before:
            await asyncio.sleep(0.01)

    def mine(self):
        return [post for post in self.platform.posts if post.conversation.person == self.person]


async def storm(house, store, url, every, seconds):
    platform, runner, people, lease = house
    expected = {}
    for question in QUESTIONS:  # all have the same ledger
        await platform.say(people[0], question, channel="general", thread="before")
        await runner.idle()
        expected[question] = platform.posts[-1].text
    del platform.posts[:]
    talking = [Person(platform, person) for person in people]
    ends = time.monotonic() + seconds
    *_, ended = await asyncio.gather(*(one.talk(ends) for one in talking), terminate(url, every, seconds))
    await runner.idle()
    assert ended >= seconds / every  # there was somebody to end
    assert not lease.lost.is_set()
    for one in talking:
        told = Counter((post.conversation, post.text) for post in one.mine() if post.conversation.thread)
        assert told == Counter((conversation, expected[question]) for question, conversation in one.asked)
        kept = [note.text for note in await list_memories(await store.repository(one.person))]
        assert sorted(kept) == sorted(one.notes)
    async with store.read() as connection:
        for table in (schema.inbox, schema.outbox):
            states = (await connection.execute(sa.select(table.c.state).distinct())).scalars().all()
            assert set(states) <= {"done", "sent"}
    return sum(len(one.asked) for one in talking)


async def test_nobody_notices_connections_that_are_ended(house, store, postgres_url):
    assert await storm(house, store, postgres_url, every=0.5, seconds=6) > PEOPLE


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_nobody_notices_a_minute_of_connections_that_are_ended(house, store, postgres_url):
    assert await storm(house, store, postgres_url, every=1.0, seconds=60) > 10 * PEOPLE
