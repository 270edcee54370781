"""Long computing beside the event loop: one piece at a time, so that it has one thread to share the interpreter with."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

T = TypeVar("T")

_worker = ThreadPoolExecutor(1, thread_name_prefix="imports")
_here = threading.local()


async def aside(work: Callable[[], T]) -> T:
    """Return what some computing returns; pieces of several callers are done in the order in which they came.

    When nobody waits for it any more it ends where it next asks whether somebody does (:func:`go_on`), for the next caller.
    """
    given_up = threading.Event()

    def compute() -> T:
        _here.given_up = given_up
        go_on()
        return work()

    try:
        return await asyncio.get_running_loop().run_in_executor(_worker, compute)
    except asyncio.CancelledError:
        given_up.set()
        raise


def go_on() -> None:
    """Ask whether anybody waits for what is computed here.

    Raises:
        CancelledError: they were stopped.
    """
    given_up = getattr(_here, "given_up", None)
    if given_up is not None and given_up.is_set():
        raise asyncio.CancelledError


async def each_aside(values: Iterator[T]) -> AsyncIterator[T]:
    """Yield what an iterator yields, each value computed aside."""
    while (value := await aside(lambda: next(values, None))) is not None:
        yield value
