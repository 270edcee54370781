"""``tools``: what there is, or what would be offered for a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.terminal import show_table, terminal
from tools.results import Column, Table

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print the tools that are offered."""
    async with open_app(settings) as app:
        tools = app.registry.offered(settings.environment)
    if arguments.json:
        print(
            json.dumps(
                [{"name": tool.name, "app": tool.app, "schema": tool.schema} for tool in tools], ensure_ascii=False
            )
        )
    else:
        rows = tuple((tool.name, tool.description.partition("\n")[0]) for tool in tools)
        show_table(Table((Column("Tool"), Column("What it does")), rows), terminal())
    return 0
