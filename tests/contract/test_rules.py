"""A person's rules on both databases: what they move, what they leave alone, and that taking one back is exact."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from ledger import schema
from ledger.deletion import forget_person
from ledger.filters import Filter
from ledger.imports import import_files, undo_import
from ledger.migrations.run import upgrade
from ledger.rules import list_rules, own_categories, remove_rule, set_rule
from ledger.statement_writer import SourceFile
from ledger.store import Store
from ledger.transactions import Flow
from tests.support.kept_sums import differing

if TYPE_CHECKING:
    from ledger.people import Person
    from ledger.repository import Repository

#: Every source of a category at one merchant and beside it: the file, the kind, the brand, nobody.
ROWS = (
    ("2026-03-01", "COSTCO WHSE #0123", "-50.00", ""),
    ("2026-03-02", "COSTCO WHSE #0123", "-60.00", "Shopping"),
    ("2026-03-03", "COSTCO GAS #0123", "-40.00", ""),
    ("2026-03-04", "COSTCO WHSE #0123", "10.00", "Shopping"),
    ("2026-03-05", "COSTCO WHSE #0123", "-500.00", "Transfer"),
    ("2026-03-06", "UBER TRIP", "-12.00", ""),
    ("2026-03-07", "UBER *EATS", "-23.00", ""),
    ("2026-03-08", "QUOKKA XQZT", "-7.00", ""),
)


def statement(*rows: tuple[str, str, str, str]) -> SourceFile:
    out = io.StringIO()
    csv.writer(out).writerows([("Date", "Description", "Amount (USD)", "Category"), *rows])
    return SourceFile("checking.csv", out.getvalue().encode())


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    repository = await store.repository(alice)
    report = await import_files(repository, [statement(*ROWS)])
    assert report.files[0].added == len(ROWS)
    return repository


async def put(repository: Repository, merchant: str, category: str) -> int:
    async with repository.store.write() as connection:
        return await set_rule(connection, repository, merchant, category)


async def take_back(repository: Repository, merchant: str) -> int:
    async with repository.store.write() as connection:
        return await remove_rule(connection, repository, merchant)


async def categories(repository: Repository, merchant: str) -> Counter[str]:
    return Counter(row.category for row in await repository.rows(Filter()) if row.merchant == merchant)


async def flows(repository: Repository) -> list[tuple[int, str, str]]:
    return [(row.id, row.kind, row.flow) for row in await repository.rows(Filter(), "oldest")]


#: What is told to the index changes by design, and ids of search strings are given anew.
_ASIDE = ("forgotten_phrases", "phrases", "transactions", "sums")


async def everything(store: Store, dump: Any) -> tuple[Any, Any]:
    """Return all that is stored, each transaction with the text that it is searched by in place of that text's id."""
    columns = [column for column in schema.transactions.c if column.name != "phrase_id"]
    query = sa.select(*columns, schema.phrases.c.text).join(
        schema.phrases, schema.phrases.c.id == schema.transactions.c.phrase_id
    )
    async with store.read() as connection:
        rows = sorted((tuple(row) for row in await connection.execute(query)), key=repr)
        texts = sorted((await connection.execute(sa.select(schema.phrases.c.ledger_id, schema.phrases.c.text))).all())
        assert await connection.run_sync(differing) == 0  # kept sums name search texts by their ids as well
    return await dump(store, without=_ASIDE), (rows, texts)


async def test_a_rule_moves_everything_at_its_merchant_and_nothing_else(mine):
    before = await categories(mine, "Costco")
    assert len(before) > 2
    others = {row.id: row.category for row in await mine.rows(Filter()) if row.merchant != "Costco"}
    assert await put(mine, "Costco", "Treats") == 5
    assert await categories(mine, "Costco") == {"Treats": 5}
    assert {row.id: row.category for row in await mine.rows(Filter()) if row.merchant != "Costco"} == others
    assert await own_categories(mine, "Costco") == before


