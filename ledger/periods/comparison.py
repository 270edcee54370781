"""Periods to compare a period with: the one before, the year before, the same days of another; its full months.

A period's dates alone can't tell "this year" in January from "this month"; where they are both, the words of its phrase
decide, and without any the shorter unit.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from ledger.periods.fiscal import is_year_start, year_start
from ledger.periods.spans import (
    NEW_YEAR,
    Span,
    Unit,
    YearStart,
    is_month_end,
    is_whole_months,
    month_number,
    shift_span_years,
    shift_years,
    unit_span,
    whole_months,
)
from ledger.periods.tokens import Sentence
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.period import Period

Granularity: TypeAlias = Literal["day", "week", "month", "quarter", "year", "other"]

_DAY = timedelta(days=1)
_NAMES: dict[int, Granularity] = {1: "month", 3: "quarter", 12: "year"}
_TO_DATE = (Unit.MONTH, Unit.QUARTER, Unit.YEAR)


@lru_cache(maxsize=1024)
def granularity(period: Period) -> Granularity:
    """Return the calendar unit that the period is one whole of; any seven days are a week."""
    span = period.start, period.end
    if period.start == period.end:
        return "day"
    if is_whole_months(span):
        months = month_number(span[1]) - month_number(span[0]) + 1
        if unit_span(Unit.QUARTER, span[0]) == span or months != 3:
            return _NAMES.get(months, "other") if months != 12 or span[0].month == 1 else "other"
    return "week" if period.days == 7 else "other"


def is_one_year(period: Period) -> bool:
    """Whether a period is a year long, wherever it begins."""
    return _is_a_year((period.start, period.end))


def _is_a_year(span: Span) -> bool:
    bounded = span[0] != date.min and span[1] != date.max
    return bounded and shift_years(span[0], 1) == span[1] + _DAY


def previous_period(period: Period, to_date_in: str = "") -> Period:
    """Return the period right before: as many whole months, or the same days of the unit before if it is unfinished.

    ``to_date_in``: the currency of a period up to today, which may be a financial year's first days without its phrase.
    Anything else gives as many days directly before. A period with nothing before it (all time) is returned unchanged.
    """
    span = period.start, period.end
    try:
        before = _before(span, period.phrase, year_start(to_date_in))
    except (ValueError, OverflowError):
        return period
    return replace(period, start=before[0], end=before[1], phrase="")


def _before(span: Span, phrase: str, begins: YearStart) -> Span:
    if _is_a_year(span):  # a leap year has a day more
        return shift_years(span[0], -1), span[0] - _DAY
    if _is_financial_year_to_date(span, phrase):
        return shift_years(span[0], -1), shift_years(span[1], -1)
    unit = _unfinished_unit(span, phrase)
    if unit is not None:
        weekday = span[0].weekday()
        return _first_days(span, unit_span(unit, span[0], -1, weekday))
    if begins == (span[0].month, span[0].day) != NEW_YEAR:
        return shift_years(span[0], -1), shift_years(span[1], -1)
    if is_whole_months(span):
        months = month_number(span[1]) - month_number(span[0]) + 1
        return whole_months(month_number(span[0]) - months, months)
    return span[0] - ((span[1] - span[0]).days + 1) * _DAY, span[0] - _DAY


def _unfinished_unit(span: Span, phrase: str) -> Unit | None:
    """Return the unit that the span is the first days of, if it is."""
    fitting = [
        unit for unit in _TO_DATE if (own := unit_span(unit, span[0]))[0] == span[0] and span[0] <= span[1] < own[1]
    ]
    named = _unit_named(phrase)
    if named is Unit.WEEK and span[1] - span[0] < 6 * _DAY:
        return named
    if named in fitting:
        return named
    return fitting[0] if fitting and span[0] != span[1] and not is_whole_months(span) else None


def _is_financial_year_to_date(span: Span, phrase: str) -> bool:
    """Whether the span is the first days of a financial year, by its phrase and where it begins."""
    if not is_year_start(span[0]) or span[1] >= shift_years(span[0], 1):
        return False
    units = (parts.get(Role.UNIT) for parts in Sentence(phrase).parts)
    return any(unit is not None and unit[0] is Unit.FISCAL_YEAR for unit in units)


def _unit_named(phrase: str) -> Unit | None:
    """Return the unit in "this month" or "YTD"."""
    words = Sentence(phrase)
    for index in range(words.length):
        if to_date := words.parts[index].get(Role.TO_DATE):
            return Unit(to_date[0])
        this = words.parts[index].get(Role.THIS)
        unit = this and words.parts[this[1]].get(Role.UNIT)
        if unit:
            return Unit(unit[0])
    return None


def same_days(period: Period, other: Period) -> Period:
    """Return the part of ``other`` that is as far along as ``period``: as many first days, or of years the same dates.

    ``period`` is a unit up to now, ``other`` one of its kind in full; where ``other`` is shorter, its end counts.
    """
    end = _first_days((period.start, period.end), (other.start, other.end))[1]
    return replace(other, end=end, phrase="")


def _first_days(span: Span, other: Span) -> Span:
    same_start = (span[0].month, span[0].day) == (other[0].month, other[0].day)
    if same_start and span[1] < shift_years(span[0], 1):
        # Leap years: up to 21 November is up to 21 November, not as many days.
        end = shift_years(span[1], other[0].year - span[0].year)
    else:
        days = (span[1] - span[0]).days
        end = other[0] + min(days, (other[1] - other[0]).days) * _DAY
    return other[0], min(end, other[1])


def full_months(period: Period, today: date) -> list[Period]:
    """Return the full calendar months inside the period, empty ones included, without the one that today is in.

    An open period has thousands: clip it to the ledger's first day before.
    """
    first = month_number(period.start) + (period.start.day > 1)
    last = month_number(period.end) - (not is_month_end(period.end))
    numbers = range(first, min(last, month_number(today) - 1) + 1)
    spans = (whole_months(number, 1) for number in numbers)
    return [replace(period, start=start, end=end, phrase="") for start, end in spans]


def year_before(period: Period) -> Period:
    """Return the same dates a year earlier; whole months stay whole, 29 February becomes the 28th.

    A period with nothing before it (all time) is returned unchanged.
    """
    try:
        start, end = shift_span_years((period.start, period.end), -1)
    except ValueError:
        return period
    return replace(period, start=start, end=end, phrase="")
