"""A period: an inclusive pair of dates and the phrase that it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Period:
    """Inclusive dates, open where ``date.min`` or ``date.max``; ``weekdays`` (0 = Monday) narrows it if not empty."""

    start: date
    end: date
    phrase: str = ""
    weekdays: tuple[int, ...] = ()

    @property
    def is_all_time(self) -> bool:
        """Whether neither side is bounded."""
        return self.start == date.min and self.end == date.max

    @property
    def days(self) -> int:
        """How many calendar days the period spans, weekdays not considered."""
        return (self.end - self.start) // timedelta(days=1) + 1
