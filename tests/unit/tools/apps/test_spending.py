"""Category and merchant questions and the summary give what plain arithmetic over the drawn rows gives."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawn_ledgers import Entry, ledgers, todays
from tests.unit.tools.apps.naive import (
    DRAWN,
    PHRASES,
    Asked,
    bought,
    check_empty,
    clipped,
    divided,
    full_intervals,
    grouped,
    in_scope,
    limits,
    most_used,
    names_in,
    net,
    of,
    one_or_more,
    refunded,
    share,
    spans,
    totals_stated,
    value,
    within,
)

DAY = date(2026, 10, 3)
NARROWER = ("account", "over", "under", "exclude", "exclude_largest")


async def check_figures(resident: Any, result: Any, scope: list[Entry]) -> None:
    """Hold the figures that every spending answer states against the rows in scope."""
    main = most_used(scope)[0]
    assert totals_stated(result) == {currency: net(of(currency, scope)) for currency in most_used(scope)}
    (behind,) = await resident.behind(result)
    assert sorted(entry.id for entry in behind) == sorted(entry.id for entry in scope)
    assert value(result, "count") == len(bought(scope))
    paid = [-entry.amount for entry in bought(of(main, scope))]
    if paid:
        assert value(result, "smallest") == min(paid)
        assert value(result, "largest") == max(paid)
        assert value(result, "average") == divided(sum(paid, Decimal(0)), len(paid), main)
    back = refunded(of(main, scope))
    assert [f.value for f in result.facts if f.id == "refund_count"] == ([len(back)] if back else [])
    assert ("1 refund of {refunds} taken off" in result.notes) == (len(back) == 1)
    assert [f.value for f in result.facts if f.id == "refunds"] == ([-net(back)] if back else [])


def check_groups(result: Any, scope: list[Entry], name: str, key: Any) -> None:
    """Hold groups against the rows of the main currency, and their sum against the total."""
    main = of(most_used(scope)[0], scope)
    groups = {label: net(rows) for label, rows in grouped(main, key).items()}
    stated = [f for f in result.facts if f.id.removeprefix(f"{name}_").isdigit()]
    assert {f.subject: f.value for f in stated} == groups
    assert sum((f.value for f in stated), Decimal(0)) == value(result, "total")
    if name != "month":
        assert [f.value for f in stated] == sorted(groups.values(), reverse=True)
    shares = {f.subject: f.value for f in result.facts if f.id.endswith("_share") and f.id.startswith(name)}
    whole = net(main)
    assert shares == ({label: share(part, whole) for label, part in groups.items()} if whole > 0 else {})


async def check_average(result: Any, entries: list[Entry], asked: Asked, per: str, today: date) -> None:
    """Averages divide by full intervals, empty ones included; the unfinished one is left out."""
    scope = in_scope(entries, asked)
    main = most_used(scope)[0]
    intervals = full_intervals(clipped(asked.days, entries, today), per, today)
    if not intervals:
        assert not any(fact.id == "per_interval" for fact in result.facts)
        return
    sums = [net(entry for entry in of(main, scope) if within(entry, interval)) for interval in intervals]
    assert value(result, "intervals") == len(intervals)
    assert value(result, "interval_total") == sum(sums)
    assert value(result, "per_interval") == divided(sum(sums, Decimal(0)), len(sums), main)
    assert [row[1].amount for row in result.table.rows] == sums


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays)
async def test_spending_in_categories(house, data, entries, today):
    given_days, days = data.draw(spans(today))
    category = data.draw(one_or_more(names_in(entries, "category")))
    arguments = {"category": category, **given_days, **data.draw(limits(entries, "merchant", *NARROWER))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-analyze_by_category", **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    await check_figures(resident, result, scope)
    by = "merchant" if isinstance(category, str) else "category"
    check_groups(result, scope, by, lambda entry: getattr(entry, by))


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays)
async def test_spending_at_merchants(house, data, entries, today):
    given_days, days = data.draw(spans(today))
    merchant = data.draw(one_or_more(names_in(entries, "merchant")))
    by_category = data.draw(st.booleans())
    arguments = {"merchant": merchant, **given_days, **data.draw(limits(entries, "category", *NARROWER))}
    asked = Asked(arguments, days)
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-analyze_merchant", group_by_category=by_category, **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    await check_figures(resident, result, scope)
    if by_category:
        check_groups(result, scope, "category", lambda entry: entry.category)
    elif isinstance(merchant, list):
        check_groups(result, scope, "merchant", lambda entry: entry.merchant)
    else:
        check_groups(result, scope, "month", lambda entry: f"{entry.day:%B %Y}")


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays)
async def test_summary_of_a_period(house, data, entries, today):
    phrase = data.draw(st.sampled_from(sorted(PHRASES)))
    arguments = data.draw(limits(entries, *NARROWER))
    asked = Asked(arguments, PHRASES[phrase](today))
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-get_spending_summary", period=phrase, **arguments)
    scope = in_scope(resident.entries, asked)
    if not scope:
        check_empty(result, resident.entries, asked)
        return
    await check_figures(resident, result, scope)
    check_groups(result, scope, "category", lambda entry: entry.category)
    main = most_used(scope)[0]
    start, end = clipped(asked.days, entries, today)
    days = (end - start).days + 1
    assert value(result, "days") == days
    assert value(result, "daily_average") == divided(net(of(main, scope)), days, main)
    left_out = len(in_scope(resident.entries, asked, "neither"))
    assert value(result, "left_out") == left_out
    assert ("1 transfer or card payment left out" in result.notes) == (left_out == 1)
    top = [f.value for f in result.facts if f.id.startswith("merchant_")]
    by_merchant = grouped(of(main, scope), lambda entry: entry.merchant).values()
    assert top == sorted((net(rows) for rows in by_merchant), reverse=True)[:5]


@DRAWN
@given(data=st.data(), entries=ledgers(), today=todays, per=st.sampled_from(["day", "week", "month", "year"]))
async def test_averages_divide_by_full_intervals(house, data, entries, today, per):
    phrase = data.draw(st.sampled_from(sorted(PHRASES)))
    asked = Asked({}, PHRASES[phrase](today))
    resident = await house.move_in(entries, today)
    result = await resident.run("spending-get_spending_summary", period=phrase, per=per)
    if in_scope(resident.entries, asked):
        await check_average(result, resident.entries, asked, per, today)


async def test_months_without_purchases_count_and_the_unfinished_one_does_not(house):
    """January 90.00, November (unfinished) 500.00: 9.00 a month over ten months."""
    entries = [Entry(date(2026, 1, 7), -9000), Entry(date(2026, 11, 2), -50000)]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("spending-analyze_by_category", category="Groceries", per="month")
    assert (value(result, "intervals"), value(result, "per_interval")) == (10, Decimal("9.00"))
    assert value(result, "total") == Decimal("590.00")


async def test_the_largest_that_is_excluded_is_a_purchase_and_no_transfer(house):
    entries = [
        Entry(date(2026, 10, 1), -100),
        Entry(date(2026, 10, 2), -100),
        Entry(date(2026, 10, 3), -100, kind="transfer"),
    ]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("spending-get_spending_summary", period="last month", exclude_largest=1)
    assert (value(result, "total"), value(result, "left_out")) == (Decimal("1.00"), 1)


async def test_months_before_the_ledger_begins_are_not_empty_but_unknown(house):
    """The ledger begins in August: 90.00 over August, September and October, not over the ten months of the year."""
    entries = [Entry(date(2026, 8, 3), -3000), Entry(date(2026, 9, 2), -6000), Entry(date(2026, 11, 2), -50000)]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run(
        "spending-analyze_by_category", category="Groceries", start_date="this year", per="month"
    )
    assert (value(result, "intervals"), value(result, "per_interval")) == (3, Decimal("30.00"))
    assert result.notes[0].endswith(", counted from 1 Aug 2026, where your ledger begins")
    summary = await resident.run("spending-get_spending_summary", period="this year")
    assert value(summary, "days") == (date(2026, 11, 21) - date(2026, 8, 1)).days + 1


async def test_a_month_that_the_ledger_enters_late_is_no_full_one(house):
    """From 8 January on, the full months are February to October."""
    entries = [Entry(date(2026, 1, 8), -1000), Entry(date(2026, 2, 3), -9000), Entry(date(2026, 11, 2), -50000)]
    resident = await house.move_in(entries, date(2026, 11, 21))
    result = await resident.run("spending-analyze_by_category", category="Groceries", per="month")
    assert (value(result, "intervals"), value(result, "per_interval")) == (9, Decimal("10.00"))


@pytest.mark.parametrize(("phrase", "today"), [("yesterday", 2), ("today", 1), ("this month", 1)])
async def test_a_phrase_that_means_one_day_is_that_day_alone(house, phrase, today):
    """Not everything since then: a card's bookings may be dated ahead."""
    entries = [Entry(date(2026, 10, day), -100 * day) for day in (1, 2, 3)]
    resident = await house.move_in(entries, date(2026, 10, today))
    result = await resident.run("spending-analyze_by_category", category="Groceries", start_date=phrase)
    assert value(result, "total") == Decimal("1.00")


