"""What the ledger adds up from kept sums is what its rows come to, whatever is asked and however the rows came to be."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import is_dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, get_args

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger import schema, sums
from ledger.batches import recent_batches
from ledger.deletion import count_holdings, export_rows
from ledger.errors import NothingToUndo
from ledger.filters import ALL_TIME, Beside, Filter, GroupBy, Order
from ledger.imports import import_files, undo_import
from ledger.people import Person
from ledger.periods import Period
from ledger.repository import Repository
from ledger.rules import own_categories, remove_rule, set_rule
from ledger.statement_writer import SourceFile
from ledger.tallies import Ranked
from ledger.transactions import Flow, Kind
from tests.drawn_ledgers import ACCOUNTS, CATEGORIES, FIRST, LAST, MERCHANTS, Entry, ledgers, write_entries
from tests.support.kept_sums import differing
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ledger.repository import Group
    from ledger.store import Store
    from ledger.tallies import Sums, Totals

DRAWN = settings(
    deadline=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # each example is a database's work
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
#: Every tool that reads the ledger, with arguments that reach as far as they can in a drawn one.
CALLS: dict[str, list[dict[str, Any]]] = defaultdict(
    list,
    {
        "spending-analyze_by_category": [{"category": "Groceries"}, {"category": "Groceries", "per": "month"}],
        "spending-analyze_merchant": [{"merchant": "Costco"}, {"merchant": "Costco", "group_by_category": True}],
        "spending-get_spending_summary": [{"period": "all_time"}, {"period": "all_time", "over": "1"}],
        "spending-compare": [{"periods": ["2026", "2025"]}],
        "spending-extremes": [
            {"measure": name} for name in ("largest", "first", "count", "how_often", "average", "top")
        ],
        "income-summary": [{}],
        "transactions-list": [{"limit": 100}, {"sort": "largest"}, {"over": "10"}],
        "transactions-search_transactions": [{"query": "costco"}, {"query": "coming"}],
        "ledger-status": [{}],
        "categories-assign": [{"merchant": "Costco", "category": "Rent"}],
        "categories-rules": [{}],
    },
)
KEYS = [Entry(FIRST, 0, merchant=name).key for name in MERCHANTS]


@st.composite
def periods(draw: st.DrawFn) -> Period:
    """Open, whole or cut months and years, or some days of the week."""
    edges = st.dates(FIRST - timedelta(40), LAST + timedelta(40)) | st.sampled_from(
        [date(2026, 1, 1), date(2026, 2, 28), date(2026, 12, 31), date(2026, 3, 1), FIRST, LAST]
    )
    start, end = sorted((draw(edges | st.just(date.min)), draw(edges | st.just(date.max))))
    return Period(start, end, weekdays=draw(st.sampled_from([(), (), (), (5, 6), (0,)])))


async def no_index() -> None:
    """Words alone."""


def some(values: Iterable[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Mostly none."""
    return st.just(()) | st.lists(st.sampled_from(list(values)), max_size=2, unique=True).map(tuple)


bounds = (
    st.none() | st.none() | st.sampled_from([-1, 0, 1, 5, 100, 999, 1000, 1001, 4999, 5000, 5050, 100_000, 1_999_999])
)
filters = st.builds(
    Filter,
    period=periods() | st.just(ALL_TIME),
    flow=st.none() | st.sampled_from(Flow),
    kinds=some(Kind),
    categories=some(CATEGORIES),
    beside=st.none() | st.builds(Beside, st.sampled_from(list(CATEGORIES)).map(lambda name: (name,)), some(KEYS)),
    merchants=some(KEYS),
    accounts=some(range(len(ACCOUNTS))),
    not_categories=some(CATEGORIES),
    not_merchants=some(KEYS),
    not_ids=some(range(24)),
    phrases=st.none() | st.none() | some(range(24)),
    not_phrases=some(range(24)),
    at_least_minor=bounds,
    at_most_minor=bounds,
    currency=st.sampled_from([None, None, "USD", "EUR"]),
    sign=st.sampled_from([None, None, -1, 1]),
)


