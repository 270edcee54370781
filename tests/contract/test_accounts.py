"""What a person says of whole accounts, on both databases: names, types, two that are one, and one that is deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from ledger import schema
from ledger.account_deletion import delete_account, plan_deletion
from ledger.account_journal import standing_account_changes
from ledger.account_merging import Both, merge_accounts, plan_merge
from ledger.account_names import rename_account
from ledger.account_types import set_account_type
from ledger.account_undo import take_account_change_back
from ledger.by_hand import Entry, judge_entry, write_entry
from ledger.corrections import Part, change_row, delete_row, split_row, take_back
from ledger.deletion import export_balances
from ledger.errors import ChangeImpossible
from ledger.filters import Filter
from ledger.importers import Hints
from ledger.imports import import_files, undo_import
from ledger.journal import Field, new_change, standing_changes
from ledger.people import Person
from ledger.retyping import Turn, plan_turn
from ledger.statement_writer import SourceFile
from ledger.transactions import AccountType, Kind
from tests.support.kept_sums import differing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ledger.repository import Repository
    from ledger.store import Store
    from ledger.transactions import Account, Transaction

#: A card of which the file says neither that it is one nor what it is called.
CARD = """Date,Description,Type,Amount (USD),Account
2026-09-02,TESCO STORES 2041,Sale,-42.10,Anon
2026-09-05,TESCO STORES 2041,Sale,-8.00,Anon
2026-09-09,ZALANDO,Sale,-60.00,Anon
2026-09-15,AUTOPAY 998,Payment,110.10,Anon
2026-09-20,SOME SHOP NOBODY KNOWS,Return,12.00,Anon
"""
BANK = """Date,Description,Amount (USD),Account
2026-09-01,SALARY ACME CORP,2500.00,Current
2026-09-14,AMEX AUTOPAY,-110.10,Current
2026-09-16,RENT,-900.00,Current
2026-09-18,TRANSFER TO SAVER,-200.00,Current
"""
SAVER = """Date,Description,Amount (USD),Account
2026-09-18,TRANSFER FROM CURRENT,200.00,Saver
"""


def file_of(text: str, name: str = "bank.csv") -> SourceFile:
    return SourceFile(name, text.encode())


async def done(repository: Repository, work: Callable[..., Awaitable[Any]], *arguments: Any) -> str:
    token = new_change()
    async with repository.store.write() as connection:
        await work(connection, repository, token, *arguments)
    return token


async def undone(repository: Repository, token: str) -> None:
    async with repository.store.write() as connection:
        await take_account_change_back(connection, repository, token)


async def rows_of(repository: Repository) -> list[Transaction]:
    return await repository.rows(Filter(), "oldest")


async def account(repository: Repository, name: str) -> Account:
    (found,) = [each for each in await repository.accounts() if each.name == name]
    return found


async def names(repository: Repository) -> list[str]:
    return [each.name for each in await repository.accounts()]


async def kinds(repository: Repository) -> dict[int, str]:
    return {row.amount_minor: str(row.kind) for row in await rows_of(repository)}


async def is_right(repository: Repository) -> bool:
    async with repository.store.read() as connection:
        return await connection.run_sync(differing) == 0


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    repository = await store.repository(alice)
    for text in (BANK, CARD, SAVER):
        assert not (await import_files(repository, [file_of(text)])).failed
    return repository


@pytest.fixture
async def theirs(store: Store, bob: Person) -> Repository:
    return await store.repository(bob)


async def test_a_name_shows_the_old_one_finds_the_account_and_its_file_goes_there(store, mine, dump, alice):
    before = await dump(store)
    card = await account(mine, "Anon")
    token = await done(mine, rename_account, card.id, "Amex")
    renamed = await account(mine, "Amex")
    assert (renamed.id, renamed.ref, renamed.called) == (card.id, card.ref, ("Anon",))
    assert {row.account for row in await rows_of(mine)} == {"Amex", "Current", "Saver"}
    longer = CARD + "2026-10-02,SHELL,Sale,-50.00,Anon\n"
    report = (await import_files(mine, [file_of(longer)])).files[0]
    assert (report.account, report.added, report.duplicates) == ("Amex", 1, 5)
    await undo_import(mine)
    reopened = await store.repository(alice)
    assert [(each.what, each.before, each.after) for each in await standing_account_changes(reopened)] == [
        ("name", {"name": "Anon"}, {"name": "Amex"})
    ]
    await undone(reopened, token)
    left_out = ("batches", "files", "phrases", "forgotten_phrases")
    assert {k: v for k, v in (await dump(store)).items() if k not in left_out} == {
        k: v for k, v in before.items() if k not in left_out
    }
    with pytest.raises(ChangeImpossible, match="taken back already"):
        await undone(mine, token)


async def test_a_file_that_names_no_account_goes_to_the_one_that_is_called_otherwise_now(mine):
    plain = "Date,Description,Amount (USD)\n2026-09-03,BAKER,-3.00\n"
    await import_files(mine, [file_of(plain, "umsaetze_dorfbank.csv")])
    await done(mine, rename_account, (await account(mine, "Dorfbank")).id, "Haushaltskonto")
    later = "Date,Description,Amount (USD)\n2026-11-03,BUTCHER,-9.00\n"
    report = (await import_files(mine, [file_of(later, "umsaetze_dorfbank.csv")])).files[0]
    assert (report.account, report.added) == ("Haushaltskonto", 1)
    told = await import_files(
        mine, [file_of("Date,Description,Amount (USD)\n2026-11-09,OIL,-7.00\n")], Hints(account="Dorfbank")
    )
    assert told.files[0].account == "Haushaltskonto"
    assert await names(mine) == ["Anon", "Current", "Haushaltskonto", "Saver"]


async def test_a_second_card_of_the_bank_is_not_the_one_that_was_renamed(mine):
    header = "Date,Description,Card Member,Account #,Amount\n"
    first = (
        header
        + "10/29/2026,UBER TRIP,ANN SMITH,-31005,23.10\n10/31/2026,ONLINE PAYMENT - THANK YOU,ANN SMITH,-31005,-3.10\n"
    )
    second = first.replace("31005", "42007").replace("23.10", "24.10")
    await import_files(mine, [file_of(first)], currency="USD")
    await done(mine, rename_account, (await account(mine, "American Express")).id, "Amex")
    assert (await import_files(mine, [file_of(second)], currency="USD")).files[0].account == "American Express"
    assert (await import_files(mine, [file_of(first.replace("23.10", "25.10"))], currency="USD")).files[
        0
    ].account == "Amex"


async def test_a_name_stays_known_when_its_rows_are_gone_and_come_again(store, mine):
    card = await account(mine, "Anon")
    await done(mine, rename_account, card.id, "Amex")
    await done(mine, set_account_type, Turn(card.id, AccountType.CREDIT_CARD))
    for _ in range(3):
        await undo_import(mine)
    assert await names(mine) == []
    report = (await import_files(mine, [file_of(CARD)])).files[0]
    assert report.account == "Amex"
    assert (await account(mine, "Amex")).type is AccountType.CREDIT_CARD
    assert (await kinds(mine))[11010] == "card_payment"


async def test_no_two_accounts_have_one_name(mine):
    card, bank = await account(mine, "Anon"), await account(mine, "Current")
    with pytest.raises(ChangeImpossible, match="Current"):
        await done(mine, rename_account, card.id, "Current")
    first = await done(mine, rename_account, bank.id, "Everyday")
    await done(mine, rename_account, card.id, "Current")
    with pytest.raises(ChangeImpossible, match="Current"):
        await undone(mine, first)
    assert (await import_files(mine, [file_of(BANK)])).files[0].account == "Everyday", "whose file it is stays known"


async def test_one_that_is_kept_for_its_name_alone_gives_way(mine):
    await done(mine, rename_account, (await account(mine, "Saver")).id, "Pot")
    await undo_import(mine)
    await done(mine, rename_account, (await account(mine, "Current")).id, "Pot")
    assert await names(mine) == ["Anon", "Pot"]


async def test_a_newer_name_is_taken_back_first(mine):
    card = await account(mine, "Anon")
    first = await done(mine, rename_account, card.id, "Amex")
    kind = await done(mine, set_account_type, Turn(card.id, AccountType.CREDIT_CARD))
    second = await done(mine, rename_account, card.id, "Gold")
    with pytest.raises(ChangeImpossible, match="newer change back first"):
        await undone(mine, first)
    gone = await done(mine, delete_account, card.id)
    for token in (kind, second):
        with pytest.raises(ChangeImpossible, match="newer change back first"):
            await undone(mine, token)
    for token in (gone, second, first, kind):
        await undone(mine, token)
    assert await names(mine) == ["Anon", "Current", "Saver"]


@pytest.mark.parametrize("wanted", [None, *AccountType])
async def test_a_type_makes_of_rows_what_they_would_be_if_it_had_been_known(store, mine, theirs, wanted, monkeypatch):
    """The rows of an account that is typed afterwards are those of one that was of this type from the start."""
    if wanted is None:
        return
    monkeypatch.setattr("ledger.statement_accounts.guess_type", lambda name: wanted if name == "Anon" else None)
    for text in (BANK, CARD, SAVER):
        await import_files(theirs, [file_of(text)])
    await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, wanted))
    assert (await account(mine, "Anon")).type is wanted
    assert await told(store, mine) == await told(store, theirs)
    assert await is_right(mine)


async def told(store: Store, repository: Repository) -> list[tuple[Any, ...]]:
    """Return all that rows are, the other side of a transfer by its amount and day."""
    rows, others = schema.transactions.alias(), schema.transactions.alias()
    columns = (
        "booked_on",
        "amount_minor",
        "kind",
        "own_kind",
        "kind_ground",
        "flow",
        "category",
        "category_source",
        "means",
    )
    query = (
        sa.select(*(rows.c[name] for name in columns), others.c.amount_minor, others.c.booked_on, schema.phrases.c.text)
        .join(schema.phrases, schema.phrases.c.id == rows.c.phrase_id)
        .join(others, others.c.id == rows.c.pair_id, isouter=True)
        .where(rows.c.ledger_id == repository.ledger_id)
    )
    async with store.read() as connection:
        return sorted(map(tuple, (await connection.execute(query)).all()), key=repr)


@pytest.mark.parametrize("wanted", AccountType)
async def test_a_type_is_put_back_exactly(store, mine, dump, wanted):
    before = await dump(store)
    token = await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, wanted))
    await undone(mine, token)
    after = await dump(store)
    for table in ("phrases", "forgotten_phrases"):
        del before[table], after[table]
    assert by_text(after) == by_text(before)
    assert await is_right(mine)


def by_text(held: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Return a dump without the ids of search strings, which may be made anew."""
    place = [column.name for column in schema.transactions.c].index("phrase_id")
    rows = sorted((row[:place] + row[place + 1 :] for row in held["transactions"]), key=repr)
    sums_place = [column.name for column in schema.sums.c].index("phrase_id")
    cells = sorted((row[:sums_place] + row[sums_place + 1 :] for row in held["sums"]), key=repr)
    return {**held, "transactions": rows, "sums": cells}


