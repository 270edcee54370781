"""The connection: who we are, what ends it, and that nothing is lost where it breaks off."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bots.contracts import Accepted, ConversationKey
from bots.discord_app.platform import DiscordConfig, DiscordPlatform
from bots.errors import CommandError, SendFailed
from graph.reply import Action, Actions, Audience, Reply
from tests.support.discord_server import GENERAL, TOKEN
from tests.unit.bots.discord_app.conftest import NOW, PERSON


async def impatient(_seconds: float) -> None:
    """Let others go on, and wait for nothing."""
    await asyncio.sleep(0)


class TestStarting:
    @pytest.fixture
    def config(self, discord):
        discord.gateway.token = "another"
        return DiscordConfig(TOKEN, discord.api_url)

    async def test_a_token_that_discord_does_not_know_ends_the_start(self, unstarted):
        with pytest.raises(CommandError, match="does not accept MONEY_MINDER_DISCORD__TOKEN"):
            await unstarted.start()

    async def test_where_discord_can_not_be_reached_the_start_says_so_after_some_tries(self, unstarted, discord):
        discord.gateway.token = TOKEN
        discord.fail("GET /users/@me", 503, times=9)
        adapter = DiscordPlatform(DiscordConfig(TOKEN, discord.api_url), unstarted.desk, lambda: NOW, sleep=impatient)
        with pytest.raises(CommandError, match="can't be reached"):
            await adapter.start(unstarted.runner.receive)
        assert len(discord.calls_of("GET /users/@me")) == 5

    async def test_before_the_start_nothing_is_sent(self, unstarted):
        with pytest.raises(SendFailed):
            await unstarted.adapter.progress(ConversationKey("discord", "", "1", "", PERSON), "working")


class TestTheConnection:
    async def test_nothing_privileged_is_asked_for(self, house):
        (session,) = house.discord.gateway.sessions.values()
        assert session.intents == 1 << 0 | 1 << 9 | 1 << 12  # guilds, guild messages, direct messages

    @pytest.mark.parametrize("how", ["drop", "reconnect", "invalid"])
    async def test_what_is_said_while_it_breaks_off_is_heard(self, house, how):
        match how:
            case "drop":
                await house.discord.drop_socket()
            case "reconnect":
                await house.discord.reconnect()
            case "invalid":
                await house.discord.invalid_session(resumable=True)
        await house.discord.say("ana", "how much?")
        await house.discord.connected()
        assert (await house.received()).text == "how much?"

    async def test_after_a_session_is_lost_there_is_a_new_one(self, house):
        await house.discord.invalid_session(resumable=False)
        await house.discord.connected()
        await house.discord.until(lambda: any(each.socket for each in house.discord.gateway.sessions.values()))
        await house.discord.say("ana", "how much?")
        assert (await house.received()).text == "how much?"

    @pytest.fixture
    def hasty(self, unstarted):
        """The adapter where waits take no time."""
        config, desk = unstarted.adapter._config, unstarted.desk
        unstarted.adapter = DiscordPlatform(config, desk, lambda: NOW, sleep=impatient)
        return unstarted

    async def test_a_gateway_that_refuses_at_first_is_tried_again(self, hasty):
        hasty.discord.refuse_connections(2)
        await hasty.start()
        await hasty.discord.say("ana", "how much?")
        assert (await hasty.received()).text == "how much?"

    async def test_a_connection_that_ended_for_good_is_begun_anew(self, hasty):
        await hasty.start()
        await hasty.discord.drop_socket(code=4011, resumable=False)
        await hasty.discord.connected()
        await hasty.discord.say("ana", "how much?")
        assert (await hasty.received()).text == "how much?"
        await hasty.adapter.progress(ConversationKey("discord", "", hasty.discord.dm("ana"), "", PERSON), "working")
        assert hasty.discord.typing

    async def test_what_was_acknowledged_is_stored_before_it_stops(self, unstarted):
        going, gate = asyncio.Event(), asyncio.Event()

        async def slow(_message):
            going.set()
            await gate.wait()
            return Accepted(1)

        await unstarted.start(slow)
        await unstarted.discord.say("ana", "how much?")
        await going.wait()
        stopping = asyncio.create_task(unstarted.adapter.stop())
        await asyncio.sleep(0)
        await unstarted.discord.say("ana", "too late")
        assert not stopping.done()
        gate.set()
        await stopping
        assert [message.text for message in unstarted.messages] == ["how much?"]

    async def test_stopped_it_can_be_started_again(self, house):
        await house.adapter.stop()
        await house.adapter.stop()
        await house.start()
        await house.discord.say("ana", "how much?")
        assert (await house.received()).text == "how much?"


class TestReaders:
    async def test_a_direct_message_has_one_reader_and_is_looked_up_once(self, house):
        for _ in range(2):
            await house.discord.say("ana", "how much?")
        message = await house.received(2)
        for _ in range(2):
            assert await house.adapter.readers(message) is Audience.PRIVATE
        assert len(house.discord.calls_of("GET /channels/*")) == 1

    async def test_a_channel_that_is_no_direct_message_with_the_asker_is_shared(self, house):
        await house.discord.say("ana", "how much?")
        message = await house.received()
        for channel in (GENERAL, house.discord.dm("ben")):
            elsewhere = replace(message, conversation=ConversationKey("discord", "", channel, "", PERSON))
            assert await house.adapter.readers(elsewhere) is Audience.SHARED

    async def test_where_discord_does_not_say_nothing_is_answered(self, served, agent):
        served.discord.fail("GET /channels/*", 503)
        await served.discord.say("ana", "how much?")
        await served.sees("I could not find out who would read the answer")
        assert agent.requests == []


class TestProgress:
    async def test_typing_shows_in_direct_messages_alone(self, house):
        for conversation in (
            ConversationKey("discord", "", house.discord.dm("ana"), "", PERSON),
            ConversationKey("discord", "1", GENERAL, "", PERSON),
        ):
            await house.adapter.progress(conversation, "working")
            await house.adapter.progress(conversation, "idle")
        assert [channel for channel, _ in house.discord.typing] == [house.discord.dm("ana")]


class TestAnsweredElsewhere:
    """What was asked in a server and is answered in direct messages goes on where it was asked."""

    async def test_a_press_below_it_goes_on_with_that_conversation(self, served, agent):
        more = Actions((Action("More", "ask", "and before?"),))
        agent.replies["how much?"] = Reply("answer", "You spent", (more,))
        await served.discord.mention("ana", "how much?", "general")
        await served.discord.press("ana", await served.sees("You spent"), "More")
        await served.sees("You said and before?")
        assert [turn.text for turn in agent.requests[-1].past] == ["how much?"]

    async def test_shared_from_there_it_is_seen_where_it_was_asked(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.mention("ana", "how much?", "general")
        await served.discord.press("ana", await served.sees("You spent"), "Share")
        await served.sees("@Ana shared this:\nYou spent $5", "ben")

    async def test_nobody_else_can_share_it(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        answer = await served.sees("You spent")
        await served.discord.press("ben", answer.id, answer.buttons[0].custom_id, forged=True)
        line = await served.sees("no answer of yours here to share", "ben")
        assert line.ephemeral
        assert not any("$5" in text for text in served.seen("ben"))