async def placed(wanted: Filter, repository: Repository, entries: Sequence[Entry]) -> Filter:
    """Return a drawn filter with the ids of this ledger in place of positions."""
    table = schema.transactions.c
    async with repository.store.read() as connection:
        found = await connection.execute(
            sa.select(table.id, table.phrase_id, table.account_id).where(table.ledger_id == repository.ledger_id)
        )
        rows = {row.id: row for row in found}
    accounts = {each.name: each.id for each in await repository.accounts()}
    ids = [entry.id for entry in entries]
    phrases = wanted.phrases
    return replace(
        wanted,
        accounts=tuple(accounts.get(ACCOUNTS[place], 0) for place in wanted.accounts),
        not_ids=tuple(ids[place % len(ids)] for place in wanted.not_ids),
        phrases=None if phrases is None else tuple({rows[ids[place % len(ids)]].phrase_id for place in phrases}),
        not_phrases=tuple({rows[ids[place % len(ids)]].phrase_id for place in wanted.not_phrases}),
    )


def is_beside(entry: Entry, beside: Beside | None) -> bool:
    """Whether an entry belongs to the categories asked about by its merchant."""
    return beside is not None and entry.category in beside.categories and entry.key in beside.merchants


async def matching(wanted: Filter, repository: Repository, entries: Sequence[Entry]) -> list[Entry]:
    """The entries of a filter, condition by condition."""
    table = schema.transactions.c
    async with repository.store.read() as connection:
        found = await connection.execute(sa.select(table.id, table.phrase_id))
        phrases = {row.id: row.phrase_id for row in found}
    accounts = {each.name: each.id for each in await repository.accounts()}

    def fits(entry: Entry) -> bool:
        size = abs(entry.minor)
        conditions = (
            wanted.period.start <= entry.day <= wanted.period.end,
            not wanted.period.weekdays or entry.day.weekday() in wanted.period.weekdays,
            wanted.flow is None or entry.flow == wanted.flow.value,
            not wanted.kinds or entry.kind in [kind.value for kind in wanted.kinds],
            not wanted.categories or entry.category in wanted.categories or is_beside(entry, wanted.beside),
            not wanted.merchants or entry.key in wanted.merchants,
            not wanted.accounts or accounts[entry.account] in wanted.accounts,
            entry.category not in wanted.not_categories,
            entry.key not in wanted.not_merchants,
            entry.id not in wanted.not_ids,
            wanted.phrases is None or phrases[entry.id] in wanted.phrases,
            phrases[entry.id] not in wanted.not_phrases,
            wanted.at_least_minor is None or size >= wanted.at_least_minor,
            wanted.at_most_minor is None or size <= wanted.at_most_minor,
            wanted.currency in (None, entry.currency),
            wanted.sign is None or entry.minor * wanted.sign > 0,
        )
        return all(conditions)

    return [entry for entry in entries if fits(entry)]


def figures(entries: Sequence[Entry]) -> tuple[Any, ...]:
    """What the totals of some entries of one currency must say."""
    out = [-entry.minor for entry in entries if entry.minor < 0]
    into = [entry.minor for entry in entries if entry.minor > 0]
    days = [entry.day for entry in entries]
    return (
        len(entries), sum(out), len(out), sum(into), len(into), max(out, default=0), min(out, default=0), min(days), max(days),
    )  # fmt: skip


def added(sums: Sums) -> tuple[Any, ...]:
    return (sums.count, sums.out_minor, sums.out_count, sums.into_minor, sums.into_count)


def stated(totals: Totals) -> tuple[Any, ...]:
    return (*added(totals), totals.largest_out_minor, totals.smallest_out_minor, totals.first, totals.last)


