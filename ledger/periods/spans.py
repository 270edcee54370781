"""Spans of whole days: the calendar's units, and moving among them."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from enum import Enum

#: First and last day, both included.
Span = tuple[date, date]

ALL_TIME: Span = (date.min, date.max)
_DAY = timedelta(days=1)


class Unit(Enum):
    """A stretch of the calendar that phrases count in; the value is its length in months, or a name."""

    HOUR = "hour"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = 1
    QUARTER = 3
    HALF = 6
    YEAR = 12


def whole_months(first_month: int, count: int) -> Span:
    """Return ``count`` calendar months from the one with the running number ``first_month`` (see ``month_number``)."""
    year, month = divmod(first_month, 12)
    last_year, last_month = divmod(first_month + count - 1, 12)
    last_day = calendar.monthrange(last_year, last_month + 1)[1]
    return date(year, month + 1, 1), date(last_year, last_month + 1, last_day)


def month_number(day: date) -> int:
    """Return the running number of the day's month, counted from year 0."""
    return day.year * 12 + day.month - 1


def month_span(year: int, month: int) -> Span:
    """Return the calendar month."""
    return whole_months(year * 12 + month - 1, 1)


def year_span(year: int) -> Span:
    """Return the calendar year."""
    return date(year, 1, 1), date(year, 12, 31)


def day_span(day: date) -> Span:
    """Return the one day as a span."""
    return day, day


def unit_span(unit: Unit, day: date, offset: int = 0, week_start: int = 0) -> Span:
    """Return the unit that holds the day, moved by ``offset`` units; OverflowError or ValueError out of the calendar.

    A weekend is a Saturday with the Sunday after it; a day in between counts to the weekend before it.
    """
    if isinstance(unit.value, int):
        return whole_months((month_number(day) // unit.value + offset) * unit.value, unit.value)
    if unit in {Unit.DAY, Unit.HOUR}:
        return day_span(day + offset * _DAY)
    first_weekday, length = (5, 2) if unit is Unit.WEEKEND else (week_start, 7)
    start = day - (day.weekday() - first_weekday) % 7 * _DAY + 7 * offset * _DAY
    return start, start + (length - 1) * _DAY


def units_before(unit: Unit, count: int, day: date, week_start: int = 0) -> Span:
    """Return the ``count`` full units before the one that holds the day."""
    first = unit_span(unit, day, -count, week_start)
    last = unit_span(unit, day, -1, week_start)
    return first[0], last[1]


def units_after(unit: Unit, count: int, day: date, week_start: int = 0) -> Span:
    """Return the ``count`` full units after the one that holds the day."""
    first = unit_span(unit, day, 1, week_start)
    last = unit_span(unit, day, count, week_start)
    return first[0], last[1]


def days_until(day: date, count: int) -> Span:
    """Return the ``count`` days that end with this one."""
    return day - (count - 1) * _DAY, day


def shift_years(day: date, years: int) -> date:
    """Return the same day ``years`` later; 29 February becomes the 28th in a common year."""
    year = day.year + years
    return date(year, day.month, min(day.day, calendar.monthrange(year, day.month)[1]))


def is_month_end(day: date) -> bool:
    """Whether the day is the last of its month."""
    return day.day == calendar.monthrange(day.year, day.month)[1]


def shift_span_years(span: Span, years: int) -> Span:
    """Return the same dates ``years`` later; whole months stay whole months."""
    start, end = shift_years(span[0], years), shift_years(span[1], years)
    if span[0].day == 1 and is_month_end(span[1]):
        end = end.replace(day=calendar.monthrange(end.year, end.month)[1])
    return start, end


def is_whole_months(span: Span) -> bool:
    """Whether the span is one or more calendar months, none of them cut."""
    return span[0].day == 1 and is_month_end(span[1])


def to_date(span: Span | None, today: date) -> Span | None:
    """Return the span up to today, or nothing if it has not begun."""
    if span is None or span[0] > today:
        return None
    return span[0], min(span[1], today)
