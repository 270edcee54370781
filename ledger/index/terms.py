"""What a text consists of for matching by spelling: its words, and the letter triples of its words.

Words carry BM25, so that rare ones decide. Triples carry typing errors and run-together names: the share of a query's
triples that a text contains is 0.75 for "starbuks" against "Starbucks Store". Every index computes both from here, so
the same strings match everywhere.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from ledger.stemming import fold, stem, words_with_spans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: BM25: saturation of repeats, weight of length, and the usual number of words in a bank's string.
_K = 1.2
_B = 0.75
_USUAL_WORDS = 4
_MAX_WORDS = 64
#: A text that holds at least this share of the query's triples is spelled like it.
LEXICAL_SHARE = 0.49
_ENGLISH = ("a", "an", "and", "at", "by", "for", "from", "in", "my", "of", "on", "or", "the", "to", "with")
_GERMAN = (
    *("am", "bei", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen", "einer", "fur", "im"),
    *("mein", "meine", "meinem", "meinen", "meiner", "mit", "oder", "und", "vom", "von", "zum", "zur"),
)
#: As they look when folded.
_FILLERS = frozenset((*_ENGLISH, *_GERMAN))


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Weights by term number, in ascending order of the numbers; both empty for a text without words."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@lru_cache(maxsize=8192)
def words(text: str) -> tuple[str, ...]:
    """Return the text's words, folded; without fillers, unless there is nothing else ("About You", "An der Au")."""
    found = tuple(fold(word) for word, _, _ in words_with_spans(text)[:_MAX_WORDS])
    return tuple(word for word in found if word not in _FILLERS) or found


def word_weights(words: Sequence[str]) -> dict[str, float]:
    """Return the BM25 weight of each stem of a stored text; how rare the stem is, is the index's part."""
    counts = Counter(map(stem, words))
    length = _K * (1 - _B + _B * len(words) / _USUAL_WORDS)
    return {found: count * (_K + 1) / (count + length) for found, count in counts.items()}


def spelling(words: Sequence[str]) -> str:
    """Return the words in one string, with a space before and after each."""
    return f" {' '.join(words)} "


def triples(words: Sequence[str]) -> frozenset[str]:
    """Return the letter triples of the words; a space stands for a word's begin and end."""
    text = spelling(words)
    return frozenset(text[at : at + 3] for at in range(len(text) - 2) if text[at + 1] != " ")


def document_vectors(text: str) -> tuple[SparseVector, SparseVector]:
    """Return the stems and the triples of a text to store."""
    found = words(text)
    return _sparse(word_weights(found)), _sparse(dict.fromkeys(triples(found), 1.0))


def query_vectors(text: str) -> tuple[SparseVector, SparseVector]:
    """Return the stems and the triples of a query; the triples score the share of them that a text holds."""
    wanted = words(text)
    letters = triples(wanted)
    return _sparse(dict.fromkeys(map(stem, wanted), 1.0)), _sparse(dict.fromkeys(letters, 1 / max(len(letters), 1)))


def _sparse(weights: Mapping[str, float]) -> SparseVector:
    numbered = sorted({_number(term): weight for term, weight in weights.items()}.items())
    return SparseVector(tuple(number for number, _ in numbered), tuple(weight for _, weight in numbered))


@lru_cache(maxsize=16384)
def _number(term: str) -> int:
    return crc32(term.encode("utf-8", "replace"))