async def test_no_full_month_is_no_average(house):
    resident = await house.move_in([Entry(date(2026, 11, 2), -50000)], date(2026, 11, 21))
    result = await resident.run(
        "spending-analyze_by_category", category="Groceries", start_date="this month", per="month"
    )
    assert value(result, "total") == Decimal("500.00")
    assert not any(fact.id == "per_interval" for fact in result.facts)


@pytest.mark.parametrize(
    ("bound", "amounts"),
    [({"over": "10"}, ["10.01"]), ({"under": "10"}, ["9.99"]), ({"over": "9.99", "under": "10.01"}, ["10.00"])],
)
async def test_bounds_are_exclusive(house, bound, amounts):
    resident = await house.move_in([Entry(DAY, -999), Entry(DAY, -1000), Entry(DAY, -1001)], DAY)
    result = await resident.run("spending-analyze_by_category", category="Groceries", **bound)
    assert totals_stated(result) == {"USD": sum(map(Decimal, amounts))}


async def test_shares_are_rounded_half_to_even(house):
    """1 of 2000 is 0.05 %, which is 0.0; 3 of 2000 is 0.15 %, which is 0.2."""
    shops = {"Costco": 1, "Zalando": 3, "Netto Markt": 1996}
    resident = await house.move_in([Entry(DAY, -minor, merchant=name) for name, minor in shops.items()], DAY)
    result = await resident.run("spending-analyze_by_category", category="Groceries")
    shares = {fact.subject: fact.value for fact in result.facts if fact.id.endswith("_share")}
    assert shares == {"Costco": Decimal("0.0"), "Zalando": Decimal("0.2"), "Netto Markt": Decimal("99.8")}


