"""``tools``: what there is, or what would be offered for a question."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.terminal import show_table, terminal
from tools.results import Column, Table

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings

#: With so few tools all of them are offered; preselection strategies are of use only beyond that.
_STRATEGY = "all"


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the tools that are offered; for a question, with how well the planner finds each to fit."""
    if arguments.strategy not in (None, _STRATEGY):
        raise CommandError(f"This version offers all of its tools; the only strategy is “{_STRATEGY}”.")
    async with open_app(settings) as app:
        tools = {tool.name: tool for tool in app.registry.offered(settings.environment)}
        scores = dict.fromkeys(tools, 0.0)
        if arguments.question is not None:
            scores = dict(await app.agent.scores(arguments.question, console_person(arguments.user)))
    shown = [tools[name] for name in scores]
    if arguments.json:
        scored = arguments.question is not None
        print(
            json.dumps(
                [
                    {"name": tool.name, "app": tool.app, "schema": tool.schema}
                    | ({"score": round(scores[tool.name], 3)} if scored else {})
                    for tool in shown
                ],
                ensure_ascii=False,
            )
        )
        return 0
    columns = [Column("Tool"), Column("What it does")]
    rows = [(tool.name, tool.description.partition("\n")[0]) for tool in shown]
    if arguments.question is None:
        show_table(Table(tuple(columns), tuple(rows)), terminal())
    else:
        columns.insert(0, Column("Fit", "number"))
        fits = [Decimal(f"{scores[tool.name]:.2f}") for tool in shown]
        show_table(Table(tuple(columns), tuple((fit, *row) for fit, row in zip(fits, rows, strict=True))), terminal())
    return 0
