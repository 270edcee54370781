"""``import``: read bank files into the ledger."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from bots.app import open_app
from bots.cli.errand import Errand, not_done
from bots.contracts import Attachment, Duty
from bots.desk.importing import BRING, IMPORT, LOOK, kept_hints
from bots.import_words import unclear_row
from bots.local_files import is_folder, listed, look_into, read_files, read_picks
from bots.public_json import import_json
from bots.terminal import say as show
from bots.terminal import terminal
from language.catalogue import language_of, say, translated
from ledger.direction import Told
from ledger.errors import LayoutRefused
from ledger.importers import Hints
from ledger.importers.table.layout_file import read_layout
from ledger.imports import ImportReport

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from graph.turn import TurnOutcome
    from ledger.importers.table.stated import StatedLayout
    from ledger.statement_writer import FileReport


DOES_NOT_FIT = "This layout is of other files: the columns are not the same."
#: How many rows this process also indexes. The encoder and the index take as much memory as reading a large file does, so
#: after one the queue is left to whoever searches next: the running bot or the next question.
_MOST_INDEXED = 50_000


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import the files as one batch, print what became of each, and index what is new unless that is much."""
    hints = _told(arguments)
    async with open_app(settings) as app:
        errand = Errand(app, arguments.user)
        asks = errand.lines.interactive and not arguments.json
        language = language_of(await app.desk.locale(errand.person))
        files = await _chosen(errand, arguments.files, language, asks=asks, all_of_them=arguments.dry_run)
        told = kept_hints(hints)
        if hints.layouts:
            _check_fit(_report(await errand.say(Duty(IMPORT, {**told, "way": LOOK}), files)), hints)
        if asks:
            outcome = await _talk(errand, Duty(IMPORT, told), files, dry_run=arguments.dry_run)
        else:
            way = LOOK if arguments.dry_run else BRING
            outcome = await errand.say(Duty(IMPORT, {**told, "way": way}), files)
        report = _report(outcome)
        if arguments.json:
            print(json.dumps(import_json(report), ensure_ascii=False))
        elif outcome.reply.kind == "answer" and not all(file.error for file in report.files):
            await errand.show(outcome.reply)
        sys.stdout.flush()
        await errand.end()
        if report.batch is not None and sum(file.added for file in report.files) <= _MOST_INDEXED:
            await app.indexing.catch_up()
    for file in report.files:
        if file.error:
            _tell_problem(file, language, with_rows=not arguments.json)
    return 1 if report.failed else 0


async def _talk(errand: Errand, duty: Duty, files: tuple[Attachment, ...], *, dry_run: bool) -> TurnOutcome:
    """Show what the files hold, ask about every word that is missing, and import what was shown: the command is the yes."""
    looked = await errand.say(duty, files)
    while looked.proposal is None and looked.reply.kind == "clarify":
        await errand.show(looked.reply, asks=True)
        answered = await errand.answer(await errand.lines.read() or "")
        if answered.report is None:  # that was no answer
            return looked
        looked = answered
    if dry_run or looked.proposal is None or looked.proposal.name != IMPORT:
        return replace(looked, reply=replace(looked.reply, kind="answer"))
    await errand.show(looked.reply)
    done = await errand.agree(looked)
    return replace(done, report=replace(_report(looked), batch=_report(done).batch))


def _report(outcome: TurnOutcome) -> ImportReport:
    """Return what became of the files.

    Raises:
        CommandError: nothing did, for the reason that was told.
    """
    if not isinstance(outcome.report, ImportReport):
        raise not_done(outcome.reply)
    return outcome.report


def _tell_problem(file: FileReport, language: str, *, with_rows: bool) -> None:
    """Say on standard error why a file was not read, with the rows in question."""
    rows = file.question.rows if file.question and with_rows else ()
    shown = "".join(f"  {translated(unclear_row(row), language)}\n" for row in rows)
    sys.stderr.write(f"money-minder: {file.file}: {translated(file.error or '', language)}\n{shown}")


def _told(arguments: argparse.Namespace) -> Hints:
    """Return what the command line says of the files."""
    told = Told(arguments.direction) if arguments.direction else None
    layouts = (layout_from(arguments.layout),) if arguments.layout else ()
    return Hints(
        arguments.format, arguments.account, arguments.currency, arguments.day_first, told, arguments.person or "",
        layouts=layouts,
    )  # fmt: skip


def _check_fit(report: ImportReport, hints: Hints) -> None:
    """Refuse a layout that is of other files: whoever names one wants it used."""
    for file in report.files:
        if file.table is None or file.table.stated not in hints.layouts:
            raise LayoutRefused(say("{file}: {told}", file=file.file, told=say(DOES_NOT_FIT)))


def layout_from(path: str) -> StatedLayout:
    """Read a layout's file; raises LayoutRefused."""
    file = read_files([path])[0]
    if file.problem:
        raise LayoutRefused(say("{file}: {told}", file=path, told=say(file.problem)))
    try:
        return read_layout(file.data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LayoutRefused("This is no layout file: it is not written in UTF-8.") from error


async def _chosen(
    errand: Errand, paths: list[str], language: str, *, asks: bool, all_of_them: bool
) -> tuple[Attachment, ...]:
    """Return the files that are named, and of folders those that are picked: nobody means all of a folder unasked."""
    chosen: list[str] = []
    for path in paths:
        folder = await asyncio.to_thread(look_into, path) if is_folder(path) else None
        picked: tuple[str, ...] | None = ()
        if folder is not None and all_of_them:
            picked = folder.statements
        elif folder is not None and folder.statements and asks:
            for line in listed(folder):
                show(terminal(), line, "", language)
            picked = read_picks(await errand.lines.read() or "", folder)
        chosen += picked or [path]  # of a folder, why nothing of it is read
    return tuple(Attachment(path, 0, "application/octet-stream", path) for path in chosen)