async def test_the_card_s_bill_is_no_income_once_it_is_a_card(store, bob):
    mine = await store.repository(bob)
    await import_files(mine, [file_of(CARD)])
    assert (await kinds(mine))[11010] == "income"
    plan = await planned(mine, Turn((await account(mine, "Anon")).id, AccountType.CREDIT_CARD))
    assert {(each.amount_minor, each.after.kind) for each in plan if each.after.kind is not each.before.kind} >= {
        (11010, Kind.CARD_PAYMENT)
    }
    token = await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, AccountType.CREDIT_CARD))
    found = await kinds(mine)
    assert (found[11010], found[1200]) == ("card_payment", "refund")
    later = CARD + "2026-10-15,AUTOPAY 999,Payment,40.00,Anon\n"
    await import_files(mine, [file_of(later)])
    assert (await kinds(mine))[4000] == "card_payment"
    await undone(mine, token)
    assert (await kinds(mine))[4000] == "card_payment", "as it came in; the type is for what was there"


async def planned(repository: Repository, turn: Turn) -> list[Any]:
    async with repository.store.read() as connection:
        return await plan_turn(connection, repository.ledger_id, turn)


async def test_what_the_person_said_of_a_row_stays_under_another_type(mine):
    row = next(row for row in await rows_of(mine) if row.amount_minor == 1200)
    said = await done(mine, change_row, row.id, {Field.KIND: "income", Field.CATEGORY: "Gifts"})
    token = await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, AccountType.CREDIT_CARD))
    changed = next(row for row in await rows_of(mine) if row.amount_minor == 1200)
    assert (changed.kind, changed.category) == ("income", "Gifts")
    assert [each.token for each in await standing_changes(mine)] == [said]
    with pytest.raises(ChangeImpossible, match="account was changed since"):
        async with mine.store.write() as connection:
            await take_back(connection, mine, said)
    await undone(mine, token)
    async with mine.store.write() as connection:
        await take_back(connection, mine, said)
    assert row in await rows_of(mine)


