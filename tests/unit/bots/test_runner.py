"""Exactly one answer per message, in order, whatever fails on the way."""

from __future__ import annotations

import asyncio
from contextvars import copy_context
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
import sqlalchemy as sa
import structlog

from bots.audience import NEUTRAL
from bots.confirming import Done
from bots.contracts import EVERYTHING, Accepted, Capabilities, Duplicate, Question
from bots.errors import AlreadyReceived, AttachmentUnavailable, InboxUnavailable
from bots.fixed_replies import BUSY, FAILED, GAVE_UP, STOPPED, TOO_LONG, UNSURE
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.runner_settings import RunnerSettings
from bots.sending import Patience
from graph.reply import Action, Actions, Audience, Reply
from graph.steps import Step, begin_step, reach
from graph.turn import TurnOutcome
from ledger import schema
from tests.conftest import until
from tools.calls import Call
from tools.results import Fact, Scope

SECRETS = ("712.34", "98765.43", "hello", "You said")


@pytest.fixture(autouse=True)
def logs():
    """What was logged, which holds nothing that anyone said or spent."""
    with structlog.testing.capture_logs() as logs:
        yield logs
    assert not [entry for entry in logs if any(secret in repr(entry) for secret in SECRETS)]


@pytest.fixture
def platform(clock):
    return MemoryPlatform(now=clock.now)


@pytest.fixture
async def start(sqlite_store, agent, platform, clock):
    """Starts runners, and stops them in the end."""
    runners = []

    async def start_one(**settings):
        handlers, works = settings.pop("handlers", None), settings.pop("works", None)
        runner = Runner(
            sqlite_store,
            agent,
            [platform],
            RunnerSettings(**settings),
            handlers=handlers,
            works=works,
            now=clock.now,
            seconds=clock.seconds,
            sleep=clock.sleep,
        )
        runners.append(runner)
        await runner.start()
        return runner

    yield start_one
    for runner in runners:
        await runner.drain(0)


def said(platform, person):
    return [post.reply.headline for post in platform.visible_to(person)]


async def count(store, table, **where):
    query = sa.select(sa.func.count()).select_from(table)
    for name, value in where.items():
        query = query.where(table.c[name] == value)
    async with store.read() as connection:
        return (await connection.execute(query)).scalar_one()


class TestAnswering:
    async def test_a_message_is_answered(self, start, platform, alice, sqlite_store):
        runner = await start()
        assert isinstance(await platform.say(alice, "hello"), Accepted)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]
        assert await count(sqlite_store, schema.outbox, state="sent") == 1

    async def test_duplicates_and_twins_are_answered_once(self, start, platform, alice, agent):
        runner = await start()
        platform.faults.deliver_twice = True
        await platform.say(alice, "hello")
        assert await platform.redeliver() == Duplicate()
        assert await platform.deliver_twin() == Duplicate()
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]
        assert len(agent.requests) == 1

    async def test_the_agent_sees_what_was_said_before(self, start, platform, alice, agent):
        runner = await start()
        for text in ("one", "focus", "three"):
            await platform.say(alice, text)
            await runner.idle()
        assert [turn.text for turn in agent.requests[-1].past] == ["one", "focus"]
        assert agent.requests[-1].past[-1].scope == Scope("echo", {"text": "focus"})
        assert [request.focus for request in agent.requests] == [None, None, "budget"]

    async def test_commands_name_their_call(self, start, platform, alice, agent):
        runner = await start()
        await platform.say(alice, "", call=Call("spending-compare", {"periods": ["May"]}))
        await runner.idle()
        assert agent.requests[0].call == Call("spending-compare", {"periods": ["May"]})

    async def test_handlers_answer_files_and_calls_of_theirs(self, start, platform, alice, agent):
        async def take_file(message, recollection):
            data = await platform.fetch(message.attachments[0])
            return TurnOutcome(Reply("answer", f"{message.attachments[0].name}: {len(data)} bytes"))

        runner = await start(handlers={"import": take_file})
        await platform.drop(alice, "bank.csv", b"a,b")
        await runner.idle()
        assert said(platform, alice) == ["bank.csv: 3 bytes"]
        assert agent.requests == []

    @pytest.mark.parametrize("text", ["help", "Help?", "/help", " HELP. "])
    async def test_a_handlers_name_alone_is_answered_by_it(self, start, platform, alice, agent, text):
        async def offer_help(message, recollection):
            return TurnOutcome(Reply("answer", "What I can do"))

        runner = await start(handlers={"help": offer_help})
        await platform.say(alice, text)
        await platform.say(alice, "help me with groceries")
        await runner.idle()
        assert said(platform, alice) == ["What I can do", "You said help me with groceries"]


