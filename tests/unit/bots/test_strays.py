"""Nothing accepted stays unanswered while the process lives, whatever falls out of its hands."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bots.fixed_replies import FAILED
from bots.inbox import Inbox
from bots.memory import MemoryPlatform
from bots.pending import PendingActions
from bots.runner import Runner
from bots.sending import Sender
from graph.reply import Action, Actions, Reply
from ledger import schema
from tests.conftest import live_until
from tools.calls import Call


@pytest.fixture
def platform(clock):
    return MemoryPlatform(now=clock.now)


@pytest.fixture
async def runner(sqlite_store, agent, platform, clock):
    runner = Runner(sqlite_store, agent, [platform], now=clock.now, seconds=clock.seconds, sleep=clock.sleep)
    await runner.start()
    yield runner
    await runner.drain(0)


def lost():
    """What asyncpg's lost connection looks like: neither an OperationalError nor an InterfaceError."""
    return DBAPIError("SELECT", {}, Exception("connection was closed"), connection_invalidated=True)


def failing(monkeypatch, where, name, *, after=False, times=4, error=lost):
    """Let calls fail, as they do on a connection that breaks, before or after the work is done."""
    real, left = getattr(where, name), [None] * times

    async def fail(*arguments, **named):
        if not left:
            return await real(*arguments, **named)
        left.pop()
        if after:
            await real(*arguments, **named)
        raise error()

    monkeypatch.setattr(where, name, fail)


async def answered(store):
    """Whether everything that came in is answered and sent."""
    async with store.read() as connection:
        inbox = (await connection.execute(sa.select(schema.inbox.c.state))).scalars().all()
        outbox = (await connection.execute(sa.select(schema.outbox.c.state))).scalars().all()
    return set(inbox) == {"done"} and set(outbox) == {"sent"} and len(inbox) == len(outbox)


@pytest.fixture
def whole(clock, sqlite_store):
    """Lets time pass until nothing waits."""
    return lambda: live_until(clock, lambda: answered(sqlite_store))


#: What the bot needs the store for on a message's way; what is claimed waited in its lane.
PARTS = ("claim", "told", "finish", "decline", "sent")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("text", ["hello", "fail"])
async def test_a_connection_that_breaks_once_costs_nothing(
    runner, platform, alice, monkeypatch, agent, whole, part, after, text
):
    gate = agent.gate("first")
    await platform.say(alice, "first")
    await agent.started("first")
    failing(monkeypatch, runner.inbox, part, after=after, times=1)
    await platform.say(alice, text)
    gate.set()
    await whole()
    expected = "You said hello" if text == "hello" else FAILED.headline
    assert [post.reply.headline for post in platform.posts] == ["You said first", expected]
    assert len([request for request in agent.requests if request.text == text]) == 1


@pytest.mark.parametrize("part", ["claim", "finish", "decline", "sent"])
async def test_what_could_not_be_insisted_upon_is_found_again(runner, platform, alice, monkeypatch, agent, whole, part):
    text = "fail" if part == "decline" else "hello"
    gate = agent.gate("first")
    await platform.say(alice, "first")
    await agent.started("first")
    await platform.say(alice, text)
    failing(monkeypatch, runner.inbox, part)
    if part == "finish":  # what can't be finished is declined
        failing(monkeypatch, runner.inbox, "decline")
    gate.set()
    await whole()
    expected = {"You said first", FAILED.headline if part == "decline" else "You said hello"}
    assert {post.reply.headline for post in platform.posts} == expected
    assert len(platform.posts) == 2


@pytest.mark.parametrize("state", ["waiting", "taken"])
async def test_a_message_that_fell_out_of_every_hand_is_answered(
    runner, platform, clock, alice, sqlite_store, whole, state
):
    elsewhere = MemoryPlatform(now=clock.now)
    await elsewhere.say(alice, "hello")
    await Inbox(sqlite_store, clock.now).accept(elsewhere.last, state)
    await whole()
    assert [post.reply.headline for post in platform.posts] == ["You said hello"]


async def test_a_reply_that_fell_out_of_every_hand_is_sent_once(runner, platform, alice, monkeypatch, whole):
    with monkeypatch.context() as patch:
        failing(patch, Sender, "deliver", times=1)
        await platform.say(alice, "hello")
        await runner.idle()
        assert platform.posts == []
    await whole()
    assert [post.reply.headline for post in platform.posts] == ["You said hello"]


async def test_what_is_in_hand_is_left_alone(runner, platform, clock, alice, agent, monkeypatch):
    gate = agent.gate("slow")
    for text in ("slow", "next"):
        await platform.say(alice, text)
    await agent.started("slow")
    looks = []
    look = runner.inbox.strays

    async def count(sources):
        looks.append(await look(sources))
        return looks[-1]

    async def looked_often():
        return len(looks) > 4

    monkeypatch.setattr(runner.inbox, "strays", count)
    await live_until(clock, looked_often)
    gate.set()
    await runner.idle()
    assert len(looks[-1].messages) == 2
    assert [request.text for request in agent.requests] == ["slow", "next"]


async def test_a_turn_whose_connection_breaks_is_taken_again(runner, platform, alice, agent, monkeypatch, whole):
    failing(monkeypatch, agent, "answer", times=2)
    await platform.say(alice, "hello")
    await whole()
    assert [post.reply.headline for post in platform.posts] == ["You said hello"]


async def test_a_change_is_made_once_and_told_where_nobody_heard_that_it_was_committed(
    runner, platform, alice, agent, monkeypatch, whole
):
    made = []

    async def change(connection):
        made.append(await connection.execute(sa.select(schema.people.c.id)))

    answer = agent.answer

    async def answer_with_change(request):
        return replace(await answer(request), change=change)

    monkeypatch.setattr(agent, "answer", answer_with_change)
    failing(monkeypatch, runner._answering._confirmations, "offer", after=True, times=1)
    await platform.say(alice, "hello")
    await whole()
    assert len(made) == 1
    assert [post.reply.headline for post in platform.posts] == ["You said hello"]


@pytest.mark.parametrize("error", [RuntimeError, asyncio.CancelledError])
async def test_what_goes_wrong_after_all_is_written_changes_nothing_of_it(
    runner, platform, alice, agent, monkeypatch, whole, sqlite_store, clock, error
):
    answer = agent.answer

    async def propose(request):
        shown = Reply("clarify", "Paint it?", (Actions((Action("Do it", "confirm"),)),))
        return replace(await answer(request), reply=shown, proposal=Call("paint", {}))

    monkeypatch.setattr(agent, "answer", propose)
    failing(monkeypatch, runner._answering._confirmations, "offer", after=True, times=1, error=error)
    await platform.say(alice, "paint")
    await whole()
    assert [post.reply.headline for post in platform.posts] == ["Paint it?"]
    assert len(await PendingActions(sqlite_store, clock.now).open(alice, platform.conversation(alice))) == 1