async def test_a_row_that_was_said_to_be_something_since_is_taken_back_first(mine):
    token = await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, AccountType.LOAN))
    row = next(row for row in await rows_of(mine) if row.amount_minor == -6000)
    said = await done(mine, change_row, row.id, {Field.KIND: "purchase"})
    with pytest.raises(ChangeImpossible, match="newer change back first"):
        await undone(mine, token)
    async with mine.store.write() as connection:
        await take_back(connection, mine, said)
    await undone(mine, token)


async def test_a_row_of_before_this_was_kept_is_judged_by_what_is_shown_of_it(store, mine):
    async with store.write() as connection:
        await connection.execute(schema.transactions.update().values(stated=""))
    before = await kinds(mine)
    token = await done(mine, set_account_type, Turn((await account(mine, "Anon")).id, AccountType.CREDIT_CARD))
    assert (await kinds(mine))[11010] == "card_payment"
    await undone(mine, token)
    assert await kinds(mine) == before


ONE = """Date,Description,Amount (USD),Account
2026-09-02,TESCO STORES 2041,-42.10,{0}
2026-09-02,COFFEE,-3.00,{0}
2026-09-02,COFFEE,-3.00,{0}
2026-09-05,SALARY,2500.00,{0}
2026-09-18,TRANSFER TO SAVER,-200.00,{0}
"""
OTHER = """Date,Description,Amount (USD),Account
2026-09-02,COFFEE,-3.00,{0}
2026-09-05,SALARY,2500.00,{0}
2026-09-18,TRANSFER TO SAVER,-200.00,{0}
2026-10-01,RENT,-900.00,{0}
"""


