"""discord.py, pointed at the server, to drive the fake with a client that we did not write."""

from __future__ import annotations

import asyncio
import warnings
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import yarl

with warnings.catch_warnings():
    # discord.py 2.7 imports audioop, which Python 3.11 calls deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    import discord
    from discord import app_commands, ui

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.discord_server import DiscordServer

__all__ = ["app_commands", "discord", "new_client", "pointed_at", "running", "ui"]


def new_client(**intents: bool) -> Any:
    """A client with the intents that need no permission (``message_content=True`` and so on for more), soon ready."""
    wanted = {"guilds": True, "guild_messages": True, "dm_messages": True, **intents}
    client = discord.Client(intents=discord.Intents(**wanted), guild_ready_timeout=0.02)
    # The library's own way to change its wait of five seconds before a second IDENTIFY.
    client.before_identify_hook = _at_once
    return client


async def _at_once(shard_id: int | None, *, initial: bool = False) -> None:
    pass


@asynccontextmanager
async def pointed_at(server: DiscordServer) -> AsyncIterator[None]:
    """Let the library's two addresses be the server's for a while."""
    route, socket = discord.http.Route, discord.gateway.DiscordWebSocket
    before = route.BASE, socket.DEFAULT_GATEWAY
    route.BASE, socket.DEFAULT_GATEWAY = server.api_url, yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        route.BASE, socket.DEFAULT_GATEWAY = before


@asynccontextmanager
async def running(server: DiscordServer, client: Any, *, token: str) -> AsyncIterator[Any]:
    """A client that has logged in and is ready."""
    async with pointed_at(server):
        await client.login(token)
        task = asyncio.create_task(client.connect())
        try:
            ready = asyncio.create_task(client.wait_until_ready())
            await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
            ready.cancel()
            if task.done():
                task.result()
            yield client
        finally:
            await client.close()
            await asyncio.gather(task, return_exceptions=True)
