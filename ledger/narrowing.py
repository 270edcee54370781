"""Where the newest or the largest few rows of a scope must be, so that no database sorts a whole ledger to find them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ledger import schema
from ledger.tallies import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

    from ledger.filters import Filter, Order
    from ledger.tallies import Cell

_rows = schema.transactions.c
#: More ranges of days than this help no database.
_MOST_RANGES = 20


def narrow(
    connection: sa.Connection, ledger_id: int, wanted: Filter, order: Order, number: int
) -> list[list[sa.ColumnElement[bool]]]:
    """Return where the first ``number`` rows of a filter in some order are, as conditions of which each row meets one set."""
    found = cells(connection, ledger_id, wanted)
    if order == "newest":
        after = _reached(
            [(each.first, each.count) for each in sorted(found, key=lambda c: c.first, reverse=True)], number
        )
        return [[]] if after is None else [[_rows.booked_on >= after.isoformat()]]
    if order == "oldest":
        before = _reached([(each.last, each.count) for each in sorted(found, key=lambda c: c.last)], number)
        return [[]] if before is None else [[_rows.booked_on <= before.isoformat()]]
    return _by_size(found, number, largest=order == "largest")


def _reached(days: Sequence[tuple[Any, int]], number: int) -> Any:
    """Return the day by which so many rows are reached, or None if there are fewer."""
    for day, count in days:
        number -= count
        if number <= 0:
            return day
    return None


def _by_size(found: Sequence[Cell], number: int, *, largest: bool) -> list[list[sa.ColumnElement[bool]]]:
    """Each of as many cells as rows are wanted holds one at least as large as the smallest of their largest ones."""
    sizes = sorted((each.most_minor if largest else each.least_minor for each in found), reverse=largest)
    if len(sizes) < number:
        return [[]]
    bound, amount = sizes[number - 1], _rows.amount_minor
    within: sa.ColumnElement[bool]
    if largest:
        chosen = [each for each in found if each.most_minor >= bound]
        within = (amount >= bound) | (amount <= -bound)
    else:
        chosen = [each for each in found if each.least_minor <= bound]
        within = amount.between(-bound, bound)
    ranges = sorted((each.first.isoformat(), each.last.isoformat()) for each in chosen)
    overlap = any(last >= first for (_, last), (first, _) in pairwise(ranges))
    if overlap or len(ranges) > _MOST_RANGES:
        return [[within]]
    return [[within, _rows.booked_on.between(*days)] for days in ranges]
