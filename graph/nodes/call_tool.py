"""call_tool: run the checked calls of a round, side by side."""

from __future__ import annotations

import asyncio
import time
import traceback
from typing import TYPE_CHECKING

import structlog

from graph.state import CheckedCall, Outcome, State, Turn
from ledger.errors import LedgerError
from tools.running import run_tool

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

_log = structlog.get_logger(__name__)
_FAILED = "That did not work; the reason is in the log."
_TOO_SLOW = "That took too long, so I stopped it."


async def call_tool(state: State, runtime: Runtime[Turn]) -> State:
    """Run up to ``max_calls`` calls at once, in order of the calls; one that fails leaves the others standing."""
    turn = runtime.context
    calls = state.get("checked", [])
    wanted, left = calls[: turn.options.max_calls], calls[turn.options.max_calls :]
    round_ = state.get("round", 1)
    if turn.options.parallel_tool_calls:
        outcomes = list(await asyncio.gather(*(_run(call, round_, turn) for call in wanted)))
    else:
        outcomes = [await _run(call, round_, turn) for call in wanted]
    outcomes += [
        Outcome(call, None, "There were more calls than I run at once; this one was left out.") for call in left
    ]
    trace = dict(state.get("trace", {}))
    trace.setdefault("ran", []).extend(
        {"call": o.call.name, "round": round_, "seconds": round(o.seconds, 4), "ok": o.result is not None}
        for o in outcomes
    )
    return {"outcomes": [*state.get("outcomes", []), *outcomes], "checked": [], "proposals": [], "trace": trace}


async def _run(call: CheckedCall, round_: int, turn: Turn) -> Outcome:
    tool = turn.tool(call.name)
    started = time.perf_counter()
    if tool is None:
        return Outcome(call, None, _FAILED, round=round_)
    try:
        result = await asyncio.wait_for(run_tool(tool, call.arguments, turn.context), turn.options.tool_timeout)
    except TimeoutError:
        _log.warning("tool timed out", tool=call.name, seconds=turn.options.tool_timeout)
        return Outcome(call, None, _TOO_SLOW, time.perf_counter() - started, round_)
    except LedgerError as error:
        return Outcome(call, None, error.message, time.perf_counter() - started, round_)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's; its failure must not end the turn
        _log.error("tool failed", tool=call.name, error=type(error).__name__, where=_where(error))
        return Outcome(call, None, _FAILED, time.perf_counter() - started, round_)
    return Outcome(call, result, "", time.perf_counter() - started, round_)


def _where(error: Exception) -> str:
    """Return the file and line of a failure; its message and values stay out of the log."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else ""
