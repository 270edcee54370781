"""Transfers by the person's word and pairs that are none, on both databases: totals follow, and imports leave them."""

from __future__ import annotations

import pytest

from ledger import schema
from ledger.corrections import change_row
from ledger.errors import ChangeImpossible
from ledger.imports import import_files, undo_import
from ledger.journal import Field
from ledger.own_transfers import link_transfer, part_transfer
from tests.support.linked_rows import (
    ANNA,
    BACK,
    HEADER,
    QUOKKA,
    TOP_UP,
    ZARA,
    again,
    done,
    earned,
    file_of,
    move_in,
    rows_of,
    spent,
    the,
    undone,
)


@pytest.fixture
async def mine(store, alice):
    return await move_in(await store.repository(alice))


async def test_two_rows_are_a_transfer_and_totals_follow(mine):
    before = await rows_of(mine)
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    was, income = await spent(mine), await earned(mine)
    assert (out.flow, into.flow) == ("spending", "income")
    token = await done(mine, link_transfer, into.id, out.id)
    assert (await spent(mine), await earned(mine)) == (was + ANNA, income - TOP_UP)
    assert set(await mine.other_sides([out.id, into.id])) == {out.id, into.id}
    await again(mine)
    assert (await the(mine, ANNA)).kind == (await the(mine, TOP_UP)).kind == "transfer"
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert await mine.other_sides([out.id, into.id]) == {}


async def test_a_pair_that_was_found_wrongly_is_none_and_stays_so(mine):
    await import_files(mine, [file_of(QUOKKA, "more.csv")], currency="GBP")
    out, into = await the(mine, -5500), await the(mine, 5500)
    assert (out.flow, into.flow) == ("neither", "neither")
    before = await rows_of(mine)
    token = await done(mine, part_transfer, [out.id, into.id])
    assert ((await the(mine, -5500)).flow, (await the(mine, 5500)).flow) == ("spending", "income")
    later = HEADER + "2026-10-07,ANYTHING,+1.00,Savings\n"
    await import_files(mine, [file_of(later, "later.csv")], currency="GBP")
    await again(mine)
    assert ((await the(mine, -5500)).flow, (await the(mine, 5500)).flow) == ("spending", "income")
    await undo_import(mine)
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert set(await mine.other_sides([out.id])) == {out.id}


async def test_what_pairs_anew_leaves_its_old_other_side_to_itself_until_undone(mine):
    text = HEADER + "2026-10-11,TRANSFER FROM CURRENT,+200.00,Pot\n"
    await import_files(mine, [file_of(text, "pot.csv")], currency="GBP")
    out, into, pot = await the(mine, ANNA), await the(mine, TOP_UP, "POT TOP"), await the(mine, TOP_UP, "TRANSFER")
    assert (await mine.other_sides([out.id]))[out.id][0] == pot.id
    before = await rows_of(mine)
    token = await done(mine, link_transfer, out.id, into.id)
    assert (await mine.other_sides([out.id]))[out.id][0] == into.id
    assert pot.id not in await mine.other_sides([pot.id])
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert (await mine.other_sides([out.id]))[out.id][0] == pot.id


async def test_what_the_person_called_a_transfer_pairs_with_its_other_side_when_that_comes(mine):
    out = await the(mine, ANNA)
    token = await done(mine, change_row, out.id, {Field.KIND: "transfer"})
    text = HEADER + "2026-10-11,DEPOSIT,+200.00,Pot\n"
    await import_files(mine, [file_of(text, "pot.csv")], currency="GBP")
    pot = await the(mine, TOP_UP, "DEPOSIT")
    assert (pot.flow, (await mine.other_sides([out.id]))[out.id][0]) == ("neither", pot.id)
    await undone(mine, token)
    assert (await the(mine, ANNA)) == out
    assert (await the(mine, TOP_UP, "DEPOSIT")).flow == "income"


async def test_when_the_other_side_s_import_goes_the_person_s_word_on_this_one_stays(mine):
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    token = await done(mine, link_transfer, out.id, into.id)
    await undo_import(mine, into.batch_id)
    assert (await the(mine, ANNA)).flow == "neither"
    await undone(mine, token)
    assert (await the(mine, ANNA)) == out


async def test_a_card_s_bill_and_a_loan_s_rate_are_told_by_the_account_that_is_reached(mine):
    async with mine.store.write() as connection:
        card = schema.accounts.c.name == "Savings"
        await connection.execute(schema.accounts.update().where(card).values(type="credit_card"))
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    await done(mine, link_transfer, out.id, into.id)
    assert {(await the(mine, ANNA)).kind, (await the(mine, TOP_UP)).kind} == {"card_payment"}


async def test_money_within_one_account_or_in_one_direction_is_no_transfer(mine):
    before = await rows_of(mine)
    for one, other in ((ANNA, ZARA), (ANNA, 250000), (TOP_UP, BACK)):
        with pytest.raises(ChangeImpossible):
            await done(mine, link_transfer, (await the(mine, one)).id, (await the(mine, other, "A")).id)
    assert await rows_of(mine) == before
