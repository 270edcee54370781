"""How near a question is to tools: what it means and which of its words their texts hold, in one score."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from language.words import MAX_TEXT
from ledger.stemming import stem, words_with_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    Vectors = npt.NDArray[np.float64]

#: The part of a score that words make; meaning makes the rest.
WORDS = 0.13
#: The part of what a description means that it has without its tool's name, which can say it all and can mislead.
NAMELESS = 0.25
#: Before examples, the part that a question has as it was asked; the rest it has with typical words.
AS_ASKED = 0.4
#: By how much the nearest tool with examples is nearer than any without, where the question is one for such tools; and
#: from where on it may be one. "How much is …" is asked of many things, and the best of many examples is near by chance.
LEAD, LEAST_LEAD = 0.3, 0.09
#: Where it may be one, the part of the places that is kept for those with the nearest examples.
KEPT = 0.4
#: Where the words of a name such as get_user, getUserInfo or HTTPServer part.
_SEAM = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


def words_of_name(name: str) -> str:
    """Return a tool's name as words."""
    return " ".join(filter(None, _SEAM.split(name)))


@dataclass(frozen=True, slots=True)
class Wording:
    """A question in one of its wordings, and what that means."""

    text: str
    vector: Vectors


class Nearness:
    """The texts of tools, one row each: what they mean, and which words stand where.

    A row's score is the cosine and, as a smaller part, the share of the question's words that it holds, rare words
    counting more. A tool's is that of its description or of the nearest of its examples; but next to tools that have no
    examples, those of the others count only where they lead clearly.
    """

    def __init__(self, texts: Sequence[str], vectors: Vectors, starts: Sequence[int]) -> None:
        """Take each tool's description at its row of ``starts``, and its examples on the rows after that."""
        self._vectors = vectors
        self._starts = list(starts)
        self._is_example = np.ones(len(texts), dtype=bool)
        self._is_example[self._starts] = False
        self._has_examples = np.diff([*self._starts, len(texts)]) > 1
        self._rows = _rows_of_words(texts)

    @property
    def length(self) -> int:
        """How many numbers a vector has."""
        return int(self._vectors.shape[1])

    def scores(self, asked: Wording, typical: Wording, places: int) -> Vectors:
        """Return each tool's score for a question as it was asked, and with typical words for its particulars.

        So many tools will be offered; of those places the ones that are kept for examples go by equal scores.
        """
        as_asked = self._of_rows(asked)
        mixed = AS_ASKED * as_asked + (1 - AS_ASKED) * self._of_rows(typical)
        rows = np.where(self._is_example, mixed, as_asked)
        best: Vectors = np.maximum.reduceat(rows, self._starts)
        lead = self._lead(best)
        if lead >= LEAD:
            return best
        described: Vectors = rows[self._starts]
        if lead >= LEAST_LEAD:
            kept = int(KEPT * places)
            last = np.sort(described)[kept - places :][0]
            nearest = np.argsort(np.where(self._has_examples, -best, np.inf), kind="stable")[:kept]
            nearest = nearest[self._has_examples[nearest]]
            described[nearest] = np.maximum(described[nearest], last)
        return described

    def _lead(self, best: Vectors) -> float:
        """Return how much nearer the nearest tool with examples is than the nearest without any."""
        if self._has_examples.all() or not self._has_examples.any():
            return math.inf
        return float(best[self._has_examples].max() - best[~self._has_examples].max())

    def _of_rows(self, wording: Wording) -> Vectors:
        scores: Vectors = (1 - WORDS) * (self._vectors @ wording.vector) + WORDS * self._shares(wording.text)
        return scores

    def _shares(self, text: str) -> Vectors:
        """Return which share of a sentence's words each row holds, by weight."""
        found, whole = np.zeros(len(self._is_example)), 0.0
        for word in dict.fromkeys(_stems(text[:MAX_TEXT])):
            rows = self._rows.get(word, [])
            weight = math.log(1 + (len(found) - len(rows) + 0.5) / (len(rows) + 0.5))
            found[rows] += weight
            whole += weight
        return found / (whole or 1.0)


def _rows_of_words(texts: Iterable[str]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in set(_stems(text)):
            rows.setdefault(word, []).append(row)
    return rows


def _stems(text: str) -> list[str]:
    return [stem(word) for word, _, _ in words_with_spans(text)]
