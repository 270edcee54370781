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


@pytest.fixture
def hasty(unstarted, config):
    """The adapter where waits take no time."""
    unstarted.adapter = DiscordPlatform(config, unstarted.desk, lambda: NOW, sleep=impatient)
    return unstarted


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
    async def test_commands_are_registered_however_late_discord_takes_them(self, hasty, discord):
        discord.fail("GET /applications/*/commands", 503, times=3)
        await hasty.start()
        await discord.until(lambda: discord.commands.get(None))
        assert [call.status for call in discord.calls_of("GET /applications/*/commands")] == [503, 503, 503, 200]

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

    async def test_after_a_session_is_lost_there_is_a_new_one(self, hasty):
        await hasty.start()
        await hasty.discord.invalid_session(resumable=False)
        await hasty.discord.until(lambda: len(hasty.discord.gateway.identifies) == 2)
        await hasty.discord.connected()
        await hasty.discord.say("ana", "how much?")
        assert (await hasty.received()).text == "how much?"

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


class TestTheNextStart:
    """What a process left is gone on with by the next one, here by another adapter that has the same file."""

    @pytest.fixture
    def config(self, discord, tmp_path):
        return DiscordConfig(TOKEN, discord.api_url, session_file=tmp_path / "session.json")

    async def restart(self, house, **changes):
        await house.adapter.stop()
        config = replace(house.adapter._config, **changes)
        house.adapter = DiscordPlatform(config, house.desk, lambda: NOW, sleep=impatient)
        await house.start()

    async def heard(self, house, text="how much?"):
        """Wait until a post is handed over, and return all that were."""
        await house.discord.say("ana", text)
        while all(message.text != text for message in house.messages):
            await house.received(len(house.messages) + 1)
        return [message.text for message in house.messages]

    async def test_what_was_said_in_between_is_heard_once(self, hasty):
        await hasty.start()
        assert await self.heard(hasty, "before") == ["before"]
        await hasty.adapter.stop()
        await hasty.discord.say("ana", "in between")
        await hasty.discord.mention("ana", "you as well", "general")
        await self.restart(hasty)
        await hasty.received(3)
        await self.restart(hasty)
        assert sorted(await self.heard(hasty, "after")) == ["after", "before", "in between", "you as well"]
        assert (len(hasty.discord.gateway.identifies), hasty.discord.gateway.resumes) == (1, 2)

    async def test_what_came_too_late_to_be_stored_is_told_again(self, hasty):
        going, gate = asyncio.Event(), asyncio.Event()

        async def slow(_message):
            going.set()
            await gate.wait()
            return Accepted(1)

        await hasty.start(slow)
        await hasty.discord.say("ana", "how much?")
        await going.wait()
        stopping = asyncio.create_task(hasty.adapter.stop())
        await asyncio.sleep(0)
        await hasty.discord.say("ana", "too late")
        gate.set()
        await stopping
        await self.restart(hasty)
        assert await self.heard(hasty, "after") == ["how much?", "too late", "after"]

    async def test_what_only_fails_is_not_told_again_and_again(self, hasty):
        async def fail(_message):
            raise RuntimeError

        await hasty.start(fail)
        await hasty.discord.say("ana", "how much?")
        await hasty.received()
        await self.restart(hasty)
        assert await self.heard(hasty, "after") == ["how much?", "after"]

    async def test_a_connection_that_breaks_off_afterwards_is_resumed_as_ever(self, hasty):
        await hasty.start()
        await self.restart(hasty)
        await hasty.discord.drop_socket()
        assert await self.heard(hasty) == ["how much?"]
        assert (len(hasty.discord.gateway.identifies), hasty.discord.gateway.resumes) == (1, 2)

    async def test_a_session_that_discord_let_go_is_begun_anew_and_then_kept(self, hasty):
        await hasty.start()
        await hasty.adapter.stop()
        hasty.discord.gateway.lasts = 0.0
        assert not (await hasty.discord.say("ana", "lost")).delivered
        await self.restart(hasty)
        gateway = hasty.discord.gateway
        assert (gateway.invalid, len(gateway.identifies)) == (1, 2)
        gateway.lasts = 60.0
        await self.restart(hasty)
        assert await self.heard(hasty) == ["how much?"]
        assert (gateway.resumes, len(gateway.identifies)) == (1, 2)

    @pytest.mark.parametrize("code", [4007, 1006])
    async def test_a_session_that_discord_only_closes_is_begun_anew(self, hasty, monkeypatch, code):
        async def close(socket, _data):
            tries.append(code)
            socket.dropped = True
            if code == 1006:
                socket.request.transport.abort()
            else:
                await socket.ws.close(code=code)

        tries: list[int] = []
        await hasty.start()
        monkeypatch.setattr(hasty.discord.gateway, "_resume", close)
        await self.restart(hasty)
        assert await self.heard(hasty) == ["how much?"]
        assert (len(tries), len(hasty.discord.gateway.identifies)) == (3, 2)

    async def test_a_gateway_that_refuses_at_first_is_asked_for_the_same_session(self, hasty):
        await hasty.start()
        await hasty.adapter.stop()
        await hasty.discord.say("ana", "in between")
        hasty.discord.refuse_connections(5)
        await self.restart(hasty)
        assert await self.heard(hasty) == ["in between", "how much?"]
        assert len(hasty.discord.gateway.identifies) == 1

    async def test_one_that_is_told_of_other_things_is_not_gone_on_with(self, hasty):
        await hasty.start()
        hasty.discord.allow_intents("message_content")
        await self.restart(hasty, thread_follow_ups=True)
        gateway = hasty.discord.gateway
        assert (gateway.resumes, gateway.invalid) == (0, 0)
        assert [each["intents"] & 1 << 15 for each in gateway.identifies] == [0, 1 << 15]


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
            key = ConversationKey("discord", "", channel, "", PERSON)
            elsewhere = replace(message, conversation=key, channel=channel)
            assert await house.adapter.readers(elsewhere) is Audience.SHARED

    async def test_where_discord_does_not_say_nothing_is_answered(self, served, agent):
        served.discord.fail("GET /channels/*", 503)
        await served.discord.say("ana", "how much?")
        await served.sees("I could not find out who would read the answer")
        assert agent.requests == []


