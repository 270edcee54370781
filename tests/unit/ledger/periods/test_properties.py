"""Laws of the period grammar, over all days and over arbitrary text."""

from __future__ import annotations

import calendar
import contextlib
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ledger.errors import UnknownPeriod
from ledger.periods import Period, find_periods, parse_period

DAYS = st.dates(date(1950, 1, 1), date(2150, 12, 31))
WEEK_STARTS = st.integers(0, 6)
ONE_DAY = timedelta(days=1)
MONTHS_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONTHS_DE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
WORDS = [
    word
    for line in (
        "last past this next previous same the a of in on since until before after from to between and 3 17 31 2025",
        "month months week weeks year years quarter half day days weekend weekends Monday mondays October may march",
        "first third end beginning mid Christmas Easter summer today yesterday ago earlier that vs , . - / & ( 's",
        "letzten Monat vor zwei Wochen seit bis vom 1.10. 3. und im Oktober Anfang KW 42 Q3 H1 all time so far to date",
        "10/03/2026 2026-10-03 20261003 99999999999 0 -1 _ ' ’ 9999-12-31 0001-01-01 30 $ % every \u0663 ² \u0308 😀",
    )
    for word in line.split()
]
PHRASES = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.lists(
    st.sampled_from(WORDS), max_size=8
).map("".join)


def check_laws(period: Period) -> None:
    assert period.start <= period.end
    assert all(0 <= weekday <= 6 for weekday in period.weekdays)


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=60) | PHRASES, today=st.dates(), week_start=WEEK_STARTS)
def test_any_text_gives_a_sound_period_or_the_one_error(text: str, today: date, week_start: int) -> None:
    with contextlib.suppress(UnknownPeriod):
        check_laws(parse_period(text, today, week_start))


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=80) | PHRASES, today=st.dates(), anchor=st.tuples(st.dates(), st.dates()) | st.none())
def test_any_sentence_gives_ordered_mentions(text: str, today: date, anchor: tuple[date, date] | None) -> None:
    mentions = find_periods(text, today, anchor=Period(min(anchor), max(anchor)) if anchor else None)
    end = 0
    for mention in mentions:
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end
        check_laws(mention.period)


@settings(deadline=None)
@given(day=st.dates(), today=st.dates())
def test_iso_dates_come_back(day: date, today: date) -> None:
    period = parse_period(day.isoformat(), today)
    assert (period.start, period.end) == (day, day)


@settings(deadline=None)
@given(day=st.dates(date(1900, 1, 1), date(2199, 12, 31)), today=DAYS, form=st.integers(0, 9))
def test_written_dates_come_back(day: date, today: date, form: int) -> None:
    english, german = MONTHS_EN[day.month - 1], MONTHS_DE[day.month - 1]
    text = (
        f"{day.day} {english} {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{english[:3]} {day.day} {day.year}",
        f"the {day.day}th of {english} {day.year}",
        f"am {day.day}. {german} {day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day:%Y%m%d}",
        f"{day.day:02}-{english[:3]}-{day.year}",
    )[form]
    period = parse_period(text, today)
    assert (period.start, period.end) == (day, day)
    assert [(m.period.start, m.period.end) for m in find_periods(f"what did I buy on {text}?", today)] == [(day, day)]


@settings(deadline=None)
@given(first=DAYS, last=DAYS, today=DAYS)
def test_written_ranges_come_back(first: date, last: date, today: date) -> None:
    assume(first <= last)
    for text in (f"{first} to {last}", f"between {first} and {last}", f"{first:%d.%m.%Y} - {last:%d.%m.%Y}"):
        period = parse_period(text, today)
        assert (period.start, period.end) == (first, last)


def naive_month(today: date, back: int) -> tuple[date, date]:
    year, month = today.year, today.month
    for _ in range(back):
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


