"""``prune``: delete everybody's conversations of long ago, while the bot runs or not."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.cli.consent import agreed
from bots.cli.speaking import language_here
from bots.errors import CommandError
from bots.retention import Retention
from language.catalogue import say

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete what was said longer ago than the option or the setting says, after a yes."""
    days = arguments.days if arguments.days is not None else settings.keep_conversations
    if days is None:
        raise CommandError("Name how much to keep, by --days N or MONEY_MINDER_KEEP_CONVERSATIONS.")
    if not 1 <= days <= 36500:
        raise CommandError("--days is a number from 1 to 36500.")
    what = say("everybody's conversations of more than {days} days ago", days=str(days))
    await agreed(what, language_here(settings), yes=arguments.yes)
    async with open_app(settings) as app:
        gone = await Retention(app.store, timedelta(days=days), app.clock).prune()
    if arguments.json:
        print(json.dumps({"turns": gone.turns, "conversations": gone.conversations}))
    else:
        print(f"Deleted: {gone.turns} turns; {gone.conversations} conversations are gone whole.")
    return 0
