"""What the contracts of the ledger share: everything that a store holds, as plain rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from ledger import schema

if TYPE_CHECKING:
    from ledger.store import Store

Dump = Callable[..., Awaitable[dict[str, list[tuple[Any, ...]]]]]

#: What keeps the books on imports and the index, and changes by design when an import is taken back.
BOOKKEEPING = ("batches", "files", "forgotten_phrases")


async def _dump(store: Store, without: Collection[str] = ()) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of every table, sorted; a ledger's revision, which only counts changes, left out."""
    rows: dict[str, list[tuple[Any, ...]]] = {}
    async with store.read() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name in without:
                continue
            columns = [column for column in table.columns if (table.name, column.name) != ("ledgers", "revision")]
            found = (await connection.execute(sa.select(*columns))).all()
            rows[table.name] = sorted((tuple(row) for row in found), key=repr)
    return rows


@pytest.fixture
def dump() -> Dump:
    return _dump


@pytest.fixture
def bookkeeping() -> tuple[str, ...]:
    return BOOKKEEPING
