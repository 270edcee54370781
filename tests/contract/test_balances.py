"""Stated balances on both databases: kept with their import, once, by person, and gone with it."""

from __future__ import annotations

from datetime import date

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.balances import Stated, balance_runs
from ledger.deletion import forget_person
from ledger.imports import import_files, undo_import
from ledger.statement_writer import SourceFile

OCT, NOV = date(2026, 10, 31), date(2026, 11, 20)


def ofx(*statements: str) -> bytes:
    found = "".join(f"<STMTTRNRS>{each}</STMTTRNRS>" for each in statements)
    return f"OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1>{found}</BANKMSGSRSV1></OFX>".encode()


def account(ref: str, rows: dict[str, str], balance: str = "", on: str = "") -> str:
    records = "".join(
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{day}{amount}<NAME>SHOP</STMTTRN>"
        for day, amount in rows.items()
    )
    stated = f"<LEDGERBAL><BALAMT>{balance}<DTASOF>{on}</LEDGERBAL>" if balance else ""
    whose = f"<BANKACCTFROM><ACCTID>{ref}<ACCTTYPE>CHECKING</BANKACCTFROM>"
    return f"<STMTRS><CURDEF>USD{whose}<BANKTRANLIST>{records}</BANKTRANLIST>{stated}</STMTRS>"


OCTOBER = account("77", {"20261005": "-40.00", "20261020": "-10.00"}, "950.00", "20261031")
NOVEMBER = account("77", {"20261020": "-10.00", "20261110": "-150.00"}, "800.00", "20261120")


@pytest.fixture
async def mine(store, alice):
    return await store.repository(alice)


async def bring(repository, *statements, **how):
    return await import_files(repository, [SourceFile("bank.ofx", ofx(*statements))], **how)


async def stated(repository):
    names = {each.id: each.name for each in await repository.accounts()}
    runs = await balance_runs(repository)
    return {names[key]: run.stated for (key, _), run in runs.items()}


async def rows_of(store):
    async with store.read() as connection:
        return (await connection.execute(sa.select(sa.func.count()).select_from(schema.balances))).scalar_one()


async def test_a_balance_comes_with_its_rows_and_goes_with_them(store, mine):
    first = await bring(mine, OCTOBER)
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000),)}
    second = await bring(mine, NOVEMBER)
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000), Stated(NOV, 80_000))}
    (told,) = second.files[0].balances
    assert (told.start, told.gap, told.is_new) == (Stated(OCT, 95_000), None, True)
    await undo_import(mine, second.batch)
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000),)}
    await undo_import(mine, first.batch)
    assert (await stated(mine), await rows_of(store)) == ({}, 0)
    assert await mine.accounts() == ()


async def test_a_dry_run_tells_the_same_and_writes_nothing(store, mine):
    dry = await bring(mine, OCTOBER, dry_run=True)
    assert await rows_of(store) == 0
    assert (await bring(mine, OCTOBER)).files[0].balances == dry.files[0].balances


async def test_reading_a_file_again_keeps_nothing_twice(store, mine):
    await bring(mine, OCTOBER)
    again = await bring(mine, OCTOBER)
    assert (again.batch, again.files[0].is_news, await rows_of(store)) == (None, False, 1)


async def test_a_newer_balance_comes_without_a_new_row(store, mine):
    """A file that overlaps wholly may still say what is there now."""
    await bring(mine, OCTOBER)
    newer = await bring(mine, OCTOBER.replace("950.00<DTASOF>20261031", "950.00<DTASOF>20261120"))
    assert newer.batch is not None
    assert (newer.files[0].added, newer.files[0].is_news) == (0, True)
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000), Stated(NOV, 95_000))}
    undone = await undo_import(mine)
    assert (undone.batch, undone.removed) == (newer.batch, 0)
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000),)}


async def test_an_account_without_a_row_has_its_balance(mine):
    await bring(mine, OCTOBER, account("88", {}, "5000.00", "20261031"))
    assert await stated(mine) == {"Checking 77": (Stated(OCT, 95_000),), "Checking 88": (Stated(OCT, 500_000),)}
    vocabulary = await mine.vocabulary()
    assert vocabulary.balanced == {each.id for each in vocabulary.accounts}
    await bring(mine, account("88", {"20261110": "-5.00"}))
    await undo_import(mine)
    assert {each.name for each in await mine.accounts()} == {"Checking 77", "Checking 88"}


async def test_rows_that_are_missing_are_told_before_the_yes(mine):
    await bring(mine, OCTOBER)
    without = account("77", {"20261110": "-100.00"}, "800.00", "20261120")
    (told,) = (await bring(mine, without, dry_run=True)).files[0].balances
    assert told.gap is not None
    assert (told.gap.moved_minor, told.gap.off_minor) == (-10_000, -5_000)


async def test_nobody_sees_another_persons_balances(store, mine, bob):
    theirs = await store.repository(bob)
    await bring(theirs, account("99", {"20261005": "-1.00"}, "77777.77", "20261031"))
    await bring(mine, OCTOBER)
    assert set(await stated(mine)) == {"Checking 77"}
    assert set(await stated(theirs)) == {"Checking 99"}
    assert await mine.books(everywhere=True) != await theirs.books(everywhere=True)
    await forget_person(store, bob)
    assert (await rows_of(store), set(await stated(mine))) == (1, {"Checking 77"})