async def test_currencies_are_stated_apart(house):
    resident = await house.move_in([Entry(DAY, -1000), Entry(DAY, -2000), Entry(DAY, -700, "EUR")], DAY)
    result = await resident.run("spending-get_spending_summary", period="October 2026")
    assert totals_stated(result) == {"USD": Decimal("30.00"), "EUR": Decimal("7.00")}
    assert value(result, "count") == 3
    assert "{total}" in result.headline
    assert "{total_eur}" in result.headline


async def test_what_is_left_out_has_to_be_found(house):
    """ "without costco" leaves Costco out, however it is written; a name that is nowhere is not silently passed over."""
    resident = await house.move_in([Entry(DAY, -1000), Entry(DAY, -2000, merchant="Zalando")], DAY)
    result = await resident.run("spending-get_spending_summary", period="October 2026", exclude=["costco"])
    assert value(result, "total") == Decimal("20.00")


async def test_only_refunds_in_scope(house):
    resident = await house.move_in([Entry(DAY, 1000, kind="refund")], DAY)
    result = await resident.run("spending-analyze_by_category", category="Groceries")
    assert (value(result, "total"), value(result, "count")) == (Decimal("-10.00"), 0)


async def test_an_empty_ledger_is_told_how_to_fill_it(house):
    resident = await house.move_in([], DAY)
    result = await resident.run("spending-get_spending_summary")
    assert (result.kind, result.facts) == ("empty", ())
    assert any("import" in note for note in result.notes)
