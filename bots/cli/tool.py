"""``tool``: run one tool, without any planning."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.public_json import facts_json, period_json, table_json
from ledger.errors import UnknownPeriod
from ledger.switches import switched_off
from tools.batches import read_batch
from tools.checking import check_arguments
from tools.errors import UnserialisableResult
from tools.running import run_tool

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from tools.context import ToolContext
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
    async with open_app(settings) as app:
        context = await app.tool_context(console_person(arguments.user))
        off = await switched_off(context.ledger)
        tool = next(
            (each for each in app.registry.offered(settings.environment, off) if each.name == arguments.name), None
        )
        if tool is None:
            raise CommandError(f"There is no tool {arguments.name!r}; “money-minder tools” lists them.")
        given = _read(arguments.arguments)
        batch = read_batch(tool, given)
        if batch is not None and batch.problem:
            return _refuse(batch.problem, (), as_json=arguments.json)
        if batch is not None:
            ran = [(request.id, await _run(tool, request.arguments, context)) for request in batch.requests]
            left = [
                (request.id, _Ran({}, reason="One call holds at most nine requests.")) for request in batch.left_out
            ]
            return await _show_batch(tool, ran + left, context, as_json=arguments.json)
        one = await _run(tool, given, context)
        if one.result is None:
            return _refuse(one.reason, one.choices, as_json=arguments.json)
        await _show(tool, one, context, as_json=arguments.json)
        if one.result.change is not None and arguments.yes:
            async with app.store.write() as connection:
                await one.result.change.work(connection)
    return 0


async def _run(tool: Tool, given: Any, context: ToolContext) -> _Ran:
    checked = check_arguments(tool, given, context)
    if checked.reason:
        return _Ran(checked.arguments, None, checked.reason, checked.choices)
    try:
        return _Ran(checked.arguments, await run_tool(tool, checked.arguments, context))
    except UnknownPeriod as error:
        return _Ran(checked.arguments, None, error.message, tuple(error.choices))
    except UnserialisableResult as error:
        return _Ran(
            checked.arguments, None, f"The tool returned neither a text nor a result, but a value of type {error.kind}."
        )


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
    from graph.answers import result_reply

    show_reply(result_reply(one.result, context), terminal())


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
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
        "choices": list(result.choices),
        "row_ids": [row for wanted in result.behind for row in await context.ledger.ids(wanted)],
    }
