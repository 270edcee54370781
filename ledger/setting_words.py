"""What people call time zones, languages, currencies and days, in English and German, and how each is stored."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import get_day_names
from babel.numbers import get_currency_name

from ledger.importers.currencies import CODES
from ledger.stemming import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

_LANGUAGES = ("en_US", "de_DE")
LAST_DAY = "last"
#: What is said without the country; whoever means another dollar is shown which one was read.
_SHORT_CURRENCIES = {
    "dollar": "USD", "dollars": "USD", "pound": "GBP", "pounds": "GBP", "pfund": "GBP", "sterling": "GBP", "yen": "JPY",
    "francs": "CHF", "franken": "CHF", "€": "EUR", "£": "GBP",
}  # fmt: skip
_DAY_OF_MONTH = re.compile(
    r"(?:the |on |am |der |den |zum )*(?P<day>[0-9]{1,2}|first|fifteenth|ersten?|erster|funfzehnten?|funfzehnter)"
    r"(?:st|nd|rd|th|\.)?(?: (?:day )?(?:of )?(?:the|each|every) month| (?:jedes|des|im|jeden) monats?| monthly)?"
)
_LAST_DAY = re.compile(
    r"(?:(?:the |on |at |am |zum |der |den )*(?:last|letzte[rn]?)(?: (?:day|tag))?|(?:the |at |am |zum )*"
    r"(?:month-?end|end|monatsende|ende|ultimo))(?: (?:of )?(?:the|each|every) month| (?:jedes|des|im) monats?)?"
)
_NUMBER_WORDS = {"first": 1, "fifteenth": 15}


def read_zone(text: str) -> str | None:
    """Return the time zone of that name, or the one whose city it is where only one is named after it."""
    wanted = fold(text).replace(" ", "_")
    name = _zones().get(wanted)
    if name is None:
        cities = {zone for folded, zone in _zones().items() if folded.endswith("/" + wanted)}
        name = cities.pop() if len(cities) == 1 else _german_cities().get(wanted)
    try:
        return name if name and ZoneInfo(name).utcoffset(datetime.now(UTC)) is not None else None
    except (ZoneInfoNotFoundError, OSError, ValueError):
        return None


def zones() -> Iterable[str]:
    """Return every time zone's name."""
    return _zones().values()


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones() if name != "localtime"}


@lru_cache(maxsize=1)
def _german_cities() -> dict[str, str]:
    """Time zones by the German name of their city: ``wien``."""
    named = ((zone, names.get("city")) for zone, names in Locale.parse("de").time_zones.items())
    return {fold(city).replace(" ", "_"): zone for zone, city in named if city and zone.casefold() in _zones()}


def read_weekday(text: str) -> str | None:
    """Return a day of the week as a number from 0, Monday, to 6."""
    folded = text.casefold().rstrip(".")
    for name in (folded, folded.removesuffix("s")):
        if name in weekdays():
            return str(weekdays()[name])
    return folded if len(folded) == 1 and folded in "0123456" else None


@lru_cache(maxsize=1)
def weekdays() -> dict[str, int]:
    """Return the names of the days, whole and short, each with its number."""
    return {
        name.casefold().rstrip("."): number
        for locale in _LANGUAGES
        for width in ("wide", "abbreviated")
        for number, name in get_day_names(width, locale=locale).items()
    }


def read_locale(text: str) -> str | None:
    """Return a locale given as such (``de-DE``) or by its language (German, Französisch, British English)."""
    name = _languages().get(fold(text), text)
    try:
        return str(Locale.parse(name.replace("-", "_")))
    except (UnknownLocaleError, ValueError, TypeError):
        return None


def locales() -> Iterable[str]:
    """Return every locale's name."""
    from babel.localedata import locale_identifiers

    return locale_identifiers()


@lru_cache(maxsize=1)
def _languages() -> dict[str, str]:
    """Locales by the English and German names of their languages; the country is the likeliest one."""
    known = set(locales())
    found: dict[str, str] = {}
    for language in reversed(_LANGUAGES):
        for code, name in Locale.parse(language).languages.items():
            home = f"{code}_{get_global('likely_subtags').get(code, code).split('_')[-1]}"
            if {home, code} & known:
                found[fold(name)] = home if home in known else code
    return found


def read_currency(text: str) -> str | None:
    """Return the code of a currency given as a code, by its name, or as euros, dollars, pounds."""
    code = text.upper()
    return code if code in CODES else currency_named(text)


def currency_named(text: str) -> str | None:
    """Return the code of a currency given by its name; a code is no name."""
    return _SHORT_CURRENCIES.get(fold(text)) or _currency_names().get(fold(text))


@lru_cache(maxsize=1)
def _currency_names() -> dict[str, str]:
    return {
        fold(get_currency_name(code, count=count, locale=language)): code
        for code in CODES
        for language in _LANGUAGES
        for count in (None, 1, 2)
    }


def read_payday(text: str) -> str | None:
    """Return a day of the month, ``1`` to ``31``, or ``last``."""
    folded = fold(text)
    if _LAST_DAY.fullmatch(folded):
        return LAST_DAY
    found = _DAY_OF_MONTH.fullmatch(folded)
    if found is None:
        return None
    word = found["day"]
    if not word.isdigit():
        return str(_NUMBER_WORDS.get(word, 15 if word.startswith("funf") else 1))
    return str(int(word)) if 1 <= int(word) <= 31 else None


def ordinal(number: int) -> str:
    """Return a number as a place in a row: ``1st``, ``22nd``, ``11th``."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
