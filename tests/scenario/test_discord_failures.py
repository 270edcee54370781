"""The running bot while Discord, the network or the database misbehaves: nothing lost, nothing said twice."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import Any

import pytest
import pytest_asyncio

from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.talk import Talk, answered, answers, headlines, said_to, said_twice, welcomes
from tests.support.discord_server import DiscordServer
from tests.support.slack.talk import answer, question

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPENT = {8: "80.08", 9: "90.09", 10: "101.10"}
OCTOBER, SEPTEMBER, AUGUST = answer(10, "101.10"), answer(9, "90.09"), answer(8, "80.08")
CHANNEL = "general"
NOT_NOW = "I can't take messages right now. Please ask again in a minute."
CALLBACK, EDIT, FURTHER = "POST /interactions/*", "PATCH /webhooks/*", "POST /webhooks/*"
FAULTS = [
    {"status": 500},
    {"status": 500, "after_effect": True},
    {"status": 503},
    {"status": 503, "after_effect": True},
    {"drop": True},
    {"drop": True, "after_effect": True},
]


def named(fault: dict[str, Any]) -> str:
    return "-".join(map(str, fault.values()))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running(tmp_path_factory):
    async with DiscordServer() as discord, DiscordBot(discord, tmp_path_factory.mktemp("failures") / "data") as bot:
        await discord.until(lambda: discord.commands.get(None))
        yield Talk(discord, bot, SPENT)


@pytest.fixture
def house(running):
    running.discord.behave()
    yield running
    running.discord.behave()
    running.discord.lateness = 0.0


class TestPosts:
    @pytest.mark.parametrize("is_global", [False, True], ids=["channel", "global"])
    async def test_a_rate_limit_is_waited_out_and_the_order_kept(self, house, is_global):
        discord, user = house.discord, await house.member(known=True)
        discord.fail(house.posts(user), retry_after=1.5, is_global=is_global)
        for text in (question(10), "and in September?", "and in August?"):
            await discord.say(user, text)
        assert await answered(discord, user, 3) == [OCTOBER, SEPTEMBER, AUGUST]
        posts = discord.calls_of(house.posts(user))
        assert [call.status for call in posts] == [429, 200, 200, 200]
        assert posts[1].at - posts[0].at >= 1.5, "the wait that Discord asks for is the least"

    @pytest.mark.parametrize("fault", FAULTS, ids=named)
    async def test_a_post_that_fails_or_whose_answer_is_lost_stands_there_once(self, house, fault):
        discord, user = house.discord, await house.member()
        discord.fail(house.posts(user), **fault)
        await discord.say(user, question(10))
        await discord.say(user, "and in September?")
        assert await answered(discord, user, 2) == [OCTOBER, SEPTEMBER]
        assert said_twice(discord, user) == []
        again = discord.calls_of(house.posts(user)) + discord.calls_of(house.posts(user).replace("POST", "GET"))
        assert len(again) > 2, "it is tried again, or looked up"

    async def test_it_is_tried_again_though_the_channel_can_not_be_looked_at(self, house):
        discord, user = house.discord, await house.member()
        discord.fail(house.posts(user), drop=True, after_effect=True)
        discord.fail(f"GET /channels/{discord.dm(user)}/messages", 503)
        await discord.say(user, question(10))
        await discord.say(user, "and in September?")
        assert await answered(discord, user, 2) == [OCTOBER, SEPTEMBER]
        assert said_twice(discord, user) == []

    async def test_a_form_that_discord_does_not_take_becomes_plainer(self, house):
        discord, user = house.discord, await house.member()
        with_buttons = lambda call: bool(call.body.get("components"))  # noqa: E731
        for way in (house.posts(user), EDIT):
            discord.fail(way, 400, code=50035, where=with_buttons, times=2)
        await discord.say(user, question(10))
        sent = await house.ask(user)
        assert await house.told(sent) == [OCTOBER]
        assert await answered(discord, user) == [OCTOBER]
        assert [seen.buttons for seen in discord.answers_to(user)] == [(), ()]
        await discord.say(user, question(9))
        assert await answered(discord, user, 2) == [OCTOBER, SEPTEMBER]


class TestAcknowledgements:
    @pytest.mark.parametrize("fault", [{"lateness": 4.0}, {"status": 404, "code": 10062}], ids=["late", "ordered"])
    async def test_an_interaction_that_is_lost_is_answered_nowhere(self, house, fault):
        """Its asker is shown that we did not answer, and asks again."""
        discord, user = house.discord, await house.member()
        calls = len(discord.calls_of(CALLBACK))
        discord.lateness = fault.pop("lateness", 0.0)
        if fault:
            discord.fail(CALLBACK, **fault)
        lost = await house.ask(user)
        await discord.until(lambda: [call.code for call in discord.calls_of(CALLBACK)[calls:]] == [10062])
        discord.lateness = 0.0
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]
        assert not lost.is_acknowledged
        assert said_to(discord, lost) == []
        assert headlines(discord, user) == []

    @pytest.mark.parametrize(
        "fault",
        [
            {"status": 500},
            {"status": 500, "after_effect": True},
            {"status": 503, "after_effect": True},
            {"drop": True, "after_effect": True},
            {"retry_after": 0.5},
        ],
        ids=named,
    )
    async def test_an_acknowledgement_that_fails_or_whose_answer_is_lost(self, house, fault):
        discord, user = house.discord, await house.member()
        discord.fail(CALLBACK, **fault)
        sent = await house.ask(user)
        assert await sent.acknowledged() < 3
        assert await house.told(sent) == [OCTOBER]
        assert headlines(discord, user) == []

    @pytest.mark.parametrize(
        "fault",
        [{"status": 503}, {"drop": True}, {"retry_after": 10.0}, {"retry_after": 4.0, "is_global": True}],
        ids=named,
    )
    async def test_one_that_never_arrived_is_answered_in_direct_messages(self, house, fault):
        """Whether it did is not clear to the bot; what was asked is answered."""
        discord, user = house.discord, await house.member()
        discord.fail(CALLBACK, **fault)
        sent = await house.ask(user)
        assert await answered(discord, user) == [OCTOBER]
        assert not sent.is_acknowledged
        assert headlines(discord, user, CHANNEL) == []
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]

    async def test_a_follow_up_that_is_acknowledged_before_what_it_follows(self, house):
        discord, user = house.discord, await house.member()
        discord.fail(CALLBACK, retry_after=1.0)
        first = await house.ask(user)
        then = await discord.command(user, "money ask", {"question": "and in September?"}, CHANNEL)
        assert (await house.told(first), await house.told(then)) == ([OCTOBER], [SEPTEMBER])

    async def test_a_second_delivery_of_an_interaction_is_answered_once(self, house):
        discord, user = house.discord, await house.member()
        sent = await house.ask(user)
        await discord.redeliver(sent)
        await sent.acknowledged()
        await discord.redeliver(sent)
        await house.told(sent)
        await discord.redeliver(sent)
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]
        await discord.until(lambda: sum(call.code == 40060 for call in discord.calls_of(CALLBACK)) >= 3)
        assert said_to(discord, sent) == [OCTOBER]
        assert headlines(discord, user) == []

    async def test_a_slow_discord_delays_no_acknowledgement(self, house):
        discord, user = house.discord, await house.member()
        for calls in (EDIT, "POST /channels/*"):
            discord.slow(calls, 1.0)
        sent = [await house.ask(user, 10), await house.ask(user, 9)]
        assert max([await each.acknowledged() for each in sent]) < 3
        assert [said_to(discord, each) for each in sent] == [[], []]
        assert [await house.told(each) for each in sent] == [[OCTOBER], [SEPTEMBER]]


class TestAnswers:
    async def test_a_rate_limit_is_waited_out_and_the_order_kept(self, house):
        discord, user = house.discord, await house.member()
        before = len(discord.calls_of(EDIT))
        discord.fail(EDIT, retry_after=1.5)
        first = await house.ask(user)
        await first.acknowledged()
        then = await discord.command(user, "money ask", {"question": "and in September?"}, CHANNEL)
        assert (await house.told(first), await house.told(then)) == ([OCTOBER], [SEPTEMBER])
        edits = discord.calls_of(EDIT)[before:]
        assert [call.status for call in edits] == [429, 200, 200]
        assert edits[1].at - edits[0].at >= 1.5
        assert edits[1].path == edits[0].path

    @pytest.mark.parametrize("fault", FAULTS, ids=named)
    async def test_an_edit_that_fails_or_whose_answer_is_lost_is_made_again(self, house, fault):
        discord, user = house.discord, await house.member()
        discord.fail(EDIT, **fault)
        first = await house.ask(user)
        await first.acknowledged()
        then = await discord.command(user, "money ask", {"question": "and in September?"}, CHANNEL)
        assert (await house.told(first), await house.told(then)) == ([OCTOBER], [SEPTEMBER])
        assert headlines(discord, user) == []

    @pytest.mark.parametrize("where", [CHANNEL, None], ids=["channel", "direct"])
    async def test_a_token_that_is_fifteen_minutes_old(self, house, where):
        """What it can't answer any more goes to direct messages, and nowhere else."""
        discord, user = house.discord, await house.member()
        discord.slow(EDIT, 0.5)
        sent = await house.ask(user, where=where)
        await sent.acknowledged()
        discord.age(sent, 900)
        assert await answered(discord, user) == [OCTOBER]
        assert discord.calls_of(EDIT)[-1].code == 50027
        assert said_to(discord, sent) == []
        assert said_twice(discord, user) == []

    async def test_an_answer_whose_message_was_dismissed(self, house):
        discord, user = house.discord, await house.member()
        discord.slow(EDIT, 0.5)
        sent = await house.ask(user)
        await sent.acknowledged()
        waiting = next(seen for seen in discord.seen_by(user) if seen.loading)
        await discord.dismiss(user, waiting)
        assert await answered(discord, user) == [OCTOBER]

    async def test_a_token_that_is_used_up_while_direct_messages_are_closed(self, house):
        """Nobody is told a figure, and whoever can read the channel only that somebody takes no direct messages."""
        discord, user = house.discord, await house.member(accepts_dms=False)
        place = discord.add_channel(f"late{user}", user, "ben").id
        discord.slow(EDIT, 0.5)
        sent = await house.ask(user, where=place)
        await sent.acknowledged()
        discord.age(sent, 900)
        (line,) = await answered(discord, user, 1, place)
        assert "I can't send you direct messages." in line
        assert "$" not in line
        discord.behave()
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]