async def both(repository: Repository, *extra: str) -> tuple[Account, Account]:
    for text in (ONE.format("Utf"), OTHER.format("Dorfbank"), SAVER, *extra):
        assert not (await import_files(repository, [file_of(text)])).failed
    return await account(repository, "Utf"), await account(repository, "Dorfbank")


async def test_two_that_are_one_hold_what_their_files_would_have_brought_together(store, alice, theirs, dump):
    """True twins are kept, what both have is there once, and both names lead to it."""
    mine = await store.repository(alice)
    one, other = await both(mine)
    for text in (OTHER.format("Dorfbank"), ONE.format("Dorfbank"), SAVER):
        await import_files(theirs, [file_of(text)])
    before = await dump(store)
    async with store.read() as connection:
        plan = await plan_merge(connection, mine.ledger_id, one.id, other.id)
    assert (len(plan.doubles), plan.shown) == (3, 2)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    assert await shown(store, mine) == await shown(store, theirs)
    assert await is_right(mine)
    assert (await account(mine, "Dorfbank")).called == ("Utf",)
    for text in (ONE.format("Utf"), OTHER.format("Dorfbank")):
        report = (await import_files(mine, [file_of(text)])).files[0]
        assert (report.account, report.added) == ("Dorfbank", 0)
    await undone(mine, token)
    assert by_text(await dump(store)) == by_text(before)
    assert await is_right(mine)


