"""What a person meets while the database fails is the same whether one process serves it or several: a pause, and no more."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from bots.memory import MemoryPlatform
from bots.runner_settings import RunnerSettings
from ledger.store import APPLICATION, Store
from tests.support.houses import HOUSES

PEOPLE = 3

#: A connection that is ended leaves its socket to be collected.
pytestmark = [
    pytest.mark.timeout(180),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(params=["postgres", "procrastinate"])
def kind(request):
    return request.param


@pytest.fixture
def store_url(postgres_url):
    return postgres_url


@pytest.fixture
def platform():
    return MemoryPlatform()


@pytest.fixture
async def house(kind, gate, platform, agent):
    opened = []

    async def open_one():
        opened.append(await Store.open(gate.url))
        return opened[-1]

    settings = RunnerSettings(progress_after=60.0, watch=0.5)
    house = HOUSES[kind](open_one, gate.url, platform, agent, settings)
    await house.start()
    yield house
    gate.open()
    await house.stop()
    for store in opened:
        await store.close()


async def talk(platform, person, count, *, pause=0.05):
    """Say something again and again; what is not acknowledged is delivered again, as platforms do."""
    for number in range(count):
        receipt = await platform.say(person, f"{person.user} {number}")
        while receipt is None:
            await asyncio.sleep(0.1)
            receipt = await platform.deliver(platform.unacknowledged.pop())
        await asyncio.sleep(pause)


async def told_in_order(house, platform, people, count):
    async with asyncio.timeout(120):
        while any(len(platform.visible_to(person)) < count for person in people):
            await asyncio.sleep(0.1)
    for person in people:
        said = [post.reply.headline for post in platform.visible_to(person)]
        assert said == [f"You said {person.user} {number}" for number in range(count)]


async def test_connections_that_end_again_and_again(house, platform, postgres_url):
    people = [platform.person(f"p{number}") for number in range(PEOPLE)]
    talking = asyncio.gather(*(talk(platform, person, 20, pause=0.2) for person in people))
    administrator = await asyncpg.connect(postgres_url)
    ended = 0
    while not talking.done():
        await asyncio.sleep(1)
        ours = "datname = current_database() AND application_name = $1"
        ended += len(
            await administrator.fetch(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}", APPLICATION
            )
        )
    await administrator.close()
    await talking
    assert ended > 1
    await told_in_order(house, platform, people, 20)


async def test_a_server_that_is_away_for_a_while(house, platform, gate, agent):
    people = [platform.person(f"p{number}") for number in range(PEOPLE)]
    slow = agent.gate("p0 0")  # one is being answered meanwhile
    talking = asyncio.gather(*(talk(platform, person, 6, pause=0.3) for person in people))
    await agent.started("p0 0")
    gate.close()
    slow.set()
    await asyncio.sleep(3)
    assert not talking.done(), "nothing is acknowledged that can't be stored"
    gate.open()
    await talking
    await told_in_order(house, platform, people, 6)


FULL = """
CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$
"""


@pytest.fixture
async def disk(postgres_url):
    """Fills the server's disk, as far as our tables are concerned, and makes room again."""
    administrator = await asyncpg.connect(postgres_url)

    class Disk:
        async def fill(self, *tables):
            await administrator.execute(FULL)
            for table in tables:
                await administrator.execute(
                    f"CREATE TRIGGER full_{table} BEFORE INSERT ON {table} EXECUTE FUNCTION disk_full()"
                )

        async def clear(self):
            await administrator.execute("DROP FUNCTION IF EXISTS disk_full() CASCADE")

    disk = Disk()
    yield disk
    await disk.clear()
    await administrator.close()


async def test_a_full_disk_when_a_message_comes(house, platform, alice, disk):
    await disk.fill("inbox")
    assert await platform.say(alice, "hello") is None  # it is not acknowledged, so the platform keeps it
    await disk.clear()
    await platform.deliver(platform.unacknowledged.pop())
    await told(platform, alice, "You said hello")


async def test_a_disk_that_fills_while_a_message_is_answered(house, platform, alice, disk, agent):
    slow = agent.gate("hello")
    await platform.say(alice, "hello")
    await agent.started("hello")
    await disk.fill("turns", "outbox")
    slow.set()
    await asyncio.sleep(1)
    assert platform.visible_to(alice) == ()
    await disk.clear()
    await told(platform, alice, "You said hello")


async def told(platform, person, headline):
    async with asyncio.timeout(120):
        while not platform.visible_to(person):
            await asyncio.sleep(0.1)
    assert [post.reply.headline for post in platform.visible_to(person)] == [headline]
