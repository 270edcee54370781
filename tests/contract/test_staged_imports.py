"""Imports in short steps: nobody sees one before it is whole, and whatever breaks off leaves nothing behind."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from ledger import schema, statement_writer, steps
from ledger.batches import recent_batches
from ledger.deletion import count_holdings, export_rows, forget_person
from ledger.direction import Reading, Told
from ledger.errors import LedgerGone, NothingToUndo
from ledger.filters import Filter
from ledger.importers import Hints
from ledger.imports import import_files, undo_import
from ledger.layout_directions import remembered_directions
from ledger.rules import set_rule
from ledger.search import catch_up
from ledger.staging import sweep
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support import bank_files
from tests.support.bank_files import mint_csv

if TYPE_CHECKING:
    from ledger.people import Person
    from ledger.repository import Repository

SHOPS = (("Costco", "COSTCO WHSE 12", "Groceries"), ("Netflix", "NETFLIX.COM", "Subscriptions"),
         ("Blue Bottle", "SQ *BLUE BOTTLE 123", "Coffee Shops"), ("Transfer", "ONLINE TRANSFER", "Transfer"))  # fmt: skip
#: What the search index is told to forget may be told in vain.
QUEUE = ("forgotten_phrases",)
ACCOUNTS = ("Checking", "Savings", "Visa Card")


def line(day: date, name: str, descriptor: str, amount: str, category: str, account: str) -> bank_files.Line:
    return bank_files.Line(day, name, descriptor, Decimal(amount), category, account)


#: Which of the statements break: every one by make soak, and every seventh in every run.
EVERY = pytest.mark.parametrize("every", [13, pytest.param(1, marks=pytest.mark.soak)])


class Broken(Exception):
    """What is raised in the middle of the work."""


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rows are many steps, as many each time."""
    for name in ("_FIRST", "_LEAST", "_MOST", "_MOST_ALONE"):
        monkeypatch.setattr(steps, name, 3)
    monkeypatch.setattr(statement_writer, "_AT_ONCE", 5)


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    return await store.repository(alice)


@contextmanager
def breaking(at: int, *, for_good: bool) -> Iterator[list[str]]:
    """Raise at the statement of this number, or from it on as if the process were gone; yield those that ran."""
    ran: list[str] = []

    def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        ran.append(statement)
        if len(ran) == at or (for_good and len(ran) > at):
            raise Broken

    sa.event.listen(sa.Engine, "before_cursor_execute", before)
    try:
        yield ran
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", before)


def drawn_files(dice: random.Random, most: int = 14) -> list[SourceFile]:
    """One to three files of one household, overlapping, some with twins and transfers between its accounts."""
    lines = []
    for _ in range(dice.randrange(4, most)):
        name, descriptor, category = dice.choice(SHOPS)
        amount = dice.choice((-450, -1999, -2500, 2500, 1999)) / 100
        day = date(2026, 10, 1) + timedelta(dice.randrange(12))
        lines += [line(day, name, descriptor, f"{amount:.2f}", category, dice.choice(ACCOUNTS))] * dice.choice(
            (1, 1, 2)
        )
    files = []
    for number in range(dice.randrange(1, 4)):
        some = [line for line in lines if dice.random() < 0.13] or lines
        files.append(SourceFile(f"part {number}.csv", mint_csv(some)))
    if dice.random() < 0.3:
        files.append(SourceFile("broken.csv", b"\x00\x01\x02"))
    if dice.random() < 0.3:
        files.append(
            SourceFile("plain.csv", b"Date,Description,Amount (USD)\n2026-10-02,SHOP,-4.50\n2026-10-03,SHOP,-4.50\n")
        )
    return files


async def seen(repository: Repository) -> Any:
    """Everything that is shown of a ledger."""
    return (
        await export_rows(repository),
        await repository.totals(Filter()),
        sorted(await repository.groups(Filter(), "account"), key=repr),
        await repository.accounts(),
        sorted(text for _, text in await repository.phrases()),
        await recent_batches(repository, 9),
        (await count_holdings(repository)).transactions,
        (await count_holdings(repository)).imports,
    )


