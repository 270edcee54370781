"""``layout``: which column of a file is taken for what, and how to say it better."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bots.app import console_person, open_app
from bots.cli.importing import DOES_NOT_FIT, layout_from
from bots.cli.speaking import tongue
from bots.column_words import columns_table, settled_words
from bots.import_words import counted, on_one_line
from bots.local_files import read_files
from bots.terminal import say, show_table, terminal
from graph.answers import told_table
from language.catalogue import say as told
from language.catalogue import translated
from ledger.errors import LayoutRefused, UnreadableFile
from ledger.file_looks import look_at_file
from ledger.importers.table.layout_file import write_layout
from ledger.importers.table.saying import complete, described
from ledger.importers.table.saying import say as said_of
from ledger.importers.table.stated import WORDS
from ledger.kept_layouts import forget_layout, keep_layout
from ledger.store import utc_now
from tools.results import Column, Table

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings
    from ledger.file_looks import Look
    from ledger.importers.table.stated import SeenTable, StatedLayout
    from ledger.repository import Repository
    from ledger.transactions import StatementRow

_SEVERAL = "This archive holds several files; unpack it, and name one of them."
_NO_TABLE = "This file is no table, so there are no columns to speak of."
_NOT_READ = "The file can't be read like that, so nothing was kept."
_NOTHING_SAID = "Nothing is said of this file, so there is nothing to keep: --set COLUMN=ROLE says it."


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Show how a file is understood, with what is said of it on the command line, and keep or hand that on if asked to."""
    read = await asyncio.to_thread(read_files, [arguments.file])
    source = read[0]
    if source.problem or len(read) > 1:
        raise UnreadableFile(told("{file}: {told}", file=arguments.file, told=told(source.problem or _SEVERAL)))
    given = [layout_from(arguments.layout)] if arguments.layout else []
    async with open_app(settings) as app:
        repository = await app.repository(console_person(arguments.user))
        language = await tongue(repository, settings)
        look = await look_at_file(repository, source, given)
        table = _table(look, given)
        if arguments.set:
            look = await look_at_file(repository, source, [said_of(table, arguments.set)])
            table = _table(look, [])
        if arguments.json:
            print(json.dumps(_as_json(source.name, look, table), ensure_ascii=False))
        else:
            _show(source.name, look, table, language)
        if arguments.save or arguments.forget:
            done = await (_save(repository, look, table) if arguments.save else _forget(repository, table))
            sys.stderr.write(f"{translated(done, language)}\n")
        if arguments.export:
            _export(arguments.export, complete(table))
    return 1 if look.problem else 0


def _table(look: Look, given: list[StatedLayout]) -> SeenTable:
    if look.table is None:
        raise LayoutRefused(look.problem or _NO_TABLE)
    if given and look.table.stated not in given:
        raise LayoutRefused(DOES_NOT_FIT)
    return look.table


async def _save(repository: Repository, look: Look, table: SeenTable) -> str:
    stated = table.stated if table.said else None
    if stated is None:
        raise LayoutRefused(_NOTHING_SAID)
    if not look.count:
        raise LayoutRefused(_NOT_READ)
    async with repository.store.write() as connection:
        await keep_layout(connection, repository.ledger_id, stated, date.fromisoformat(utc_now()[:10]))
    return "Kept for files of this layout."


async def _forget(repository: Repository, table: SeenTable) -> str:
    key = (table.stated if table.stated and table.said else table.layout).key
    async with repository.store.write() as connection:
        gone = await forget_layout(connection, repository.ledger_id, key)
    return (
        "Forgotten: files of this layout are read as they show themselves."
        if gone
        else "Nothing was kept of such files."
    )


def _export(path: str, layout: StatedLayout) -> None:
    try:
        Path(path).expanduser().write_text(write_layout(layout), encoding="utf-8")
    except OSError as error:
        raise LayoutRefused(told("{file} can't be written.", file=path)) from error


def _show(name: str, look: Look, table: SeenTable, language: str) -> None:
    console = terminal()
    say(console, name, "bold")
    show_table(told_table(columns_table(table, typed=True), language), console, most=None)
    for line in settled_words(table, look.said_on):
        say(console, told("  {told}", told=line), "", language)
    if look.problem:
        say(console, look.problem, "red", language)
        return
    form = "  {transactions}, {number} left out. The first ones:"
    found = counted(look.count, "transaction", "en_US")
    say(console, told(form, transactions=found, number=str(look.left_out)), "dim", language)
    columns = (Column("Date", "date"), Column("Description"), Column("Amount"))
    show_table(told_table(Table(columns, tuple(map(_row, look.rows))), language), console, most=None)


def _row(row: StatementRow) -> tuple[Any, ...]:
    return row.booked_on, on_one_line(row.description), f"{row.amount:+f} {row.currency or ''}".rstrip()


def _as_json(name: str, look: Look, table: SeenTable) -> dict[str, Any]:
    """Return how a file is understood, as ``--json`` prints it."""
    seen, roles = table.layout, dict(table.layout.columns)
    return {
        "file": name,
        "columns": [
            {
                "number": column + 1,
                "name": seen.header[column] if seen.header else None,
                "role": WORDS[roles[column]] if column in roles else None,
                "example": table.example(column),
            }
            for column in range(seen.width)
        ],
        "said": described(table.stated) if table.stated and table.said else None,
        "said_on": look.said_on.isoformat() if look.said_on else None,
        "bank": table.stated.bank if table.stated else None,
        "layout": write_layout(complete(table)),
        "found": look.count,
        "left_out": look.left_out,
        "direction": look.why,
        "rows": [
            {
                "row": row.number,
                "date": row.booked_on.isoformat(),
                "amount": format(row.amount, "f"),
                "currency": row.currency,
                "description": row.description,
                "account": row.account,
            }
            for row in look.rows
        ],
        "error": look.problem or None,
    }
