"""Bring a database up to the newest revision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config

from ledger.errors import StoreUnavailable

if TYPE_CHECKING:
    import sqlalchemy as sa


def upgrade(connection: sa.Connection, revision: str = "head") -> None:
    """Apply every missing revision within the caller's transaction.

    Raises:
        StoreUnavailable: the database is at a revision that this version does not know.
    """
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, revision)
    except CommandError as error:
        raise StoreUnavailable("A newer version of Money Minder wrote this database; please update.") from error
