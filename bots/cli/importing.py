"""``import``: read bank files into the ledger."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.found import found
from bots.import_words import (
    CURRENCY_QUESTION,
    DIRECTION_QUESTION,
    PERSON_QUESTION,
    on_one_line,
    read_direction,
    read_person,
    unclear_row,
)
from bots.local_files import Folder, is_folder, listed, look_into, not_picked, read_files, read_picks
from bots.public_json import import_json
from bots.terminal import say as show
from bots.terminal import show_import, terminal, working
from language.catalogue import language_of, say, translated
from ledger.direction import Told
from ledger.errors import AmbiguousCurrency, AmbiguousDirection, AmbiguousPerson, LayoutRefused
from ledger.file_looks import look_at_file
from ledger.findings import find
from ledger.importers import Hints
from ledger.importers.table.layout_file import read_layout
from ledger.imports import import_files
from ledger.preferences import locale_of
from ledger.setting_words import read_currency
from ledger.statement_writer import SourceFile

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bots.settings import Settings
    from ledger.importers.table.stated import StatedLayout
    from ledger.repository import Repository
    from ledger.statement_writer import FileReport


DOES_NOT_FIT = "This layout is of other files: the columns are not the same."
#: How many rows this process also indexes. The encoder and the index take as much memory as reading a large file does, so
#: after one the queue is left to whoever searches next: the running bot or the next question.
_MOST_INDEXED = 50_000


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import the files as one batch, print what became of each, and index what is new unless that is much."""
    hints = _told(arguments)
    quiet = arguments.json or not sys.stderr.isatty()
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        preferences = await repository.settings()
        currency = preferences.get("currency")
        locale = locale_of(preferences) or settings.locale or "en_US"
        language = language_of(locale)
        may_ask = not arguments.json and sys.stdin.isatty() and sys.stdout.isatty()
        read = await _chosen(arguments.files, language, may_ask=may_ask, all_of_them=arguments.dry_run)
        await _check_fit(repository, read, hints)
        hints = replace(hints, assume_currency=not may_ask)
        if may_ask:
            hints = await _asked(repository, read, hints, language, currency)
        with working(translated("Reading", language), quiet=quiet) as progress:
            report = await import_files(
                repository, read, hints, dry_run=arguments.dry_run, currency=currency, progress=progress
            )
        if arguments.json:
            print(json.dumps(import_json(report), ensure_ascii=False))
        else:
            brought = tuple(file for file in report.files if not file.error)
            brought_in = replace(report, files=brought)
            show_import(brought_in, terminal(), dry_run=arguments.dry_run, locale=locale, language=language)
        sys.stdout.flush()
        if report.batch is not None and sum(file.added for file in report.files) <= _MOST_INDEXED:
            with working(translated("Indexing", language), quiet=quiet) as progress:
                await app.indexing.catch_up(lambda done, of: progress("", done, of))
        if report.batch is not None and not arguments.json:
            await _tell_what_is_there(repository, locale)
    for file in report.files:
        if file.error:
            _tell_problem(file, language, with_rows=not arguments.json)
    return 1 if report.failed else 0


async def _tell_what_is_there(repository: Repository, locale: str) -> None:
    async with repository.store.read() as connection:
        findings = await find(connection, repository)
    for line in found(findings, locale):
        show(terminal(), line, "", language_of(locale))


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


async def _check_fit(repository: Repository, files: list[SourceFile], hints: Hints) -> None:
    """Refuse a layout that is of other files: whoever names one wants it used."""
    for file in files if hints.layouts else ():
        look = await look_at_file(repository, file, hints.layouts)
        if look.table is None or look.table.stated not in hints.layouts:
            raise LayoutRefused(say("{file}: {told}", file=file.title, told=say(DOES_NOT_FIT)))


