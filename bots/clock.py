"""The time of day, which a setting can fix."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def clock(fixed: datetime | None) -> Clock:
    """Return a clock of aware instants; a fixed one without a zone is in that of the machine."""
    if fixed is None:
        return lambda: datetime.now(UTC)
    instant = fixed if fixed.tzinfo else fixed.astimezone()
    return lambda: instant