async def shown(store: Store, repository: Repository) -> list[tuple[Any, ...]]:
    rows = await rows_of(repository)
    return sorted(
        (row.booked_on, row.amount_minor, row.description, row.kind, row.category, row.account) for row in rows
    )


async def test_money_between_two_that_are_one_is_no_transfer_any_more(mine):
    bank, saver = await account(mine, "Current"), await account(mine, "Saver")
    before = await rows_of(mine)
    token = await done(mine, merge_accounts, Both(saver.id, bank.id, "Everything"))
    assert await names(mine) == ["Anon", "Everything"]
    assert await is_right(mine)
    assert await paired(mine) == {11010, -11010}
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert await paired(mine) == {11010, -11010, 20000, -20000}


async def paired(repository: Repository) -> set[int]:
    rows = schema.transactions.c
    async with repository.store.read() as connection:
        return set((await connection.execute(sa.select(rows.amount_minor).where(rows.pair_id.is_not(None)))).scalars())


async def test_what_the_person_said_of_a_double_is_said_of_the_one_that_stays(store, alice):
    mine = await store.repository(alice)
    one, other = await both(mine)
    salary = next(row for row in await rows_of(mine) if row.amount_minor == 250000 and row.account == "Utf")
    await done(mine, change_row, salary.id, {Field.CATEGORY: "Wages", Field.NOTE: "with bonus"})
    before = await rows_of(mine)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    (kept,) = [row for row in await rows_of(mine) if row.amount_minor == 250000]
    assert (kept.category, kept.notes) == ("Wages", "with bonus")
    await undone(mine, token)
    assert await rows_of(mine) == before


@pytest.mark.parametrize("in_one", [True, False])
async def test_what_was_split_in_either_stays_split_and_is_there_once(store, alice, in_one):
    mine = await store.repository(alice)
    one, other = await both(mine)
    name = "Utf" if in_one else "Dorfbank"
    salary = next(row for row in await rows_of(mine) if row.amount_minor == 250000 and row.account == name)
    await done(mine, split_row, salary.id, [Part(200000, "Wages"), Part(50000, "Bonus")])
    before = await rows_of(mine)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    assert sorted(row.amount_minor for row in await rows_of(mine) if row.amount_minor > 20000) == [50000, 200000]
    for text in (ONE.format("Utf"), OTHER.format("Dorfbank")):
        assert (await import_files(mine, [file_of(text)])).files[0].added == 0
    assert await is_right(mine)
    await undone(mine, token)
    assert await rows_of(mine) == before


async def test_what_was_split_in_both_is_there_once(store, alice):
    mine = await store.repository(alice)
    one, other = await both(mine)
    for row in [row for row in await rows_of(mine) if row.amount_minor == 250000]:
        await done(mine, split_row, row.id, [Part(200000, "Wages"), Part(50000, "Bonus")])
    before = await rows_of(mine)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    assert sorted(row.amount_minor for row in await rows_of(mine) if row.amount_minor > 20000) == [50000, 200000]
    await undone(mine, token)
    assert await rows_of(mine) == before


