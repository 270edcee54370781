"""Dates, periods and amounts in words, for a reader's locale."""

from __future__ import annotations

import calendar
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from babel.dates import format_date
from babel.numbers import format_currency, format_decimal, format_percent

from ledger.money import exponent
from ledger.periods import granularity

if TYPE_CHECKING:
    from ledger.money import Money
    from ledger.periods import Period

#: Sentences are English, and so are the names of months in them; figures follow the reader's locale.
_DATES = "en_US"
_WEEKEND = (5, 6)
_WORKING_DAYS = (0, 1, 2, 3, 4)


def money(amount: Money, locale: str) -> str:
    """Return an amount with its currency sign and all of its digits, e.g. ``$1,234.50``."""
    return figure(amount.amount, amount.currency, locale)


@lru_cache(maxsize=2048)
def figure(amount: Decimal, currency: str, locale: str) -> str:
    """Return an amount in major units in the same way, rounded half to even to the currency's digits."""
    digits = exponent(currency)
    rounded = amount.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)
    text = str(format_currency(rounded, currency, locale=_known(locale), decimal_quantization=False))
    return text if digits else text.replace("\N{NO-BREAK SPACE}", " ")


def number(value: int | Decimal, locale: str) -> str:
    """Return a number with the locale's separators."""
    return str(format_decimal(value, locale=_known(locale), decimal_quantization=False))


@lru_cache(maxsize=2048)
def percentage(value: Decimal, locale: str) -> str:
    """Return percent with one decimal, e.g. ``12.5%``."""
    return str(format_percent(value / 100, "#,##0.0%", locale=_known(locale)))


@lru_cache(maxsize=4096)
def day(value: date, locale: str) -> str:
    """Return a day with its year, e.g. ``3 Oct 2026``."""
    del locale
    return str(format_date(value, "d MMM y", locale=_DATES))


def month(value: date, locale: str) -> str:
    """Return a month by name, e.g. ``October 2026``."""
    del locale
    return str(format_date(value, "LLLL y", locale=_DATES))


def month_name(key: str, locale: str) -> str:
    """Return a month given as ``2026-10`` by name."""
    return month(date.fromisoformat(f"{key}-01"), locale)


def day_range(start: date, end: date, locale: str) -> str:
    """Return two days as one range, what they share written once: ``1–31 Oct 2026``."""
    if start == end:
        return day(start, locale)
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{day(end, locale)}"
    if start.year == end.year:
        return f"{format_date(start, 'd MMM', locale=_DATES)} – {day(end, locale)}"
    return f"{day(start, locale)} – {day(end, locale)}"


def period_name(period: Period, locale: str) -> str:
    """Return a period by its shortest name: ``October 2026``, ``Q3 2026``, ``2026``, ``1–17 Oct 2026``, ``all time``."""
    if period.start == date.min or period.end == date.max:
        return when(period, locale) or "all time"
    size = granularity(period)
    if size == "month":
        return month(period.start, locale)
    if size == "year":
        return str(period.start.year)
    if size == "quarter":
        return f"Q{(period.start.month + 2) // 3} {period.start.year}"
    return day_range(period.start, period.end, locale)


@lru_cache(maxsize=1024)
def when(period: Period, locale: str) -> str:
    """Return a period as it stands in a sentence: ``in October 2026``, ``since 1 Mar 2026``, nothing for all time."""
    parts = [_weekdays(period)] if period.weekdays else []
    if period.start == date.min and period.end != date.max:
        parts.append(f"until {day(period.end, locale)}")
    elif period.end == date.max and period.start != date.min:
        parts.append(f"since {day(period.start, locale)}")
    elif period.start != date.min:
        size = granularity(period)
        if size == "day":
            parts.append(f"on {day(period.start, locale)}")
        elif size in ("month", "quarter", "year"):
            parts.append(f"in {period_name(period, locale)}")
        else:
            parts.append(f"from {_start_of_range(period, locale)} to {day(period.end, locale)}")
    return " ".join(parts)


def _start_of_range(period: Period, locale: str) -> str:
    """Return a range's first day without what its last day says again: ``9`` (to 15 Nov 2026), ``1 Jan`` (to 21 Nov)."""
    if period.start.year != period.end.year:
        return day(period.start, locale)
    if period.start.month == period.end.month:
        return str(period.start.day)
    return str(format_date(period.start, "d MMM", locale=_DATES))


def _weekdays(period: Period) -> str:
    if tuple(sorted(period.weekdays)) == _WEEKEND:
        return "on weekends"
    if tuple(sorted(period.weekdays)) == _WORKING_DAYS:
        return "on weekdays"
    return ", ".join(f"on {calendar.day_name[weekday]}s" for weekday in period.weekdays)


@lru_cache(maxsize=64)
def _known(locale: str) -> str:
    """Return the locale if its data is there, else American English."""
    from babel import Locale, UnknownLocaleError

    try:
        Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return "en_US"
    return locale.replace("-", "_")
