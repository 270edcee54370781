"""One process at a time serves a database, on every database; whoever lost the lease changes nothing more."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import asyncpg
import pytest
import sqlalchemy as sa

from bots.contracts import Accepted
from bots.errors import CommandError, LeaseHeld, LeaseLost
from bots.inbox import Inbox
from bots.lease import TERM, Lease
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.serving import serve
from ledger import schema
from ledger.store import Store
from tests.conftest import ScriptedAgent, live_until, until


@pytest.fixture
def lease(store, clock):
    return lambda holder: Lease(store, holder, clock.now, clock.seconds)


async def expire(store):
    """Let as much time pass as the lease lasts without a sign of life, on whosever clock."""
    async with store.write() as connection:
        await connection.execute(schema.leases.update().values(expires_at="2000-01-01T00:00:00.000+00:00"))


async def acquired(one):
    await one.acquire()
    return one


class TestHolding:
    async def test_another_is_refused_in_one_sentence(self, lease):
        await lease("here").acquire()
        with pytest.raises(LeaseHeld, match=r"^Another bot serves this database\..+ in 30 seconds\.$"):
            await lease("there").acquire()

    async def test_of_many_at_once_one_gets_it(self, store, open_store, clock):
        stores = [await open_store() for _ in range(4)]
        holders = [Lease(one, f"holder {number}", clock.now) for number, one in enumerate(stores)]
        taken = await asyncio.gather(*(holder.acquire() for holder in holders), return_exceptions=True)
        assert sorted(map(type, taken), key=str) == sorted([type(None)] + [LeaseHeld] * 3, key=str)

    async def test_the_same_holder_takes_it_at_once_under_a_new_epoch(self, lease):
        former = await acquired(lease("here"))
        latter = await acquired(lease("here"))
        assert latter.epoch == former.epoch + 1
        with pytest.raises(LeaseLost):
            await former._renew()
        assert former.lost.is_set()

    async def test_it_is_free_when_it_was_not_renewed_in_time(self, store, lease):
        former = await acquired(lease("here"))
        await expire(store)
        latter = await acquired(lease("there"))
        assert latter.epoch == former.epoch + 1

    async def test_one_that_nobody_took_can_be_renewed_late(self, store, lease):
        late = await acquired(lease("here"))
        await expire(store)
        await late._renew()
        with pytest.raises(LeaseHeld):
            await lease("there").acquire()

    async def test_it_is_free_once_it_is_given_back(self, lease):
        await (await acquired(lease("here"))).release()
        await lease("there").acquire()

    async def test_who_lost_it_gives_nothing_back(self, store, lease):
        former = await acquired(lease("here"))
        await expire(store)
        await lease("there").acquire()
        await former.release()
        with pytest.raises(LeaseHeld):
            await lease("elsewhere").acquire()

    async def test_it_is_kept_while_its_holder_lives_and_the_database_is_away(self, store, lease, clock, monkeypatch):
        ours = await acquired(lease("here"))
        keeping = asyncio.create_task(ours.keep(clock.sleep))
        third = TERM.total_seconds() / 3
        real, tries = ours._renew, []

        async def renew():
            tries.append(1)
            if len(tries) == 1:
                raise ConnectionError
            await real()

        monkeypatch.setattr(ours, "_renew", renew)
        for wanted in (1, 2):
            await clock.sleeping(third)
            clock.advance(third)
            await until(lambda wanted=wanted: len(tries) == wanted)
        await clock.sleeping(third)
        await expire(store)
        await lease("there").acquire()
        clock.advance(third)
        await keeping
        assert ours.lost.is_set()

    async def test_it_is_looked_up_before_sending_where_it_was_not_renewed_in_time(self, store, lease, clock):
        ours = await acquired(lease("here"))
        await expire(store)
        await lease("there").acquire()
        await ours.confirm()  # within the time that nobody else could take it, had the clock not been turned
        clock.advance(TERM.total_seconds())
        with pytest.raises(LeaseLost):
            await ours.confirm()


class TestFencing:
    @pytest.fixture
    async def platform(self, clock):
        return MemoryPlatform(now=clock.now)

    @pytest.fixture
    async def said(self, clock, alice):
        elsewhere = MemoryPlatform(now=clock.now)
        await elsewhere.say(alice, "hello")
        return elsewhere.last

    async def test_who_lost_the_lease_claims_finishes_and_reopens_nothing(self, store, lease, clock, said):
        former, latter = Inbox(store, clock.now), Inbox(store, clock.now)
        former.lease = await acquired(lease("here"))
        accepted = await former.accept(said)
        entry = await former.claim(accepted.id)
        latter.lease = await acquired(lease("here"))
        await latter.recover(["memory"])
        (waiting,) = await latter.next_waiting(["memory"])
        outcome = (await ScriptedAgent().answer(SimpleNamespace(text="hello", past=()))) if entry else None
        for attempt in (
            lambda: former.claim(accepted.id),
            lambda: former.finish(entry, outcome),
            lambda: former.decline(entry, outcome.reply),
            lambda: former.reopen([accepted.id]),
        ):
            with pytest.raises(LeaseLost):
                await attempt()
        again = await latter.claim(waiting.id)
        assert again.message == said
        assert await latter.finish(again, outcome) is not None

    async def test_recovery_leaves_what_its_own_process_took(self, store, lease, clock, said):
        inbox = Inbox(store, clock.now)
        inbox.lease = await acquired(lease("here"))
        await inbox.accept(said, "taken")
        await inbox.recover(["memory"])
        assert await inbox.next_waiting(["memory"]) == ()

    async def test_what_a_process_without_the_lease_still_took_in_is_answered_by_its_successor(
        self, store, lease, clock, platform, said, agent
    ):
        former = Inbox(store, clock.now)
        former.lease = await acquired(lease("here"))
        runner = Runner(store, agent, [platform], now=clock.now, seconds=clock.seconds, sleep=clock.sleep)
        await runner.start(await acquired(lease("here")))
        assert isinstance(await former.accept(said, "taken"), Accepted)
        await live_until(clock, lambda: shown(platform))
        await runner.drain(0)
        assert [post.reply.headline for post in platform.posts] == ["You said hello"]


async def shown(platform):
    return bool(platform.posts)


class TestServing:
    @pytest.fixture
    def app(self, store_url, tmp_path):
        """Makes what a process would have: its own data directory, store and runner."""
        stores = []

        async def nothing():
            """Nothing to load."""

        async def make(name):
            directory = tmp_path / name
            directory.mkdir(exist_ok=True)
            stores.append(await Store.open(store_url))
            parts = SimpleNamespace(warm_up=nothing, catch_up=nothing)
            return SimpleNamespace(
                settings=SimpleNamespace(data_dir=directory, status_address=None, traces_url=None, role="all"),
                store=stores[-1], agent=parts, indexing=parts,
                server=Runner(stores[-1], ScriptedAgent(), [MemoryPlatform()]), platforms=[MemoryPlatform()],
            )  # fmt: skip

        return make

    @pytest.fixture
    async def serving(self, app, store):
        """Starts serving from a data directory; all end with the test."""
        running = []

        async def start(name):
            made = await app(name)
            running.append((asyncio.create_task(serve(made)), made.store))
            task = running[-1][0]
            while not (made.server._started.is_set() or task.done()):
                await asyncio.sleep(0.001)
            return task

        yield start
        for task, made in running:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await made.close()

    async def test_a_second_bot_is_refused_and_the_first_goes_on(self, serving):
        first = await serving("first")
        with pytest.raises(LeaseHeld):
            await (await serving("second"))
        with pytest.raises(CommandError, match="from this data directory"):
            await (await serving("first"))
        assert not first.done()

    async def test_one_that_ends_leaves_its_place(self, serving):
        first = await serving("first")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        assert not (await serving("second")).done()

    async def test_a_dead_one_is_followed_at_once_from_its_directory_and_later_from_another(
        self, serving, monkeypatch, store
    ):
        first = await serving("first")
        monkeypatch.setattr(Lease, "release", lambda self: asyncio.sleep(0))  # as if it had been killed
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        with pytest.raises(LeaseHeld):
            await (await serving("second"))
        second = await serving("first")
        assert not second.done()
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        await expire(store)
        assert not (await serving("second")).done()

    async def test_one_that_lost_its_lease_ends_and_says_so(self, serving, store, monkeypatch):
        monkeypatch.setattr("bots.lease.TERM", TERM / 10_000)
        first = await serving("first")
        async with store.write() as connection:
            await connection.execute(schema.leases.update().values(epoch=schema.leases.c.epoch + 1))
        with pytest.raises(LeaseLost, match="has taken over"):
            await first


#: What a process does that opens the database, told where that is.
OPENING = """
import asyncio, sys
from pathlib import Path
from ledger.store import Store
asyncio.run(Store.open(sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])))
"""


async def test_those_that_start_at_once_migrate_one_after_the_other(store_url, tmp_path):
    """Several processes open an empty database at the same moment."""
    async with empty_database(store_url, tmp_path) as url:
        command = (sys.executable, "-c", OPENING, url)
        starting = [await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE) for _ in range(3)]
        ended = [(await one.communicate())[1].decode() for one in starting]
    assert [one.returncode for one in starting] == [0, 0, 0], ended


@asynccontextmanager
async def empty_database(store_url, tmp_path):
    if not isinstance(store_url, str):
        yield str(tmp_path / "new.sqlite3")
        return
    server = sa.make_url(store_url)
    name = f"{server.database}_new"
    admin = await asyncpg.connect(store_url)
    await admin.execute(f"CREATE DATABASE {name}")
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.close()
