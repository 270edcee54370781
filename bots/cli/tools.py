"""``tools``: what there is, or what a model would be offered for a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bots.app import console_person, open_app
from bots.terminal import say, show_table, terminal
from ledger.switches import switched_off
from tools.results import Column, Table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bots.settings import Settings
    from tools.registry import Tool
    from tools.selection import Selection


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the tools that are on for a person; for a question, those that would be offered, how near each is, and why."""
    async with open_app(settings) as app:
        off = await switched_off(await app.repository(console_person(arguments.user)))
        tools = app.registry.offered(settings.environment, off)
        if arguments.question is None:
            _print_tools(tools, as_json=arguments.json)
            return 0
        selector = app.selector_for(arguments.strategy or settings.tool_selection.strategy)
        selection = await selector.choose(arguments.question, tools)
    _print_selection(selection, len(tools), as_json=arguments.json)
    return 0


def _print_tools(tools: Sequence[Tool], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_entry(tool) for tool in tools], ensure_ascii=False))
        return
    rows = tuple((tool.name, _summary(tool)) for tool in tools)
    show_table(Table((Column("Tool"), Column("What it does")), rows), terminal(), most=None)


def _print_selection(selection: Selection, of: int, *, as_json: bool) -> None:
    scores = {name: None if score is None else round(score, 3) for name, score in selection.scores.items()}
    if as_json:
        entries = [_entry(tool) | {"score": scores[tool.name]} for tool in selection.tools]
        print(json.dumps(entries, ensure_ascii=False))
        return
    columns: tuple[Column, ...] = (Column("Tool"), Column("What it does"))
    rows: list[tuple[str, ...]] = [(tool.name, _summary(tool)) for tool in selection.tools]
    if any(score is not None for score in scores.values()):
        columns = (Column("Score"), *columns)
        rows = [("" if (score := scores[row[0]]) is None else f"{score:.2f}", *row) for row in rows]
    console = terminal()
    show_table(Table(columns, tuple(rows)), console, most=None)
    say(console, f"{len(selection.tools)} of {of} tools · {selection.strategy}: {selection.why}", "dim")


def _entry(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "app": tool.app, "schema": tool.schema}


def _summary(tool: Tool) -> str:
    return tool.description.partition("\n")[0]
