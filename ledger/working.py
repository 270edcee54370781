"""Long computing beside the event loop: one piece at a time, so that it has one thread to share the interpreter with."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

T = TypeVar("T")

_worker = ThreadPoolExecutor(1, thread_name_prefix="imports")


async def aside(work: Callable[[], T]) -> T:
    """Return what some computing returns; pieces of several callers are done in the order in which they came."""
    return await asyncio.get_running_loop().run_in_executor(_worker, work)


async def each_aside(values: Iterator[T]) -> AsyncIterator[T]:
    """Yield what an iterator yields, each value computed aside."""
    while (value := await aside(lambda: next(values, None))) is not None:
        yield value
