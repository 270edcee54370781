"""Pairing in the store: both sides become transfers, and what they were by themselves comes back."""

from __future__ import annotations

from datetime import date, timedelta

import sqlalchemy as sa

from ledger import schema
from ledger.filters import Filter
from ledger.pairing import apply_sides, plan_pairs, unpair
from tests.drawn_ledgers import Entry, write_entries

DAY = date(2026, 3, 10)
OUT = Entry(DAY, -50_000, kind="transfer", account="Giro Nord", merchant="To savings")
INTO = Entry(DAY + timedelta(2), 50_000, kind="transfer", account="Tagesgeld", merchant="From checking")


async def pair(store, repository, first=DAY, last=DAY):
    async with store.write() as connection:
        planned = await plan_pairs(connection, repository.ledger_id, first, last)
        await apply_sides(connection, planned)
        return len(planned) // 2


async def sides(store):
    table = schema.transactions.c
    async with store.read() as connection:
        rows = await connection.execute(sa.select(table.id, table.pair_id, table.kind, table.flow).order_by(table.id))
        return [tuple(row) for row in rows]


async def test_a_pair_knows_both_its_sides(sqlite_store, alice):
    repository, (out, into) = await write_entries(sqlite_store, alice, [OUT, INTO])
    assert await pair(sqlite_store, repository) == 1
    assert await sides(sqlite_store) == [
        (out.id, into.id, "transfer", "neither"),
        (into.id, out.id, "transfer", "neither"),
    ]
    assert await pair(sqlite_store, repository) == 0


async def test_only_the_days_around_are_looked_at(sqlite_store, alice):
    repository, _ = await write_entries(sqlite_store, alice, [OUT, INTO])
    assert await pair(sqlite_store, repository, DAY + timedelta(7), DAY + timedelta(9)) == 0
    assert await pair(sqlite_store, repository, date.max, date.min) == 0
    assert await pair(sqlite_store, repository, DAY - timedelta(3), DAY - timedelta(2)) == 1


async def test_two_people_never_pair(sqlite_store, alice, bob):
    mine, _ = await write_entries(sqlite_store, alice, [OUT])
    theirs, _ = await write_entries(sqlite_store, bob, [INTO])
    assert await pair(sqlite_store, mine) == await pair(sqlite_store, theirs) == 0


async def test_one_account_is_no_pair(sqlite_store, alice):
    mine, _ = await write_entries(sqlite_store, alice, [OUT, Entry(DAY, 50_000, kind="transfer", account=OUT.account)])
    assert await pair(sqlite_store, mine) == 0


async def test_two_currencies_are_no_pair(sqlite_store, alice):
    other = Entry(DAY, 50_000, "EUR", kind="transfer", account="Tagesgeld")
    mine, _ = await write_entries(sqlite_store, alice, [OUT, other])
    assert await pair(sqlite_store, mine) == 0


async def test_parting_gives_back_what_a_side_was(sqlite_store, alice):
    """The incoming side was income by its own words; without its other side it is again."""
    repository, (out, into) = await write_entries(sqlite_store, alice, [OUT, INTO])
    async with sqlite_store.write() as connection:
        table = schema.transactions.c
        await connection.execute(schema.transactions.update().where(table.id == into.id).values(own_kind="income"))
    await pair(sqlite_store, repository)
    async with sqlite_store.write() as connection:
        rows = schema.transactions.c
        await unpair(connection, repository.ledger_id, rows.id == out.id, rows.id != out.id)
    assert (into.id, None, "income", "income") in await sides(sqlite_store)
    assert [row.flow.value for row in await repository.rows(Filter(sign=1))] == ["income"]
