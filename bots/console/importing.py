"""Bringing bank files in at the console, and taking them back: shown first, done on a yes."""

from __future__ import annotations

import asyncio
import glob
import os
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.column_words import EXAMPLE, columns_table, settled_words
from bots.console.proposals import propose
from bots.desk.undoing import NOTHING_TO_UNDO
from bots.import_words import (
    DIRECTION_QUESTION,
    PERSON_QUESTION,
    PERSON_REASON,
    UNFILED_QUESTION,
    counted,
    dated,
    describe_batch,
    on_one_line,
    read_direction,
    read_person,
    unclear_row,
)
from bots.local_files import Folder, is_folder, listed, look_into, not_picked, read_files, read_picks
from bots.terminal import show_import, show_table, working
from graph.answers import told_table
from language.catalogue import say, translated
from ledger.batches import last_batch
from ledger.errors import NothingToUndo
from ledger.importers import Hints
from ledger.importers.table.layout_file import write_layout
from ledger.importers.table.saying import say as say_of
from ledger.imports import ImportReport, import_files, undo_import
from ledger.imports import Within as WithinImport
from ledger.kept_layouts import forget_layout
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.statement_writer import FileReport, SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.console.proposals import Within
    from bots.console.session import Session
    from ledger.errors import AmbiguousDates, AmbiguousDirection, AmbiguousPerson
    from ledger.importers.table.stated import SeenTable, StatedLayout
    from ledger.statement_writer import FileReport

_OPTIONS = {
    "--account": "account",
    "--currency": "currency",
    "--format": "format",
    "--direction": "direction",
    "--person": "person",
}
_MENDABLE = "/columns shows which column is what, and mends it."
_DAY_FIRST = frozenset(("1", "day", "day first", "tag", "erst tag", "d"))
_MONTH_FIRST = frozenset(("2", "month", "month first", "monat", "erst monat", "m"))


async def import_paths(session: Session, words: Sequence[str]) -> None:
    """``/import PATH... [--account A] [--currency C]``: show what would come in, and ask; of a folder, ask first which."""
    paths, hints = _read_line(words[0] if words else "")
    if not paths:
        session.say("Which file? /import PATH, for example /import ~/Downloads/bank.csv")
        return
    await _import_paths(session, paths, hints)


async def _import_paths(session: Session, paths: Sequence[str], hints: Hints) -> None:
    """Go on to the preview, unless there is a folder of which it must be known what is meant."""
    place = next((place for place, path in enumerate(paths) if is_folder(path)), None)
    if place is None:
        files = await asyncio.to_thread(read_files, paths)
        await Importing(session, files, hints).preview()
        return
    folder = await asyncio.to_thread(look_into, paths[place])
    if not folder.statements:
        session.say(say("{file}: {told}", file=folder.path, told=not_picked(folder)), "red")
        return
    for line in listed(folder):
        session.say(line)
    session.expects = _Picks(session, folder, paths[:place], paths[place + 1 :], hints)


async def columns(session: Session, words: Sequence[str]) -> None:
    """``/columns [NAME=VALUE…|forget]``: show which column of the last file is what, or say it and look again."""
    importing = session.importing
    if importing is None:
        session.say("There is no file here whose columns are in question; /import FILE shows one.")
        return
    await importing.mend(words)


async def import_sample(session: Session, words: Sequence[str]) -> None:
    """``/sample``: bring in made-up data; into a ledger with other data only after a yes."""
    del words
    context = await session.context()
    files = [SourceFile(SAMPLE_NAME, sample_csv(context.today))]
    sample = Importing(session, files, Hints())
    if context.vocabulary.count == 0:
        await sample.do()
        session.say("Ask away, for example: How much did I spend on groceries last month?")
    else:
        session.say("This is made-up data, and would be mixed with what is in your ledger.")
        await sample.preview()


async def undo(session: Session, words: Sequence[str]) -> None:
    """``/undo [NUMBER]``: show the last import, or the one of this number, and ask whether to take it back."""
    wanted = next((int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 10), None)
    repository = await session.repository()
    batch = await last_batch(repository, wanted)
    if batch is None:
        gone = "There is no import {number} to take back."
        raise NothingToUndo(NOTHING_TO_UNDO if wanted is None else say(gone, number=str(wanted)))
    count = counted(batch.count, "transaction", session.locale)
    session.say(say("Import {number}: {transactions}", number=str(batch.id), transactions=count))
    session.say(say("  {told}", told=describe_batch(batch, session.locale)), "dim")

    async def work(within: Within) -> None:
        undone = await undo_import(repository, batch.id, within=lambda connection, _: within(connection))
        removed = counted(undone.removed, "transaction", session.locale)
        session.say(say("Taken back: {transactions}.", transactions=removed))
        await session.app.indexing.catch_up()

    arguments = {"batch": batch.id, "count": batch.count}
    await propose(session, "undo", arguments, say("Take back {transactions}?", transactions=count), work)


