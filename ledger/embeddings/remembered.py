"""An embedder that keeps the vectors of fixed lists of texts on disk, so that a new process need not compute them."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.embeddings.embedder import Embedder

#: Lists of at least this many texts are fixed ones (a program's examples), not somebody's question.
_WORTH_KEEPING = 32


class RememberedEmbedder:
    """Embeds like the embedder it wraps; the file of a list is named after the texts and the embedder's fingerprint.

    Only words of ours may be embedded in such lists: what is kept is readable as vectors, not as text.
    """

    def __init__(self, embedder: Embedder, directory: Path) -> None:
        """Keep files in this directory."""
        self._embedder = embedder
        self._directory = directory

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return one vector of length one per text."""
        if len(texts) < _WORTH_KEEPING:
            return await self._embedder.embed(texts)
        digest = hashlib.sha256("\x1f".join([self._embedder.fingerprint, *texts]).encode()).hexdigest()[:24]
        path = self._directory / f"examples-{digest}.npy"
        kept = await asyncio.to_thread(_load, path, len(texts))
        if kept is None:
            kept = await self._embedder.embed(texts)
            await asyncio.to_thread(_save, path, kept)
        return kept


def _load(path: Path, length: int) -> list[list[float]] | None:
    import numpy as np

    try:
        vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return vectors.tolist() if vectors.ndim == 2 and len(vectors) == length else None


def _save(path: Path, vectors: list[list[float]]) -> None:
    """Write the file whole or not at all; failing to keep it costs only time."""
    import numpy as np

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            np.save(file, np.asarray(vectors, dtype=np.float32))
        partial.replace(path)
        for old in path.parent.glob("examples-*.npy"):
            if old != path:
                old.unlink(missing_ok=True)
    except OSError:
        return
