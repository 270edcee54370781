"""``forget``: delete everything that is yours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.cli.consent import agreed
from bots.cli.speaking import language_here
from bots.history import History
from bots.import_words import counted
from bots.shares import SharedPosts
from language.catalogue import say, translated
from ledger.deletion import forget_person

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete the ledger and the conversations, or only the latter, after a yes."""
    everything = "your ledger, conversations, notes and settings"
    what = say("all your conversations" if arguments.conversations else everything)
    language = language_here(settings)
    await agreed(what, language, yes=arguments.yes)
    person = console_person(arguments.user)
    async with open_app(settings) as app:
        if arguments.conversations:
            removed = await History(app.store).forget(person)
        else:
            await History(app.store).forget(person)
            removed = await forget_person(app.store, person)
            await app.indexing.catch_up()
        leaving = len(await SharedPosts(app.store, app.clock).leaving())
    count = counted(removed, "turn" if arguments.conversations else "transaction", settings.locale or "en_US")
    if leaving and not arguments.json:
        print(translated("What was shared on a platform is deleted there by the bot, as soon as it runs.", language))
    done = translated(say("Deleted: {what} ({count}).", what=what, count=count), language)
    print(json.dumps({"removed": removed}) if arguments.json else done)
    return 0
