"""Rows by hand on both databases: written down, met by the bank's own row, given back with it, and never taken by another."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.batches import recent_batches
from ledger.by_hand import CASH, ELSEWHERE, Entry, is_by_hand, judge_entry, write_entry
from ledger.corrections import change_row, delete_row, take_back
from ledger.errors import ChangeImpossible, NothingToUndo
from ledger.filters import Filter
from ledger.imports import import_files, undo_import
from ledger.journal import Field, new_change
from ledger.statement_writer import SourceFile
from tests.support.kept_sums import differing

if TYPE_CHECKING:
    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store

BANK = """Date,Description,Amount,Account
2026-10-01,TESCO STORES 2041,-42.10,Current
2026-10-02,NETFLIX.COM,-9.99,Current
"""
DAY = date(2026, 11, 18)


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    repository = await store.repository(alice)
    await import_files(repository, [SourceFile("bank.csv", BANK.encode())], currency="GBP")
    return repository


async def written(
    repository: Repository, what: str = "Lunch", minor: int = -1250, account: str = ELSEWHERE, **more
) -> str:
    entry = Entry(more.pop("day", DAY), minor, "GBP", what, account, what, **more)
    token = new_change()
    judged = await judge_entry(repository, entry)
    async with repository.store.write() as connection:
        await write_entry(connection, repository, token, entry, judged)
    return token


async def undone(repository: Repository, token: str) -> None:
    async with repository.store.write() as connection:
        await take_back(connection, repository, token)


async def brought(repository: Repository, description: str, minor: int = -1250, day: str = "2026-11-20", **more):
    name = more.pop("account", "Current")
    text = f"Date,Description,Amount,Account\n{day},{description},{minor / 100:.2f},{name}\n"
    return await import_files(repository, [SourceFile("more.csv", text.encode())], currency="GBP", **more)


async def shown(repository: Repository) -> list[tuple[str, int, str, str]]:
    async with repository.store.read() as connection:
        assert await connection.run_sync(differing) == 0
    rows = await repository.rows(Filter(), "oldest")
    return [
        (row.description, row.amount_minor, row.category, row.account)
        for row in rows
        if row.booked_on >= date(2026, 11, 1)
    ]


async def test_a_row_by_hand_counts_at_once_is_no_import_and_goes_without_a_trace(store, mine, dump):
    before = await dump(store)
    token = await written(mine, category="Treats")
    assert await shown(mine) == [("Lunch", -1250, "Treats", ELSEWHERE)]
    assert len(await recent_batches(mine, 5)) == 1
    await undone(mine, token)
    after = await dump(store)
    assert {name: rows for name, rows in after.items() if rows != before[name]}.keys() <= {
        "batches",
        "forgotten_phrases",
    }
    with pytest.raises(ChangeImpossible):
        await undone(mine, token)


async def test_taking_imports_back_leaves_it_alone(mine):
    await written(mine)
    await undo_import(mine)
    assert await shown(mine) == [("Lunch", -1250, "Restaurants", ELSEWHERE)]
    with pytest.raises(NothingToUndo):
        await undo_import(mine)
    by_hand = (await mine.rows(Filter()))[0].batch_id
    assert await is_by_hand(mine, by_hand)
    with pytest.raises(NothingToUndo):
        await undo_import(mine, by_hand)


@pytest.mark.parametrize("description", ["PRET A MANGER 1234", "CARD PURCHASE 8821", "LUNCH BOX CAFE"])
async def test_the_bank_s_row_takes_its_place_with_what_the_person_said(mine, description):
    token = await written(mine, category="Treats")
    async with mine.store.write() as connection:
        row = next(each for each in await mine.rows(Filter()) if each.description == "Lunch")
        await change_row(connection, mine, new_change(), row.id, {Field.NOTE: "with Jo"})
    preview = await brought(mine, description, dry_run=True)
    report = await brought(mine, description)
    assert (preview.files[0].added, preview.files[0].met) == (report.files[0].added, report.files[0].met) == (1, 1)
    assert await shown(mine) == [(description, -1250, "Treats", "Current")]
    assert [row.notes for row in await mine.rows(Filter()) if row.description == description] == ["with Jo"]
    assert (await brought(mine, description)).files[0].duplicates == 1
    with pytest.raises(ChangeImpossible):
        await undone(mine, token)
    await undo_import(mine)
    assert await shown(mine) == [("Lunch", -1250, "Treats", ELSEWHERE)]
    assert (await brought(mine, description)).files[0].met == 1
    assert len(await shown(mine)) == 1


@pytest.mark.parametrize(
    ("description", "minor", "day"),
    [
        ("SHELL FUEL 8821", -1250, "2026-11-20"),  # lunch is no fuel
        ("REFUND PRET A MANGER 1234", 1250, "2026-11-20"),
        ("PRET A MANGER 1234", -1251, "2026-11-20"),
        ("PRET A MANGER 1234", -1250, "2026-11-28"),
    ],
)
async def test_another_payment_does_not_take_its_place(mine, description, minor, day):
    await written(mine)
    text = (
        f"Date,Description,Amount,Account\n{day},{description},{minor / 100:.2f},Current\n"
        "2026-11-02,TESCO STORES 2041,-1.00,Current\n2026-11-03,SALARY ACME,2000.00,Current\n"
    )
    report = await import_files(mine, [SourceFile("more.csv", text.encode())], currency="GBP")
    assert (report.files[0].added, report.files[0].met) == (3, 0)
    assert len(await shown(mine)) == 4


async def test_a_shop_that_was_named_is_no_other_shop(mine):
    await written(mine, "Tesco")
    assert (await brought(mine, "ALDI STORES 77")).files[0].met == 0
    assert (await brought(mine, "TESCO STORES 2041", day="2026-11-19")).files[0].met == 1


async def test_cash_is_met_by_no_card_unless_it_is_named_there(mine):
    await written(mine, account=CASH)
    assert (await brought(mine, "PRET A MANGER 1234")).files[0].met == 0
    assert (await brought(mine, "LUNCH BOX CAFE", day="2026-11-19")).files[0].met == 1


async def test_what_was_written_into_an_account_is_met_there_alone(mine):
    await written(mine, account="Current")
    assert (await brought(mine, "PRET A MANGER 1234", account="Visa")).files[0].met == 0
    assert (await brought(mine, "PRET A MANGER 1234", day="2026-11-19")).files[0].met == 1


async def test_each_meets_one_row_and_the_nearest(mine):
    await written(mine, "Lunch", day=date(2026, 11, 18))
    await written(mine, "Lunch", day=date(2026, 11, 16))
    text = "Date,Description,Amount,Account\n2026-11-16,PRET 1,-12.50,Current\n2026-11-17,PRET 2,-12.50,Current\n2026-11-18,PRET 3,-12.50,Current\n"
    report = await import_files(mine, [SourceFile("more.csv", text.encode())], currency="GBP")
    assert report.files[0].met == 2
    assert sorted(row[0] for row in await shown(mine)) == ["PRET 1", "PRET 2", "PRET 3"]


async def test_what_was_deleted_of_it_is_met_by_nothing(mine):
    await written(mine)
    row = next(each for each in await mine.rows(Filter()) if each.description == "Lunch")
    async with mine.store.write() as connection:
        await delete_row(connection, mine, new_change(), row.id)
    assert (await brought(mine, "PRET A MANGER 1234")).files[0].met == 0
    assert len(await shown(mine)) == 1


async def test_what_somebody_gave_never_pairs_with_what_happens_to_equal_it(mine):
    await written(mine, "Mum", 1250, CASH)
    await brought(mine, "UNKNOWN THING", -1250, "2026-11-18")
    assert {row.flow for row in await mine.rows(Filter()) if row.booked_on.month == 11} == {"income", "spending"}


async def test_it_is_nobody_else_s(store, mine, bob):
    theirs = await store.repository(bob)
    await written(mine)
    assert (await brought(theirs, "PRET A MANGER 1234")).files[0].met == 0
    assert len(await shown(mine)) == 1
