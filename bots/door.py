"""Where messages come in: while any does, no turn begins, since whoever waits for an acknowledgement waits least."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

#: How often the loop comes round until a message that has arrived on a socket is at the door.
_ROUNDS = 8
#: Seconds after which a turn begins all the same: a stream of messages without a gap must not silence the bot.
_LONGEST = 2.0


class Door:
    """``with door:`` is somebody coming in; ``await door.calm()`` lets them pass."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """Nobody is coming in; this clock measures how long a turn is held."""
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

    async def calm(self) -> None:
        """Return once nobody is coming in, nor has been for a moment."""
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
