"""``export``: everything that is yours, in a form that can be read elsewhere and imported again."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.errors import CommandError
from bots.export_text import export_text
from ledger.deletion import export_rows

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Write the transactions as CSV or JSON to a file only you can read, or to standard output."""
    async with open_app(settings) as app:
        rows = await export_rows(await app.repository(console_person(arguments.user)))
    as_json = arguments.json or arguments.format == "json"
    if arguments.output is None:
        sys.stdout.write(export_text(rows, as_json=as_json))
        return 0
    save(arguments.output, export_text(rows, as_json=as_json))
    print(f"{len(rows)} transactions written to {arguments.output}")
    return 0


def save(path: str, text: str) -> None:
    """Write a new file that only its owner can read; raises CommandError."""
    try:
        file = os.open(Path(path).expanduser(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", newline="") as out:
            out.write(text)
    except (OSError, ValueError, RuntimeError) as error:
        raise CommandError("That file can't be written, or is there already.") from error
