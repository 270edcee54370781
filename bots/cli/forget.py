"""``forget``: delete everything that is yours."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.cli.errand import Errand
from bots.confirming import YES
from bots.contracts import Duty
from bots.desk.forgetting import CONVERSATIONS, EVERYTHING, FORGET
from bots.errors import CommandError

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete the ledger and the conversations, or only the latter, after a yes."""
    if not arguments.yes and not sys.stdin.isatty():
        raise CommandError("Nothing is deleted without --yes.")
    async with open_app(settings) as app:
        errand = Errand(app, arguments.user)
        asked = await errand.say(Duty(FORGET, {"value": CONVERSATIONS if arguments.conversations else EVERYTHING}))
        if not arguments.yes:
            await errand.show(asked.reply, asks=True)
            if (await errand.lines.read() or "").strip().casefold() not in YES:
                raise CommandError("Nothing was deleted.")
        done = await errand.agree(asked)
        await errand.end()
        if arguments.json:
            print(json.dumps({"removed": done.report}))
        else:
            await errand.show(done.reply)
    return 0
