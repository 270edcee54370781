"""Coalesces concurrent work: items submitted while one batch is done join the next."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

Work = Callable[[list[T]], Awaitable[list[R]]]


class GroupCommit(Generic[T, R]):
    """Hands items to the work in the order in which they came, as many at once as are there.

    Where the work fails on several, each is tried alone, so that none fails for another's sake, unless it is one of the
    ``shared`` errors, which would only come again. A caller who gives up leaves the work to be done all the same.
    """

    def __init__(self, work: Work[T, R], shared: tuple[type[Exception], ...] = ()) -> None:
        """Nothing is done before the first item."""
        self._work = work
        self._shared = shared
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._going: asyncio.Task[None] | None = None

    async def do(self, item: T) -> R:
        """Return the work's result for this item, or raise what it raised."""
        result: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, result))
        if self._going is None:
            self._going = asyncio.create_task(self._go())
        return await result

    async def _go(self) -> None:
        try:
            while self._waiting:
                going, self._waiting = self._waiting, []
                await self._do(going)
        finally:
            self._going = None
            for _, result in self._waiting:  # the loop is closing
                result.cancel()

    async def _do(self, going: list[tuple[T, asyncio.Future[R]]]) -> None:
        try:
            results = await self._work([item for item, _ in going])
        except Exception as error:  # noqa: BLE001 - it is raised again where it belongs
            if len(going) > 1 and not isinstance(error, self._shared):
                for each in going:
                    await self._do([each])
                return
            for _, future in going:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(going, results, strict=True):
            if not future.done():
                future.set_result(result)
