"""``forget``: delete everything that is yours."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.history import History
from bots.shares import SharedPosts
from ledger.deletion import forget_person

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete the ledger and the conversations, or only the latter, after a yes."""
    what = "all your conversations" if arguments.conversations else "your ledger, conversations, notes and settings"
    if not arguments.yes:
        if not sys.stdin.isatty():
            raise CommandError("Nothing is deleted without --yes.")
        answer = await asyncio.to_thread(input, f"Delete {what}? This can't be undone. Type yes: ")
        if answer.strip().casefold() not in ("yes", "ja"):
            raise CommandError("Nothing was deleted.")
    person = console_person(arguments.user)
    async with open_app(settings) as app:
        if arguments.conversations:
            removed = await History(app.store).forget(person)
        else:
            await History(app.store).forget(person)
            removed = await forget_person(app.store, person)
            await app.indexing.catch_up()
        leaving = len(await SharedPosts(app.store, app.clock).leaving())
    noun = "turns" if arguments.conversations else "transactions"
    if leaving and not arguments.json:
        print("What was shared on a platform is deleted there by the bot, as soon as it runs.")
    print(json.dumps({"removed": removed}) if arguments.json else f"Deleted: {what} ({removed} {noun}).")
    return 0
