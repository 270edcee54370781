"""Holidays by name: the days of a year that people shop, travel and ask about."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.periods.spans import Span

_MON, _THU, _SUN = 0, 3, 6


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the anonymous computus of 1876)."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    leap_centuries, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap_centuries - correction + 15) % 30
    weekday = (32 + 2 * rest + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, number: int) -> date:
    """Return the ``number``-th such weekday of the month (1 = first, -1 = last); ValueError if there is none."""
    if number < 0:
        after = date(year + month // 12, month % 12 + 1, 1)
        return after - timedelta(days=(after.weekday() - weekday - 1) % 7 + 1 + 7 * (-number - 1))
    first = date(year, month, 1)
    return date(year, month, 1 + (weekday - first.weekday()) % 7 + 7 * (number - 1))


def _fixed(month: int, day: int, days: int = 1) -> Callable[[int], Span]:
    return lambda year: (date(year, month, day), date(year, month, day) + timedelta(days=days - 1))


def _from_easter(offset: int, days: int = 1) -> Callable[[int], Span]:
    return lambda year: (easter(year) + timedelta(days=offset), easter(year) + timedelta(days=offset + days - 1))


def _nth(month: int, weekday: int, number: int, later: int = 0) -> Callable[[int], Span]:
    def of_year(year: int) -> Span:
        day = nth_weekday(year, month, weekday, number) + timedelta(days=later)
        return day, day

    return of_year


#: Name to its days in a year. Movable American ones follow 5 U.S.C. § 6103 and custom; church feasts follow Easter.
NAMED_DAYS: dict[str, Callable[[int], Span]] = {
    "new year": _fixed(1, 1),
    "epiphany": _fixed(1, 6),
    "mlk day": _nth(1, _MON, 3),
    "valentine": _fixed(2, 14),
    "presidents day": _nth(2, _MON, 3),
    "carnival monday": _from_easter(-48),
    "mardi gras": _from_easter(-47),
    "ash wednesday": _from_easter(-46),
    "st patrick": _fixed(3, 17),
    "palm sunday": _from_easter(-7),
    "good friday": _from_easter(-2),
    "easter": _from_easter(-2, 4),
    "easter sunday": _from_easter(0),
    "easter monday": _from_easter(1),
    "may day": _fixed(5, 1),
    "ascension": _from_easter(39),
    "whitsun": _from_easter(49, 2),
    "whit monday": _from_easter(50),
    "corpus christi": _from_easter(60),
    "mother": _nth(5, _SUN, 2),
    "memorial day": _nth(5, _MON, -1),
    "father": _nth(6, _SUN, 3),
    "juneteenth": _fixed(6, 19),
    "independence day": _fixed(7, 4),
    "labor day": _nth(9, _MON, 1),
    "german unity": _fixed(10, 3),
    "columbus day": _nth(10, _MON, 2),
    "halloween": _fixed(10, 31),
    "all saints": _fixed(11, 1),
    "veterans day": _fixed(11, 11),
    "thanksgiving": _nth(11, _THU, 4),
    "black friday": _nth(11, _THU, 4, later=1),
    "cyber monday": _nth(11, _THU, 4, later=4),
    "giving tuesday": _nth(11, _THU, 4, later=5),
    "st nicholas": _fixed(12, 6),
    "christmas eve": _fixed(12, 24),
    "christmas": _fixed(12, 24, 3),
    "christmas day": _fixed(12, 25),
    "boxing day": _fixed(12, 26),
    "new year's eve": _fixed(12, 31),
}
