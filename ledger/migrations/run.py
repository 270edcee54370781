"""Bring a database up to the newest revision."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from ledger import schema
from ledger.errors import StoreUnavailable
from ledger.sums import rebuild_all


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Apply every missing revision within the caller's transaction, and count the sums from the rows as they then are.

    Raises:
        StoreUnavailable: the database is at a revision that this version does not know.
    """
    from alembic.util import CommandError

    if not connection.in_transaction():  # else Alembic takes each revision for a transaction of its own
        connection.begin()
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise StoreUnavailable("A newer version of Money Minder wrote this database; please update.") from error
    if revision == "head" and connection.execute(sa.select(schema.transactions.c.id).limit(1)).first() is not None:
        rebuild_all(connection)
