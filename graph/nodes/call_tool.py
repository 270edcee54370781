"""call_tool: run the checked calls of a round, side by side."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

from graph.nodes.timing import timed
from graph.state import CheckedCall, Outcome, Problem, State, Turn
from graph.steps import begin_step
from graph.tracing import span
from ledger.outages import is_passing
from tools.failures import failure_of, logged
from tools.running import run_tool

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from tools.registry import Tool
    from tools.results import Result

_log = structlog.get_logger(__name__)
_FAILED = "That did not work; the reason is in the log."
_ONE_CHANGE = "I ask about one change at a time, so this one was left out; ask for it again after that."
_TOO_MANY = "There were more calls than I run at once; this one was left out."
#: Seconds to wait before each further attempt of a tool whose connection broke.
_PAUSES = (0.1, 0.4, 1.0)


async def call_tool(state: State, runtime: Runtime[Turn]) -> State:
    """Run up to ``max_calls`` calls at once, in order of the calls; one that fails leaves the others standing."""
    turn, began = runtime.context, time.perf_counter()
    begin_step("Computing the figures")
    calls = state.get("checked", [])
    wanted, left = calls[: turn.options.max_calls], calls[turn.options.max_calls :]
    further = _further_changes(wanted, state.get("outcomes", []), turn)
    wanted = [call for call in wanted if call not in further]
    round_ = state.get("round", 1)
    if turn.options.parallel_tool_calls:
        outcomes = list(await asyncio.gather(*(_run(call, round_, turn) for call in wanted)))
    else:
        outcomes = [await _run(call, round_, turn) for call in wanted]
    one_change = Problem("OneChangeAtATime", _ONE_CHANGE, _ONE_CHANGE)
    outcomes += [Outcome(call, None, one_change, round=round_) for call in further]
    outcomes += [Outcome(call, None, Problem("TooManyCalls", _TOO_MANY, _TOO_MANY), round=round_) for call in left]
    return {
        "outcomes": [*state.get("outcomes", []), *outcomes],
        "checked": [],
        "proposals": [],
        "trace": timed(state, "tools", began),
    }


def _further_changes(calls: list[CheckedCall], before: list[Outcome], turn: Turn) -> list[CheckedCall]:
    """Return the calls that would propose a change beside another: a yes means one thing that was shown."""
    proposed = any(each.result is not None and each.result.change is not None for each in before)
    writing = [call for call in calls if (tool := turn.tool(call.name)) is not None and tool.writes]
    return writing if proposed else writing[1:]


async def _run(call: CheckedCall, round_: int, turn: Turn) -> Outcome:
    began = time.perf_counter()
    tool = turn.tool(call.name)
    if tool is None:
        found: Result | Problem = Problem("UnknownTool", f"There is no tool {call.name!r}.", _FAILED)
    else:
        found = await (_traced_result if turn.options.traced else _result)(tool, call, turn)
    seconds = time.perf_counter() - began
    if isinstance(found, Problem):
        return Outcome(call, None, found, seconds, round_)
    return Outcome(call, found, None, seconds, round_)


async def _traced_result(tool: Tool, call: CheckedCall, turn: Turn) -> Result | Problem:
    with span("call_tool") as told:
        told.note("tool", tool.name)
        found = await _result(tool, call, turn)
        told.note("outcome", "failed" if isinstance(found, Problem) else "done")
        return found


async def _result(tool: Tool, call: CheckedCall, turn: Turn) -> Result | Problem:
    """Return what a tool returns, or what went wrong in words that hold nothing of it."""
    try:
        return await _run_patiently(tool, call, turn)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's; its failure must not end the turn
        failure = logged(failure_of(error), call.name)
        return Problem(failure.kind, failure.reason, failure.message)


async def _run_patiently(tool: Tool, call: CheckedCall, turn: Turn) -> Result:
    """Run a tool, and again after a failure that may have been a passing one, all within its time.

    A tool that writes is no exception: here it makes its proposal, for which it only reads.
    """
    ends = time.perf_counter() + turn.options.tool_timeout
    for pause in _PAUSES:
        try:
            return await run_tool(tool, call.arguments, turn.context, max(0.0, ends - time.perf_counter()))
        except Exception as error:
            if not is_passing(error):
                raise
            _log.info("tool tried again", tool=call.name, error=type(error).__name__)
            await asyncio.sleep(pause)
    return await run_tool(tool, call.arguments, turn.context, max(0.0, ends - time.perf_counter()))
