"""What passes by itself is told from what would fail again."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, InternalError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ledger.outages import is_passing


class FromDriver(Exception):
    """What a driver raises, with PostgreSQL's code."""

    def __init__(self, sqlstate: str | None = None) -> None:
        super().__init__("words of the driver")
        self.sqlstate = sqlstate


def wrapped(kind, sqlstate=None, *, lost=False):
    return kind("SELECT 1", {}, FromDriver(sqlstate), connection_invalidated=lost)


@pytest.mark.parametrize(
    "error",
    [
        wrapped(DBAPIError, "08003", lost=True),
        wrapped(DBAPIError, "57P01"),
        wrapped(DBAPIError, "57P03"),
        wrapped(DBAPIError, "40P01"),
        wrapped(DBAPIError, "40001"),
        wrapped(DBAPIError, "53300"),
        wrapped(InternalError, lost=True),
        wrapped(InterfaceError),
        wrapped(OperationalError),
        ConnectionResetError(),
        ConnectionRefusedError(),
        PoolTimeout(),
    ],
)
def test_it_passes(error):
    assert is_passing(error)


@pytest.mark.parametrize(
    "error",
    [
        wrapped(DBAPIError, "22012"),
        wrapped(IntegrityError, "23505"),
        wrapped(ProgrammingError, "42P01"),
        wrapped(InternalError),
        FileNotFoundError(),
        ValueError(),
        TimeoutError(),
    ],
)
def test_it_would_fail_again(error):
    assert not is_passing(error)
