"""How one phrase is read: weekdays, edge days, week starts, refusals, fillers."""

from __future__ import annotations

import subprocess
import sys
from datetime import date

import pytest

from ledger.errors import UnknownPeriod
from ledger.periods import parse_period

TODAY = date(2026, 11, 21)


def span(text: str, today: date = TODAY, week_start: int = 0) -> str:
    period = parse_period(text, today, week_start)
    return f"{period.start}..{period.end}"


@pytest.mark.parametrize(
    ("text", "weekdays", "start", "end"),
    [
        ("weekends", (5, 6), date.min, date.max),
        ("on weekdays", (0, 1, 2, 3, 4), date.min, date.max),
        ("on Mondays", (0,), date.min, date.max),
        ("every Friday", (4,), date.min, date.max),
        ("Saturdays and Sundays", (5, 6), date.min, date.max),
        ("an Wochenenden", (5, 6), date.min, date.max),
        ("freitags", (4,), date.min, date.max),
        ("on a Saturday or Sunday", (5, 6), date.min, date.max),
        ("2026 an einem Samstag", (5,), date(2026, 1, 1), date(2026, 12, 31)),
        ("unter der Woche", (0, 1, 2, 3, 4), date.min, date.max),
        ("weekends in October", (5, 6), date(2026, 10, 1), date(2026, 10, 31)),
        ("on Fridays last month", (4,), date(2026, 10, 1), date(2026, 10, 31)),
        ("last month on Fridays", (4,), date(2026, 10, 1), date(2026, 10, 31)),
        ("weekdays since March", (0, 1, 2, 3, 4), date(2026, 3, 1), TODAY),
        ("last 2 weekends", (5, 6), date(2026, 11, 7), date(2026, 11, 15)),
        ("last month", (), date(2026, 10, 1), date(2026, 10, 31)),
    ],
)
def test_weekdays_narrow_a_period(text: str, weekdays: tuple[int, ...], start: date, end: date) -> None:
    period = parse_period(text, TODAY)
    assert (period.weekdays, period.start, period.end) == (weekdays, start, end)


