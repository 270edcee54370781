"""``undo``: take back an import."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.cli.speaking import tongue
from language.catalogue import say, translated
from ledger.imports import undo_import

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Take back the last import, or the one named."""
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        undone = await undo_import(repository, arguments.batch)
        language = await tongue(repository, settings)
    if arguments.json:
        print(json.dumps({"batch": undone.batch, "removed": undone.removed}))
    else:
        form = "Import {number} is taken back: {count} transactions removed."
        print(translated(say(form, number=str(undone.batch), count=str(undone.removed)), language))
    return 0
