"""A desk with people in front of it."""

from __future__ import annotations

import pytest

from tests.support.lookup_house import open_house


@pytest.fixture
async def house(sqlite_store, clock):
    """A platform with the runner, the real agent and the desk's handlers behind it; nothing is imported yet."""
    async with open_house(sqlite_store, clock) as opened:
        yield opened