class TestProposals:
    async def test_what_a_handler_proposes_is_done_on_a_yes_and_offers_its_undoing(self, start, platform, alice):
        done = []

        async def propose(message, recollection):
            buttons = Actions((Action("Do it", "confirm"), Action("Leave it", "cancel")))
            return TurnOutcome(Reply("clarify", "Paint it?", (buttons,)), proposal=Call("paint", {"colour": "red"}))

        def work(name, undo):
            async def paint(message, call, settle):
                async with runner.inbox._store.write() as connection:
                    await settle(connection, Done(Reply("answer", f"{name} done"), undo))
                done.append((name, call.arguments))

            return paint

        works = {"paint": work("paint", Call("strip", {"from": "red"})), "strip": work("strip", None)}
        runner = await start(handlers={"paint": propose}, works=works)
        await platform.say(alice, "", call=Call("paint", {}))
        await runner.idle()
        assert done == []
        for label in ("Do it", "Undo"):
            await platform.press(alice, platform.visible_to(alice)[-1], label)
            await runner.idle()
        assert done == [("paint", {"colour": "red"}), ("strip", {"from": "red"})]
        assert said(platform, alice)[1:] == ["paint done", "strip done"]

    async def test_work_that_fails_leaves_the_proposal_open(self, start, platform, alice):
        async def propose(message, recollection):
            return TurnOutcome(
                Reply("clarify", "Fetch it?", (Actions((Action("Yes", "confirm"),)),)), proposal=Call("x", {})
            )

        async def fetch(message, call, settle):
            if not tries:
                tries.append(1)
                raise AttachmentUnavailable("The file is gone.")
            async with runner.inbox._store.write() as connection:
                await settle(connection, Done(Reply("answer", "fetched")))

        tries = []
        runner = await start(handlers={"x": propose}, works={"x": fetch})
        await platform.say(alice, "x")
        await runner.idle()
        post = platform.visible_to(alice)[-1]
        for _ in range(3):
            await platform.press(alice, post, "Yes")
            await runner.idle()
        assert said(platform, alice)[1:] == ["The file is gone.", "fetched", "This was already done."]


class TestTypedWords:
    """A typed yes or undo is about what was said last, and was read before it was written."""

    @pytest.fixture
    async def painting(self, start, platform, alice):
        done = []

        async def propose(message, recollection):
            buttons = Actions((Action("Do it", "confirm"), Action("Leave it", "cancel")))
            return TurnOutcome(Reply("clarify", "Paint it?", (buttons,)), proposal=Call("paint", {}))

        def work(name, undo=None):
            async def do(message, call, settle):
                async with runner.inbox._store.write() as connection:
                    await settle(connection, Done(Reply("answer", f"{name} done"), undo))
                done.append(name)

            return do

        works = {"paint": work("paint", Call("undo", {})), "undo": work("strip")}
        runner = await start(handlers={"paint": propose}, works=works)
        return runner, done

    async def say(self, painting, platform, alice, *texts):
        for text in texts:
            await platform.say(alice, text)
            await painting[0].idle()
        return painting[1]

    async def test_yes_and_undo_at_once(self, painting, platform, alice):
        assert await self.say(painting, platform, alice, "paint", "yes", "undo") == ["paint", "strip"]

    @pytest.mark.parametrize("between", ["fail", "something else"])
    async def test_yes_after_anything_else_confirms_nothing(self, painting, platform, alice, between):
        assert await self.say(painting, platform, alice, "paint", between, "ok") == []

    async def test_undo_after_anything_else_takes_nothing_back(self, painting, platform, alice):
        done = await self.say(painting, platform, alice, "paint", "yes", "something else", "undo")
        assert done == ["paint"]

    async def test_a_yes_that_came_before_the_question_was_shown_confirms_nothing(
        self, painting, platform, alice, clock
    ):
        platform.faults.gate = asyncio.Event()
        await platform.say(alice, "paint")
        await platform.say(alice, "ok")
        clock.advance(1)
        platform.faults.gate.set()
        await painting[0].idle()
        assert painting[1] == []
        assert said(platform, alice) == ["Paint it?", "You said ok"]

    async def test_what_was_confirmed_is_done_and_said_whoever_stops(self, start, platform, alice):
        begun, end = asyncio.Event(), asyncio.Event()

        async def propose(message, recollection):
            return TurnOutcome(
                Reply("clarify", "Sure?", (Actions((Action("Yes", "confirm"),)),)), proposal=Call("x", {})
            )

        async def work(message, call, settle):
            async with runner.inbox._store.write() as connection:
                await settle(connection, Done(Reply("answer", "done")))
            begun.set()
            await end.wait()

        runner = await start(handlers={"x": propose}, works={"x": work})
        for text in ("x", "yes"):
            await platform.say(alice, text)
            await until(lambda text=text: text == "yes" or len(said(platform, alice)) == 1)
        await begun.wait()
        runner.cancel(platform.conversation(alice))
        await asyncio.sleep(0)
        end.set()
        await runner.idle()
        assert said(platform, alice) == ["Sure?", "done"]