async def test_a_rule_for_a_shop_is_none_for_one_whose_name_begins_like_it(mine):
    eats = await categories(mine, "Uber Eats")
    await put(mine, "Uber", "Work")
    await import_files(
        mine, [statement(("2026-04-01", "UBER *EATS", "-9.00", ""), ("2026-04-02", "UBER TRIP", "-9.00", ""))]
    )
    assert await categories(mine, "Uber Eats") == dict.fromkeys(eats, 2)
    assert await categories(mine, "Uber") == {"Work": 2}


async def test_what_a_transaction_is_stays(mine):
    """A transfer does not become spending because somebody put its payee under groceries."""
    before = await flows(mine)
    assert Flow.NEITHER in {flow for _, _, flow in before}
    await put(mine, "Costco", "Groceries")
    assert await flows(mine) == before
    await take_back(mine, "Costco")
    assert await flows(mine) == before


@pytest.mark.parametrize("merchant", ["Costco", "Uber", "Quokka Xqzt"])
@pytest.mark.parametrize("category", ["Groceries", "Shopping", "Uncategorised", "My own"])
async def test_taking_a_rule_back_restores_every_row_and_search_text(store, mine, dump, merchant, category):
    before = await everything(store, dump)
    await put(mine, merchant, category)
    assert await everything(store, dump) != before
    await take_back(mine, merchant)
    assert await everything(store, dump) == before


async def test_a_newer_rule_replaces_the_one_before_in_whatever_spelling(store, mine, dump):
    before = await everything(store, dump)
    await put(mine, "Costco", "Groceries")
    once = await everything(store, dump)
    assert await put(mine, "COSTCO", "Treats") == 5
    assert [(rule.merchant, rule.category) for rule in await list_rules(mine)] == [("COSTCO", "Treats")]
    assert await put(mine, "Costco", "Groceries") == 5
    assert (await everything(store, dump))[1] == once[1]
    await take_back(mine, "costco")
    assert await everything(store, dump) == before


async def test_the_text_that_is_searched_follows_and_the_index_is_told(store, mine):
    async with store.write() as connection:
        await connection.execute(schema.phrases.update().values(indexed=1))
    await put(mine, "Quokka Xqzt", "Pets")
    texts = {text: key for key, text in await mine.phrases()}
    assert "quokka xqzt · pets" in texts
    assert "quokka xqzt" not in texts
    async with store.read() as connection:
        waiting = (
            await connection.execute(sa.select(schema.phrases.c.text).where(schema.phrases.c.indexed == 0))
        ).scalars()
        assert list(waiting) == ["quokka xqzt · pets"]
        assert len((await connection.execute(sa.select(schema.forgotten_phrases))).all()) == 1


async def test_names_held_in_memory_follow(mine):
    assert "My own" not in (await mine.vocabulary()).categories
    await put(mine, "Costco", "My own")
    assert "My own" in (await mine.vocabulary()).categories
    await take_back(mine, "Costco")
    assert "My own" not in (await mine.vocabulary()).categories


async def test_later_imports_follow_and_are_restored_with_the_rest(mine):
    await put(mine, "Costco", "Treats")
    later = statement(
        ("2026-05-01", "COSTCO WHSE #0999", "-5.00", "Gifts"), ("2026-05-02", "COSTCO WHSE #0999", "-6.00", "")
    )
    report = await import_files(mine, [later])
    assert report.files[0].added == 2
    assert await categories(mine, "Costco") == {"Treats": 7}
    await take_back(mine, "Costco")
    found = await categories(mine, "Costco")
    assert found["Gifts"] == 1
    assert "Treats" not in found


async def test_importing_under_a_rule_and_taking_it_back_is_importing_without(store, alice, bob):
    """Refunds, too, get the category that their purchases have by themselves."""
    rows = (*ROWS, ("2026-03-09", "QUOKKA XQZT", "3.00", ""), ("2026-03-10", "COSTCO WHSE #0123", "5.00", ""))
    plain, ruled = await store.repository(alice), await store.repository(bob)
    await import_files(plain, [statement(*rows)])
    for merchant in ("Costco", "Quokka Xqzt", "Uber"):
        await put(ruled, merchant, "Treats")
    await import_files(ruled, [statement(*rows[:5])])
    await import_files(ruled, [statement(*rows)])
    assert "Treats" in await categories(ruled, "Costco")
    for merchant in ("Costco", "Quokka Xqzt", "Uber"):
        await take_back(ruled, merchant)
    facts = [
        [
            (row.booked_on, row.amount_minor, row.category, row.kind, row.flow)
            for row in await each.rows(Filter(), "oldest")
        ]
        for each in (plain, ruled)
    ]
    assert facts[0] == facts[1]
    assert sorted(text for _, text in await plain.phrases()) == sorted(text for _, text in await ruled.phrases())