@pytest.mark.parametrize(
    ("text", "today", "expected"),
    [
        ("last month", date(2026, 1, 1), "2025-12-01..2025-12-31"),
        ("this month", date(2026, 1, 1), "2026-01-01..2026-01-01"),
        ("last quarter", date(2026, 1, 1), "2025-10-01..2025-12-31"),
        ("last 3 months", date(2026, 1, 1), "2025-10-01..2025-12-31"),
        ("year to date", date(2026, 1, 1), "2026-01-01..2026-01-01"),
        ("January", date(2026, 1, 1), "2026-01-01..2026-01-01"),
        ("December", date(2026, 1, 1), "2025-12-01..2025-12-31"),
        ("yesterday", date(2026, 1, 1), "2025-12-31..2025-12-31"),
        ("new year's day", date(2026, 1, 1), "2026-01-01..2026-01-01"),
        ("last new year's eve", date(2026, 1, 1), "2025-12-31..2025-12-31"),
        ("winter", date(2026, 1, 1), "2025-12-01..2026-01-01"),
        ("last winter", date(2026, 1, 1), "2024-12-01..2025-02-28"),
        ("Christmas", date(2026, 12, 25), "2026-12-24..2026-12-25"),
        ("last Christmas", date(2026, 12, 25), "2025-12-24..2025-12-26"),
        ("last month", date(2024, 2, 29), "2024-01-01..2024-01-31"),
        ("a year earlier", date(2024, 2, 29), "2023-02-01..2023-02-28"),
        ("29 February", date(2024, 2, 29), "2024-02-29..2024-02-29"),
        ("last February", date(2024, 2, 29), "2023-02-01..2023-02-28"),
        ("last month", date(2026, 3, 31), "2026-02-01..2026-02-28"),
        ("a month ago", date(2026, 3, 31), "2026-02-01..2026-02-28"),
        ("same period last month", date(2026, 3, 31), "2026-02-01..2026-02-28"),
        ("past 30 days", date(2026, 3, 31), "2026-03-02..2026-03-31"),
        ("the 30th", date(2026, 3, 15), "2026-01-30..2026-01-30"),
        ("this year", date(2026, 12, 31), "2026-01-01..2026-12-31"),
        ("last year", date(2026, 12, 31), "2025-01-01..2025-12-31"),
        ("December", date(2026, 12, 31), "2026-12-01..2026-12-31"),
        ("last December", date(2026, 12, 31), "2025-12-01..2025-12-31"),
        ("Q4", date(2026, 12, 31), "2026-10-01..2026-12-31"),
        ("last week", date(2026, 11, 16), "2026-11-09..2026-11-15"),
        ("this week", date(2026, 11, 16), "2026-11-16..2026-11-16"),
        ("last weekend", date(2026, 11, 16), "2026-11-14..2026-11-15"),
        ("this weekend", date(2026, 11, 18), "2026-11-14..2026-11-15"),
        ("this weekend", date(2026, 11, 22), "2026-11-21..2026-11-22"),
        ("last weekend", date(2026, 11, 22), "2026-11-14..2026-11-15"),
        ("last week", date.min, None),
        ("last month", date.min, None),
        ("this year", date.max, "9999-01-01..9999-12-31"),
    ],
)
def test_edge_days(text: str, today: date, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(UnknownPeriod):
            parse_period(text, today)
    else:
        assert span(text, today) == expected


@pytest.mark.parametrize(
    ("text", "week_start", "expected"),
    [
        ("last week", 6, "2026-11-08..2026-11-14"),
        ("this week", 6, "2026-11-15..2026-11-21"),
        ("last 2 weeks", 6, "2026-11-01..2026-11-14"),
        ("two weeks ago", 6, "2026-11-01..2026-11-07"),
        ("this week", 5, "2026-11-21..2026-11-21"),
        ("last week", 5, "2026-11-14..2026-11-20"),
        ("week of October 5", 6, "2026-10-04..2026-10-10"),
        ("last week", 13, "2026-11-08..2026-11-14"),
        ("first week of October", 6, "2026-10-01..2026-10-07"),
        ("last weekend", 6, "2026-11-14..2026-11-15"),
        ("KW 42", 6, "2026-10-12..2026-10-18"),
    ],
)
def test_week_start(text: str, week_start: int, expected: str) -> None:
    assert span(text, week_start=week_start) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "?", "blah", "month", "25", "insgesamt", "groceries in October", "last month and this month"),
        *("next month", "next October", "tomorrow", "nächste Woche", "kommenden Freitag", "this December", "in 3 days"),
        *(
            "Feb 30",
            "30 Feb 2025",
            "2026-02-30",
            "31.04.2026",
            "2/29/2025",
            "2026-13",
            "20260230",
            "31 April",
            "Oct 45",
        ),
        *(
            "last 0 days",
            "last 99999999999 days",
            "last 999999 months",
            "past -3 days",
            "last 1.5 months",
            "Q5",
            "KW 54",
        ),
        *("sixth week of October", "May to", "between May", "2026-05-01 to 2026-04-01", "since December 2026"),
        *(
            "may I",
            "$2024",
            "€2024",
            "2,024",
            "over 2000",
            "7/11 store",
            "2026-10-03T10:00",
            "٣ October",
            "last $3 months",
        ),
        *("\x00", "last month" * 500, "9" * 5000, "last " * 3000),
    ],
)
def test_no_period_is_refused_with_choices(text: str) -> None:
    with pytest.raises(UnknownPeriod) as refused:
        parse_period(text, TODAY)
    assert 3 <= len(refused.value.choices) <= 4
    assert len(refused.value.phrase) <= 80
    for choice in refused.value.choices:
        parse_period(choice, TODAY)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("last mnth", "last month"),
        ("lst week", "last week"),
        ("octobr", "October"),
        ("yesterdy", "yesterday"),
        ("this yaer", "this year"),
        ("crhistmas", "Christmas"),
        ("letzen monat", "letzten Monat"),
        ("Feb 30", "February"),
    ],
)
def test_nearest_choice_comes_first(text: str, nearest: str) -> None:
    with pytest.raises(UnknownPeriod) as refused:
        parse_period(text, TODAY)
    assert refused.value.choices[0] == nearest


@pytest.mark.parametrize(
    "text",
    [
        *("last month", "for last month", "during the last month", "the last month's", "“last month”", "*last month*"),
        *(
            "last-month",
            "LAST_MONTH",
            "over the last month, please",
            "(last month)",
            "from last month",
            "last month 🙂",
        ),
    ],
)
def test_fillers_and_punctuation_are_tolerated(text: str) -> None:
    assert span(text) == "2026-10-01..2026-10-31"


def test_phrase_is_kept_as_said() -> None:
    assert parse_period("  the last_3  months ", TODAY).phrase == "the last 3 months"


def test_import_is_light() -> None:
    code = "import sys, ledger.periods as p, datetime as d; p.parse_period('last month', d.date(2026, 11, 21));"
    code += "print(sorted({'rapidfuzz', 'babel', 'pandas', 'numpy', 'holidays', 'dateutil'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
