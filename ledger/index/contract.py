"""What every search index offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

#: MiniLM on short names: nonsense reaches 0.30, an unrelated brand 0.45, the right kind of shop 0.35 to 0.80. At this
#: bar few wrong ones stay, and some right ones go.
RELEVANT_COSINE = 0.45


@dataclass(frozen=True, slots=True)
class IndexPoint:
    """One distinct string of a ledger; ``id`` is unique over all ledgers."""

    id: int
    ledger: int
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A string that was found.

    ``score`` orders the hits of one search and means nothing beyond it. ``cosine`` is the likeness in meaning, None if
    it was not measured. ``lexical`` says that at least half of the query's letters stand in the text.
    """

    id: int
    score: float
    cosine: float | None
    lexical: bool

    def relevant(self, bar: float = RELEVANT_COSINE) -> bool:
        """Whether the hit is worth showing: it is spelled like the query or near it in meaning."""
        return self.lexical or (self.cosine is not None and self.cosine >= bar)


class SearchIndex(Protocol):
    """An index over the strings of all ledgers; a search sees one ledger only.

    Whatever can't be done now raises ``IndexUnavailable``; writing may also raise ``EmbeddingUnavailable``. When a
    writing call returns, its work survives a kill.
    """

    @property
    def name(self) -> str:
        """What tells this index from all others that the same store was ever indexed in."""
        ...

    @property
    def stale(self) -> bool:
        """Whether what is stored is missing, damaged or made by another embedder; only ``wipe`` is possible then.

        :mod:`ledger.index_marks` sees to it, and to every string being queued again.
        """
        ...

    async def wipe(self) -> None:
        """Delete everything and start empty, for the present embedder."""
        ...

    async def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Embed and store the points, replacing those of the same ids."""
        ...

    async def search(self, ledger: int, query: str, limit: int) -> list[Hit]:
        """Return the ledger's strings nearest to the query, the best first; a query without words finds nothing.

        If the query can't be embedded now, the search goes by spelling alone.
        """
        ...

    async def remove(self, ids: Collection[int]) -> None:
        """Forget these points; unknown ids are no error."""
        ...

    async def drop_ledger(self, ledger: int) -> None:
        """Forget all points of the ledger, on disk too as far as the engine allows."""
        ...

    async def count(self, ledger: int) -> int:
        """Return how many points the ledger has."""
        ...

    async def drop_former(self) -> None:
        """Delete what an index for another embedder left in the same place."""
        ...

    async def close(self) -> None:
        """Release files, threads and connections; every call but ``close`` then raises ``IndexUnavailable``."""
        ...