@dataclass(slots=True)
class Importing:
    """Files on their way in: previewed, asked about, and imported as they were read."""

    session: Session
    files: list[SourceFile]
    hints: Hints
    tables: list[SeenTable] = field(default_factory=list)

    async def preview(self) -> None:
        """Show what would become of the files, and ask; or ask first how to read their dates."""
        report = await self._run(dry_run=True)
        self.session.importing = self
        self.tables = [file.table for file in report.files if file.table is not None]
        if any(self._asks(source, file) for source, file in zip(self.files, report.files, strict=True)):
            return
        session = self.session
        show_import(report, session.console, dry_run=True, locale=session.locale, language=session.language)
        new = sum(file.added for file in report.files)
        if not any(file.is_news for file in report.files):
            if any(file.duplicates for file in report.files):
                session.say("There is nothing new to import.")
            elif self.tables:
                session.say(_MENDABLE, "dim")
            return
        if self.tables:
            session.say(_MENDABLE, "dim")
        what = counted(new, "transaction", session.locale) if new else say("the balance")
        await propose(session, "import", self._proposed(), say("Import {what}?", what=what), self.do)

    def _proposed(self) -> dict[str, Any]:
        """Return what a yes is given to: the files, and how they are read."""
        hints = self.hints
        return {
            "files": [[file.title, file.sha256] for file in self.files],
            "hints": [hints.format, hints.account, hints.currency, hints.day_first, hints.person],
            "directions": [
                hints.direction.value if hints.direction else None,
                *([sha256, told.value] for sha256, told in sorted(hints.answers.items())),
            ],
            "layouts": [write_layout(layout) for layout in hints.layouts],
        }

    def _asks(self, source: SourceFile, file: FileReport) -> bool:
        """Ask what a file leaves open: the order of its dates, who one is in it, which way its money went; tell if anything."""
        if file.ambiguous is not None:
            self._ask_order(file.file, file.ambiguous)
        elif file.shared is not None and file.table is not None:
            self._ask_person(file.file, file.shared, file.table)
        elif file.unclear is not None:
            self._ask_direction(source, file.unclear)
        else:
            return False
        return True

    async def mend(self, words: Sequence[str]) -> None:
        """Show the columns of the first file that has any; or take what is said of them, and show the files anew."""
        table = next(iter(self.tables), None)
        if table is None:
            self.session.say("This file is no table, so there are no columns to speak of.")
        elif [word.casefold() for word in words] == ["forget"]:
            await self._forget(table)
        elif words:
            await self.go_on(say_of(table, words))
        else:
            shown = told_table(columns_table(table, typed=True), self.session.language)
            show_table(shown, self.session.console, self.session.locale, most=None)
            for line in settled_words(table, None):
                self.session.say(line, "dim")
            how = "/columns {example} says it better; /columns forget takes back what you said."
            self.session.say(say(how, example=EXAMPLE), "dim")

    async def go_on(self, layout: StatedLayout) -> None:
        """Show the files anew, with a word on those of one layout."""
        others = (each for each in self.hints.layouts if each.key != layout.key)
        self.hints = replace(self.hints, layouts=(layout, *others))
        await self.preview()

    async def _forget(self, table: SeenTable) -> None:
        key = table.base.key
        repository = await self.session.repository()
        async with repository.store.write() as connection:
            gone = await forget_layout(connection, repository.ledger_id, key)
        said = [each for each in self.hints.layouts if each.key == key]
        self.hints = replace(self.hints, layouts=tuple(each for each in self.hints.layouts if each.key != key))
        self.session.say("Forgotten." if gone or said else "Nothing was said of such files.")
        await self.preview()

    async def do(self, within: Within | None = None) -> None:
        """Import for good, then let the search index take in what is new."""
        session = self.session
        report = await self._run(None if within is None else lambda connection, _: within(connection))
        show_import(report, session.console, locale=session.locale, language=session.language)
        if report.batch is None:
            return
        with working(translated("Indexing", session.language), quiet=not sys.stderr.isatty()) as progress:
            await session.app.indexing.catch_up(lambda done, of: progress("", done, of))
        told = "This is import {number}; /undo takes it back. Ask away, for example: {question}"
        session.say(say(told, number=str(report.batch), question=say(UNFILED_QUESTION)), "dim")

    async def _run(self, within: WithinImport | None = None, *, dry_run: bool = False) -> ImportReport:
        repository = await self.session.repository()
        currency = (await repository.settings()).get("currency")
        what = translated("Reading" if dry_run else "Importing", self.session.language)
        with working(what, quiet=not sys.stderr.isatty()) as progress:
            return await import_files(
                repository, self.files, self.hints, dry_run=dry_run, currency=currency, progress=progress, within=within
            )

    def _ask_order(self, name: str, error: AmbiguousDates) -> None:
        day, month = (dated(choice) for choice in error.choices)
        self.session.say(say("{file}: nothing in it says whether {cell} is", file=name, cell=error.cell))
        self.session.say(say("  1  {day} (day first)\n  2  {month} (month first)", day=day, month=month))
        self.session.expects = _DateOrder(self)

    def _ask_person(self, name: str, error: AmbiguousPerson, table: SeenTable) -> None:
        self.session.say(say("{file}: {told}", file=name, told=say(PERSON_QUESTION)), "bold")
        self.session.say(PERSON_REASON, "dim")
        for place, person in enumerate(error.people, start=1):
            self.session.say(say("  {number}  {person}", number=str(place), person=on_one_line(person)))
        self.session.expects = _Person(self, error.people, table)

    def _ask_direction(self, source: SourceFile, error: AmbiguousDirection) -> None:
        self.session.say(say("{file}: {told}", file=source.title, told=say(DIRECTION_QUESTION)), "bold")
        for row in error.rows:
            self.session.say(say("  {told}", told=unclear_row(row)))
        self.session.say(error.why, "dim")
        self.session.say("  1  I spent these\n  2  I received these")
        self.session.expects = _Direction(self, source.sha256)


