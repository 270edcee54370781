"""The category that a descriptor's own words tell; ``data/descriptor_words.txt`` lists what a person would not say."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ledger import placement
from ledger.brands import assignable
from ledger.category_words import EVERYDAY
from ledger.placement import CONNECTORS
from ledger.stemming import fold, stem, words_with_spans
from ledger.taxonomy import CATEGORIES, Category
from ledger.wordlists import phrases, words

_FILE = "descriptor_words.txt"

#: What says more than what stands before it ("Ärzte ohne Grenzen, Spende").
_OUTWEIGHING = frozenset(words(_FILE, "outweighing"))
_RENTED = frozenset(("rent", "rents", "rental", "rentals"))
_NO_HOME = frozenset(words(_FILE, "not rented homes"))
_PAIRS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
#: A single word must be at least this long to tell a category by itself.
_SHORTEST_TELLING = 4
_LONGEST_TELLING = 3


@lru_cache(maxsize=16384)
def category_in_words(phrase: str) -> str | None:
    """Return the category that a descriptor's own words name ("miete wohnung", "canlis restaurant"), the longest first.

    Words that say how it was paid don't count ("internet banking"); of the others only those that mean one category.
    """
    found = _spelled(without_channels(phrase))
    if not _NO_HOME.isdisjoint(found):
        found = tuple(word for word in found if word not in _RENTED)
    given = next((_telling()[word,] for word in found if word in _OUTWEIGHING), None)
    return given or _longest(found) or _at_an_end(found)


def without_channels(phrase: str) -> str:
    """Return a search text without words for how it was paid."""
    return _channels().sub(" ", phrase)


def _longest(found: tuple[str, ...]) -> str | None:
    """Return what the longest of the words that tell something tells; the first of several as long."""
    stems = tuple(map(stem, found))
    for length in range(_LONGEST_TELLING, 0, -1):
        for start in range(len(found) - length + 1):
            end = start + length
            category = _telling().get(found[start:end]) or _known().get(stems[start:end])
            if category:
                return category
    return None


def _at_an_end(found: tuple[str, ...]) -> str | None:
    """Return what the end of a word tells ("Marktapotheke", "Zahnarztpraxis")."""
    for word in found:
        ending = _endings().search(word)
        if ending:
            return _telling_ends()[ending[0]]
    heads = (parts[-1:] for word in map(stem, found) if (parts := placement.split_compound(word)))
    return next((category for head in heads if (category := _known().get(head))), None)


@lru_cache(maxsize=32768)
def _spell(word: str) -> str:
    """Return a word as it is compared: folded, an umlaut's two letters as one, but with its ending."""
    word = fold(word).replace("'", "").replace("’", "")
    for pair, single in _PAIRS:
        word = word.replace(pair, single)
    return word


def _spelled(text: str) -> tuple[str, ...]:
    return tuple(spelled for word, _, _ in words_with_spans(text) if (spelled := _spell(word)) not in CONNECTORS)


def _assigned() -> tuple[Category, ...]:
    return tuple(category for category in CATEGORIES.values() if not category.finer)


@cache
def _channels() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(phrases(_FILE, 'channels'), key=len, reverse=True))})\b")


@cache
def _known() -> dict[tuple[str, ...], str]:
    """Return the words for categories that are unmistakable in a descriptor as well, as stems."""
    telling: dict[tuple[str, ...], str] = {}
    for stems, readings in placement.phrases().items():
        keys, sure = readings[0]
        category = CATEGORIES[keys[0]]
        alone = len(stems) == 1 and (len(stems[0]) < _SHORTEST_TELLING or stems[0] in EVERYDAY)
        whole = category.parent is None and any(other.parent == category.key for other in _assigned())
        if stems and sure == 1.0 and len(readings) == 1 and not whole and category.spoken and not alone:
            telling[stems] = assignable(category.key).name
    return telling


@cache
def _telling() -> dict[tuple[str, ...], str]:
    """Return the words that only descriptors have, as they are spelled."""
    return {_spelled(phrase): category.name for category in _assigned() for phrase in phrases(_FILE, category.key)}


@cache
def _telling_ends() -> dict[str, str]:
    return {_spell(end): category.name for category in _assigned() for end in phrases(_FILE, f"{category.key} endings")}


@cache
def _endings() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(re.escape, sorted(_telling_ends(), key=len, reverse=True)))})$")