class TestProgress:
    async def test_typing_shows_where_something_was_written(self, house):
        dm = house.discord.dm("ana")
        await house.discord.mention("ana", "how much?", "general")
        message = await house.received()
        named = message.conversation
        await house.adapter.readers(message)  # which is asked before each turn, in the process that answers
        for conversation in (ConversationKey("discord", "", dm, "", PERSON), named):
            await house.adapter.progress(conversation, "working")
            await house.adapter.progress(conversation, "idle")
        assert [channel for channel, _ in house.discord.typing] == [dm, GENERAL]

    async def test_a_command_shows_by_itself_that_it_is_worked_on(self, house):
        await house.discord.mention("ana", "how much?", "general")
        await house.received()
        await house.discord.command("ana", "money ask", {"question": "and before?"}, "general")
        asked = await house.received(2)
        await house.adapter.progress(asked.conversation, "working")
        assert house.discord.typing == []


class TestAnsweredElsewhere:
    """What was asked in a server and is answered in direct messages goes on where it was asked."""

    async def test_a_press_below_it_goes_on_with_that_conversation(self, served, agent):
        more = Actions((Action("More", "ask", "and before?"),))
        agent.replies["how much?"] = Reply("answer", "You spent", (more,))
        await served.discord.mention("ana", "how much?", "general")
        await served.discord.press("ana", await served.sees("You spent"), "More")
        await served.sees("You said and before?")
        assert [turn.text for turn in agent.requests[-1].past] == ["how much?"]

    async def test_nothing_is_shared_from_there(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.mention("ana", "how much?", "general")
        assert "Share" not in [button.label for button in (await served.sees("You spent")).buttons]

    async def test_nobody_else_can_share_it(self, served, agent):
        agent.replies["how much?"] = Reply("answer", "You spent $5", (Actions((Action("Share", "share"),)),))
        await served.discord.command("ana", "money ask", {"question": "how much?"}, GENERAL)
        answer = await served.sees("You spent")
        await served.discord.press("ben", answer.id, answer.buttons[0].custom_id, forged=True)
        line = await served.sees("no answer of yours here to share", "ben")
        assert line.ephemeral
        assert not any("$5" in text for text in served.seen("ben"))

    async def test_the_channel_is_told_of_no_welcome_to_who_writes_in_direct_messages(self, served):
        served.discord.add_user("dora")
        await served.discord.mention("dora", "costs", "general")
        await served.sees("You said costs", "dora")
        await served.runner.idle()
        await served.discord.say("dora", "private question")
        await served.sees("You said private question", "dora")
        await served.sees("I answer questions about your own money", "dora")
        await served.runner.idle()
        assert served.seen("ben") == []
        assert len(served.discord.reactions) == 1