def layout_from(path: str) -> StatedLayout:
    """Read a layout's file; raises LayoutRefused."""
    file = read_files([path])[0]
    if file.problem:
        raise LayoutRefused(say("{file}: {told}", file=path, told=say(file.problem)))
    try:
        return read_layout(file.data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LayoutRefused("This is no layout file: it is not written in UTF-8.") from error


async def _asked(
    repository: Repository, files: list[SourceFile], hints: Hints, language: str, currency: str | None
) -> Hints:
    """Ask at the terminal about every file of which a word is missing, until nothing more is asked or answered."""
    while True:
        report = await import_files(repository, files, hints, dry_run=True, currency=currency)
        said = hints
        if any(isinstance(file.question, AmbiguousPerson) for file in report.files):
            said = replace(said, layouts=(*await _people(report.files, language), *said.layouts))
        for source, file in zip(files, report.files, strict=True):
            if isinstance(file.question, AmbiguousDirection) and (
                told := await _direction(file.file, file.question, language)
            ):
                said = replace(said, answers={**said.answers, source.sha256: told})
            if isinstance(file.question, AmbiguousCurrency) and (
                code := await _currency(file.file, file.question, language)
            ):
                said = replace(said, currencies={**said.currencies, source.sha256: code})
        if said == hints:
            return hints
        hints = said


async def _people(files: Sequence[FileReport], language: str) -> list[StatedLayout]:
    """Return who the person is in each file of several people, as what is said of its layout."""
    said: list[StatedLayout] = []
    for file in files:
        if not isinstance(file.question, AmbiguousPerson) or file.table is None:
            continue
        if any(each.key == file.table.base.key for each in said):
            continue
        console = terminal()
        show(console, say("{file}: {told}", file=file.file, told=say(PERSON_QUESTION)), "bold", language)
        for place, name in enumerate(file.question.people, start=1):
            show(console, f"  {place}  {on_one_line(name)}")
        which = translated("which? ", language)
        name = read_person(await asyncio.to_thread(input, which), file.question.people)
        said += [replace(file.table.base, person=name)] if name else []
    return said


async def _direction(name: str, unclear: AmbiguousDirection, language: str) -> Told | None:
    """Ask which way the money of a file went."""
    _show_question(name, DIRECTION_QUESTION, unclear, language)
    return read_direction(await asyncio.to_thread(input, translated("spent or received? ", language)))


async def _currency(name: str, unpriced: AmbiguousCurrency, language: str) -> str | None:
    """Ask which currency the amounts of a file are in."""
    _show_question(name, CURRENCY_QUESTION, unpriced, language)
    return read_currency((await asyncio.to_thread(input, f"{' / '.join(unpriced.choices)} … ? ")).strip(" .!"))


def _show_question(name: str, question: str, error: AmbiguousDirection | AmbiguousCurrency, language: str) -> None:
    """Show what is asked of a file, with rows of it and what it shows instead."""
    console = terminal()
    show(console, say("{file}: {told}", file=name, told=say(question)), "bold", language)
    for row in error.rows:
        show(console, say("  {told}", told=unclear_row(row)), "", language)
    show(console, error.why, "dim", language)


async def _chosen(paths: list[str], language: str, *, may_ask: bool, all_of_them: bool) -> list[SourceFile]:
    """Return the files that are named, and of folders those that are picked: nobody means all of a folder unasked."""
    files: list[SourceFile] = []
    for path in paths:
        if not is_folder(path):
            files += await asyncio.to_thread(read_files, [path])
            continue
        folder = await asyncio.to_thread(look_into, path)
        picked = folder.statements if all_of_them else await _pick(folder, language) if may_ask else ()
        files += await asyncio.to_thread(read_files, picked)
        if not picked:
            files.append(SourceFile(path, b"", not_picked(folder)))
    return files


async def _pick(folder: Folder, language: str) -> tuple[str, ...]:
    """Ask at the terminal which of a folder's statements are meant."""
    if not folder.statements:
        return ()
    console = terminal()
    for line in listed(folder):
        show(console, line, "", language)
    return read_picks(await asyncio.to_thread(input, translated("which? ", language)), folder) or ()
