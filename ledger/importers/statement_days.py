"""The days of a statement's rows: those without a year get it from the time that the statement is of."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousDates, UnreadableFile
from ledger.importers.dates import FIRST_YEAR, LAST_YEAR, Order, month_of, read_date
from ledger.importers.pdf.labels import label_of, pattern_of
from ledger.importers.pdf.tokens import has_year
from ledger.importers.recognition import FROM_BANK
from ledger.importers.table.signs import quote
from ledger.importers.table.vocabulary import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: A card's purchase is booked some time after it was made; a value date lies some days after the end.
_BEFORE, _AFTER = timedelta(62), timedelta(10)
#: A statement is of a month or a quarter; a year is taken only where nothing shorter is named.
_USUAL = 100

NO_YEAR = f"The days in this file have no year, and I can't find the period that it is of. {FROM_BANK}"
OTHER_DAYS = (
    f"The days of the rows in this file don't lie in the period that it states, so I can't be sure of them. {FROM_BANK}"
)

Days = dict[str, date]
_ORDERS = (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR)


#: A day that stands by itself in one of so many first lines, with so many words beside it, is the statement's own.
_TOP, _ALONE = 12, 4
#: The longest stretch of time that a statement is of, in days.
_LONGEST = 400
_NAMED = r"[^\W\d_]{3,12}\.?"
_ORDINAL = r"(?:st|nd|rd|th|er|\.)?"
_DAY = (
    r"(?:[0-9]{1,4}[./-] ?[0-9]{1,2}[./-] ?[0-9]{2,4}"
    rf"|[0-9]{{1,2}}{_ORDINAL}[- .]*(?:de )?{_NAMED},?[- .]*(?:de )?[0-9]{{2,4}}"
    rf"|{_NAMED} ?[0-9]{{1,2}}{_ORDINAL},? [0-9]{{4}})"
)
_DAY_ALONE = (
    r"(?:[0-9]{1,2}[./-][0-9]{1,2}[./-]?"
    rf"|[0-9]{{1,2}}{_ORDINAL}[- .]*{_NAMED}|{_NAMED} ?[0-9]{{1,2}}{_ORDINAL})"
)
_UNTIL = (
    r" ?(?:-|–|—|to|through|thru|until|till|til|bis(?: zum)?|au|al|a|hasta|até|tot(?: en met)?|t/m|do|έως|по|sampai|s/d|"
    "and|und|et) ?"
)
_PERIOD = re.compile(rf"(?<![0-9./-])({_DAY}|{_DAY_ALONE}){_UNTIL}({_DAY})(?![0-9])", re.IGNORECASE)
_MONTH = re.compile(r"(?<![0-9] )(?<![0-9][.-])\b([^\W\d_]{3,12}) ([0-9]{4})\b")
_ABOUT = pattern_of(
    r"\b(?:statement|kontoauszug|auszug|abrechnung|rechnung|releve|extracto|estratto|extrato|afschrift|rekeningoverzicht|"
    r"kontoutdrag|kontoutskrift|kontoudskrift|period|zeitraum|periode|month|monat)"
)
_ANY_DAY = re.compile(rf"(?<![0-9./-]){_DAY}(?![0-9])", re.IGNORECASE)
_DATED = pattern_of(
    r"\b(?:statement|closing|issue|issued|invoice|billing|rechnungsdatum|abrechnungsdatum|auszugsdatum|erstellt|datum|"
    r"date d arrete|arrete|fecha de corte|date|dato)\b"
)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that a document names, both days included."""

    start: date
    end: date

    @property
    def days(self) -> int:
        """How long it is."""
        return (self.end - self.start).days


def periods_in(lines: Iterable[str], order: Order) -> list[Period]:
    """Return the stretches of time that a document names from one day to another, in its order; else whole months."""
    found: list[Period] = []
    months: list[Period] = []
    for line in lines:
        text = line[:400]
        for match in _PERIOD.finditer(text):
            period = _period(match[1], match[2], order)
            if period is not None and period not in found:
                found.append(period)
        if _ABOUT.search(fold(text)):
            months += [month for match in _MONTH.finditer(text) if (month := _month(match[1], int(match[2])))]
    return found or list(dict.fromkeys(months))


def _period(first: str, last: str, order: Order) -> Period | None:
    end = read_date(_plain(last), order)
    if end is None:
        return None
    start = read_date(_plain(first), order) if re.search(r"[0-9]{2}$", first) else None
    if start is None:
        start = _with_year(first, end, order)
    if start is None or not 0 <= (end - start).days <= _LONGEST:
        return None
    return Period(start, end)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" ,")


def _with_year(text: str, end: date, order: Order) -> date | None:
    """Return the last such day up to another one."""
    for year in (end.year, end.year - 1):
        found = day_in(text, year, order)
        if found is not None and found <= end:
            return found
    return None


