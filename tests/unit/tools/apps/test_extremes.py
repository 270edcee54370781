"""The largest, the first, how many, how often, the average and the top few, against plain arithmetic."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import Entry, ledgers, todays
from tests.unit.tools.apps.naive import (
    DRAWN,
    FEW,
    Asked,
    bought,
    check_empty,
    clipped,
    divided,
    full_intervals,
    grouped,
    in_scope,
    largest,
    limits,
    most_used,
    net,
    of,
    share,
    spans,
    totals_stated,
    value,
    within,
)

DAY = date(2026, 10, 3)
NARROWER = ("category", "merchant", "account", "over", "under", "exclude", "exclude_largest")
GROUPS = {
    "merchant": lambda entry: entry.merchant,
    "category": lambda entry: entry.category,
    "month": lambda entry: f"{entry.day:%B %Y}",
    "day": lambda entry: entry.day.isoformat(),
}


@FEW
@given(data=st.data(), entries=ledgers(), today=todays, limit=st.none() | st.integers(1, 6))
@pytest.mark.parametrize("measure", ["largest", "smallest", "first", "last", "top"])
async def test_single_purchases(house, data, entries, today, measure, limit):
    given_days, days = data.draw(spans(today))
    arguments = {**given_days, **data.draw(limits(entries, *NARROWER))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    by = {"by": "purchase"} if measure == "top" else {}
    listed = {"limit": limit} if limit else {}
    result = await resident.run("spending-extremes", measure=measure, **by, **listed, **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    number = limit or (5 if measure == "top" else 1)
    of_any = number == 1 and measure in ("first", "last")
    paid = bought(scope if of_any else of(most_used(scope)[0], scope))
    if not paid:
        assert result.kind == "empty"
        return
    orders = {
        "largest": largest(paid),
        "top": largest(paid),
        "smallest": sorted(paid, key=lambda e: (-e.minor, -e.day.toordinal(), -e.id)),
        "first": sorted(paid, key=lambda e: (e.day, e.id)),
        "last": sorted(paid, key=lambda e: (e.day, e.id), reverse=True),
    }
    wanted = orders[measure][:number]
    assert [fact.value for fact in result.facts if fact.id.startswith("amount")] == [-e.amount for e in wanted]
    assert value(result, "date") == wanted[0].day
    assert [(row[0], row[1], row[4].amount) for row in result.table.rows] == [
        (e.day, e.merchant, e.amount) for e in wanted
    ]
    if len(wanted) > 1:
        assert totals_stated(result) == {wanted[0].currency: net(wanted)}
        assert value(result, "count") == len(wanted)
    (behind,) = await resident.behind(result)
    assert sorted(e.id for e in behind) == sorted(e.id for e in scope)
    others = [e for e in orders[measure][number:] if e.minor == wanted[-1].minor]
    tied = bool(others) and measure in ("largest", "smallest", "top")
    assert any("same size" in note for note in result.notes) == tied


@FEW
@given(data=st.data(), entries=ledgers(), today=todays)
@pytest.mark.parametrize("measure", ["count", "how_often"])
async def test_how_many_and_how_often(house, data, entries, today, measure):
    given_days, days = data.draw(spans(today))
    arguments = {**given_days, **data.draw(limits(entries, *NARROWER))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-extremes", measure=measure, **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    paid = bought(scope)
    assert value(result, "count") == len(paid)
    assert totals_stated(result) == {currency: net(of(currency, scope)) for currency in most_used(scope)}
    if paid:
        first, last = min(e.day for e in paid), max(e.day for e in paid)
        assert (value(result, "first"), value(result, "last")) == (first, last)
    if measure == "how_often" and len(paid) > 1:
        gap = Fraction((last - first).days, len(paid) - 1)
        start, end = clipped(days, entries, today)
        monthly = Fraction(len(paid)) * Fraction("30.4375") / ((end - start).days + 1)
        assert value(result, "every") == Decimal(round(gap * 10)) / 10
        assert value(result, "monthly") == Decimal(round(monthly * 10)) / 10


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays, per=st.sampled_from([None, "day", "week", "month", "year"]))
async def test_averages(house, data, entries, today, per):
    given_days, days = data.draw(spans(today))
    asked = Asked({**given_days, **data.draw(limits(entries, "category", "merchant"))}, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-extremes", measure="average", per=per, **asked.arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    currency = most_used(scope)[0]
    main = of(currency, scope)
    intervals = full_intervals(clipped(days, entries, today), per, today) if per else []
    if intervals:
        sums = [net(e for e in main if within(e, interval)) for interval in intervals]
        assert value(result, "per_interval") == divided(sum(sums, Decimal(0)), len(sums), currency)
    elif bought(main):
        paid = -sum(e.amount for e in bought(main))
        assert value(result, "average") == divided(paid, len(bought(main)), currency)
        assert "{average}" in result.headline
    else:
        assert result.kind == "empty"
    assert len({fact.id for fact in result.facts}) == len(result.facts)


@FEW
@given(data=st.data(), entries=ledgers(), today=todays, limit=st.none() | st.integers(1, 8))
@pytest.mark.parametrize("by", sorted(GROUPS))
async def test_ranks_are_over_everything_in_scope(house, data, entries, today, by, limit):
    given_days, days = data.draw(spans(today))
    measure = data.draw(st.sampled_from(["top", "largest", "smallest"]))
    arguments = {**given_days, **data.draw(limits(entries, "category", "account", "exclude"))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    listed = {"limit": limit} if limit else {}
    result = await resident.run("spending-extremes", measure=measure, by=by, **listed, **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    main = of(most_used(scope)[0], scope)
    groups = grouped(main, GROUPS[by])
    sums = sorted((net(rows) for rows in groups.values()), reverse=measure != "smallest")[: limit or 5]
    stated = [f for f in result.facts if f.id.removeprefix("top_").isdigit()]
    assert [f.value for f in stated] == sums
    if by != "day":
        assert all(f.value == net(groups[f.subject]) for f in stated)
        counts = [f for f in result.facts if f.id.endswith("_count")]
        assert all(f.value == len(bought(groups[f.subject])) for f in counts)
    assert totals_stated(result) == {currency: net(of(currency, scope)) for currency in most_used(scope)}
    shares = [f.value for f in result.facts if f.id == "top_share"]
    assert shares == ([share(sums[0], net(main))] if net(main) > 0 else [])
    assert sum((row[1].amount for row in result.table.rows), Decimal(0)) == sum(sums)


async def test_a_refund_is_no_visit(house):
    """Two purchases ten days apart, and a refund a month later: every ten days, the last on the 11th."""
    entries = [
        Entry(date(2026, 10, 1), -1000),
        Entry(date(2026, 10, 11), -1000),
        Entry(date(2026, 11, 11), 300, kind="refund"),
    ]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("spending-extremes", measure="how_often", merchant="Costco")
    assert (value(result, "every"), value(result, "last")) == (Decimal("10.0"), date(2026, 10, 11))


async def test_the_last_visit_counts_in_whatever_currency(house):
    entries = [Entry(DAY, -1000), Entry(DAY, -1000), Entry(date(2026, 10, 9), -1000, "EUR")]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("spending-extremes", measure="last", merchant="Costco")
    assert (value(result, "date"), result.fact("amount").currency) == (date(2026, 10, 9), "EUR")


async def test_sizes_of_two_currencies_are_not_ranked_together(house):
    """900 yen are 900 minor units, 8.00 dollars 800: that makes them no larger."""
    resident = await house.move_in([Entry(DAY, -800), Entry(DAY, -700), Entry(DAY, -900, "JPY")], DAY)
    result = await resident.run("spending-extremes", measure="largest")
    assert (value(result, "amount"), result.fact("amount").currency) == (Decimal("8.00"), "USD")
    rest = await resident.run("spending-get_spending_summary", period="October 2026", exclude_largest=1)
    assert totals_stated(rest) == {"USD": Decimal("7.00"), "JPY": Decimal(900)}
