"""What a person changes of single rows, on both databases: it counts right, imports leave it alone, and it can be put back."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger import schema
from ledger.corrections import Part, change_row, delete_row, split_row, take_back
from ledger.errors import ChangeImpossible
from ledger.filters import Filter
from ledger.imports import import_files, undo_import
from ledger.journal import Field, new_change, standing_changes
from ledger.judgement import key_of
from ledger.left_out import LeftOut, count_again, leave_out, list_left_out
from ledger.people import Person
from ledger.rules import remove_rule, set_rule
from ledger.staging import Stage
from ledger.statement_writer import SourceFile
from ledger.transactions import Kind
from tests.drawn_ledgers import CATEGORIES, FIRST, MERCHANTS, ledgers, write_entries
from tests.support.kept_sums import differing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ledger.repository import Repository
    from ledger.store import Store
    from ledger.transactions import Transaction

MINE = """Date,Description,Amount,Account
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


@dataclass(frozen=True)
class Naive:
    """One row as a plain reckoning has it: ``chosen`` is its own category, ``said`` its kind by the person's word."""

    day: date
    minor: int
    currency: str
    merchant: str
    category: str
    kind: str
    chosen: str | None = None
    said: str | None = None
    there: bool = True


@dataclass
class Reckoning:
    """A ledger without a database."""

    rows: dict[int, Naive]
    rules: dict[str, str]
    ignored: set[str]
    done: list[tuple[str, dict[int, tuple[str, Naive | None]]]]

    def shown(self) -> Counter[tuple[Any, ...]]:
        found: Counter[tuple[Any, ...]] = Counter()
        for row in self.rows.values():
            if row.there:
                kind, key = row.said or row.kind, key_of(row.merchant)
                if row.said is None and key in self.ignored and kind not in ("transfer", "card_payment"):
                    kind = "left_out"
                category = row.chosen or self.rules.get(key) or row.category
                found[row.day, row.minor, row.currency, row.merchant, category, kind] += 1
        return found

    def change(self, token: str, key: int, what: str, **values: Any) -> None:
        self.done.append((token, {key: (what, self.rows[key])}))
        self.rows[key] = replace(self.rows[key], **values)

    def may_undo(self, place: int) -> bool:
        """Whether nothing newer is of the same field of the same row, or of its being there."""
        for key, (what, _) in self.done[place][1].items():
            newer = [changed[key][0] for _, changed in self.done[place + 1 :] if key in changed]
            if what in newer or "there" in newer or (what == "there" and newer):
                return False
        return True

    def undo(self, place: int) -> None:
        _, changed = self.done.pop(place)
        for key, (what, before) in changed.items():
            if before is None:
                del self.rows[key]
            else:
                names = {"merchant": "merchant", "chosen": "chosen", "day": "day", "said": "said", "there": "there"}
                self.rows[key] = replace(self.rows[key], **{names[what]: getattr(before, what)})


