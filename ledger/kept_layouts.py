"""What people said of the columns of their files: kept by layout, until they say that it is to be forgotten."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa
import structlog

from ledger import schema
from ledger.errors import LayoutRefused
from ledger.importers.table.layout_file import read_layout, write_layout

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.importers.table.stated import StatedLayout
    from ledger.repository import Repository

_log = structlog.get_logger(__name__)
_table = schema.stated_layouts.c


class KeptLayout(NamedTuple):
    """What was said of files of one layout, and on which day."""

    layout: StatedLayout
    said_on: date


async def kept_layouts(repository: Repository) -> list[KeptLayout]:
    """Return all that is kept for a ledger, what was said last first."""
    query = sa.select(_table.layout, _table.said_on).where(_table.ledger_id == repository.ledger_id)
    async with repository.store.read() as connection:
        rows = (await connection.execute(query.order_by(_table.said_on.desc(), _table.key))).all()
    kept = []
    for row in rows:
        try:
            kept.append(KeptLayout(read_layout(row.layout), date.fromisoformat(row.said_on)))
        except LayoutRefused:  # of a later version
            _log.warning("layout_unreadable")
    return kept


async def keep_layout(connection: AsyncConnection, ledger_id: int, layout: StatedLayout, said_on: date) -> None:
    """Keep what is said of files of a layout, in place of what was said before; where nothing is, nothing is kept."""
    await forget_layout(connection, ledger_id, layout.key)
    if layout == layout.blank:
        return
    values = {
        "ledger_id": ledger_id, "key": layout.key, "layout": write_layout(layout), "said_on": said_on.isoformat(),
    }  # fmt: skip
    await connection.execute(schema.stated_layouts.insert().values(values))


async def forget_layout(connection: AsyncConnection, ledger_id: int, key: str) -> bool:
    """Forget what was said of files of a layout; return whether there was anything."""
    mine = (_table.ledger_id == ledger_id, _table.key == key)
    return bool((await connection.execute(schema.stated_layouts.delete().where(*mine))).rowcount)
