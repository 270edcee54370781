"""``undo``: take back an import."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.cli.errand import Errand
from bots.contracts import Duty
from bots.desk.importing import UNDO
from ledger.imports import Undone

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Take back the last import, or the one named; the command is the yes."""
    async with open_app(settings) as app:
        errand = Errand(app, arguments.user)
        value = {} if arguments.batch is None else {"value": str(arguments.batch)}
        done = await errand.agree(await errand.say(Duty(UNDO, value)))
        await errand.end()
        if not arguments.json:
            await errand.show(done.reply)
        elif isinstance(undone := done.report, Undone):
            print(json.dumps({"batch": undone.batch, "removed": undone.removed}))
    return 0
