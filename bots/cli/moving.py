"""``move``: everything from the data directory's SQLite file into the PostgreSQL database of the settings."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING

from bots.cli.backing_up import count_of, no_bot, on_disk
from bots.cli.speaking import language_here
from bots.errors import CommandError
from bots.import_words import people_of
from bots.lease import keep_to_vacant
from language.catalogue import say, translated
from ledger.moving import move

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from ledger.moving import Moved

_WHERE_TO = "Set MONEY_MINDER_DATABASE_URL to the PostgreSQL database that everything is to move to."
_MOVED = "{transactions} of {people} moved; every row was read again and compared."
_BEFORE = "{transactions} of {people} are there already; every row was read again and compared."
_LEFT = "{file} is as it was. Keep it until you have seen the bot answer, then put it away."


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Move, and say what was moved: each table's rows, and their checksum."""
    os.umask(0o077)
    url, file = settings.database_url, settings.data_dir / "money.sqlite3"
    if url is None or "://" not in url:
        raise CommandError(_WHERE_TO)
    with (
        on_disk("Nothing was moved."),
        no_bot(settings.data_dir, "The bot is running, so nothing was moved. Stop it first."),
    ):
        moved = await move(file, url, keep_to_vacant)
    if arguments.json:
        tables = [asdict(table) for table in moved.tables]
        print(json.dumps({"file": str(file), "before": moved.before, "tables": tables}, ensure_ascii=False))
    else:
        print("\n".join(_told(moved, str(file), language_here(settings))))
    return 0


def _told(moved: Moved, file: str, language: str) -> list[str]:
    told = [table for table in moved.tables if table.rows]
    wide = max((len(table.name) for table in told), default=0)
    rows = [f"{table.name:{wide}} {table.rows:>12,}  {table.sha256[:16]}" for table in told]
    transactions, people = count_of(moved.rows("transactions")), people_of(moved.rows("people"))
    done = say(_BEFORE if moved.before else _MOVED, transactions=transactions, people=people)
    return [*rows, translated(done, language), translated(say(_LEFT, file=file), language)]
