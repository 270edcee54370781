"""The search index of this process: opened when first needed, kept up with the store, done without where it is taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from ledger.errors import LedgerError
from ledger.index import open_index
from ledger.search import catch_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.embeddings import Embedder
    from ledger.index import SearchIndex
    from ledger.store import Store

_log = structlog.get_logger(__name__)


class Indexing:
    """Opens the index at most once at a time; another process that has it makes this one search by words."""

    def __init__(self, store: Store, directory: Path, embedder: Embedder, url: str | None) -> None:
        """Nothing is opened yet."""
        self._store = store
        self._directory = directory
        self._embedder = embedder
        self._url = url
        self._index: SearchIndex | None = None
        self._lock = asyncio.Lock()

    async def current(self) -> SearchIndex | None:
        """Return the index with everything of the store in it, or None where it can't be used now."""
        return self._index if await self.catch_up() is not None else None

    async def catch_up(self, progress: Callable[[int, int], None] | None = None) -> int | None:
        """Index what waits; return how many strings that were, or None where the index can't be used now."""
        async with self._lock:
            try:
                if self._index is None:
                    self._index = await open_index(self._directory, self._embedder, self._url)
                return await catch_up(self._store, self._index, progress)
            except LedgerError as error:
                _log.warning("search index not available", reason=type(error).__name__)
                return None

    async def close(self) -> None:
        """Close the index, and so leave it to another process."""
        if self._index is not None:
            await self._index.close()
            self._index = None
