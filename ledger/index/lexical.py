"""Search without vectors and without an index: the store's own strings, compared by spelling.

What remains when another process has the index, or when it can't be opened.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from typing import TYPE_CHECKING

from ledger.index import ranking, terms
from ledger.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from ledger.index.contract import Hit, IndexPoint

    Phrases = Callable[[int], Awaitable[Sequence[tuple[int, str]]]]


class LexicalIndex:
    """Reads the ledger's strings from the store at each search, so it is never stale and has nothing to write."""

    def __init__(self, phrases: Phrases) -> None:
        """Keep the way to the store: a ledger's point ids and texts."""
        self._phrases = phrases

    @property
    def stale(self) -> bool:
        """Never."""
        return False

    async def search(self, ledger: int, query: str, limit: int) -> list[Hit]:
        """Return the ledger's strings that share words or letters with the query, the best first."""
        phrases = await self._phrases(ledger)
        return await asyncio.to_thread(_search, phrases, query, limit)

    async def count(self, ledger: int) -> int:
        """Return how many strings the store has for the ledger."""
        return len(await self._phrases(ledger))

    async def wipe(self) -> None:
        """Nothing is kept here."""

    async def upsert(self, points: Sequence[IndexPoint]) -> None:
        """The store has them already."""

    async def remove(self, ids: Collection[int]) -> None:
        """The store has forgotten them already."""

    async def drop_ledger(self, ledger: int) -> None:
        """The store has forgotten it already."""

    async def close(self) -> None:
        """Nothing is held open."""


def _search(phrases: Sequence[tuple[int, str]], query: str, limit: int) -> list[Hit]:
    wanted = terms.words(query)
    texts = [(point, terms.words(text)) for point, text in phrases]
    length = ranking.depth(limit)
    return ranking.fuse((), _by_words(texts, wanted)[:length], _by_letters(texts, wanted)[:length], limit)


def _by_words(texts: Sequence[tuple[int, tuple[str, ...]]], query: Sequence[str]) -> list[tuple[int, float]]:
    """BM25 over the ledger's strings."""
    wanted = frozenset(map(stem, query))
    weights = [(point, terms.word_weights(words)) for point, words in texts if not wanted.isdisjoint(map(stem, words))]
    known = sum(1 for _, words in texts if words)
    found = Counter(word for _, words in weights for word in wanted & words.keys())
    rarity = {word: math.log((known - n + 0.5) / (n + 0.5) + 1) for word, n in found.items()}
    scored = [(point, sum(words[word] * rarity[word] for word in wanted & words.keys())) for point, words in weights]
    return sorted(scored, key=_order)


def _by_letters(texts: Sequence[tuple[int, tuple[str, ...]]], query: Sequence[str]) -> list[tuple[int, float]]:
    """The share of the query's letter triples that each string holds."""
    wanted = terms.triples(query)
    spelled = ((point, terms.spelling(words)) for point, words in texts)
    shares = [(point, sum(triple in text for triple in wanted) / len(wanted)) for point, text in spelled if wanted]
    return sorted((entry for entry in shares if entry[1] >= terms.LEXICAL_SHARE), key=_order)


def _order(entry: tuple[int, float]) -> tuple[float, int]:
    return -entry[1], entry[0]
