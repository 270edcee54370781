"""Lists and searches: sums are over all rows that match, and only what is shown is cut."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import KINDS, Entry, ledgers, todays
from tests.unit.tools.apps.naive import (
    FEW,
    Asked,
    bought,
    check_empty,
    in_scope,
    limits,
    most_used,
    net,
    of,
    refunded,
    spans,
    totals_stated,
    value,
)

DAY = date(2026, 10, 3)
NARROWER = ("category", "merchant", "account", "over", "under", "exclude", "exclude_largest")
ORDERS = {
    "newest": lambda e: (-e.day.toordinal(), -e.id),
    "oldest": lambda e: (e.day.toordinal(), e.id),
    "largest": lambda e: (-abs(e.minor), -e.day.toordinal(), -e.id),
    "smallest": lambda e: (abs(e.minor), -e.day.toordinal(), -e.id),
}


async def check_listing(resident, result, scope: list[Entry], shown: list[Entry]) -> None:
    assert totals_stated(result) == {currency: abs(net(of(currency, scope))) for currency in most_used(scope)}
    main = of(most_used(scope)[0], scope)
    assert (value(result, "out"), value(result, "into")) == (net(bought(main)), -net(refunded(main)))
    assert value(result, "count") == len(scope)
    rows = [(row[0], row[1], row[2], row[3], row[4].amount_minor, row[4].currency) for row in result.table.rows]
    assert rows == [(e.day, e.merchant, e.category, e.account, e.minor, e.currency) for e in shown]
    assert [f.value for f in result.facts if f.id == "shown"] == ([len(shown)] if len(shown) < len(scope) else [])
    (behind,) = await resident.behind(result)
    assert sorted(e.id for e in behind) == sorted(e.id for e in scope)


@FEW
@given(data=st.data(), entries=ledgers(), today=todays, limit=st.integers(1, 30))
@pytest.mark.parametrize("sort", sorted(ORDERS))
async def test_lists(house, data, entries, today, sort, limit):
    given_days, days = data.draw(spans(today))
    kind = data.draw(st.none() | st.sampled_from(KINDS))
    arguments = {**given_days, **data.draw(limits(entries, *NARROWER)), **({"kind": kind} if kind else {})}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("transactions-list", sort=sort, limit=limit, **arguments)
    scope = in_scope(resident.entries, asked, None)
    if not scope:
        check_empty(result, resident.entries, asked, None)
        return
    # sizes of several currencies don't compare; their order among each other is left open
    if sort in ("newest", "oldest") or len(most_used(scope)) == 1:
        await check_listing(resident, result, scope, sorted(scope, key=ORDERS[sort])[:limit])


@FEW
@given(data=st.data(), entries=ledgers(), today=todays, limit=st.integers(1, 30))
@pytest.mark.parametrize("word", ["costco", "COSTCO", "zalando", "netto markt", "electronics"])
async def test_searches_by_words(house, data, entries, today, word, limit):
    given_days, days = data.draw(spans(today))
    arguments = {**given_days, **data.draw(limits(entries, "over", "under"))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("transactions-search_transactions", query=word, limit=limit, **arguments)
    found = [e for e in resident.entries if word.casefold() in f"{e.merchant} {e.category}".casefold()]
    ids = {e.id for e in found}
    scope = [e for e in in_scope(resident.entries, asked, None) if e.id in ids]
    if not scope:
        assert (result.kind, result.fact("total").value) == ("empty", 0)
        return
    await check_listing(resident, result, scope, sorted(scope, key=ORDERS["newest"])[:limit])


async def test_a_search_sums_everything_that_holds_the_word(house):
    """Bank texts carry numbers, so one shop may come under hundreds of distinct strings."""
    names = [f"Amazon {''.join(chr(97 + int(digit)) for digit in f'{n:03}')}" for n in range(120)]
    entries = [Entry(DAY, -100, merchant="Costco", description=name) for name in names]
    resident = await house.move_in([*entries, Entry(DAY, -99_999, merchant="Zalando")], DAY)
    result = await resident.run("transactions-search_transactions", query="amazon")
    assert (value(result, "count"), value(result, "total")) == (120, Decimal("120.00"))


async def test_a_search_for_what_is_not_there(house):
    resident = await house.move_in([Entry(DAY, -100)], DAY)
    result = await resident.run("transactions-search_transactions", query="zeppelin")
    assert (result.kind, value(result, "total")) == ("empty", 0)
    assert all(fact.id != "out" for fact in result.facts)


async def test_a_bound_of_a_currency_without_cents(house):
    entries = [Entry(DAY, -minor, "JPY") for minor in (10, 11, 12)]
    resident = await house.move_in(entries, DAY)
    over = await resident.run("transactions-list", over="11.5")
    under = await resident.run("transactions-list", under="10.5")
    assert (totals_stated(over), totals_stated(under)) == ({"JPY": 12}, {"JPY": 10})