@pytest.mark.parametrize("name", ["Utf", "Dorfbank"])
async def test_what_was_deleted_in_one_of_them_is_that_of_the_other(store, alice, name):
    """Whoever saw a payment twice and deleted one of them has it once."""
    mine = await store.repository(alice)
    one, other = await both(mine)
    salary = next(row for row in await rows_of(mine) if row.amount_minor == 250000 and row.account == name)
    gone = await done(mine, delete_row, salary.id)
    before = await rows_of(mine)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    assert [row.amount_minor for row in await rows_of(mine)].count(250000) == 1
    for text in (ONE.format("Utf"), OTHER.format("Dorfbank")):
        assert (await import_files(mine, [file_of(text)])).files[0].added == 0
    await undone(mine, token)
    assert await rows_of(mine) == before
    async with mine.store.write() as connection:
        await take_back(connection, mine, gone)
    assert [row.amount_minor for row in await rows_of(mine)].count(250000) == 2


async def test_what_was_deleted_in_only_one_stays_deleted(store, alice):
    mine = await store.repository(alice)
    one, other = await both(mine)
    tesco = next(row for row in await rows_of(mine) if row.amount_minor == -4210)
    await done(mine, delete_row, tesco.id)
    await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    assert (await import_files(mine, [file_of(ONE.format("Utf"))])).files[0].added == 0
    assert -4210 not in await kinds(mine)


async def test_taking_back_an_import_of_one_of_both_leaves_the_other_s(store, alice, dump):
    mine = await store.repository(alice)
    one, other = await both(mine)
    token = await done(mine, merge_accounts, Both(one.id, other.id, "Dorfbank"))
    async with store.read() as connection:
        batches = sorted((await connection.execute(sa.select(schema.files.c.batch_id))).scalars())
    await undo_import(mine, batches[0])
    assert sorted(row.amount_minor for row in await rows_of(mine)) == [-90000, -20000, -300, 20000, 250000]
    assert await is_right(mine)
    await undone(mine, token)
    assert await names(mine) == ["Dorfbank", "Saver"]
    await undo_import(mine, batches[1])
    await undo_import(mine, batches[2])
    assert (await dump(store))["transactions"] == []


async def test_balances_of_both_stand_in_the_one(store, alice, dump):
    mine = await store.repository(alice)
    ofx = """OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>{0}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260903<TRNAMT>-5.00<FITID>{1}<NAME>KIOSK</STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>{2}<DTASOF>20260930</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"""
    for values in (("111122", "a", "95.00"), ("333344", "b", "95.00"), ("333344", "c", "77.00")):
        text = ofx.format(*values).replace("20260930", "20261031" if values[2] == "77.00" else "20260930")
        await import_files(mine, [file_of(text, "a.ofx")])
    first, second = await mine.accounts()
    before = await dump(store)
    token = await done(mine, merge_accounts, Both(second.id, first.id, first.name))
    assert {row[1] for row in await export_balances(mine)} == {first.name}
    assert len(await export_balances(mine)) == 2
    assert (await mine.vocabulary()).balanced == {first.id}
    await undone(mine, token)
    assert by_text(await dump(store)) == by_text(before)


async def test_a_deleted_account_is_gone_with_its_rows_and_comes_back(store, mine, dump):
    before, all_of_it = await rows_of(mine), await dump(store)
    bank = await account(mine, "Current")
    async with store.read() as connection:
        ids, *_ = await plan_deletion(connection, mine.ledger_id, bank.id)
    assert len(ids) == 4
    token = await done(mine, delete_account, bank.id)
    assert await names(mine) == ["Anon", "Saver"]
    assert await rows_of(mine) == [
        replace(row, kind=row.kind) for row in await rows_of(mine) if row.account in ("Anon", "Saver")
    ]
    assert len(await rows_of(mine)) == len(before) - 4
    assert await is_right(mine)
    assert await paired(mine) == set()
    await undone(mine, token)
    assert await rows_of(mine) == before
    assert await is_right(mine)
    assert by_text(await dump(store)) == by_text(all_of_it)