@settings(deadline=None)
@given(today=DAYS, count=st.integers(1, 40))
def test_relative_months(today: date, count: int) -> None:
    last = parse_period("last month", today)
    assert (last.start, last.end) == naive_month(today, 1)
    some = parse_period(f"last {count} months", today)
    assert (some.start, some.end) == (naive_month(today, count)[0], naive_month(today, 1)[1])
    past = parse_period(f"{count} months ago", today)
    assert (past.start, past.end) == naive_month(today, count)
    this = parse_period("this month", today)
    assert (this.start, this.end) == (today.replace(day=1), today)
    days = parse_period(f"past {count} days", today)
    assert (days.start, days.end) == (today - (count - 1) * ONE_DAY, today)


@settings(deadline=None)
@given(today=DAYS, month=st.integers(1, 12))
def test_a_bare_month_is_the_latest_that_has_begun(today: date, month: int) -> None:
    for name in (MONTHS_EN[month - 1], MONTHS_DE[month - 1], MONTHS_EN[month - 1][:3].lower()):
        period = parse_period(name, today)
        assert (period.start.month, period.start.day) == (month, 1)
        assert period.start <= today < date(period.start.year + 1, month, 1)
        assert period.end == min(today, naive_month(period.start, 0)[1])


@settings(deadline=None)
@given(today=DAYS, week_start=WEEK_STARTS, count=st.integers(1, 9))
def test_weeks_begin_on_their_day(today: date, week_start: int, count: int) -> None:
    this = parse_period("this week", today, week_start)
    last = parse_period(f"last {count} weeks", today, week_start)
    assert this.start.weekday() == last.start.weekday() == week_start
    assert this.end == today
    assert (last.end, last.days) == (this.start - ONE_DAY, 7 * count)
    assert this.days <= 7


@settings(deadline=None)
@given(today=DAYS, weekday=st.integers(0, 6))
def test_weekdays_are_the_latest(today: date, weekday: int) -> None:
    name = calendar.day_name[weekday]
    on, last = parse_period(f"on {name}", today), parse_period(f"last {name}", today)
    assert on.start.weekday() == last.start.weekday() == weekday
    assert 0 <= (today - on.start).days <= 6
    assert 1 <= (today - last.start).days <= 7


@settings(deadline=None)
@given(today=DAYS, first=st.integers(1, 12), last=st.integers(1, 12))
def test_month_ranges_are_in_order_and_have_begun(today: date, first: int, last: int) -> None:
    period = parse_period(f"from {MONTHS_EN[first - 1]} to {MONTHS_EN[last - 1]}", today)
    assert (period.start.month, period.end.month) == (first, last)
    assert period.start <= period.end <= today
    assert period.days <= 366


@settings(deadline=None)
@given(today=DAYS)
def test_the_future_is_never_read_into_the_past(today: date) -> None:
    for text in ("next month", "next year", "nächsten Monat", "next Christmas", "the coming weekend", "next 3 weeks"):
        assert find_periods(f"what will I spend {text}?", today) == []
        with pytest.raises(UnknownPeriod):
            parse_period(text, today)


@settings(deadline=None)
@given(year=st.integers(1900, 2199))
def test_easter_and_thanksgiving(year: int) -> None:
    """An independent reckoning: Gauss's formula, and counting Thursdays."""
    a, b, c = year % 19, year % 4, year % 7
    k = year // 100
    m = (15 + k - (13 + 8 * k) // 25 - k // 4) % 30
    n = (4 + k - k // 4) % 7
    d = (19 * a + m) % 30
    e = (2 * b + 4 * c + 6 * d + n) % 7
    sunday = date(year, 3, 22) + timedelta(days=d + e)
    if (d, e) == (29, 6) or (d == 28 and e == 6 and (11 * m + 11) % 30 < 19):
        sunday -= timedelta(days=7)
    easter = parse_period(f"Easter Sunday {year}", date(2026, 11, 21))
    assert easter.start == sunday
    thursdays = [day for day in (date(year, 11, number) for number in range(1, 31)) if day.weekday() == 3]
    assert parse_period(f"Thanksgiving {year}", date(2026, 11, 21)).start == thursdays[3]
