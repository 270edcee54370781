"""Periods to compare with: the one before, the year before, the same days, the full months."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.periods import (
    Period,
    full_months,
    granularity,
    parse_period,
    previous_period,
    same_days,
    year_before,
)

TODAY = date(2026, 11, 21)
DAYS = st.dates(date(1950, 1, 1), date(2150, 12, 31))


def of(text: str, today: date = TODAY) -> Period:
    start, _, end = text.partition("..")
    if len(start) < 10 or not start[:1].isdigit():
        return parse_period(text, today)
    return Period(date.fromisoformat(start), date.fromisoformat(end or start))


def span(period: Period) -> str:
    return f"{period.start}..{period.end}"


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        ("yesterday", "day"),
        ("last week", "week"),
        ("past 7 days", "week"),
        ("last month", "month"),
        ("February 2024", "month"),
        ("this month", "other"),
        ("Q3", "quarter"),
        ("2026-08-01..2026-10-31", "other"),
        ("last year", "year"),
        ("2025-02-01..2026-01-31", "other"),
        ("all time", "other"),
    ],
)
def test_granularity(period: str, expected: str) -> None:
    assert granularity(of(period)) == expected


@pytest.mark.parametrize(
    ("period", "today", "expected"),
    [
        ("last month", TODAY, "2026-09-01..2026-09-30"),
        ("March 2026", TODAY, "2026-02-01..2026-02-28"),
        ("Q1 2026", TODAY, "2025-10-01..2025-12-31"),
        ("2025", TODAY, "2024-01-01..2024-12-31"),
        ("last 3 months", TODAY, "2026-05-01..2026-07-31"),
        ("last week", TODAY, "2026-11-02..2026-11-08"),
        ("yesterday", TODAY, "2026-11-19..2026-11-19"),
        ("past 30 days", TODAY, "2026-09-23..2026-10-22"),
        ("this month", TODAY, "2026-10-01..2026-10-21"),
        ("this month", date(2026, 3, 30), "2026-02-01..2026-02-28"),
        ("this month", date(2026, 11, 1), "2026-10-01..2026-10-01"),
        ("MTD", date(2026, 11, 1), "2026-10-01..2026-10-01"),
        ("2026-11-01", TODAY, "2026-10-31..2026-10-31"),
        ("this week", TODAY, "2026-11-09..2026-11-14"),
        ("this quarter", TODAY, "2026-07-01..2026-08-21"),
        ("this year", TODAY, "2025-01-01..2025-11-21"),
        ("this year", date(2026, 1, 10), "2025-01-01..2025-01-10"),
        ("this quarter", date(2026, 10, 31), "2026-07-01..2026-07-31"),
        ("this quarter", date(2026, 1, 10), "2025-10-01..2025-10-10"),
        ("this month", date(2026, 1, 10), "2025-12-01..2025-12-10"),
        ("2026-01-01..2026-01-10", TODAY, "2025-12-01..2025-12-10"),
        ("this year", date(2024, 2, 29), "2023-01-01..2023-02-28"),
        ("2026-10-05..2026-10-09", TODAY, "2026-09-30..2026-10-04"),
        ("all time", TODAY, "0001-01-01..9999-12-31"),
        ("until May", TODAY, "0001-01-01..2026-05-31"),
    ],
)
def test_previous_period(period: str, today: date, expected: str) -> None:
    assert span(previous_period(of(period, today))) == expected


@pytest.mark.parametrize(
    ("period", "other", "expected"),
    [
        ("2026-11-01..2026-11-21", "2026-10-01..2026-10-31", "2026-10-01..2026-10-21"),
        ("2026-03-01..2026-03-30", "2026-02-01..2026-02-28", "2026-02-01..2026-02-28"),
        ("2026-10-01..2026-11-21", "2026-07-01..2026-09-30", "2026-07-01..2026-08-21"),
        ("2026-01-01..2026-11-21", "2024-01-01..2024-12-31", "2024-01-01..2024-11-21"),
        ("2024-01-01..2024-02-29", "2023-01-01..2023-12-31", "2023-01-01..2023-02-28"),
        ("2026-11-16..2026-11-18", "2026-11-09..2026-11-15", "2026-11-09..2026-11-11"),
    ],
)
def test_same_days(period: str, other: str, expected: str) -> None:
    assert span(same_days(of(period), of(other))) == expected


@pytest.mark.parametrize(
    ("period", "today", "months"),
    [
        ("2026-08-01..2026-11-21", TODAY, ["2026-08", "2026-09", "2026-10"]),
        ("2026-01-01..2026-12-31", date(2026, 3, 31), ["2026-01", "2026-02"]),
        ("2026-08-02..2026-10-30", TODAY, ["2026-09"]),
        ("2026-10-01..2026-10-31", TODAY, ["2026-10"]),
        ("2026-11-01..2026-11-30", date(2026, 11, 30), []),
        ("2026-11-01..2026-11-30", date(2026, 12, 1), ["2026-11"]),
        ("2026-10-05..2026-10-20", TODAY, []),
    ],
)
def test_full_months(period: str, today: date, months: list[str]) -> None:
    assert [f"{month.start:%Y-%m}" for month in full_months(of(period), today)] == months
    assert all(granularity(month) == "month" for month in full_months(of(period), today))


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        ("2026-10-05..2026-10-09", "2025-10-05..2025-10-09"),
        ("2025-02-01..2025-02-28", "2024-02-01..2024-02-29"),
        ("2024-02-01..2024-02-29", "2023-02-01..2023-02-28"),
        ("2024-02-29", "2023-02-28..2023-02-28"),
        ("2025-02-05..2025-02-28", "2024-02-05..2024-02-28"),
        ("all time", "0001-01-01..9999-12-31"),
    ],
)
def test_year_before(period: str, expected: str) -> None:
    assert span(year_before(of(period))) == expected


@pytest.mark.parametrize(
    ("phrase", "today", "expected"),
    [
        ("this tax year", TODAY, "2025-04-06..2025-11-21"),
        ("so far this financial year", TODAY, "2025-04-06..2025-11-21"),
        ("last tax year", TODAY, "2024-04-06..2025-04-05"),
        ("last tax year", date(2024, 11, 21), "2022-04-06..2023-04-05"),
    ],
)
def test_before_a_financial_year_is_the_same_of_the_one_before(phrase: str, today: date, expected: str) -> None:
    assert span(previous_period(parse_period(phrase, today, currency="GBP"))) == expected


def test_weekdays_stay() -> None:
    weekends = parse_period("weekends in October", TODAY)
    assert previous_period(weekends).weekdays == year_before(weekends).weekdays == (5, 6)
    assert {month.weekdays for month in full_months(weekends, TODAY)} == {(5, 6)}


@settings(deadline=None)
@given(first=st.dates(), last=st.dates())
def test_the_period_before_ends_where_this_one_begins_or_is_as_far_along(first: date, last: date) -> None:
    period = Period(min(first, last), max(first, last))
    before = previous_period(period)
    assert before.start <= before.end
    assert before == period or before.end < period.start


@settings(deadline=None)
@given(first=DAYS, last=DAYS, today=DAYS)
def test_full_months_are_whole_and_past(first: date, last: date, today: date) -> None:
    period = Period(min(first, last), max(first, last))
    months = full_months(period, today)
    for month in months:
        assert period.start <= month.start
        assert month.end <= period.end
        assert month.end < today
        assert month.start.day == 1
    assert len({month.start for month in months}) == len(months)
