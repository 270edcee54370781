"""What a question touches of a ledger: a limit of time, of rows or of strings is one of the search, not of what was found."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, get_args

import pytest
import sqlalchemy as sa

from ledger import repository as repositories
from ledger.filters import Filter, GroupBy
from ledger.periods import Period
from tests.drawn_ledgers import FIRST, LAST, Entry, write_entries
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
WEEK = Period(date(2026, 3, 3), date(2026, 3, 9))

#: The first and the last day of a ledger are one look each at the ends of an index.
_EXTENT = "SELECT (SELECT min(transactions.booked_on)"


@pytest.fixture
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Every statement that SQLite is given, with its parameters."""
    found: list[tuple[str, Any]] = []

    def keep(_connection: Any, _cursor: Any, text: str, parameters: Any, *_: Any) -> None:
        found.append((text, parameters))

    sa.event.listen(sa.Engine, "before_cursor_execute", keep)
    yield found
    sa.event.remove(sa.Engine, "before_cursor_execute", keep)


async def whole_ledgers(store: Any, statements: list[tuple[str, Any]]) -> list[str]:
    """Return the plans that go through all rows of a ledger."""
    plans = []
    async with store.read() as connection:
        for text, parameters in list(statements):
            if "FROM transactions" in text and _EXTENT not in text:
                explained = await connection.run_sync(
                    lambda c, text=text, parameters=parameters: c.exec_driver_sql(
                        f"EXPLAIN QUERY PLAN {text}", parameters
                    ).all()
                )
                plans += [f"{row[3]}: {text}" for row in explained if "transactions" in row[3]]
    return [plan for plan in plans if "(ledger_id=?)" in plan or plan.startswith("SCAN")]


@pytest.mark.parametrize("by", get_args(GroupBy))
@pytest.mark.parametrize(
    "wanted", [Filter(period=WEEK), Filter(period=WEEK, currency="USD"), Filter(period=WEEK, categories=("Rent",))]
)
async def test_groups_of_a_week_are_read_from_its_rows(sqlite_store, alice, statements, by, wanted):
    ledger, _ = await write_entries(sqlite_store, alice, [Entry(FIRST, -100), Entry(WEEK.start, -5), Entry(LAST, -1)])
    statements.clear()
    assert sum(group.totals.count for group in await ledger.groups(wanted, by)) == (not wanted.categories)
    assert await whole_ledgers(sqlite_store, statements) == []


async def test_rows_that_are_left_out_are_found_by_their_ids(sqlite_store, alice, statements):
    ledger, held = await write_entries(sqlite_store, alice, [Entry(FIRST, -100), Entry(LAST, -1)])
    statements.clear()
    assert [each.count for each in await ledger.totals(Filter(period=WEEK, not_ids=(held[0].id,)))] == []
    assert await whole_ledgers(sqlite_store, statements) == []


async def test_rows_of_a_search_are_found_by_its_strings(sqlite_store, alice, statements):
    ledger, held = await write_entries(sqlite_store, alice, [Entry(FIRST, -100), Entry(LAST, -1, merchant="Zalando")])
    phrases = tuple(point for point, text in await ledger.phrases() if "zalando" in text.casefold())
    statements.clear()
    found = await ledger.rows(Filter(phrases=phrases), "newest", 10)
    assert [row.id for row in found] == [held[1].id]
    assert await whole_ledgers(sqlite_store, statements) == []


async def test_a_tool_reads_no_names_that_its_turn_has_read(sqlite_store, alice, monkeypatch):
    ledger, _ = await write_entries(sqlite_store, alice, [Entry(FIRST, -100), Entry(LAST, -1, merchant="Zalando")])
    context = await tool_context(ledger, NOW, None)

    tool = next(each for each in Registry.built_in() if each.name == "spending-extremes")

    def read(*_: Any) -> None:
        pytest.fail("the names were read again")

    monkeypatch.setattr(repositories.Repository, "_read_vocabulary", read)
    result = await run_tool(tool, {"measure": "top"}, context)
    assert "Zalando" in repr(result)
