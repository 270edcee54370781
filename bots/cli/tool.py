"""``tool``: run one tool, without any planning."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.public_json import facts_json, period_json, table_json
from ledger.errors import UnknownPeriod
from tools.checking import check_arguments
from tools.running import run_tool

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from tools.results import Result


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Check the arguments as the agent would, run the tool, and print its result."""
    async with open_app(settings) as app:
        offered = {tool.name: tool for tool in app.registry.offered(settings.environment)}
        tool = offered.get(arguments.name)
        if tool is None:
            raise CommandError(f"There is no tool {arguments.name!r}; “money-minder tools” lists them.")
        context = await app.tool_context(console_person(arguments.user))
        checked = check_arguments(tool, _read(arguments.arguments), context)
        if checked.reason:
            return _refuse(checked.reason, list(checked.choices), as_json=arguments.json)
        try:
            result = await run_tool(tool, checked.arguments, context)
        except UnknownPeriod as error:
            return _refuse(error.message, list(error.choices), as_json=arguments.json)
        if arguments.json:
            row_ids = [row for wanted in result.behind for row in await context.ledger.ids(wanted)]
            shown = _json(tool.name, checked.arguments, result, row_ids)
            print(json.dumps(shown, ensure_ascii=False))
        else:
            from bots.terminal import show_reply, terminal
            from graph.answers import result_reply

            show_reply(result_reply(result, context), terminal())
    return 0


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise CommandError("The arguments are not a JSON object.") from error


def _refuse(reason: str, choices: list[str], *, as_json: bool) -> int:
    sys.stderr.write(f"money-minder: {reason}\n")
    if as_json:
        print(json.dumps({"error": reason, "choices": choices}, ensure_ascii=False))
    return 1


def _json(name: str, arguments: dict[str, Any], result: Result, row_ids: list[int]) -> dict[str, Any]:
    return {
        "tool": name,
        "arguments": arguments,
        "kind": result.kind,
        "facts": facts_json(result.facts),
        "table": table_json(result.table),
        "period": period_json(result.period),
        "choices": list(result.choices),
        "row_ids": row_ids,
    }
