"""Telling a platform, after a moment, that an answer is being worked on, and how far that is."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import structlog
from babel.numbers import format_percent

from graph.steps import STEPS, Steps
from language.catalogue import translated

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from bots.contracts import Adapter, ConversationKey
    from graph.steps import Step

_log = structlog.get_logger(__name__)


def told_step(step: Step, language: str) -> str:
    """Return what a step does, and how far it is where that is known: ``Reading giro.csv · 40%``."""
    title = translated(step.title, language)
    return f"{title} · {format_percent(step.done / step.of, locale=language)}" if step.done and step.of else title


class Signals:
    """The signs that are shown at the moment."""

    def __init__(
        self, adapters: Mapping[str, Adapter], after: float, every: float, sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        """Show a sign after so many seconds, and again every so many; of a next step within a second, if steps are shown."""
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
        steps = Steps()
        STEPS.set(steps)
        signal = asyncio.create_task(self._show(adapter, conversation, steps))
        self.tasks.add(signal)
        signal.add_done_callback(self.tasks.discard)
        try:
            yield
        finally:
            signal.cancel()  # and not waited for: no answer is late because of a sign

    async def _show(self, adapter: Adapter, conversation: ConversationKey, steps: Steps) -> None:
        await self._sleep(self._after)
        looks = max(1, round(self._every))
        try:
            while True:
                shown = steps.told
                await adapter.progress(conversation, "working", shown)
                for _ in range(looks):
                    await self._sleep(self._every / looks)
                    if adapter.capabilities.steps and steps.told != shown:
                        break
        except Exception as error:  # noqa: BLE001 - a sign that can't be shown costs nobody their answer
            _log.warning("progress_not_shown", error=type(error).__name__)
        finally:
            with contextlib.suppress(Exception):
                await adapter.progress(conversation, "idle")
