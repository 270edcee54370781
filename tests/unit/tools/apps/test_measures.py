"""Measures of any kind of money, held against the definitions written out plainly."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.transactions import AccountType
from tests.drawn_ledgers import Entry, todays
from tests.unit.tools.apps.naive import (
    DRAWN,
    FEW,
    Asked,
    clipped,
    divided,
    in_scope,
    one_currency,
    spans,
    value,
    within,
)

#: Each kind of money by what rows of it are, and whether they come in.
MONEY = {
    "spending": (lambda e: e.flow == "spending", False),
    "income": (lambda e: e.flow == "income", True),
    "refunds": (lambda e: e.kind == "refund", True),
    "fees": (lambda e: e.kind == "fee", False),
    "cash": (lambda e: e.kind == "cash", False),
    "all": (lambda e: True, False),
}
DAY = date(2026, 10, 1)


def rows_of(entries, of, days):
    return [entry for entry in entries if MONEY[of][0](entry) and within(entry, days)]


def worth(rows, of):
    total = sum((entry.amount for entry in rows), Decimal(0))
    return total if MONEY[of][1] else -total


def of_its_sign(rows, of):
    return rows if of == "all" else [entry for entry in rows if (entry.minor > 0) == MONEY[of][1] and entry.minor]


@pytest.mark.parametrize("of", MONEY)
@FEW
@given(data=st.data(), entries=one_currency, today=todays)
async def test_total_number_and_average(house, of, data, entries, today):
    arguments, days = data.draw(spans(today))
    resident = await house.move_in(entries, today)
    rows = rows_of(resident.entries, of, days)
    its = of_its_sign(rows, of)
    for what in ("total", "count", "average", "exists"):
        result = await resident.run("transactions-measure", of=of, what=what, **arguments)
        if not its:
            assert result.kind == "empty"
            continue
        assert value(result, "total") == worth(rows, of)
        assert value(result, "count") == len(its)
        gross = abs(sum((entry.amount for entry in its if of != "all" or entry.minor < 0), Decimal(0)))
        assert value(result, "average") == divided(gross, len(its), "USD")
        (behind,) = await resident.behind(result)
        assert {entry.id for entry in behind} >= {entry.id for entry in its}


@pytest.mark.parametrize(("what", "best"), [("largest", max), ("smallest", min), ("latest", max), ("first", min)])
@FEW
@given(data=st.data(), entries=one_currency, today=todays)
async def test_one_row_and_the_next(house, what, best, data, entries, today):
    del best
    of, nth = data.draw(st.sampled_from(["income", "refunds", "fees"])), data.draw(st.integers(1, 3))
    resident = await house.move_in(entries, today)
    its = of_its_sign(rows_of(resident.entries, of, (None, None)), of)
    result = await resident.run("transactions-measure", of=of, what=what, nth=nth)
    if len(its) < nth:
        assert result.kind == "empty"
        return
    sizes = sorted((abs(e.amount) for e in its), reverse=what == "largest")
    days = sorted((e.day for e in its), reverse=what == "latest")
    if what in ("largest", "smallest"):
        assert value(result, "amount") == sizes[nth - 1]
    else:
        assert value(result, "date") == days[nth - 1]


@pytest.mark.parametrize("grain", ["day", "week", "month", "quarter", "year"])
@FEW
@given(data=st.data(), entries=one_currency, today=todays)
async def test_a_row_for_each_interval(house, grain, data, entries, today):
    """Every row of the scope is in one interval, none is in two, and empty ones are there."""
    of = data.draw(st.sampled_from(["spending", "income", "refunds"]))
    start, end = sorted(
        data.draw(
            st.tuples(st.dates(date(2025, 11, 1), date(2026, 12, 31)), st.dates(date(2025, 11, 1), date(2026, 12, 31)))
        )
    )
    arguments = {"start_date": start.isoformat(), "end_date": end.isoformat()}
    resident = await house.move_in(entries, today)
    rows = rows_of(resident.entries, of, (start, end))
    result = await resident.run("transactions-per_interval", grain=grain, of=of, **arguments)
    if not rows:
        assert result.kind == "empty"
        return
    first, last = clipped((start, end), resident.entries, today)
    sums = defaultdict(Decimal)
    for entry in rows:
        sums[_interval(max(entry.day, first), grain)] += entry.amount if MONEY[of][1] else -entry.amount
    keys = list(dict.fromkeys(_interval(first + timedelta(n), grain) for n in range((last - first).days + 1)))
    assert [row[1].amount for row in result.table.rows] == [sums.get(key, Decimal(0)) for key in keys][-120:]


def _interval(day, grain):
    return {
        "day": day,
        "week": day - timedelta(day.weekday()),
        "month": (day.year, day.month),
        "quarter": (day.year, (day.month + 2) // 3),
        "year": day.year,
    }[grain]


@pytest.mark.parametrize("by", ["merchant", "category", "account", "weekday"])
@FEW
@given(data=st.data(), entries=one_currency, today=todays)
async def test_ranks_by_money_and_by_number(house, by, data, entries, today):
    arguments, days = data.draw(spans(today))
    ranked, least = data.draw(st.sampled_from(["money", "number"])), data.draw(st.booleans())
    resident = await house.move_in(entries, today)
    rows = in_scope(resident.entries, Asked(arguments, days))
    result = await resident.run("transactions-rank", by=by, ranked=ranked, least=least, limit=50, **arguments)
    if not rows:
        assert result.kind == "empty"
        return
    groups = defaultdict(list)
    for entry in rows:
        groups[entry.day.strftime("%A") if by == "weekday" else getattr(entry, by)].append(entry)
    measured = {name: (worth(each, "spending"), len([e for e in each if e.minor < 0])) for name, each in groups.items()}
    assert {row[0]: (row[1].amount, row[2]) for row in result.table.rows} == measured
    place = 0 if ranked == "money" else 1
    order = [each[place] for each in measured.values()]
    assert measured[result.table.rows[0][0]][place] == (min(order) if least else max(order))


@DRAWN
@given(entries=one_currency, today=todays)
async def test_savings_are_transfers_to_what_is_named_so(house, entries, today):
    saved = Entry(DAY, -5000, kind="transfer", merchant="Transfer to Savings Pot", account="Giro Nord")
    resident = await house.move_in([*entries, saved], today)
    assert value(await resident.run("transactions-measure", of="savings"), "total") == Decimal("50.00")


#: How the rows of what is told by words are named, and whether they come in.
TOLD = {
    "savings": (("Transfer to Savings Pot", "Sparkonto Nord", "Easy Saver"), "transfer", False),
    "savings_back": (("Transfer from Savings Pot", "Umbuchung vom Tagesgeldkonto", "Livret A"), "transfer", True),
    "salary": (("Acme Payroll", "Gehalt Oktober", "Deutsche Rentenversicherung", "Nomina Julio"), "income", True),
}
OTHERS = ("Stadtsparkasse Nord", "Visa Gold", "Lohnsteuerhilfe", "Kindergeld", "Ann", "Spar Markt")


@pytest.mark.parametrize("of", TOLD)
@FEW
@given(data=st.data(), entries=one_currency)
async def test_what_words_tell_is_told_by_every_tool(house, of, data, entries):
    names, kind, comes_in = TOLD[of]
    drawn = st.tuples(st.dates(date(2026, 1, 1), date(2026, 10, 31)), st.integers(1, 90_000), st.sampled_from(names))
    told = [
        Entry(day, size if comes_in else -size, kind=kind, merchant=name, account="Giro Nord")
        for day, size, name in data.draw(st.lists(drawn, min_size=1, max_size=8))
    ]
    others = [Entry(DAY, size, kind=kind, merchant=name) for name in OTHERS for size in (4_000, -3_000)]
    resident = await house.move_in([*entries, *told, *others], date(2026, 11, 5))
    total = sum((abs(entry.amount) for entry in told), Decimal(0))
    months = [sum((abs(e.amount) for e in told if e.day.month == month), Decimal(0)) for month in (10, 9)]
    result = await resident.run("transactions-measure", of=of)
    assert (value(result, "total"), value(result, "count")) == (total, len(told))
    assert value(await resident.run("transactions-measure", of=of, what="largest"), "amount") == max(
        abs(entry.amount) for entry in told
    )
    assert value(await resident.run("transactions-per_interval", of=of), "total") == total
    ranked = await resident.run("transactions-rank", of=of, limit=100)
    by_name = {name: sum(abs(e.amount) for e in told if e.merchant == name) for name in {e.merchant for e in told}}
    assert {row[0]: row[1].amount for row in ranked.table.rows} == by_name
    compared = await resident.run("spending-compare", of=of, periods=["October 2026", "September 2026"])
    stated = [fact.value for fact in compared.facts if fact.id in ("side_1_total", "side_2_total")]
    assert stated == (months if any(months) else [])


async def test_savings_without_words_are_seen_from_the_savings_account(house):
    entries = [
        Entry(DAY, -5_000, kind="transfer", merchant="Ann"),
        Entry(DAY, 5_000, kind="transfer", merchant="Ann", account="Second"),
        Entry(DAY, -2_000, kind="transfer", merchant="Ann", account="Second"),
    ]
    resident = await house.move_in(entries, date(2026, 11, 5))
    vocabulary = resident.context.vocabulary
    typed = tuple(
        replace(each, type=AccountType.SAVINGS) if each.name == "Second" else each for each in vocabulary.accounts
    )
    resident.context = replace(resident.context, vocabulary=replace(vocabulary, accounts=typed))
    for of, moved in (("savings", Decimal("50.00")), ("savings_back", Decimal("20.00"))):
        for account in ({}, {"account": "Second"}):
            result = await resident.run("transactions-measure", of=of, **account)
            assert (value(result, "total"), value(result, "count")) == (moved, 1)
            found = await resident.run("transactions-measure", of=of, what="largest", **account)
            assert value(found, "amount") == moved


async def test_no_savings_back_is_said_so(house):
    saved = Entry(DAY, -5_000, kind="transfer", merchant="Transfer to Savings")
    other = Entry(DAY, 5_000, kind="transfer", merchant="Ann")
    resident = await house.move_in([saved, other], date(2026, 11, 5))
    result = await resident.run("transactions-measure", of="savings_back")
    assert (result.kind, result.headline) == ("empty", "No transfers from savings {when}.")


async def test_salary_without_words_is_what_the_largest_regular_payer_pays(house):
    days = [date(2026, month, 27) for month in (7, 8, 9, 10)]
    regular = [Entry(day, 210_000, kind="income", merchant="Nordwerk AG") for day in days]
    smaller = [Entry(day, 40_000, kind="income", merchant="Marko Seidel") for day in days]
    once = Entry(DAY, 4_000_000, kind="income", merchant="Aunt Mabel")
    resident = await house.move_in([*regular, *smaller, once], date(2026, 11, 5))
    result = await resident.run("transactions-measure", of="salary", start_date="2026-10-01", end_date="2026-10-31")
    assert (value(result, "total"), value(result, "count")) == (Decimal("2100.00"), 1)
    named = await resident.run("transactions-measure", of="salary", merchant="Marko Seidel")
    assert value(named, "total") == Decimal("1600.00")
    alone = await house.move_in([once], date(2026, 11, 5))
    assert (await alone.run("transactions-measure", of="salary")).headline == "No payments of salary {when}."


@pytest.mark.parametrize(
    ("days", "found"),
    [
        (((9, 1), (10, 1), (10, 31)), "1"),  # October keeps its own
        (((8, 3), (9, 3), (10, 31)), "none"),  # the only one of October
    ],
)
async def test_the_pay_of_a_month_is_not_taken_from_one_that_has_no_other(house, days, found):
    entries = [Entry(date(2026, *day), 200_000, kind="income", merchant="Acme Payroll") for day in days]
    resident = await house.move_in(entries, date(2026, 11, 30))
    result = await resident.run("transactions-measure", of="salary", start_date="2026-11-01", end_date="2026-11-30")
    assert ("none" if result.kind == "empty" else str(value(result, "count"))) == found


async def test_words_narrow_a_salary_further(house):
    entries = [
        Entry(DAY, 12_000, kind="income", merchant="Overtime Acme"),
        Entry(DAY, 250_000, kind="income", merchant="Payroll Acme"),
    ]
    resident = await house.move_in(entries, date(2026, 11, 5))
    result = await resident.run("transactions-measure", of="salary", text="overtime")
    assert value(result, "total") == Decimal("120.00")


async def test_the_months_without_anything_are_named(house):
    """Child benefit came in every month but June; the month that is not over yet is not missed."""
    entries = [
        Entry(date(2026, month, 9), 25_000, merchant="Kindergeld", kind="income") for month in (4, 5, 7, 8, 9, 10)
    ]
    resident = await house.move_in(entries, date(2026, 11, 5))
    asked = {"of": "income", "merchant": "Kindergeld", "start_date": "2026-04-01", "end_date": "2026-11-05"}
    result = await resident.run("transactions-per_interval", show="empty", **asked)
    assert (value(result, "empty"), value(result, "empty_1")) == (1, "June 2026")
    whole = await resident.run("transactions-per_interval", show="empty", **{**asked, "start_date": "2026-07-01"})
    assert value(whole, "empty") == 0


@pytest.mark.parametrize(("today", "missed"), [(5, 0), (12, 1)])
async def test_the_month_that_is_not_over_is_missed_once_its_day_is_past(house, today, missed):
    entries = [Entry(date(2026, month, 8), -4_500, merchant="Gym") for month in range(6, 11)]
    entries += [Entry(date(2026, 11, today), -100)]
    resident = await house.move_in(entries, date(2026, 11, today))
    result = await resident.run("transactions-per_interval", show="missed", merchant="Gym")
    assert value(result, "empty") == missed
    assert result.headline.startswith("Yes" if missed else "No")
    every = await resident.run("transactions-per_interval", show="every", merchant="Gym")
    assert every.headline.startswith("No" if missed else "Yes")


async def test_of_all_time_nothing_is_missed_before_it_began(house):
    entries = [
        Entry(date(2026, 2, 3), -1_000),
        *(Entry(date(2026, month, 8), -4_500, merchant="Gym") for month in (6, 8)),
    ]
    resident = await house.move_in(entries, date(2026, 8, 31))
    result = await resident.run("transactions-per_interval", show="empty", merchant="Gym")
    assert [fact.value for fact in result.facts if fact.id.startswith("empty_")] == ["July 2026"]


async def test_what_was_paid_before_anything_came_back(house):
    entries = [Entry(DAY, -9_000), Entry(DAY, 2_000, kind="refund")]
    resident = await house.move_in(entries, date(2026, 11, 5))
    assert value(await resident.run("transactions-measure", of="gross"), "total") == Decimal("90.00")
    assert value(await resident.run("transactions-measure", of="spending"), "total") == Decimal("70.00")


async def test_a_trend_sets_the_last_full_months_against_those_before(house):
    entries = [
        Entry(date(2026, month, 3), -minor)
        for month, minor in ((5, 100), (6, 200), (7, 300), (8, 400), (9, 600), (10, 800))
    ]
    resident = await house.move_in(entries, date(2026, 11, 5))
    result = await resident.run("transactions-per_interval", show="trend")
    assert (value(result, "late"), value(result, "early"), value(result, "step")) == (
        Decimal(6),
        Decimal(2),
        Decimal(4),
    )
    average = await resident.run("transactions-per_interval", show="average")
    assert value(average, "average") == Decimal("4.00")  # 24.00 in the six full months


async def test_words_of_a_descriptor_narrow_it(house):
    entries = [
        Entry(DAY, 12_000, kind="income", merchant="Familienkasse", description="Kindergeld Oktober"),
        Entry(DAY, 250_000, kind="income", merchant="Nordwerk", description="Gehalt Oktober"),
    ]
    resident = await house.move_in(entries, date(2026, 11, 5))
    result = await resident.run("transactions-measure", of="income", text="Kindergeld")
    assert (value(result, "total"), value(result, "count")) == (Decimal("120.00"), 1)


async def test_interest_earned_and_charged_are_never_set_off(house):
    entries = [Entry(DAY, 4_023, kind="interest"), Entry(DAY, -3_127, kind="interest")]
    resident = await house.move_in(entries, date(2026, 11, 5))
    assert value(await resident.run("transactions-measure", of="interest"), "total") == Decimal("40.23")
    assert value(await resident.run("transactions-measure", of="interest_charged"), "total") == Decimal("31.27")
    other = await house.move_in(entries[1:], date(2026, 11, 5))
    assert value(await other.run("transactions-measure", of="interest"), "total") == Decimal("31.27")


async def test_what_is_left_out_of_savings_stays_out(house):
    """Also where no name tells which transfers are savings."""
    moved = [Entry(DAY, -minor, kind="transfer", merchant=name) for minor, name in ((5_000, "Depot"), (3_000, "Ann"))]
    resident = await house.move_in(moved, date(2026, 11, 5))
    result = await resident.run("transactions-measure", of="savings", exclude=["Ann"])
    assert value(result, "total") == Decimal("50.00")
