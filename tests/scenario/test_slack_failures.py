"""The running bot while Slack, the network, the database or the model misbehaves: nothing lost, nothing said twice."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from itertools import count
from typing import Any

import pytest
import pytest_asyncio

from bots.fixed_replies import UNSURE
from tests.support.ollama_server import MODEL, OllamaServer
from tests.support.slack.bot import BotProcess
from tests.support.slack.state import BOT_USER
from tests.support.slack.talk import answer, answered, groceries, headline, headlines, question, replies, said_twice
from tests.support.slack_server import Sent, SlackServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPENT = {8: "80.08", 9: "90.09", 10: "101.10"}
OCTOBER, SEPTEMBER = answer(10, "101.10"), answer(9, "90.09")
CHANNEL = "C1GENERAL"
_numbers = count(1)


class House:
    """One Slack and one bot for the tests of this module, and new people for each of them."""

    def __init__(self, slack: SlackServer, bot: BotProcess) -> None:
        self.slack = slack
        self.bot = bot

    async def member(self, *channels: str, **facts: Any) -> str:
        user = f"U{next(_numbers)}FAIL"
        self.slack.add_member(user, **facts)
        for channel in channels:
            self.slack.workspace.channels[channel].members.add(user)
        await self.bot.give(user, "bank.csv", groceries(SPENT))
        return user

    def dm(self, user: str) -> str:
        return self.slack.workspace.members[user].dm


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def running(tmp_path_factory):
    async with SlackServer() as slack, BotProcess(slack, tmp_path_factory.mktemp("failures") / "data") as bot:
        yield House(slack, bot)


@pytest.fixture
def house(running):
    running.slack.behave()
    yield running
    running.slack.behave()


def to(channel: str, **wanted: Any):
    """A fault's condition: the call is for this channel."""
    return lambda arguments: arguments.get("channel") == channel and wanted.items() <= arguments.items()


def in_channel(house: House, user: str, channel: str = CHANNEL) -> list[str]:
    return [headline(seen) for seen in house.slack.answers_to(user) if seen.channel == channel]


class TestPosts:
    async def test_a_rate_limit_is_waited_out_and_the_order_kept(self, house):
        slack, user = house.slack, await house.member()
        slack.fail("chat.postMessage", "ratelimited", retry_after=2, where=to(house.dm(user)))
        first = await slack.say(user, question(10))
        for text in ("and in September?", "and in August?"):
            await slack.say(user, text, thread_ts=first.ts)
        assert await answered(slack, user, first, 3) == [OCTOBER, SEPTEMBER, answer(8, "80.08")]
        posts = [call for call in slack.calls_of("chat.postMessage") if call.arguments["channel"] == house.dm(user)]
        assert [call.status for call in posts] == [429, 200, 200, 200]
        assert posts[1].at - posts[0].at >= 2, "the wait that Slack asks for is the least"

    @pytest.mark.parametrize(
        "fault",
        [
            {"status": 500},
            {"status": 503, "after_effect": True},
            {"error": "internal_error"},
            {"drop": True},
            {"drop": True, "after_effect": True},
        ],
        ids=lambda fault: "-".join(map(str, fault.values())),
    )
    async def test_a_post_that_fails_or_whose_answer_is_lost_stands_there_once(self, house, fault):
        slack, user = house.slack, await house.member()
        slack.fail("chat.postMessage", where=to(house.dm(user)), **fault)
        first = await slack.say(user, question(10))
        await slack.say(user, "and in September?", thread_ts=first.ts)
        assert await answered(slack, user, first, 2) == [OCTOBER, SEPTEMBER]
        assert said_twice(slack, user) == []

    async def test_it_is_tried_again_as_often_as_it_takes(self, house):
        """The answer to the post is lost, and then the thread can't be looked at."""
        slack, user = house.slack, await house.member()
        slack.fail("chat.postMessage", drop=True, after_effect=True, where=to(house.dm(user)))
        slack.fail("conversations.replies", "internal_error", where=to(house.dm(user)))
        first = await slack.say(user, question(10))
        await slack.say(user, "and in September?", thread_ts=first.ts)
        assert await answered(slack, user, first, 2) == [OCTOBER, SEPTEMBER]
        looks = [call for call in slack.calls_of("conversations.replies") if call.arguments["ts"] == first.ts]
        assert len(looks) == 2

    async def test_a_slow_slack_delays_no_acknowledgement(self, house):
        slack, user = house.slack, await house.member()
        slack.slow("*", 1.0)
        sent = [await slack.say(user, question(10)), await slack.say(user, question(9))]
        for each in sent:
            await each.acknowledged(3)
        assert [headlines(slack, user, each) for each in sent] == [[], []]
        slack.behave()
        assert [await answered(slack, user, each) for each in sent] == [[OCTOBER], [SEPTEMBER]]

    async def test_blocks_that_slack_does_not_take_become_plainer_and_then_text(self, house):
        slack, user = house.slack, await house.member()
        home = house.dm(user)
        slack.fail(
            "chat.postMessage",
            "invalid_blocks",
            times=5,
            where=lambda args: args["channel"] == home and "blocks" in args,
        )
        sent = await slack.say(user, question(10))
        await slack.until(lambda: replies(slack, user, sent))
        seen = replies(slack, user, sent)[0]
        assert OCTOBER in seen.text
        assert "blocks" not in seen.payload
        slack.behave()
        other = await slack.say(user, question(9))
        assert await answered(slack, user, other) == [SEPTEMBER]
        assert said_twice(slack, user) == []


