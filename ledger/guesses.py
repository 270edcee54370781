"""Which category a merchant without one may have: that of others with a like name, as the person filed those themselves.

A guess is shown as one and put into figures by nobody: the person confirms it, or it stays a guess. What a name means
by the embedder's vectors is no ground: at a bar with every guess right on one half of a list, most were wrong on the other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledger.descriptors import BUSINESSES, CITIES, COUNTRIES, LEGAL_FORMS, SMALL_WORDS
from ledger.private_people import is_person
from ledger.stemming import fold
from ledger.wordlists import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.rules import Rule

_SHORTEST_WORD = 4
_COMMON = (*words("name_words.txt", "everyday"), *words("name_words.txt", "small words"))
_TELLS_NOTHING = frozenset(
    fold(word) for each in (BUSINESSES, CITIES, COUNTRIES, LEGAL_FORMS, SMALL_WORDS, _COMMON) for word in each
)


class Guess(NamedTuple):
    """A category that a merchant may have, and the merchant that the person filed there."""

    category: str
    like: str


def guess(merchant: str, rules: Sequence[Rule]) -> Guess | None:
    """Return the category of the merchants with most of their telling words in common, if the person filed those alike.

    A single word of several is too little: of guesses by that, half were wrong.
    """
    if is_person(merchant):
        return None
    alike = [rule for rule in rules if _are_alike(merchant, rule.merchant) and not is_person(rule.merchant)]
    categories = {rule.category for rule in alike}
    return Guess(alike[0].category, alike[0].merchant) if len(categories) == 1 else None


def _are_alike(name: str, other: str) -> bool:
    these, those = _telling_words(name), _telling_words(other)
    return 2 * len(these & those) > max(len(these), len(those))


@lru_cache(maxsize=4096)
def _telling_words(name: str) -> frozenset[str]:
    parts = (part.strip(".,&'’") for part in fold(name).split())
    return frozenset(
        part for part in parts if len(part) >= _SHORTEST_WORD and part.isalpha() and part not in _TELLS_NOTHING
    )
