"""Holds turns back while messages come in, so that an acknowledgement waits for nothing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

#: Event-loop iterations between a readable socket and ``receive``.
_ROUNDS = 8
#: Seconds after which a turn begins all the same: a stream of messages without a gap must not silence the bot.
_LONGEST = 2.0


class IngressGate:
    """``with gate:`` surrounds what comes in; ``await gate.quiet()`` returns once nothing does."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """``seconds`` is the clock for the longest hold."""
        self._seconds = seconds
        self._entering = 0
        self._free = asyncio.Event()
        self._free.set()

    def __enter__(self) -> None:
        self._entering += 1
        self._free.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entering -= 1
        if not self._entering:
            self._free.set()

    async def quiet(self) -> None:
        """Return once nothing has come in for a moment, or after the longest hold."""
        ends = self._seconds() + _LONGEST
        rounds = 0
        while rounds < _ROUNDS and self._seconds() < ends:
            if self._entering:
                rounds = 0
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._free.wait(), ends - self._seconds())
            else:
                rounds += 1
                await asyncio.sleep(0)