async def test_a_deleted_account_s_file_brings_it_again_as_the_person_called_it(mine):
    card = await account(mine, "Anon")
    await done(mine, rename_account, card.id, "Amex")
    await done(mine, set_account_type, Turn(card.id, AccountType.CREDIT_CARD))
    token = await done(mine, delete_account, card.id)
    report = (await import_files(mine, [file_of(CARD)])).files[0]
    assert (report.account, report.added) == ("Amex", 5)
    assert (await account(mine, "Amex")).type is AccountType.CREDIT_CARD
    with pytest.raises(ChangeImpossible, match="Amex"):
        await undone(mine, token)
    assert await is_right(mine)
    await undo_import(mine)
    await undone(mine, token)
    assert (await account(mine, "Amex")).id == card.id


async def test_taking_an_import_back_takes_what_was_deleted_of_it(store, mine, dump):
    await done(mine, delete_account, (await account(mine, "Saver")).id)
    await undo_import(mine)
    held = await dump(store)
    assert {row[2].partition("\x1f")[0] for row in held["accounts"]} == {"Anon", "Current"}
    assert len(held["transactions"]) == 9


async def test_what_was_deleted_long_ago_is_taken_out_by_the_next_import(store, mine, dump):
    saver = await account(mine, "Saver")
    token = await done(mine, delete_account, saver.id)
    await import_files(mine, [file_of(BANK)])
    assert len((await dump(store))["transactions"]) == 10
    async with store.write() as connection:
        old = schema.accounts.update().where(schema.accounts.c.id == saver.id)
        await connection.execute(old.values(gone_at="2020-01-01T00:00:00.000+00:00"))
    await import_files(mine, [file_of(BANK)])
    assert len((await dump(store))["transactions"]) == 9
    with pytest.raises(ChangeImpossible):
        await undone(mine, token)
    assert (await import_files(mine, [file_of(SAVER)])).files[0].added == 1
    assert await is_right(mine)


@pytest.mark.parametrize("change", ["merge", "delete", "type"])
async def test_an_import_whose_account_changes_meanwhile_says_so_and_leaves_nothing(mine, monkeypatch, change):
    from ledger.staging import Stage

    bank, card, count = await account(mine, "Current"), await account(mine, "Anon"), Stage._count
    works: dict[str, tuple[Any, ...]] = {
        "merge": (merge_accounts, Both(card.id, bank.id, "Current")),
        "delete": (delete_account, card.id),
        "type": (set_account_type, Turn(card.id, AccountType.CREDIT_CARD)),
    }
    changed: list[str] = []

    async def changing(stage: Stage) -> None:
        if not changed:
            changed.append(await done(mine, *works[change]))
        await count(stage)

    monkeypatch.setattr(Stage, "_count", changing)
    with pytest.raises(ChangeImpossible, match="import the file again"):
        await import_files(mine, [file_of(CARD + "2026-10-02,SHELL,Sale,-50.00,Anon\n")])
    assert -5000 not in await kinds(mine)
    assert await is_right(mine)
    await undone(mine, changed[0])
    assert (await import_files(mine, [file_of(CARD + "2026-10-02,SHELL,Sale,-50.00,Anon\n")])).files[0].added == 1


async def test_a_row_by_hand_whose_place_the_bank_s_took_goes_and_comes_with_its_account(store, mine):
    ledger = await store.repository(Person("memory", "home", "alice"))
    entry = Entry(date(2026, 10, 3), -5000, "USD", "Petrol", "Anon", "Shell")
    judged = await judge_entry(ledger, entry)
    await done(ledger, write_entry, entry, judged)
    report = (await import_files(mine, [file_of(CARD + "2026-10-02,SHELL,Sale,-50.00,Anon\n")])).files[0]
    assert (report.added, report.met) == (1, 1)
    token = await done(mine, delete_account, (await account(mine, "Anon")).id)
    await undo_import(mine)
    assert -5000 not in await kinds(mine)
    assert await is_right(mine)
    await undone(mine, token)
    assert [row.description for row in await rows_of(mine) if row.amount_minor == -5000] == ["Petrol"]
    assert await is_right(mine)


