"""Spans of whole days: the calendar's units, moving among them, and what a phrase means before today is known.

A phrase means a fixed span, a recurring one, or one counted from today.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

#: First and last day, both included.
Span = tuple[date, date]
#: Month and day on which a financial year begins.
YearStart = tuple[int, int]

NEW_YEAR: YearStart = (1, 1)

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
    FISCAL_YEAR = "financial year"


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


def fiscal_year(ending: int, start: YearStart) -> Span:
    """Return the financial year that ends in a calendar year; one that begins on 1 January is that year itself."""
    first = ending - (start != NEW_YEAR)
    return date(first, *start), date(first + 1, *start) - _DAY


def unit_span(unit: Unit, day: date, offset: int = 0, week_start: int = 0, year_start: YearStart = NEW_YEAR) -> Span:
    """Return the unit that holds the day, moved by ``offset`` units; OverflowError or ValueError out of the calendar.

    A weekend is a Saturday with the Sunday after it; a day in between counts to the weekend before it.
    """
    if unit is Unit.FISCAL_YEAR:
        ending = day.year + ((day.month, day.day) >= year_start != NEW_YEAR)
        return fiscal_year(ending + offset, year_start)
    if isinstance(unit.value, int):
        return whole_months((month_number(day) // unit.value + offset) * unit.value, unit.value)
    if unit in {Unit.DAY, Unit.HOUR}:
        return day_span(day + offset * _DAY)
    first_weekday, length = (5, 2) if unit is Unit.WEEKEND else (week_start, 7)
    start = day - (day.weekday() - first_weekday) % 7 * _DAY + 7 * offset * _DAY
    return start, start + (length - 1) * _DAY


def units_before(unit: Unit, count: int, day: date, week_start: int = 0, year_start: YearStart = NEW_YEAR) -> Span:
    """Return the ``count`` full units before the one that holds the day."""
    first = unit_span(unit, day, -count, week_start, year_start)
    last = unit_span(unit, day, -1, week_start, year_start)
    return first[0], last[1]


def units_after(unit: Unit, count: int, day: date, week_start: int = 0, year_start: YearStart = NEW_YEAR) -> Span:
    """Return the ``count`` full units after the one that holds the day."""
    first = unit_span(unit, day, 1, week_start, year_start)
    last = unit_span(unit, day, count, week_start, year_start)
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


@dataclass(frozen=True, slots=True)
class Context:
    """What a relative phrase is relative to; ``anchor`` is the period that the conversation is about."""

    today: date
    week_start: int = 0
    anchor: Span | None = None
    year_start: YearStart = NEW_YEAR
    """Where a financial year begins."""
    named_by_start: bool = False
    """Whether a financial year has the number of the year that it begins in, and not of the one that it ends in."""

    @property
    def starts(self) -> tuple[int, YearStart]:
        """Where weeks and financial years begin."""
        return self.week_start, self.year_start

    def unit(self, unit: Unit, offset: int = 0) -> Span:
        """Return the unit that holds today, moved by ``offset`` units."""
        return unit_span(unit, self.today, offset, *self.starts)


class Cadence(Enum):
    """How often a recurring span comes back, and so what its occurrences are numbered by."""

    YEARLY = "year"
    MONTHLY = "month"
    WEEKLY = "week"

    def number(self, day: date) -> int:
        """Return the running number of the year, month or week that holds the day."""
        if self is Cadence.YEARLY:
            return day.year
        return month_number(day) if self is Cadence.MONTHLY else (day.toordinal() - 1) // 7


@dataclass(frozen=True, slots=True)
class Fixed:
    """Dates that were written out in full; they stay whole even where they lie in the future."""

    span: Span

    def whole(self, _context: Context) -> Span | None:
        """Return the span."""
        return self.span

    def known(self, _context: Context) -> Span | None:
        """Return the span."""
        return self.span

    def map(self, change: Callable[[Span], Span]) -> Node:
        """Return the node of the changed span, or ``NOWHERE`` if the calendar has no such dates."""
        try:
            return Fixed(change(self.span))
        except (ValueError, OverflowError):
            return NOWHERE


@dataclass(frozen=True, slots=True)
class Relative:
    """Dates counted from today or from the anchor, up to today unless they hang on written-out ones."""

    find: Callable[[Context], Span | None]
    past_only: bool = True

    def whole(self, context: Context) -> Span | None:
        """Return the span as the calendar has it."""
        try:
            return self.find(context)
        except (ValueError, OverflowError):
            return None

    def known(self, context: Context) -> Span | None:
        """Return the span up to today."""
        span = self.whole(context)
        return to_date(span, context.today) if self.past_only else span

    def map(self, change: Callable[[Span], Span]) -> Node:
        """Return the node of the changed span."""

        def find(context: Context) -> Span | None:
            span = self.find(context)
            return None if span is None else change(span)

        return Relative(find, self.past_only)


@dataclass(frozen=True, slots=True)
class Recurring:
    """Dates that come back: October, the 5th, Tuesday, Easter; alone they mean the latest that has begun."""

    of: Callable[[int], Span]
    cadence: Cadence = Cadence.YEARLY

    def occurrence(self, number: int) -> Span | None:
        """Return the span in that year, month or week, if there is one (29 February, the 31st)."""
        try:
            return self.of(number)
        except (ValueError, OverflowError):
            return None

    def latest(self, fits: Callable[[Span], bool], near: date, skip: int = 0) -> Span | None:
        """Return the latest occurrence around the day or before that fits, or the ``skip``-th before that."""
        number = self.cadence.number(near)
        # Nine steps: 29 February can be eight years away, and a winter begins in the year before.
        for candidate in range(number + 1, number - 9, -1):
            span = self.occurrence(candidate)
            if span is not None and fits(span):
                if not skip:
                    return span
                skip -= 1
        return None

    def next_after(self, day: date) -> Span | None:
        """Return the first occurrence that begins after the day."""
        number = self.cadence.number(day)
        for candidate in range(number - 1, number + 10):
            span = self.occurrence(candidate)
            if span is not None and span[0] > day:
                return span
        return None

    def begun(self, by: date) -> Span | None:
        """Return the latest occurrence that begins on the day or before."""
        return self.latest(lambda span: span[0] <= by, by)

    def whole(self, context: Context) -> Span | None:
        """Return the latest occurrence that has begun, to its end."""
        return self.begun(context.today)

    def known(self, context: Context) -> Span | None:
        """Return the latest occurrence that has begun, up to today."""
        return to_date(self.whole(context), context.today)

    def map(self, change: Callable[[Span], Span]) -> Node:
        """Return the recurring node of the changed span."""
        return Recurring(lambda number: change(self.of(number)), self.cadence)

    def before_today(self, times: int = 1) -> Relative:
        """Return "last October": the latest that is over (``times`` = 2: the one before it)."""
        return Relative(
            lambda context: self.latest(lambda span: span[1] < context.today, context.today, skip=times - 1),
        )

    def this_one(self) -> Relative:
        """Return "this October": the one of the current year, month or week."""

        def find(context: Context) -> Span | None:
            if self.cadence is Cadence.WEEKLY:
                day = self.occurrence(0)
                weekday = day[0].weekday() if day else 0
                start = context.today.toordinal() - (context.today.weekday() - context.week_start) % 7
                return day_span(date.fromordinal(start + (weekday - context.week_start) % 7))
            return self.occurrence(self.cadence.number(context.today))

        return Relative(find)

    def in_year(self, year: Node) -> Node:
        """Return the occurrence in the year that the other node names."""
        if isinstance(year, Fixed):
            span = self.occurrence(year.span[0].year)
            return NOWHERE if span is None else Fixed(span)

        def find(context: Context) -> Span | None:
            named = year.whole(context)
            return None if named is None else self.occurrence(named[0].year)

        return Relative(find)


Node: TypeAlias = Fixed | Relative | Recurring

#: Dates that no calendar has, such as 30 February: understood, and still unknown.
NOWHERE = Relative(lambda _context: None)


def between(first: Node, last: Node) -> Node:
    """Return the span from one node to another; years left out are chosen so that it is in order and has begun."""
    if isinstance(first, Fixed) and isinstance(last, Fixed):
        return Fixed((first.span[0], last.span[1])) if first.span[0] <= last.span[1] else NOWHERE

    def find(context: Context) -> Span | None:
        if isinstance(last, Recurring) and not isinstance(first, Recurring):
            start = first.whole(context)
            end = start and last.next_after(start[0])
        else:
            end = last.whole(context)
            start = end and (first.begun(end[0]) if isinstance(first, Recurring) else first.whole(context))
        if not start or not end or start[0] > end[1]:
            return None
        return start[0], end[1]

    written_out = isinstance(last, Fixed) or (isinstance(first, Fixed) and isinstance(last, Recurring))
    return Relative(find, past_only=not written_out)
