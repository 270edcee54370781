"""Splitting what a question is about: what kept sums answer, and what has to be read from the rows.

The pieces of a filter have no row in common and together all of its rows. A cube answers for whole buckets of time and whole
classes of size; the days and amounts at the edges, and the cells of rows that are left out one by one, are pieces of
their own.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger.cubes import BUCKET_LENGTH, CUBES, size_class, size_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.cubes import Bucket, Cube, Dimension
    from ledger.filters import Filter, GroupBy
    from ledger.periods import Period

_GROUPED: dict[GroupBy, Dimension] = {
    "category": "category",
    "merchant": "merchant",
    "account": "account",
    "weekday": "weekday",
}
_FINE_ENOUGH: dict[Bucket, frozenset[str]] = {
    "day": frozenset(("day", "week", "month", "year")),
    "month": frozenset(("month", "year")),
    "year": frozenset(("year",)),
    "ever": frozenset(),
}
#: Beyond any amount that there is.
_ENDLESS = 10**18


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that a filter leaves out by its id."""

    booked_on: date
    flow: str
    merchant_key: str
    category: str
    account_id: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Hole:
    """Cells of a cube that are read from the rows: their bucket, and what the cube tells apart besides."""

    bucket: str
    merchant_key: str | None = None
    category: str | None = None
    account_id: int | None = None
    size_minor: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a filter; read from a cube in whole buckets, and whole classes of size, but for some holes, else from rows."""

    wanted: Filter
    cube: Cube | None = None
    holes: frozenset[Hole] = frozenset()


def split(
    wanted: Filter, by: GroupBy | None, extent: tuple[date, date] | None, left_out: Sequence[LeftOut] = ()
) -> list[Piece]:
    """Return the pieces of a filter whose rows are to be grouped so.

    ``extent`` are the first and last day of the ledger, outside of which a bucket holds nothing; None is an empty ledger.
    ``left_out`` are the rows of ``wanted.not_ids``.
    """
    if extent is None or (wanted.at_most_minor or 0) < 0:
        return []
    if wanted.at_least_minor is not None and wanted.at_least_minor <= 0:
        wanted = replace(wanted, at_least_minor=None)  # no amount is smaller
    return list(_split(wanted, by, extent, left_out, CUBES))


def _split(
    wanted: Filter,
    by: GroupBy | None,
    extent: tuple[date, date],
    left_out: Sequence[LeftOut],
    cubes: Sequence[Cube],
) -> Iterator[Piece]:
    needs = _needs(wanted, by)
    for number, cube in enumerate(cubes):
        if needs <= cube.dimensions and (by not in _FINE_ENOUGH["day"] or by in _FINE_ENOUGH[cube.bucket]):
            whole = _whole(wanted.period, cube.bucket, extent)
            sizes = _whole_sizes(wanted)
            if whole is None or sizes is None:
                continue
            finer = [each for each in cubes[number + 1 :] if BUCKET_LENGTH[each.bucket] > BUCKET_LENGTH[cube.bucket]]
            for edge in _edges(wanted.period, whole):
                yield from _split(replace(wanted, period=edge), by, extent, left_out, finer)
            within = replace(wanted, period=whole)
            yield from _from_cube(within, sizes, cube, left_out)
            return
    yield Piece(wanted)


def _needs(wanted: Filter, by: GroupBy | None) -> set[Dimension]:
    """Return what must be told apart."""
    found: set[Dimension] = {_GROUPED[by]} if by in _GROUPED else set()
    told: tuple[tuple[Dimension, object], ...] = (
        ("merchant", wanted.merchants or wanted.not_merchants or wanted.beside),
        ("category", wanted.categories or wanted.not_categories),
        ("account", wanted.accounts),
        ("phrase", wanted.phrases is not None or wanted.not_phrases),
        ("means", wanted.means),
        ("weekday", wanted.period.weekdays),
        ("size", wanted.at_least_minor is not None or wanted.at_most_minor is not None),
    )
    return found | {dimension for dimension, condition in told if condition}


def _from_cube(
    wanted: Filter, sizes: tuple[int | None, int | None], cube: Cube, left_out: Sequence[LeftOut]
) -> Iterator[Piece]:
    """Yield what a cube answers of a filter over whole buckets, and the amounts and single cells that it does not."""
    least, most = sizes
    if least is not None and wanted.at_least_minor is not None and wanted.at_least_minor < least:
        yield Piece(replace(wanted, at_most_minor=least - 1))
    if most is not None and wanted.at_most_minor is not None and most < wanted.at_most_minor:
        yield Piece(replace(wanted, at_least_minor=most + 1))
    inner = replace(wanted, at_least_minor=least, at_most_minor=most)
    holes = frozenset(_hole(row, cube) for row in left_out if _may_hold(inner, row))
    yield Piece(inner, cube, holes)
    for hole in holes:
        yield Piece(_filled(inner, hole))


def _hole(row: LeftOut, cube: Cube) -> Hole:
    return Hole(
        row.booked_on.isoformat()[: BUCKET_LENGTH[cube.bucket]],
        row.merchant_key if "merchant" in cube.dimensions else None,
        row.category if "category" in cube.dimensions else None,
        row.account_id if "account" in cube.dimensions else None,
        size_class(row.amount_minor) if "size" in cube.dimensions else None,
    )


def _may_hold(wanted: Filter, row: LeftOut) -> bool:
    size = abs(row.amount_minor)
    return (
        wanted.period.start <= row.booked_on <= wanted.period.end
        and (wanted.at_least_minor or 0) <= size <= (_ENDLESS if wanted.at_most_minor is None else wanted.at_most_minor)
        and (wanted.flow is None or row.flow == wanted.flow.value)
        and (not wanted.merchants or row.merchant_key in wanted.merchants)
        and (not wanted.categories or row.category in wanted.categories or _is_beside(wanted, row))
        and (not wanted.accounts or row.account_id in wanted.accounts)
    )


def _is_beside(wanted: Filter, row: LeftOut) -> bool:
    beside = wanted.beside
    return beside is not None and row.category in beside.categories and row.merchant_key in beside.merchants


def _filled(wanted: Filter, hole: Hole) -> Filter:
    """Return the filter for the rows of one cell."""
    start, end = _bucket_days(hole.bucket)
    period = replace(wanted.period, start=max(start, wanted.period.start), end=min(end, wanted.period.end))
    found = replace(wanted, period=period)
    if hole.merchant_key is not None:
        found = replace(found, merchants=(hole.merchant_key,))
    if hole.category is not None:
        found = replace(found, categories=(hole.category,), beside=None)
    if hole.account_id is not None:
        found = replace(found, accounts=(hole.account_id,))
    if hole.size_minor is not None:
        found = replace(
            found, at_least_minor=hole.size_minor, at_most_minor=hole.size_minor + size_step(hole.size_minor) - 1
        )
    return found


def _whole(period: Period, bucket: Bucket, extent: tuple[date, date]) -> Period | None:
    """Return the part of a period that is whole buckets, or None if there is none; beyond the ledger all is whole."""
    start, end = period.start, period.end
    if start > extent[1] or end < extent[0]:
        return None
    if bucket == "ever":
        return period if start <= extent[0] and end >= extent[1] else None
    if start > extent[0]:
        first, last = _bucket_days(start.isoformat()[: BUCKET_LENGTH[bucket]])
        start = first if start == first else last + timedelta(1)
    if end < extent[1]:
        first, last = _bucket_days(end.isoformat()[: BUCKET_LENGTH[bucket]])
        end = last if end == last else first - timedelta(1)
    return replace(period, start=start, end=end) if start <= end else None


def _edges(period: Period, whole: Period) -> Iterator[Period]:
    if period.start < whole.start:
        yield replace(period, end=whole.start - timedelta(1))
    if whole.end < period.end:
        yield replace(period, start=whole.end + timedelta(1))


def _bucket_days(bucket: str) -> tuple[date, date]:
    """Return the first and the last day of a bucket."""
    if not bucket:
        return date.min, date.max
    if len(bucket) == BUCKET_LENGTH["day"]:
        day = date.fromisoformat(bucket)
        return day, day
    year = int(bucket[:4])
    if len(bucket) == BUCKET_LENGTH["year"]:
        return date(year, 1, 1), date(year, 12, 31)
    month = int(bucket[5:7])
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _whole_sizes(wanted: Filter) -> tuple[int | None, int | None] | None:
    """Return the bounds between which all amounts are in whole classes, or None if there is no whole class."""
    least, most = wanted.at_least_minor, wanted.at_most_minor
    if least is not None and least != size_class(least):
        least = size_class(least) + size_step(least)
    if most is not None and most + 1 != size_class(most + 1):
        most = size_class(most) - 1
    return (least, most) if least is None or most is None or least <= most else None
