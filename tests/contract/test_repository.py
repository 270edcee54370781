"""One person's ledger: what it sums, and that nobody sees another's, on both databases."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from ledger.corrections import change_row
from ledger.deletion import export_rows
from ledger.embeddings import MiniLmEmbedder
from ledger.filters import Filter
from ledger.importers import Hints
from ledger.imports import SourceFile, import_files
from ledger.index import open_index
from ledger.journal import Field, new_change, standing_changes
from ledger.left_out import LeftOut, leave_out, list_left_out
from ledger.memories import add_memory, list_memories
from ledger.money import Money
from ledger.periods import Period
from ledger.refunds import link_refund
from ledger.rules import list_rules, set_rule
from ledger.search import LedgerSearch, catch_up
from ledger.spreadsheets import EXPORT_COLUMNS
from ledger.transactions import Flow, Kind
from tests.drawn_ledgers import Entry, write_entries
from tests.support.tool_calls import AMOUNTS, CALLS, CANARY, DAY, MINE, THEIR_CHANGE, THEIR_ROW, THEIR_ROWS, THEIRS
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.slots.rows import by_ids
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Store
    from tools.context import ToolContext
    from tools.results import Result

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
async def mine(store: Store, alice: Person) -> Repository:
    return (await write_entries(store, alice, MINE))[0]


@pytest.fixture
async def theirs(store: Store, bob: Person, mine: Repository) -> Repository:
    return (await write_entries(store, bob, THEIRS))[0]


async def no_index() -> None:
    """Words alone."""


async def context_of(repository: Repository) -> ToolContext:
    return await tool_context(repository, NOW, no_index)


def leaks(result: Result) -> list[str]:
    """Return what a result shows of the other person."""
    shown = repr(replace(result, behind=())).casefold()
    numbers = [fact.value for fact in result.facts if isinstance(fact.value, Decimal)]
    numbers += [
        cell.amount for row in (result.table.rows if result.table else ()) for cell in row if isinstance(cell, Money)
    ]
    found = [str(number) for number in numbers if abs(number) * 100 >= min(AMOUNTS)]
    return [*found, *([CANARY] if CANARY.casefold() in shown else [])]


def test_every_tool_is_tried():
    assert CALLS.keys() == {tool.name for tool in Registry.built_in()}


async def lived_in(mine: Repository, theirs: Repository) -> str:
    """Let both have notes, rules and changes of their own; return what the other's change is known by."""
    (row, *_), token = await mine.ids(Filter()), new_change()
    (foreign, *_) = await theirs.ids(Filter())
    (back, *_), (bought, *_) = [await theirs.ids(Filter(sign=sign, currency="USD")) for sign in (1, -1)]
    async with theirs.store.write() as connection:
        await add_memory(connection, theirs, CANARY)
        await add_memory(connection, mine, "the rent is shared")
        await set_rule(connection, theirs, CANARY, f"{CANARY} seeds")
        await set_rule(connection, mine, "Acme", "Income")
        await leave_out(connection, theirs, LeftOut("merchant", f"{CANARY} zoo"))
        await leave_out(connection, mine, LeftOut("merchant", "Nobody"))
        await change_row(connection, mine, new_change(), row, {Field.NOTE: "mine"})
        await change_row(connection, theirs, token, foreign, {Field.NOTE: CANARY})
        await link_refund(connection, theirs, new_change(), back, bought)
    return token


def filled(name: str, rows: Sequence[int], token: str) -> Iterator[dict[str, Any]]:
    """Yield the arguments of a tool's calls with the other's rows, each of them, and their change in their places."""
    for arguments in CALLS[name]:
        for row in rows if THEIR_ROW in map(str, arguments.values()) else rows[:1]:
            placed = {THEIR_ROW: f"#{row}", THEIR_ROWS: by_ids(rows), THEIR_CHANGE: token}
            yield {key: placed.get(str(value), value) for key, value in arguments.items()}


def unasked(result: Result, arguments: dict[str, Any]) -> Result:
    """Return a result without what the person said themselves."""
    asked = [str(value) for value in arguments.values()]

    def said(value: Any) -> bool:
        told = abs(value.amount) if isinstance(value, Money) else abs(value) if isinstance(value, Decimal) else value
        return any(str(told) in each for each in asked)

    table = result.table
    return replace(
        result,
        names={key: value for key, value in result.names.items() if not said(value)},
        facts=tuple(fact for fact in result.facts if not said(fact.value)),
        table=table and replace(table, rows=tuple(tuple(cell for cell in row if not said(cell)) for row in table.rows)),
    )


