"""Keeping the sums beside the rows: within every transaction that changes rows, and from the rows whenever asked to."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema
from ledger.cubes import BUCKET_LENGTH, CUBES, MEASURES, Cube, cells, written_columns
from ledger.visibility import hidden_batches, shows
from ledger.working import aside

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    Cell = dict[str, Any]
    """A cell of any cube, as it is written."""
    Place = tuple[int, str, str]
    """The batch, the day and the merchant's key that a row is counted by."""

#: What can be counted again.
Again = Literal["parts", "batches", "categories"]

_rows = schema.transactions.c
_sums = schema.sums.c
#: What a cell has of the dimensions that its cube doesn't tell apart.
_EMPTY: dict[str, Any] = {
    column.name: "" if isinstance(column.type, sa.Text) else 0 for column in schema.sums.c if column.server_default
}
_HIDDEN = sa.select(schema.batches.c.id).where(schema.batches.c.finished_at.is_(None))
#: Databases take about 32,000 parameters in one statement.
_MOST_IDS = 10_000
#: No row has a greater id.
MOST_ID = 2**63 - 1


async def counted(
    connection: AsyncConnection, ledger_id: int, batch_id: int, after: int = 0, up_to: int = MOST_ID
) -> list[Cell]:
    """Return what the rows of an import come to whose ids are greater than ``after``, and not than ``up_to``."""
    of_rows = {"ledger": ledger_id, "batch": batch_id, "after": after, "up_to": up_to}
    found: list[Cell] = []
    for cube in CUBES:
        rows = (await connection.execute(_counting(cube), of_rows)).all()
        found += await aside(partial(_cells, cube, rows))
    return found


async def take_in(connection: AsyncConnection, cells_of: Sequence[Cell]) -> None:
    """Add cells to the sums; one that is there already grows by what comes to it, so each is taken in exactly once."""
    if cells_of:
        await connection.execute(_taking_in(connection.dialect.name), cells_of)


async def drop(connection: AsyncConnection, ledger_id: int, batch_id: int) -> None:
    """Take out all that an import brought."""
    await connection.execute(schema.sums.delete().where(_sums.ledger_id == ledger_id, _sums.batch_id == batch_id))


async def recount_rows(connection: AsyncConnection, ledger_id: int, ids: Sequence[int]) -> None:
    """Count again what is around some rows that show, after their kinds have changed."""
    await recount(connection, ledger_id, await places_of(connection, ledger_id, ids))


async def places_of(connection: AsyncConnection, ledger_id: int, ids: Sequence[int]) -> set[Place]:
    """Return where some rows that show are counted."""
    found: set[Place] = set()
    for start in range(0, len(ids), _MOST_IDS):
        some = _rows.id.in_(ids[start : start + _MOST_IDS])
        query = sa.select(_rows.batch_id, _rows.booked_on, _rows.merchant_key).where(some, shows(ledger_id)).distinct()
        found |= {(row.batch_id, row.booked_on, row.merchant_key) for row in await connection.execute(query)}
    return found


async def recount(connection: AsyncConnection, ledger_id: int, places: Collection[Place]) -> None:
    """Count again what is in some places; rows that have moved were in the ones and are in the others."""
    for cube in CUBES:
        parts = sorted({(batch, _part(cube, day, key)) for batch, day, key in places})
        found = [{"ledger": ledger_id, "batch": batch, "part": part, "end": part + "~"} for batch, part in parts]
        await _recount(connection, cube, "parts", found)


async def batches_of(connection: AsyncConnection, ids: Sequence[int]) -> set[int]:
    """Return the batches that some rows are of."""
    found: set[int] = set()
    for start in range(0, len(ids), _MOST_IDS):
        some = _rows.id.in_(ids[start : start + _MOST_IDS])
        found |= set((await connection.execute(sa.select(_rows.batch_id).where(some).distinct())).scalars())
    return found


async def recount_batches(connection: AsyncConnection, ledger_id: int, batches: Collection[int]) -> None:
    """Count again all that some imports brought; what doesn't show is not counted."""
    for cube in CUBES:
        found = [{"ledger": ledger_id, "batch": batch} for batch in sorted(batches)]
        await _recount(connection, cube, "batches", found)


async def recount_categories(connection: AsyncConnection, ledger_id: int, names: Collection[str]) -> None:
    """Count again what some categories hold, after rows that show have gone from one to another."""
    for cube in CUBES:
        if "category" in cube.dimensions:
            found = [{"ledger": ledger_id, "held": name} for name in sorted(names)]
            await _recount(connection, cube, "categories", found)


def rebuild_all(connection: sa.Connection) -> None:
    """Count every ledger again from its rows; what does not show yet is counted by whoever brings it."""
    connection.execute(schema.sums.delete().where(_sums.batch_id.not_in(_HIDDEN)))
    for cube in CUBES:
        connection.execute(_insert(connection.dialect.name, cube, _rows.batch_id.not_in(_HIDDEN)))


