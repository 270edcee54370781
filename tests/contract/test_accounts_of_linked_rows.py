"""Accounts that are typed, merged or deleted, with linked refunds and merged rows in them, on both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from ledger import account_deletion, schema
from ledger.account_deletion import delete_account, plan_deletion
from ledger.account_merging import Both, merge_accounts, plan_merge
from ledger.account_types import set_account_type
from ledger.account_undo import take_account_change_back
from ledger.corrections import change_row, delete_row
from ledger.errors import ChangeImpossible
from ledger.imports import import_files, undo_import
from ledger.journal import Field, standing_changes
from ledger.merging import merge_rows
from ledger.own_transfers import link_transfer
from ledger.refunds import link_refund, refunded, unlink_refund
from ledger.retyping import Turn, plan_turn
from ledger.staging import clear
from ledger.transactions import AccountType
from tests.support.linked_rows import (
    ANNA,
    BACK,
    HEADER,
    QUOKKA,
    TOP_UP,
    TWIN,
    ZARA,
    done,
    file_of,
    move_in,
    phrase_of,
    rows_of,
    spent,
    the,
    undone,
)

if TYPE_CHECKING:
    from ledger.repository import Repository
    from ledger.transactions import Transaction

#: What two files of one account say, under two names: the second one a day longer.
SHARED = """2026-10-03,ZARA 3412 LONDON,-89.95,{0}
2026-10-04,INDITEX ITX ONLINE,-89.95,{0}
2026-10-09,PAYPAL EUROPE,+40.00,{0}
"""
UTF, DORF = HEADER + SHARED.format("Utf"), HEADER + SHARED.format("Dorf") + "2026-10-11,BAKER,-3.00,Dorf\n"


@pytest.fixture
async def mine(store, alice):
    return await move_in(await store.repository(alice))


@pytest.fixture
async def twice(store, alice):
    repository = await store.repository(alice)
    for text in (UTF, DORF):
        await import_files(repository, [file_of(text)], currency="GBP")
    return repository


async def account_id(repository: Repository, name: str) -> int:
    return next(each.id for each in await repository.accounts() if each.name == name)


async def one(repository: Repository, minor: int, account: str, description: str = "") -> Transaction:
    rows = await rows_of(repository)
    found = [
        row for row in rows if (row.amount_minor, row.account) == (minor, account) and description in row.description
    ]
    (row,) = found
    return row


async def restored(repository: Repository, token: str) -> None:
    async with repository.store.write() as connection:
        await take_account_change_back(connection, repository, token)


async def made_one(repository: Repository, going: str, staying: str) -> str:
    both = Both(await account_id(repository, going), await account_id(repository, staying), staying)
    return await done(repository, merge_accounts, both)


async def test_a_refund_of_a_double_is_one_of_the_row_that_stays(twice):
    """Both the purchase and the refund are there twice; the link was made in the account that goes."""
    refund, purchase = await one(twice, BACK, "Utf"), await one(twice, ZARA, "Utf", "ZARA")
    link = await done(twice, link_refund, refund.id, purchase.id)
    before = await rows_of(twice)
    token = await made_one(twice, "Utf", "Dorf")
    back, zara = await the(twice, BACK), await the(twice, ZARA, "ZARA")
    assert (back.merchant, back.kind, back.account) == (zara.merchant, "refund", "Dorf")
    assert (await refunded(twice, [zara.id]))[zara.id].back_minor == BACK
    assert await spent(twice) == -2 * ZARA + 300 - BACK
    with pytest.raises(ChangeImpossible, match="newer change back first"):
        await undone(twice, link)
    await restored(twice, token)
    assert await rows_of(twice) == before
    assert (await refunded(twice, [purchase.id]))[purchase.id].refunds[0].id == refund.id
    await undone(twice, link)
    assert (await one(twice, BACK, "Utf")) == refund


async def test_a_refund_of_elsewhere_is_of_the_row_that_stays_of_its_purchase(mine):
    refund = await the(mine, BACK)
    for text in (HEADER + SHARED.splitlines()[0].format(name) + "\n" for name in ("Utf", "Dorf")):
        await import_files(mine, [file_of(text)], currency="GBP")
    await done(mine, link_refund, refund.id, (await one(mine, ZARA, "Utf")).id)
    before = await rows_of(mine)
    token = await made_one(mine, "Utf", "Dorf")
    zara = await one(mine, ZARA, "Dorf")
    assert (await refunded(mine, [zara.id]))[zara.id].refunds[0].id == refund.id
    await done(mine, change_row, zara.id, {Field.CATEGORY: "Gifts"})
    assert (await the(mine, BACK)).category == "Gifts", "it follows the one that stays"
    await undone(mine, (await standing_changes(mine))[0].token)
    await restored(mine, token)
    assert await rows_of(mine) == before


@pytest.mark.parametrize("merged_in", ["Utf", "Dorf"])
async def test_rows_that_were_merged_in_either_account_are_one_in_both(twice, merged_in):
    kept, other = await one(twice, ZARA, merged_in, "ZARA"), await one(twice, ZARA, merged_in, TWIN)
    await done(twice, change_row, (await one(twice, ZARA, "Dorf", TWIN)).id, {Field.NOTE: "coat"})
    token = await done(twice, merge_rows, kept.id, [other.id])
    before, going = await rows_of(twice), await account_id(twice, "Utf")
    async with twice.store.read() as connection:
        plan = await plan_merge(connection, twice.ledger_id, going, await account_id(twice, "Dorf"))
    joined = await made_one(twice, "Utf", "Dorf")
    row = await the(twice, ZARA)
    assert (row.account, row.notes, await spent(twice)) == ("Dorf", "coat", -ZARA + 300)
    assert -sum(each.amount_minor for each in plan.dropped if each.amount_minor < 0) == -2 * ZARA
    for text in (UTF, DORF):
        assert (await import_files(twice, [file_of(text)], currency="GBP")).files[0].added == 0
    await restored(twice, joined)
    assert await rows_of(twice) == before
    await undone(twice, token)
    assert (await one(twice, ZARA, merged_in, TWIN)).id == other.id


async def test_rows_of_both_accounts_that_were_merged_before_stay_one(twice):
    kept, other = await one(twice, ZARA, "Utf", "ZARA"), await one(twice, ZARA, "Dorf", "ZARA")
    token = await done(twice, merge_rows, kept.id, [other.id])
    before = await rows_of(twice)
    for going, staying in (("Utf", "Dorf"), ("Dorf", "Utf")):
        joined = await made_one(twice, going, staying)
        assert (await the(twice, ZARA, "ZARA")).id == kept.id
        await restored(twice, joined)
        assert await rows_of(twice) == before
    await undone(twice, token)
    assert (await one(twice, ZARA, "Dorf", "ZARA")).id == other.id


@pytest.mark.parametrize("wanted", AccountType)
async def test_a_merged_row_stays_aside_and_refunds_follow_under_another_type(mine, wanted):
    kept, other = await the(mine, ZARA, "ZARA"), await the(mine, ZARA, TWIN)
    whole = await rows_of(mine)
    merged = await done(mine, merge_rows, other.id, [kept.id])
    link = await done(mine, link_refund, (await the(mine, BACK)).id, other.id)
    before, was = await rows_of(mine), await spent(mine)
    turn = Turn(await account_id(mine, "Card"), wanted)
    async with mine.store.read() as connection:
        plan = await plan_turn(connection, mine.ledger_id, turn)
    token = await done(mine, set_account_type, turn)
    row, back = await the(mine, ZARA), await the(mine, BACK)
    assert (row.id, back.merchant, back.category, back.flow) == (other.id, row.merchant, row.category, row.flow)
    assert back.kind == ("refund" if row.flow == "spending" else row.kind)
    turned = [each for each in plan if each.shows and each.before.kind is not each.after.kind]
    assert await spent(mine) == was + sum(each.amount_minor for each in turned)
    await restored(mine, token)
    assert await rows_of(mine) == before
    await undone(mine, link)
    await undone(mine, merged)
    assert await rows_of(mine) == whole


async def test_a_row_under_another_type_stays_what_the_person_called_and_linked(mine):
    out, into = await the(mine, ANNA), await the(mine, TOP_UP)
    await done(mine, link_transfer, out.id, into.id)  # nine days apart, which no type would pair
    await done(mine, change_row, (await the(mine, ZARA, TWIN)).id, {Field.MERCHANT: "Corner Shop"})
    before = await rows_of(mine)
    tokens = [
        await done(mine, set_account_type, Turn(await account_id(mine, name), AccountType.INVESTMENT))
        for name in ("Savings", "Card")
    ]
    assert await mine.other_sides([out.id]) != {}
    row = await the(mine, ZARA, TWIN)
    assert (row.merchant, "corner shop" in await phrase_of(mine, row)) == ("Corner Shop", True)
    for token in reversed(tokens):
        await restored(mine, token)
    assert await rows_of(mine) == before
    assert await mine.other_sides([out.id]) != {}


async def test_what_depends_on_a_deleted_account_is_by_itself_until_it_is_back(mine):
    """The purchase of a refund elsewhere goes, and so does the row that stands for one elsewhere."""
    kept, other, refund = await the(mine, ZARA, TWIN), await the(mine, ZARA, "ZARA"), await the(mine, BACK)
    whole = await rows_of(mine)
    merged = await done(mine, merge_rows, kept.id, [other.id])
    link = await done(mine, link_refund, refund.id, kept.id)
    before, was, card = await rows_of(mine), await spent(mine), await account_id(mine, "Card")
    async with mine.store.read() as connection:
        plan = await plan_deletion(connection, mine.ledger_id, card)
    assert [(each.id, each.after.kind) for each in plan.rewritten if each.linked] == [(refund.id, refund.kind)]
    assert plan.back == [("spending", ZARA, "GBP")]
    token = await done(mine, delete_account, card)
    assert await rows_of(mine) == [row for row in whole if row.id != kept.id]
    assert await spent(mine) == was + BACK
    for earlier in (link, merged):
        with pytest.raises(ChangeImpossible):
            await undone(mine, earlier)
    await restored(mine, token)
    assert await rows_of(mine) == before
    await undone(mine, link)
    await undone(mine, merged)
    assert await rows_of(mine) == whole


async def test_nothing_is_left_of_a_deleted_account_that_is_out_for_good(mine, monkeypatch):
    kept, other = await the(mine, ZARA, TWIN), await the(mine, ZARA, "ZARA")
    await done(mine, merge_rows, kept.id, [other.id])
    await done(mine, link_refund, (await the(mine, BACK)).id, kept.id)
    await done(mine, delete_account, await account_id(mine, "Card"))
    shown = await rows_of(mine)
    monkeypatch.setattr(account_deletion, "KEPT_DAYS", -1)
    async with mine.store.alone(mine.ledger_id):
        await clear(mine.store, mine.ledger_id)
    assert await rows_of(mine) == shown
    async with mine.store.read() as connection:
        left = await connection.execute(sa.select(sa.func.count()).select_from(schema.refund_links))
        assert left.scalar_one() == 0
    assert all(made.noted[0].field is not Field.PLACE for made in await standing_changes(mine))


async def test_an_unlinked_refund_is_no_side_of_a_transfer_within_one_account(mine):
    await import_files(
        mine,
        [
            file_of(
                HEADER
                + "2026-10-06,TRANSFER TO SAVINGS,-55.00,Current\n2026-10-07,TRANSFER FROM CURRENT,+55.00,Savings\n"
            )
        ],
        currency="GBP",
    )
    into = await the(mine, 5500)
    assert into.kind == "transfer"
    await done(mine, link_refund, into.id, (await the(mine, ZARA, "ZARA")).id)
    await made_one(mine, "Savings", "Current")
    await done(mine, unlink_refund, into.id)
    assert await mine.other_sides([into.id]) == {}


async def test_an_import_that_is_taken_back_meanwhile_lets_go_what_was_of_a_deleted_account(mine):
    kept, other = await the(mine, ZARA, TWIN), await the(mine, ZARA, "ZARA")
    await done(mine, merge_rows, other.id, [kept.id])
    token = await done(mine, delete_account, await account_id(mine, "Current"))
    assert (await the(mine, ZARA)).id == kept.id
    await undo_import(mine)  # the file with the card
    assert await rows_of(mine) == []
    await restored(mine, token)
    assert (await the(mine, ZARA)).id == other.id


async def test_a_deleted_row_of_the_account_that_goes_is_what_the_other_has(twice):
    await done(twice, delete_row, (await one(twice, ZARA, "Utf", TWIN)).id)
    before = await rows_of(twice)
    token = await made_one(twice, "Utf", "Dorf")
    assert await spent(twice) == -2 * ZARA + 300
    await restored(twice, token)
    assert await rows_of(twice) == before


async def test_a_pair_that_a_type_parted_is_one_again_though_a_refund_is_linked(mine):
    await import_files(mine, [file_of(QUOKKA, "more.csv")], currency="GBP")
    await done(mine, link_refund, (await the(mine, BACK)).id, (await the(mine, -5500)).id)
    before = await rows_of(mine)
    savings = await account_id(mine, "Savings")
    token = await done(mine, set_account_type, Turn(savings, AccountType.CREDIT_CARD))
    assert ((await the(mine, -5500)).flow, (await the(mine, BACK)).flow) == ("spending", "spending")
    await restored(mine, token)
    assert await rows_of(mine) == before
