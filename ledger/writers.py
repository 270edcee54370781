"""Whose turn it is to write: within a process by urgency, between processes by a queue of file locks.

SQLite lets one connection write and has the others look again after a while, so one that writes often starves them
(https://sqlite.org/c3ref/busy_timeout.html). Whoever waits here is next.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

#: Seconds for which another process's write is waited for, as long as SQLite itself would wait.
_LONGEST_WAIT = 10.0
_LOOK_AGAIN = 0.001
_FILE_MODE = 0o600


class Turns:
    """One at a time within a process: whoever is urgent first, then the patient, each in the order in which they came."""

    def __init__(self) -> None:
        """Nobody is at it."""
        self._taken = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self, *, patient: bool = False) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the block."""
        if self._taken:
            await self._wait(self._patient if patient else self._urgent)
        self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, queue: deque[asyncio.Future[None]]) -> None:
        waiting = asyncio.get_running_loop().create_future()
        queue.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Hand the turn to the next in line; it stays taken meanwhile."""
        for queue in (self._urgent, self._patient):
            while queue:
                waiting = queue.popleft()
                if not waiting.done():
                    waiting.set_result(None)
                    return
        self._taken = False


class FileQueue:
    """Two file locks that processes pass through to write: who holds the first is next, who holds the second writes.

    The first is given up only once the second is held, so a process that writes step by step queues up behind whoever
    came meanwhile. The system drops both when a process dies.
    """

    def __init__(self, path: Path) -> None:
        """Queue beside this database file."""
        self._paths = [path.with_name(f"{path.name}-{name}") for name in ("next", "writes")]
        self._files: list[int] = []

    def enter(self) -> None:
        """Wait for the turn to write; after a while go on without it: the database then says that it is locked."""
        if not self._files:
            self._files = [os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE) for path in self._paths]
        waiting, writing = self._files
        ends = time.monotonic() + _LONGEST_WAIT
        if _lock(waiting, ends):
            _lock(writing, ends)
            _unlock(waiting)

    def leave(self) -> None:
        """Let the next one write."""
        if self._files:
            _unlock(self._files[1])

    def close(self) -> None:
        """Close the files."""
        while self._files:
            os.close(self._files.pop())


def _lock(file: int, ends: float) -> bool:
    while not try_lock(file):
        if time.monotonic() > ends:
            return False
        time.sleep(_LOOK_AGAIN)
    return True


if sys.platform == "win32":

    def try_lock(_file: int) -> bool:
        """Take no lock: SQLite's own is all there is."""
        return True

    def _unlock(_file: int) -> None:
        """Nothing is locked."""

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock a file that is open, or say at once that another open one is locked; the lock goes when it is closed."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without such locks
            return True
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
