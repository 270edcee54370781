"""A filter as SQL keeps just the rows that it says, whatever conditions meet."""

from __future__ import annotations

import sqlite3
from datetime import date

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import schema
from ledger.filters import Filter, conditions
from ledger.periods import Period
from ledger.transactions import Flow, Kind
from ledger.visibility import shows

LEDGER = 7
#: An import that is still coming in.
HIDDEN = 2
names = st.lists(st.sampled_from(["a", "b"]), max_size=2, unique=True).map(tuple)
numbers = st.lists(st.integers(1, 3), max_size=2, unique=True).map(tuple)
days = st.dates(date(2026, 1, 1), date(2026, 1, 14))
bounds = st.none() | st.integers(0, 4)


@st.composite
def periods(draw: st.DrawFn) -> Period:
    one, other = sorted((draw(days | st.just(date.min)), draw(days | st.just(date.max))))
    return Period(one, other, weekdays=draw(st.sampled_from([(), (5, 6), (0,)])))


filters = st.builds(
    Filter,
    period=periods(),
    flow=st.none() | st.sampled_from(Flow),
    kinds=st.lists(st.sampled_from([Kind.PURCHASE, Kind.FEE]), max_size=2, unique=True).map(tuple),
    categories=names,
    merchants=names,
    accounts=numbers,
    not_categories=names,
    not_merchants=names,
    not_ids=numbers,
    phrases=st.none() | numbers,
    at_least_minor=bounds,
    at_most_minor=bounds,
    currency=st.sampled_from([None, "USD", "EUR"]),
    sign=st.sampled_from([None, -1, 1]),
)
rows = st.fixed_dictionaries(
    {
        "ledger_id": st.sampled_from([LEDGER, LEDGER, LEDGER, 8]),
        "booked_on": days,
        "amount_minor": st.integers(-5, 5),
        "currency": st.sampled_from(["USD", "EUR"]),
        "category": st.sampled_from("ab"),
        "merchant_key": st.sampled_from("ab"),
        "account_id": st.integers(1, 3),
        "phrase_id": st.integers(1, 3),
        "batch_id": st.sampled_from([1, 1, HIDDEN]),
        "kind": st.sampled_from(["purchase", "fee", "income"]),
        "flow": st.sampled_from(list(Flow)).map(lambda flow: flow.value),
    }
)


def kept(row: dict, wanted: Filter) -> bool:
    """The filter's docstring, line by line."""
    size = abs(row["amount_minor"])
    return all(
        (
            row["ledger_id"] == LEDGER,
            row["batch_id"] != HIDDEN,
            wanted.period.start <= row["booked_on"] <= wanted.period.end,
            not wanted.period.weekdays or row["booked_on"].weekday() in wanted.period.weekdays,
            wanted.flow is None or row["flow"] == wanted.flow.value,
            not wanted.kinds or row["kind"] in {kind.value for kind in wanted.kinds},
            not wanted.categories or row["category"] in wanted.categories,
            not wanted.merchants or row["merchant_key"] in wanted.merchants,
            not wanted.accounts or row["account_id"] in wanted.accounts,
            row["category"] not in wanted.not_categories,
            row["merchant_key"] not in wanted.not_merchants,
            row["id"] not in wanted.not_ids,
            wanted.phrases is None or row["phrase_id"] in wanted.phrases,
            row["phrase_id"] not in wanted.not_phrases,
            wanted.at_least_minor is None or size >= wanted.at_least_minor,
            wanted.at_most_minor is None or size <= wanted.at_most_minor,
            wanted.currency is None or row["currency"] == wanted.currency,
            wanted.sign is None or row["amount_minor"] * wanted.sign > 0,
        )
    )


@pytest.fixture(scope="module")
def engine():
    made = sa.create_engine("sqlite://", poolclass=sa.pool.StaticPool)
    for table in (schema.transactions, schema.batches):
        columns = [sa.Column(c.name, c.type) for c in table.columns]
        sa.Table(table.name, sa.MetaData(), *columns).create(made)
    with made.begin() as connection:
        connection.execute(sa.text(f"INSERT INTO batches (id, ledger_id) VALUES ({HIDDEN}, {LEDGER})"))
    yield made
    made.dispose()


@settings(deadline=None, max_examples=300)
@given(drawn=st.lists(rows, max_size=12), wanted=filters)
def test_rows_that_are_kept(engine, drawn, wanted):
    stated = [{**row, "id": number} for number, row in enumerate(drawn, start=1)]
    texts = [
        {**row, "booked_on": row["booked_on"].isoformat(), "weekday": row["booked_on"].weekday()} for row in stated
    ]
    with engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM transactions"))
        for row in texts:
            names = ", ".join(row)
            connection.execute(sa.text(f"INSERT INTO transactions ({names}) VALUES (:{', :'.join(row)})"), row)
        found = (
            connection.execute(sa.select(schema.transactions.c.id).where(*conditions(wanted, LEDGER))).scalars().all()
        )
    assert sorted(found) == [row["id"] for row in stated if kept(row, wanted)]


def test_the_ledger_always_comes_first():
    first, *rest = conditions(Filter(), 3)
    assert str(first.compile(compile_kwargs={"literal_binds": True})) == "transactions.ledger_id = 3"
    assert [str(each) for each in rest] == [str(shows(3))]


def test_sqlite_takes_as_many_names_as_a_search_may_find():
    """``phrases`` may hold tens of thousands of ids."""
    with sqlite3.connect(":memory:") as connection:
        assert connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER) > 31_000
    connection.close()