def astray(connection: sa.Connection) -> bool:
    """Whether any cube holds another number of rows than its import has, or they come to something else."""
    counted = sa.select(_rows.batch_id, _rows.currency, sa.func.count(), sa.func.sum(_rows.amount_minor))
    counted = counted.where(_rows.batch_id.not_in(_HIDDEN)).group_by(_rows.batch_id, _rows.currency)
    rows = {(row[0], row[1]): (int(row[2]), int(row[3])) for row in connection.execute(counted)}
    kept = sa.select(
        _sums.cube, _sums.batch_id, _sums.currency, sa.func.sum(_sums.count), sa.func.sum(_sums.minor * _sums.sign)
    )
    kept = kept.where(_sums.batch_id.not_in(_HIDDEN)).group_by(_sums.cube, _sums.batch_id, _sums.currency)
    found: dict[str, dict[tuple[int, str], tuple[int, int]]] = {cube.name: {} for cube in CUBES}
    for cube, batch, currency, count, minor in connection.execute(kept):
        found.setdefault(cube, {})[batch, currency] = (int(count), int(minor))
    return any(cells != rows for cells in found.values())


async def _recount(connection: AsyncConnection, cube: Cube, of: Again, found: Sequence[dict[str, Any]]) -> None:
    if found:
        for statement in _counting_again(connection.dialect.name, cube, of):
            await connection.execute(statement, found)


@cache
def _counting_again(dialect: str, cube: Cube, of: Again) -> tuple[sa.Delete, sa.Insert]:
    """Return what takes cells out and counts them again; made once, as making it takes longer than running it."""
    mine = sa.bindparam("ledger", type_=sa.BigInteger)
    kept: list[sa.ColumnElement[bool]] = [_sums.cube == cube.name, _sums.ledger_id == mine]
    rows: list[sa.ColumnElement[bool]] = [_rows.ledger_id == mine]
    if of == "categories":
        name = sa.bindparam("held", type_=sa.Text)
        kept += [_sums.category == name, _sums.batch_id.not_in(hidden_batches(mine))]
        rows += [_rows.category == name, shows(mine)]
    else:
        batch = sa.bindparam("batch", type_=sa.BigInteger)
        kept.append(_sums.batch_id == batch)
        rows.append(_rows.batch_id == batch)
    if of == "batches":
        rows.append(shows(mine))
    if of == "parts":
        kept += _within(cube, schema.sums)
        rows += _within(cube, schema.transactions)
    return schema.sums.delete().where(*kept), _insert(dialect, cube, *rows)


def _part(cube: Cube, day: str, merchant_key: str) -> str:
    """Return which part of a cube is counted again around a row: a merchant's where time is not told apart, else a time's."""
    return merchant_key if cube.bucket == "ever" else day[: BUCKET_LENGTH["year" if cube.bucket == "year" else "month"]]


def _within(cube: Cube, table: sa.Table) -> tuple[sa.ColumnElement[bool], ...]:
    """Whether cells, or rows, are in the bound part."""
    part = sa.bindparam("part", type_=sa.Text)
    if cube.bucket == "ever":
        return (table.c.merchant_key == part,)
    time = table.c.bucket if table is schema.sums else table.c.booked_on
    return time >= part, time < sa.bindparam("end", type_=sa.Text)


@cache
def _counting(cube: Cube) -> sa.Select[Any]:
    """Return the query for the cells of some rows; made once, since making it takes longer than running it on few."""
    # Found by their own ids: looked for by the ledger's or the import's, all of those would be gone through.
    return cells(
        cube,
        _rows.ledger_id + 0 == sa.bindparam("ledger"),
        _rows.batch_id + 0 == sa.bindparam("batch"),
        _rows.id > sa.bindparam("after", type_=sa.BigInteger),
        _rows.id <= sa.bindparam("up_to", type_=sa.BigInteger),
    )


def _cells(cube: Cube, rows: Sequence[Sequence[Any]]) -> list[Cell]:
    """Return counted cells as they are written: every column has a value, so that all cubes share one statement."""
    columns = written_columns(cube)
    found = [_EMPTY | dict(zip(columns, row, strict=True)) for row in rows]
    for cell in found:
        cell["minor"] = int(cell["minor"])  # PostgreSQL's sums are decimals
    return found


@cache
def _taking_in(dialect: str) -> sa.sql.dml.Insert:
    written = [column.name for column in schema.sums.c]
    return _merging(dialect, _made(dialect).values({name: sa.bindparam(name) for name in written}))


def _made(dialect: str) -> Any:
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(schema.sums)


def _insert(dialect: str, cube: Cube, *where: sa.ColumnElement[bool]) -> sa.sql.dml.Insert:
    """Return the statement that adds rows to a cube."""
    return _merging(dialect, _made(dialect).from_select(written_columns(cube), cells(cube, *where)))


def _merging(dialect: str, statement: Any) -> sa.sql.dml.Insert:
    """Return an insert that lets a cell which is there already take in what comes to it."""
    return statement.on_conflict_do_update(  # type: ignore[no-any-return]
        index_elements=list(schema.SUM_KEY),
        set_={name: _merged(dialect, how, _sums[name], statement.excluded[name]) for name, how in MEASURES.items()},
    )


def _merged(dialect: str, how: str, one: Any, other: Any) -> sa.ColumnElement[Any]:
    if how == "sum":
        return one + other  # type: ignore[no-any-return]
    if dialect == "postgresql":
        return (sa.func.greatest if how == "max" else sa.func.least)(one, other)
    return (sa.func.max if how == "max" else sa.func.min)(one, other)