STEPS = st.tuples(
    st.sampled_from(("category", "merchant", "day", "kind", "delete", "split", "undo", "undo", "rule", "ignore")),
    st.integers(0, 10_000),
    st.integers(0, 10_000),
)
DRAWN = settings(
    deadline=None,
    max_examples=25,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


async def play(store: Store, entries: list[Any], steps: list[tuple[str, int, int]]) -> None:
    repository, written = await write_entries(store, Person("memory", "home", uuid.uuid4().hex), entries, imports=2)
    rows = {e.id: Naive(e.day, e.minor, e.currency, e.merchant, e.category, e.kind) for e in written}
    naive = Reckoning(rows, {}, set(), [])
    for name, one, two in steps:
        await step(repository, naive, name, one, two)
        await holds(repository, naive)
    while naive.done:
        await undone(repository, naive.done[-1][0])
        naive.undo(len(naive.done) - 1)
    await holds(repository, naive)


async def holds(repository: Repository, naive: Reckoning) -> None:
    assert await is_right(repository)
    found = await rows_of(repository)
    shown = Counter(
        (row.booked_on, row.amount_minor, row.currency, row.merchant, row.category, str(row.kind)) for row in found
    )
    assert shown == naive.shown()
    totals = {each.currency: (each.count, -each.net_out_minor) for each in await repository.totals(Filter())}
    reckoned: dict[str, tuple[int, int]] = {}
    for (_, minor, currency, *_), count in shown.items():
        before = reckoned.get(currency, (0, 0))
        reckoned[currency] = before[0] + count, before[1] + count * minor
    assert totals == reckoned


async def step(repository: Repository, naive: Reckoning, name: str, one: int, two: int) -> None:
    if name == "undo":
        if naive.done:
            place = one % len(naive.done)
            if naive.may_undo(place):
                await undone(repository, naive.done[place][0])
                naive.undo(place)
            else:
                with pytest.raises(ChangeImpossible):
                    await undone(repository, naive.done[place][0])
        return
    if name in ("rule", "ignore"):
        await rule(repository, naive, name, MERCHANTS[one % len(MERCHANTS)], CATEGORIES[two % len(CATEGORIES)])
        return
    there = sorted(key for key, row in naive.rows.items() if row.there)
    if not there:
        return
    key = there[one % len(there)]
    if name == "split":
        await split(repository, naive, key, two)
        return
    category, merchant = CATEGORIES[two % len(CATEGORIES)], MERCHANTS[two % len(MERCHANTS)]
    day, kind = FIRST + timedelta(two % 400), ("transfer", "purchase", "income")[two % 3]
    values: dict[str, tuple[Any, str, dict[str, Any]]] = {
        "category": ({Field.CATEGORY: category}, "chosen", {"chosen": category}),
        "merchant": ({Field.MERCHANT: merchant}, "merchant", {"merchant": merchant}),
        "day": ({Field.DAY: day.isoformat()}, "day", {"day": day}),
        "kind": ({Field.KIND: kind}, "said", {"said": kind}),
        "delete": (None, "there", {"there": False}),
    }
    what, field, reckoned = values[name]
    token = await done(repository, delete_row, key) if what is None else await done(repository, change_row, key, what)
    naive.change(token, key, field, **reckoned)


async def split(repository: Repository, naive: Reckoning, key: int, two: int) -> None:
    row = naive.rows[key]
    part = (two % (abs(row.minor) + 1)) * (1 if row.minor >= 0 else -1)
    parts = [Part(part, CATEGORIES[two % len(CATEGORIES)]), Part(row.minor - part)]
    token = await done(repository, split_row, key, parts)
    (made,) = await standing_changes(repository, token)
    whole, *pieces = [each.transaction_id for each in made.noted]
    assert whole == key
    naive.done.append((token, {key: ("there", row), **dict.fromkeys(pieces, ("there", None))}))
    naive.rows[key] = replace(row, there=False)
    for new, each in zip(pieces, parts, strict=True):
        naive.rows[new] = replace(row, minor=each.amount_minor, chosen=each.category or row.chosen)


async def rule(repository: Repository, naive: Reckoning, name: str, merchant: str, category: str) -> None:
    key, left = key_of(merchant), LeftOut("merchant", merchant)
    async with repository.store.write() as connection:
        if name == "rule" and naive.rules.pop(key, None):
            await remove_rule(connection, repository, merchant)
        elif name == "rule":
            await set_rule(connection, repository, merchant, category)
            naive.rules[key] = category
        elif key in naive.ignored:
            await count_again(connection, repository, left)
            naive.ignored.remove(key)
        else:
            await leave_out(connection, repository, left)
            naive.ignored.add(key)


@DRAWN
@given(ledgers(most=6), st.lists(STEPS, min_size=1, max_size=14))
async def test_after_any_changes_and_undos_the_figures_are_those_of_a_plain_reckoning(sqlite_store, entries, steps):
    await play(sqlite_store, entries, steps)


@pytest.mark.soak
@settings(DRAWN, max_examples=1500)
@given(ledgers(most=8), st.lists(STEPS, min_size=1, max_size=30))
async def test_after_thousands_of_changes_and_undos_as_well(sqlite_store, entries, steps):
    await play(sqlite_store, entries, steps)


@settings(DRAWN, max_examples=6)
@given(ledgers(most=6), st.lists(STEPS, min_size=4, max_size=12))
async def test_both_databases_reckon_the_same(store, entries, steps):
    await play(store, entries, steps)
