"""What a person meets is the same whether one process does everything or several share the work: once, in order, whole."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from bots.confirming import Done
from bots.contracts import Duplicate
from bots.errors import LeaseHeld, LeaseLost
from bots.fixed_replies import BUSY, GAVE_UP, STOPPED
from bots.inbox import Inbox
from bots.jobs import Registration
from bots.lease import Lease
from bots.memory import MemoryPlatform
from bots.notices import Notice
from bots.runner_settings import RunnerSettings
from bots.sending import Patience
from graph.reply import Action, Actions, Reply
from graph.turn import TurnOutcome
from ledger import schema
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from tests.conftest import until
from tests.support.houses import HOUSES, Shared
from tools.calls import Call
from tools.results import Fact

#: What dies in a test closes nothing.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(params=list(HOUSES))
def kind(request):
    return request.param


@pytest.fixture
def store_url(kind, request, tmp_path):
    return tmp_path / "data" / "ledger.sqlite3" if kind == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def platform():
    return MemoryPlatform()


@pytest.fixture
async def build(kind, store_url, open_store, platform, agent):
    """Starts a house, and stops it in the end."""
    built = []

    async def start(wiring=None, **settings):
        settings.setdefault("progress_after", 60.0)
        house = HOUSES[kind](
            open_store, str(store_url), platform, agent, RunnerSettings(**settings), wiring or (lambda _: {})
        )
        built.append(house)
        await house.start()
        return house

    yield start
    for house in built:
        await house.stop()


BANK = b"Date,Description,Amount (USD)\n2026-10-03,REWE MARKT,-20.00\n"


def said(platform, person):
    return [post.reply.headline for post in platform.visible_to(person)]


class TestAnswering:
    async def test_a_message_is_answered_once_however_often_it_is_delivered(self, build, platform, alice, agent):
        house = await build()
        platform.faults.deliver_twice = True
        await platform.say(alice, "hello")
        assert await platform.redeliver() == Duplicate()
        assert await platform.deliver_twin() == Duplicate()
        await house.idle()
        assert said(platform, alice) == ["You said hello"]
        assert len(agent.requests) == 1

    async def test_a_conversation_keeps_its_order_and_others_do_not_wait_for_it(self, build, platform, agent):
        house = await build()
        gate = agent.gate("p0 0")
        people = [platform.person(f"p{number}") for number in range(3)]
        for number in range(4):
            for person in people:
                await platform.say(person, f"{person.user} {number}")
        await until(lambda: all(len(said(platform, person)) == 4 for person in people[1:]))
        assert said(platform, people[0]) == []
        gate.set()
        await house.idle()
        for person in people:
            assert said(platform, person) == [f"You said {person.user} {number}" for number in range(4)]
            mine = [request for request in agent.requests if request.person == person]
            assert [len(request.past) for request in mine] == [0, 1, 2, 3]

    async def test_one_person_leaves_places_for_others(self, build, platform, alice, bob, agent):
        house = await build(parallel_turns=4, parallel_turns_each=3)
        gates = [agent.gate(f"slow {number}") for number in range(6)]
        for number in range(6):
            await platform.say(alice, f"slow {number}", channel="general", thread=str(number))
        await agent.busy(3)
        await platform.say(bob, "quick")
        await until(lambda: said(platform, bob) == ["You said quick"])
        assert agent.running == 3
        for gate in gates:
            gate.set()
        await house.idle()
        assert len(said(platform, alice)) == 6

    async def test_a_person_in_a_hurry_and_a_full_house_get_a_word(self, build, platform, alice, bob, kind):
        house = await build(questions_per_minute=2)
        for number in range(3):
            await platform.say(alice, f"q{number}")
        await house.idle()
        assert said(platform, alice)[:2] == ["You said q0", "You said q1"]
        assert said(platform, alice)[2].startswith("That was a lot at once. Please ask again in")
        if isinstance(house, Shared):  # which looks now and then how many wait
            house.ingress._waiting = 1_000
            await platform.say(bob, "hello")
            await house.idle()
            assert said(platform, bob) == [BUSY.headline]


class TestStopping:
    async def test_the_word_stop_stops_what_runs(self, build, platform, alice, agent):
        house = await build()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        await platform.say(alice, "Stop.")
        await house.idle()
        assert said(platform, alice) == [STOPPED.headline]

    async def test_a_press_on_stop_does_so_too_and_the_next_question_is_answered(self, build, platform, alice, agent):
        house = await build()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        await platform.say(alice, "next")
        await platform.deliver(replace(platform.last, kind="stop", delivery_id="stop-1", ts=None))
        await house.idle()
        assert said(platform, alice) == [STOPPED.headline, "You said next"]

    async def test_where_nothing_runs_it_is_a_word_like_any_other(self, build, platform, alice):
        house = await build()
        await platform.say(alice, "stop")
        await house.idle()
        assert said(platform, alice) == ["You said stop"]

    async def test_a_narration_ends_with_the_next_question(self, build, platform, alice, agent):
        house = await build()
        agent.replies["first"] = Reply("answer", "First", facts=(Fact("f1", "total", 1, "count"),))
        agent.sentences["first"] = ("One.", "Two.")
        agent.gate("Two.")
        await platform.say(alice, "first")
        await until(lambda: list(platform.told.values()) == [["One."]])
        await platform.say(alice, "second")
        await house.idle()
        await until(lambda: not house.narrating())
        assert said(platform, alice) == ["First", "You said second"]
        assert list(platform.told.values()) == [["One."]]


class TestClocks:
    @pytest.mark.parametrize("ahead", [-3600, 3600])
    async def test_a_typed_yes_is_understood_whatever_the_clocks_of_other_machines_say(
        self, build, platform, alice, kind, ahead
    ):
        done = []

        async def offer(_message, _recollection):
            asking = Reply("clarify", "Paint it red?", (Actions((Action("Yes", "confirm"),)),))
            return TurnOutcome(asking, proposal=Call("paint", {}))

        def wiring(store):
            async def paint(_message, _call, settle):
                async with store.write() as connection:
                    await settle(connection, Done(Reply("answer", "Painted.")))
                done.append(True)

            clock = {"now": lambda: datetime.now(UTC) + timedelta(seconds=ahead)} if kind == "procrastinate" else {}
            return {"handlers": {"paint": offer}, "works": {"paint": paint}, **clock}

        house = await build(wiring)
        await platform.say(alice, "paint")
        await house.idle()
        await platform.say(alice, "yes")
        await house.idle()
        assert said(platform, alice) == ["Paint it red?", "Painted."]
        assert done == [True]


class TestNotices:
    async def test_it_is_said_once_after_what_was_asked_before(self, build, platform, alice, agent):
        async def greet(_place):
            return Notice("Welcome.")

        house = await build(lambda _: {"notices": {"welcome": greet}})
        gate = agent.gate("first")
        await platform.say(alice, "first")
        await agent.started("first")
        await platform.occur(alice, "welcome")
        await platform.occur(alice, "welcome")
        gate.set()
        await house.idle()
        assert said(platform, alice) == ["You said first", "Welcome."]


class TestSending:
    async def test_what_does_not_get_through_is_put_aside_and_sent_by_who_comes_next(
        self, build, platform, alice, kind
    ):
        house = await build(sending=Patience(attempts=2, first_wait=0.01))
        platform.faults.failing_sends = 2
        await platform.say(alice, "hello")
        await house.idle()
        assert said(platform, alice) == []
        if isinstance(house, Shared):
            await house.hire()
        else:
            await house.stop()
            await house.start()
        await until(lambda: said(platform, alice) == ["You said hello"])
        await house.idle()


class TestDying:
    async def test_what_a_kill_interrupts_is_answered_once_and_nobody_else_notices(self, build, platform, agent):
        house = await build()
        alice, bob = platform.person("alice"), platform.person("bob")
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        await platform.say(alice, "behind")
        await platform.say(bob, "quick")
        await until(lambda: said(platform, bob) == ["You said quick"])
        await house.crash()
        agent.gate("slow").set()
        await house.idle()
        assert said(platform, alice) == ["You said slow", "You said behind"]
        assert len([request for request in agent.requests if request.text == "slow"]) == 2

    async def test_what_kills_again_and_again_is_given_up(self, build, platform, alice, agent):
        house = await build(attempts=2)
        agent.gate("poison")
        await platform.say(alice, "poison")
        for time in (1, 2):
            await until(lambda time=time: len(agent.requests) == time and agent.running == 1)
            await house.crash()
        await house.idle()
        assert said(platform, alice) == [GAVE_UP.headline]


class TestWorkers:
    @pytest.fixture
    def kind(self):
        return "procrastinate"

    async def test_who_leaves_in_good_order_blames_nobody(self, build, platform, alice, agent):
        house = await build()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        worker = next(each for each in house.workers if each._runner._answering.running)
        house.workers.remove(worker)
        await leave_at_once(worker)
        await until(lambda: len(agent.requests) == 2)
        assert await crashes(house.store) == [0]
        agent.gate("slow").set()
        await house.idle()
        assert said(platform, alice) == ["You said slow"]

    async def test_who_was_taken_for_dead_finishes_nothing(self, build, platform, alice, agent, clock):
        house = await build()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        worker = next(each for each in house.workers if each._runner._answering.running)
        (turn,) = worker._runner._answering.running.values()
        async with house.store.write() as connection:
            await connection.execute(
                sa.text("DELETE FROM procrastinate_workers WHERE id = :id"), {"id": -worker._registration.epoch}
            )
        other = next(each for each in house.workers if each is not worker)
        await until(lambda: bool(other._runner._answering.running) or len(agent.requests) == 2)
        agent.gate("slow").set()
        await house.idle()
        await asyncio.wait((turn,))
        assert said(platform, alice) == ["You said slow"]
        async with house.store.read() as connection:
            assert len((await connection.execute(sa.select(schema.turns.c.id))).all()) == 1

    async def test_what_a_process_that_was_alone_left_is_answered(self, build, platform, alice, open_store):
        store = await open_store()
        elsewhere = MemoryPlatform()
        await elsewhere.say(alice, "before")
        await Inbox(store).accept(elsewhere.last)
        house = await build()
        await house.idle()
        assert said(platform, alice) == ["You said before"]

    async def test_what_one_deleted_the_other_has_not_in_mind(self, build, platform, alice):
        def importing(store):
            async def keep(message, _recollection):
                report = await import_files(await store.repository(message.person), [SourceFile("bank.csv", BANK)])
                return TurnOutcome(Reply("answer", f"{report.files[0].added} added"))

            return {"handlers": {"import": keep}}

        house = await build(importing)
        for worker in house.workers:  # both know her
            await worker._runner._answering._store.membership(alice)
        for number in range(4):
            async with house.store.write() as connection:
                await connection.execute(schema.people.delete())
            await platform.drop(alice, "bank.csv", BANK, channel=f"channel {number}")
            await house.idle()
        assert said(platform, alice) == ["1 added"] * 4


class TestLeases:
    @pytest.fixture
    def kind(self):
        return "procrastinate"

    async def test_those_that_share_keep_out_who_is_alone_and_the_other_way_round(self, store, clock):
        alone = Lease(store, "here", clock.now)
        await alone.acquire()
        with pytest.raises(LeaseHeld):
            await Lease(store, "", clock.now, shared=True).acquire()
        await alone.release()
        sharing = [Lease(store, "", clock.now, shared=True) for _ in range(2)]
        for lease in sharing:
            await lease.acquire()
        assert sharing[0].epoch == sharing[1].epoch
        await sharing[0].release()  # the other one is still there
        with pytest.raises(LeaseHeld):
            await Lease(store, "here", clock.now).acquire()

    async def test_who_takes_over_alone_leaves_no_worker_in_office(self, store, clock):
        await Lease(store, "", clock.now, shared=True).acquire()
        registration = Registration(store)
        async with store.write() as connection:
            registration.enter(
                (await connection.execute(sa.text("SELECT procrastinate_register_worker_v1()"))).scalar_one()
            )
        await registration.confirm()
        async with store.write() as connection:
            await connection.execute(schema.leases.update().values(expires_at="2000-01-01T00:00:00.000+00:00"))
        await Lease(store, "here", clock.now).acquire()
        with pytest.raises(LeaseLost):
            await registration.confirm()


async def leave_at_once(worker):
    """Let a worker end as on a signal, without its patience."""
    for task in worker._tasks:
        task.cancel()
    await asyncio.gather(*worker._tasks, return_exceptions=True)
    await worker._runner.drain(0)


async def crashes(store):
    async with store.read() as connection:
        return (await connection.execute(sa.select(schema.inbox.c.crashes))).scalars().all()
