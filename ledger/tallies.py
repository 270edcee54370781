"""Adding up what a filter holds, from the kept sums where they have it and from the rows where not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Self

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from ledger import schema
from ledger.cubes import BUCKET_LENGTH, column_of, named, row_column
from ledger.filters import conditions, in_categories
from ledger.pieces import LeftOut, Piece, split
from ledger.visibility import hidden_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.sql.compiler import SQLCompiler

    from ledger.cubes import Cube
    from ledger.filters import Filter, GroupBy

_rows = schema.transactions.c
_sums = schema.sums.c


@dataclass(slots=True, unsafe_hash=True)
class Sums:
    """Sums of one currency within a scope, in minor units; ``out`` and ``into`` are both positive.

    Nobody changes them. They are not frozen because a question may be about thousands, and those take thrice as long to make.
    """

    currency: str
    count: int = 0
    out_minor: int = 0
    out_count: int = 0
    into_minor: int = 0
    into_count: int = 0
    net_out_minor: int = field(init=False, repr=False, compare=False)
    """Money out less money back in: the figure called spending."""

    def __post_init__(self) -> None:
        """Take off what came back, once: whoever ranks and adds up groups asks for it again and again."""
        self.net_out_minor = self.out_minor - self.into_minor

    def plus(self, other: Self) -> Sums:
        """Return the sums of this scope and another one that shares no row with it."""
        return Sums(*self._added(other))

    def _added(self, other: Sums) -> tuple[str, int, int, int, int, int]:
        return (
            self.currency,
            self.count + other.count,
            self.out_minor + other.out_minor,
            self.out_count + other.out_count,
            self.into_minor + other.into_minor,
            self.into_count + other.into_count,
        )


@dataclass(slots=True, unsafe_hash=True)
class Totals(Sums):
    """The same with the extremes, which cost as much again to find."""

    largest_out_minor: int = 0
    smallest_out_minor: int = 0
    first: date | None = None
    last: date | None = None

    def plus(self, other: Self) -> Totals:
        """Return the totals of this scope and another one that shares no row with it."""
        smallest = [each.smallest_out_minor for each in (self, other) if each.out_count]
        return Totals(
            *self._added(other),
            max(self.largest_out_minor, other.largest_out_minor),
            min(smallest, default=0),
            min((each.first for each in (self, other) if each.first), default=None),
            max((each.last for each in (self, other) if each.last), default=None),
        )


@dataclass(frozen=True, slots=True)
class Ranked:
    """The groups on which most was spent, or least; ties go by the group's key."""

    number: int
    least: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """Days on which a scope has rows: how many, and the largest and the smallest of them by size."""

    first: date
    last: date
    count: int
    most_minor: int
    least_minor: int


def tally(connection: sa.Connection, ledger_id: int, wanted: Filter) -> dict[str, Totals]:
    """Return the totals of a filter by currency."""
    found: dict[str, Totals] = {}
    for piece in _pieces(connection, ledger_id, wanted, None):
        for currency, *figures in connection.execute(_totals_of(piece, ledger_id)):
            totals = _totals(currency, *figures)
            found[currency] = found[currency].plus(totals) if currency in found else totals
    return found


def tally_groups(
    connection: sa.Connection, ledger_id: int, wanted: Filter, by: GroupBy, first: Ranked | None = None
) -> dict[tuple[str, str], Sums]:
    """Return the sums of a filter by group and currency; of one piece alone only those that rank ``first``, if told so.

    Weeks are numbered from 0, each seven days from the period's first.
    """
    found: dict[tuple[str, str], Sums] = {}
    pieces = _pieces(connection, ledger_id, wanted, by)
    for piece in pieces:
        query = _groups_of(piece, ledger_id, by, wanted.period.start)
        if first is not None and len(pieces) == 1:
            columns = query.selected_columns
            spent = columns.out_minor - columns.into_minor
            query = query.order_by(spent if first.least else spent.desc(), columns.key).limit(first.number)
        for row in connection.execute(query):
            key, currency, count, out, out_count, into, into_count = row
            group = (str(key), currency)
            sums = Sums(currency, int(count), int(out), int(out_count), int(into), int(into_count))
            found[group] = found[group].plus(sums) if group in found else sums
    return found


