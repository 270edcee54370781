"""Full days, weeks, months and years."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.intervals import days_until, first_counted, full_intervals

DAYS = st.dates(date(2020, 1, 1), date(2027, 12, 31))


@given(DAYS, DAYS, st.sampled_from(["day", "week", "month", "year"]))
def test_full_intervals_follow_each_other_within_the_period(start: date, last: date, unit: str) -> None:
    found = full_intervals(unit, start, last)
    for (_, end), (following, _) in pairwise(found):
        assert following == end + timedelta(days=1)
    if found:
        assert start <= found[0][0]
        assert found[-1][1] <= last
        longest = {"day": 1, "week": 7, "month": 31, "year": 366}[unit]
        assert (found[0][0] - start).days < longest
        assert (last - found[-1][1]).days < longest


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("week", (date(2025, 12, 29), date(2026, 1, 4))),
        ("month", (date(2026, 1, 1), date(2026, 1, 31))),
        ("year", (date(2026, 1, 1), date(2026, 12, 31))),
    ],
)
def test_the_first_after_christmas(unit: str, expected: tuple[date, date]) -> None:
    assert full_intervals(unit, date(2025, 12, 24), date(2027, 1, 1))[0] == expected


def test_where_all_time_begins() -> None:
    assert first_counted(date(2025, 1, 7)) == date(2025, 1, 1)
    assert first_counted(date(2025, 1, 8)) == date(2025, 1, 8)


def test_days_up_to_today() -> None:
    today = date(2026, 11, 21)
    assert days_until(date(2026, 11, 1), date(2026, 11, 30), today) == 21
    assert days_until(date(2026, 11, 1), date(2026, 11, 2), today) == 2
    assert days_until(date(2026, 12, 1), None, today) == 0