async def test_nobody_changes_an_account_of_somebody_else(mine, theirs):
    card, bank = await account(mine, "Anon"), await account(mine, "Current")
    token = await done(mine, rename_account, card.id, "Amex")
    works: list[tuple[Any, ...]] = [
        (rename_account, card.id, "Mine"), (set_account_type, Turn(card.id, AccountType.CASH)), (delete_account, card.id),
        (merge_accounts, Both(card.id, bank.id, "Mine")),
    ]  # fmt: skip
    for work in works:
        with pytest.raises(ChangeImpossible):
            await done(theirs, *work)
    with pytest.raises(ChangeImpossible):
        await undone(theirs, token)
    assert await standing_account_changes(theirs) == []
    assert "Amex" in await names(mine)


#: Files that overlap: each row is one of few payments, so that equal ones are common.
_LINES = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from([-300, -4210, 20000, -20000]), st.sampled_from(["COFFEE", "TRANSFER"])),
    max_size=7,
)  # fmt: skip
_STEPS = st.lists(
    st.tuples(st.sampled_from(("merge", "type", "rename", "delete", "import")), st.integers(0, 9)), max_size=5
)


def text_of(lines: list[tuple[int, int, str]], name: str) -> str:
    rows = [f"{date(2026, 9, day)},{text},{minor / 100:.2f},{name}" for day, minor, text in lines]
    return "\n".join(["Date,Description,Amount (USD),Account", *rows, ""])


@settings(
    deadline=None,
    max_examples=40,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(_LINES, _LINES, _LINES, _STEPS)
@example([(1, -300, "COFFEE")] * 2, [(1, -300, "COFFEE")], [(1, 300, "TRANSFER")], [("merge", 1), ("delete", 0)])
async def test_any_changes_of_accounts_are_put_back_exactly(sqlite_store, one, other, third, steps):
    await play(sqlite_store, {"One": one, "Other": other, "Third": third}, steps)


async def play(store: Store, files: dict[str, list[tuple[int, int, str]]], steps: list[tuple[str, int]]) -> None:
    repository = await store.repository(Person("memory", "home", repr((files, steps)) + new_change()))
    for name, lines in files.items():
        if lines:
            await import_files(repository, [file_of(text_of(lines, name))])
    before, tokens = await told(store, repository), []
    for what, number in steps:
        accounts = list(await repository.accounts())
        if len(accounts) < 2:
            break
        one, other = accounts[number % len(accounts)], accounts[(number + 1) % len(accounts)]
        rows = [(row.booked_on, row.amount_minor, row.description, row.account) for row in await rows_of(repository)]
        if what == "merge":
            tokens.append(await done(repository, merge_accounts, Both(one.id, other.id, other.name)))
            mine, theirs = ([row[:3] for row in rows if row[3] == each.name] for each in (one, other))
            together = [row for row in set(mine) | set(theirs) for _ in range(max(mine.count(row), theirs.count(row)))]
            found = [row for row in await rows_of(repository) if row.account == other.name]
            assert sorted(together) == sorted((row.booked_on, row.amount_minor, row.description) for row in found)
        elif what == "delete":
            tokens.append(await done(repository, delete_account, one.id))
            left = [row for row in rows if row[3] != one.name]
            assert sorted(left) == sorted(
                (row.booked_on, row.amount_minor, row.description, row.account) for row in await rows_of(repository)
            )
        elif what == "type":
            tokens.append(
                await done(repository, set_account_type, Turn(one.id, list(AccountType)[number % len(AccountType)]))
            )
        elif what == "rename":
            tokens.append(await done(repository, rename_account, one.id, f"Name {number} {len(tokens)}"))
        else:
            brought = {
                each.account
                for each in (
                    await import_files(repository, [file_of(text_of(files["One"], "One"))], dry_run=True)
                ).files
            }
            assert brought
        assert await is_right(repository)
    for token in reversed(tokens):
        await undone(repository, token)
        assert await is_right(repository)
    assert await told(store, repository) == before
