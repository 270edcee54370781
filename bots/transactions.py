"""Work on the store as one plain function of a connection, whichever driver is below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    import sqlalchemy as sa

    from ledger.store import Store

T = TypeVar("T")


async def read(store: Store, work: Callable[[sa.Connection], T]) -> T:
    """Return what the function reads from one consistent state."""
    async with store.read() as connection:
        result: T = await connection.run_sync(work)
        return result


async def write(store: Store, work: Callable[[sa.Connection], T]) -> T:
    """Commit all that the function writes, or nothing if it raises."""
    async with store.write() as connection:
        result: T = await connection.run_sync(work)
        return result


def insert_new(table: sa.Table, dialect: str) -> Any:
    """Return what inserts a row unless one that is the same in what must be unique is there."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert(table).on_conflict_do_nothing()
