"""``undo``: take back an import."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from ledger.imports import undo_import

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Take back the last import, or the one named."""
    async with open_app(settings) as app:
        undone = await undo_import(await app.repository(console_person(arguments.user)), arguments.batch)
    if arguments.json:
        print(json.dumps({"batch": undone.batch, "removed": undone.removed}))
    else:
        print(f"Import {undone.batch} is taken back: {undone.removed} transactions removed.")
    return 0
