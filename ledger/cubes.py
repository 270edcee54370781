"""The sums that are kept beside the rows: which there are, and how a row is counted in them.

A cube holds one cell for each combination of its dimensions, within one bucket of time and one import. So a sum over twenty
years reads some thousands of cells and not every row, and what an import brought can be taken out again as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa

from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

Bucket = Literal["day", "month", "year", "ever"]
Dimension = Literal["merchant", "phrase", "category", "account", "weekday", "size", "means"]

#: How much of a day's text names its bucket.
BUCKET_LENGTH: dict[Bucket, int] = {"day": 10, "month": 7, "year": 4, "ever": 0}
_MOST_DIGITS = 18

_rows = schema.transactions.c
_sums = schema.sums.c


@dataclass(frozen=True, slots=True)
class Cube:
    """One set of sums. Every cube tells kinds, flows, currencies and signs apart, and besides these its dimensions."""

    name: str
    bucket: Bucket
    dimensions: frozenset[Dimension]


def named(name: str) -> Cube:
    """Return the cube of that name."""
    return next(cube for cube in CUBES if cube.name == name)


def _cube(name: str, bucket: Bucket, *dimensions: Dimension) -> Cube:
    return Cube(name, bucket, frozenset(dimensions))


#: The smallest first: what answers a question is the first that tells apart all that it does.
CUBES = (
    _cube("month", "month"),
    _cube("year both", "year", "account", "category"),
    _cube("merchant", "ever", "merchant", "phrase", "category", "account"),
    _cube("day", "day", "weekday"),
    _cube("merchant weekday", "ever", "merchant", "weekday"),
    _cube("year account size", "year", "account", "size"),
    _cube("year weekday", "year", "account", "category", "weekday"),
    _cube("month both", "month", "account", "category"),
    _cube("year merchant", "year", "merchant", "phrase", "category", "account"),
)

#: Cells of one transaction's cube, in the order of the key; those that a cube does not tell apart are empty.
_ALWAYS = ("kind", "flow", "currency", "sign", "batch_id")
_COLUMNS: dict[Dimension, sa.Column[Any]] = {
    "merchant": _sums.merchant_key,
    "phrase": _sums.phrase_id,
    "category": _sums.category,
    "account": _sums.account_id,
    "weekday": _sums.weekday,
    "size": _sums.size_minor,
}


def size_class(minor: int) -> int:
    """Return the least amount that begins with the same two digits and has as many: 4999 is in the class of 4900."""
    step = size_step(minor)
    return abs(minor) - abs(minor) % step


def size_step(minor: int) -> int:
    """Return how many amounts share an amount's class."""
    return int(10 ** max(0, len(str(abs(minor))) - 2))


def _size_class() -> str:
    """The same as :func:`size_class`, as SQL over the size; its numbers are ours."""
    steps = [(10 ** (digits + 1), 10 ** (digits - 1)) for digits in range(1, _MOST_DIGITS)]
    cases = " ".join(
        f"WHEN abs(amount_minor) < {limit} THEN abs(amount_minor) / {step} * {step}" for limit, step in steps
    )
    last = 10 ** (_MOST_DIGITS - 1)
    return f"CASE {cases} ELSE abs(amount_minor) / {last} * {last} END"


_FROM_ROWS: dict[Dimension, sa.ColumnElement[Any]] = {
    "merchant": _rows.merchant_key,
    "phrase": _rows.phrase_id,
    "category": _rows.category,
    "account": _rows.account_id,
    "weekday": _rows.weekday,
    "size": sa.literal_column(_size_class(), sa.BigInteger),
}
_SIGN: sa.ColumnElement[int] = sa.literal_column(
    "CASE WHEN amount_minor < 0 THEN -1 WHEN amount_minor > 0 THEN 1 ELSE 0 END", sa.Integer
)
#: What a cell holds, and how two cells of one key become one.
MEASURES: dict[str, Literal["sum", "max", "min"]] = {
    "count": "sum",
    "minor": "sum",
    "most_minor": "max",
    "least_minor": "min",
    "first_on": "min",
    "last_on": "max",
    "name": "min",
}


def key_columns(cube: Cube) -> list[str]:
    """Return the columns that tell a cube's cells apart within a ledger; all others are as the table has them by itself."""
    return ["bucket", *(_COLUMNS[dimension].name for dimension in _COLUMNS if dimension in cube.dimensions), *_ALWAYS]


def cells(cube: Cube, *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query that counts rows into a cube: ledger, name, keys and measures."""
    size = sa.func.abs(_rows.amount_minor)
    counted = (
        sa.select(
            _rows.ledger_id,
            sa.func.substr(_rows.booked_on, 1, sa.literal_column(str(BUCKET_LENGTH[cube.bucket]))).label("bucket"),
            *(_FROM_ROWS[each].label(_COLUMNS[each].name) for each in _COLUMNS if each in cube.dimensions),
            _rows.kind, _rows.flow, _rows.currency, _SIGN.label("sign"), _rows.batch_id,
            size.label("size"), _rows.booked_on, _rows.merchant,
        ).where(*where).subquery()
    )  # fmt: skip
    column = counted.c
    keys = [column[name] for name in key_columns(cube)]
    name = sa.func.min(column.merchant) if "merchant" in cube.dimensions else sa.literal_column("''")
    return sa.select(
        column.ledger_id, sa.literal_column(f"'{cube.name}'"), *keys,
        sa.func.count(), sa.func.sum(column.size), sa.func.max(column.size), sa.func.min(column.size),
        sa.func.min(column.booked_on), sa.func.max(column.booked_on), name,
    ).group_by(column.ledger_id, *keys)  # fmt: skip


def column_of(dimension: Dimension) -> sa.Column[Any]:
    """Return a dimension's column among the sums."""
    return _COLUMNS[dimension]


def row_column(dimension: Dimension) -> sa.ColumnElement[Any]:
    """Return what a row has of a dimension."""
    return _FROM_ROWS[dimension]


def written_columns(cube: Cube) -> Sequence[str]:
    """Return the columns that :func:`cells` fills, in its order."""
    return ("ledger_id", "cube", *key_columns(cube), *MEASURES)