async def outcome(store: Store, repository: Repository) -> Any:
    """What a ledger holds, without the numbers that things are kept under."""
    rows, accounts = schema.transactions.c, schema.accounts.c
    left = [column for column in rows if column.name not in ("id", "account_id", "batch_id", "phrase_id", "pair_id")]
    other = schema.transactions.alias()
    query = (
        sa.select(*left, accounts.name, accounts.type, schema.phrases.c.text, other.c.content)
        .join(schema.accounts, accounts.id == rows.account_id)
        .join(schema.phrases, schema.phrases.c.id == rows.phrase_id)
        .outerjoin(other, other.c.id == rows.pair_id)
        .where(rows.ledger_id == repository.ledger_id)
    )
    async with store.read() as connection:
        return sorted((tuple(row)[1:] for row in await connection.execute(query)), key=repr)


@pytest.mark.parametrize("seed", range(8))
async def test_a_dry_run_says_what_the_import_does(store, mine, dump, seed):
    """Whatever is there already, and whatever several files have in common; and it writes nothing."""
    dice = random.Random(seed)
    for _ in range(3):
        files, hints = drawn_files(dice), Hints(account=dice.choice((None, None, "Checking")))
        before = await dump(store)
        dry = await import_files(mine, files, hints, dry_run=True)
        assert await dump(store) == before
        real = await import_files(mine, files, hints)
        assert (dry.batch, dry.files) == (None, real.files)
        assert (real.batch is None) == (not any(file.added for file in real.files))


@pytest.mark.parametrize("seed", range(6))
async def test_steps_of_any_size_come_to_the_same(store, alice, bob, monkeypatch, seed):
    """The rows, their kinds, categories and pairs are those of one step over everything."""
    dice = random.Random(seed)
    files = [drawn_files(dice) for _ in range(2)]
    small, large = await store.repository(alice), await store.repository(bob)
    for some in files:
        await import_files(small, some)
    for name in ("_FIRST", "_LEAST", "_MOST", "_MOST_ALONE"):
        monkeypatch.setattr(steps, name, 10_000)
    monkeypatch.setattr(statement_writer, "_AT_ONCE", 10_000)
    for some in files:
        await import_files(large, some)
    assert [row[1:] for row in await outcome(store, small)] == [row[1:] for row in await outcome(store, large)]


async def statements_of(store: Store, person: Person, files: list[SourceFile]) -> int:
    """How many statements an import takes, tried in a ledger of its own."""
    repository = await store.repository(person)
    await import_files(repository, [SourceFile("first.csv", FIRST)])
    with breaking(0, for_good=False) as ran:
        await import_files(repository, files)
    return len(ran)


FIRST = mint_csv([
    line(date(2026, 10, 2), "Transfer", "ONLINE TRANSFER", "-25.00", "Transfer", "Checking"),
    line(date(2026, 10, 2), "Costco", "COSTCO WHSE 12", "-4.50", "Groceries", "Checking"),
])  # fmt: skip
SECOND = mint_csv([
    line(date(2026, 10, 2), "Costco", "COSTCO WHSE 12", "-4.50", "Groceries", "Checking"),
    *(line(date(2026, 10, day), f"Shop {day}", f"SHOP {day}", f"-{day}.00", "Shopping", "Visa Card") for day in range(2, 9)),
    line(date(2026, 10, 3), "Transfer", "ONLINE TRANSFER", "25.00", "Transfer", "Savings"),
    line(date(2026, 10, 5), "Costco", "COSTCO WHSE 12", "4.50", "", "Visa Card"),
])  # fmt: skip


@dataclass
class Written:
    """What one transaction wrote."""

    statements: int = 0
    rows: int = 0