def cells(connection: sa.Connection, ledger_id: int, wanted: Filter) -> list[Cell]:
    """Return the cells of a filter, which have no row in common and together all of its rows."""
    found: list[Cell] = []
    # By years, which tell where rows are; but those of a search string lie together among the rows, and not among the cells.
    by: GroupBy | None = "year" if wanted.phrases is None else None
    for piece in _pieces(connection, ledger_id, wanted, by):
        for count, most, least, first, last in connection.execute(_cells_of(piece, ledger_id)):
            if count:
                days = date.fromisoformat(first), date.fromisoformat(last)
                found.append(Cell(*days, int(count), int(most), int(least)))
    return found


def kept(ledger_id: int, cube: str) -> list[sa.ColumnElement[bool]]:
    """Return the conditions for the cells of a cube that show."""
    found = [_sums.ledger_id == ledger_id, _sums.cube == cube, _sums.batch_id.not_in(hidden_batches(ledger_id))]
    return found if "merchant" in named(cube).dimensions else [*found, _sums.merchant_key == ""]


def _pieces(connection: sa.Connection, ledger_id: int, wanted: Filter, by: GroupBy | None) -> list[Piece]:
    extent = _extent(connection, ledger_id)
    left_out = _left_out(connection, ledger_id, wanted.not_ids)
    return [part for piece in split(wanted, by, extent, left_out) for part in _by_sign(piece)]


def _extent(connection: sa.Connection, ledger_id: int) -> tuple[date, date] | None:
    """Return the first and the last day of a ledger, with what does not show; one end of an index each."""
    mine = _rows.ledger_id == ledger_id
    first, last = (sa.select(end(_rows.booked_on)).where(mine).scalar_subquery() for end in (sa.func.min, sa.func.max))
    row = connection.execute(sa.select(first.label("first"), last.label("last"))).one()
    return (date.fromisoformat(row.first), date.fromisoformat(row.last)) if row.first else None


def _left_out(connection: sa.Connection, ledger_id: int, ids: Sequence[int]) -> list[LeftOut]:
    if not ids:
        return []
    columns = (_rows.booked_on, _rows.flow, _rows.merchant_key, _rows.category, _rows.account_id, _rows.amount_minor)
    # Found by their own ids: SQLite would go through the whole ledger for them.
    query = sa.select(*columns).where(_rows.ledger_id + 0 == ledger_id, _rows.id.in_(ids))
    return [LeftOut(date.fromisoformat(day), *rest) for day, *rest in connection.execute(query)]


def _by_sign(piece: Piece) -> list[Piece]:
    """Return a piece of rows between two amounts as two, each of which is one range of an index."""
    wanted = piece.wanted
    ranged = wanted.at_least_minor is not None and wanted.at_most_minor is not None and wanted.at_least_minor > 0
    if piece.cube is not None or not ranged or wanted.sign is not None:
        return [piece]
    return [Piece(replace(wanted, sign=-1)), Piece(replace(wanted, sign=1))]


def _totals_of(piece: Piece, ledger_id: int) -> sa.Select[*tuple[Any, ...]]:
    if piece.cube is None:
        query = sa.select(_rows.currency, *_SUMS_OF_ROWS, *_ENDS_OF_ROWS)
        return query.where(*conditions(piece.wanted, ledger_id)).group_by(_rows.currency)
    query = sa.select(_sums.currency, *_SUMS_OF_CELLS, *_ENDS_OF_CELLS)
    return query.where(*_in_cube(piece, piece.cube, ledger_id)).group_by(_sums.currency)