class TestChannels:
    @pytest.mark.parametrize("error", ["channel_not_found", "is_archived", "not_in_channel", "user_not_in_channel"])
    async def test_where_the_channel_takes_nothing_the_person_is_told_and_nobody_else(self, house, error):
        slack, user = house.slack, await house.member(CHANNEL)
        slack.fail("chat.postEphemeral", error, where=lambda args: args["user"] == user)
        before = len(slack.calls_of("chat.postMessage"))
        await slack.say(user, f"<@{BOT_USER}> {question(10)}", CHANNEL)
        await slack.until(lambda: slack.answers_to(user))
        (seen,) = slack.answers_to(user)
        assert (seen.channel, headline(seen)) == (house.dm(user), OCTOBER)
        posts = slack.calls_of("chat.postMessage")[before:]
        assert {call.arguments["channel"] for call in posts} == {house.dm(user)}

    async def test_a_channel_that_is_archived_after_the_question(self, house):
        slack = house.slack
        user = await house.member()
        place = slack.add_channel("CARCHIVED", "old", user)
        place.archived = True
        await slack.say(user, f"<@{BOT_USER}> {question(10)}", place.id)
        await slack.until(lambda: slack.answers_to(user))
        assert [(seen.channel, headline(seen)) for seen in slack.answers_to(user)] == [(house.dm(user), OCTOBER)]

    @pytest.mark.parametrize("error", ["used_url", "expired_url"])
    async def test_an_address_that_is_used_up(self, house, error):
        slack, user = house.slack, await house.member(CHANNEL)
        slack.fail("response_url", error, status=404)
        await (await slack.command(user, "/money", question(10), CHANNEL)).acknowledged()
        await slack.until(lambda: slack.answers_to(user))
        (seen,) = slack.answers_to(user)
        assert (seen.channel, seen.ephemeral, headline(seen)) == (CHANNEL, True, OCTOBER)

    async def test_an_address_that_is_used_up_where_the_bot_is_no_member(self, house):
        slack, user = house.slack, await house.member()
        slack.add_channel("CWITHOUT", "without", user, bot=False)
        slack.fail("response_url", "expired_url", status=404)
        await (await slack.command(user, "/money", question(10), "CWITHOUT")).acknowledged()
        await slack.until(lambda: slack.answers_to(user))
        assert [(seen.channel, headline(seen)) for seen in slack.answers_to(user)] == [(house.dm(user), OCTOBER)]

    @pytest.mark.parametrize(
        "fault", [{"error": "user_not_found"}, {"status": 500}, {"error": "ratelimited"}, {"drop": True, "times": 2}]
    )
    async def test_without_knowing_who_somebody_is_no_figure_is_said_in_a_channel(self, house, fault):
        slack, user = house.slack, await house.member(CHANNEL)
        slack.fail("users.info", where=lambda args: args["user"] == user, **fault)
        await slack.say(user, f"<@{BOT_USER}> {question(10)}", CHANNEL)
        await slack.until(lambda: slack.answers_to(user))
        assert not re.search(r"\d", slack.answers_to(user)[0].text)
        await slack.say(user, f"<@{BOT_USER}> {question(10)}", CHANNEL)
        await slack.until(lambda: len(slack.answers_to(user)) > 1)
        assert in_channel(house, user)[1:] == [OCTOBER], "once Slack answers, so does the bot"

    async def test_in_direct_messages_neither(self, house):
        slack, user = house.slack, await house.member()
        slack.fail("users.info", status=500, where=lambda args: args["user"] == user)
        assert await answered(slack, user, await slack.say(user, question(10))) == [UNSURE.headline]
        assert await answered(slack, user, await slack.say(user, question(10))) == [OCTOBER]

    async def test_an_ephemeral_whose_answer_is_lost_comes_at_least_once(self, house):
        """Slack can't be asked for it, so that it may come twice, and no more."""
        slack, user = house.slack, await house.member(CHANNEL)
        slack.fail("chat.postEphemeral", drop=True, after_effect=True, where=lambda args: args["user"] == user)
        await slack.say(user, f"<@{BOT_USER}> {question(10)}", CHANNEL)
        await slack.say(user, f"<@{BOT_USER}> {question(9)}", CHANNEL)
        await slack.until(lambda: SEPTEMBER in in_channel(house, user))
        assert in_channel(house, user) in ([OCTOBER, SEPTEMBER], [OCTOBER, OCTOBER, SEPTEMBER])


