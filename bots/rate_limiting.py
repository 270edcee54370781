"""How many questions one person may ask in a while, and have answered at a time."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from bots.audience import guard
from bots.fixed_replies import BUSY, SLOWER, SLOWER_STILL
from bots.telling import spoken, told
from graph.reply import Reply
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from bots.contracts import Message
    from ledger.people import Person

#: What :func:`turned_away` is told where too many wait already.
FULL: Final = -1
_WINDOW = 60.0
_SWEEP_ABOVE = 1000


class RateLimiter:
    """A sliding window of a minute for each person."""

    def __init__(self, per_minute: int, seconds: Callable[[], float]) -> None:
        """Admit this many a minute, by this clock."""
        self._per_minute = per_minute
        self._seconds = seconds
        self._admitted: dict[Person, deque[float]] = {}

    def wait(self, person: Person) -> int:
        """Count one question; return 0 if it is admitted, else the whole seconds until the next one would be."""
        now = self._seconds()
        if len(self._admitted) > _SWEEP_ABOVE:
            self._admitted = {who: times for who, times in self._admitted.items() if now - times[-1] < _WINDOW}
        times = self._admitted.setdefault(person, deque())
        while times and now - times[0] >= _WINDOW:
            times.popleft()
        if len(times) < self._per_minute:
            times.append(now)
            return 0
        return math.ceil(times[0] + _WINDOW - now)


class ConcurrencyLimiter:
    """A semaphore for each person."""

    def __init__(self, each: int) -> None:
        """Give each person this many."""
        self._each = each
        self._places: WeakValueDictionary[Person, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, person: Person) -> asyncio.Semaphore:
        """Return the person's places, as long as anyone holds or awaits one."""
        return self._places.setdefault(person, asyncio.Semaphore(self._each))


def turned_away(message: Message, wait: int) -> Reply | None:
    """Return what is said to a message that must come again in so many seconds, or finds no room; None with nothing to wait."""
    if not wait:
        return None
    form = SLOWER if wait == 1 else SLOWER_STILL
    reply = BUSY if wait == FULL else Reply("refuse", say(form, seconds=str(wait)))
    return guard(message, told(reply, spoken(message)))