class TestReaders:
    async def test_the_platform_is_asked_who_reads_along_before_every_turn(self, start, platform, alice):
        runner = await start()
        platform.readers = lambda message: answer(Audience.SHARED)
        await platform.say(alice, "hello")
        await runner.idle()
        assert said(platform, alice) == [NEUTRAL]

    async def test_nothing_personal_is_said_where_the_readers_are_not_known(self, start, platform, alice, agent):
        runner = await start()
        platform.readers = lambda message: fail()
        await platform.say(alice, "hello")
        await runner.idle()
        assert said(platform, alice) == [UNSURE.headline]
        assert agent.requests == []

    async def test_a_database_that_is_away_for_a_moment_is_asked_again_who_may_read(
        self, start, platform, alice, clock
    ):
        """What a workspace says of who may use the bot is in the database, and so is what is kept of a person's place."""
        runner = await start()
        tries = [sa.exc.OperationalError("SELECT", {}, ConnectionError()), None]

        async def admit(message):
            error = tries.pop(0)
            if error is not None:
                raise error

        platform.admit = admit
        await platform.say(alice, "hello")
        wait = Patience().wait(1)
        await clock.sleeping(wait)
        clock.advance(wait)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_a_platform_can_not_make_a_crowd_smaller(self, start, platform, alice, bob):
        runner = await start()
        platform.capabilities = replace(platform.capabilities, private_replies=False)
        platform.readers = lambda message: answer(Audience.PRIVATE)
        await platform.say(alice, "hello", channel="general")
        await runner.idle()
        assert said(platform, alice) == [NEUTRAL]


async def answer(audience):
    return audience


async def fail():
    raise ConnectionError


class TestNarration:
    @pytest.fixture(autouse=True)
    def facts(self, agent):
        fact = Fact("total", "Total", Decimal("1.00"), "money", "USD")
        for text in ("hello", "next"):
            agent.replies[text] = Reply("answer", f"You said {text}", facts=(fact,))
        agent.sentences["hello"] = ("One sentence.", "And another.")

    async def test_a_models_sentences_follow_the_answer(self, start, platform, alice):
        runner = await start()
        await platform.say(alice, "hello")
        await runner.idle()
        (post,) = platform.visible_to(alice)
        assert platform.told == {post.key: ["One sentence.", "And another."]}

    async def test_the_next_question_ends_them(self, start, platform, alice, agent):
        runner = await start()
        agent.gate("And another.")
        await platform.say(alice, "hello")
        await until(lambda: list(platform.told.values()) == [["One sentence."]])
        await platform.say(alice, "next")
        await runner.idle()
        assert list(platform.told.values()) == [["One sentence."], []]

    async def test_stop_ends_them(self, start, platform, alice, agent, sqlite_store):
        runner = await start()
        agent.gate("And another.")
        await platform.say(alice, "hello")
        await until(lambda: list(platform.told.values()) == [["One sentence."]])
        await platform.deliver(replace(platform.last, kind="stop", delivery_id="stop", ts=None))
        await runner.idle()
        assert await count(sqlite_store, schema.inbox) == 1

    @pytest.mark.parametrize("off", ["setting", "platform", "command", "kind"])
    async def test_none_where_they_are_not_wanted(self, start, platform, alice, agent, off):
        if off == "platform":
            platform.capabilities = replace(platform.capabilities, streaming=False)
        if off == "kind":
            agent.replies["hello"] = replace(agent.replies["hello"], kind="refuse")
        runner = await start(narration=off != "setting")
        await platform.say(alice, "" if off == "command" else "hello", call=Call("x", {}) if off == "command" else None)
        await runner.idle()
        assert platform.told == {}

    async def test_trouble_with_them_costs_no_answer(self, start, platform, alice):
        async def stream(delivery, sentences):
            raise ConnectionError

        platform.stream = stream
        runner = await start()
        await platform.say(alice, "hello")
        await platform.say(alice, "next")
        await runner.idle()
        assert said(platform, alice) == ["You said hello", "You said next"]


