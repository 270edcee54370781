"""The inbox, outbox, history and pending actions hold the same promises on every database, and where work is shared."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
import sqlalchemy as sa

from bots.contracts import Accepted, ConversationKey, Duplicate, Message, Question
from bots.errors import ActionRefused, InboxUnavailable
from bots.history import History
from bots.inbox import Entry, Inbox
from bots.pending import PendingActions
from graph.reply import Audience, File, Reply, Text
from graph.turn import TurnOutcome
from ledger import schema
from tests.support.houses import WorkerInbox
from tools.calls import Choice, choice_of
from tools.results import Fact, Scope

SOURCES = ("memory",)


@pytest.fixture(params=["sqlite", "postgres", "procrastinate"])
def kind(request):
    """Who answers: a process that is alone with its database, or a worker that has jobs."""
    return request.param


@pytest.fixture
def store_url(kind, request, tmp_path):
    return tmp_path / "data" / "ledger.sqlite3" if kind == "sqlite" else str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def inbox(kind, store, clock):
    if kind != "procrastinate":
        return Inbox(store, clock.now)
    inbox = WorkerInbox(store, clock.now)
    await inbox.register()
    return inbox


@pytest.fixture
def history(store):
    return History(store)


@pytest.fixture
def message(alice, clock):
    return Message(
        person=alice,
        conversation=ConversationKey("memory", "home", "general", "7", alice),
        delivery_id="event-1",
        channel="general",
        ts="1",
        audience=Audience.PRIVATE,
        received_at=clock.now(),
        content=Question("how much on rent?"),
        route="token-1",
    )


def outcome(headline="You paid 900.00", **kept):
    return TurnOutcome(Reply("answer", headline, (Text("details"),)), **kept)


async def answer(inbox, message, said=None):
    accepted = await inbox.accept(message, "taken")
    return await inbox.finish(Entry(accepted.id, message), said or outcome())


async def rows(store, table):
    async with store.read() as connection:
        return (await connection.execute(sa.select(table).order_by(table.c.id))).all()


class TestAccepting:
    async def test_a_message_is_stored_once_per_delivery_id(self, inbox, store, message):
        assert isinstance(await inbox.accept(message), Accepted)
        assert await inbox.accept(replace(message, ts="other")) == Duplicate()
        assert len(await rows(store, schema.inbox)) == 1

    async def test_the_twin_of_a_post_is_a_duplicate(self, inbox, message):
        await inbox.accept(message)
        assert await inbox.accept(replace(message, delivery_id="event-2")) == Duplicate()

    async def test_what_is_no_post_has_no_twin(self, inbox, message):
        await inbox.accept(replace(message, ts=None))
        assert isinstance(await inbox.accept(replace(message, ts=None, delivery_id="event-2")), Accepted)

    async def test_other_platforms_have_their_own_ids(self, inbox, message):
        await inbox.accept(message)
        elsewhere = replace(message, conversation=replace(message.conversation, platform="slack"))
        assert isinstance(await inbox.accept(elsewhere), Accepted)

    async def test_duplicates_at_the_same_moment_are_stored_once(self, inbox, message):
        receipts = await asyncio.gather(*(inbox.accept(message) for _ in range(20)))
        assert sorted(type(receipt).__name__ for receipt in receipts) == ["Accepted"] + ["Duplicate"] * 19

    async def test_ids_follow_the_order_of_acceptance(self, inbox, message):
        many = [replace(message, delivery_id=f"event-{n}", ts=str(n)) for n in range(30)]
        receipts = await asyncio.gather(*(inbox.accept(one) for one in many))
        assert [receipt.id for receipt in receipts] == sorted(receipt.id for receipt in receipts)

    @pytest.mark.parametrize("text", ["a\x00b", "\ud800", "🙂" * 100, "", "'; DROP TABLE turns; --"])
    async def test_any_text_can_be_stored(self, inbox, store, history, message, text):
        odd = replace(message, content=Question(text), delivery_id=f"id {text}", ts=f"ts {text}")
        waiting = await inbox.accept(odd)
        entry = await inbox.claim(waiting.id)
        assert replace(entry.message, received_at=odd.received_at) == odd
        assert await inbox.finish(entry, outcome()) is not None
        assert len((await history.recall(message.conversation)).past) == 1

    async def test_a_store_that_is_gone_says_so(self, inbox, store, message):
        async with store.write() as connection:
            await connection.execute(sa.text("ALTER TABLE inbox RENAME TO lost"))
        try:
            with pytest.raises(InboxUnavailable):
                await inbox.accept(message)
        finally:
            async with store.write() as connection:
                await connection.execute(sa.text("ALTER TABLE lost RENAME TO inbox"))


class TestClaiming:
    async def test_a_message_is_taken_by_one(self, inbox, message):
        accepted = await inbox.accept(message)
        claims = await asyncio.gather(*(inbox.claim(accepted.id) for _ in range(5)))
        (entry,) = [claim for claim in claims if claim is not None]
        assert replace(entry, message=replace(entry.message, received_at=message.received_at)) == Entry(
            accepted.id, message
        )

    async def test_waiting_messages_come_in_order_and_by_source(self, inbox, message):
        for number in (1, 2, 3):
            await inbox.accept(replace(message, delivery_id=f"event-{number}", ts=str(number)))
        waiting = await inbox.next_waiting(SOURCES)
        assert [one.id for one in waiting] == sorted(one.id for one in waiting)
        assert {one.conversation for one in waiting} == {message.conversation}
        assert await inbox.next_waiting(("slack",)) == ()

    async def test_crashes_are_counted_over_restarts(self, inbox, message):
        accepted = await inbox.accept(message)
        for crashes in (0, 1, 2):
            assert (await inbox.claim(accepted.id)).crashes == crashes
            await inbox.recover(SOURCES)

    async def test_recovery_leaves_other_sources_and_held_messages_alone(self, inbox, message):
        await inbox.accept(message, "held")
        await inbox.accept(replace(message, delivery_id="event-2", ts="2"), "taken")
        await inbox.recover(("slack",))
        assert await inbox.next_waiting(SOURCES) == ()
        await inbox.recover(SOURCES)
        assert len(await inbox.next_waiting(SOURCES)) == 1

    async def test_an_unreadable_message_is_buried(self, inbox, store, message):
        accepted = await inbox.accept(message)
        async with store.write() as connection:
            await connection.execute(schema.inbox.update().values(payload='{"Message":{"from":"the future"}}'))
        assert await inbox.claim(accepted.id) is None
        assert (await rows(store, schema.inbox))[0].state == "dead"


class TestFinishing:
    async def test_turn_inbox_and_outbox_are_written_together(self, inbox, store, message):
        delivery = await answer(inbox, message, outcome(scope=Scope("spending", {"limit": 5}), focus="budget"))
        assert delivery.reply.headline == "You paid 900.00"
        assert (delivery.conversation, delivery.route) == (message.conversation, "token-1")
        (turn,) = await rows(store, schema.turns)
        assert (turn.text, turn.focus, turn.key) == ("how much on rent?", "budget", delivery.idempotency_key)
        (row,) = await rows(store, schema.inbox)
        assert (row.state, row.payload) == ("done", "")
        assert await inbox.unsent(SOURCES) == (replace(delivery, again=True),)

    async def test_a_failure_within_leaves_nothing(self, inbox, store, message):
        accepted = await inbox.accept(message, "taken")
        with pytest.raises(TypeError):
            await inbox.finish(Entry(accepted.id, message), outcome(scope=Scope("x", {"bad": object()})))
        assert await rows(store, schema.turns) == []
        assert (await rows(store, schema.inbox))[0].state == "taken"
        assert await inbox.unsent(SOURCES) == ()

    async def test_a_message_is_finished_once(self, inbox, store, message):
        accepted = await inbox.accept(message, "taken")
        entry = Entry(accepted.id, message)
        deliveries = await asyncio.gather(*(inbox.finish(entry, outcome()) for _ in range(4)))
        assert len([delivery for delivery in deliveries if delivery]) == 1
        assert len(await rows(store, schema.turns)) == 1

    async def test_the_sent_reply_may_differ_from_the_remembered_one(self, inbox, history, message):
        accepted = await inbox.accept(message, "taken")
        delivery = await inbox.finish(Entry(accepted.id, message), outcome(), Reply("refuse", "not here"))
        assert delivery.reply.headline == "not here"
        assert (await history.reply(message.conversation)).headline == "You paid 900.00"

    async def test_a_held_message_is_remembered_and_not_sent(self, inbox, store, history, message):
        accepted = await inbox.accept(message, "held")
        shown = await inbox.finish(Entry(accepted.id, message, held=True), outcome())
        assert (shown.id, shown.reply.headline) == (0, "You paid 900.00"), "by whoever holds it"
        assert await rows(store, schema.outbox) == []
        assert len((await history.recall(message.conversation)).past) == 1
        assert await inbox.accept(message, "held") == Duplicate()

    async def test_declining_leaves_no_turn(self, inbox, store, message):
        accepted = await inbox.accept(message, "taken")
        assert await inbox.decline(Entry(accepted.id, message), Reply("error", "no"), dead=True) is not None
        assert await rows(store, schema.turns) == []
        assert (await rows(store, schema.inbox))[0].state == "dead"

    async def test_a_person_deleted_by_another_process_is_made_again(self, inbox, store, history, message):
        await answer(inbox, message)
        async with store.write() as connection:
            await connection.execute(schema.people.delete())
        assert await answer(inbox, replace(message, delivery_id="event-2", ts="2")) is not None
        assert len((await history.recall(message.conversation)).past) == 1


class TestSending:
    async def test_a_sent_reply_is_not_kept(self, inbox, store, message):
        delivery = await answer(inbox, message)
        await inbox.sent(delivery)
        assert await inbox.unsent(SOURCES) == ()
        (row,) = await rows(store, schema.outbox)
        assert (row.state, row.reply, row.route) == ("sent", "", "")

    async def test_a_refused_reply_is_not_kept_and_not_tried_again(self, inbox, store, message):
        await inbox.refused(await answer(inbox, message))
        await inbox.recover(SOURCES)
        assert await inbox.unsent(SOURCES) == ()
        (row,) = await rows(store, schema.outbox)
        assert (row.state, row.reply, row.route, row.sent_at) == ("refused", "", "", None)

    async def test_a_parked_reply_is_tried_again_within_a_day(self, inbox, clock, message):
        delivery = await answer(inbox, message)
        await inbox.park(delivery, 6)
        assert await inbox.unsent(SOURCES) == ()
        clock.advance(timedelta(hours=23).total_seconds())
        await inbox.recover(SOURCES)
        assert await inbox.unsent(SOURCES) == (replace(delivery, again=True),)
        await inbox.park(delivery, 6)
        clock.advance(timedelta(hours=2).total_seconds())
        await inbox.recover(SOURCES)
        assert await inbox.unsent(SOURCES) == ()

    async def test_pruning_keeps_recent_marks_and_unsent_replies(self, inbox, store, clock, message):
        await inbox.sent(await answer(inbox, message))
        await answer(inbox, replace(message, delivery_id="unsent", ts="2"))
        await inbox.accept(replace(message, delivery_id="waiting", ts="3"))
        await inbox.accept(replace(message, delivery_id="held", ts="4"), "held")
        assert await inbox.prune() == 0
        clock.advance(timedelta(days=8).total_seconds())
        assert await inbox.prune() == 2
        assert {row.delivery_id for row in await rows(store, schema.inbox)} == {"unsent", "waiting"}


class TestAnnouncing:
    """What is said of our own accord."""

    async def test_it_is_to_be_sent_once_and_leaves_nothing_to_answer(self, inbox, store, history, message):
        said = await asyncio.gather(*(inbox.announce(message, Reply("notice", "Welcome.")) for _ in range(5)))
        (delivery,) = [each for each in said if each is not None]
        assert (delivery.reply.headline, delivery.conversation) == ("Welcome.", message.conversation)
        assert await inbox.next_waiting(SOURCES) == ()
        assert (await history.recall(message.conversation)).past == ()
        assert await inbox.accept(replace(message, ts="other")) == Duplicate()
        await inbox.sent(delivery)
        assert await inbox.announce(message, Reply("notice", "Welcome.")) is None
        assert [row.reply for row in await rows(store, schema.outbox)] == [""]

    async def test_a_crash_before_it_is_sent_is_made_good_by_the_next_start(self, inbox, message):
        delivery = await inbox.announce(message, Reply("notice", "Welcome."))
        await inbox.recover(SOURCES)
        (again,) = await inbox.unsent(SOURCES)
        assert (again.id, again.reply, again.again) == (delivery.id, delivery.reply, True)

    async def test_the_post_that_gave_occasion_is_still_accepted(self, inbox, message):
        await inbox.announce(replace(message, delivery_id="welcome:alice"), Reply("notice", "Welcome."))
        assert isinstance(await inbox.accept(message), Accepted)


class TestHistory:
    async def converse(self, inbox, message, count):
        keys = []
        for number in range(count):
            said = replace(
                message, content=Question(f"question {number}"), delivery_id=f"turn-{number}", ts=f"turn-{number}"
            )
            fact = Fact("f1", "total", Decimal(f"{number}.10"), "money", "EUR")
            reply = Reply(
                "answer", f"answer {number}", facts=(fact,), choices=(Choice("a"), choice_of("b", "spending", n=number))
            )
            kept = TurnOutcome(reply, Scope("spending", {"n": number}), focus=f"focus {number}")
            keys.append((await answer(inbox, said, kept)).idempotency_key)
        return keys

    async def test_the_latest_turns_come_oldest_first(self, inbox, history, message):
        await self.converse(inbox, message, 15)
        recollection = await history.recall(message.conversation, limit=12)
        assert [turn.text for turn in recollection.past] == [f"question {n}" for n in range(3, 15)]
        assert recollection.focus == "focus 14"
        last = recollection.past[-1]
        assert (last.kind, last.scope, last.choices) == (
            "answer",
            Scope("spending", {"n": 14}),
            (Choice("a"), choice_of("b", "spending", n=14)),
        )
        assert last.facts == (Fact("f1", "total", Decimal("14.10"), "money", "EUR"),)

    async def test_a_turn_of_the_version_before_offers_its_texts(self, inbox, history, store, message):
        await self.converse(inbox, message, 1)
        async with store.write() as connection:
            await connection.execute(schema.turns.update().values(recall='["clarify",[],["Tea","Coffee"]]'))
        (turn,) = (await history.recall(message.conversation)).past
        assert (turn.kind, turn.choices) == ("clarify", (Choice("Tea"), Choice("Coffee")))

    async def test_an_older_reply_is_seen_with_what_stood_before_it(self, inbox, history, message):
        keys = await self.converse(inbox, message, 5)
        recollection = await history.recall(message.conversation, about=keys[2])
        assert [turn.text for turn in recollection.past] == ["question 0", "question 1", "question 2"]
        assert (await history.reply(message.conversation, keys[2])).headline == "answer 2"
        assert len((await history.recall(message.conversation, about="unknown")).past) == 5
        assert await history.reply(message.conversation, "unknown") is None

    async def test_nobody_sees_anothers_side_of_a_thread(self, inbox, history, message, bob):
        keys = await self.converse(inbox, message, 2)
        theirs = replace(message.conversation, person=bob)
        assert await history.recall(theirs) == await history.recall(replace(theirs, thread="new"))
        assert await history.reply(theirs, keys[0]) is None
        assert (await history.recall(theirs, about=keys[0])).past == ()

    async def test_an_unreadable_turn_is_left_out(self, inbox, history, store, message):
        await self.converse(inbox, message, 3)
        async with store.write() as connection:
            await connection.execute(
                schema.turns.update().where(schema.turns.c.text == "question 1").values(recall="{")
            )
        assert [turn.text for turn in (await history.recall(message.conversation)).past] == ["question 0", "question 2"]

    async def test_forgetting_one_conversation_leaves_the_others(self, inbox, history, store, message):
        await self.converse(inbox, message, 3)
        other = replace(message, conversation=replace(message.conversation, thread="8"), delivery_id="x", ts="x")
        await answer(inbox, other)
        assert await history.forget(message.person, message.conversation) == 3
        assert (await history.recall(message.conversation)).past == ()
        assert len((await history.recall(other.conversation)).past) == 1
        assert await history.forget(message.person) == 1

    async def test_forgetting_keeps_only_the_marks_of_redelivery(self, inbox, history, store, message):
        await answer(inbox, message)
        await inbox.accept(replace(message, delivery_id="next", ts="2"))
        await history.forget(message.person)
        done, waiting = await rows(store, schema.inbox)
        assert (done.person, done.conversation, done.payload) == ("", "", "")
        assert waiting.payload
        assert await rows(store, schema.outbox) == []
        assert await inbox.accept(message) == Duplicate()

    async def test_files_are_handed_over_and_not_kept(self, inbox, history, message):
        reply = Reply("answer", "here", (Text("rows"), File("rows.csv", "text/csv", b"a,b")))
        delivery = await answer(inbox, message, TurnOutcome(reply))
        assert delivery.reply == reply
        assert (await history.reply(message.conversation)).blocks == (Text("rows"),)


class TestPendingActions:
    @pytest.fixture
    def pending(self, store, clock):
        return PendingActions(store, clock.now)

    async def consume(self, store, pending, person, token):
        async with store.write() as connection:
            return await pending.consume(connection, person, token)

    async def cancel(self, store, pending, person, token):
        async with store.write() as connection:
            await pending.cancel(connection, person, token)

    async def propose(self, pending, message):
        arguments = {"category": "Rent", "amount": Decimal("12.50"), "ids": [1, 2]}
        return await pending.propose(message.person, message.conversation, "recategorise", arguments)

    async def test_what_was_shown_is_done_once(self, store, pending, message):
        token = await self.propose(pending, message)
        action = await self.consume(store, pending, message.person, token)
        assert action.action == "recategorise"
        assert action.arguments == {"category": "Rent", "amount": Decimal("12.50"), "ids": [1, 2]}
        with pytest.raises(ActionRefused, match="already"):
            await self.consume(store, pending, message.person, token)

    async def test_only_one_of_many_presses_counts(self, store, pending, message):
        token = await self.propose(pending, message)
        presses = (self.consume(store, pending, message.person, token) for _ in range(5))
        done = await asyncio.gather(*presses, return_exceptions=True)
        assert len([one for one in done if isinstance(one, ActionRefused)]) == 4

    async def test_a_rollback_gives_the_token_back(self, store, pending, message):
        token = await self.propose(pending, message)

        async def fail_after_consuming():
            async with store.write() as connection:
                await pending.consume(connection, message.person, token)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            await fail_after_consuming()
        assert (await self.consume(store, pending, message.person, token)).token == token

    @pytest.mark.parametrize("token", ["", "unknown", "\x00", "\ud800"])
    async def test_unknown_tokens_are_refused(self, store, pending, alice, token):
        with pytest.raises(ActionRefused):
            await self.consume(store, pending, alice, token)

    async def test_a_foreign_press_is_refused_and_changes_nothing(self, store, pending, message, bob):
        token = await self.propose(pending, message)
        await store.membership(bob)
        with pytest.raises(ActionRefused, match="Only the person who asked"):
            await self.consume(store, pending, bob, token)
        with pytest.raises(ActionRefused, match="Only the person who asked"):
            await self.cancel(store, pending, bob, token)
        assert await pending.open(bob, message.conversation) == ()
        assert (await self.consume(store, pending, message.person, token)).token == token

    async def test_an_expired_press_is_refused(self, store, pending, clock, message):
        token = await self.propose(pending, message)
        clock.advance(3600)
        assert await pending.open(message.person, message.conversation) == ()
        with pytest.raises(ActionRefused, match="expired"):
            await self.consume(store, pending, message.person, token)

    @pytest.mark.parametrize("column", ["arguments", "action"])
    async def test_altered_rows_are_refused(self, store, pending, message, column):
        token = await self.propose(pending, message)
        async with store.write() as connection:
            await connection.execute(schema.pending_actions.update().values({column: '{"dict":{}}'}))
        with pytest.raises(ActionRefused, match="not what was shown"):
            await self.consume(store, pending, message.person, token)

    @pytest.mark.parametrize(
        ("closing", "why"), [("cancelled", "was cancelled"), ("replaced", "newer proposal took the place")]
    )
    async def test_what_was_closed_says_why_and_keeps_nothing_of_what_it_was(
        self, store, pending, message, closing, why
    ):
        token = await self.propose(pending, message)
        if closing == "cancelled":
            await self.cancel(store, pending, message.person, token)
        else:
            (shown,) = await pending.open(message.person, message.conversation)
            async with store.write() as connection:
                await pending.replace(connection, message.person, message.conversation, (shown.action,))
        for use in (self.consume, self.cancel):
            with pytest.raises(ActionRefused, match=why):
                await use(store, pending, message.person, token)
        async with store.read() as connection:
            rows = (await connection.execute(sa.select(schema.pending_actions.c.arguments))).scalars().all()
        assert rows == [""]

    async def test_what_waits_under_another_name_is_what_was_shown(self, store, pending, message):
        token = await self.propose(pending, message)
        (shown,) = await pending.open(message.person, message.conversation)
        async with store.write() as connection:
            where = (message.person, message.conversation)
            await connection.run_sync(lambda it: pending.rename(it, *where, shown.action, "passed"))
        (renamed,) = await pending.open(message.person, message.conversation)
        assert (renamed.action, renamed.arguments) == ("passed", shown.arguments)
        assert (await self.consume(store, pending, message.person, token)).arguments == shown.arguments

    async def test_open_and_cancelled(self, store, pending, message):
        first, second = await self.propose(pending, message), await self.propose(pending, message)
        assert [one.token for one in await pending.open(message.person, message.conversation)] == [first, second]
        await self.cancel(store, pending, message.person, first)
        assert [one.token for one in await pending.open(message.person, message.conversation)] == [second]
        elsewhere = replace(message.conversation, thread="8")
        assert await pending.open(message.person, elsewhere) == ()
