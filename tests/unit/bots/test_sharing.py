"""What is shown to everyone is shown to its owner first, stands there once, and goes when they say so."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
import sqlalchemy as sa

from bots.confirming import Confirmations
from bots.contracts import PUBLISH, SHARE, UNSHARE, Duty
from bots.desk.desk import Desk
from bots.desk.forgetting import forget_handlers, forget_works
from bots.errors import SendRefused
from bots.history import History
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.shares import SharedPosts
from bots.sharing import NOTHING_TO_SHARE, UNSHARE_WORDS, Sharing
from bots.workspaces import Workspaces
from graph.reply import Action, Actions, File, Reply, Text
from ledger import schema
from ledger.deletion import forget_person
from ledger.store import Store
from tests.conftest import ManualClock, ScriptedAgent, until
from tools.calls import Call
from tools.results import Chart, Column, Table
from tools.surroundings import tool_context

FIGURE = "98765.43"
SHOWN = (Text("on rent", "definition"), Table((Column("Shop"),), (("Landlord",),)), Chart("Rent", ("May",), (), "USD"))
BUTTONS = Actions((Action("Share", "share"), Action("Again", "ask", "again")))


class House:
    """Alice asks in a channel where Bob reads, and presses buttons; the process can end at any moment."""

    def __init__(self, store: Store, platform: MemoryPlatform, agent: ScriptedAgent, clock: ManualClock) -> None:
        self.store, self.platform, self.agent, self.clock = store, platform, agent, clock
        self.alice, self.bob = platform.person("alice"), platform.person("bob")
        self.runner = self._runner()

    def _runner(self) -> Runner:
        desk = Desk(
            self.store, History(self.store), self._context, _nothing, _nothing, adapter={"memory": self.platform}.get,
            now=self.clock.now,
        )  # fmt: skip
        return Runner(
            self.store, self.agent, [self.platform], handlers=forget_handlers(desk), works=forget_works(desk),
            now=self.clock.now, seconds=self.clock.seconds, sleep=self.clock.sleep,
        )  # fmt: skip

    async def restart(self) -> None:
        """Begin another process on the same store; what the former one was doing is lost."""
        await self.runner.drain(0)
        self.runner = self._runner()
        await self.runner.start()

    async def asks(self):
        await self.platform.say(self.alice, "how much?", channel="general")
        await self.runner.idle()
        return self.platform.visible_to(self.alice)[-1]

    async def press(self, post, label, person=None):
        await self.platform.press(person or self.alice, post, label)
        await self.runner.idle()
        return self.platform.visible_to(person or self.alice)[-1]

    async def say(self, text, channel="general"):
        await self.platform.say(self.alice, text, channel=channel)
        await self.runner.idle()
        return self.platform.visible_to(self.alice)[-1]

    async def shares(self):
        return await self.press(await self.press(await self.asks(), "Share"), "Share it")

    def standing(self):
        """What Bob can read."""
        return [post for post in self.platform.visible_to(self.bob) if post.only_for is None]

    async def rows(self):
        async with self.store.read() as connection:
            return (await connection.execute(sa.select(schema.shares))).all()

    async def _context(self, person):
        return await tool_context(await self.store.repository(person), self.clock.now(), _nothing)


async def _nothing(*_arguments):
    return None


@pytest.fixture
async def house(sqlite_store, agent, clock):
    platform = MemoryPlatform(now=clock.now)
    agent.replies["how much?"] = Reply(
        "answer", f"You spent {FIGURE}", (*SHOWN, BUTTONS, File("a.csv", "text/csv", b""))
    )
    house = House(sqlite_store, platform, agent, clock)
    platform.open_channel("general", house.alice, house.bob)
    await house.runner.start()
    yield house
    await house.runner.drain(0)


async def test_the_preview_shows_all_that_will_stand_there_to_its_owner_alone(house):
    preview = await house.press(await house.asks(), "Share")
    assert (preview.only_for, preview.reply.kind) == (house.alice, "clarify")
    assert preview.reply.headline == "Share this in #general?"
    assert house.standing() == []
    shared = await house.press(preview, "Share it")
    (post,) = house.standing()
    assert post.reply.blocks == (Text(f"You spent {FIGURE}", "headline"), *SHOWN)
    shown = [block for block in preview.reply.blocks if block in post.reply.blocks]
    assert tuple(shown) == post.reply.blocks
    assert shared.only_for == house.alice
    assert shared.reply.headline == "Shared in #general."


@pytest.mark.parametrize(
    ("outsiders", "said"),
    [(False, "will see it."), (True, "also people of other organisations"), (None, "I can't tell")],
)
async def test_who_reads_it_is_said(house, outsiders, said):
    house.platform.open_channel("general", house.alice, house.bob, outsiders=outsiders)
    preview = await house.press(await house.asks(), "Share")
    assert "Everyone who can read #general" in preview.text
    assert said in preview.text


async def test_other_readers_than_were_shown_are_shown_first(house):
    preview = await house.press(await house.asks(), "Share")
    house.platform.open_channel("general", house.alice, house.bob, outsiders=True)
    anew = await house.press(preview, "Share it")
    assert house.standing() == []
    assert "Who reads this has changed" in anew.text
    await house.press(anew, "Share it")
    assert len(house.standing()) == 1


async def test_it_stands_there_once_however_often_and_in_whatever_order_buttons_are_pressed(house):
    answer = await house.asks()
    previews = [await house.press(answer, "Share") for _ in range(2)]
    for preview in (*previews, *previews):
        for label in ("Share it", "Cancel"):
            await house.platform.press(house.alice, preview, label)
    await house.runner.idle()
    assert len(house.standing()) == 1
    assert "shared already" in (await house.press(previews[0], "Share it")).text
    assert "shared already" in (await house.press(answer, "Share")).text
    await house.restart()
    assert "shared already" in (await house.press(previews[1], "Share it")).text
    assert len(house.standing()) == len(await house.rows()) == 1


async def test_two_processes_that_are_pressed_at_once_share_once(house):
    preview = await house.press(await house.asks(), "Share")
    other = house._runner()
    await other.start()
    gate = house.platform.faults.gate = asyncio.Event()
    for runner, number in ((house.runner, 1), (other, 2)):
        press = replace(
            house.platform.last, kind="button", about=preview.key, delivery_id=f"press-{number}", ts=None,
            content=Duty(PUBLISH, {"value": _value_of(preview)}),
        )  # fmt: skip
        await runner.receive(press)
    gate.set()
    await asyncio.gather(house.runner.idle(), other.idle())
    assert len(house.standing()) == 1
    await other.drain(0)


def _value_of(post):
    rows = [row for row in post.reply.blocks if isinstance(row, Actions)]
    return next(action.value for row in rows for action in row.actions if action.action == PUBLISH)


@pytest.mark.parametrize("moment", ["begin", "posted", "finish"])
async def test_a_crash_between_any_two_steps_shares_once_and_tells_its_owner(house, monkeypatch, moment):
    preview = await house.press(await house.asks(), "Share")
    target = {
        "begin": (SharedPosts, "begin"),
        "posted": (SharedPosts, "posted"),
        "finish": (Confirmations, "offer"),
    }
    owner, name = target[moment]
    reached, original = asyncio.Event(), getattr(owner, name)

    async def crash(self, *arguments, **more):
        if moment == "begin":
            await original(self, *arguments, **more)
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(owner, name, crash)
    await house.platform.press(house.alice, preview, "Share it")
    await reached.wait()
    monkeypatch.undo()
    abandoned = list(asyncio.all_tasks())
    house.runner._draining = True
    house.runner = house._runner()
    await house.runner.start()
    await house.runner.idle()
    assert len(house.standing()) == 1
    told = [post.reply.headline for post in house.platform.visible_to(house.alice) if post.only_for == house.alice]
    assert told[-1] in ("Shared in #general.", "Shared.")
    for task in abandoned:
        if task is not asyncio.current_task():
            task.cancel()


async def test_a_post_whose_answer_was_lost_is_not_posted_again(house):
    preview = await house.press(await house.asks(), "Share")
    house.platform.faults.unclear_sends = 1
    await house.platform.press(house.alice, preview, "Share it")
    await house.clock.sleeping(1)
    house.clock.advance(1)
    await until(lambda: any("Shared in" in post.text for post in house.platform.visible_to(house.alice)))
    assert len(house.standing()) == 1


async def test_what_the_platform_does_not_take_can_be_tried_again(house):
    preview = await house.press(await house.asks(), "Share")
    real = house.platform.publish

    async def refuse(delivery):
        raise SendRefused("Nothing can be posted here.")

    house.platform.publish = refuse
    assert (await house.press(preview, "Share it")).reply.headline == "Nothing can be posted here."
    assert await house.rows() == []
    house.platform.publish = real
    await house.press(preview, "Share it")
    assert len(house.standing()) == 1


async def test_only_the_owner_shares_and_only_what_has_the_button(house, clock):
    answer = await house.asks()
    preview = await house.press(answer, "Share")
    for call, about in ((Call(SHARE, {}), answer.key), (Call(PUBLISH, {"value": _value_of(preview)}), preview.key)):
        forged = replace(
            house.platform.last, person=house.bob, conversation=house.platform.conversation(house.bob, "general"),
            delivery_id=f"forged-{call.name}", ts=None, kind="button", content=Duty(call.name, call.arguments), about=about,
        )  # fmt: skip
        await house.platform.deliver(forged)
        await house.runner.idle()
        assert house.platform.visible_to(house.bob)[-1].reply.headline == NOTHING_TO_SHARE
    plain = await house.say("hello")
    press = replace(house.platform.last, kind="button", content=Duty(SHARE), about=plain.key, delivery_id="x", ts=None)
    await house.platform.deliver(press)
    await house.runner.idle()
    assert house.platform.visible_to(house.alice)[-1].reply.headline == NOTHING_TO_SHARE
    assert house.standing() == []


async def test_a_typed_yes_shares_what_was_shown_last_and_no_leaves_it(house):
    await house.press(await house.asks(), "Share")
    house.clock.advance(1)
    assert "Nothing was changed." in (await house.say("no")).text
    await house.press(await house.asks(), "Share")
    house.clock.advance(1)
    assert "Shared in #general." in (await house.say("yes")).text
    assert len(house.standing()) == 1


class TestUnsharing:
    @pytest.mark.parametrize("days", [0, 90])
    async def test_the_button_works_for_good_and_twice(self, house, days):
        shared = await house.shares()
        await house.restart()
        house.clock.advance(days * 86_400)
        assert "Unshared" in (await house.press(shared, "Unshare")).text
        assert house.standing() == []
        assert "no longer stands there" in (await house.press(shared, "Unshare")).text

    @pytest.mark.parametrize("words", [*UNSHARE_WORDS, "undo", "Unshare!", "undo please"])
    async def test_words_mean_what_was_shared_last(self, house, words):
        await house.shares()
        house.clock.advance(1)
        assert "Unshared" in (await house.say(words)).text
        assert house.standing() == []

    async def test_words_elsewhere_do_not(self, house):
        await house.shares()
        assert "nothing" in (await house.say("unshare", channel=None)).text.casefold()
        assert len(house.standing()) == 1

    async def test_it_is_shared_anew_by_a_new_preview_and_by_no_old_button(self, house):
        answer = await house.asks()
        preview = await house.press(answer, "Share")
        shared = await house.press(preview, "Share it")
        await house.press(shared, "Unshare")
        assert "took this back" in (await house.press(preview, "Share it")).text
        assert house.standing() == []
        again = await house.press(await house.press(answer, "Share"), "Share it")
        assert len(house.standing()) == 1
        await house.press(shared, "Unshare")
        assert len(house.standing()) == 1, "the old button is about the old post"
        await house.press(again, "Unshare")
        assert house.standing() == []

    async def test_what_somebody_deleted_by_hand_is_said(self, house):
        shared = await house.shares()
        house.platform.posts.remove(house.standing()[0])
        assert "no longer there" in (await house.press(shared, "Unshare")).text

    async def test_what_the_platform_refuses_is_one_sentence_and_can_be_tried_again(self, house):
        shared = await house.shares()
        house.platform.faults.refuse_retracts = True
        assert (await house.press(shared, "Unshare")).text == "That channel is no longer there."
        house.platform.faults.refuse_retracts = False
        assert "Unshared" in (await house.press(shared, "Unshare")).text

    async def test_another_persons_button_takes_nothing_back(self, house):
        shared = await house.shares()
        (row,) = await house.rows()
        forged = replace(
            house.platform.last, person=house.bob, conversation=house.platform.conversation(house.bob, "general"),
            delivery_id="forged", kind="button", content=Duty(UNSHARE, {"value": row.key}), about=shared.key, ts=None,
        )  # fmt: skip
        await house.platform.deliver(forged)
        await house.runner.idle()
        assert len(house.standing()) == 1

    async def test_undo_knows_the_last_act_also_after_a_question(self, house):
        await house.shares()
        await house.say("hello")
        house.clock.advance(1)
        assert "Unshared" in (await house.say("undo")).text


class TestForgetting:
    @pytest.mark.parametrize("what", ["conversations", "everything"])
    async def test_it_is_shown_and_done(self, house, what):
        await house.shares()
        asked = await house.say(f"forget {what}", channel=None)
        assert "What you shared in channels is deleted there too." in asked.text
        done = await house.press(asked, f"Delete {what}")
        assert "1 shared post deleted." in done.text
        assert house.standing() == []
        assert await house.rows() == []

    async def test_what_can_not_be_deleted_is_said(self, house):
        await house.shares()
        asked = await house.say("forget everything", channel=None)
        house.platform.faults.refuse_retracts = True
        assert "Not deleted: That channel is no longer there." in (await house.press(asked, "Delete everything")).text

    async def test_another_process_leaves_it_to_the_one_that_speaks_with_the_platform(self, house):
        await house.shares()
        await forget_person(house.store, house.alice)
        assert len(house.standing()) == 1
        house.platform.faults.failing_retracts = 1
        for _ in range(20):  # other chores sleep for a minute, too
            if not house.standing():
                break
            await house.clock.sleeping(60)
            house.clock.advance(60)
            await asyncio.sleep(0.05)
        assert not house.standing()

    async def test_a_stopped_bot_does_it_when_it_starts(self, house):
        await house.shares()
        await house.runner.drain(0)
        await forget_person(house.store, house.alice)
        house.runner = house._runner()
        await house.runner.start()
        await until(lambda: not house.standing())

    async def test_nothing_of_what_was_said_is_in_the_rows(self, house):
        await house.shares()
        (row,) = await house.rows()
        assert FIGURE not in str(row)
        assert "rent" not in str(row)

    async def test_what_is_forgotten_while_it_is_posted_does_not_stay(self, house):
        preview = await house.press(await house.asks(), "Share")
        gate = house.platform.faults.gate = asyncio.Event()
        await house.platform.press(house.alice, preview, "Share it")
        while not await house.rows():
            await asyncio.sleep(0.001)
        await forget_person(house.store, house.alice)
        sharing = Sharing(house.store, {"memory": house.platform}.get, house.clock.now)
        assert (await sharing.retract_forgotten()).refused
        gate.set()
        await house.runner.idle()
        assert house.standing() == []


async def test_a_workspace_may_switch_sharing_off(house):
    """Also under the preview that was shown before."""
    preview = await house.press(await house.asks(), "Share")
    await Workspaces(house.store).lay_down("memory", house.alice.team, sharing=False)
    refused = await house.press(preview, "Share it")
    assert refused.reply.headline == "Sharing is switched off in this workspace."
    assert house.standing() == []
    again = await house.press(await house.asks(), "Share")
    assert again.reply.headline == refused.reply.headline
    await Workspaces(house.store).lay_down("memory", house.alice.team, sharing=True)
    await house.shares()
    assert len(house.standing()) == 1


async def test_what_was_shared_before_can_be_taken_back_nevertheless(house):
    shared = await house.shares()
    await Workspaces(house.store).lay_down("memory", house.alice.team, sharing=False)
    await house.press(shared, "Unshare")
    assert house.standing() == []