class TestOrder:
    async def test_one_turn_at_a_time_in_a_conversation(self, start, platform, alice, agent):
        runner = await start()
        gate = agent.gate("slow")
        for text in ("slow", "second", "third"):
            await platform.say(alice, text)
        await agent.started("slow")
        assert len(agent.requests) == 1
        gate.set()
        await runner.idle()
        assert said(platform, alice) == ["You said slow", "You said second", "You said third"]
        assert agent.most_running == 1

    async def test_conversations_run_in_parallel_up_to_the_bound(self, start, platform, agent):
        runner = await start(parallel_turns=2)
        people = [platform.person(name) for name in ("a", "b", "c")]
        gate = agent.gate("slow")
        for person in people:
            await platform.say(person, "slow")
        await agent.busy(2)
        gate.set()
        await runner.idle()
        assert agent.most_running == 2
        assert [said(platform, person) for person in people] == [["You said slow"]] * 3

    async def test_two_people_in_one_thread_do_not_wait_for_each_other(self, start, platform, alice, bob, agent):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow", channel="general", thread="1")
        await platform.say(bob, "quick", channel="general", thread="1")
        await agent.started("quick")
        gate.set()
        await runner.idle()
        assert said(platform, bob) == ["You said quick"]

    async def test_replies_keep_their_order_while_sends_fail(self, start, platform, alice, clock):
        runner = await start()
        platform.faults.failing_sends = 1
        await platform.say(alice, "first")
        await platform.say(alice, "second")
        await clock.sleeping(1)
        assert said(platform, alice) == []
        clock.advance(1)
        await runner.idle()
        assert said(platform, alice) == ["You said first", "You said second"]


class TestFailures:
    async def test_a_failing_agent_becomes_one_clear_reply(self, start, platform, alice, logs):
        runner = await start()
        await platform.say(alice, "fail please")
        await runner.idle()
        assert said(platform, alice) == [FAILED.headline]
        (entry,) = [log for log in logs if log["event"] == "turn_failed"]
        assert entry["delivery"] == platform.last.delivery_id
        assert entry["conversation"] == str(platform.last.conversation)
        assert "RuntimeError at" in entry["error"]

    async def test_a_failure_does_not_break_the_thread(self, start, platform, alice, agent):
        runner = await start()
        for text in ("one", "fail", "two"):
            await platform.say(alice, text)
        await runner.idle()
        assert [turn.text for turn in agent.requests[-1].past] == ["one"]

    async def test_an_answer_that_cannot_be_stored_becomes_a_failure(self, start, platform, alice, agent, sqlite_store):
        agent.replies["odd"] = Reply("answer", "x", scope=Scope("tool", {"x": object()}))
        runner = await start()
        await platform.say(alice, "odd")
        await runner.idle()
        assert said(platform, alice) == [FAILED.headline]
        assert await count(sqlite_store, schema.inbox, state="done") == 1

    async def test_a_turn_that_takes_too_long_is_stopped(self, start, platform, alice, agent):
        agent.gate("forever")
        runner = await start(turn_seconds=0.02)
        await platform.say(alice, "forever")
        await runner.idle()
        assert said(platform, alice) == [TOO_LONG.headline]
        assert agent.running == 0

    async def test_a_message_that_can_not_be_stored_is_not_acknowledged(self, start, platform, alice, monkeypatch):
        runner = await start()

        async def refuse(*_):
            raise InboxUnavailable("I can't take messages right now.")

        with monkeypatch.context() as patch:
            patch.setattr(runner.inbox, "accept", refuse)
            assert await platform.say(alice, "hello") is None
        assert isinstance(await platform.redeliver(), Accepted)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_a_store_that_fails_for_a_moment_loses_nothing(self, start, platform, alice, monkeypatch, clock):
        runner = await start()
        real, failures = runner.inbox.finish, [OSError(), OSError()]

        async def finish(*args):
            if failures:
                raise failures.pop()
            return await real(*args)

        monkeypatch.setattr(runner.inbox, "finish", finish)
        await platform.say(alice, "hello")
        for wait in (1, 2):
            await clock.sleeping(wait)
            clock.advance(wait)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_the_last_of_too_many_crashes_is_answered_with_a_word(self, start, platform, alice, sqlite_store):
        runner = await start()
        await runner.drain(0)
        await platform.say(alice, "poison")
        await runner.inbox.accept(platform.last)
        async with sqlite_store.write() as connection:
            await connection.execute(schema.inbox.update().values(crashes=3))
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == [GAVE_UP.headline]
        assert await count(sqlite_store, schema.inbox, state="dead") == 1


