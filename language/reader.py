"""The reader: a witness beside the grammar that says what a sentence asks for, learned from the bank of utterances.

One linear model for each thing that it tells (which act, of which money, which end of a rank …) over the features of the
sentence. Its weights come from ``make reader`` and are pinned in ``reader.npz``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from language.features import columns_of, columns_of_word

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

#: What the reader tells of a sentence; each but the act only of sentences that say it.
HEADS = ("act", "rel", "of", "dir", "by", "dim", "per", "grain", "want")
#: What it tells of the parts of an act: which money, which end, ranked by what, by which dimension or interval …
PARTS = ("of", "dir", "by", "dim", "per", "grain", "want")
_FILE = "reader.npz"
#: In questions of so many acts a word says nothing about one.
_ANYWHERE = 6
_SHORTEST_SLIP, _LONG = 5, 8


@dataclass(frozen=True, slots=True)
class Told:
    """The answers of one head, the likeliest first, with their probabilities (0 to 1)."""

    ranked: tuple[tuple[str, float], ...]
    best: str = field(init=False)
    """The likeliest answer."""
    sure: float = field(init=False)
    """Its probability."""

    def __post_init__(self) -> None:
        """Tell the likeliest once; it is asked for often."""
        best, sure = self.ranked[0]
        object.__setattr__(self, "best", best)
        object.__setattr__(self, "sure", sure)

    def without(self, *answers: str) -> Told:
        """Return the same where some answers can't be."""
        left = [(each, share) for each, share in self.ranked if each not in answers]
        whole = sum(share for _, share in left) or 1.0
        return Told(tuple((each, share / whole) for each, share in left))

    def of(self, answer: str) -> float:
        """Return the probability of an answer."""
        return dict(self.ranked).get(answer, 0.0)


@dataclass(frozen=True, slots=True)
class Head:
    """The weights of one thing that the reader tells."""

    answers: tuple[str, ...]
    weights: NDArray[np.int8]
    """A row for each column of the features, in steps of ``step``."""
    step: float
    bias: NDArray[np.float32]


class Reader:
    """Tells what sentences ask for; the same for everyone, since it holds nothing of any person."""

    def __init__(self, heads: Mapping[str, Head], words: Mapping[str, int]) -> None:
        """Use :func:`reader`; of each word, ``words`` has a bit for every act that people ask for with it."""
        self._heads = dict(heads)
        self._words = dict(words)
        self._long = tuple(word for word in words if len(word) >= _SHORTEST_SLIP)

    def knows(self, word: str, act: str) -> bool:
        """Whether a folded word, or one that it is a slip of, is usual where such a thing is asked for, or in any question."""
        bit = 1 << self._heads["act"].answers.index(act)
        if self._is_usual(word, bit):
            return True
        if len(word) < _SHORTEST_SLIP:
            return False
        most = 1 if len(word) < _LONG else 2
        return any(
            abs(len(word) - len(other)) <= most
            and OSA.distance(word, other, score_cutoff=most) <= most
            and self._is_usual(other, bit)
            for other in self._long
            if other[0] == word[0]
        )

    def is_common(self, word: str) -> bool:
        """Whether a folded word stands in questions of any kind, and so says nothing of what one is about."""
        return self._words.get(word, 0).bit_count() >= _ANYWHERE

    def makes(self, word: str, act: str) -> bool:
        """Whether a folded word is usual in such questions, and not in all others too."""
        acts = self._words.get(word, 0)
        return bool(acts >> self._heads["act"].answers.index(act) & 1) and acts.bit_count() < len(
            self._heads["act"].answers
        )

    @property
    def words(self) -> Collection[str]:
        """The folded words that are usual in questions."""
        return self._words.keys()

    def is_read(self, word: str) -> bool:
        """Whether a folded word is usual in questions of any kind."""
        return word in self._words

    def _is_usual(self, word: str, bit: int) -> bool:
        return bool(self._words.get(word, 0) & bit) or self.is_common(word)

    def telling(self, tokens: Sequence[str], name: str, said: str) -> int:
        """Return the place of the word that most tells an answer of a head, beside its other answers."""
        head = self._heads[name]
        place = head.answers.index(said)
        weights = [head.weights[columns_of_word(token)].sum(axis=0, dtype=np.int64) for token in tokens]
        return int(np.argmax([each[place] - each.mean() for each in weights]))

    def read(self, raw: str, pattern: str) -> dict[str, Told]:
        """Return what every head says of a sentence as written, and with placeholders for its names and dates."""
        columns = columns_of(raw, pattern)
        return {name: answer(head, columns) for name, head in self._heads.items()}


def answer(head: Head, columns: list[int]) -> Told:
    """Return what one head says of a sentence's features."""
    length = max(1, len(columns)) ** 0.5
    scores = head.weights[columns].sum(axis=0, dtype=np.int64) * (head.step / length) + head.bias
    odds = np.exp(scores - scores.max())
    shares = odds / odds.sum()
    order = np.argsort(-shares, kind="stable")
    return Told(tuple((head.answers[place], float(shares[place])) for place in order))


@cache
def reader() -> Reader:
    """Return the trained reader, loaded once."""
    with files("language").joinpath(_FILE).open("rb") as stream, np.load(stream, allow_pickle=False) as held:
        heads = {
            name: Head(
                tuple(str(each) for each in held[f"{name}.answers"]),
                held[f"{name}.weights"],
                float(held[f"{name}.step"]),
                held[f"{name}.bias"],
            )
            for name in HEADS
        }
        known = dict(zip(map(str, held["words"]), map(int, held["acts"]), strict=True))
    return Reader(heads, known)
