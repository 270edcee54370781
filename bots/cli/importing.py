"""``import``: read bank files into the ledger."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.public_json import import_json
from bots.terminal import show_import, terminal, working
from ledger.importers import MOST_BYTES, Hints
from ledger.imports import ImportReport, import_files
from ledger.statement_writer import FileReport, SourceFile

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import the files as one batch, index what is new, and print what became of each."""
    hints = Hints(arguments.format, arguments.account, arguments.currency, arguments.day_first)
    quiet = arguments.json or not sys.stderr.isatty()
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        currency = (await repository.settings()).get("currency")
        read, unreadable = read_files(arguments.files)
        with working("Reading", quiet=quiet) as progress:
            report = await import_files(
                repository, read, hints, dry_run=arguments.dry_run, currency=currency, progress=progress
            )
        report = in_order(arguments.files, report, unreadable)
        if arguments.json:
            print(json.dumps(import_json(report), ensure_ascii=False))
        else:
            show_import(report, terminal(), dry_run=arguments.dry_run)
        sys.stdout.flush()
        if report.batch is not None:
            with working("Indexing", quiet=quiet) as progress:
                await app.indexing.catch_up(lambda done, of: progress("", done, of))
    for file in report.files:
        if file.error:
            sys.stderr.write(f"money-minder: {file.file}: {file.error}\n")
    return 1 if report.failed else 0


def read_files(paths: list[str]) -> tuple[list[SourceFile], list[FileReport]]:
    """Return the files that could be read, and a report for each that could not."""
    read: list[SourceFile] = []
    failed: list[FileReport] = []
    for path in paths:
        try:
            with Path(path).expanduser().open("rb") as file:
                read.append(SourceFile(path, file.read(MOST_BYTES + 1)))
        except IsADirectoryError:
            failed.append(FileReport(path, error="This is a folder, not a file."))
        except FileNotFoundError:
            failed.append(FileReport(path, error="There is no such file."))
        except (OSError, ValueError):
            failed.append(FileReport(path, error="This file can't be opened."))
    return read, failed


def in_order(paths: list[str], report: ImportReport, unreadable: list[FileReport]) -> ImportReport:
    """Return the report with every file in the order in which it was named."""
    waiting = {id(file): file for file in (*report.files, *unreadable)}
    ordered = []
    for path in paths:
        key = next((key for key, file in waiting.items() if file.file == path), None)
        if key is not None:
            ordered.append(waiting.pop(key))
    return ImportReport(report.batch, tuple(ordered))
