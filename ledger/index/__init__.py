"""Finding a ledger's strings by meaning and by spelling; the only place that knows Qdrant.

The index holds vectors and ids, nothing that could be read: it can be deleted at any time and rebuilt from the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.index.contract import Hit, IndexPoint, SearchIndex
from ledger.index.lexical import LexicalIndex

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.embeddings import Embedder

__all__ = ["Hit", "IndexPoint", "LexicalIndex", "SearchIndex", "open_index"]


async def open_index(directory: Path, embedder: Embedder, url: str | None = None) -> SearchIndex:
    """Open the embedded index in the directory, or the one on the Qdrant server if a URL is given.

    ``IndexUnavailable`` if another process has it open, or the server does not answer: the caller then searches a
    ``LexicalIndex``. An opened index may still be ``stale``.
    """
    if url is not None:
        from ledger.index.server import ServerIndex

        return await ServerIndex.connect(url, embedder)
    from ledger.index.edge import EdgeIndex

    return await EdgeIndex.open(directory, embedder)
