"""The search strings of a ledger: each is kept once, and the index is told of them by queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.ext.asyncio import AsyncConnection

_phrases = schema.phrases.c
_AT_ONCE = 500


async def phrase_ids(
    connection: AsyncConnection, ledger_id: int, texts: Iterable[str], batch: int | None = None
) -> dict[str, int]:
    """Return the ids of a ledger's search strings, new ones made; ``batch`` is the import that brings them."""
    ordered = sorted(texts)
    found: dict[str, int] = {}
    for start in range(0, len(ordered), _AT_ONCE):
        chunk = ordered[start : start + _AT_ONCE]
        values = [{"ledger_id": ledger_id, "text": text, "batch_id": batch} for text in chunk]
        await connection.execute(_insert_new(connection, schema.phrases), values)
        query = sa.select(_phrases.text, _phrases.id).where(_phrases.ledger_id == ledger_id, _phrases.text.in_(chunk))
        found |= {row.text: row.id for row in await connection.execute(query)}
    return found


async def forget_phrases(connection: Any, which: sa.ColumnElement[bool]) -> None:
    """Delete search strings that no transaction has, and queue them for the index.

    SQLite gives the id of a deleted row to the next, so an id may wait in the queue already.
    """
    waiting = sa.select(schema.forgotten_phrases.c.id)
    gone = sa.select(_phrases.id).where(which, _phrases.id.not_in(waiting))
    await connection.execute(schema.forgotten_phrases.insert().from_select(["id"], gone))
    await connection.execute(schema.phrases.delete().where(which))


async def forget_unused(connection: Any, ledger_id: int, ids: Iterable[int]) -> None:
    """Delete those of some search strings that no transaction has any more."""
    ordered = sorted(ids)
    used = sa.exists().where(schema.transactions.c.phrase_id == _phrases.id)
    for start in range(0, len(ordered), _AT_ONCE):
        some = _phrases.id.in_(ordered[start : start + _AT_ONCE])
        await forget_phrases(connection, (_phrases.ledger_id == ledger_id) & some & ~used)


def _insert_new(connection: AsyncConnection, table: sa.Table) -> Any:
    """Return an insert that leaves out rows that are there already."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing()
