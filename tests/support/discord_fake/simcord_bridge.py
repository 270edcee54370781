"""simcord as the bot's Discord: an offline one that we did not write (github.com/SilentHacks/simcord).

simcord hands events to discord.py's parsers, after it has taken out what the intents don't cover; from there we take them as
they are. It follows all work that begins in its own context and waits for the end of it, with timers of its own; ours begins
outside of it, in real time, so that a test may stop it halfway. Its clock moves only by ``advance_time``: the three seconds
and the fifteen minutes of an interaction pass when a test says so.
"""

from __future__ import annotations

import contextlib
import contextvars
import copy
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
import pytest
import simcord
import simcord.backend.cdn
from aiohttp import web
from aiohttp.test_utils import TestServer

from bots.discord_app import platform
from bots.discord_app.client import EVENTS, DiscordConfig, Identity, intents

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from bots.discord_app.client import Take
    from bots.discord_app.web import DiscordWeb

Event = tuple[str, "Mapping[str, Any]"]


class _Client(discord.Client):
    """Runs what an event is handed to; what that raises is among simcord's errors."""

    take: Take

    async def on_event(self, event: str, body: Mapping[str, Any]) -> None:
        await self.take(event, body)


class SimcordConnection:
    """Stands where the bot's connection to Discord does."""

    def __init__(self, config: DiscordConfig, web: DiscordWeb, **_timing: Any) -> None:
        self.web = web
        self.client = _Client(intents=intents(message_content=config.thread_follow_ups))
        self.env = simcord.Env(self.client)
        self.withheld: list[Event] | None = None
        """What has not arrived yet, while a test keeps events back."""
        self._outside = contextvars.copy_context()
        for event in EVENTS:
            self.client._connection.parsers[event] = partial(self._arrive, event)

    async def log_in(self, take: Take) -> Identity:
        self.client.take = take
        await self.env.start()
        self.web.http = self.client.http
        assert self.client.user is not None
        return Identity(str(self.client.application_id), str(self.client.user.id), self.client.user.name)

    async def connect(self) -> None:
        """Events come as soon as we are logged in."""

    async def close(self) -> None:
        self.web.http = None
        await self.client.close()
        await self.env.shutdown()

    def hand_over(self, event: str, body: Mapping[str, Any]) -> None:
        """Let an event arrive."""
        self._outside.run(self.client.dispatch, "event", event, copy.deepcopy(body))

    def _arrive(self, event: str, body: Mapping[str, Any]) -> None:
        if self.withheld is None:
            self.hand_over(event, body)
        else:
            self.withheld.append((event, body))


@contextlib.asynccontextmanager
async def simcord_connections() -> AsyncIterator[tuple[str, list[SimcordConnection]]]:
    """Let the bot connect to simcord; return where its files and so its API are said to be, and the connections made."""
    made: list[SimcordConnection] = []

    def connection(*wiring: Any, **timing: Any) -> SimcordConnection:
        made.append(SimcordConnection(*wiring, **timing))
        return made[-1]

    async def file(request: web.Request) -> web.Response:
        data = made[-1].env.backend.cdn.get(str(request.url))
        return web.Response(status=404) if data is None else web.Response(body=data)

    files = web.Application()
    files.router.add_get("/{path:.*}", file)
    async with TestServer(files) as server:
        home = str(server.make_url("/")).rstrip("/")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(platform, "Connection", connection)
            patch.setattr(simcord.backend.cdn, "CDN_BASE", home)
            yield home, made