def _groups_of(piece: Piece, ledger_id: int, by: GroupBy, start: date) -> sa.Select[*tuple[Any, ...]]:
    """Group by the key alone where there is one currency: the cells of a cube are in the order of some keys."""
    key = _key(piece.cube, by, start).label("key")
    one = piece.wanted.currency is not None
    if piece.cube is None:
        currency, figures, where = _rows.currency, _SUMS_OF_ROWS, conditions(piece.wanted, ledger_id)
    else:
        currency, figures, where = _sums.currency, _SUMS_OF_CELLS, _in_cube(piece, piece.cube, ledger_id)
    first: sa.ColumnElement[int] = sa.literal_column("1")
    shown = sa.literal(piece.wanted.currency, sa.Text) if one else currency
    query = sa.select(key, shown, *figures).where(*where)
    return query.group_by(first) if one else query.group_by(first, currency)


def _cells_of(piece: Piece, ledger_id: int) -> sa.Select[*tuple[Any, ...]]:
    if piece.cube is None:
        size = sa.func.abs(_rows.amount_minor)
        return sa.select(
            sa.func.count().label("count"), sa.func.max(size).label("most"), sa.func.min(size).label("least"),
            sa.func.min(_rows.booked_on).label("first"), sa.func.max(_rows.booked_on).label("last"),
        ).where(*conditions(piece.wanted, ledger_id))  # fmt: skip
    return (
        sa.select(
            sa.func.sum(_sums.count).label("count"),
            sa.func.max(_sums.most_minor).label("most"), sa.func.min(_sums.least_minor).label("least"),
            sa.func.min(_sums.first_on).label("first"), sa.func.max(_sums.last_on).label("last"),
        )
        .where(*_in_cube(piece, piece.cube, ledger_id))
        .group_by(_sums.bucket)
    )  # fmt: skip


def _in_cube(piece: Piece, cube: Cube, ledger_id: int) -> list[sa.ColumnElement[bool]]:
    """Return a piece's filter as SQL conditions on the kept sums."""
    wanted, length = piece.wanted, BUCKET_LENGTH[cube.bucket]
    found = kept(ledger_id, cube.name)
    if wanted.period.start != date.min:
        found.append(_sums.bucket >= wanted.period.start.isoformat()[:length])
    if wanted.period.end != date.max:
        found.append(_sums.bucket <= wanted.period.end.isoformat()[:length])
    one_of: tuple[tuple[sa.Column[Any], Sequence[Any] | None], ...] = (
        (_sums.flow, wanted.flow and (wanted.flow.value,)),
        (_sums.kind, [kind.value for kind in wanted.kinds]),
        (_sums.currency, wanted.currency and (wanted.currency,)),
        (_sums.sign, wanted.sign and (wanted.sign,)),
        (_sums.weekday, wanted.period.weekdays),
        (_sums.merchant_key, wanted.merchants),
        (_sums.account_id, wanted.accounts),
    )
    found += [column == values[0] if len(values) == 1 else column.in_(values) for column, values in one_of if values]
    if wanted.categories:
        found.append(in_categories(wanted, _sums.category, _sums.merchant_key))
    none_of = (
        (_sums.category, wanted.not_categories),
        (_sums.merchant_key, wanted.not_merchants),
        (_sums.phrase_id, wanted.not_phrases),
    )
    found += [column.not_in(values) for column, values in none_of if values]
    if wanted.phrases is not None:
        found.append(_sums.phrase_id.in_(wanted.phrases))
    if wanted.at_least_minor is not None:
        found.append(_sums.size_minor >= wanted.at_least_minor)
    if wanted.at_most_minor is not None:
        found.append(_sums.size_minor <= wanted.at_most_minor)
    return found + _around(piece)


def _around(piece: Piece) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that leave out a piece's holes."""
    found = []
    for hole in piece.holes:
        told_apart: tuple[tuple[sa.Column[Any], Any], ...] = (
            (_sums.bucket, hole.bucket),
            (_sums.merchant_key, hole.merchant_key),
            (_sums.category, hole.category),
            (_sums.account_id, hole.account_id),
            (_sums.size_minor, hole.size_minor),
        )
        found.append(sa.not_(sa.and_(*(column == value for column, value in told_apart if value is not None))))
    return found


class _DaysSince(FunctionElement[int]):
    """How many days lie between two days, which are text as everywhere in the tables: ``_DaysSince(later, earlier)``."""

    inherit_cache = True
    type = sa.Integer()


