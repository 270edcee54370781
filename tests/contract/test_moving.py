"""Moving from SQLite to PostgreSQL: every row of every table, or nothing; and the file stays as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.errors import LeaseHeld
from bots.lease import Lease, keep_to_vacant
from ledger import schema
from ledger.errors import MoveRefused
from ledger.moving import move
from ledger.people import Person
from ledger.store import Store
from tests.conftest import take_all_out
from tests.drawn_ledgers import Entry, write_entries

ALICE, BOB = Person("slack", "T1", "alice"), Person("slack", "T2", "alice")
TABLES = schema.metadata.sorted_tables
#: Whatever a database can hold; signs beyond ASCII are in another order in a language's own than by their bytes.
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=6)

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
async def target(postgres_url) -> AsyncIterator[str]:
    yield postgres_url
    store = await Store.open(postgres_url)
    await take_all_out(store)
    await store.close()


async def made(database: Path) -> Path:
    store = await Store.open(database)
    await write_entries(store, ALICE, [Entry(date(2026, 10, day), -day * 100) for day in range(1, 29)])
    await write_entries(store, BOB, [Entry(date(2026, 10, 3), -525)])
    await store.close()
    return database


def in_file(database: Path) -> Rows:
    with closing(sqlite3.connect(database)) as connection:
        return {table.name: sorted(connection.execute(str(sa.select(table))).fetchall(), key=repr) for table in TABLES}


async def in_target(url: str) -> Rows:
    store = await Store.open(url)
    async with store.read() as connection:
        found = {
            table.name: sorted(map(tuple, (await connection.execute(sa.select(table))).all()), key=repr)
            for table in TABLES
        }
    await store.close()
    return found


async def change(url: str, statement: str) -> None:
    store = await Store.open(url)
    async with store.write() as connection:
        await connection.execute(sa.text(statement))
    await store.close()


def test_no_table_is_left_out(tmp_path):
    """What the migrations make, the schema names, by which the move goes."""
    import asyncio

    database = tmp_path / "data" / "money.sqlite3"
    asyncio.run(made(database))
    with closing(sqlite3.connect(database)) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {name for name in found if not name.startswith("sqlite_")} - {"alembic_version"} == {t.name for t in TABLES}


@st.composite
def everything(draw: st.DrawFn) -> Rows:
    """Draw rows of every table, with all that refers to others."""
    made: Rows = {}
    ids: dict[str, list[int]] = {}
    for table in TABLES:
        if "id" in table.c:
            ids[table.name] = draw(st.lists(st.integers(1, 2**47), min_size=1, max_size=3, unique=True))
        rows = [
            tuple(draw(_cell(column, ids, row)) for column in table.c) for row in range(len(ids.get(table.name, "ab")))
        ]
        keys = [[c.name for c in each.columns] for each in table.constraints if isinstance(each, sa.UniqueConstraint)]
        keys.append([column.name for column in table.primary_key])
        made[table.name] = _distinct(table, keys, rows)
        if "id" in table.c:
            ids[table.name] = [row[list(table.c.keys()).index("id")] for row in made[table.name]]
            made[table.name] = [
                tuple(_own(cell, c, table, ids) for cell, c in zip(row, table.c, strict=True))
                for row in made[table.name]
            ]
    return made


def _cell(column: sa.Column[Any], ids: dict[str, list[int]], row: int) -> st.SearchStrategy[Any]:
    if column.name == "id":
        return st.just(ids[column.table.name][row])
    whole = column.foreign_keys and ids[next(iter(column.foreign_keys)).column.table.name]
    if whole:
        value: st.SearchStrategy[Any] = st.sampled_from(whole)
    elif isinstance(column.type, sa.Text):
        value = texts
    else:
        bits = 63 if isinstance(column.type, sa.BigInteger) else 31
        value = st.integers(-(2**bits), 2**bits - 1)
    return st.none() | value if column.nullable else value


def _distinct(table: sa.Table, keys: list[list[str]], rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    names, seen, kept = list(table.c.keys()), set(), []
    for row in rows:
        marks = {(place, *(row[names.index(name)] for name in key)) for place, key in enumerate(keys)}
        if not marks & seen:
            seen |= marks
            kept.append(row)
    return kept


def _own(cell: Any, column: sa.Column[Any], table: sa.Table, ids: dict[str, list[int]]) -> Any:
    """A row of the same table that was left out is referred to by nobody."""
    to_itself = any(key.column.table is table for key in column.foreign_keys)
    return None if to_itself and cell not in ids[table.name] else cell


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(rows=everything())
async def test_every_row_of_every_table(target, tmp_path_factory, rows):
    database = tmp_path_factory.mktemp("data") / "money.sqlite3"
    await (await Store.open(database)).close()
    with closing(sqlite3.connect(database)) as connection, connection:
        for table in TABLES:
            names = ", ".join(f"'{column.name}'" for column in table.c)
            places = ", ".join("?" * len(table.c))
            connection.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({places})", rows[table.name])
    before = in_file(database)
    assert all(before.values())
    moved = await move(database, target, keep_to_vacant)
    assert {table.name: table.rows for table in moved.tables} == {name: len(each) for name, each in before.items()}
    assert await in_target(target) == before == in_file(database)
    store = await Store.open(target)
    await take_all_out(store)
    await store.close()


async def test_what_comes_later_gets_ids_of_its_own(target, tmp_path):
    database = await made(tmp_path / "data" / "money.sqlite3")
    await move(database, target, keep_to_vacant)
    store = await Store.open(target)
    await write_entries(store, Person("slack", "T3", "alice"), [Entry(date(2026, 11, 1), -100)])
    async with store.read() as connection:
        assert (
            await connection.execute(sa.select(sa.func.count()).select_from(schema.transactions))
        ).scalar_one() == 30
    await store.close()


async def test_once_more_it_tells_that_everything_is_there(target, tmp_path):
    database = await made(tmp_path / "data" / "money.sqlite3")
    first = await move(database, target, keep_to_vacant)
    again = await move(database, target, keep_to_vacant)
    assert (first.before, again.before) == (False, True)
    assert again.tables == first.tables
    await change(target, "UPDATE transactions SET memo = 'later' WHERE amount_minor = -525")
    with pytest.raises(MoveRefused, match="something else already"):
        await move(database, target, keep_to_vacant)


async def test_a_database_that_holds_another_ledger_is_left_alone(target, tmp_path):
    store = await Store.open(target)
    await write_entries(store, BOB, [Entry(date(2026, 10, 3), -1)])
    await store.close()
    before = await in_target(target)
    with pytest.raises(MoveRefused, match="something else already"):
        await move(await made(tmp_path / "data" / "money.sqlite3"), target, keep_to_vacant)
    assert await in_target(target) == before


async def test_a_database_that_a_bot_serves_is_refused_and_one_that_it_left_is_not(target, tmp_path):
    database = await made(tmp_path / "data" / "money.sqlite3")
    store = await Store.open(target)
    lease = Lease(store, "bot", lambda: datetime.now(UTC))
    await lease.acquire()
    with pytest.raises(LeaseHeld):
        await move(database, target, keep_to_vacant)
    await lease.release()
    await store.close()
    assert (await move(database, target, keep_to_vacant)).rows("transactions") == 29
    assert await in_target(target) == in_file(database)


async def test_while_somebody_writes_to_the_file_nothing_is_moved(target, tmp_path):
    database = await made(tmp_path / "data" / "money.sqlite3")
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(MoveRefused, match="open"):
            await move(database, target, keep_to_vacant)
    assert not any((await in_target(target)).values())


@pytest.mark.parametrize("damage", ["memo = 'a' || char(0)", "weekday = 4294967296"])
async def test_a_row_that_can_not_be_kept_there_moves_nothing(target, tmp_path, damage):
    database = await made(tmp_path / "data" / "money.sqlite3")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(f"UPDATE transactions SET {damage} WHERE amount_minor = -525")
    with pytest.raises(MoveRefused, match="can't keep a row of “transactions”"):
        await move(database, target, keep_to_vacant)
    assert not any((await in_target(target)).values())


async def test_a_row_that_is_changed_on_its_way_moves_nothing(target, tmp_path):
    database = await made(tmp_path / "data" / "money.sqlite3")
    await change(
        target,
        "CREATE FUNCTION rounded() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN NEW.amount_minor := NEW.amount_minor / 100 * 100; RETURN NEW; END'",
    )
    await change(target, "CREATE TRIGGER t BEFORE INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION rounded()")
    try:
        with pytest.raises(MoveRefused, match="did not arrive as it was"):
            await move(database, target, keep_to_vacant)
        assert not any((await in_target(target)).values())
    finally:
        await change(target, "DROP FUNCTION rounded CASCADE")
