"""What was said long ago is deleted, on both databases; what a conversation that goes on leans on stays whole."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from bots.contracts import ConversationKey, Duplicate, Message, Question
from bots.history import History
from bots.inbox import Entry, Inbox
from bots.pending import PendingAction, PendingActions
from bots.retention import Pruned, Retention
from bots.shares import SharedPosts
from bots.workspaces import Workspaces
from graph.reply import Audience, Reply, Text
from graph.turn import TurnOutcome
from ledger import schema
from tools.results import Scope

CANARY = "florbane"
DAY = timedelta(days=1).total_seconds()


@pytest.fixture
async def store(open_store):
    return await open_store()


@pytest.fixture
def inbox(store, clock):
    return Inbox(store, clock.now)


@pytest.fixture
def history(store):
    return History(store)


@pytest.fixture
def message(alice, clock):
    conversation = ConversationKey("memory", "home", "general", "7", alice)
    return Message(alice, conversation, "event-1", "general", "1", Audience.PRIVATE, clock.now(), f"what of {CANARY}?")


@pytest.fixture
def prune(store, clock):
    async def prune(days=30):
        return await Retention(store, timedelta(days=days), clock.now).prune()

    return prune


@pytest.fixture
def say(inbox, message, clock):
    async def say(name, *, to=None, sent=True, focus=None):
        said = replace(
            message, delivery_id=name, ts=name, content=Question(f"{name}: {CANARY}"), received_at=clock.now()
        )
        said = said if to is None else replace(said, person=to.person, conversation=to)
        accepted = await inbox.accept(said, "taken")
        reply = Reply("answer", f"{CANARY} {name}", (Text(CANARY),))
        outcome = TurnOutcome(reply, Scope("spending", {"n": name}), focus=focus)
        delivery = await inbox.finish(Entry(accepted.id, said), outcome)
        if sent:
            await inbox.sent(delivery)
        return delivery

    return say


async def test_a_conversation_of_long_ago_is_gone_with_all_that_hangs_on_it(
    say, prune, store, clock, dump, history, message
):
    await say("once", sent=False)
    await PendingActions(store, clock.now).propose(message.person, message.conversation, "ask", {"of": CANARY})
    await Inbox(store, clock.now).park((await Inbox(store, clock.now).unsent(("memory",)))[0], 3)
    clock.advance(31 * DAY)
    assert await prune() == Pruned(1, 1)
    assert CANARY not in json.dumps(await dump(store), default=str)
    assert (await history.recall(message.conversation)).past == ()


async def test_a_conversation_that_goes_on_is_recalled_as_before(say, prune, clock, history, message):
    for number in range(20):
        await say(f"old {number}", focus="budget")
    clock.advance(31 * DAY)
    await say("new", focus="budget")
    before = await history.recall(message.conversation)
    assert await prune() == Pruned(15, 0)
    assert await history.recall(message.conversation) == before
    assert before.focus == "budget"
    assert [turn.scope.arguments["n"] for turn in before.past] == [*(f"old {n}" for n in range(15, 20)), "new"]
    assert len((await history.recall(message.conversation, limit=100)).past) == 6


async def test_what_is_young_stays_though_there_is_much_of_it(say, prune, clock, history, message):
    await say("old")
    clock.advance(31 * DAY)
    for number in range(9):
        await say(f"new {number}")
    assert await prune() == Pruned(1, 0)
    assert len((await history.recall(message.conversation, limit=100)).past) == 9
    assert await prune() == Pruned()


async def test_only_what_is_old_of_everybodys_conversations_goes(say, prune, clock, history, message, bob):
    other = replace(message.conversation, thread="8")
    theirs = replace(message.conversation, person=bob)
    await say("a")
    await say("b", to=theirs)
    clock.advance(20 * DAY)
    await say("c", to=other)
    clock.advance(20 * DAY)
    assert await prune() == Pruned(2, 2)
    assert [turn.text for turn in (await history.recall(other)).past] == [f"c: {CANARY}"]
    assert (await history.recall(theirs)).past == ()


async def test_a_thread_of_thousands_goes_in_short_transactions(store, prune, clock, message, monkeypatch):
    membership = await store.membership(message.person)
    old = clock.now().isoformat(timespec="milliseconds")
    async with store.write() as connection:
        talk = {"person_id": membership.person_id, "key": str(message.conversation), "created_at": old, "last_at": old}
        await connection.execute(schema.conversations.insert(), talk)
        number = (await connection.execute(sa.select(schema.conversations.c.id))).scalar_one()
        turn = {"conversation_id": number, "text": "", "recall": "", "created_at": old, "reply": ""}
        for first in range(0, 5500, 500):
            rows = [{**turn, "key": f"key-{first + each}"} for each in range(500)]
            await connection.execute(schema.turns.insert(), rows)
    clock.advance(31 * DAY)
    writes = []
    write = store.write
    monkeypatch.setattr(store, "write", lambda **how: (writes.append(how), write(**how))[1])
    assert await prune() == Pruned(5500, 1)
    assert len(writes) > 25
    assert all(how == {"patient": True} for how in writes)


async def test_a_redelivery_is_still_known_and_what_waits_is_still_sent(say, prune, clock, inbox, message, store):
    await say("first")
    await say("second", sent=False)
    clock.advance(2 * DAY)
    await inbox.accept(replace(message, delivery_id="waiting", ts="w"))
    assert await prune(days=1) == Pruned(2, 1)
    async with store.read() as connection:
        rows = {row.delivery_id: row for row in await connection.execute(sa.select(schema.inbox))}
    assert (rows["first"].person, rows["first"].conversation) == ("", "")
    assert await inbox.accept(replace(message, delivery_id="first", ts="first")) == Duplicate()
    assert [each.reply.headline for each in await inbox.unsent(("memory",))] == [f"{CANARY} second"]
    assert [each.id for each in await inbox.next_waiting(("memory",))] == [rows["waiting"].id]


async def test_what_stands_in_a_channel_can_still_be_taken_back(say, prune, clock, store, message):
    posts = SharedPosts(store, clock.now)
    answer = (await say("shared")).idempotency_key
    for key in ("standing", "taken back"):
        await posts.begin(message, answer, key)
        await posts.posted(key, ("1.0",))
    async with store.write() as connection:
        await posts.end(connection, "taken back")
    clock.advance(31 * DAY)
    await prune()
    assert (await posts.find(message.person, "standing")).stands
    assert await posts.find(message.person, "taken back") is None


async def test_an_undo_of_last_week_is_still_possible(say, prune, clock, store, message, inbox):
    await say("changed")
    pending = PendingActions(store, clock.now)
    async with store.write() as connection:
        await pending.insert(
            connection, message.person, message.conversation, PendingAction("t", "undo"), timedelta(days=7)
        )
    clock.advance(3 * DAY)
    await prune(days=1)
    assert (await pending.shown(message.person, "t")).action == "undo"


async def test_nothing_goes_where_nothing_says_so(say, store, clock, history, message):
    await say("old")
    clock.advance(10_000 * DAY)
    assert await Retention(store, None, clock.now).prune() == Pruned()
    assert len((await history.recall(message.conversation)).past) == 1


async def test_who_speaks_while_old_turns_go_keeps_what_they_lean_on(say, store, clock, history, message):
    for number in range(8):
        await say(f"old {number}")
    clock.advance(31 * DAY)
    retention = Retention(store, timedelta(days=30), clock.now)
    of = retention._of

    async def of_after_a_word(*arguments):
        await say("meanwhile")
        return await of(*arguments)

    retention._of = of_after_a_word
    assert await retention.prune() == Pruned(3, 0)
    assert len((await history.recall(message.conversation, limit=100)).past) == 6


async def test_a_workspace_may_keep_less_than_everybody(store, say, prune, clock, message, alice, bob):
    elsewhere = ConversationKey("memory", "away", "general", "7", replace(bob, team="away"))
    await say("here")
    await say("there", to=elsewhere)
    await Workspaces(store).lay_down("memory", "away", keep_days=7)
    clock.advance(8 * DAY)
    assert await prune() == Pruned(1, 1)
    async with store.read() as connection:
        left = (await connection.execute(sa.select(schema.turns.c.text))).scalars().all()
        people = (await connection.execute(sa.select(schema.inbox.c.person))).scalars().all()
    assert [text.partition(":")[0] for text in left] == ["here"]
    assert sorted(people) == ["", alice.key]
    await Workspaces(store).lay_down("memory", "away", keep_days=365)
    await say("later", to=elsewhere)
    clock.advance(31 * DAY)
    assert await prune() == Pruned(2, 2)  # a workspace's word makes nothing stay longer


async def test_a_clock_that_stands_still_deletes_nothing(store, say, clock):
    await say("here")
    await Workspaces(store).lay_down("memory", "home", keep_days=1)
    clock.advance(8 * DAY)
    assert await Retention(store, None, clock.now, by_workspace=False).prune() == Pruned()