@pytest.mark.parametrize("name", CALLS)
async def test_no_tool_shows_what_is_another_persons(mine, theirs, name):
    tool = Registry.built_in().get(name)
    foreign = await theirs.ids(Filter())
    token = await lived_in(mine, theirs)
    context = await context_of(mine)
    for arguments in filled(name, foreign, token):
        checked = check_arguments(tool, arguments, context)
        assert not checked.reason, (arguments, checked.reason)
        if CANARY in arguments.values():
            context = replace(context, locale="en_US")
        result = await run_tool(tool, checked.arguments, context)
        assert leaks(unasked(result, arguments)) == [], arguments
        for wanted in result.behind:
            assert not set(foreign) & set(await mine.ids(wanted)), arguments


@pytest.mark.parametrize("name", [tool.name for tool in Registry.built_in() if tool.writes])
async def test_no_tool_changes_what_is_another_persons(mine, theirs, name):
    """Whatever it proposes is done, one after the other where that can be."""

    async def held() -> Any:
        return (
            await export_rows(theirs), await list_memories(theirs), await list_rules(theirs), await list_left_out(theirs),
            await standing_changes(theirs), await theirs.settings(), await theirs.accounts(),
        )  # fmt: skip

    tool, done = Registry.built_in().get(name), 0
    foreign = await theirs.ids(Filter())
    token = await lived_in(mine, theirs)
    before = await held()
    for arguments in filled(name, foreign, token):
        context = await context_of(mine)
        result = await run_tool(tool, check_arguments(tool, arguments, context).arguments, context)
        if result.change is not None:
            async with mine.store.write() as connection:
                await result.change.work(connection)
            done += 1
        assert await held() == before, arguments
    assert (
        done or name == "categories-file_guesses"
    )  # neither ledger gives a guess; tests/unit/tools/apps/test_unsure.py


async def test_names_of_another_person_are_unknown(mine, theirs):
    """A name that only the other ledger has is refused, and not offered as a near choice either."""
    registry, context = Registry.built_in(), await context_of(mine)
    for name, arguments in (
        ("spending-analyze_merchant", {"merchant": CANARY}),
        ("spending-analyze_by_category", {"category": f"{CANARY} seeds"}),
        ("transactions-list", {"account": f"{CANARY} account"}),
    ):
        checked = check_arguments(registry.get(name), arguments, context)
        assert checked.reason
        assert not any(CANARY in choice for choice in checked.choices)


async def test_guessed_ids_open_nothing(mine, theirs):
    foreign_rows = await theirs.ids(Filter())
    foreign_accounts = tuple(account.id for account in await theirs.accounts())
    foreign_phrases = tuple(key for key, _ in await theirs.phrases())
    for wanted in (
        Filter(accounts=foreign_accounts),
        Filter(phrases=foreign_phrases),
        Filter(accounts=foreign_accounts, phrases=foreign_phrases, merchants=("kanarienvogel",)),
        Filter(accounts=tuple(range(1, 50)), not_ids=await mine.ids(Filter())),
    ):
        assert await mine.rows(wanted) == []
        assert await mine.totals(wanted) == []
        assert await mine.groups(wanted, "merchant") == []
        assert await mine.ids(wanted) == ()
    assert not set(foreign_rows) & set(await mine.ids(Filter()))


async def test_reads_of_the_ledger_are_ones_own(mine, theirs):
    assert CANARY not in repr(await mine.vocabulary())
    assert CANARY not in repr(await mine.accounts())
    assert CANARY.casefold() not in repr(await mine.phrases()).casefold()
    assert CANARY not in repr(await mine.rows(Filter()))
    assert {row.merchant for row in await theirs.rows(Filter())} == {entry.merchant for entry in THEIRS}


async def test_exports_are_ones_own(mine, theirs):
    exported = await export_rows(mine)
    assert CANARY not in repr(exported)
    assert len(exported) == len(MINE)
    assert all(len(row) == len(EXPORT_COLUMNS) for row in exported)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Any]:
    opened = await open_index(tmp_path / "index", MiniLmEmbedder(), None)
    yield opened
    await opened.close()


async def test_searches_are_ones_own(store, mine, theirs, index):
    """By meaning and by words, through the index that holds the strings of both."""
    await catch_up(store, index)

    async def shared() -> Any:
        return index

    own = {key for key, _ in await mine.phrases()}
    for search in (LedgerSearch(mine, shared), LedgerSearch(mine, no_index)):
        for query in (CANARY, "bird seeds", "costco", "wages", "groceries rent"):
            assert set((await search.find(query, 50)).ids) <= own
    assert (await LedgerSearch(theirs, shared).find(CANARY, 50)).ids


async def test_an_index_that_mixes_ledgers_up_still_shows_nothing_foreign(mine, theirs):
    """Even were a search to return the other's strings, the sums are over one's own rows."""
    foreign = tuple(key for key, _ in await theirs.phrases())

    class Confused:
        async def find(self, query: str, limit: int) -> Any:
            from ledger.search import Found

            return Found(foreign, True)

    context = replace(await context_of(mine), search=Confused())
    result = await run_tool(Registry.built_in().get("transactions-search_transactions"), {"query": "x"}, context)
    assert result.kind == "empty"
    assert leaks(result) == []


