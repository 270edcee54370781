"""A shared-exclusive lock: turns run side by side, but one that may have killed the process runs alone."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


class SharedLock:
    """A shared-exclusive lock whose exclusive holders come first."""

    def __init__(self) -> None:
        """Nobody is there."""
        self._present = 0
        self._loners = 0
        self._changed = asyncio.Condition()

    @property
    def is_free(self) -> bool:
        """Whether one of many could begin now."""
        return not self._loners

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        """Begin beside others, once nobody is or wants to be alone."""
        async with self._presence(lambda: not self._loners):
            yield

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Begin once everybody has left, and let nobody else begin meanwhile."""
        self._loners += 1
        try:
            async with self._presence(lambda: not self._present):
                yield
        finally:
            self._loners -= 1
            async with self._changed:
                self._changed.notify_all()

    @asynccontextmanager
    async def _presence(self, free: Callable[[], bool]) -> AsyncIterator[None]:
        async with self._changed:
            await self._changed.wait_for(free)
            self._present += 1
        try:
            yield
        finally:
            self._present -= 1
            async with self._changed:
                self._changed.notify_all()
