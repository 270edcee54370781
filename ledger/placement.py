"""Where a category name or phrase stands in our tree, found by its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import dropwhile

from ledger import wordlists
from ledger.stemming import WORD, fold, stem, stems
from ledger.taxonomy import AMBIGUOUS_WORDS, BROAD_WORDS, CATEGORIES, Category, lineage

#: Stems that join words without changing what they mean together.
CONNECTORS = frozenset({"and", "und", "y", "et", "oder", "or"})
_NEUTRAL_HEADS = tuple(map(stem, wordlists.words("category_words.txt", "neutral heads")))
_MEANING_HEADS = tuple(map(stem, wordlists.words("category_words.txt", "meaning heads")))
#: Categories of which a name may say what they are about: “Car insurance”.
ABOUT_SOMETHING = ("insurance", "loans")
_LINKING = ("s", "n", "e", "en")
#: Words between a thing and what it is for, and small words behind them.
_JOINING = frozenset(map(fold, wordlists.words("category_words.txt", "joining")))
_BEHIND_JOINING = _JOINING | frozenset(map(fold, wordlists.words("category_words.txt", "behind joining")))
#: Their stems: where none is among the words, nothing joins them.
JOINING_STEMS = frozenset(map(stem, _JOINING))
_NO_THINGS = frozenset(wordlists.words("category_words.txt", "no things"))
_SHORTEST_JOINED = 3
#: For whom or what much is.
_WHOSE = frozenset(map(fold, wordlists.words("category_words.txt", "whose")))
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
    keys: frozenset[str] = field(init=False)
    """The keys of all categories that the name belongs to."""

    def __post_init__(self) -> None:
        """Put the keys together once; they are asked for often."""
        object.__setattr__(self, "keys", frozenset(category.key for category in (self.primary, *self.touched)))


def content_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the text's words, without those that only join others."""
    return tuple(word for word in map(stem, WORD.findall(text)) if word not in CONNECTORS)


@cache
def phrases() -> dict[tuple[str, ...], Readings]:
    """Return every phrase we know, as stems, with the categories that it may mean; all of them, where several are finer."""
    table: dict[tuple[str, ...], Readings] = {}
    for key, category in CATEGORIES.items():
        for phrase in (category.name, category.german, *category.words):
            ((keys, sure),) = table.setdefault(content_stems(phrase), (((key,), 1.0),))
            if key not in keys and all(CATEGORIES[each].finer for each in (*keys, key)):
                named = phrase in (category.name, category.german)
                table[content_stems(phrase)] = (((key, *keys) if named else (*keys, key), sure),)
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


@lru_cache(maxsize=8192)
def in_one_phrase(text: str) -> str:
    """Return the phrase we know for a thing and what it is for, or the text: “insurance for my car” is “car insurance”."""
    joined = _joined_words(text)
    if joined is None:
        return text
    thing, about = joined
    own = _joined_phrases().get((stems(thing), stems(about)))
    turned = [
        f"{about} {thing}",
        *_compounds(about, thing),
    ]
    if about in _WHOSE and _is_finer(thing):
        turned.append(thing)
    return own or next((phrase for phrase in turned if content_stems(phrase) in phrases()), text)


def _joined_words(text: str) -> tuple[str, str] | None:
    """Return a thing and what it is for, where a small word stands between them."""
    said = list(map(fold, WORD.findall(text)))
    place = next((place for place, word in enumerate(said) if place and word in _JOINING), None)
    if place is None:
        return None
    thing, about = " ".join(said[:place]), " ".join(dropwhile(_BEHIND_JOINING.__contains__, said[place:]))
    told = min(len(thing), len(about)) >= _SHORTEST_JOINED and thing not in _NO_THINGS
    return (thing, about) if told else None


def _is_finer(phrase: str) -> bool:
    """Tell whether a phrase is one for a finer thing, of which it need not be told for whom it is: “vet for the dog”."""
    readings = phrases().get(content_stems(phrase), ())
    return len(readings) == 1 and all(CATEGORIES[key].finer for key in readings[0][0])


def _compounds(first: str, second: str) -> list[str]:
    """Return the compounds that two words may make: “Schulessen” is for the “Schule”."""
    if " " in first or " " in second:
        return []
    begun = dict.fromkeys((first, first.removesuffix("e"), first.removesuffix("es")))
    return [f"{begin}{link}{second}" for begin in begun for link in ("", *_LINKING)]


@cache
def _joined_phrases() -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """Return our own phrases of that form (“Rate fürs Haus”) by the stems of both sides."""
    ours = (word for category in CATEGORIES.values() for word in category.words)
    joined = ((phrase, _joined_words(phrase)) for phrase in ours)
    return {(stems(both[0]), stems(both[1])): phrase for phrase, both in joined if both is not None}


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
            parts = (phrases()[(part,)][0][0][0] for part in split_compound(word))
            touched.update((other, None) for other in (*_scan((word,)), *parts) if other not in lineage(key))
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
