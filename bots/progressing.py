"""Telling a platform, after a moment, that an answer is being worked on."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from bots.contracts import Adapter, ConversationKey

_log = structlog.get_logger(__name__)


class Signals:
    """The signs that are shown at the moment."""

    def __init__(
        self, adapters: Mapping[str, Adapter], after: float, every: float, sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        """Show a sign after so many seconds, and again every so many."""
        self.tasks: set[asyncio.Task[None]] = set()
        self._adapters = adapters
        self._after = after
        self._every = every
        self._sleep = sleep

    @contextlib.asynccontextmanager
    async def during(self, conversation: ConversationKey) -> AsyncIterator[None]:
        """Show the sign as long as the block runs, where there is a platform to show it."""
        adapter = self._adapters.get(conversation.platform)
        if adapter is None:
            yield
            return
        signal = asyncio.create_task(self._show(adapter, conversation))
        self.tasks.add(signal)
        signal.add_done_callback(self.tasks.discard)
        try:
            yield
        finally:
            signal.cancel()  # and not waited for: no answer is late because of a sign

    async def _show(self, adapter: Adapter, conversation: ConversationKey) -> None:
        await self._sleep(self._after)
        try:
            while True:
                await adapter.progress(conversation, "working")
                await self._sleep(self._every)
        except Exception as error:  # noqa: BLE001 - a sign that can't be shown costs nobody their answer
            _log.warning("progress_not_shown", error=type(error).__name__)
        finally:
            with contextlib.suppress(Exception):
                await adapter.progress(conversation, "idle")
