"""``tool``: run one tool, without any planning."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.public_json import facts_json, period_json, table_json
from graph.answers import result_reply
from tools.batches import read_batch
from tools.checking import check_arguments
from tools.failures import failure_of
from tools.running import run_tool, run_work

if TYPE_CHECKING:
    import argparse

    from bots.app import App
    from bots.settings import Settings
    from tools.changes import Change
    from tools.context import ToolContext
    from tools.failures import Failure
    from tools.registry import Tool
    from tools.results import Result


@dataclass(frozen=True, slots=True)
class _Ran:
    """One request's arguments as they were used, with its result or the reason why there is none."""

    arguments: dict[str, Any]
    result: Result | None = None
    reason: str = ""
    choices: tuple[str, ...] = ()


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Check the arguments as the agent would, run the tool, and print its result; a change waits for ``--yes``."""
    given = _read(arguments.arguments)
    async with open_app(settings) as app:
        context = await app.tool_context(console_person(arguments.user))
        tool = await _find(app, arguments.name, context)
        batch = read_batch(tool, given)
        if batch is not None and batch.problem:
            return _refuse(batch.problem, (), as_json=arguments.json)
        limit = settings.tool_timeout
        if batch is not None:
            ran = [(request.id, await _run(tool, request.arguments, context, limit)) for request in batch.requests]
            left = [
                (request.id, _Ran({}, reason="One call holds at most nine requests.")) for request in batch.left_out
            ]
            return await _show_batch(tool, ran + left, context, as_json=arguments.json)
        one = await _run(tool, given, context, limit)
        if one.result is None:
            return _refuse(one.reason, one.choices, as_json=arguments.json)
        if one.result.change is not None and arguments.yes:
            failed = await _do(tool, one.result.change, app, limit)
            if failed:
                return _refuse(failed, (), as_json=arguments.json)
            one = replace(one, result=replace(one.result, headline=one.result.change.done))
        await _show(tool, one, context, as_json=arguments.json)
    return 0


async def _find(app: App, name: str, context: ToolContext) -> Tool:
    """Return the tool of that name, if this person may use it now."""
    offered = app.registry.offered(app.settings.environment, context.switched_off)
    tool = next((each for each in offered if each.name == name), None)
    if tool is None:
        raise CommandError(f"There is no tool {name!r}; “money-minder tools” lists them.")
    if tool.writes and not app.settings.writes:
        raise CommandError(f"{name} changes something, and MONEY_MINDER_WRITES switches changes off.")
    return tool


async def _run(tool: Tool, given: Any, context: ToolContext, limit: float) -> _Ran:
    try:
        checked = check_arguments(tool, given, context)
        if checked.reason:
            return _Ran(checked.arguments, None, checked.reason, checked.choices)
        result = await run_tool(tool, checked.arguments, context, limit)
        result_reply(result, context)  # what can't be shown fails here, and not half-way through
        return _Ran(checked.arguments, result)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's
        failure = failure_of(error)
        return _Ran({}, None, _sentence(failure), failure.choices)


async def _do(tool: Tool, change: Change, app: App, limit: float) -> str:
    """Do the change that ``--yes`` confirms, whole or not at all; returns why it could not be done."""
    try:
        async with app.store.write() as connection:
            await run_work(tool, change, connection, limit)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's
        return _sentence(failure_of(error))
    return ""


def _sentence(failure: Failure) -> str:
    return f"The tool failed: {failure.detail}." if failure.detail else failure.message


async def _show_batch(tool: Tool, ran: list[tuple[str, _Ran]], context: ToolContext, *, as_json: bool) -> int:
    """Print every request's answer under its id, in order; one that failed leaves the others standing."""
    if as_json:
        shown = [
            {"id": name, "error": one.reason, "choices": list(one.choices)}
            if one.result is None
            else {"id": name, **await _json(tool, one.arguments, one.result, context)}
            for name, one in ran
        ]
        print(json.dumps({"tool": tool.name, "results": shown}, ensure_ascii=False))
    else:
        for name, one in ran:
            print(f"{name}:")
            if one.result is None:
                print(one.reason)
            else:
                await _show(tool, one, context, as_json=False)
    return 0 if all(one.result is not None for _, one in ran) else 1


async def _show(tool: Tool, one: _Ran, context: ToolContext, *, as_json: bool) -> None:
    assert one.result is not None
    if as_json:
        print(json.dumps(await _json(tool, one.arguments, one.result, context), ensure_ascii=False))
        return
    from bots.terminal import show_reply, terminal

    show_reply(result_reply(one.result, context), terminal())


def _read(text: str) -> Any:
    def refuse(_constant: str) -> Any:
        raise ValueError

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise CommandError("The arguments are not a JSON object.") from error


def _refuse(reason: str, choices: tuple[str, ...], *, as_json: bool) -> int:
    sys.stderr.write(f"money-minder: {reason}\n")
    if as_json:
        print(json.dumps({"error": reason, "choices": list(choices)}, ensure_ascii=False))
    return 1


async def _json(tool: Tool, arguments: dict[str, Any], result: Result, context: ToolContext) -> dict[str, Any]:
    return {
        "tool": tool.name,
        "arguments": arguments,
        "kind": result.kind,
        "facts": facts_json(result.facts),
        "table": table_json(result.table),
        "period": period_json(result.period),
        "choices": [choice.label for choice in result.choices],
        "row_ids": [row for wanted in result.behind for row in await context.ledger.ids(wanted)],
    }
