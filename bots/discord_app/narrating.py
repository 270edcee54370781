"""A model's sentences below an answer that was sent: they are added to its last message, no faster than is humane."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import structlog

from bots.discord_app.rendering import narration
from bots.errors import SendFailed, SendRefused
from bots.limits import Discord
from graph.reply import Audience

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bots.contracts import Delivery
    from bots.discord_app.sending import DiscordSender

_log = structlog.get_logger(__name__)

#: Between two changes of one message, in seconds: no limit is documented, and edits that come faster meet one.
EVERY: Final = 1.0


class Narrator:
    """Adds sentences to what a sender has sent; ``seconds`` measures what passes, ``sleep`` waits."""

    def __init__(
        self,
        sender: DiscordSender,
        *,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Add to what this sender has sent."""
        self._sender = sender
        self._seconds = seconds
        self._sleep = sleep

    async def tell(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Write sentences below a private answer as they come, as many as its message takes.

        Every change leaves whole sentences behind, so that there is nothing to tidy up where it ends or is cancelled.
        What Discord refuses ends them without an error.
        """
        shown = self._sender.shown(delivery.idempotency_key)
        if shown is None or delivery.reply.audience is not Audience.PRIVATE:
            return
        told: list[str] = []
        since = float("-inf")
        async for sentence in sentences:
            told.append(sentence)
            below = narration(" ".join(told))
            if len(shown.draft.content) + 1 + len(below) > Discord.CONTENT:
                return
            await self._sleep(max(0.0, EVERY - (self._seconds() - since)))
            since = self._seconds()
            try:
                await shown.edit(shown.draft.told(below))
            except (SendFailed, SendRefused) as error:
                _log.warning("discord_narration_ended", reply=delivery.idempotency_key, code=getattr(error, "code", ""))
                return
