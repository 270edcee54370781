"""Failures of the database that pass by themselves: a connection that broke, a server that restarts, a lock held long."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeout

#: SQLSTATEs, or their classes: connection exceptions, a server that shuts down or starts, too many connections,
#: a transaction that lost against another (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_PASSING = ("08", "57P", "53300", "40001", "40P01")


def is_passing(error: BaseException) -> bool:
    """Whether the same may work a moment later: the connection failed, not what was asked of it.

    asyncpg tells of a connection that broke in many ways, some of which SQLAlchemy knows only as a plain ``DBAPIError``;
    that it has given the connection up is what they have in common.
    """
    if isinstance(error, DBAPIError):
        state = str(getattr(error.orig, "sqlstate", None) or "")
        away = isinstance(error, (OperationalError, InterfaceError))
        return away or error.connection_invalidated or state.startswith(_PASSING)
    return isinstance(error, (ConnectionError, PoolTimeout, PendingRollbackError))
