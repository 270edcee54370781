"""Threads for tools: each running tool has one of its own, and nothing ever waits for one that goes on too long."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tools.errors import ToolBusy, ToolQuit

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable

#: How many may run at once, in all and for one person; a turn calls nine at once at most.
_MOST, _MOST_OF_ONE = 64, 9


class ToolThreads:
    """The tools that run in threads now, and those among them whose time was over; a tool's owner is who called it."""

    def __init__(self, most: int = _MOST, most_of_one: int = _MOST_OF_ONE) -> None:
        """Nothing runs yet."""
        self._most = most
        self._most_of_one = most_of_one
        self._lock = threading.Lock()
        self._running: Counter[Hashable] = Counter()
        self._late: Counter[Hashable] = Counter()

    @property
    def late(self) -> int:
        """How many go on although their time was over."""
        with self._lock:
            return self._late.total()

    def start(self, owner: Hashable, function: Callable[[], Any]) -> ToolThread:
        """Call the function in a thread of its own; what it returns is awaited there, on a loop of that thread.

        Raises:
            ToolBusy: one of the owner's goes on although its time was over, or too many run.
        """
        with self._lock:
            if self._late[owner]:
                raise ToolBusy("A tool that I stopped for you has not ended yet. Please ask again when it has.")
            if self._running[owner] >= self._most_of_one or self._running.total() >= self._most:
                raise ToolBusy("Too many tools are running just now. Please ask again in a moment.")
            self._running[owner] += 1
        return ToolThread(self, owner, function)

    def leave(self, owner: Hashable, *, late: bool) -> None:
        """One has ended."""
        with self._lock:
            self._running -= Counter({owner: 1})
            if late:
                self._late -= Counter({owner: 1})

    def lag(self, owner: Hashable) -> None:
        """One goes on although its time is over."""
        with self._lock:
            self._late[owner] += 1


class ToolThread:
    """One running call; :attr:`outcome` is its value or what it raised."""

    def __init__(self, threads: ToolThreads, owner: Hashable, function: Callable[[], Any]) -> None:
        """Use :meth:`ToolThreads.start`."""
        self._threads = threads
        self._owner = owner
        self._function = function
        self._lock = threading.Lock()
        self._ended = self._late = self._cancelled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._home = asyncio.get_running_loop()
        self.outcome: asyncio.Future[Any] = self._home.create_future()
        context = contextvars.copy_context()
        # A daemon: the process may end without it.
        threading.Thread(target=context.run, args=(self._run,), name="tool", daemon=True).start()

    def cancel(self) -> bool:
        """Ask an async tool to stop; whether there is anything that can be asked."""
        with self._lock:
            self._cancelled = True
            if self._loop is None or self._task is None:
                return False
            with suppress(RuntimeError):  # it has ended meanwhile
                self._loop.call_soon_threadsafe(self._task.cancel)
            return True

    def abandon(self) -> None:
        """Ask it to stop and let it go on if it must; what it comes to is thrown away."""
        if self.outcome.done():
            return
        self.cancel()
        with self._lock:
            if not self._ended:
                self._late = True
                self._threads.lag(self._owner)
        self.outcome.cancel()

    def _run(self) -> None:
        value: Any = None
        failure: Exception | None = None
        try:
            value = self._function()
            if inspect.isawaitable(value):
                value = asyncio.run(self._await(value))
        except Exception as error:  # noqa: BLE001 - handed on to whoever waits
            failure = error
        except BaseException as error:  # noqa: BLE001 - a tool ends itself at most, never the program
            failure = ToolQuit(type(error).__name__)
        if isinstance(failure, StopIteration):  # which no future takes
            failure = ToolQuit(type(failure).__name__)
        with self._lock:
            self._ended = True
        self._threads.leave(self._owner, late=self._late)
        with suppress(RuntimeError):  # nobody is there any more
            self._home.call_soon_threadsafe(self._settle, value, failure)

    async def _await(self, value: Any) -> Any:
        with self._lock:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            cancelled = self._cancelled
        if cancelled and self._task is not None:
            self._task.cancel()
        try:
            return await value
        finally:
            with self._lock:
                self._loop = self._task = None

    def _settle(self, value: Any, failure: Exception | None) -> None:
        if self.outcome.done():
            return
        if failure is None:
            self.outcome.set_result(value)
        else:
            self.outcome.set_exception(failure)


async def settled(work: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns; one that ends the program raises :class:`ToolQuit` instead."""
    try:
        return await work
    except (SystemExit, KeyboardInterrupt) as error:
        raise ToolQuit(type(error).__name__) from error
