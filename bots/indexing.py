"""The search index of this process: opened when first needed, kept up with the store, done without where it is taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from ledger.errors import LedgerError
from ledger.index import open_index
from ledger.index_marks import Marks
from ledger.search import catch_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.embeddings import Embedder
    from ledger.index import SearchIndex
    from ledger.store import Store

_log = structlog.get_logger(__name__)
#: Searches wait so long for the index to catch up, and then go by words alone; what is indexed meanwhile goes on.
_PATIENCE_SECONDS = 5.0


class Indexing:
    """Opens the index at most once at a time; another process that has it makes this one search by words."""

    def __init__(self, store: Store, directory: Path | None, embedder: Embedder, url: str | None) -> None:
        """Nothing is opened yet; without a directory nothing ever is."""
        self._store = store
        self._directory = directory
        self._embedder = embedder
        self._url = url
        self._index: SearchIndex | None = None
        self._marks = Marks(store)
        self._lock = asyncio.Lock()
        self._catching_up: asyncio.Task[int | None] | None = None
        self._waiting_until = 0.0

    async def current(self) -> SearchIndex | None:
        """Return the index with everything of the store in it, or None where it can't be used now, or not soon."""
        now = asyncio.get_running_loop().time()
        if self._catching_up is None or self._catching_up.done():
            self._catching_up, self._waiting_until = asyncio.create_task(self.catch_up()), now + _PATIENCE_SECONDS
        done, _ = await asyncio.wait((self._catching_up,), timeout=max(0.0, self._waiting_until - now))
        return self._index if done and self._catching_up.result() is not None else None

    async def catch_up(self, progress: Callable[[int, int], None] | None = None) -> int | None:
        """Index what waits; return how many strings that were, or None where the index can't be used now."""
        async with self._lock:
            try:
                if self._index is None:
                    if self._directory is None:
                        return None
                    self._index = await open_index(self._directory, self._embedder, self._url)
                    self._marks = Marks(self._store)
                return await catch_up(self._store, self._index, progress, self._marks)
            except LedgerError as error:
                _log.warning("search index not available", reason=type(error).__name__)
                return None

    async def close(self) -> None:
        """Close the index, and so leave it to another process; what still waits is indexed by whoever comes next."""
        if self._catching_up is not None:
            self._catching_up.cancel()
            await asyncio.gather(self._catching_up, return_exceptions=True)
        if self._index is not None:
            await self._index.close()
            self._index = None
