"""The days of a statement's rows: those without a year get it from the time that the statement is of."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.errors import AmbiguousDates, UnreadableFile
from ledger.importers.dates import Order, read_date
from ledger.importers.pdf.stated import Period, day_in, periods_in, stated_days
from ledger.importers.pdf.tokens import has_year
from ledger.importers.recognition import FROM_BANK
from ledger.importers.table.signs import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.importers.pdf.lines import Line

#: A card's purchase is booked some time after it was made; a value date lies some days after the end.
_BEFORE, _AFTER = timedelta(62), timedelta(10)
#: A statement is of a month or a quarter; a year is taken only where nothing shorter is named.
_USUAL = 100

NO_YEAR = f"The days in this PDF have no year, and I can't find the period that it is of. {FROM_BANK}"
OTHER_DAYS = (
    f"The days of the rows in this PDF don't lie in the period that it states, so I can't be sure of them. {FROM_BANK}"
)

Days = dict[str, date]
_ORDERS = (Order.DAY_MONTH_YEAR, Order.MONTH_DAY_YEAR)


def settle_days(cells: Sequence[str], lines: Sequence[Line], day_first: bool | None) -> Days:
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


def _candidates(lines: Sequence[Line], order: Order) -> list[Period]:
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


def _readings(cells: Iterable[str], lines: Sequence[Line], order: Order) -> Iterator[Days]:
    """Yield what the cells mean in one order, for each time of which all of them are."""
    distinct = list(dict.fromkeys(cells))
    for period in _candidates(lines, order):
        days = {cell: _within(cell, period, order) for cell in distinct}
        found = {cell: day for cell, day in days.items() if day is not None}
        if len(found) == len(distinct):
            yield found


def _within(cell: str, period: Period, order: Order) -> date | None:
    """Return the day that a cell means if it is about that time; without a year, the latest that is not after it."""
    if has_year(cell):
        day = read_date(cell, order)
        return day if day and period.start - _BEFORE <= day <= period.end + _AFTER else None
    for year in (period.end.year + 1, period.end.year, period.end.year - 1):
        day = day_in(cell, year, order)
        if day is not None and period.start - _BEFORE <= day <= period.end + _AFTER:
            return day
    return None


def _is_steady(days: Sequence[date]) -> bool:
    """Tell days that only rise, or only fall."""
    steps = list(pairwise(days))
    return all(a <= b for a, b in steps) or all(a >= b for a, b in steps)


def names_time(lines: Sequence[Line]) -> bool:
    """Whether lines say of which time a statement is."""
    return any(_candidates(lines, order) for order in _ORDERS)


def names_period(lines: Sequence[Line]) -> bool:
    """Whether lines say from which day to which a statement is."""
    return any(period.days for order in _ORDERS for period in periods_in(lines, order))


def period_of(lines: Sequence[Line], first: date, last: date) -> Period | None:
    """Return the shortest time that a document names and that all of its days lie in."""
    found = [
        period
        for order in _ORDERS
        for period in periods_in(lines, order)
        if period.start <= first and last <= period.end and period.days
    ]
    return min(found, key=lambda period: period.days, default=None)
