"""call_tool: run the checked calls of a round, side by side."""

from __future__ import annotations

import asyncio
import time
import traceback
from typing import TYPE_CHECKING

import structlog

from graph.nodes.timing import timed
from graph.state import CheckedCall, Outcome, Problem, State, Turn
from ledger.errors import LedgerError
from tools.errors import UnserialisableResult
from tools.running import run_tool

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from tools.registry import Tool
    from tools.results import Result

_log = structlog.get_logger(__name__)
_FAILED = "That did not work; the reason is in the log."
_TOO_SLOW = "That took too long, so I stopped it."
_TOO_MANY = "There were more calls than I run at once; this one was left out."
#: What may have gone by a moment later: a connection that broke, a server that was starting.
_PASSING = (ConnectionError,)
_PAUSE = 0.2


async def call_tool(state: State, runtime: Runtime[Turn]) -> State:
    """Run up to ``max_calls`` calls at once, in order of the calls; one that fails leaves the others standing."""
    turn, began = runtime.context, time.perf_counter()
    calls = state.get("checked", [])
    wanted, left = calls[: turn.options.max_calls], calls[turn.options.max_calls :]
    round_ = state.get("round", 1)
    if turn.options.parallel_tool_calls:
        outcomes = list(await asyncio.gather(*(_run(call, round_, turn) for call in wanted)))
    else:
        outcomes = [await _run(call, round_, turn) for call in wanted]
    outcomes += [Outcome(call, None, Problem("TooManyCalls", _TOO_MANY, _TOO_MANY), round=round_) for call in left]
    return {
        "outcomes": [*state.get("outcomes", []), *outcomes],
        "checked": [],
        "proposals": [],
        "trace": timed(state, "tools", began),
    }


async def _run(call: CheckedCall, round_: int, turn: Turn) -> Outcome:
    began = time.perf_counter()
    tool = turn.tool(call.name)
    if tool is None:
        found: Result | Problem = Problem("UnknownTool", f"There is no tool {call.name!r}.", _FAILED)
    else:
        found = await _result(tool, call, turn)
    seconds = time.perf_counter() - began
    if isinstance(found, Problem):
        return Outcome(call, None, found, seconds, round_)
    return Outcome(call, found, None, seconds, round_)


async def _result(tool: Tool, call: CheckedCall, turn: Turn) -> Result | Problem:
    """Return what a tool returns, or what went wrong in words that hold nothing of it."""
    limit = turn.options.tool_timeout
    try:
        return await asyncio.wait_for(_run_patiently(tool, call, turn), limit)
    except TimeoutError:
        _log.warning("tool timed out", tool=call.name, seconds=limit)
        return Problem("ToolTimeout", f"The tool was stopped after {limit:g} seconds.", _TOO_SLOW)
    except LedgerError as error:
        return Problem("ToolFailed", "The ledger could not answer that.", error.message)
    except UnserialisableResult as error:
        _log.error("tool returned neither text nor result", tool=call.name, type=error.kind)
        return Problem("UnserialisableResult", "The tool returned nothing that can be shown.", _FAILED)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's; its failure must not end the turn
        _log.error("tool failed", tool=call.name, error=type(error).__name__, where=_where(error))
        return Problem("ToolFailed", "The tool failed.", _FAILED)


async def _run_patiently(tool: Tool, call: CheckedCall, turn: Turn) -> Result:
    """Run a tool, and a reading one once more after a failure that may have been a passing one."""
    try:
        return await run_tool(tool, call.arguments, turn.context)
    except _PASSING as error:
        if tool.writes:
            raise
        _log.info("tool tried again", tool=call.name, error=type(error).__name__)
        await asyncio.sleep(_PAUSE)
        return await run_tool(tool, call.arguments, turn.context)


def _where(error: Exception) -> str:
    """Return the file and line of a failure; its message and values stay out of the log."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
