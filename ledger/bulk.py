"""Writing many rows by few statements.

Between two statements of an ``executemany`` Python's SQLite lets other threads run, and where one of these computes, each
row waits for the interpreter anew, for as long as it likes to keep it, with the database locked meanwhile
(https://docs.python.org/3/library/sys.html#sys.setswitchinterval). A statement of many rows waits once.
"""

from __future__ import annotations

from functools import cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa
    from sqlalchemy.ext.asyncio import AsyncConnection

#: How many rows a statement has; SQLite takes 32,766 values in one.
_AT_ONCE = 50


async def insert_many(connection: AsyncConnection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows that have values for the same columns."""
    whole = len(rows) // _AT_ONCE * _AT_ONCE if connection.dialect.name == "sqlite" else 0
    if whole:
        await connection.run_sync(partial(_insert, table, rows[:whole]))
    if whole < len(rows):
        await connection.execute(table.insert(), rows[whole:])


def _insert(table: sa.Table, rows: Sequence[dict[str, Any]], connection: sa.Connection) -> None:
    names = tuple(column.name for column in table.c if column.name in rows[0])
    text, values = _statement(table, names), itemgetter(*names)
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        connection.exec_driver_sql(text, tuple(value for row in part for value in values(row)))


@cache
def _statement(table: sa.Table, names: tuple[str, ...]) -> str:
    row = dict.fromkeys(names)
    return str(table.insert().values([row] * _AT_ONCE).compile(dialect=sqlite.dialect(paramstyle="qmark")))
