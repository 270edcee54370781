"""``export``: everything that is yours, in a form that can be read elsewhere and imported again."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.cli.speaking import tongue
from bots.errors import CommandError
from bots.table_file import export_text
from language.catalogue import say, translated
from ledger.deletion import export_balances, export_rows
from ledger.spreadsheets import BALANCE_COLUMNS, EXPORT_COLUMNS

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from language.catalogue import Template


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Write the transactions or balances as CSV or JSON to a file only you can read, or to standard output."""
    balances = arguments.balances
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        rows = await (export_balances(repository) if balances else export_rows(repository))
        language = await tongue(repository, settings)
    columns = BALANCE_COLUMNS if balances else EXPORT_COLUMNS
    text = export_text(rows, columns, as_json=arguments.json or arguments.format == "json")
    if arguments.output is None:
        sys.stdout.write(text)
        return 0
    save(arguments.output, text)
    form = "{count} balances written to {file}" if balances else "{count} transactions written to {file}"
    print(translated(say(form, count=str(len(rows)), file=arguments.output), language))
    return 0


def save(path: str, text: str) -> None:
    """Write a new file that only its owner can read; raises CommandError."""
    try:
        file = os.open(Path(path).expanduser(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", newline="") as out:
            out.write(text)
    except (OSError, ValueError, RuntimeError) as error:
        raise CommandError(_not_written(path, error)) from error


def _not_written(path: str, error: Exception) -> Template:
    """Say why a new file can't be written."""
    where = Path(path)
    match error:
        case FileExistsError() if where.expanduser().is_dir():
            return say("{file} is a folder; name a file in it.", file=path)
        case FileExistsError():
            return say("{file} is there already, and is left as it is; choose another name.", file=path)
        case FileNotFoundError() | NotADirectoryError():
            return say("There is no folder {folder} to write to.", folder=str(where.parent))
        case PermissionError():
            return say("You may not write to {folder}.", folder=str(where.parent))
        case _:
            return say("{file} can't be written.", file=path)