def grouped(entries: Iterable[Entry], key: Callable[[Entry], Any]) -> dict[tuple[Any, str], tuple[Any, ...]]:
    found: dict[tuple[Any, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        found[key(entry), entry.currency].append(entry)
    return {group: figures(members) for group, members in found.items()}


GROUPS: dict[GroupBy, Callable[[Entry], str]] = {
    "category": lambda entry: entry.category,
    "merchant": lambda entry: entry.key,
    "account": lambda entry: entry.account,
    "month": lambda entry: entry.day.isoformat()[:7],
    "year": lambda entry: entry.day.isoformat()[:4],
    "weekday": lambda entry: str(entry.day.weekday()),
    "day": lambda entry: entry.day.isoformat(),
    "week": lambda entry: str(entry.day.toordinal() // 7),
    "currency": lambda entry: entry.currency,
}
ORDERS: dict[Order, Callable[[Entry], Any]] = {
    "newest": lambda entry: (-entry.day.toordinal(), -entry.id),
    "oldest": lambda entry: (entry.day, entry.id),
    "largest": lambda entry: (-abs(entry.minor), -entry.day.toordinal(), -entry.id),
    "smallest": lambda entry: (abs(entry.minor), -entry.day.toordinal(), -entry.id),
}


def test_every_grouping_and_order_is_compared():
    assert set(GROUPS) == set(get_args(GroupBy))
    assert set(ORDERS) == set(get_args(Order))


async def compare(store: Store, entries: list[Entry], wanted: Filter, by: GroupBy, order: Order, limit: int) -> None:
    """Check everything that is read of one filter; the ledger comes in two imports."""
    person = Person("memory", "home", uuid.uuid4().hex)
    repository, held = await write_entries(store, person, entries, imports=2)
    wanted = await placed(wanted, repository, held)
    expected = await matching(wanted, repository, held)
    totals = {("", each.currency): stated(each) for each in await repository.totals(wanted)}
    assert totals == grouped(expected, lambda _: "")
    groups = await repository.groups(wanted, by)
    start = wanted.period.start
    key = (lambda entry: str((entry.day - start).days // 7)) if by == "week" else GROUPS[by]
    by_group = {group: stated[:5] for group, stated in grouped(expected, key).items()}
    assert {(key_of(group, by), group.totals.currency): added(group.totals) for group in groups} == by_group
    spent = sorted(out - into for _, out, _, into, _ in by_group.values())
    for first, best in ((Ranked(limit, least=True), spent), (Ranked(limit), spent[::-1])):
        ranked = [group.totals.net_out_minor for group in await repository.groups(wanted, by, first)]
        assert sorted(ranked, reverse=not first.least)[:limit] == best[:limit]
    ordered = [entry.id for entry in sorted(expected, key=ORDERS[order])]
    assert [row.id for row in await repository.rows(wanted, order)] == ordered
    for offset in (0, 1):
        few = await repository.rows(wanted, order, limit, offset)
        assert [row.id for row in few] == ordered[offset : offset + limit]
    newest = sorted(expected, key=ORDERS["newest"])
    assert list(await repository.ids(wanted, limit)) == [entry.id for entry in newest[:limit]]
    vocabulary = await repository.vocabulary()
    assert (vocabulary.count, vocabulary.first, vocabulary.last) == (
        len(held), min(entry.day for entry in held), max(entry.day for entry in held),
    )  # fmt: skip
    assert sorted(vocabulary.merchants) == sorted({(entry.key, entry.merchant) for entry in held})
    assert sorted(vocabulary.categories) == sorted({entry.category for entry in held})


def key_of(group: Group, by: GroupBy) -> str:
    return group.label if by == "account" else group.key


asked = given(
    entries=ledgers(),
    wanted=filters,
    by=st.sampled_from(sorted(GROUPS)),
    order=st.sampled_from(sorted(ORDERS)),
    limit=st.integers(1, 6),
)


@DRAWN
@asked
async def test_kept_sums_say_what_the_rows_come_to(sqlite_store, entries, wanted, by, order, limit):
    await compare(sqlite_store, entries, wanted, by, order, limit)


@settings(DRAWN, max_examples=12)
@given(
    entries=ledgers(),
    wanted=st.builds(
        Filter,
        flow=st.none() | st.just(Flow.SPENDING),
        categories=some(CATEGORIES),
        merchants=some(KEYS),
        not_ids=st.lists(st.integers(0, 23), min_size=1, max_size=2, unique=True).map(tuple),
        currency=st.sampled_from([None, "USD", "EUR"]),
    ),
    by=st.sampled_from(sorted(GROUPS)),
)
async def test_what_is_left_out_one_by_one_is_all_that_is_missing(sqlite_store, entries, wanted, by):
    await compare(sqlite_store, entries, wanted, by, "newest", 3)


@pytest.mark.soak
@settings(DRAWN, max_examples=3000)
@asked
async def test_kept_sums_say_what_the_rows_come_to_in_thousands_of_ledgers(
    sqlite_store, entries, wanted, by, order, limit
):
    await compare(sqlite_store, entries, wanted, by, order, limit)


@settings(DRAWN, max_examples=6)
@asked
async def test_both_databases_say_the_same(store, entries, wanted, by, order, limit):
    await compare(store, entries, wanted, by, order, limit)


@asked
@settings(DRAWN, max_examples=3)
async def test_an_import_that_is_still_coming_in_changes_nothing(store, entries, wanted, by, order, limit):
    """Its rows are there, and counted or not; no reader of the ledger and no tool finds any of them."""
    repository, held = await write_entries(store, Person("memory", "home", uuid.uuid4().hex), entries[::2])
    wanted = await placed(wanted, repository, held)
    before = await everything(repository, wanted, by, order, limit)
    await write_entries(store, Person("memory", "home", "nobody"), entries, coming_into=repository)
    assert await everything(repository, wanted, by, order, limit) == before


#: What each public method of a ledger is called with.
READERS: dict[str, Callable[[Filter, GroupBy, Order, int], tuple[Any, ...]]] = {
    "totals": lambda wanted, by, order, limit: (wanted,),
    "groups": lambda wanted, by, order, limit: (wanted, by),
    "rows": lambda wanted, by, order, limit: (wanted, order, limit),
    "rows_of": lambda *_: (tuple(range(200)),),
    "refund_links": lambda *_: (tuple(range(200)),),
    "other_sides": lambda *_: (tuple(range(200)),),
    "sums_of_any": lambda wanted, by, order, limit: ((wanted, replace(wanted, sign=-1)),),
    "ids": lambda wanted, by, order, limit: (wanted, limit),
    "known": lambda *_: (),
    "vocabulary": lambda *_: (),
    "accounts": lambda *_: (),
    "books": lambda *_: (),
    "settings": lambda *_: (),
    "phrases": lambda *_: (),
}


def test_every_reader_of_a_ledger_is_tried():
    public = {name for name, what in vars(Repository).items() if not name.startswith("_") and callable(what)}
    assert READERS.keys() | {"vocabulary_within"} == public


async def everything(repository: Repository, *asked: Any) -> dict[str, str]:
    """What is said of a ledger, by every reader, every tool, the export and what is counted of imports."""
    found: dict[str, Any] = {}
    for name, arguments in READERS.items():
        said = await getattr(repository, name)(*arguments(*asked))
        found[name] = sorted(map(repr, said)) if isinstance(said, list) and name != "rows" else repr(said)
    async with repository.store.read() as connection:
        found["vocabulary_within"] = repr(await repository.vocabulary_within(connection))
    found["books everywhere"] = repr(await repository.books(everywhere=True))
    context = await tool_context(repository, NOW, no_index)
    for tool in Registry.built_in():
        for arguments in CALLS[tool.name]:
            checked = check_arguments(tool, arguments, context)
            result = await run_tool(tool, checked.arguments, context) if not checked.reason else checked.reason
            found[f"{tool.name} {arguments}"] = repr(replace(result, change=None) if is_dataclass(result) else result)
    found["export"] = repr(await export_rows(repository))
    found["holdings"] = repr(await count_holdings(repository))
    found["imports"] = repr(await recent_batches(repository, 9))
    found["rules"] = repr([await own_categories(repository, name) for name in MERCHANTS])
    return found


SHOPS = ("TRADER JOES 12", "COSTCO WHSE", "NETFLIX.COM", "PAYROLL ACME", "TRANSFER TO SAVINGS")


@st.composite
def statements(draw: st.DrawFn) -> tuple[str, bytes]:
    """A small file of one account; amounts are few, so that transfers find their other side."""
    line = st.tuples(
        st.dates(date(2025, 12, 20), date(2026, 2, 10)),
        st.sampled_from(SHOPS),
        st.sampled_from([-10_000, 10_000, -2_550, 2_550, -1]),
    )
    lines = draw(st.lists(line, min_size=1, max_size=12))
    text = "".join(f"{day.isoformat()},{shop},{minor / 100:.2f}\n" for day, shop, minor in lines)
    name = draw(st.sampled_from(["checking.csv", "savings.csv"]))
    return name, b"Date,Description,Amount (USD)\n" + text.encode()


changes = st.one_of(
    statements(),
    statements(),
    st.just("undo"),
    st.tuples(st.sampled_from(["Costco", "Trader Joe's", "Netflix"]), st.sampled_from(["Groceries", "Own", None])),
)


async def change(store: Store, steps: Sequence[Any]) -> None:
    """Check after each import, again and overlapping, undoing, pairs across imports, rules and their end."""
    repository = await store.repository(Person("memory", "home", uuid.uuid4().hex))
    for step in steps:
        if step == "undo":
            try:
                await undo_import(repository)
            except NothingToUndo:
                continue
        elif isinstance(step[1], bytes):
            await import_files(repository, [SourceFile(*step)])
        else:
            async with store.write() as connection:
                if step[1] is None:
                    await remove_rule(connection, repository, step[0])
                else:
                    await set_rule(connection, repository, *step)
        async with store.read() as connection:
            assert await connection.run_sync(differing) == 0
            kept = schema.sums.c
            batches = sa.select(schema.batches.c.id).where(schema.batches.c.undone_at.is_(None))
            stale = sa.select(sa.func.count()).where(kept.batch_id.not_in(batches))
            assert (await connection.execute(stale)).scalar_one() == 0


@settings(DRAWN, max_examples=6)
@given(steps=st.lists(changes, min_size=1, max_size=6))
async def test_whatever_changes_rows_keeps_the_sums(store, steps):
    await change(store, steps)


@pytest.mark.soak
@settings(DRAWN, max_examples=400)
@given(steps=st.lists(changes, min_size=1, max_size=6))
async def test_whatever_changes_rows_keeps_the_sums_hundreds_of_times(sqlite_store, steps):
    await change(sqlite_store, steps)


async def test_a_step_of_an_import_reads_only_its_own_rows(sqlite_store, alice):
    """However many rows the ledger has; each step would otherwise take as long as all of it."""
    statements: list[tuple[str, Any]] = []
    ledger_id = (await sqlite_store.membership(alice)).ledger_id

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT") and "transactions" in statement:
            statements.append((statement, parameters))

    def explain(connection: sa.Connection) -> list[set[str]]:
        planned = ((f"EXPLAIN QUERY PLAN {statement}", parameters) for statement, parameters in tuple(statements))
        return [{row[3] for row in connection.exec_driver_sql(*each)} for each in planned]

    async with sqlite_store.write() as connection:
        sa.event.listen(sa.Engine, "before_cursor_execute", note)
        try:
            await sums.counted(connection, ledger_id, 1, 100, 150)
        finally:
            sa.event.remove(sa.Engine, "before_cursor_execute", note)
        plans = await connection.run_sync(explain)
    assert plans
    assert all("SEARCH transactions USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)" in plan for plan in plans)


async def test_damaged_sums_are_found_and_mended(store, alice):
    await write_entries(store, alice, [Entry(FIRST, -100), Entry(LAST, 250, kind="refund")])
    async with store.write() as connection:
        await connection.execute(schema.sums.update().where(schema.sums.c.sign < 0).values(minor=99))
        assert await connection.run_sync(differing) > 0
        assert await connection.run_sync(sums.astray)
        await connection.run_sync(sums.rebuild_all)
        assert await connection.run_sync(differing) == 0
        assert not await connection.run_sync(sums.astray)
