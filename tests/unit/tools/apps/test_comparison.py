"""Comparisons: each side is what it is alone, differences and changes are of what is shown."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import Entry, ledgers, month_end, todays
from tests.unit.tools.apps.naive import (
    DRAWN,
    FEW,
    Asked,
    bought,
    in_scope,
    limits,
    most_used,
    names_in,
    net,
    of,
    share,
    spans,
    value,
)

TODAY = date(2026, 11, 21)
NARROWER = ("account", "over", "under", "exclude", "exclude_largest")


async def check_sides(resident, result, scopes: list[list[Entry]]) -> None:
    """Hold both sides, their difference and their change against the rows of each, in one currency."""
    stated = [f for f in result.facts if f.id in ("side_1_total", "side_2_total")]
    if not any(scopes):
        assert (result.kind, stated) == ("empty", [])
        return
    ledger = most_used(resident.entries)
    both = [e for scope in scopes for e in scope]
    currency = ledger[0] if of(ledger[0], both) else most_used(both)[0]
    sides = [of(currency, scope) for scope in scopes]
    assert [(f.value, f.currency) for f in stated] == [(net(side), currency) for side in sides]
    assert [f.value for f in result.facts if f.id.endswith("_count")] == [len(bought(side)) for side in sides]
    first, second = net(sides[0]), net(sides[1])
    assert (value(result, "difference"), result.fact("difference").currency) == (abs(first - second), currency)
    change = [f.value for f in result.facts if f.id == "change"]
    assert change == ([share(first - second, second)] if second > 0 else [])
    words = {"more": first > second, "less": first < second, "The same": first == second}
    assert {word for word in words if word in result.headline} == {word for word, holds in words.items() if holds}
    behind = await resident.behind(result)
    assert [sorted(e.id for e in side) for side in behind] == [sorted(e.id for e in scope) for scope in scopes]
    others = {(f.currency, f.value) for f in result.facts if f.unit == "money" and f.currency != currency}
    assert others == {(c, net(of(c, s))) for s in scopes for c in most_used(s) if c != currency}


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays)
async def test_two_months(house, data, entries, today):
    """Finished months are compared whole; of the other month of an unfinished one, as many days count."""
    starts = st.dates(date(2025, 10, 1), today).map(lambda day: day.replace(day=1))
    months = data.draw(st.lists(starts, min_size=2, max_size=2, unique=True))
    arguments = data.draw(limits(entries, "category", "merchant", *NARROWER))
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-compare", periods=[f"{month:%B %Y}" for month in months], **arguments)
    days = [(start, month_end(start)) for start in months]
    if any(start <= today <= end for start, end in days):
        gone = (today - today.replace(day=1)).days
        days = [(start, min(end, start + timedelta(gone))) for start, end in days]
    await check_sides(resident, result, [in_scope(resident.entries, Asked(arguments, each)) for each in days])


@FEW
@given(data=st.data(), entries=ledgers(), today=todays)
@pytest.mark.parametrize("column", ["category", "merchant"])
async def test_two_names(house, data, entries, today, column):
    names = names_in(entries, column)
    if len(names) < 2:
        return
    pair = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    given_days, days = data.draw(spans(today))
    arguments = {**given_days, **data.draw(limits(entries, *NARROWER))}
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-compare", **{column: pair}, **arguments)
    sides = [in_scope(resident.entries, Asked({**arguments, column: name}, days)) for name in pair]
    await check_sides(resident, result, sides)


@pytest.mark.parametrize(
    ("periods", "days"),
    [
        (["this month", "last month"], [(11, 1, 21), (10, 1, 21)]),
        (["last month", "this month"], [(10, 1, 21), (11, 1, 21)]),
        (["November 2026", "October 2026"], [(11, 1, 21), (10, 1, 21)]),
        (["this month"], [(11, 1, 21), (10, 1, 21)]),
        ([], [(11, 1, 21), (10, 1, 21)]),
        (["September 2026", "October 2026"], [(9, 1, 30), (10, 1, 31)]),
        (["October 2026"], [(10, 1, 31), (9, 1, 30)]),
    ],
)
async def test_an_unfinished_month_is_compared_with_the_same_days(house, periods, days):
    """One dollar on every day of 2026, so sums are numbers of days."""
    entries = [Entry(date(2026, 1, 1) + timedelta(n), -100) for n in range(365)]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-compare", periods=periods)
    assert [value(result, f"side_{n}_total") for n in (1, 2)] == [last - first + 1 for _, first, last in days]
    behind = await resident.behind(result)
    assert [(s[-1].day, s[0].day) for s in behind] == [(date(2026, m, a), date(2026, m, z)) for m, a, z in days]


async def test_years_are_compared_up_to_the_same_date(house):
    entries = [Entry(date(2025, 1, 1) + timedelta(n), -100) for n in range(730)]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-compare", periods=["2026", "2025"])
    assert value(result, "side_1_total") == value(result, "side_2_total") == 325
    assert any("same days" in note for note in result.notes)


async def test_the_largest_is_left_out_of_each_side(house):
    entries = [
        Entry(date(2026, month, day), -minor)
        for month, day, minor in [(9, 1, 900), (9, 2, 100), (10, 1, 700), (10, 2, 50)]
    ]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-compare", periods=["September 2026", "October 2026"], exclude_largest=1)
    assert [value(result, f"side_{n}_total") for n in (1, 2)] == [Decimal("1.00"), Decimal("0.50")]


async def test_two_currencies_are_never_subtracted(house):
    day = date(2026, 10, 1)
    entries = [Entry(day, -1000), Entry(day, -100), Entry(day, -300, "EUR", merchant="Zalando")]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-compare", merchant=["Costco", "Zalando"])
    assert value(result, "side_1_total") == Decimal("11.00")
    assert value(result, "difference") == Decimal("11.00")
    assert [(f.value, f.currency) for f in result.facts if f.currency == "EUR"] == [(Decimal("3.00"), "EUR")]
    assert any("{side_2_total_eur}" in note for note in result.notes)


async def test_more_than_two_sides_are_each_shown(house):
    day = date(2026, 10, 1)
    entries = [
        Entry(day, -100, merchant="Costco"),
        Entry(day, -200, merchant="Zalando"),
        Entry(day, -400, merchant="7 & Co"),
    ]
    resident = await house.move_in(entries, TODAY)
    result = await resident.run("spending-compare", merchant=["Costco", "Zalando", "7 & Co"])
    assert [value(result, f"side_{n}_total") for n in (1, 2, 3)] == [1, 2, 4]
