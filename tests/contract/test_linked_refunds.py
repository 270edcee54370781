"""Refunds that are linked to their purchases, on both databases: they count as these do, whatever becomes of them."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.corrections import Part, change_row, delete_row, split_row
from ledger.errors import ChangeImpossible
from ledger.imports import import_files, undo_import
from ledger.journal import Field, standing_changes
from ledger.left_out import LeftOut, count_again, leave_out
from ledger.merging import merge_rows
from ledger.own_transfers import link_transfer
from ledger.refunds import link_refund, refunded, unlink_refund
from ledger.rules import remove_rule, set_rule
from tests.support.linked_rows import (
    BACK,
    HEADER,
    QUOKKA,
    TOP_UP,
    TWIN,
    ZARA,
    again,
    done,
    earned,
    file_of,
    move_in,
    phrase_of,
    rows_of,
    spent,
    the,
    undone,
    written,
)


@pytest.fixture
async def mine(store, alice):
    return await move_in(await store.repository(alice))


async def test_a_refund_counts_at_its_purchase_and_again_by_itself(mine):
    before = await rows_of(mine)
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    was, income = await spent(mine), await earned(mine)
    assert refund.flow == "income"
    token = await done(mine, link_refund, refund.id, purchase.id)
    linked = await the(mine, BACK)
    assert (linked.merchant, linked.category, linked.kind) == (purchase.merchant, purchase.category, "refund")
    assert (linked.description, linked.booked_on) == (refund.description, refund.booked_on)
    assert (await spent(mine), await earned(mine)) == (was - BACK, income - BACK)
    assert await spent(mine, merchants=("zara",)) == -ZARA - BACK
    found = await refunded(mine, [purchase.id])
    assert (found[purchase.id].back_minor, found[purchase.id].left_minor) == (BACK, -ZARA - BACK)
    assert (await refunded(mine, [refund.id]))[refund.id].purchase == purchase
    assert "zara" in await phrase_of(mine, linked)
    await again(mine)
    assert (await the(mine, BACK)) == linked
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert await refunded(mine, [purchase.id, refund.id]) == {}


async def test_unlinking_is_a_change_of_its_own(mine):
    before = await rows_of(mine)
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    first = await done(mine, link_refund, refund.id, purchase.id)
    linked = await rows_of(mine)
    second = await done(mine, unlink_refund, refund.id)
    assert await rows_of(mine) == before
    with pytest.raises(ChangeImpossible, match="changed again since"):
        await undone(mine, first)
    await undone(mine, second)
    assert await rows_of(mine) == linked
    await undone(mine, first)
    assert await rows_of(mine) == before


async def test_it_can_be_said_to_be_of_another_purchase(mine):
    refund = await the(mine, BACK)
    first = await done(mine, link_refund, refund.id, (await the(mine, ZARA, "ZARA")).id)
    second = await done(mine, link_refund, refund.id, (await the(mine, -4210)).id)
    assert (await the(mine, BACK)).merchant == "Tesco"
    await undone(mine, second)
    assert (await the(mine, BACK)).merchant == "Zara"
    await undone(mine, first)
    assert (await the(mine, BACK)) == refund


CHANGES_OF_PURCHASE: dict[str, tuple[Field, str]] = {
    "category": (Field.CATEGORY, "Gifts"),
    "name": (Field.MERCHANT, "Corner Shop"),
    "kind": (Field.KIND, "transfer"),
}


@pytest.mark.parametrize("name", CHANGES_OF_PURCHASE)
async def test_it_follows_what_the_person_says_of_the_purchase(mine, name):
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    await done(mine, link_refund, refund.id, purchase.id)
    before = await rows_of(mine)
    field, value = CHANGES_OF_PURCHASE[name]
    token = await done(mine, change_row, purchase.id, {field: value})
    row, of = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    assert (row.merchant, row.category, row.flow) == (of.merchant, of.category, of.flow)
    assert value in (row.category, row.merchant, row.kind)
    await undone(mine, token)
    assert await rows_of(mine) == before


async def test_it_follows_rules_for_the_purchase_and_leaves_by_the_rules_as_they_then_are(mine):
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    token = await done(mine, link_refund, refund.id, purchase.id)
    async with mine.store.write() as connection:
        await set_rule(connection, mine, "Zara", "Treats")
        await set_rule(connection, mine, refund.merchant, "Pocket money")
    assert {(await the(mine, BACK)).category, (await the(mine, ZARA, "ZARA")).category} == {"Treats"}
    rule = LeftOut("words", "zara london")
    async with mine.store.write() as connection:
        await leave_out(connection, mine, rule)
    assert {(await the(mine, BACK)).kind, (await the(mine, ZARA, "ZARA")).kind} == {"left_out"}
    async with mine.store.write() as connection:
        await count_again(connection, mine, rule)
        await remove_rule(connection, mine, "Zara")
    assert (await the(mine, BACK)).category == purchase.category
    await undone(mine, token)
    assert (await the(mine, BACK)).category == "Pocket money"


async def test_its_name_category_and_kind_are_not_changed_by_themselves(mine):
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    earlier = await done(mine, change_row, refund.id, {Field.CATEGORY: "Gifts"})
    await done(mine, link_refund, refund.id, purchase.id)
    for field, value in CHANGES_OF_PURCHASE.values():
        with pytest.raises(ChangeImpossible, match="unlink it first"):
            await done(mine, change_row, refund.id, {field: value})
    with pytest.raises(ChangeImpossible, match="unlink it first"):
        await done(mine, split_row, refund.id, [Part(3000), Part(1000)])
    with pytest.raises(ChangeImpossible, match="changed again since"):
        await undone(mine, earlier)
    await done(mine, change_row, refund.id, {Field.NOTE: "the coat"})
    assert (await the(mine, BACK)).notes == "the coat"


@pytest.mark.parametrize("way", ["delete", "split"])
async def test_when_its_purchase_goes_it_is_by_itself_until_that_is_back(mine, way):
    before, refund = await rows_of(mine), await the(mine, BACK)
    purchase = await the(mine, ZARA, "ZARA")
    link = await done(mine, link_refund, refund.id, purchase.id)
    linked = await rows_of(mine)
    work, *parts = (delete_row,) if way == "delete" else (split_row, [Part(-8000), Part(-995)])
    gone = await done(mine, work, purchase.id, *parts)
    assert (await the(mine, BACK)) == refund
    with pytest.raises(ChangeImpossible, match="changed again since"):
        await undone(mine, link)
    await undone(mine, gone)
    assert await rows_of(mine) == linked
    await undone(mine, link)
    assert await rows_of(mine) == before


async def test_a_part_of_a_purchase_has_its_refund_before_it_can_be_whole_again(mine):
    purchase, refund = await the(mine, ZARA, "ZARA"), await the(mine, BACK)
    split = await done(mine, split_row, purchase.id, [Part(-5000, "Gifts"), Part(-3995)])
    link = await done(mine, link_refund, refund.id, (await the(mine, -5000)).id)
    assert (await the(mine, BACK)).category == "Gifts"
    with pytest.raises(ChangeImpossible, match="changed again since"):
        await undone(mine, split)
    await undone(mine, link)
    await undone(mine, split)
    assert (await the(mine, ZARA, "ZARA")) == purchase


async def test_when_the_purchase_s_import_goes_the_refund_is_by_itself_and_the_change_is_gone(mine):
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    token = await done(mine, link_refund, refund.id, purchase.id)
    await undo_import(mine, purchase.batch_id)
    assert (await the(mine, BACK)) == refund
    assert await standing_changes(mine) == []
    with pytest.raises(ChangeImpossible):
        await undone(mine, token)


async def test_when_the_refund_s_import_goes_nothing_of_it_is_left(mine, dump):
    refund, purchase = await the(mine, BACK), await the(mine, ZARA, "ZARA")
    await done(mine, link_refund, refund.id, purchase.id)
    await undo_import(mine, refund.batch_id)
    assert (await dump(mine.store))["refund_links"] == []
    assert await the(mine, ZARA) == purchase
    await undo_import(mine, purchase.batch_id)
    held = await dump(mine.store)
    assert held["transactions"] == held["changes"] == held["phrases"] == []


async def test_the_bank_s_row_takes_over_the_refunds_of_one_by_hand(mine):
    by_hand = await written(mine, "Shoes", -6000, date(2026, 11, 2))
    refund = await the(mine, BACK)
    await done(mine, link_refund, refund.id, by_hand.id)
    await done(mine, change_row, by_hand.id, {Field.CATEGORY: "Gifts"})
    linked = await rows_of(mine)
    text = HEADER + "2026-11-03,OFFICE SHOES LEEDS,-60.00,Current\n"
    assert (await import_files(mine, [file_of(text, "more.csv")], currency="GBP")).files[0].met == 1
    bank = await the(mine, -6000)
    row = await the(mine, BACK)
    assert (row.merchant, row.category) == (bank.merchant, "Gifts")
    assert (await refunded(mine, [bank.id]))[bank.id].back_minor == BACK
    await undo_import(mine)
    assert await rows_of(mine) == linked
    assert set(await refunded(mine, [by_hand.id])) == {by_hand.id, refund.id}


async def test_the_bank_s_row_is_of_the_purchase_that_the_refund_by_hand_was_of(mine):
    purchase = await the(mine, ZARA, "ZARA")
    by_hand = await written(mine, "Coat back", 3000, date(2026, 11, 2))
    await done(mine, link_refund, by_hand.id, purchase.id)
    text = HEADER + "2026-11-03,COAT RETURN,+30.00,Current\n"
    assert (await import_files(mine, [file_of(text, "more.csv")], currency="GBP")).files[0].met == 1
    assert (await the(mine, 3000)).merchant == "Zara"
    assert (await refunded(mine, [purchase.id]))[purchase.id].back_minor == 3000
    await undo_import(mine)
    assert (await refunded(mine, [purchase.id]))[purchase.id].refunds[0].id == by_hand.id


async def test_merging_takes_the_refunds_along_and_leaves_them_with_the_import_that_goes(mine):
    kept, other, refund = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN), await the(mine, BACK)
    await done(mine, link_refund, refund.id, other.id)
    before = await rows_of(mine)
    token = await done(mine, merge_rows, kept.id, [other.id])
    assert (await the(mine, BACK)).merchant == kept.merchant
    assert (await refunded(mine, [kept.id]))[kept.id].back_minor == BACK
    await undone(mine, token)
    assert await rows_of(mine) == before
    await done(mine, merge_rows, kept.id, [other.id])
    await undo_import(mine, kept.batch_id)
    assert (await refunded(mine, [other.id]))[other.id].back_minor == BACK
    assert (await the(mine, BACK)).merchant == other.merchant


async def test_only_money_back_in_the_same_currency_is_a_refund(mine):
    before = await rows_of(mine)
    text = "Date,Description,Amount,Account,Currency\n2026-11-03,KIOSK,-5.00,Current,EUR\n"
    await import_files(mine, [file_of(text, "euro.csv")])
    euro, refund, purchase = await the(mine, -500), await the(mine, BACK), await the(mine, ZARA, "ZARA")
    for one, other in ((refund, euro), (purchase, refund), (refund, await the(mine, TOP_UP)), (purchase, euro)):
        with pytest.raises(ChangeImpossible):
            await done(mine, link_refund, one.id, other.id)
    assert [row for row in await rows_of(mine) if row.id != euro.id] == before


async def test_a_purchase_with_a_refund_is_no_side_of_a_transfer(mine):
    bought, came = QUOKKA.splitlines(keepends=True)[1:]
    await import_files(mine, [file_of(HEADER + bought, "shop.csv")], currency="GBP")
    purchase = await the(mine, -5500)
    await import_files(mine, [file_of(HEADER + came, "savings.csv")], currency="GBP")
    assert {(await the(mine, minor)).flow for minor in (5500, -5500)} == {"neither"}, "so it is without a refund"
    await undo_import(mine)
    await done(mine, link_refund, (await the(mine, BACK)).id, purchase.id)
    await import_files(mine, [file_of(HEADER + came, "savings.csv")], currency="GBP")
    assert (await the(mine, -5500)) == purchase
    assert (await the(mine, 5500)).flow == "income"
    with pytest.raises(ChangeImpossible, match="unlink it first"):
        await done(mine, link_transfer, purchase.id, (await the(mine, 5500)).id)


async def test_a_refund_follows_a_side_that_is_parted_and_joined_again(mine):
    await import_files(mine, [file_of(QUOKKA, "more.csv")], currency="GBP")
    linked = await done(mine, link_refund, (await the(mine, BACK)).id, (await the(mine, -5500)).id)
    assert (await the(mine, BACK)).flow == "neither", "as its purchase, which is a side of a transfer"
    before = await rows_of(mine)
    token = await done(mine, change_row, (await the(mine, 5500)).id, {Field.KIND: "income"})
    assert ((await the(mine, -5500)).flow, (await the(mine, BACK)).flow) == ("spending", "spending")
    await undone(mine, token)
    assert await rows_of(mine) == before
    await undone(mine, linked)
    assert (await the(mine, -5500)).flow == "neither"
