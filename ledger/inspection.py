"""Looking at a database without changing it: whether it can be read, is whole, and what waits for the search index."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from ledger import schema
from ledger.errors import StoreUnavailable
from ledger.store import stored_revision
from ledger.sums import astray
from ledger.visibility import unfinished_imports

_TIMEOUT_SECONDS = 5


@dataclass(frozen=True, slots=True)
class StoreCondition:
    """How a database was found."""

    dialect: str
    revision: str | None
    """The schema's revision, None where there are no tables yet."""
    damage: str = ""
    """What SQLite's own check says is wrong; empty if nothing."""
    transactions: int = 0
    indexed: dict[int, int] = field(default_factory=dict)
    """Per ledger, how many search strings the index should have."""
    unfinished: int = 0
    """How many imports are coming in or going, or broke off."""
    sums_astray: bool = False
    """Whether the sums that are kept beside the rows are not what these come to."""
    waiting: int = 0
    """How many search strings the index has still to take in."""


async def inspect_store(url: str | Path) -> StoreCondition | None:
    """Return how the database is found, or None for an SQLite file that does not exist yet.

    Raises:
        StoreUnavailable: it can't be reached or read.
    """
    try:
        if not isinstance(url, Path) and "://" in url:
            return await _inspect_postgres(url)
        return await asyncio.to_thread(_inspect_sqlite, Path(url))
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise StoreUnavailable("The database can't be read.") from error


def _inspect_sqlite(path: Path) -> StoreCondition | None:
    if not path.exists():
        return None
    location = f"{path.absolute().as_uri()}?mode=ro"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(location, uri=True, timeout=_TIMEOUT_SECONDS)

    with sa.create_engine("sqlite://", creator=connect, poolclass=sa.NullPool).connect() as connection:
        return _inspect(connection)


async def _inspect_postgres(url: str) -> StoreCondition:
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "postgresql":
        raise StoreUnavailable("The database must be an SQLite file or a PostgreSQL URL.")
    asynchronous = parsed.set(drivername="postgresql+asyncpg")
    engine = create_async_engine(asynchronous, connect_args={"timeout": _TIMEOUT_SECONDS}, hide_parameters=True)
    try:
        async with engine.connect() as connection:
            return await connection.run_sync(_inspect)
    finally:
        await engine.dispose()


def _inspect(connection: sa.Connection) -> StoreCondition:
    dialect = connection.dialect.name
    damage = ""
    if dialect == "sqlite":
        verdict = str(connection.execute(sa.text("PRAGMA quick_check(1)")).scalar_one())
        damage = "" if verdict == "ok" else verdict
    revision = stored_revision(connection)
    if revision != schema.REVISION or damage:
        return StoreCondition(dialect, revision, damage)
    phrases = schema.phrases.c
    counts = sa.select(phrases.ledger_id, phrases.indexed, sa.func.count()).group_by(phrases.ledger_id, phrases.indexed)
    found = connection.execute(counts).all()
    transactions = connection.execute(_COUNT).scalar_one()
    unfinished = sa.select(sa.func.count()).select_from(schema.batches).where(unfinished_imports())
    return StoreCondition(
        dialect,
        revision,
        transactions=int(transactions),
        sums_astray=astray(connection),
        unfinished=int(connection.execute(unfinished).scalar_one()),
        indexed={ledger: count for ledger, indexed, count in found if indexed},
        waiting=sum(count for _, indexed, count in found if not indexed),
    )


_unfinished = sa.select(schema.batches.c.id).where(schema.batches.c.finished_at.is_(None))
_COUNT = (
    sa.select(sa.func.count())
    .select_from(schema.transactions)
    .where(schema.transactions.c.batch_id.not_in(_unfinished))
)
