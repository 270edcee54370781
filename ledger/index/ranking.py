"""Several rankings become one, by reciprocal rank fusion (Cormack, Clarke, Büttcher 2009)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from ledger.index.contract import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Point ids and scores, the best first.
Ranking: TypeAlias = "Sequence[tuple[int, float]]"

#: The paper's constant: how little the first places stand out.
_K = 60
#: Scores equal to this many digits share a place, so that storage precision never decides an order.
_DIGITS = 3


def depth(limit: int) -> int:
    """Return how long each ranking must be for the first ``limit`` places of the fused one to be right in practice."""
    return max(100, 2 * limit)


def fuse(meaning: Ranking, words: Ranking, letters: Ranking, limit: int) -> list[Hit]:
    """Return the best of the three rankings together; ``letters`` holds only what is spelled like the query."""
    scores: defaultdict[int, float] = defaultdict(float)
    for ranking in (meaning, words, letters):
        for point, place in _places(ranking):
            scores[point] += 1 / (_K + place)
    cosines = dict(meaning)
    spelled = {point for point, _ in letters}
    best = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))[: max(limit, 0)]
    return [Hit(point, score, cosines.get(point), point in spelled) for point, score in best]


def _places(ranking: Ranking) -> Iterator[tuple[int, int]]:
    place, last = 0, None
    for position, (point, score) in enumerate(ranking, start=1):
        rounded = round(score, _DIGITS)
        if rounded != last:
            place, last = position, rounded
        yield point, place