class TestSending:
    async def test_an_unclear_send_is_repeated_and_shown_once(self, start, platform, alice, clock):
        runner = await start()
        platform.faults.unclear_sends = 1
        await platform.say(alice, "hello")
        await clock.sleeping(1)
        clock.advance(1)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_waits_double_up_to_a_limit(self):
        patience = Patience(first_wait=1, longest_wait=10)
        assert [patience.wait(attempt) for attempt in (1, 2, 3, 4, 5, 99)] == [1, 2, 4, 8, 10, 10]

    async def test_the_platforms_wish_is_followed(self, start, platform, alice, clock):
        runner = await start()
        platform.faults.failing_sends, platform.faults.retry_after = 1, 37
        await platform.say(alice, "hello")
        await clock.sleeping(37)
        clock.advance(37)
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_what_does_not_get_through_is_parked_and_sent_after_a_restart(
        self, start, platform, alice, clock, sqlite_store
    ):
        runner = await start(sending=Patience(attempts=2))
        platform.faults.failing_sends = 2
        await platform.say(alice, "hello")
        await clock.sleeping(1)
        clock.advance(1)
        await runner.idle()
        assert await count(sqlite_store, schema.outbox, state="parked") == 1
        await runner.drain(0)
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]

    async def test_a_refused_reply_is_not_tried_again(self, start, platform, alice, sqlite_store):
        runner = await start()
        platform.faults.refuse_sends = True
        await platform.say(alice, "hello")
        await runner.idle()
        assert await count(sqlite_store, schema.outbox, state="refused", reply="", sent_at=None) == 1
        await runner.drain(0)
        platform.faults.refuse_sends = False
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == []

    async def test_a_send_that_was_not_noted_is_repeated_under_its_key(
        self, start, platform, alice, monkeypatch, clock
    ):
        runner = await start()

        async def fail(*_):
            raise OSError

        monkeypatch.setattr(runner.inbox, "sent", fail)
        await platform.say(alice, "hello")
        for wait in (1, 2, 4):
            await clock.sleeping(wait)
            clock.advance(wait)
        await runner.idle()
        await runner.drain(0)
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == ["You said hello"]
        assert await runner.inbox.unsent(["memory"]) == ()


