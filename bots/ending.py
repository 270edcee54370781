"""Ending what runs in bounded time, whatever it waits for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from collections.abc import Collection

_log = structlog.get_logger(__name__)

#: How often what does not end is cancelled, a second apart: each time ends one wait, and to clean up after it may be another.
_TIMES = 5


async def end(tasks: Collection[asyncio.Task[Any]], patience: float = 3.0) -> None:
    """Cancel tasks and return when they have ended, with what error does not matter.

    What has not after ``patience`` seconds waits for a database that does not answer, say: it is cancelled again, and left
    behind in the end.
    """
    left = set(tasks)
    for time in range(_TIMES):
        for task in left:
            task.cancel()
        if left:
            _, left = await asyncio.wait(left, timeout=1.0 if time else patience)
    for task in set(tasks) - left:
        if not task.cancelled():
            task.exception()  # else the loop complains that nobody asked
    if left:
        _log.error("not_ended", tasks=len(left))
