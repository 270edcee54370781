"""Rows that are one payment, on both databases: one stays, files bring no double, and the other one comes back."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.balances import balance_runs
from ledger.corrections import change_row
from ledger.errors import ChangeImpossible
from ledger.imports import import_files, undo_import
from ledger.journal import Field, standing_changes
from ledger.merging import merge_rows
from ledger.own_transfers import link_transfer, part_transfer
from ledger.refunds import link_refund, refunded, unlink_refund
from tests.support.linked_rows import (
    ANNA,
    BACK,
    OTHER,
    TOP_UP,
    TWIN,
    ZARA,
    again,
    done,
    file_of,
    move_in,
    rows_of,
    spent,
    the,
    undone,
    written,
)


@pytest.fixture
async def mine(store, alice):
    return await move_in(await store.repository(alice))


async def test_merged_rows_are_one_both_files_know_them_and_undo_brings_the_other_back(mine):
    before = await rows_of(mine)
    kept, other = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)
    was = await spent(mine)
    token = await done(mine, merge_rows, kept.id, [other.id])
    assert await rows_of(mine) == [row for row in before if row.id != other.id]
    assert await spent(mine) == was + ZARA
    await again(mine)
    (made,) = await standing_changes(mine)
    assert made.noted[0].transaction_id == kept.id
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert await standing_changes(mine) == []


async def test_what_the_person_said_of_the_other_one_is_kept(mine):
    kept, other = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)
    await done(mine, change_row, kept.id, {Field.NOTE: "coat", Field.LABELS: "work, tax"})
    said = {Field.CATEGORY: "Gifts", Field.MERCHANT: "Corner Shop", Field.NOTE: "for Jo", Field.LABELS: "tax, 2026"}
    await done(mine, change_row, other.id, said)
    before = await rows_of(mine)
    token = await done(mine, merge_rows, kept.id, [other.id])
    row = await the(mine, ZARA)
    assert (row.id, row.category, row.merchant) == (kept.id, "Gifts", "Corner Shop")
    assert (row.notes, row.labels) == ("coat; for Jo", "work, tax, 2026")
    await undone(mine, token)
    assert await rows_of(mine) == before


async def test_several_are_one_too(mine):
    first, second = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)
    third = await written(mine, "Coat", ZARA, date(2026, 10, 12))
    before = await rows_of(mine)
    token = await done(mine, merge_rows, first.id, [second.id, third.id])
    assert (await the(mine, ZARA)).id == first.id
    await undone(mine, token)
    assert await rows_of(mine) == before


@pytest.mark.parametrize("which", [0, 1])
async def test_when_the_import_of_the_one_that_stays_goes_the_other_one_counts_again(mine, which):
    pair = [await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)]
    kept, other = pair[which], pair[1 - which]
    await done(mine, merge_rows, kept.id, [other.id])
    await undo_import(mine, kept.batch_id)
    assert await the(mine, ZARA) == other
    assert await standing_changes(mine) == []
    await undo_import(mine, other.batch_id)
    assert await rows_of(mine) == []


async def test_when_the_import_of_the_one_that_was_set_aside_goes_the_payment_stays(mine):
    kept, other = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)
    token = await done(mine, merge_rows, kept.id, [other.id])
    await undo_import(mine, other.batch_id)
    assert await the(mine, ZARA) == kept
    await undone(mine, token)
    assert await the(mine, ZARA) == kept
    assert (await import_files(mine, [file_of(OTHER, "other.csv")], currency="GBP")).files[0].added == 3


async def test_a_row_by_hand_and_its_booked_one_are_one_and_part_with_the_import(mine):
    by_hand = await written(mine, "Present for Jo", ZARA, date(2026, 10, 28))
    kept = await the(mine, ZARA, "ZARA")
    await done(mine, merge_rows, kept.id, [by_hand.id])
    await again(mine)
    assert len([row for row in await rows_of(mine) if row.amount_minor == ZARA]) == 2
    await undo_import(mine, kept.batch_id)
    assert [row.id for row in await rows_of(mine) if row.merchant == by_hand.merchant] == [by_hand.id]


async def test_the_one_that_stays_is_the_side_of_the_transfer_that_the_other_was(mine):
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    await done(mine, link_transfer, out.id, into.id)
    twin = await written(mine, "Savings pot", ANNA, date(2026, 10, 12))
    before = await rows_of(mine)
    token = await done(mine, merge_rows, twin.id, [out.id])
    assert await mine.other_sides([twin.id]) == {twin.id: (into.id, (await the(mine, TOP_UP)).kind)}
    assert {row.flow for row in await rows_of(mine) if abs(row.amount_minor) == 20000} == {"neither"}
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert set(await mine.other_sides([out.id])) == {out.id}


async def test_what_came_in_and_what_went_out_are_never_one(mine):
    before = await rows_of(mine)
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    for one, other in ((out, into), (out, out)):
        with pytest.raises(ChangeImpossible):
            await done(mine, merge_rows, one.id, [other.id])
    assert await rows_of(mine) == before


async def test_nobody_links_rows_of_somebody_else(store, mine, bob):
    theirs = await store.repository(bob)
    out, into, refund = await the(mine, ANNA), await the(mine, TOP_UP), await the(mine, BACK)
    token = await done(mine, link_refund, refund.id, (await the(mine, ZARA, "ZARA")).id)
    before = await rows_of(mine)
    for work, *ids in (
        (merge_rows, into.id, [refund.id]), (link_refund, into.id, out.id), (unlink_refund, refund.id),
        (link_transfer, out.id, into.id), (part_transfer, [out.id]),
    ):  # fmt: skip
        with pytest.raises(ChangeImpossible):
            await done(theirs, work, *ids)
    with pytest.raises(ChangeImpossible):
        await undone(theirs, token)
    assert await refunded(theirs, [refund.id]) == await theirs.other_sides([out.id]) == {}
    assert await rows_of(mine) == before


async def test_an_account_still_had_what_is_merged_with_a_row_of_another_one(mine):
    text = "Date,Description,Amount,Balance,Account\n2026-10-04,QUX SHOP,-89.95,910.05,Giro\n2026-10-06,KIOSK,-10.00,900.05,Giro\n"
    await import_files(mine, [file_of(text, "giro.csv")], currency="GBP")
    kept, other = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, "QUX")

    async def left() -> list[int]:
        runs = await balance_runs(mine)
        return [run.at(date(2026, 10, 31)) for run in runs.values()] + [len(run.gaps()) for run in runs.values()]

    before = await left()
    await done(mine, merge_rows, kept.id, [other.id])
    assert await left() == before
    by_hand = await written(mine, "Kiosk", -1000, date(2026, 10, 6), "Giro")
    await done(mine, merge_rows, (await the(mine, -1000, "KIOSK")).id, [by_hand.id])
    assert await left() == before
