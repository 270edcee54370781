"""The connection by itself: how long it waits, how it ends, and what is left of it for the next process."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from discord.gateway import DiscordWebSocket
from structlog.testing import capture_logs

from bots.discord_app import client
from bots.discord_app.client import Connection, DiscordConfig
from bots.discord_app.web import DiscordWeb
from bots.errors import CommandError
from tests.support.discord_fake.listening import Listener
from tests.support.discord_server import APP, BOT, GENERAL, TOKEN

FLAPS = 6


class Line(Listener):
    """A connection whose waits are noted and take no time; ``later`` is added to its clock."""

    def __init__(self, api_url: str, file: Path) -> None:
        super().__init__()
        self.file = file
        self.later = 0.0
        self.connection = Connection(
            DiscordConfig(TOKEN, api_url, session_file=file),
            DiscordWeb(),
            sleep=self.sleep,
            seconds=lambda: time.monotonic() + self.later,
        )

    async def open(self) -> None:
        await self.connection.log_in(self.take)
        await self.connection.connect()

    def kept(self) -> dict:
        return json.loads(self.file.read_text())

    def age(self, seconds: float) -> None:
        """Let what is kept be from earlier."""
        self.file.write_text(json.dumps(self.kept() | {"at": self.kept()["at"] - seconds}))


@pytest.fixture
async def new(discord, tmp_path):
    """Makes the connection of a process; all have one file."""
    made: list[Line] = []

    def make() -> Line:
        made.append(Line(discord.api_url, tmp_path / "session.json"))
        return made[-1]

    yield make
    for line in made:
        await line.connection.close()


@pytest.fixture
async def line(new) -> Line:
    line = new()
    await line.open()
    return line


class TestReconnecting:
    async def drop(self, discord, resumed: int) -> None:
        await discord.drop_socket()
        await discord.until(lambda: discord.gateway.resumes == resumed)

    async def test_a_session_that_discord_drops_again_and_again_is_resumed_ever_later(self, line, discord):
        discord.gateway.flaps = FLAPS
        await self.drop(discord, FLAPS + 1)
        assert line.waits == [0.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]

    async def test_one_that_broke_off_after_a_while_is_resumed_at_once(self, line, discord):
        for resumed in (1, 2, 3):
            line.later += 10.0
            await self.drop(discord, resumed)
        assert line.waits == [0.0, 0.0, 0.0]

    async def test_one_that_still_hands_over_what_is_said_is_not_kept_waiting(self, line, discord):
        for resumed in (1, 2, 3, 4):
            await discord.say("ana", "how much?")
            await discord.until(lambda resumed=resumed: len(line.heard) == resumed)
            await self.drop(discord, resumed)
        assert line.waits == [0.0, 2.0, 2.0, 2.0]

    async def test_sessions_are_begun_ever_later(self, line, discord):
        for begun in (2, 3, 4, 5):
            await discord.drop_socket(resumable=False)
            await discord.until(lambda begun=begun: len(discord.gateway.identifies) == begun)
            await discord.connected()
        assert line.waits == [0.0, 5.0, 4.0, 16.0, 16.0, 64.0, 30.0, 120.0]


class TestStrangers:
    @pytest.mark.parametrize("path", ["GET /users/@me", "GET /gateway/bot", "GET /oauth2/applications/@me"])
    async def test_a_page_in_discords_place_is_one_sentence(self, new, discord, path):
        discord.fail(path, 200, html=True, times=50)
        with pytest.raises(CommandError, match=r"is not Discord|can't be reached"):
            await new().open()


class TestRefused:
    """Discord closes the gateway for good: a token that was reset, say."""

    @pytest.mark.parametrize("code", [4004, 4014])
    async def test_it_is_lost_after_a_few_tries_by_discords_own_word(self, line, discord, code):
        for _ in range(3):
            await discord.connected()
            await discord.drop_socket(resumable=False, code=code)
        async with asyncio.timeout(20):
            assert await line.connection.loss.told() == str(code)
        assert line.waits == [5.0, 5.0]
        assert not discord.gateway.sockets

    async def test_one_that_comes_back_is_not_lost(self, line, discord):
        for _ in range(2):
            for _ in range(2):
                await discord.connected()
                await discord.drop_socket(resumable=False, code=4004)
            await discord.connected()
            await discord.drop_socket(resumable=False)
        await discord.connected()
        assert not line.connection.loss._told.is_set()


class TestPayloads:
    """What Discord leaves out one day costs that event at most, and never the connection."""

    @pytest.mark.parametrize("body", [None, [], [{}], "text", 7, {}])
    async def test_no_event_or_operation_that_is_new_drops_it(self, line, discord, body):
        (session,) = discord.gateway.sessions.values()
        for event in ("MESSAGE_CREATE", "INTERACTION_CREATE", "GUILD_CREATE", "SOMETHING_NEW", None):
            for operation in (0, 42):
                session.number += 1
                session.events.append((session.number, str(event), {}))
                await session.socket.send(operation, body, event=event, number=session.number)
        await discord.say("ana", "still there?")
        await discord.until(lambda: "still there?" in line.heard)
        assert (len(discord.gateway.identifies), discord.gateway.resumes) == (1, 0)

    @pytest.mark.parametrize(
        "owner", [{"team": {"members": [{"user": {"id": "7"}}, {"role": "x"}]}}, {"owner": {"id": "7"}}]
    )
    async def test_it_is_known_who_we_are_by_the_few_fields_that_say_so(self, new, discord, monkeypatch, owner):
        monkeypatch.setattr(discord.wire, "me", lambda: {"id": BOT, "username": "minder"})
        monkeypatch.setattr(discord.wire, "application", lambda: {"id": APP, "new": [], **owner})
        line = new()
        us = await line.connection.log_in(line.take)
        assert (us.application, us.bot_user, us.name, us.owners) == (APP, BOT, "minder", {"7"})
        await line.connection.connect()
        await discord.say("ana", "hello")
        await discord.until(lambda: "hello" in line.heard)

    async def test_no_missing_or_strange_field_drops_the_connection(self, line, discord):
        message = {
            "id": "1", "channel_id": GENERAL, "content": "hello", "author": {"id": "2"}, "member": {"deaf": False},
            "type": 0, "timestamp": "2026-11-21T00:00:00+00:00", "mentions": [], "attachments": [], "embeds": [],
        }  # fmt: skip
        interaction = {"id": "1", "type": 2, "token": "x", "data": {"name": "money"}, "member": {"user": {"id": "2"}}}
        told = 0
        for event in (
            "MESSAGE_CREATE",
            "INTERACTION_CREATE",
            "GUILD_CREATE",
            "CHANNEL_CREATE",
            "THREAD_CREATE",
            "PRESENCE_UPDATE",
        ):
            for whole in (message, interaction):
                for name in whole:
                    for body in (
                        {k: v for k, v in whole.items() if k != name},
                        {**whole, name: None},
                        {**whole, name: []},
                    ):
                        await discord.gateway.dispatch(event, lambda _session, body=body: dict(body))
                        told += 1
        await discord.say("ana", "still there?")
        await discord.until(lambda: "still there?" in line.heard)
        assert told > 250
        assert (len(discord.gateway.identifies), discord.gateway.resumes) == (1, 0)


class TestStopping:
    async def test_a_connection_that_opens_meanwhile_does_not_live_on(self, line, discord, monkeypatch):
        resume = DiscordWebSocket.resume
        closing: list[asyncio.Task[None]] = []

        async def resume_and_stop(socket: DiscordWebSocket) -> None:
            await resume(socket)
            closing.append(asyncio.create_task(line.connection.close()))

        monkeypatch.setattr(DiscordWebSocket, "resume", resume_and_stop)
        await discord.drop_socket()
        await discord.until(lambda: closing)
        async with asyncio.timeout(2):
            await closing[0]
        await discord.until(lambda: not discord.gateway.sockets)

    @pytest.mark.parametrize(("swallowed", "ends"), [(1, True), (3, False)])
    async def test_it_is_told_to_end_until_it_does_but_not_for_ever(self, line, discord, monkeypatch, swallowed, ends):
        poll = DiscordWebSocket.poll_event
        cancelled: list[int] = []

        async def deaf(socket: DiscordWebSocket) -> None:
            try:
                await poll(socket)
            except asyncio.CancelledError:
                cancelled.append(1)
                if len(cancelled) > swallowed:
                    raise

        monkeypatch.setattr(DiscordWebSocket, "poll_event", deaf)
        monkeypatch.setattr(client, "_CANCELLED_SECONDS", 0.1)
        await discord.drop_socket()
        await discord.until(lambda: discord.gateway.resumes)
        await asyncio.sleep(0.1)
        with capture_logs() as logs:
            async with asyncio.timeout(5):
                await line.connection.close()
        assert ("discord_connection_not_ended" in [entry["event"] for entry in logs]) is not ends
        assert line.kept()["sequence"] == next(iter(discord.gateway.sessions.values())).number


class TestWhatIsLeft:
    async def test_a_moment_after_the_last_event_it_is_known_to_have_come(self, line, discord):
        for text in "abc":
            await discord.say("ana", text)
        await discord.until(lambda: len(line.heard) == 3)
        await asyncio.sleep(1.2)
        (session,) = discord.gateway.sessions.values()
        assert line.kept()["sequence"] == session.number

    @pytest.mark.parametrize("heartbeat_seconds", [0.05, 40.0])
    async def test_a_session_ages_from_when_discord_was_last_heard(self, new, discord, heartbeat_seconds):
        discord.gateway.heartbeat_interval = int(heartbeat_seconds * 1000)
        line = new()
        await line.open()
        await asyncio.sleep(0.3)
        before = time.time()
        await asyncio.sleep(0.3)
        await line.connection.close()
        assert (line.kept()["at"] > before) is (heartbeat_seconds < 1)

    async def test_a_start_that_hears_nothing_makes_it_no_younger(self, new, discord, monkeypatch):
        monkeypatch.setattr(client, "_READY_SECONDS", 0.3)
        line = new()
        await line.open()
        await line.connection.close()
        line.age(500.0)
        left = line.kept()

        async def ignore(_socket, _data) -> None:
            pass

        monkeypatch.setattr(discord.gateway, "_resume", ignore)
        discord.gateway.heartbeat_interval = 50
        with pytest.raises(CommandError, match="does not answer"):
            await new().open()
        assert discord.gateway.heartbeats > 2
        assert line.kept() == left

    async def test_where_its_own_address_hangs_it_is_resumed_elsewhere_at_once(self, new, discord, monkeypatch):
        line = new()
        await line.open()
        await line.connection.close()
        asked: list[int] = []

        over = asyncio.Event()

        async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append(1)
            await over.wait()
            writer.close()

        async with await asyncio.start_server(hang, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            monkeypatch.setattr(client, "place_to_resume", lambda _session, _gateway: f"ws://127.0.0.1:{port}/")
            monkeypatch.setattr(client, "_OPENING_SECONDS", 0.3)
            monkeypatch.setattr(client, "_READY_SECONDS", 5.0)
            await new().open()
            over.set()
        assert (len(asked), discord.gateway.resumes, len(discord.gateway.identifies)) == (1, 1, 1)
