"""Very many people in one PostgreSQL: one ledger as the program writes it, and copies of it for everybody else, made by SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.people import Person
from tests.support import large_ledger

if TYPE_CHECKING:
    from ledger.store import Store

#: Copies have the ids of the first ledger and so much more for each; its own ids are far smaller.
_FAR = 1_000_000
_REFERS = {
    "accounts": ("id",), "batches": ("id",), "phrases": ("id", "batch_id"),
    "transactions": ("id", "account_id", "batch_id", "phrase_id"), "sums": ("account_id", "batch_id", "phrase_id"),
}  # fmt: skip
_AT_ONCE = 500


def person(number: int) -> Person:
    """Return one of them."""
    return Person("console", "local", f"user{number}")


async def write(store: Store, people: int, rows: int, shops: int = 60) -> None:
    """Write one ledger of so many rows for everybody."""
    first = await large_ledger.write(store, person(0), rows, shops)
    async with store.write() as connection:
        dropped = await _drop_indexes(connection)
    for start in range(1, people, _AT_ONCE):
        numbers = {"start": start, "end": min(start + _AT_ONCE, people) - 1}
        async with store.write() as connection:
            await connection.execute(sa.text("SET LOCAL synchronous_commit TO off"))
            for statement in _copies(first.ledger_id):
                await connection.execute(sa.text(statement), numbers)
    async with store.write() as connection:
        for each in dropped:
            await connection.execute(sa.text(each))
        for name in ("people", "ledgers", "members", *_REFERS):
            await connection.execute(sa.text(f"ANALYZE {name}"))


def _copies(ledger: int) -> list[str]:
    """Return what makes the people ``:start`` to ``:end``, whose own numbers are theirs as ids."""
    series = "generate_series(CAST(:start AS bigint), CAST(:end AS bigint)) AS n"
    made = [
        (
            'INSERT INTO people (id, platform, team, "user", created_at) '
            f"SELECT n, 'console', 'local', 'user' || n, '2026-01-01' FROM {series}"
        ),
        f"INSERT INTO ledgers (id, kind, name, revision, created_at) SELECT n, 'personal', '', 1, '2026-01-01' FROM {series}",
        f"INSERT INTO members (ledger_id, person_id, role) SELECT n, n, 'owner' FROM {series}",
    ]
    for name, moved in _REFERS.items():
        columns = [column.name for column in schema.metadata.tables[name].c]
        values = []
        for column in columns:
            if column == "ledger_id":
                values.append("n")
            elif column in moved:
                values.append(f"CASE WHEN t.{column} = 0 THEN 0 ELSE t.{column} + n * {_FAR} END")
            else:
                values.append(f"t.{column}")
        made.append(
            f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {name} t, {series} "
            f"WHERE t.ledger_id = {ledger}"
        )
    return made


async def _drop_indexes(connection: Any) -> list[str]:
    """Drop the indexes and references of the large tables, and return what makes them anew."""
    again: list[str] = []
    for name in ("transactions", "sums"):
        constraints = (
            await connection.execute(
                sa.text(
                    "SELECT conrelid::regclass::text AS holder, conname, pg_get_constraintdef(oid) AS made, contype::text AS kind FROM pg_constraint "
                    "WHERE (conrelid = CAST(:name AS regclass) OR confrelid = CAST(:name AS regclass)) "
                    "AND contype IN ('f', 'p', 'u') ORDER BY contype"
                ),
                {"name": name},
            )
        ).all()
        for each in constraints:
            await connection.execute(sa.text(f'ALTER TABLE {each.holder} DROP CONSTRAINT "{each.conname}"'))
        indexes = (
            await connection.execute(
                sa.text("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = :name"), {"name": name}
            )
        ).all()
        for each in indexes:
            await connection.execute(sa.text(f'DROP INDEX "{each.indexname}"'))
        again += [each.indexdef for each in indexes]
        keys = [each for each in constraints if each.kind != "f"]
        references = [each for each in constraints if each.kind == "f"]
        again += [
            f'ALTER TABLE {each.holder} ADD CONSTRAINT "{each.conname}" {each.made}' for each in (*keys, *references)
        ]
    return again
