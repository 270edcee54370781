"""A worker whose connections end just when it notes something: its jobs go on, it is known to live, and it can be stopped."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import asyncpg
import pytest
import sqlalchemy as sa

from bots.memory import MemoryPlatform
from bots.runner_settings import RunnerSettings
from ledger.store import APPLICATION, Store
from tests.support.houses import HOUSES

#: A connection that is ended leaves its socket to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

#: Ends the connection that does something, the first few times.
ENDING = """
CREATE SEQUENCE times;
CREATE FUNCTION end_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('times') <= TG_ARGV[0]::integer THEN
    PERFORM pg_terminate_backend(pg_backend_pid());
    PERFORM pg_sleep(60);
  END IF;
  RETURN coalesce(NEW, OLD);
END $$
"""
ALWAYS = 1_000_000
FINISHED = "DELETE ON procrastinate_jobs FOR EACH ROW"
PUT_OFF = "UPDATE ON procrastinate_jobs FOR EACH ROW WHEN (OLD.status = 'doing' AND NEW.status = 'todo')"
BEATEN = "UPDATE ON procrastinate_workers FOR EACH ROW"
LEFT = "DELETE ON procrastinate_workers FOR EACH ROW"


@pytest.fixture
def store_url(postgres_url):
    return postgres_url


@pytest.fixture
def platform():
    return MemoryPlatform()


@pytest.fixture
async def administrator(postgres_url):
    connection = await asyncpg.connect(postgres_url)
    yield connection
    await connection.close()


@pytest.fixture
async def fails(administrator):
    """Lets connections end with what they do, so many times."""

    async def fail(what, times):
        await administrator.execute(ENDING)
        await administrator.execute(f"CREATE TRIGGER ends BEFORE {what} EXECUTE FUNCTION end_it({times})")

    yield fail
    await administrator.execute("DROP FUNCTION IF EXISTS end_it() CASCADE; DROP SEQUENCE IF EXISTS times")


@pytest.fixture
def open_house(gate, platform, agent):
    """Opens a house of a kind, which stops at the end of the block."""

    @asynccontextmanager
    async def opened(kind="procrastinate", **settings):
        stores = []

        async def open_one():
            stores.append(await Store.open(gate.url))
            return stores[-1]

        house = HOUSES[kind](open_one, gate.url, platform, agent, RunnerSettings(progress_after=60.0, **settings))
        await house.start()
        try:
            yield house
        finally:
            async with asyncio.timeout(45):
                await house.stop()
            gate.open()
            for store in stores:
                await store.close()

    return opened


async def told(platform, person, *texts):
    async with asyncio.timeout(60):
        while len(platform.visible_to(person)) < len(texts):
            await asyncio.sleep(0.05)
    assert [post.reply.headline for post in platform.visible_to(person)] == [f"You said {text}" for text in texts]


async def test_a_connection_that_ends_as_a_job_does(open_house, platform, alice, fails):
    async with open_house():
        await fails(FINISHED, 3)
        await platform.say(alice, "one")
        await platform.say(alice, "two")
        await told(platform, alice, "one", "two")


async def test_a_connection_that_ends_as_a_job_is_put_off(open_house, platform, alice, agent, fails):
    slow = agent.gate("one")
    async with open_house(parallel_turns_each=1):
        await fails(PUT_OFF, 3)
        await platform.say(alice, "one", channel="general", thread="1")
        await agent.started("one")
        await platform.say(alice, "two", channel="general", thread="2")
        await asyncio.sleep(0.5)
        slow.set()
        await told(platform, alice, "one", "two")


async def test_a_beat_that_fails_is_followed_by_another(open_house, administrator, fails):
    async with open_house():
        await fails(BEATEN, 2)  # one of each worker, or two of one
        async with asyncio.timeout(30):
            while await administrator.fetchval("SELECT last_value FROM times") < 6:
                await asyncio.sleep(0.1)
        beats = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '5 seconds'"
        assert await administrator.fetchval(beats) == 2


async def test_a_worker_hears_of_jobs_again_once_connections_can_be_had(open_house, administrator, postgres_url):
    listening = (
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name = $1 AND query LIKE 'LISTEN%'"
    )
    url = sa.make_url(postgres_url)
    elsewhere = await asyncpg.connect(url.set(database="postgres").render_as_string(hide_password=False))
    allow = f"ALTER DATABASE {url.database} ALLOW_CONNECTIONS "
    async with open_house():
        async with asyncio.timeout(30):
            while await administrator.fetchval(listening.replace("pg_terminate_backend", ""), APPLICATION) < 2:
                await asyncio.sleep(0.05)
        await elsewhere.execute(f"{allow} false")
        await administrator.fetchval(listening, APPLICATION)
        await asyncio.sleep(0.5)
        await elsewhere.execute(f"{allow} true")
        async with asyncio.timeout(30):
            while await administrator.fetchval(listening.replace("pg_terminate_backend", ""), APPLICATION) < 2:
                await asyncio.sleep(0.05)
    await elsewhere.close()


async def test_a_worker_stops_that_can_not_leave(open_house, platform, alice, fails):
    async with open_house():
        await platform.say(alice, "one")
        await told(platform, alice, "one")
        await fails(LEFT, ALWAYS)


@pytest.mark.parametrize("kind", ["postgres", "procrastinate"])
async def test_a_house_stops_while_the_database_does_not_answer(open_house, platform, alice, agent, gate, kind):
    slow = agent.gate("one")
    async with open_house(kind, watch=0.5):
        await platform.say(alice, "one")
        await agent.started("one")
        gate.hold()
        slow.set()
        await asyncio.sleep(1)
