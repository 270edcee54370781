"""The kept sums, compared cell by cell with the rows."""

from __future__ import annotations

import sqlalchemy as sa

from ledger import schema
from ledger.cubes import CUBES, Cube, cells, written_columns

_rows, _sums = schema.transactions.c, schema.sums.c
_HIDDEN = sa.select(schema.batches.c.id).where(schema.batches.c.finished_at.is_(None))


def differing(connection: sa.Connection) -> int:
    """Return how many cells of all ledgers are not what the rows come to that show."""
    return sum(_differing(connection, cube) for cube in CUBES)


def _differing(connection: sa.Connection, cube: Cube) -> int:
    columns = written_columns(cube)
    kept = sa.select(*(_sums[name] for name in columns)).where(_sums.cube == cube.name, _sums.batch_id.not_in(_HIDDEN))
    counted = cells(cube, _rows.batch_id.not_in(_HIDDEN))
    sides = (kept.except_(counted).subquery(), counted.except_(kept).subquery())
    found = (connection.execute(sa.select(sa.func.count()).select_from(side)).scalar_one() for side in sides)
    return max(int(number) for number in found)