async def test_totals_by_currency(store, alice):
    repository, _ = await write_entries(
        store,
        alice,
        [
            Entry(DAY, -100),
            Entry(DAY, 40, kind="refund"),
            Entry(DAY, -300),
            Entry(DAY, -7, "EUR"),
            Entry(DAY, 0, "EUR"),
        ],
    )
    dollars, euros = await repository.totals(Filter(flow=Flow.SPENDING))
    assert (dollars.currency, dollars.count, dollars.out_minor, dollars.out_count) == ("USD", 3, 400, 2)
    assert (dollars.into_minor, dollars.into_count, dollars.net_out_minor) == (40, 1, 360)
    assert (dollars.largest_out_minor, dollars.smallest_out_minor) == (300, 100)
    assert (euros.currency, euros.count, euros.out_count, euros.net_out_minor) == ("EUR", 2, 1, 7)


@pytest.mark.parametrize("by", ["category", "merchant", "account", "month", "year", "weekday", "day", "currency"])
async def test_groups_add_up_to_the_whole(mine, by):
    groups = await mine.groups(Filter(), by)
    (whole,) = await mine.totals(Filter())
    assert sum(group.totals.count for group in groups) == whole.count == len(MINE)
    assert sum(group.totals.net_out_minor for group in groups) == whole.net_out_minor


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), [0, 1, 2, 3]),
        (Filter(flow=Flow.SPENDING), [0, 1]),
        (Filter(flow=Flow.NEITHER), [3]),
        (Filter(kinds=(Kind.INCOME, Kind.TRANSFER)), [2, 3]),
        (Filter(sign=-1), [0, 1, 3]),
        (Filter(sign=1), [2]),
        (Filter(at_least_minor=71_310), [0, 2]),
        (Filter(at_least_minor=71_311), [2]),
        (Filter(at_most_minor=500), [1]),
        (Filter(at_most_minor=-1), []),
        (Filter(categories=("Rent", "Transfer")), [1, 3]),
        (Filter(not_categories=("Rent",), not_merchants=("costco",)), [2, 3]),
        (Filter(phrases=()), []),
        (Filter(currency="EUR"), []),
        (Filter(period=Period(DAY, DAY)), [0, 1, 2, 3]),
        (Filter(period=Period(DAY, DAY, weekdays=(DAY.weekday(),))), [0, 1, 2, 3]),
        (Filter(period=Period(date(2026, 10, 1), date(2026, 10, 31), weekdays=(0, 1))), []),
        (Filter(period=Period(date(2026, 10, 4), date.max)), []),
        (Filter(period=Period(date.min, date(2026, 10, 2))), []),
    ],
)
async def test_filters(mine, wanted, expected):
    rows = await mine.rows(wanted, "oldest")
    assert [row.merchant for row in rows] == [MINE[n].merchant for n in expected]
    assert sorted(await mine.ids(wanted)) == sorted(row.id for row in rows)
    assert sum(each.count for each in await mine.totals(wanted)) == len(expected)


async def test_pages_of_rows_follow_on(mine):
    every = [row.id for row in await mine.rows(Filter(), "largest")]
    pages = [[row.id for row in await mine.rows(Filter(), "largest", 2, offset)] for offset in (0, 2, 4)]
    assert pages == [every[:2], every[2:4], []]
    sizes = [abs(row.amount_minor) for row in await mine.rows(Filter(), "largest")]
    assert sizes == sorted(sizes, reverse=True)


async def read_back(repository: Repository, other: Repository) -> None:
    """Export one ledger and import it into another, to the same rows."""
    out = io.StringIO()
    csv.writer(out).writerows([EXPORT_COLUMNS, *await export_rows(repository)])
    report = await import_files(other, [SourceFile("export.csv", out.getvalue().encode())], Hints())
    assert report.files[0].rejected == ()

    def told(rows: list[Any]) -> list[tuple[Any, ...]]:
        return sorted(
            (r.booked_on, r.amount_minor, r.currency, r.description, r.category, r.kind, r.account) for r in rows
        )

    assert told(await other.rows(Filter())) == told(await repository.rows(Filter()))


async def test_an_export_is_read_back_by_another_person(store, bob, mine):
    await read_back(mine, await store.repository(bob))


async def test_an_exported_kind_holds_whatever_the_category(store, alice, bob):
    """Kinds come from pairing and from words too, so a category alone would not bring them back."""
    entries = [
        Entry(DAY, 250_000, kind="income", merchant="Acme", category="Groceries"),
        Entry(DAY, -5_000, kind="transfer", merchant="Zalando", category="Shopping"),
        Entry(DAY, 3_000, kind="refund", merchant="Zalando", category="Income"),
    ]
    repository, _ = await write_entries(store, alice, entries)
    await read_back(repository, await store.repository(bob))