async def test_an_import_again_adds_nothing_and_one_taken_back_leaves_the_rule(mine):
    await put(mine, "Costco", "Treats")
    again = await import_files(mine, [statement(*ROWS)])
    assert (again.files[0].added, await categories(mine, "Costco")) == (0, {"Treats": 5})
    await undo_import(mine)
    assert [rule.category for rule in await list_rules(mine)] == ["Treats"]
    await import_files(mine, [statement(*ROWS)])
    assert await categories(mine, "Costco") == {"Treats": 5}


async def test_a_change_that_fails_halfway_leaves_no_trace(store, mine, dump):
    before = await everything(store, dump)
    with pytest.raises(RuntimeError):
        async with store.write() as connection:
            await set_rule(connection, mine, "Costco", "Treats")
            raise RuntimeError
    assert await everything(store, dump) == before


async def test_the_rules_of_two_people_are_two(store, mine, bob):
    theirs = await store.repository(bob)
    await import_files(theirs, [statement(*ROWS)])
    before = await categories(theirs, "Costco")
    await put(mine, "Costco", "Treats")
    assert await categories(theirs, "Costco") == before
    assert await list_rules(theirs) == ()
    await put(theirs, "Costco", "Work")
    await take_back(mine, "Costco")
    assert await categories(theirs, "Costco") == {"Work": 5}


async def test_forgetting_a_person_forgets_their_rules(store, mine, alice, bob):
    theirs = await store.repository(bob)
    await put(mine, "Costco", "Treats")
    await put(theirs, "Costco", "Work")
    await forget_person(store, alice)
    async with store.read() as connection:
        assert list((await connection.execute(sa.select(schema.rules.c.category))).scalars()) == ["Work"]


async def test_a_database_from_before_rules_gains_them_and_keeps_its_categories(tmp_path, alice):
    path = tmp_path / "data" / "ledger.sqlite3"
    path.parent.mkdir()
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=sa.NullPool)
    with engine.begin() as connection:
        upgrade(connection, "0002")
        assert "own_category" not in {column["name"] for column in sa.inspect(connection).get_columns("transactions")}
        for statement_ in _OLD_ROWS:
            connection.execute(sa.text(statement_))
    store = await Store.open(path)
    mine = await store.repository(alice)
    (row,) = await mine.rows(Filter())
    assert (row.booked_on, row.category) == (date(2026, 3, 1), "Shopping")
    await put(mine, "Costco", "Treats")
    await take_back(mine, "Costco")
    assert [row] == await mine.rows(Filter())
    await store.close()


_OLD_ROWS = (
    "INSERT INTO people (id, platform, team, \"user\", created_at) VALUES (1, 'memory', 'home', 'alice', '2026')",
    "INSERT INTO ledgers (id, created_at) VALUES (1, '2026')",
    "INSERT INTO members (ledger_id, person_id) VALUES (1, 1)",
    "INSERT INTO batches (id, ledger_id, created_at) VALUES (1, 1, '2026')",
    "INSERT INTO accounts (id, ledger_id, name) VALUES (1, 1, 'Checking')",
    "INSERT INTO phrases (id, ledger_id, text) VALUES (1, 1, 'costco · shopping')",
    (
        "INSERT INTO transactions (id, ledger_id, account_id, batch_id, identity, content, booked_on, weekday, amount_minor, "
        "currency, description, merchant, merchant_key, category, category_source, kind, kind_ground, own_kind, flow, phrase_id) "
        "VALUES (1, 1, 1, 1, 'a', 'a', '2026-03-01', 6, -5000, 'USD', 'COSTCO', 'Costco', 'costco', 'Shopping', 'file', "
        "'purchase', 'sign', 'purchase', 'spending', 1)"
    ),
)
