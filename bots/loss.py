"""That a platform no longer lets us in, which no patience mends: its token was revoked, say."""

from __future__ import annotations

import asyncio


class Loss:
    """Told once, with the platform's own word for why; waited for by whoever serves it."""

    def __init__(self) -> None:
        """Nothing is lost yet."""
        self._told = asyncio.Event()
        self._word = ""

    def tell(self, word: str) -> None:
        """Tell that the platform is lost; the first word stands."""
        self._word = self._word or word
        self._told.set()

    async def told(self) -> str:
        """Return the platform's word once it is lost."""
        await self._told.wait()
        return self._word