class TestOwnInstallations:
    """The bot is not in that place: somebody there has it for themselves, and an interaction may have five further answers."""

    async def test_an_answer_and_a_further_one_are_seen_by_nobody_else(self, house):
        discord, user = house.discord, await house.member(installed=True)
        place = discord.add_group(f"friends of {user}", user, "ben").id
        sent = await house.ask(user, where=place)
        await discord.until(lambda: welcomes(discord, user, place))
        assert said_to(discord, sent) == [OCTOBER]
        assert answers(discord, "ben", place) == headlines(discord, user) == []

    async def test_a_further_answer_that_is_one_too_many_goes_to_direct_messages(self, house):
        discord, user = house.discord, await house.member(installed=True)
        place = discord.add_group(f"others of {user}", user, "ben").id
        discord.fail(FURTHER, 400, code=40094)
        sent = await house.ask(user, where=place)
        await discord.until(lambda: welcomes(discord, user))
        assert said_to(discord, sent) == [OCTOBER]
        assert answers(discord, "ben", place) == []


class TestEvents:
    async def test_redelivered_messages_are_answered_once(self, house):
        discord, user = house.discord, await house.member()
        first = await discord.say(user, question(10))
        for _ in range(3):
            await discord.redeliver(first)
        await answered(discord, user)
        await discord.redeliver(first)
        await discord.say(user, "and in September?")
        assert await answered(discord, user, 2) == [OCTOBER, SEPTEMBER]
        assert said_twice(discord, user) == []

    @pytest.mark.parametrize("end", ["cut", "4000", "4009", "anew", "reconnect", "invalid", "invalid-anew"])
    async def test_connections_that_end_while_messages_arrive(self, house, end):
        """What Discord tells again when the session goes on is answered once; what it told nobody, it shows as not told."""
        discord, user = house.discord, await house.member()
        expected = []
        for number in range(12):
            sent = await discord.say(user, question((10, 9)[number % 2]))
            assert sent.delivered
            expected.append((OCTOBER, SEPTEMBER)[number % 2])
            if number == 7 or (number == 3 and "anew" not in end):
                await self._end(discord, end)
        assert await answered(discord, user, 12, timeout=40) == expected
        assert await house.told(await house.ask(user, 8)) == [AUGUST]
        assert headlines(discord, user) == expected
        assert said_twice(discord, user) == []

    async def _end(self, discord: DiscordServer, end: str) -> None:
        before = len(discord.gateway.identifies)
        match end:
            case "cut":
                return await discord.drop_socket()
            case "4000" | "4009":
                return await discord.drop_socket(code=int(end))
            case "reconnect":
                return await discord.reconnect()
            case "invalid":
                return await discord.invalid_session(resumable=True)
            case "anew":
                await discord.drop_socket(resumable=False)
            case "invalid-anew":
                await discord.invalid_session()
        await discord.until(lambda: len(discord.gateway.identifies) > before, 60)
        return await discord.connected(timeout=60)

    async def test_interactions_that_a_cut_connection_missed(self, house):
        """Those that are told within their three seconds are answered, and no other is answered wrongly."""
        discord, user = house.discord, await house.member()
        await discord.drop_socket()
        sent = await house.ask(user)
        await discord.connected()
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]
        await discord.until(lambda: sent.failed or said_to(discord, sent))
        assert said_to(discord, sent) == ([OCTOBER] if sent.is_acknowledged else [])

    async def test_connections_that_are_refused_for_a_while(self, house):
        discord, user = house.discord, await house.member()
        discord.refuse_connections(1)
        await discord.drop_socket()
        await discord.say(user, question(10))
        await discord.say(user, question(9))
        assert await answered(discord, user, 2, timeout=60) == [OCTOBER, SEPTEMBER]
        assert discord.gateway.refusals == 0


