"""How one file is read, looked at without bringing it in: its columns, the first rows as they would be booked, what is open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from ledger.errors import UnreadableFile
from ledger.importers import Hints, open_statement
from ledger.kept_layouts import kept_layouts
from ledger.layout_directions import remembered_directions
from ledger.statement_accounts import name_from
from ledger.working import aside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from ledger.importers.table.stated import SeenTable, StatedLayout
    from ledger.repository import Repository
    from ledger.statement_writer import SourceFile
    from ledger.transactions import StatementRow

_ROWS = 3


@dataclass(frozen=True, slots=True)
class Look:
    """What a file looks like; ``problem`` says why it can't be read, or what must be answered first."""

    table: SeenTable | None
    rows: tuple[StatementRow, ...] = ()
    count: int = 0
    left_out: int = 0
    why: str = ""
    """Why the amounts have the signs that they have, where there is more to it."""
    problem: str = ""
    said_on: date | None = None


async def look_at_file(repository: Repository, source: SourceFile, layouts: Sequence[StatedLayout] = ()) -> Look:
    """Read a file as an import would; ``layouts`` are said now, before what is kept."""
    kept = {each.layout: each.said_on for each in await kept_layouts(repository)}
    hints = Hints(
        file_account=name_from(source.name),
        remembered=await remembered_directions(repository),
        layouts=(*layouts, *kept),
    )
    look = await aside(partial(_look, source, hints))
    stated = look.table.stated if look.table is not None and look.table.said else None
    if stated is None or stated in layouts:
        return look
    return Look(look.table, look.rows, look.count, look.left_out, look.why, look.problem, kept.get(stated))


def _look(source: SourceFile, hints: Hints) -> Look:
    try:
        statement = open_statement(source.name, source.data, hints)
    except UnreadableFile as error:
        return Look(error.table, problem=error.message)
    why = statement.direction.why if statement.direction else ""
    rows = tuple(islice(statement.rows, _ROWS))
    return Look(statement.table, rows, len(statement.rows), len(statement.rejected), why)
