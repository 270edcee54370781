"""What the contracts of the ledger share: everything that a store holds, as plain rows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from ledger import schema
from tests.conftest import OpenStore
from tests.support.outages import Gate

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
async def gate(postgres_url: str, open_store: OpenStore) -> AsyncIterator[Gate]:
    """A way to this test's PostgreSQL that can be closed."""
    await open_store()  # which empties the database in the end
    async with Gate(postgres_url) as gate:
        yield gate


@pytest.fixture
def dump() -> Dump:
    return _dump


@pytest.fixture
def bookkeeping() -> tuple[str, ...]:
    return BOOKKEEPING
