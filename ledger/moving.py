"""Moving everything from an SQLite file into an empty PostgreSQL database: in one transaction, and compared row by row.

The file is only read, from a copy of one moment, and nobody writes to it meanwhile. Rows keep their ids, so that all that
refers to them holds: buttons, threads, the search index.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from language.catalogue import say
from ledger import schema
from ledger.backups import whole_copy
from ledger.errors import MoveRefused, StoreUnavailable
from ledger.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncConnection

_Row = tuple[Any, ...]
#: Its COPY is below SQLAlchemy; it tells no types.
_asyncpg: Any = import_module("asyncpg")

#: Rows that are in memory at a time.
_AT_ONCE = 5_000
#: Seconds for a write to the file that is just ending.
_PATIENCE = 1.0
#: What processes of the program leave in a database to which nobody has said anything.
_TRACES = ("leases",)

_NO_LEDGER = "There is no ledger in the data directory, so there is nothing to move."
_OTHERS = "This PostgreSQL database holds something else already, so nothing was moved. Name one that is empty."
_IN_USE = "Something else has the ledger open, a console perhaps. End it first; nothing was moved."
_DIFFERENT = "A row of “{table}” did not arrive as it was, so nothing was moved."
_NOT_KEPT = "PostgreSQL can't keep a row of “{table}”, so nothing was moved."
_AWAY = "The database did not answer. Say the same once more: it goes on, or tells that everything is there."


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table whose rows are the same on both sides: how many, and the checksum of all of them in the order of their keys."""

    name: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Moved:
    """What stands in the new database; ``before`` where it stood there already, every row of it."""

    tables: tuple[MovedTable, ...]
    before: bool = False

    def rows(self, name: str) -> int:
        """Return how many rows a table has."""
        return next(table.rows for table in self.tables if table.name == name)


async def move(database: Path, url: str, vacant: Callable[[sa.Connection], None]) -> Moved:
    """Move all of an SQLite file into a PostgreSQL database. ``vacant`` raises where a process serves that.

    Raises:
        MoveRefused: there is no ledger, somebody writes to it, the target holds another one, or a row can't be kept there.
        BackupRefused: the ledger is damaged, or can't be copied now.
        StoreUnavailable: the target can't be opened, or went away.
    """
    with _no_writer(database), whole_copy(database) as copy:
        await (await Store.open(copy.path)).close()  # brings the copy up to this version
        target = await Store.open(url)
        try:
            with closing(sqlite3.connect(copy.path, check_same_thread=False)) as source:
                async with target.write() as connection:
                    return await _moved(source, connection, vacant)
        except (SQLAlchemyError, _asyncpg.PostgresError, _asyncpg.InterfaceError, OSError) as error:
            raise StoreUnavailable(_AWAY) from error
        finally:
            await target.close()


async def _moved(
    source: sqlite3.Connection, connection: AsyncConnection, vacant: Callable[[sa.Connection], None]
) -> Moved:
    names = ", ".join(table.name for table in schema.metadata.sorted_tables)
    await connection.execute(sa.text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
    await connection.run_sync(vacant)
    driver: Any = (await connection.get_raw_connection()).driver_connection
    before = await _holds_anything(connection)
    if not before:
        for name in _TRACES:
            await connection.execute(schema.metadata.tables[name].delete())
        for table in schema.metadata.sorted_tables:
            await _copy(table, source, driver)
    try:
        tables = tuple([await _compared(table, source, driver) for table in schema.metadata.sorted_tables])
    except MoveRefused as error:
        raise MoveRefused(_OTHERS) if before else error from error
    return Moved(tables, before)


async def _holds_anything(connection: AsyncConnection) -> bool:
    tables = [table.name for table in schema.metadata.sorted_tables if table.name not in _TRACES]
    for name in (*tables, "procrastinate_jobs"):
        if (await connection.execute(sa.text(f"SELECT 1 FROM {name} LIMIT 1"))).first() is not None:  # noqa: S608 - ours
            return True
    return False


async def _copy(table: sa.Table, source: sqlite3.Connection, driver: Any) -> None:
    """Copy a table by one statement, at whose end what refers to other rows is checked; new ids follow the highest one."""

    async def rows() -> AsyncIterator[_Row]:
        async for some in _rows(table, source):
            for row in some:
                yield row

    try:
        await driver.copy_records_to_table(table.name, records=rows(), columns=[column.name for column in table.c])
    except (_asyncpg.DataError, _asyncpg.IntegrityConstraintViolationError, ValueError, OverflowError) as error:
        raise MoveRefused(say(_NOT_KEPT, table=table.name)) from error
    if table.autoincrement_column is not None:
        await driver.execute(
            f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name} HAVING count(*) > 0"  # noqa: S608
        )
    await driver.execute(f"ANALYZE {table.name}")


async def _compared(table: sa.Table, source: sqlite3.Connection, driver: Any) -> MovedTable:
    """Read a table on both sides; raises MoveRefused where a row differs, is missing or is one too many."""
    digest, count = hashlib.sha256(), 0
    theirs = await driver.cursor(_query(table, by_bytes=True))
    async for rows in _rows(table, source):
        if [tuple(row) for row in await theirs.fetch(len(rows))] != rows:
            raise MoveRefused(say(_DIFFERENT, table=table.name))
        count += len(rows)
        digest.update("".join(map(repr, rows)).encode())
    if await theirs.fetch(1):
        raise MoveRefused(say(_DIFFERENT, table=table.name))
    return MovedTable(table.name, count, digest.hexdigest())


async def _rows(table: sa.Table, source: sqlite3.Connection) -> AsyncIterator[list[_Row]]:
    """Yield a table's rows in the order of its key, some at a time."""
    with closing(source.cursor()) as cursor:
        await asyncio.to_thread(cursor.execute, _query(table))
        while rows := await asyncio.to_thread(cursor.fetchmany, _AT_ONCE):
            yield rows


def _query(table: sa.Table, *, by_bytes: bool = False) -> str:
    """Return what reads a table in the order of its key; texts are in that of their bytes, which PostgreSQL must be told."""
    key = [
        sa.collate(column, "C") if by_bytes and isinstance(column.type, sa.Text) else column
        for column in table.primary_key
    ]
    return str(sa.select(table).order_by(*key))


@contextmanager
def _no_writer(database: Path) -> Iterator[None]:
    """Let nobody write to an SQLite file meanwhile, and write nothing ourselves."""
    if not database.exists() or not database.stat().st_size:
        raise MoveRefused(_NO_LEDGER)
    with closing(sqlite3.connect(database, timeout=_PATIENCE, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise MoveRefused(_IN_USE) from error
        except sqlite3.DatabaseError:  # damaged: whoever copies it says so
            pass
        yield