class TestDeliveries:
    async def test_redeliveries_are_answered_once(self, house):
        slack, user = house.slack, await house.member()
        first = await slack.say(user, question(10))
        for reason in ("timeout", "http_error", "unknown_error"):
            await slack.redeliver(first, reason)
        await answered(slack, user, first)
        await (await slack.redeliver(first)).acknowledged()
        await slack.say(user, "and in September?", thread_ts=first.ts)
        assert await answered(slack, user, first, 2) == [OCTOBER, SEPTEMBER]

    async def test_a_mention_and_its_twin_are_answered_once(self, house):
        slack, user = house.slack, await house.member(CHANNEL)
        sent = await slack.say(user, f"<@{BOT_USER}> {question(10)}", CHANNEL, twin=True)
        await sent.twin.acknowledged()
        await slack.redeliver(sent.twin)
        await slack.redeliver(sent)
        await slack.say(user, f"<@{BOT_USER}> {question(9)}", CHANNEL, twin=True)
        await slack.until(lambda: SEPTEMBER in in_channel(house, user))
        assert in_channel(house, user) == [OCTOBER, SEPTEMBER]

    @pytest.mark.parametrize("announce", [True, False], ids=["announced", "cut"])
    async def test_connections_that_end_while_messages_arrive(self, house, announce):
        slack, user = house.slack, await house.member()
        sent = []
        for number in range(12):
            sent.append(await slack.say(user, question((10, 9)[number % 2])))
            if number in (3, 7):
                await slack.drop_socket(announce=announce)
        for number, each in enumerate(sent):
            assert await answered(slack, user, each, timeout=40) == [(OCTOBER, SEPTEMBER)[number % 2]]
        last = await slack.say(user, question(8))
        assert await answered(slack, user, last, timeout=40) == [answer(8, "80.08")]
        assert [len(replies(slack, user, each)) for each in sent] == [1] * len(sent)

    async def test_connections_that_are_refused_for_a_while(self, house):
        slack, user = house.slack, await house.member()
        slack.refuse_connections(1)
        await slack.drop_socket(announce=False)
        sent = [await slack.say(user, question(10)), await slack.say(user, question(9))]
        assert [await answered(slack, user, each, timeout=60) for each in sent] == [[OCTOBER], [SEPTEMBER]]
        assert slack.delivery.refusals == 0

    async def test_a_message_that_can_not_be_stored_is_not_acknowledged(self, house):
        """Slack delivers it again, and once it can be stored it is answered, once."""
        slack, user = house.slack, await house.member()
        with closing(sqlite3.connect(house.bot.data_dir / "money.sqlite3", isolation_level=None)) as other:
            other.execute("ALTER TABLE inbox RENAME TO inbox_away")
            try:
                sent = await slack.say(user, question(10))
                await slack.redeliver(sent)
                await asyncio.sleep(0.5)
                assert not sent.is_acknowledged
            finally:
                other.execute("ALTER TABLE inbox_away RENAME TO inbox")
        await (await slack.redeliver(sent)).acknowledged()
        await slack.say(user, "and in September?", thread_ts=sent.ts)
        assert await answered(slack, user, sent, 2) == [OCTOBER, SEPTEMBER]

    async def test_a_database_that_is_locked_for_a_moment(self, house):
        slack, user = house.slack, await house.member()
        with closing(sqlite3.connect(house.bot.data_dir / "money.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            first = await slack.say(user, question(10))
            await slack.say(user, "and in September?", thread_ts=first.ts)
            await slack.redeliver(first)
            await asyncio.sleep(0.5)
            assert not first.is_acknowledged
            other.execute("ROLLBACK")
        await first.acknowledged()
        await slack.say(user, "and in August?", thread_ts=first.ts)
        assert await answered(slack, user, first, 3) == [OCTOBER, SEPTEMBER, answer(8, "80.08")]


class TestLimits:
    async def test_more_than_sixty_questions_in_a_minute(self, house):
        slack, user = house.slack, await house.member()
        sent = [await slack.say(user, "help") for _ in range(61)]
        await slack.until(lambda: all(replies(slack, user, each) for each in sent), 60)
        turned_away = [each for each in sent if "That was a lot at once" in replies(slack, user, each)[0].text]
        assert turned_away == sent[60:]
        other = await house.member()
        assert await answered(slack, other, await slack.say(other, question(10))) == [OCTOBER]


class TestStarts:
    async def test_a_second_process_says_so_and_ends(self, house, tmp_path):
        second = BotProcess(house.slack, house.bot.data_dir)
        await second.start(connected=False)
        assert await second.ended() == 1
        assert second.log.strip() == "money-minder: Another process already serves from this data directory."

    async def test_a_second_process_on_the_same_database_says_so_and_ends(self, house, tmp_path):
        database = {"MONEY_MINDER_DATABASE_URL": str(house.bot.data_dir / "money.sqlite3")}
        second = BotProcess(house.slack, tmp_path / "another", database)
        await second.start(connected=False)
        assert await second.ended() == 1
        (line,) = second.log.strip().splitlines()
        assert line.startswith("money-minder: Another bot serves this database. Stop it first;")

    async def test_a_token_that_slack_does_not_accept(self, house, tmp_path):
        house.slack.fail("auth.test", "token_revoked")
        refused = BotProcess(house.slack, tmp_path / "data")
        await refused.start(connected=False)
        assert await refused.ended() == 1
        said = "money-minder: Slack does not accept MONEY_MINDER_SLACK__BOT_TOKEN (token_revoked)."
        assert refused.log.strip().splitlines()[-1] == said
        assert "Traceback" not in refused.log

    @pytest.mark.timeout(120)
    async def test_a_token_that_is_revoked_meanwhile_ends_it_with_a_code_of_its_own(self, tmp_path):
        """What could not be said for that is said by the next start."""
        async with SlackServer() as slack, BotProcess(slack, tmp_path / "data") as bot:
            house = House(slack, bot)
            ana = await house.member()
            for method in ("chat.postMessage", "auth.test"):
                slack.fail(method, "token_revoked", times=99)
            sent = await slack.say(ana, question(10))
            assert await bot.ended() == 3
            assert bot.log.count("money-minder: Slack no longer lets me in (token_revoked).") == 1
            assert "Traceback" not in bot.log
            slack.behave()
            await bot.start()
            assert await answered(slack, ana, sent) == [OCTOBER]


@pytest.mark.timeout(240)
class TestEnds:
    async def test_what_is_under_way_is_finished_and_the_rest_answered_by_the_next_start(self, tmp_path):
        """Started while Slack does not answer at first, and ended by SIGTERM in the midst of work."""
        async with SlackServer() as slack:
            slack.fail("auth.test", status=503)
            slack.fail("auth.test", drop=True)
            async with BotProcess(slack, tmp_path / "data") as bot:
                await self._end_and_start(House(slack, bot))

    async def _end_and_start(self, house: House) -> None:
        slack, bot = house.slack, house.bot
        ana, ben = await house.member(), await house.member()
        slack.slow("chat.postMessage", 1.0)
        slack.fail("chat.postMessage", drop=True, times=99, where=to(house.dm(ben)))
        finished = await slack.say(ana, question(10))
        stuck = await slack.say(ben, question(10))
        waiting = await slack.say(ben, "and in September?", thread_ts=stuck.ts)
        for each in (finished, stuck, waiting):
            await each.acknowledged()
        await slack.until(lambda: len(slack.calls_of("chat.postMessage")) >= 2)
        assert await bot.stop() == 0
        assert headlines(slack, ana, finished) == [OCTOBER]
        assert headlines(slack, ben, stuck) == []
        late = await slack.say(ana, "and in September?", thread_ts=finished.ts)
        slack.behave()
        await bot.start()
        assert await answered(slack, ben, stuck, 2) == [OCTOBER, SEPTEMBER]
        assert await answered(slack, ana, late, 2) == [OCTOBER, SEPTEMBER]
        assert "Traceback" not in bot.log


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def telling(tmp_path_factory):
    """A bot with a scripted model, which tells about answers and is asked where the planner is unsure."""
    with OllamaServer([["You spent {f1}."]]) as ollama:
        settings = {"MONEY_MINDER_MODEL": f"ollama:{MODEL}", "MONEY_MINDER_OLLAMA_URL": ollama.url}
        async with (
            SlackServer() as slack,
            BotProcess(slack, tmp_path_factory.mktemp("telling") / "data", settings) as bot,
        ):
            yield House(slack, bot), ollama


@pytest.fixture
def told(telling):
    house, ollama = telling
    house.slack.behave()
    house.slack.stream_lifetime = 300
    ollama.answers[:] = [["It went to groceries: {f1}. ", "That is {f1} in all. ", "So {f1} it was."]]
    yield house, ollama
    house.slack.behave()


WHOLE = "It went to groceries: $101.10. That is $101.10 in all. So $101.10 it was."


async def told_below(house: House, user: str) -> tuple[Sent, list[str]]:
    """Ask; return the question and, once the sentences have ended, what stands below the answer."""
    slack = house.slack
    sent = await slack.say(user, question(10))

    def settled() -> bool:
        below = replies(slack, user, sent)[1:]
        return bool(below) and not any(each.streaming for each in below)

    await slack.until(settled)
    return sent, [each.text.strip() for each in replies(slack, user, sent)[1:]]


class TestStreams:
    async def test_sentences_stand_below_the_answer(self, told):
        house, _ = told
        user = await house.member()
        sent, below = await told_below(house, user)
        assert headlines(house.slack, user, sent)[0] == OCTOBER
        assert below == [WHOLE]

    @pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
    async def test_a_rate_limit_on_a_stream(self, told, method):
        house, _ = told
        user = await house.member()
        house.slack.fail(method, "ratelimited", retry_after=1)
        assert (await told_below(house, user))[1] == [WHOLE]

    @pytest.mark.parametrize(
        ("method", "fault"),
        [
            ("chat.appendStream", {"status": 500}),
            ("chat.appendStream", {"drop": True, "after_effect": True}),
            ("chat.stopStream", {"drop": True, "after_effect": True}),
            ("chat.startStream", {"error": "feature_disabled"}),
        ],
    )
    async def test_a_call_of_a_stream_that_fails(self, told, method, fault):
        house, _ = told
        user = await house.member()
        house.slack.fail(method, **fault)
        text = " ".join((await told_below(house, user))[1])
        assert_said_once(text)
        assert "It went to groceries: $101.10." in text

    @pytest.mark.parametrize("ended", ["expired", "short"])
    async def test_a_stream_that_slack_ends_in_the_middle(self, told, ended):
        house, _ = told
        slack, user = house.slack, await house.member()
        slack.slow("chat.appendStream", 0.3)
        if ended == "short":
            slack.stream_lifetime = 0.2
        sent = await slack.say(user, question(10))
        await slack.until(lambda: len(replies(slack, user, sent)) > 1)
        if ended == "expired":
            slack.expire_stream(replies(slack, user, sent)[1].ts)

        def below() -> str:
            return " ".join(each.text.strip() for each in replies(slack, user, sent)[1:])

        await slack.until(lambda: "So $101.10 it was." in below())
        assert below() == WHOLE


def assert_said_once(text: str) -> None:
    for sentence in ("It went to groceries", "That is", "So $"):
        assert text.count(sentence) <= 1, text


class TestStops:
    async def test_the_stop_button_during_a_turn(self, told):
        house, ollama = told
        slack, user = house.slack, await house.member()
        ollama.answers[:] = ["slow"]
        ollama.slow_seconds = 20
        sent = await slack.say(user, "List all my trips to Cineworld.")
        await slack.until(lambda: (found := slack.session(house.dm(user), sent.ts)) and found.status == "processing")
        await slack.stop_session(user, house.dm(user), sent.ts, [])
        assert await answered(slack, user, sent) == ["Stopped."]
        ollama.answers[:] = [["It was {f1}."]]
        await slack.say(user, question(10), thread_ts=sent.ts)
        await slack.until(lambda: OCTOBER in headlines(slack, user, sent))
        assert headlines(slack, user, sent)[:2] == ["Stopped.", OCTOBER]
        await slack.until(lambda: slack.session(house.dm(user), sent.ts).status == "active")

    async def test_the_stop_button_during_a_stream(self, told):
        house, _ = told
        slack, user = house.slack, await house.member()
        slack.slow("chat.appendStream", 1.0)
        sent = await slack.say(user, question(10))
        await slack.until(lambda: len(replies(slack, user, sent)) > 1)
        stream = replies(slack, user, sent)[1]
        await (await slack.stop_session(user, house.dm(user), sent.ts)).acknowledged()
        slack.behave()
        await slack.say(user, "help", thread_ts=sent.ts)
        await slack.until(lambda: len(replies(slack, user, sent)) > 2)
        said = next(seen for seen in replies(slack, user, sent) if seen.ts == stream.ts)
        assert not said.streaming
        assert "So $101.10" not in said.text, "nothing is added once it was stopped"
        assert slack.session(house.dm(user), sent.ts).status == "active"
