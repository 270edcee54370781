"""What was sent to the app, and when it was answered."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

#: An interaction must be answered in this time, measured from its dispatch.
ANSWER_SECONDS = 3.0


class NotAcknowledged(AssertionError):
    """Nobody answered the interaction."""


@dataclass(eq=False)
class Sent:
    """Something that a person did, as the app was told of it."""

    event: str
    payload: dict[str, Any]
    channel: str = ""
    message: str = ""
    """The id of the person's message."""
    delivered: bool = False
    """Whether it was handed to a session (a dropped one keeps it for its resumption)."""
    delivered_at: float = field(default_factory=time.monotonic)
    answered_at: float | None = None
    answer_type: int | None = None
    answer: dict[str, Any] = field(default_factory=dict)
    """The first callback's data."""
    _answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_acknowledged(self) -> bool:
        return self._answered.is_set()

    @property
    def failed(self) -> bool:
        """Whether the person sees that the application did not respond."""
        late = time.monotonic() - self.delivered_at > ANSWER_SECONDS
        return self.event == "INTERACTION_CREATE" and self.answered_at is None and (late or not self.delivered)

    async def acknowledged(self, timeout: float = 10.0) -> float:
        """Wait for an interaction's first callback; returns the seconds from its dispatch.

        A message is not answered by the platform's rules: for it this is the time until a session had it.
        """
        if self.event != "INTERACTION_CREATE":
            if not self.delivered:
                raise NotAcknowledged(f"no session was told of this {self.event}")
            return 0.0
        try:
            await asyncio.wait_for(self._answered.wait(), timeout)
        except TimeoutError:
            raise NotAcknowledged(f"no answer to interaction {self.payload['id']} in {timeout} s") from None
        assert self.answered_at is not None
        return self.answered_at - self.delivered_at

    def acknowledge(self, answer_type: int, data: dict[str, Any]) -> None:
        self.answered_at, self.answer_type, self.answer = time.monotonic(), answer_type, data
        self._answered.set()
