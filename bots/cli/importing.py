"""``import``: read bank files into the ledger."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.import_words import DIRECTION_QUESTION, read_direction, unclear_row
from bots.public_json import import_json
from bots.terminal import say, show_import, terminal, working
from ledger.direction import Told
from ledger.importers import MOST_BYTES, Hints
from ledger.imports import ImportReport, import_files
from ledger.statement_writer import FileReport, SourceFile

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from ledger.repository import Repository


#: How many rows this process also indexes. The encoder and the index take as much memory as reading a large file does, so
#: after one the queue is left to whoever searches next: the running bot or the next question.
_MOST_INDEXED = 50_000


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import the files as one batch, print what became of each, and index what is new unless that is much."""
    told = Told(arguments.direction) if arguments.direction else None
    hints = Hints(arguments.format, arguments.account, arguments.currency, arguments.day_first, told)
    quiet = arguments.json or not sys.stderr.isatty()
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        currency = (await repository.settings()).get("currency")
        read, unreadable = read_files(arguments.files)
        if told is None and not arguments.json and sys.stdin.isatty() and sys.stdout.isatty():
            hints = await _asked(repository, read, hints)
        with working("Reading", quiet=quiet) as progress:
            report = await import_files(
                repository, read, hints, dry_run=arguments.dry_run, currency=currency, progress=progress
            )
        report = in_order(arguments.files, report, unreadable)
        if arguments.json:
            print(json.dumps(import_json(report), ensure_ascii=False))
        else:
            brought = tuple(file for file in report.files if not file.error)
            show_import(replace(report, files=brought), terminal(), dry_run=arguments.dry_run)
        sys.stdout.flush()
        if report.batch is not None and sum(file.added for file in report.files) <= _MOST_INDEXED:
            with working("Indexing", quiet=quiet) as progress:
                await app.indexing.catch_up(lambda done, of: progress("", done, of))
    for file in report.files:
        if file.error:
            rows = file.unclear.rows if file.unclear and not arguments.json else ()
            shown = "".join(f"  {unclear_row(row, 'en_US')}\n" for row in rows)
            sys.stderr.write(f"money-minder: {file.file}: {file.error}\n{shown}")
    return 1 if report.failed else 0


async def _asked(repository: Repository, files: list[SourceFile], hints: Hints) -> Hints:
    """Ask at the terminal about every file whose money may have gone either way."""
    console = terminal()
    report = await import_files(repository, files, hints, dry_run=True)
    answers: dict[str, Told] = {}
    for source, file in zip(files, report.files, strict=True):
        if file.unclear is None:
            continue
        say(console, f"{file.file}: {DIRECTION_QUESTION}", "bold")
        for row in file.unclear.rows:
            say(console, f"  {unclear_row(row, 'en_US')}")
        say(console, file.unclear.why, "dim")
        answer = await asyncio.to_thread(input, "spent or received? ")
        if told := read_direction(answer):
            answers[source.sha256] = told
    return replace(hints, answers=answers)


def read_files(paths: list[str]) -> tuple[list[SourceFile], list[FileReport]]:
    """Return the files that could be read, and a report for each that could not."""
    read: list[SourceFile] = []
    failed: list[FileReport] = []
    for path in paths:
        try:
            place = Path(path).expanduser()
            mode = place.stat().st_mode
            if not stat.S_ISREG(mode):  # a pipe or device may have no end, or nobody at the other one
                what = "a folder, not a file" if stat.S_ISDIR(mode) else "a pipe or device, not a file"
                failed.append(FileReport(path, error=f"This is {what}."))
                continue
            with place.open("rb") as file:
                read.append(SourceFile(path, file.read(MOST_BYTES + 1)))
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
