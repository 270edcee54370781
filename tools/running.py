"""Running one tool with checked arguments, and the work of a change that a person has confirmed.

What holds for every tool, whoever wrote it, is kept here: its time is limited, it has nothing in its hands once that is
over, and one that writes does no more than propose.
"""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tools.arguments import to_python
from tools.calls import choices_from
from tools.changes import Change
from tools.errors import NotProposed, ToolQuit, ToolTimedOut, UndeclaredChange, UnserialisableResult
from tools.guard import Guard
from tools.results import Result
from tools.schema import tool_parameters
from tools.threads import ToolThreads, settled

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from tools.context import ToolContext
    from tools.registry import Tool

#: How long a tool may take, in seconds, where no setting says otherwise.
TIME_LIMIT = 20.0
#: How long one that was told to stop has to put its things away.
_GRACE = 1.0

_threads = ToolThreads()
#: What was told to stop and did not.
_abandoned: set[asyncio.Task[Any]] = set()


async def run_tool(
    tool: Tool,
    arguments: dict[str, Any],
    context: ToolContext,
    limit: float = TIME_LIMIT,
    threads: ToolThreads = _threads,
) -> Result:
    """Call the function with Python values; a text becomes a result without facts.

    An async tool of the program runs on its loop; a sync one, and any from a file of one's own, in a thread of its own.

    Raises:
        ToolError: it took too long, too many run, it ended itself, or what it returned can't be used.
    """
    guard = Guard()
    injected = {each.name: guard.context(context) for each in tool_parameters(tool.function) if each.injected}

    def call() -> Any:
        return tool.function(**to_python(tool.function, arguments), **injected)

    try:
        if _is_async(tool.function) and not tool.apart:
            value = await _on_the_loop(call, guard, limit)
        else:
            value = await _in_a_thread(call, guard, limit, threads, context.ledger.person_id)
    finally:
        await guard.close()
    return _result(tool, value)


async def run_work(
    tool: Tool, change: Change, connection: AsyncConnection, limit: float = TIME_LIMIT, threads: ToolThreads = _threads
) -> None:
    """Do what a person has confirmed, within the transaction that uses up their yes; the program's own work takes its time.

    Raises:
        ToolError: as :func:`run_tool`; the transaction is then to be undone.
    """
    if not tool.apart:
        await change.work(connection)
        return
    guard = Guard()
    held = guard.connection(connection)
    try:
        await _in_a_thread(lambda: change.work(held), guard, limit, threads, tool.name)
    finally:
        await guard.close()


def any_late() -> bool:
    """Whether a tool goes on although its time is over, so that the process must not wait for its threads and tasks."""
    return bool(_threads.late or _abandoned)


def _is_async(function: Callable[..., Any]) -> bool:
    call = getattr(type(function), "__call__", None)  # noqa: B004 - the method itself, of an object whose call is async
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)


async def _on_the_loop(call: Callable[[], Any], guard: Guard, limit: float) -> Any:
    task = asyncio.ensure_future(settled(call()))
    try:
        await asyncio.wait((task,), timeout=limit)
        if not task.done():
            raise ToolTimedOut(limit)
    finally:
        if not task.done():
            _abandoned.add(task)
            task.add_done_callback(_forget)
            task.cancel()
            await guard.close()
            await asyncio.wait((task,), timeout=_GRACE)
    return _outcome(task)


async def _in_a_thread(call: Callable[[], Any], guard: Guard, limit: float, threads: ToolThreads, owner: object) -> Any:
    thread = threads.start(owner, call)
    try:
        await asyncio.wait((thread.outcome,), timeout=limit)
        if not thread.outcome.done():
            stopping = thread.cancel()
            await guard.close()
            if stopping:
                await asyncio.wait((thread.outcome,), timeout=_GRACE)
            raise ToolTimedOut(limit)
    finally:
        thread.abandon()
    return _outcome(thread.outcome)


def _outcome(done: asyncio.Future[Any]) -> Any:
    """Return what a call came to; whatever it raised that is not an exception as such is its own failure."""
    if done.cancelled():
        raise ToolQuit("CancelledError")
    error = done.exception()
    if error is not None and not isinstance(error, Exception):
        raise ToolQuit(type(error).__name__) from error
    return done.result()


def _forget(task: asyncio.Task[Any]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        task.exception()


def _result(tool: Tool, value: Any) -> Result:
    """Return what may be shown of a value: a change from a tool that writes, and from no other."""
    if isinstance(value, str) and not tool.writes:
        return Result("{text}", names={"text": value})
    if not isinstance(value, Result):
        raise NotProposed if tool.writes else UnserialisableResult(type(value).__name__)
    if value.change is None and tool.writes and value.kind == "answer":
        raise NotProposed
    if value.change is not None and not tool.writes:
        raise UndeclaredChange
    if value.change is not None and not _is_usable(value.change):
        raise NotProposed
    kind = "answer" if value.kind == "unchanged" else value.kind
    return replace(value, kind=kind, choices=choices_from(value.choices))


def _is_usable(change: Any) -> bool:
    return isinstance(change, Change) and _is_async(change.work) and isinstance(change.done, str)