class TestProgress:
    async def test_a_slow_turn_is_shown_as_being_worked_on(self, start, platform, alice, agent, clock):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow")
        await clock.sleeping(0.8)
        assert platform.progress_shown == []
        clock.advance(0.8)
        for _ in range(8):
            await clock.sleeping(1)
            clock.advance(1)
        await clock.sleeping(1)
        gate.set()
        await runner.idle()
        conversation = platform.conversation(alice)
        assert platform.progress_shown == [(conversation, state) for state in ("working", "working", "idle")]

    async def test_work_that_goes_on_to_a_next_step_says_so_within_a_second(self, start, platform, alice, clock):
        began, gate = asyncio.Event(), asyncio.Event()

        async def work(_message, _recollection):
            begin_step("Getting it")
            began.set()
            await gate.wait()
            begin_step("Reading it")
            await asyncio.get_running_loop().run_in_executor(None, copy_context().run, reach, "it", 3, 4)
            await clock.sleeping(1)
            clock.advance(1)
            await until(lambda: len(platform.steps_shown) == 2)
            return TurnOutcome(Reply("answer", "Done"))

        runner = await start(handlers={"work": work})
        await platform.say(alice, "work")
        await began.wait()
        await clock.sleeping(0.8)
        clock.advance(0.8)
        await until(lambda: len(platform.steps_shown) == 1)
        gate.set()
        await runner.idle()
        assert platform.steps_shown == [(Step("Getting it"),), (Step("Getting it"), Step("Reading it", 3, 4))]
        assert said(platform, alice) == ["Done"]

    async def test_where_steps_are_not_shown_the_sign_keeps_its_pace(self, start, platform, alice, clock, monkeypatch):
        monkeypatch.setattr(platform, "capabilities", replace(platform.capabilities, steps=False))
        gate = asyncio.Event()

        async def work(_message, _recollection):
            begin_step("Getting it")
            await clock.sleeping(0.8)
            clock.advance(0.8)
            await until(lambda: len(platform.steps_shown) == 1)
            for step in range(7):
                begin_step(f"Step {step}")
                await clock.sleeping(1)
                clock.advance(1)
            await clock.sleeping(1)
            gate.set()
            return TurnOutcome(Reply("answer", "Done"))

        runner = await start(handlers={"work": work})
        await platform.say(alice, "work")
        await gate.wait()
        await runner.idle()
        assert len(platform.steps_shown) == 1

    async def test_a_quick_turn_is_not(self, start, platform, alice):
        runner = await start()
        await platform.say(alice, "quick")
        await runner.idle()
        assert platform.progress_shown == []

    async def test_a_sign_that_fails_costs_nothing(self, start, platform, alice, agent, clock):
        runner = await start()
        platform.faults.failing_progress = True
        gate = agent.gate("slow")
        await platform.say(alice, "slow")
        await clock.sleeping(0.8)
        clock.advance(0.8)
        gate.set()
        await runner.idle()
        assert said(platform, alice) == ["You said slow"]


class TestShares:
    async def test_one_person_leaves_places_for_others(self, start, platform, alice, bob, agent):
        runner = await start(parallel_turns=4, parallel_turns_each=3)
        gates = [agent.gate(f"slow {number}") for number in range(6)]
        for number in range(6):
            await platform.say(alice, f"slow {number}", channel="general", thread=str(number))
        await agent.busy(3)
        await platform.say(bob, "quick")
        await until(lambda: said(platform, bob) == ["You said quick"])
        assert agent.running == 3
        for gate in gates:
            gate.set()
        await runner.idle()
        assert len(said(platform, alice)) == 6


class TestLimits:
    async def test_a_person_in_a_hurry_gets_a_word_and_others_do_not(self, start, platform, alice, bob, agent, clock):
        runner = await start(questions_per_minute=2)
        for number in range(3):
            await platform.say(alice, f"q{number}")
        await platform.say(bob, "mine")
        await runner.idle()
        assert said(platform, alice) == [
            "You said q0",
            "You said q1",
            "That was a lot at once. Please ask again in 60 seconds.",
        ]
        assert said(platform, bob) == ["You said mine"]
        clock.advance(59)
        await platform.say(alice, "q3")
        await runner.idle()
        assert said(platform, alice)[-1] == "That was a lot at once. Please ask again in 1 second."
        clock.advance(1)
        await platform.say(alice, "q4")
        await runner.idle()
        assert said(platform, alice)[-1] == "You said q4"

    async def test_redeliveries_do_not_count(self, start, platform, alice):
        runner = await start(questions_per_minute=2)
        await platform.say(alice, "q0")
        for _ in range(5):
            await platform.redeliver()
        await platform.say(alice, "q1")
        await runner.idle()
        assert said(platform, alice) == ["You said q0", "You said q1"]

    async def test_a_full_house_says_so_and_answers_what_it_accepted(self, start, platform, agent):
        runner = await start(backlog=2, parallel_turns=1)
        people = [platform.person(f"p{number}") for number in range(4)]
        gate = agent.gate("slow")
        for person in people:
            await platform.say(person, "slow")
        gate.set()
        await runner.idle()
        assert [said(platform, person) for person in people] == [["You said slow"]] * 2 + [[BUSY.headline]] * 2