@contextmanager
def counting_transactions() -> Iterator[list[Written]]:
    """What the transactions of all connections write meanwhile, one by one."""
    going: dict[Any, Written] = {}
    found: list[Written] = []

    def ran(connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if not statement.startswith(("INSERT", "UPDATE", "DELETE")):
            return
        written = going.setdefault(connection, Written())
        written.statements += 1
        written.rows += len(parameters) if isinstance(parameters, list) else 1

    def ended(connection: Any) -> None:
        if connection in going:
            found.append(going.pop(connection))

    sa.event.listen(sa.Engine, "after_cursor_execute", ran)
    sa.event.listen(sa.Engine, "commit", ended)
    try:
        yield found
    finally:
        sa.event.remove(sa.Engine, "after_cursor_execute", ran)
        sa.event.remove(sa.Engine, "commit", ended)


@EVERY
@pytest.mark.parametrize("for_good", [False, True], ids=["failing", "killed"])
async def test_an_import_that_breaks_off_anywhere_leaves_nothing(store, bob, mine, dump, for_good, every):
    """At every single statement: what fails clears up after itself, what is killed is cleared up by the next start."""
    files = [SourceFile("second.csv", SECOND)]
    most = await statements_of(store, bob, files)
    await import_files(mine, [SourceFile("first.csv", FIRST)])
    before, shown, told = await dump(store, without=QUEUE), await seen(mine), []

    async def within(_connection: Any, report: Any) -> None:
        told.append(report.batch)

    for at in range(every, most + 1, every):
        told.clear()
        with breaking(at, for_good=for_good), pytest.raises(Broken):
            await import_files(mine, files, within=within)
        assert await seen(mine) == shown, at
        await sweep(store)
        assert await dump(store, without=QUEUE) == before, at
    report = await import_files(mine, files, within=within)
    assert report.files[0].added == 9
    assert told == [report.batch]


@EVERY
@pytest.mark.parametrize("for_good", [False, True], ids=["failing", "killed"])
async def test_taking_back_happens_wholly_or_not_at_all(store, mine, dump, bookkeeping, for_good, every):
    """Broken off at every statement: the import is there as before, or it is gone, and the next start ends its going."""
    await import_files(mine, [SourceFile("first.csv", FIRST)])
    without, shown_without = await dump(store, without=bookkeeping), (await seen(mine))[:5]
    ends = 0
    for at in range(every, 300, every):
        batch = (await import_files(mine, [SourceFile("second.csv", SECOND)])).batch
        shown = (await seen(mine))[:5]
        done: list[int] = []

        async def within(_connection: Any, undone: Any, done: list[int] = done) -> None:
            done.append(undone.removed)

        with breaking(at, for_good=for_good) as ran:
            try:
                await undo_import(mine, batch, within=within)
            except Broken:
                pass
            else:
                ends += 1
        left = (await seen(mine))[:5]
        assert left in (shown, shown_without), at
        assert len(ran) < at or left == shown or done == [9]
        await sweep(store)
        assert (await seen(mine))[:5] == left, at
        if left == shown:
            assert (await undo_import(mine, batch)).removed == 9
        assert await dump(store, without=bookkeeping) == without, at
        if ends:
            break
    assert ends


ALL_POSITIVE = (
    b"Date,Description,Amount (USD)\n2026-10-01,Tesco,12.50\n2026-10-04,Shell,40.00\n2026-10-19,Amazon,20.00\n"
)


async def test_what_was_said_of_a_layout_comes_and_goes_with_the_import(store, mine, dump):
    """It is kept by the transaction that lets the import show, and goes with that which takes it back."""
    card, told = [SourceFile("card.csv", ALL_POSITIVE)], Hints(direction=Told.SPENT)
    before = await dump(store, QUEUE)

    async def refuse(_connection: Any, _report: Any) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        await import_files(mine, card, told, within=refuse)
    await import_files(mine, card, told, dry_run=True)
    assert await dump(store, QUEUE) == before
    assert (await import_files(mine, card, dry_run=True)).files[0].question is not None
    (file,) = (await import_files(mine, card, told)).files
    assert [(key[1], reading) for key, reading in (await remembered_directions(mine)).items()] == [
        ("Card", Reading.TURNED)
    ]
    (again,) = (await import_files(mine, card)).files
    assert (file.sums, file.added) == ({"USD": Decimal("-72.50")}, 3)
    assert (again.sums, again.added) == (file.sums, 0)
    await undo_import(mine)
    assert await remembered_directions(mine) == {}


async def test_nobody_sees_an_import_while_it_comes_in(store, mine):
    """After each of its steps every figure, name, account and search string is what it was."""
    await import_files(mine, [SourceFile("first.csv", FIRST)])
    before, looks = await seen(mine), 0
    loop = asyncio.get_running_loop()
    tasks: list[asyncio.Task[None]] = []

    async def look() -> None:
        nonlocal looks
        assert await seen(mine) == before
        looks += 1

    async def within(_connection: Any, _report: Any) -> None:
        await asyncio.gather(*tasks)
        if store.dialect == "postgresql":
            await look()

    files = [SourceFile("second.csv", SECOND)]
    await import_files(mine, files, progress=lambda *_: tasks.append(loop.create_task(look())), within=within)
    await asyncio.gather(*tasks)
    assert looks >= 2
    assert len((await seen(mine))[0]) == len(before[0]) + 9


async def test_a_rule_made_meanwhile_holds_for_all_of_the_import(store, mine):
    """For the rows that are there already, unseen, and for those to come; only rows that show are counted."""
    lines = [
        line(date(2026, 10, 1 + n), "Blue Bottle", "SQ *BLUE BOTTLE 123", f"-{n}.50", "Coffee Shops", "Visa")
        for n in range(1, 20)
    ]
    await import_files(mine, [SourceFile("first.csv", mint_csv(lines[:2]))])
    (merchant,) = {row.merchant for row in await mine.rows(Filter())}
    changed: list[int] = []
    going: list[asyncio.Task[None]] = []

    async def rule() -> None:
        async with store.write() as connection:
            changed.append(await set_rule(connection, mine, merchant, "Treats"))

    def progress(_file: str, done: int, _all: int) -> None:
        if done >= 10 and not going:
            going.append(asyncio.get_running_loop().create_task(rule()))

    await import_files(mine, [SourceFile("all.csv", mint_csv(lines))], progress=progress)
    await asyncio.gather(*going)
    assert changed == [2]
    assert {row.category for row in await mine.rows(Filter())} == {"Treats"}
    assert len(await mine.rows(Filter())) == 19
    async with store.read() as connection:
        texts = set((await connection.execute(sa.select(schema.phrases.c.text))).scalars())
    assert all("treats" in text for text in texts)


async def test_no_step_of_an_import_writes_more_than_it_may(store, mine, monkeypatch):
    """Whoever else wants to write waits for one step at most, so its rows and its statements are few, however large the file."""
    for name, size in (("_FIRST", 20), ("_LEAST", 20), ("_MOST", 40), ("_MOST_ALONE", 40)):
        monkeypatch.setattr(steps, name, size)
    monkeypatch.setattr(statement_writer, "_AT_ONCE", 100)
    days = [date(2026, 1, 1) + timedelta(number) for number in range(300)]
    data = mint_csv([
        line(day, f"Shop {number % 50}", f"SHOP {number % 50}", f"{sign}{number + 1}.00", "", account)
        for number, day in enumerate(days) for sign, account in (("-", "Checking"), ("", "Savings"))
    ])  # fmt: skip
    with counting_transactions() as found:
        report = await import_files(mine, [SourceFile("many.csv", data)])
    assert report.files[0].added == 600
    assert len(found) > 600 / 40
    assert max(each.rows for each in found) <= 2 * 40 + 5
    assert max(each.statements for each in found) <= 20


async def test_two_imports_of_a_ledger_wait_for_each_other(store, mine):
    """So the same rows come in once, whoever is first."""
    files = [SourceFile("second.csv", SECOND)]
    reports = await asyncio.gather(*(import_files(mine, files) for _ in range(3)))
    assert sorted(report.files[0].added for report in reports) == [0, 0, 10]
    assert sum(report.batch is not None for report in reports) == 1
    assert len(await mine.rows(Filter())) == 10


async def test_undoing_waits_for_the_import_and_takes_that(store, mine):
    first = await import_files(mine, [SourceFile("first.csv", FIRST)])
    began = asyncio.Event()
    files = [SourceFile("second.csv", SECOND)]
    going = asyncio.create_task(import_files(mine, files, progress=lambda *_: began.set()))
    await began.wait()
    undone = await undo_import(mine)
    report = await going
    assert undone.batch == report.batch != first.batch
    assert len(await mine.rows(Filter())) == 2


async def test_a_cancelled_import_clears_up(store, mine, dump):
    await import_files(mine, [SourceFile("first.csv", FIRST)])
    before = await dump(store, without=QUEUE)
    held: list[asyncio.Task[Any]] = []

    def progress(_file: str, done: int, _all: int) -> None:
        if done >= 5:
            held[0].cancel()

    held.append(asyncio.create_task(import_files(mine, [SourceFile("second.csv", SECOND)], progress=progress)))
    with pytest.raises(asyncio.CancelledError):
        await held[0]
    assert await dump(store, without=QUEUE) == before


async def test_who_is_forgotten_meanwhile_has_no_import(store, alice, mine, monkeypatch):
    """The import ends, and nothing of the ledger stays."""
    step, forgotten = steps.Steps.do, []

    async def do(self: steps.Steps, rows: int, work: Any) -> Any:
        result = await step(self, rows, work)
        if not forgotten:
            forgotten.append(await forget_person(store, alice))
        return result

    monkeypatch.setattr(steps.Steps, "do", do)
    with pytest.raises(LedgerGone):
        await import_files(mine, [SourceFile("second.csv", SECOND)])
    async with store.read() as connection:
        for table in (schema.transactions, schema.batches, schema.accounts, schema.phrases, schema.ledgers):
            assert (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one() == 0


async def test_an_import_that_is_going_can_not_be_taken_back_again(store, mine):
    report = await import_files(mine, [SourceFile("second.csv", SECOND)])
    with pytest.raises(Broken), breaking(14, for_good=True):
        await undo_import(mine, report.batch)
    if not await mine.rows(Filter()):
        with pytest.raises(NothingToUndo):
            await undo_import(mine, report.batch)


async def test_the_index_hears_of_an_import_once_it_shows(store, mine):
    """And not of one that broke off."""
    index = Listening()
    await import_files(mine, [SourceFile("first.csv", FIRST)])
    await catch_up(store, index)
    before = set(index.texts)
    with breaking(60, for_good=True), pytest.raises(Broken):  # some steps are done, and none of them shows
        await import_files(mine, [SourceFile("second.csv", SECOND)])
    async with store.read() as connection:
        staged = (await connection.execute(sa.select(sa.func.count()).select_from(schema.phrases))).scalar_one()
    assert staged > len(before)
    await catch_up(store, index)
    assert set(index.texts) == before
    await import_files(mine, [SourceFile("second.csv", SECOND)])
    await catch_up(store, index)
    assert set(index.texts) == {text for _, text in await mine.phrases()}


class Listening:
    """A search index that only listens."""

    name = "listening"

    stale = False

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def upsert(self, points: Any) -> None:
        self.texts += [point.text for point in points]

    async def drop_former(self) -> None:
        pass

    async def remove(self, ids: Any) -> None:
        pass
