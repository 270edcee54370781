"""Who listens to a connection under test."""

from __future__ import annotations

import asyncio
from typing import Any


class Listener:
    """Notes what it hears, and how long it is made to wait, which takes no time."""

    def __init__(self) -> None:
        self.waits: list[float] = []
        self.heard: list[str | None] = []

    async def sleep(self, seconds: float) -> None:
        """Wait, as a connection does before it tries again."""
        self.waits.append(seconds)
        await asyncio.sleep(0)

    async def take(self, _event: str, body: dict[str, Any]) -> bool:
        """Take an event in."""
        self.heard.append(body.get("content"))
        return True
