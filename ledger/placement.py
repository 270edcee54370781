"""Where a category name or phrase stands in our tree, found by its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from ledger import wordlists
from ledger.stemming import stem, stems
from ledger.taxonomy import AMBIGUOUS_WORDS, BROAD_WORDS, CATEGORIES, Category, lineage

#: Stems that join words without changing what they mean together.
CONNECTORS = frozenset({"and", "und", "y", "et", "oder", "or"})
_NEUTRAL_HEADS = tuple(map(stem, wordlists.words("category_words.txt", "neutral heads")))
_MEANING_HEADS = tuple(map(stem, wordlists.words("category_words.txt", "meaning heads")))
#: Categories of which a name may say what they are about: “Car insurance”.
ABOUT_SOMETHING = ("insurance", "loans")
_LINKING = ("s", "n", "e", "en")
_PARTS = re.compile(r"\s*(?:&|\+|/|,|;|\||\band\b|\bund\b)\s*", re.IGNORECASE)
_LEVELS = re.compile(r"\s*(?:://|//|:|>|»|→| - )\s*")

#: Categories in order of likelihood, each with how likely it is that this one is meant.
Readings = tuple[tuple[tuple[str, ...], float], ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """The category that a name belongs to first, and the others that its words touch.

    “Auto Insurance” belongs to Insurance and touches Car.
    """

    primary: Category
    touched: tuple[Category, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all categories that the name belongs to."""
        return frozenset((self.primary.key, *(category.key for category in self.touched)))


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the text's words, without those that only join others."""
    return tuple(word for word in stems(text) if word not in CONNECTORS)


@cache
def phrases() -> dict[tuple[str, ...], Readings]:
    """Return every phrase we know, as stems, with the categories that it may mean."""
    table: dict[tuple[str, ...], Readings] = {}
    for key, category in CATEGORIES.items():
        for phrase in (category.name, category.german, *category.words):
            table.setdefault(content_stems(phrase), (((key,), 1.0),))
    table.update({content_stems(phrase): ((keys, 1.0),) for phrase, keys in BROAD_WORDS.items()})
    for phrase, readings in AMBIGUOUS_WORDS.items():
        table[content_stems(phrase)] = tuple(((key,), likelihood) for key, likelihood in readings)
    return table


@cache
def longest_phrase() -> int:
    """Return how many words the longest known phrase has."""
    return max(len(phrase) for phrase in phrases())


@cache
def known_stems() -> frozenset[str]:
    """Return all stems that occur in a known phrase."""
    return frozenset(word for phrase in phrases() for word in phrase)


@lru_cache(maxsize=8192)
def split_compound(word: str) -> tuple[str, ...]:
    """Return the stems of the meaningful parts of a German compound, the head last; empty when it is none we know."""
    table = phrases()
    for heads, head_counts in ((_NEUTRAL_HEADS, False), (_MEANING_HEADS, True)):
        for head in heads:
            if not word.endswith(head) or len(word) < len(head) + 3:
                continue
            modifier = _modifier(word[: -len(head)])
            if head_counts and (head,) in table:
                return (modifier, head) if modifier else (head,)
            if not head_counts and modifier:
                return (modifier,)
    return ()


def _modifier(text: str) -> str:
    candidates = [text, *(text.removesuffix(link) for link in _LINKING if text.endswith(link))]
    for candidate in candidates:
        if len(candidate) >= 3 and (stem(candidate),) in phrases():
            return stem(candidate)
    return ""


@lru_cache(maxsize=8192)
def read_phrase(words: tuple[str, ...]) -> Readings:
    """Return what the stems mean as one phrase; empty when that phrase is unknown."""
    found = phrases().get(words)
    if found is None and len(words) == 1 and (parts := split_compound(words[0])):
        return phrases()[(parts[-1],)]
    return found or ()


def parts_of(name: str) -> list[str]:
    """Return what a name joins: “Gas & Fuel” is two things, “Credit Card Payment” one."""
    return [part for level in _LEVELS.split(name) for part in _PARTS.split(level)]


@lru_cache(maxsize=4096)
def place_name(name: str) -> Placement | None:
    """Return where a category name stands in our tree, or nothing when none of its words is known."""
    levels = [level for level in _LEVELS.split(name.strip()) if level]
    for level in reversed(levels):
        whole = read_phrase(content_stems(level))
        if whole:
            return _place_whole(whole[0][0][0], level)
        placed = _place_parts(_PARTS.split(level))
        if placed is not None:
            return placed
    return None


def _place_whole(key: str, name: str) -> Placement:
    """Place a name that is one known phrase; what an insurance or a loan is for is touched as well."""
    touched: dict[str, None] = {}
    if lineage(key)[-1] in ABOUT_SOMETHING:
        for word in content_stems(name):
            touched.update((other, None) for other in _scan((word,)) if other not in lineage(key))
    return Placement(CATEGORIES[key], tuple(CATEGORIES[other] for other in touched))


def _place_parts(parts: list[str]) -> Placement | None:
    found = [keys for part in parts if (keys := _scan(content_stems(part)))]
    if not found:
        return None
    primary = _lowest_above([keys[-1] for keys in found])
    touched = dict.fromkeys(key for keys in found for key in keys if key != primary)
    return Placement(CATEGORIES[primary], tuple(CATEGORIES[key] for key in touched))


def _lowest_above(keys: list[str]) -> str:
    """Return the lowest category above all the keys, or the first key when nothing is."""
    shared = [key for key in lineage(keys[0]) if all(key in lineage(other) for other in keys)]
    return shared[0] if shared else keys[0]


def _scan(words: tuple[str, ...]) -> list[str]:
    """Return the first reading of each known phrase in the words, left to right, longest phrases first."""
    keys: list[str] = []
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + longest_phrase()), start, -1):
            readings = read_phrase(words[start:end])
            if readings:
                if end == start + 1 and (parts := split_compound(words[start])) and (words[start],) not in phrases():
                    keys.extend(phrases()[(part,)][0][0][0] for part in parts)
                else:
                    keys.append(readings[0][0][0])
                start = end
                break
        else:
            start += 1
    return keys
