"""Amounts as a reader's locale writes them, and dates and periods in the language of an answer."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from babel import Locale
from babel.dates import format_date, get_day_names
from babel.numbers import format_currency, format_decimal, format_percent

from language.catalogue import joined, said_in, say, translated
from language.tongue import DEFAULT
from ledger.money import exponent
from ledger.periods import granularity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.money import Money
    from ledger.periods import Period

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
    """Return percent with one decimal as the locale writes it, e.g. ``12.5%``, in German ``12,5 %``."""
    known = Locale.parse(_known(locale))
    whole = known.percent_formats[None].pattern
    return str(format_percent(value / 100, re.sub("0(?=[^0]*$)", "0.0", whole), locale=known))


@lru_cache(maxsize=4096)
def day(value: date, language: str) -> str:
    """Return a day with its year, e.g. ``3 Oct 2026``."""
    return _dated(value, "d MMM y", language)


def brief_day(value: date, language: str) -> str:
    """Return a day as it stands in a column of another language, in figures alone where that is usual: ``03.10.2026``."""
    return format_date(value, "medium", locale=language)


def month(value: date, language: str) -> str:
    """Return a month by name, e.g. ``October 2026``."""
    return _dated(value, "LLLL y", language)


def month_name(key: str, language: str) -> str:
    """Return a month given as ``2026-10`` by name."""
    return month(date.fromisoformat(f"{key}-01"), language)


def quarter_name(value: date, language: str) -> str:
    """Return the quarter that a day lies in, e.g. ``Q3 2026``."""
    name = say("Q{number} {year}", number=str((value.month + 2) // 3), year=str(value.year))
    return translated(name, language)


def tick(start: date, grain: str, language: str) -> tuple[str, str]:
    """Return what stands below a value in order of time, and its year: ``Oct`` and ``2026``, ``3 Oct`` and ``2026``."""
    year = str(start.year)
    if grain == "year":
        return year, ""
    if grain == "quarter":
        return translated(say("Q{number}", number=str((start.month + 2) // 3)), language), year
    return _dated(start, "LLL" if grain == "month" else "d LLL", language), year


def day_range(start: date, end: date, language: str) -> str:
    """Return two days as one range, what they share written once: ``1–31 Oct 2026``."""
    if start == end:
        return day(start, language)
    if (start.year, start.month) == (end.year, end.month):
        return f"{_dated(start, 'd', language)}–{day(end, language)}"
    if start.year == end.year:
        return f"{_dated(start, 'd MMM', language)} – {day(end, language)}"
    return f"{day(start, language)} – {day(end, language)}"


def _dated(value: date, form: str, language: str) -> str:
    """Return a day in a pattern of dates (UTS 35), which a language may write in its own way."""
    told = form if language == DEFAULT else translated(form, language)
    return str(format_date(value, told, locale=language))


def period_name(period: Period, language: str) -> str:
    """Return a period by its shortest name: ``October 2026``, ``Q3 2026``, ``2026``, ``1–17 Oct 2026``, ``all time``."""
    if period.start == date.min or period.end == date.max:
        return when(period, language) or translated("all time", language)
    size = granularity(period)
    if size == "month":
        return month(period.start, language)
    if size == "year":
        return str(period.start.year)
    if size == "quarter":
        return quarter_name(period.start, language)
    return day_range(period.start, period.end, language)


@lru_cache(maxsize=1024)
def when(period: Period, language: str) -> str:
    """Return a period as it stands in a sentence: ``in October 2026``, ``since 1 Mar 2026``, nothing for all time."""
    parts = [_weekdays(period)] if period.weekdays else []
    if period.start == date.min and period.end != date.max:
        parts.append(say("until {day}", day=day(period.end, language)))
    elif period.end == date.max and period.start != date.min:
        parts.append(say("since {day}", day=day(period.start, language)))
    elif period.start != date.min:
        size = granularity(period)
        if size == "day":
            parts.append(say("on {day}", day=day(period.start, language)))
        elif size == "month":
            parts.append(say("in {month}", month=month(period.start, language)))
        elif size == "year":
            parts.append(say("in {year}", year=str(period.start.year)))
        elif size == "quarter":
            parts.append(say("in {quarter}", quarter=period_name(period, language)))
        else:
            first, last = _start_of_range(period, language), day(period.end, language)
            parts.append(say("from {first} to {last}", first=first, last=last))
    return " ".join(translated(part, language) for part in parts)


def _start_of_range(period: Period, language: str) -> str:
    """Return a range's first day without what its last day says again: ``9`` (to 15 Nov 2026), ``1 Jan`` (to 21 Nov)."""
    if period.start.year != period.end.year:
        return day(period.start, language)
    if period.start.month == period.end.month:
        return _dated(period.start, "d", language)
    return _dated(period.start, "d MMM", language)


def _weekdays(period: Period) -> str:
    if tuple(sorted(period.weekdays)) == _WEEKEND:
        return "on weekends"
    if tuple(sorted(period.weekdays)) == _WORKING_DAYS:
        return "on weekdays"
    names = get_day_names("wide", locale=DEFAULT)
    return joined((say(f"on {names[weekday]}s") for weekday in period.weekdays), ", ")


def enumeration(names: Sequence[str], language: str) -> str:
    """Return names as one list: ``A, B and C``."""
    *most, last = (said_in(language, name) for name in names)
    return f"{', '.join(most)}{translated(' and ', language)}{last}" if most else last


@lru_cache(maxsize=64)
def _known(locale: str) -> str:
    """Return the locale if its data is there, else American English."""
    from babel import UnknownLocaleError

    try:
        Locale.parse(locale.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return "en_US"
    return locale.replace("-", "_")