def day_in(text: str, year: int, order: Order) -> date | None:
    """Return the day of a year that a text without one means, numbers in the given order."""
    text = text.strip(" ,").rstrip("./-")
    numbers = re.fullmatch(r"([0-9]{1,2})([./-])([0-9]{1,2})", text)
    if numbers:
        month_first = order is Order.MONTH_DAY_YEAR and numbers[2] != "."
        first, second = int(numbers[1]), int(numbers[3])
        return _day(year, *((first, second) if month_first else (second, first)))
    name, number = re.search(r"[^\W\d_]{3,12}", text), re.search(r"[0-9]{1,2}", text)
    return _day(year, month_of(name[0]), int(number[0])) if name and number else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _month(name: str, year: int) -> Period | None:
    month = month_of(name)
    if not month or not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def stated_days(lines: Iterable[str], order: Order) -> list[date]:
    """Return the days that a document gives for itself, such as its own date, where it names no stretch of time."""
    found = []
    for place, line in enumerate(lines):
        text = line[:400]
        alone = place < _TOP and len(_ANY_DAY.sub("", text).split()) <= _ALONE
        if alone or _DATED.search(fold(text)) or label_of(_ANY_DAY.sub("", text)):
            found += [day for match in _ANY_DAY.finditer(text) if (day := read_date(_plain(match[0]), order))]
    return found


def settle_days(cells: Sequence[str], lines: Sequence[str], day_first: bool | None) -> Days:
    """Return the days that cells without a year mean, by how they are written; those with one only if the period decides.

    Raises:
        AmbiguousDates: either of day and month may come first.
        UnreadableFile: no year can be found, or the days lie outside of the period.
    """
    orders = list(_ORDERS)
    if day_first is not None:
        orders = orders[:1] if day_first else orders[1:]
    bare = any(not has_year(cell) for cell in cells)
    named = any(_candidates(lines, order) for order in orders)
    if not named:
        if bare:
            raise UnreadableFile(NO_YEAR)
        return {}
    readings = [days for order in orders for days in _readings(cells, lines, order)]
    distinct = [days for place, days in enumerate(readings) if days not in readings[:place]]
    if not distinct:
        raise UnreadableFile(OTHER_DAYS)
    steady = [days for days in distinct if _is_steady([days[cell] for cell in cells])]
    if len(distinct) > 1 and len(steady) == 1:
        distinct = steady
    if len(distinct) == 1:
        return distinct[0]
    if not bare:
        return {}  # the table as a whole decides, or the person
    first, second, *_ = distinct
    cell = next(cell for cell in cells if first[cell] != second[cell])
    if first[cell].year != second[cell].year:
        raise UnreadableFile(NO_YEAR)
    raise AmbiguousDates(quote(cell), first[cell], second[cell])


def _candidates(lines: Sequence[str], order: Order) -> list[Period]:
    """Return the times that a document may be of."""
    periods = periods_in(lines, order)
    usual = [period for period in periods if 0 < period.days <= _USUAL]
    if usual or periods:
        return usual or periods
    days = stated_days(lines, order)
    if not days:
        return []
    first, last = min(days), max(days)
    return [Period(first if (last - first).days <= _USUAL else last, last)]


def _readings(cells: Iterable[str], lines: Sequence[str], order: Order) -> Iterator[Days]:
    """Yield what the cells mean in one order, for each time of which all of them are."""
    distinct = list(dict.fromkeys(cells))
    for period in _candidates(lines, order):
        days = {cell: _within(cell, period, order) for cell in distinct}
        found = {cell: day for cell, day in days.items() if day is not None}
        if len(found) == len(distinct):
            yield found


def _within(cell: str, period: Period, order: Order) -> date | None:
    """Return the day that a cell means if it is within that time, else if it is about it.

    Raises:
        UnreadableFile: the cell has no year, and two of them would do.
    """
    years = range(period.start.year - 1, period.end.year + 2)
    dated = [read_date(cell, order)] if has_year(cell) else [day_in(cell, year, order) for year in years]
    about = [day for day in dated if day and period.start - _BEFORE <= day <= period.end + _AFTER]
    found = [day for day in about if period.start <= day <= period.end] or about
    if len(found) > 1:
        raise UnreadableFile(NO_YEAR)
    return found[0] if found else None


def _is_steady(days: Sequence[date]) -> bool:
    """Tell days that only rise, or only fall."""
    steps = list(pairwise(days))
    return all(a <= b for a, b in steps) or all(a >= b for a, b in steps)


def names_time(lines: Sequence[str]) -> bool:
    """Whether lines say of which time a statement is."""
    return any(_candidates(lines, order) for order in _ORDERS)


def names_period(lines: Sequence[str]) -> bool:
    """Whether lines say from which day to which a statement is."""
    return any(period.days for order in _ORDERS for period in periods_in(lines, order))


def period_of(lines: Sequence[str], first: date, last: date) -> Period | None:
    """Return the shortest time that a document names and that all of its days lie in."""
    found = [
        period
        for order in _ORDERS
        for period in periods_in(lines, order)
        if period.start <= first and last <= period.end and period.days
    ]
    return min(found, key=lambda period: period.days, default=None)