@compiles(_DaysSince)
def _days_since(element: _DaysSince, compiler: SQLCompiler, **options: Any) -> str:
    later, earlier = (compiler.process(each, **options) for each in element.clauses)
    return f"(CAST({later} AS date) - CAST({earlier} AS date))"


@compiles(_DaysSince, "sqlite")
def _days_since_in_sqlite(element: _DaysSince, compiler: SQLCompiler, **options: Any) -> str:
    later, earlier = (compiler.process(each, **options) for each in element.clauses)
    return f"CAST(julianday({later}) - julianday({earlier}) AS INTEGER)"


def _week(cube: Cube | None, start: date) -> sa.ColumnElement[int]:
    """Return the number of a row's or kept sum's week, the first beginning on a day that is ours."""
    day = _rows.booked_on if cube is None else _sums.bucket
    return _DaysSince(day, sa.literal_column(f"'{start.isoformat()}'")) // sa.literal_column("7", sa.Integer)


def _key(cube: Cube | None, by: GroupBy, start: date) -> sa.ColumnElement[Any]:
    """Return what rows or kept sums are grouped by."""
    if by == "week":
        return _week(cube, start)
    if by == "day" or by == "month" or by == "year":  # noqa: PLR1714 - the type checker reads these
        length: sa.ColumnElement[int] = sa.literal_column(str(BUCKET_LENGTH[by]))
        return sa.func.substr(_rows.booked_on if cube is None else _sums.bucket, 1, length)
    if by == "currency":
        return _rows.currency if cube is None else _sums.currency
    if by in ("merchant", "category") and cube is None:
        # An expression: SQLite would go through the whole ledger by the index of a column to be spared the sorting.
        return row_column(by).op("||")(sa.literal_column("''"))
    return row_column(by) if cube is None else column_of(by)


_out = _rows.amount_minor < 0
_into = _rows.amount_minor > 0
_SUMS_OF_ROWS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.count().label("count"),
    sa.func.coalesce(-sa.func.sum(_rows.amount_minor).filter(_out), 0).label("out_minor"),
    sa.func.count().filter(_out).label("out_count"),
    sa.func.coalesce(sa.func.sum(_rows.amount_minor).filter(_into), 0).label("into_minor"),
    sa.func.count().filter(_into).label("into_count"),
)
_ENDS_OF_ROWS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.coalesce(-sa.func.min(_rows.amount_minor).filter(_out), 0).label("largest_out_minor"),
    sa.func.coalesce(-sa.func.max(_rows.amount_minor).filter(_out), 0).label("smallest_out_minor"),
    sa.func.min(_rows.booked_on).label("first"),
    sa.func.max(_rows.booked_on).label("last"),
)

_went_out = _sums.sign < 0
_came_in = _sums.sign > 0
_SUMS_OF_CELLS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.sum(_sums.count).label("count"),
    sa.func.coalesce(sa.func.sum(_sums.minor).filter(_went_out), 0).label("out_minor"),
    sa.func.coalesce(sa.func.sum(_sums.count).filter(_went_out), 0).label("out_count"),
    sa.func.coalesce(sa.func.sum(_sums.minor).filter(_came_in), 0).label("into_minor"),
    sa.func.coalesce(sa.func.sum(_sums.count).filter(_came_in), 0).label("into_count"),
)
_ENDS_OF_CELLS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.coalesce(sa.func.max(_sums.most_minor).filter(_went_out), 0).label("largest_out_minor"),
    sa.func.coalesce(sa.func.min(_sums.least_minor).filter(_went_out), 0).label("smallest_out_minor"),
    sa.func.min(_sums.first_on).label("first"),
    sa.func.max(_sums.last_on).label("last"),
)


def _totals(currency: str, *figures: Any) -> Totals:
    """Make totals of what :func:`_totals_of` asks for, in its order; PostgreSQL adds up to decimals."""
    count, out, out_count, into, into_count, largest, smallest = map(int, figures[:-2])
    first, last = map(date.fromisoformat, figures[-2:])
    return Totals(currency, count, out, out_count, into, into_count, largest, smallest, first, last)
