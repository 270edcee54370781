"""Several shards in one process: a connection for each, of which Discord tells each its own servers.

Direct messages come by shard 0 alone. https://docs.discord.com/developers/events/gateway#sharding
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from bots.discord_app.client import NEW_SESSION_SECONDS, Connection
from bots.discord_app.web import DiscordWeb
from bots.loss import Loss

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bots.discord_app.client import DiscordConfig, Identity, Take


class Shards:
    """The connections of this process's shards, as one; calls of the API go by the first one's client."""

    def __init__(
        self, config: DiscordConfig, web: DiscordWeb, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """Nothing connects before :meth:`connect`."""
        self.loss = Loss()
        self._sleep = sleep
        first, *others = config.shards
        self._connections = [
            Connection(replace(config, shards=(first,)), web, sleep=sleep),
            *(Connection(replace(config, shards=(each,)), DiscordWeb(), sleep=sleep) for each in others),
        ]
        self._watches: list[asyncio.Task[None]] = []

    async def log_in(self, take: Take | None = None) -> Identity:
        """Find out who we are; raises TokenRefused and CommandError. Without anybody who takes, one client is enough."""
        first, *others = self._connections
        us = await first.log_in(take)
        for each in others if take is not None else ():
            await each.log_in(take)
        return us

    async def connect(self) -> None:
        """Let events come, shard by shard, as fast as Discord lets sessions begin; raises CommandError."""
        for place, each in enumerate(self._connections):
            if place:
                await self._sleep(NEW_SESSION_SECONDS)
            await each.connect()
            self._watches.append(asyncio.create_task(self._watch(each)))

    @property
    def is_up(self) -> bool:
        """Whether events can come by every shard at this moment."""
        return all(each.is_up for each in self._connections)

    async def close(self) -> None:
        """Disconnect all of them, so that their sessions can be resumed; safe to call twice."""
        for watch in self._watches:
            watch.cancel()
        await asyncio.gather(*(each.close() for each in self._connections))

    async def _watch(self, connection: Connection) -> None:
        self.loss.tell(await connection.loss.told())