class TestDatabase:
    async def test_what_can_not_be_stored_is_said_and_can_be_asked_again(self, house):
        discord, user = house.discord, await house.member()
        with closing(sqlite3.connect(house.bot.data_dir / "money.sqlite3", isolation_level=None)) as other:
            other.execute("ALTER TABLE inbox RENAME TO inbox_away")
            try:
                sent = await house.ask(user)
                assert await house.told(sent) == [NOT_NOW]
                await discord.say(user, question(10))
                assert await answered(discord, user) == [NOT_NOW]
            finally:
                other.execute("ALTER TABLE inbox_away RENAME TO inbox")
        assert await house.told(await house.ask(user)) == [OCTOBER]
        await discord.say(user, question(9))
        assert await answered(discord, user, 2) == [NOT_NOW, SEPTEMBER]

    async def test_a_database_that_is_locked_for_a_moment(self, house):
        discord, user = house.discord, await house.member()
        with closing(sqlite3.connect(house.bot.data_dir / "money.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            sent = await house.ask(user)
            assert await sent.acknowledged() < 3, "it is acknowledged whatever the database does"
            said = await discord.say(user, question(10))
            await discord.say(user, "and in September?")
            await discord.redeliver(said)
            await asyncio.sleep(0.5)
            assert said_to(discord, sent) == []
            other.execute("ROLLBACK")
        assert await house.told(sent) == [OCTOBER]
        await discord.say(user, "and in August?")
        assert await answered(discord, user, 3) == [OCTOBER, SEPTEMBER, AUGUST]


class TestPlaces:
    async def test_a_mention_by_someone_who_takes_no_direct_messages(self, house):
        discord, user = house.discord, await house.member(accepts_dms=False)
        place = discord.add_channel(f"closed{user}", user, "ben").id
        await discord.mention(user, question(10), place)
        (line,) = await answered(discord, user, 1, place)
        assert "I can't send you direct messages." in line
        assert "$" not in line
        assert headlines(discord, user) == []
        assert await house.told(await house.ask(user)) == [OCTOBER]

    async def test_a_mention_where_the_bot_may_not_write(self, house):
        discord, user = house.discord, await house.member()
        place = discord.add_channel(f"silent{user}")
        discord.forbid(place.id, "send_messages")
        await discord.mention(user, question(10), place.id)
        assert await answered(discord, user) == [OCTOBER]
        await discord.until(lambda: discord.reactions)
        assert answers(discord, user, place.id) == []


class TestLimits:
    async def test_more_than_sixty_questions_in_a_minute(self, house):
        discord, user = house.discord, await house.member()
        for _ in range(61):
            await discord.say(user, "what day is it?")
        await answered(discord, user, 61, timeout=60)
        turned_away = [number for number, seen in enumerate(answers(discord, user)) if "a lot at once" in seen.text]
        assert turned_away == [60]
        other = await house.member()
        assert await house.told(await house.ask(other)) == [OCTOBER]