@dataclass(frozen=True, slots=True)
class _Picks:
    """The question which files of a folder are meant, among the paths that were named."""

    session: Session
    folder: Folder
    before: Sequence[str]
    after: Sequence[str]
    hints: Hints

    async def take(self, line: str) -> bool:
        """Go on with the files that the line picks."""
        picked = read_picks(line, self.folder)
        if picked is None:
            self.session.say("That was none of them, so nothing was imported.", "dim")
            return False
        await _import_paths(self.session, [*self.before, *picked, *self.after], self.hints)
        return True

    async def withdraw(self) -> None:
        """Nothing was proposed yet."""


@dataclass(frozen=True, slots=True)
class _Direction:
    """The question which way the money of one file went."""

    importing: Importing
    sha256: str

    async def take(self, line: str) -> bool:
        """Go on with what the line says of the file."""
        told = read_direction(line)
        if told is None:
            self.importing.session.say("That was none of them, so nothing was imported.", "dim")
            return False
        hints = self.importing.hints
        self.importing.hints = replace(hints, answers={**hints.answers, self.sha256: told})
        await self.importing.preview()
        return True

    async def withdraw(self) -> None:
        """Nothing was proposed yet."""


@dataclass(frozen=True, slots=True)
class _Person:
    """The question who the person is among those that a file names."""

    importing: Importing
    people: Sequence[str]
    table: SeenTable

    async def take(self, line: str) -> bool:
        """Go on with the name or number that the line says."""
        meant = read_person(line, self.people)
        if not meant:
            self.importing.session.say("That was none of them, so nothing was imported.", "dim")
            return False
        await self.importing.go_on(replace(self.table.base, person=meant))
        return True

    async def withdraw(self) -> None:
        """Nothing was proposed yet."""


@dataclass(frozen=True, slots=True)
class _DateOrder:
    """The question which of day and month comes first."""

    importing: Importing

    async def take(self, line: str) -> bool:
        """Go on with the order that the line names."""
        answer = line.strip(" .)!").casefold()
        if answer not in _DAY_FIRST | _MONTH_FIRST:
            self.importing.session.say("That was neither, so nothing was imported.", "dim")
            return False
        self.importing.hints = replace(self.importing.hints, day_first=answer in _DAY_FIRST)
        await self.importing.preview()
        return True

    async def withdraw(self) -> None:
        """Nothing was proposed yet."""


def _read_line(line: str) -> tuple[list[str], Hints]:
    """Return paths, patterns of them expanded, and what the options say; a line that is a path, blanks and all, is one."""
    named: list[str] = []
    said: dict[str, str] = {}
    rest = iter([line] if _is_there(line) else split(line))
    for word in rest:
        name, equals, value = word.partition("=")
        if name in _OPTIONS:
            said[_OPTIONS[name]] = value if equals else next(rest, "")
        else:
            named.append(word)
    named = [" ".join(named)] if _is_there(" ".join(named)) else named
    paths = [path for word in named for path in _expanded(word)]
    currency = said.get("currency", "").upper() or None
    told = read_direction(said.get("direction", ""))
    return paths, Hints(
        said.get("format") or None, said.get("account") or None, currency, direction=told, person=said.get("person", "")
    )


def split(text: str) -> list[str]:
    """Return words as a shell would; a quote that never ends is a character like any other."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _expanded(word: str) -> list[str]:
    """Return the files that a pattern stands for, or what is written where it is a path."""
    return [word] if _is_there(word) else sorted(glob.glob(os.path.expanduser(word))) or [word]  # noqa: PTH111, PTH207


def _is_there(path: str) -> bool:
    try:
        return bool(path) and Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False
