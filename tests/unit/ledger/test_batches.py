"""What would be taken back is shown as it is in the ledger."""

from __future__ import annotations

from datetime import date

from ledger.batches import last_batch
from ledger.imports import SourceFile, import_files, undo_import
from ledger.money import Money
from ledger.people import Person

FIRST = SourceFile(
    "first.csv", b"Date,Description,Amount,Currency\n2026-01-02,TEA,-2.50,EUR\n2026-01-05,BUS,-3.00,USD\n"
)
SECOND = SourceFile("second.csv", b"Date,Description,Amount,Currency\n2026-02-01,BOOK,-12.00,EUR\n")


async def test_the_latest_import_of_ones_own_is_the_one(store, alice, bob):
    mine, other = await store.repository(alice), await store.repository(bob)
    assert await last_batch(mine) is None
    first = (await import_files(mine, [FIRST])).batch
    second = (await import_files(mine, [SECOND])).batch
    await import_files(other, [FIRST])
    latest = await last_batch(mine)
    assert latest is not None
    assert (latest.id, latest.files, latest.count, latest.sums) == (second, ("second.csv",), 1, (Money(-1200, "EUR"),))
    earlier = await last_batch(mine, first)
    assert earlier is not None
    assert earlier.sums == (Money(-250, "EUR"), Money(-300, "USD"))
    assert (earlier.first, earlier.last) == (date(2026, 1, 2), date(2026, 1, 5))
    assert await last_batch(other, first) is None


async def test_an_import_that_was_taken_back_is_no_longer_there(store):
    mine = await store.repository(Person("console", "local", "me"))
    batch = (await import_files(mine, [FIRST])).batch
    await undo_import(mine, batch)
    assert await last_batch(mine) is None
    assert await last_batch(mine, batch) is None
