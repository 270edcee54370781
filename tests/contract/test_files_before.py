"""A file that comes in again read another way: its rows would be there twice, which is said before and after."""

from __future__ import annotations

import pytest

from ledger.importers import Hints
from ledger.imports import import_files, undo_import
from ledger.statement_writer import SourceFile

TEA = SourceFile("tea.csv", b"Date,Description,Amount (CAD)\n03/04/2026,COFFEE,-3.50\n05/06/2026,TEA,-2.50\n")
DAY, MONTH = Hints(day_first=True), Hints(day_first=False)


@pytest.fixture
async def mine(store, alice):
    return await store.repository(alice)


async def warnings(mine, hints, **more):
    (file,) = (await import_files(mine, [TEA], hints, **more)).files
    return [each for each in file.warnings if "came in before" in each]


async def test_the_same_file_read_another_way_is_said_to_be_there(mine):
    assert await warnings(mine, DAY) == []
    assert await warnings(mine, DAY) == []
    preview = await warnings(mine, MONTH, dry_run=True)
    (said,) = preview
    assert said.startswith(
        "This very file came in before, as import 1; its rows are new because it is read another way now."
    )
    assert said.endswith("undo import 1, or they count twice.")
    assert await warnings(mine, MONTH) == preview


async def test_it_is_not_said_of_an_import_that_was_taken_back(mine):
    await warnings(mine, DAY)
    await undo_import(mine)
    assert await warnings(mine, MONTH) == []


async def test_it_is_said_of_the_latest_of_several_files_too(mine):
    other = SourceFile("other.csv", b"Date,Description,Amount (USD)\n2026-10-13,SHOP,-1.00\n2026-10-14,SHOP,-2.00\n")
    await import_files(mine, [TEA, other], DAY)
    report = await import_files(mine, [other, TEA], MONTH)
    assert [any("came in before" in line for line in file.warnings) for file in report.files] == [False, True]


async def test_another_person_s_import_says_nothing(store, alice, bob):
    hers, his = await store.repository(alice), await store.repository(bob)
    await warnings(hers, DAY)
    assert await warnings(his, MONTH) == []