class TestCancelling:
    async def test_a_running_turn_is_stopped_and_the_next_one_runs(self, start, platform, alice, agent):
        runner = await start()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await platform.say(alice, "next")
        await agent.started("slow")
        assert runner.cancel(platform.conversation(alice))
        await runner.idle()
        assert said(platform, alice) == [STOPPED.headline, "You said next"]

    async def test_the_word_stop_stops_it_and_is_a_word_like_any_other_where_nothing_runs(
        self, start, platform, alice, agent
    ):
        runner = await start()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        await platform.say(alice, "Stop!")
        await runner.idle()
        word = platform.last
        gate = agent.gate("also slow")
        await platform.say(alice, "also slow")
        await agent.started("also slow")
        await platform.deliver(word)
        gate.set()
        await runner.idle()
        await platform.say(alice, "stop")
        await runner.idle()
        assert said(platform, alice) == [STOPPED.headline, "You said also slow", "You said stop"]

    async def test_the_word_stops_what_the_person_waits_for_elsewhere_and_nobody_elses(
        self, start, platform, alice, bob, agent
    ):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow")
        await platform.say(bob, "slow")
        await agent.busy(2)
        await platform.say(alice, "stop", channel="general")
        gate.set()
        await runner.idle()
        assert (said(platform, alice), said(platform, bob)) == ([STOPPED.headline], ["You said slow"])

    async def test_nobody_stops_anothers_turn(self, start, platform, alice, bob, agent):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow", channel="general")
        await agent.started("slow")
        assert not runner.cancel(platform.conversation(bob, "general"))
        gate.set()
        await runner.idle()
        assert said(platform, alice) == ["You said slow"]


class TestStopping:
    async def test_draining_finishes_what_was_accepted(self, start, platform, alice, agent):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        drained = asyncio.create_task(runner.drain(60))
        gate.set()
        await drained
        assert said(platform, alice) == ["You said slow"]

    async def test_what_comes_while_draining_is_answered_by_the_next_process(self, start, platform, alice, agent):
        runner = await start()
        gate = agent.gate("slow")
        await platform.say(alice, "slow")
        await agent.started("slow")
        drained = asyncio.create_task(runner.drain(60))
        await asyncio.sleep(0)
        assert isinstance(await platform.say(alice, "late"), Accepted)
        gate.set()
        await drained
        assert said(platform, alice) == ["You said slow"]
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == ["You said slow", "You said late"]

    async def test_what_does_not_finish_in_time_is_resumed(self, start, platform, alice, agent):
        runner = await start()
        agent.gate("slow")
        await platform.say(alice, "slow")
        await platform.say(alice, "next")
        await agent.started("slow")
        await runner.drain(0)
        assert said(platform, alice) == []
        assert agent.running == 0
        agent.gates.clear()
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == ["You said slow", "You said next"]

    async def test_what_the_platform_could_not_deliver_comes_on_connecting(self, start, platform, alice):
        await platform.say(alice, "early")
        runner = await start()
        await runner.idle()
        assert said(platform, alice) == ["You said early"]

    async def test_old_marks_are_pruned_now_and_then(self, start, platform, alice, clock, sqlite_store):
        runner = await start(housekeeping=timedelta(days=8))
        await platform.say(alice, "hello")
        await runner.idle()
        await clock.sleeping(timedelta(days=8).total_seconds())
        clock.advance(timedelta(days=8).total_seconds())
        await clock.sleeping(timedelta(days=8).total_seconds())
        assert await count(sqlite_store, schema.inbox) == 0
        assert await count(sqlite_store, schema.turns) == 1

    async def test_conversations_of_long_ago_are_pruned_if_a_setting_says_so(
        self, start, platform, alice, clock, sqlite_store
    ):
        runner = await start(housekeeping=timedelta(days=8), keep=timedelta(days=5))
        await platform.say(alice, "hello")
        await runner.idle()
        await clock.sleeping(timedelta(days=8).total_seconds())
        clock.advance(timedelta(days=8).total_seconds())
        await clock.sleeping(timedelta(days=8).total_seconds())
        assert await count(sqlite_store, schema.turns) == 0
        assert await count(sqlite_store, schema.conversations) == 0


