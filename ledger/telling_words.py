"""The category that a descriptor's own words tell; ``data/descriptor_words.txt`` lists what a person would not say."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ledger import placement
from ledger.brands import assignable
from ledger.category_words import EVERYDAY
from ledger.placement import CONNECTORS
from ledger.stemming import fold, stem, words_with_spans
from ledger.taxonomy import CATEGORIES, lineage
from ledger.wordlists import phrases, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FILE = "descriptor_words.txt"

#: What says more than what stands before it ("Ärzte ohne Grenzen, Spende").
_OUTWEIGHING = frozenset(words(_FILE, "outweighing"))
_RENTED = frozenset(("rent", "rents", "rental", "rentals"))
_NO_HOME = frozenset(words(_FILE, "not rented homes"))
_SHORT_FOR_TAXES = {
    short: key for short, _, key in (each.partition(" > ") for each in phrases(_FILE, "short for taxes"))
}
#: What people say, and what may mean anything in a descriptor.
_MISTAKABLE = EVERYDAY | frozenset(map(stem, words("category_words.txt", "only people say")))
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
    told = list(_longest_first(found))
    given = next((key for key, places in told if any(found[place] in _OUTWEIGHING for place in places)), None)
    key = given or next((key for key, _ in told), None) or next(_at_their_ends(found), None)
    return assignable(key).name if key else None


@lru_cache(maxsize=16384)
def kinds_in_words(phrase: str) -> frozenset[str]:
    """Return the keys of all that a descriptor's own words name, the finest ("grundsteuer" is property tax).

    What belongs to a longer name tells nothing else: in a "water park" there is no water.
    """
    found = _spelled(without_channels(phrase))
    told: set[str] = set()
    taken: set[int] = set()
    for key, places in _longest_first(found):
        if taken.isdisjoint(places):
            told.add(key)
            taken.update(places)
    told.update(_at_their_ends(word for place, word in enumerate(found) if place not in taken))
    if "taxes" in told:
        told.update(_SHORT_FOR_TAXES[word] for word in found if word in _SHORT_FOR_TAXES)
    return frozenset(told)


def without_channels(phrase: str) -> str:
    """Return a search text without words for how it was paid."""
    return _channels().sub(" ", phrase)


def _longest_first(found: tuple[str, ...]) -> Iterator[tuple[str, range]]:
    """Yield what runs of words tell, and where they stand, the longest first; of those as long the first first."""
    stems = tuple(map(stem, found))
    rents_a_thing = not _NO_HOME.isdisjoint(found)
    for length in range(_LONGEST_TELLING, 0, -1):
        for start in range(len(found) - length + 1):
            end = start + length
            told, known = _telling().get(found[start:end]), _known().get(stems[start:end])
            key = known if told is None or (known and told in lineage(known)) else told
            no_home = rents_a_thing and not _RENTED.isdisjoint(found[start:end])
            if key and not (no_home and "rent" in lineage(key)):
                yield key, range(start, end)


def _at_their_ends(found: Iterable[str]) -> Iterator[str]:
    """Yield what the ends of words tell ("Marktapotheke", "Zahnarztpraxis")."""
    for word in found:
        ending = _endings().search(word)
        key = _telling_ends()[ending[0]] if ending else _known().get(placement.split_compound(stem(word))[-1:])
        if key:
            yield key


@lru_cache(maxsize=32768)
def _spell(word: str) -> str:
    """Return a word as it is compared: folded, an umlaut's two letters as one, but with its ending."""
    word = fold(word).replace("'", "").replace("’", "")
    for pair, single in _PAIRS:
        word = word.replace(pair, single)
    return word


def _spelled(text: str) -> tuple[str, ...]:
    return tuple(spelled for word, _, _ in words_with_spans(text) if (spelled := _spell(word)) not in CONNECTORS)


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
        alone = len(stems) == 1 and (len(stems[0]) < _SHORTEST_TELLING or stems[0] in _MISTAKABLE)
        whole = category.parent is None and any(
            not other.finer and other.parent == category.key for other in CATEGORIES.values()
        )
        if stems and sure == 1.0 and len(readings) == 1 and not whole and category.spoken and not alone:
            telling[stems] = category.key
    return telling


@cache
def _telling() -> dict[tuple[str, ...], str]:
    """Return the words that only descriptors have, as they are spelled."""
    return {_spelled(phrase): key for key in CATEGORIES for phrase in phrases(_FILE, key)}


@cache
def _telling_ends() -> dict[str, str]:
    return {_spell(end): key for key in CATEGORIES for end in phrases(_FILE, f"{key} endings")}


@cache
def _endings() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(re.escape, sorted(_telling_ends(), key=len, reverse=True)))})$")
