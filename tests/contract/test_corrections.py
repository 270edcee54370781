"""What a person changes of single rows, on both databases: it counts right, imports leave it alone, and it can be put back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.corrections import Part, change_row, delete_row, split_row, take_back
from ledger.errors import ChangeImpossible
from ledger.filters import Filter
from ledger.imports import import_files, undo_import
from ledger.journal import Field, new_change, standing_changes
from ledger.left_out import LeftOut, count_again, leave_out, list_left_out
from ledger.migrations.run import upgrade
from ledger.people import Person
from ledger.rules import remove_rule, set_rule
from ledger.staging import Stage
from ledger.statement_writer import SourceFile
from ledger.store import Store
from ledger.transactions import Kind
from tests.support.kept_sums import differing
from tests.support.linked_rows import phrase_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from ledger.repository import Repository
    from ledger.transactions import Transaction

MINE = """Date,Description,Amount (USD),Account
2026-10-02,TESCO STORES 2041,-42.10,Current
2026-10-03,TESCO STORES 2041,-8.00,Current
2026-10-04,TO SAVINGS,-200.00,Current
2026-10-04,FROM CURRENT,200.00,Savings
2026-10-20,NETFLIX.COM,-9.99,Current
"""


def file_of(text: str = MINE) -> SourceFile:
    return SourceFile("bank.csv", text.encode())


async def done(repository: Repository, work: Callable[..., Awaitable[Any]], *arguments: Any) -> str:
    token = new_change()
    async with repository.store.write() as connection:
        await work(connection, repository, token, *arguments)
    return token


async def undone(repository: Repository, token: str) -> None:
    async with repository.store.write() as connection:
        await take_back(connection, repository, token)


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    repository = await store.repository(alice)
    assert (await import_files(repository, [file_of()])).files[0].added == 5
    return repository


async def rows_of(repository: Repository) -> list[Transaction]:
    return await repository.rows(Filter(), "oldest")


async def the(repository: Repository, minor: int) -> Transaction:
    (found,) = [row for row in await rows_of(repository) if row.amount_minor == minor]
    return found


async def is_right(repository: Repository) -> bool:
    async with repository.store.read() as connection:
        return await connection.run_sync(differing) == 0


CHANGES: dict[str, tuple[Callable[..., Awaitable[Any]], Any]] = {
    "category": (change_row, {Field.CATEGORY: "Treats"}),
    "merchant": (change_row, {Field.MERCHANT: "Corner Shop"}),
    "note": (change_row, {Field.NOTE: "for the office"}),
    "labels": (change_row, {Field.LABELS: "work, tax"}),
    "day": (change_row, {Field.DAY: "2025-12-31"}),
    "kind": (change_row, {Field.KIND: "transfer"}),
    "delete": (delete_row, None),
    "split": (split_row, [Part(-3000, "Groceries"), Part(-1210, "Household", "bin bags")]),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_shows_imports_leave_it_alone_and_it_is_put_back(store, mine, name):
    before, row = await rows_of(mine), await the(mine, -4210)
    work, what = CHANGES[name]
    token = await done(mine, work, row.id, *([] if what is None else [what]))
    changed = await rows_of(mine)
    assert changed != before
    assert await is_right(mine)
    again = await import_files(mine, [file_of()])
    assert (again.files[0].added, again.files[0].duplicates) == (0, 5)
    assert await rows_of(mine) == changed
    reopened = await store.repository(Person("memory", "home", "alice"))
    await undone(reopened, token)
    assert await rows_of(mine) == before
    assert await is_right(mine)
    assert await standing_changes(mine) == []
    with pytest.raises(ChangeImpossible, match="taken back already"):
        await undone(mine, token)


@pytest.mark.parametrize("name", CHANGES)
async def test_taking_the_import_back_takes_its_changes_with_it(store, mine, dump, name):
    work, what = CHANGES[name]
    token = await done(mine, work, (await the(mine, -4210)).id, *([] if what is None else [what]))
    await undo_import(mine)
    assert await rows_of(mine) == []
    held = await dump(store)
    assert held["transactions"] == held["changes"] == held["sums"] == held["accounts"] == held["phrases"] == []
    assert (await import_files(mine, [file_of()])).files[0].added == 5
    with pytest.raises(ChangeImpossible):
        await undone(mine, token)


async def test_a_row_that_was_moved_out_of_the_ledgers_span_is_still_known(mine):
    await done(mine, change_row, (await the(mine, -4210)).id, {Field.DAY: "2026-10-15"})
    await done(mine, change_row, (await the(mine, -999)).id, {Field.DAY: "2026-10-16"})
    assert (await import_files(mine, [file_of()])).files[0].added == 0


async def test_what_the_person_said_of_a_row_stands_above_their_rule(mine):
    row = await the(mine, -4210)
    token = await done(mine, change_row, row.id, {Field.CATEGORY: "Treats"})
    async with mine.store.write() as connection:
        assert await set_rule(connection, mine, "Tesco", "Rent") == 1
    assert Counter(each.category for each in await rows_of(mine))["Treats"] == 1
    await undone(mine, token)
    assert (await the(mine, -4210)).category == "Rent"
    async with mine.store.write() as connection:
        await remove_rule(connection, mine, "Tesco")
    assert (await the(mine, -4210)).category == row.category
    assert await is_right(mine)


async def test_what_is_no_transfer_parts_from_its_other_side_and_joins_it_again(mine):
    out, into = await the(mine, -20000), await the(mine, 20000)
    assert out.kind == into.kind == Kind.TRANSFER
    token = await done(mine, change_row, out.id, {Field.KIND: "purchase"})
    assert (await the(mine, -20000)).flow == "spending"
    await undone(mine, token)
    assert (await the(mine, -20000), await the(mine, 20000)) == (out, into)
    async with mine.store.read() as connection:
        pairs = sa.select(schema.transactions.c.pair_id).where(schema.transactions.c.pair_id.is_not(None))
        assert sorted((await connection.execute(pairs)).scalars()) == sorted((out.id, into.id))
    token = await done(mine, delete_row, out.id)
    assert len(await rows_of(mine)) == 4
    await undone(mine, token)
    assert (await the(mine, -20000), await the(mine, 20000)) == (out, into)
    assert await is_right(mine)


async def test_what_is_changed_while_an_import_comes_in_is_no_side_of_it(mine, monkeypatch):
    lines = MINE.splitlines(keepends=True)
    await undo_import(mine)
    await import_files(mine, [file_of("".join(line for line in lines if "Savings" not in line))])
    out, count = await the(mine, -20000), Stage._count

    async def changing(stage: Stage) -> None:
        if (await the(mine, -20000)).kind == out.kind:
            await done(mine, change_row, out.id, {Field.KIND: "purchase"})
        await count(stage)

    monkeypatch.setattr(Stage, "_count", changing)
    await import_files(mine, [file_of()])
    assert (await the(mine, 20000)).kind == Kind.INCOME
    async with mine.store.read() as connection:
        pairs = sa.select(schema.transactions.c.pair_id).where(schema.transactions.c.pair_id.is_not(None))
        assert (await connection.execute(pairs)).all() == []
    assert (await the(mine, -20000)).kind == Kind.PURCHASE
    assert await is_right(mine)


async def test_a_newer_change_of_the_same_is_taken_back_first(mine):
    row = await the(mine, -4210)
    first = await done(mine, change_row, row.id, {Field.CATEGORY: "Treats"})
    note = await done(mine, change_row, row.id, {Field.NOTE: "ours"})
    second = await done(mine, change_row, row.id, {Field.CATEGORY: "Gifts"})
    with pytest.raises(ChangeImpossible, match="changed again since"):
        await undone(mine, first)
    gone = await done(mine, delete_row, row.id)
    for token in (note, second):
        with pytest.raises(ChangeImpossible, match="changed again since"):
            await undone(mine, token)
    for token in (gone, note, second, first):
        await undone(mine, token)
    assert await the(mine, -4210) == row


async def test_parts_that_come_to_something_else_are_refused(mine):
    before, row = await rows_of(mine), await the(mine, -4210)
    for parts in ([Part(-3000), Part(-1200)], [Part(-4210)], []):
        with pytest.raises(ChangeImpossible, match="add up"):
            await done(mine, split_row, row.id, parts)
    assert await rows_of(mine) == before


async def test_nobody_changes_a_row_of_somebody_else(store, mine, bob):
    theirs, row = await store.repository(bob), await the(mine, -4210)
    token = await done(mine, change_row, row.id, {Field.NOTE: "mine"})
    before = await rows_of(mine)
    for name, (work, what) in CHANGES.items():
        with pytest.raises(ChangeImpossible):
            await done(theirs, work, row.id, *([] if what is None else [what]))
        assert await rows_of(mine) == before, name
    with pytest.raises(ChangeImpossible):
        await undone(theirs, token)
    assert await standing_changes(theirs) == []


@pytest.mark.parametrize("rule", [LeftOut("merchant", "Netflix"), LeftOut("words", "netflix")])
async def test_what_is_left_out_counts_nowhere_now_and_later(mine, rule):
    before = await rows_of(mine)
    async with mine.store.write() as connection:
        await leave_out(connection, mine, rule)
    assert {(row.kind, row.flow) for row in await rows_of(mine) if row.amount_minor == -999} == {
        ("left_out", "neither")
    }
    later = MINE + "2026-11-20,NETFLIX.COM,-12.99,Current\n"
    assert (await import_files(mine, [file_of(later)])).files[0].added == 1
    assert (await the(mine, -1299)).flow == "neither"
    await undo_import(mine)
    assert [each.pattern for each in await list_left_out(mine)] == [rule.pattern]
    async with mine.store.write() as connection:
        await count_again(connection, mine, rule)
    assert await rows_of(mine) == before
    assert await is_right(mine)
    assert await list_left_out(mine) == ()


async def test_a_new_name_is_searched_by_and_undo_brings_the_old_text_back(mine, dump):
    row = await the(mine, -4210)
    before = (await dump(mine.store))["phrases"]
    first = await done(mine, change_row, row.id, {Field.MERCHANT: "Corner Shop"})
    assert await phrase_of(mine, row) == "tesco stores · corner shop · groceries"
    second = await done(mine, change_row, row.id, {Field.CATEGORY: "Gifts"})
    third = await done(mine, change_row, row.id, {Field.MERCHANT: "Kiosk"})
    assert await phrase_of(mine, row) == "tesco stores · kiosk · gifts"
    await undone(mine, third)
    assert await phrase_of(mine, row) == "tesco stores · corner shop · gifts"
    async with mine.store.write() as connection:
        await leave_out(connection, mine, LeftOut("words", "corner"))
    assert (await the(mine, -4210)).kind == "purchase", "rules go by the bank's words"
    await undone(mine, second)
    await undone(mine, first)
    assert {text for _, _, text, *_ in (await dump(mine.store))["phrases"]} == {text for _, _, text, *_ in before}


async def test_a_database_from_before_links_gains_them_and_finds_what_was_renamed(tmp_path: Path, alice: Person):
    path = tmp_path / "data" / "ledger.sqlite3"
    path.parent.mkdir()
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.begin() as connection:
        upgrade(connection, "0013")
        assert not sa.inspect(connection).has_table("refund_links")
        for statement in _OLD_ROWS:
            connection.execute(sa.text(statement))
    store = await Store.open(path)
    mine = await store.repository(alice)
    renamed, other = await rows_of(mine)
    assert await phrase_of(mine, renamed) == "tesco stores · corner shop · groceries"
    assert await phrase_of(mine, other) == "tesco stores · groceries"
    await undone(mine, "t")
    assert await phrase_of(mine, renamed) == "tesco stores · groceries"
    assert [text for _, text in await mine.phrases()] == ["tesco stores · groceries"]
    await store.close()


_ROW = (
    "INSERT INTO transactions (id, ledger_id, account_id, batch_id, identity, content, booked_on, weekday, amount_minor, "
    "currency, description, merchant, merchant_key, category, category_source, kind, kind_ground, own_kind, flow, phrase_id) "
    "VALUES ({0}, 1, 1, 1, '{0}', '{0}', '2026-03-0{0}', 6, -5000, 'USD', 'TESCO', '{1}', '{2}', 'Groceries', 'brand', "
    "'purchase', 'sign', 'purchase', 'spending', 1)"
)
_OLD_ROWS = (
    "INSERT INTO people (id, platform, team, \"user\", created_at) VALUES (1, 'memory', 'home', 'alice', '2026')",
    "INSERT INTO ledgers (id, created_at) VALUES (1, '2026')",
    "INSERT INTO members (ledger_id, person_id) VALUES (1, 1)",
    "INSERT INTO batches (id, ledger_id, created_at, finished_at) VALUES (1, 1, '2026', '2026')",
    "INSERT INTO accounts (id, ledger_id, name) VALUES (1, 1, 'Checking')",
    "INSERT INTO phrases (id, ledger_id, text) VALUES (1, 1, 'tesco stores · groceries')",
    _ROW.format(1, "Corner Shop", "cornershop"),
    _ROW.format(2, "Tesco", "tesco"),
    (
        "INSERT INTO changes (ledger_id, token, transaction_id, field, before, after, created_at) "
        "VALUES (1, 't', 1, 'merchant', 'Tesco', 'Corner Shop', '2026')"
    ),
)