class TestWhereNothingIsResumed:
    """At a terminal nobody waits for an answer that another process would give."""

    @pytest.fixture
    def terminal(self):
        return MemoryPlatform(capabilities=replace(EVERYTHING, resumes=False))

    async def test_it_is_answered_and_remembered_and_no_reply_is_stored(self, sqlite_store, agent, terminal, alice):
        runner = Runner(sqlite_store, agent, [terminal])
        await runner.start_here()
        for text in ("one", "two"):
            await terminal.say(alice, text)
        await runner.settled(terminal.conversation(alice))
        assert [post.reply.headline for post in terminal.posts] == ["You said one", "You said two"]
        assert [turn.text for turn in agent.requests[-1].past] == ["one"]
        assert await count(sqlite_store, schema.outbox) == 0
        assert await terminal.redeliver() == Duplicate()
        await runner.drain(0)

    async def test_what_a_former_process_left_is_left_alone(self, sqlite_store, agent, terminal, alice):
        runner = Runner(sqlite_store, agent, [terminal])
        await runner.start_here()
        agent.gate("slow")
        await terminal.say(alice, "slow")
        await agent.started("slow")
        await runner.drain(0)
        agent.gates.clear()
        later = Runner(sqlite_store, agent, [terminal])
        await later.start()
        await later.idle()
        await later.drain(0)
        assert terminal.posts == []


class TestAsking:
    @pytest.fixture
    async def message(self, platform, alice):
        await platform.say(alice, "hello")
        return platform.last

    async def test_the_outcome_is_returned_and_remembered_and_not_sent(self, sqlite_store, agent, platform, message):
        runner = Runner(sqlite_store, agent)
        outcome = await runner.ask(message)
        assert (outcome.reply.headline, outcome.scope) == ("You said hello", Scope("echo", {"text": "hello"}))
        await runner.ask(replace(message, delivery_id="2", ts="2"))
        assert [turn.text for turn in agent.requests[-1].past] == ["hello"]
        assert await count(sqlite_store, schema.outbox) == 0
        assert await count(sqlite_store, schema.inbox, state="done") == 2

    async def test_a_second_time_is_refused(self, sqlite_store, agent, message):
        runner = Runner(sqlite_store, agent)
        await runner.ask(message)
        with pytest.raises(AlreadyReceived):
            await runner.ask(message)
        assert len(agent.requests) == 1

    async def test_single_questions_leave_no_marks_for_ever(self, sqlite_store, agent, message, clock):
        runner = Runner(sqlite_store, agent, now=clock.now)
        await runner.ask(message)
        clock.advance(timedelta(days=8).total_seconds())
        await runner.drain(0)
        assert await count(sqlite_store, schema.inbox) == 0

    async def test_failures_are_replies(self, sqlite_store, agent, message):
        outcome = await Runner(sqlite_store, agent).ask(replace(message, content=Question("fail")))
        assert outcome == TurnOutcome(replace(FAILED, audience=Audience.PRIVATE))

    async def test_questions_at_once_wait_their_turn(self, sqlite_store, agent, message):
        runner = Runner(sqlite_store, agent)
        many = [replace(message, content=Question(f"q{n}"), delivery_id=f"q{n}", ts=f"q{n}") for n in range(4)]
        outcomes = await asyncio.gather(*(runner.ask(one) for one in many))
        assert [outcome.reply.headline for outcome in outcomes] == [f"You said q{n}" for n in range(4)]
        assert agent.most_running == 1
        assert not runner._order._last


class TestQuestionButtons:
    async def test_a_question_button_is_answered_from_its_own_place_in_the_thread(self, start, platform, alice, agent):
        button = Actions((Action("Again", "ask", "again"),))
        agent.replies["one"] = Reply("answer", "first", (button,))
        runner = await start()
        for text in ("one", "two"):
            await platform.say(alice, text)
        await runner.idle()
        await platform.press(alice, platform.visible_to(alice)[0], "Again")
        await runner.idle()
        assert agent.requests[-1].text == "again"
        assert [turn.text for turn in agent.requests[-1].past] == ["one"]


class TestWithoutPrivateReplies:
    async def test_a_channel_hears_no_figure(self, start, platform, alice, bob, agent):
        platform.capabilities = Capabilities(idempotent=True)
        agent.replies["how much?"] = Reply("answer", "98765.43")
        runner = await start()
        platform.open_channel("general", alice, bob)
        await platform.say(alice, "how much?", channel="general")
        await platform.say(alice, "fail", channel="general")
        await runner.idle()
        assert all("98765.43" not in post.text for post in platform.posts)
        assert len(platform.visible_to(bob)) == 2
