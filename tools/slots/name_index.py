"""Names found by what people write of them: whole, by their first words, by some words within, or as the brand is called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from language.lexicon import listed as said
from language.words import Word, fold, words
from ledger.brands import brand_called, brands_called, is_own_name
from ledger.descriptors import BUSINESSES, CITIES, LEGAL_FORMS, SMALL_WORDS
from ledger.placement import known_stems
from ledger.private_people import is_person
from ledger.stemming import stem
from ledger.wordlists import phrases
from ledger.wordlists import words as listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_FILE = "name_words.txt"
_EVERYDAY = frozenset(map(fold, (*listed(_FILE, "everyday"), *listed(_FILE, "small words"))))
_CUES = frozenset(map(fold, listed(_FILE, "cues")))
_STRONG_CUES = frozenset(map(fold, listed(_FILE, "strong cues")))
AFTER_A_NAME = frozenset(map(fold, listed(_FILE, "after a name")))
_ARTICLES = frozenset(listed(_FILE, "articles"))
_IN_FULL = dict(pair.split(" > ") for pair in phrases(_FILE, "written short"))
_POSSESSIVES = said("possessives")
#: What stands with a capital beside a name and is no part of it.
_EXPLAINED = _EVERYDAY | _CUES | AFTER_A_NAME | LEGAL_FORMS | frozenset(map(fold, listed("bank_wording.txt", "months")))
_PIECE = re.compile(r"[^\W_]+")
_SHORTEST_NAME, _LONGEST_NAME = 2, 6
#: The first words of a name must be at least this long to stand for it, and this long without a capital or a cue.
_SHORTEST_PART, _TELLING_PART = 3, 5


class Part(IntEnum):
    """How much of a name was written, the surest first."""

    WHOLE = 0
    CALLED = 1
    FIRST_WORDS = 2
    WITHIN = 3


#: Whether the words of a text from a place on, so many of them, are meant as that part of a name.
Meant = Callable[[str, int, int, Part], bool]


@dataclass(frozen=True, slots=True)
class Hit:
    """Names that some words of a sentence stand for, how much of them was written, and where."""

    names: tuple[str, ...]
    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Names by their letters and digits alone: whole, by leading words, and by other words within."""

    whole: dict[str, tuple[str, ...]]
    leading: dict[str, tuple[str, ...]]
    within: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, names: Iterable[str]) -> NameIndex:
        """Index names; the order given is the order in which several are returned."""
        names = tuple(names)
        # "Deandre" is Deandre Williams too, "T Hargreaves" with what it was for as well; but Amazon is no Amazon Prime.
        alone = {name for name in names if is_person(name) or not (" " in name or brand_called(name))}
        longer = [(first, name) for name in names for first in _beginnings(name) if first in alone]
        return cls.of_called([*((name, name) for name in names), *longer])

    @classmethod
    def of_called(cls, called: Iterable[tuple[str, str]]) -> NameIndex:
        """Index what things are called, each with the name that stands for it."""
        whole: dict[str, list[str]] = defaultdict(list)
        leading: dict[str, list[str]] = defaultdict(list)
        within: dict[str, list[str]] = defaultdict(list)
        for text, name in called:
            parts = _parts(fold(text))
            whole["".join(parts)].append(name)
            first = 1 if len(parts) > 1 and parts[0] in _ARTICLES else 0
            if first:
                whole["".join(parts[first:])].append(name)
            for start in range(first, min(len(parts), _LONGEST_NAME)):
                for end in range(start + 1, min(len(parts), _LONGEST_NAME) + 1):
                    if end - start < len(parts) - first and not {parts[start], parts[end - 1]} & SMALL_WORDS:
                        (leading if start == first else within)["".join(parts[start:end])].append(name)
        return cls(_frozen(whole), _frozen(leading), _frozen(within))

    def exact(self, key: str) -> tuple[str, ...]:
        """Return the names that consist of these letters, with or without a plural s."""
        return _in_number(self.whole, key)

    def called(self, text: str) -> tuple[str, ...]:
        """Return the names of the brand that people call this."""
        brand = brand_called(text)
        return self.exact(letters(brand)) if brand else ()

    def beginning(self, key: str) -> tuple[str, ...]:
        """Return the names that begin with these words."""
        return _in_number(self.leading, key)

    def holding(self, key: str) -> tuple[str, ...]:
        """Return the names that have these words within."""
        return self.within.get(key, ())

    def find(self, text: str, meant: Meant) -> list[Hit]:
        """Return the names in a sentence, each with the legal form or the genitive s behind it."""
        sentence = words(text)
        brands = _brands_in(text)
        found: list[Hit] = []
        place = 0
        while place < len(sentence):
            hit = self._at(text, place, meant, brands)
            if hit is None:
                place += 1
                continue
            names, part, length = hit
            start, place = sentence[place].start, place + length
            while (
                place < len(sentence) and sentence[place].key in LEGAL_FORMS and text[sentence[place].start].isupper()
            ):
                place += 1
            end = sentence[place - 1].end
            if text[end : end + 2].casefold() in {"'s", "’s"}:
                end += 2
            found.append(Hit(names, part, start, end))
        return found

    def _at(
        self, text: str, place: int, meant: Meant, brands: Mapping[tuple[int, int], str]
    ) -> tuple[tuple[str, ...], Part, int] | None:
        """Return the longest run of words from a place on that stands for names, where the sentence means them so."""
        pieces = [_pieces(word.key) for word in words(text)[place : place + _LONGEST_NAME]]
        elsewhere = [
            length
            for (at, length), brand in brands.items()
            if at == place and self._is_elsewhere(text, at, length, brand)
        ]
        for length in range(len(pieces), 0, -1):
            brand, key = brands.get((place, length), ""), "".join(pieces[:length])
            for part, names in self._readings(key, brand):
                if part >= Part.FIRST_WORDS and any(length < longer for longer in elsewhere):
                    break  # Scottish Power is no “Scottish Water”
                if names and _fits(pieces[:length], part, names) and meant(text, place, length, part):
                    return names, part, length
        return None

    def _readings(self, key: str, brand: str) -> Iterable[tuple[Part, tuple[str, ...]]]:
        yield Part.WHOLE, self.exact(key)
        called = self.exact(letters(brand)) if len(key) >= _SHORTEST_NAME and brand else ()
        own = self.beginning(key) if len(key) >= _SHORTEST_PART else ()
        if own and letters(brand) != key and not set(called) & set(own):
            called = ()  # who pays Merkur Versicherung means by “Merkur” no Billa
        yield Part.CALLED, called
        yield Part.FIRST_WORDS, own
        if len(key) > _SHORTEST_PART:
            yield Part.WITHIN, self.holding(key)

    def brands_elsewhere(self, text: str) -> list[tuple[int, int]]:
        """Return where a sentence has brands of several words that are none of the names."""
        sentence = words(text)
        own = (
            (place, length)
            for (place, length), brand in _brands_in(text).items()
            if self._is_elsewhere(text, place, length, brand)
        )
        return [(sentence[place].start, sentence[place + length - 1].end) for place, length in own]

    def _is_elsewhere(self, text: str, place: int, length: int, brand: str) -> bool:
        key = "".join(_pieces(word.key) for word in words(text)[place : place + length])
        return length > 1 and letters(brand) == key and not (self.exact(key) or self.beginning(key))

    def resolve(self, name: str) -> tuple[str, ...]:
        """Return the names that a given name means: whole, as it is called, by its first words, by words within."""
        pieces = _parts(fold(name))
        while len(pieces) > 1 and pieces[-1] in LEGAL_FORMS:
            pieces.pop()
        key = "".join(pieces)
        found = self.exact(key) or self.called(name)
        if found or len(key) < _SHORTEST_PART or (len(pieces) == 1 and _says_more(pieces[0])):
            return found
        return self.beginning(key) or (self.holding(key) if len(key) > _SHORTEST_PART else ())

    def nearest(self, text: str, limit: int = 3, close: int = 60) -> list[tuple[str, float]]:
        """Return the names most like a text, with a likeness of up to 100."""
        found = process.extract(letters(text), self.whole.keys(), scorer=fuzz.ratio, limit=limit, score_cutoff=close)
        return [(self.whole[match][0], score) for match, score, _ in found]


@lru_cache(maxsize=256)
def _brands_in(text: str) -> dict[tuple[int, int], str]:
    """Return the brands that people call by words of a text, by the first of these words and how many they are."""
    sentence = words(text)
    runs = [
        (place, length)
        for place in range(len(sentence))
        for length in range(1, min(_LONGEST_NAME, len(sentence) - place) + 1)
    ]
    called = brands_called([text[sentence[a].start : sentence[a + length - 1].end] for a, length in runs])
    return {run: brand for run, brand in zip(runs, called, strict=True) if brand}


def _beginnings(name: str) -> Iterator[str]:
    """Yield the first words of a name, one and more of them."""
    parts = name.split()
    yield from (" ".join(parts[:end]) for end in range(1, len(parts)))


def letters(text: str) -> str:
    """Return a text's letters and digits, folded."""
    return _pieces(fold(text))


@lru_cache(maxsize=8192)
def _pieces(folded: str) -> str:
    return "".join(_parts(folded))


def _parts(folded: str) -> list[str]:
    """Return the words of a folded name, those that are written short in full: Leeds Utd is Leeds United."""
    return [_IN_FULL.get(piece, piece) for piece in _PIECE.findall(folded)]


def _says_more(word: str) -> bool:
    """Tell whether a single word of a name is a better name for something else: a town, a kind of shop, what is bought."""
    return word in BUSINESSES or word in CITIES or stem(word) in known_stems()


def _frozen(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(dict.fromkeys(names)) for key, names in table.items()}


def _in_number(table: dict[str, tuple[str, ...]], key: str) -> tuple[str, ...]:
    """Return what stands for a word, its singular or its plural; of so short a one there is none (“gas” is no “Ga”)."""
    one = key.removesuffix("s")
    return table.get(key) or (table.get(one) if len(one) >= _SHORTEST_PART else None) or table.get(key + "s", ())


def _is_common(key: str, part: Part) -> bool:
    """Tell whether a word means something else in most sentences; parts of names must be more telling than names."""
    if key in _EVERYDAY or (part is not Part.WHOLE and key in SMALL_WORDS):
        return True
    return part >= Part.FIRST_WORDS and _says_more(key)


def is_everyday(word: str) -> bool:
    """Tell whether a folded word that is part of a name means something else in most sentences, or a town."""
    return _is_common(word, Part.WITHIN)


def is_listed(word: str) -> bool:
    """Tell whether a folded word is one of those that mean something else in most sentences, or a town or a trade, as written."""
    return word in _EVERYDAY or word in BUSINESSES or word in CITIES


def _is_in_a_longer_name(text: str, place: int) -> bool:
    """Tell whether a word stands among capitals that nothing else explains: “Swiss Chalet”, “Thomas Moser”.

    An everyday word needs no such stranger: “North London Tutors”.
    """
    sentence = words(text)
    word = sentence[place]
    common = _is_common(word.key, Part.WITHIN)
    beside = [sentence[at] for at in (place - 1, place + 1) if 0 < at < len(sentence)]
    strange = [
        other
        for other in beside
        if text[other.start].isupper()
        and max(other.start, word.start) - min(other.end, word.end) == 1
        and (common or not _is_explained(other.key))
    ]
    return text[word.start].isupper() and not text.isupper() and bool(strange)


def _is_explained(key: str) -> bool:
    return key in _EXPLAINED or key.isdigit() or len(key) == 1 or _says_more(key)


def _fits(run: Sequence[str], part: Part, names: Sequence[str]) -> bool:
    """Tell whether several words are a name's own, and not another's letters by chance: “did I” is no DiDi."""
    if len(run) == 1:
        return True
    held = [set(_parts(fold(name))) for name in names]
    if run[0] in _POSSESSIVES or all(key in _EVERYDAY or len(key) == 1 for key in run):
        return any(each.issuperset(run) for each in held)
    return part < Part.FIRST_WORDS or any(not each.isdisjoint(run) for each in held)


def _is_a_town(before: str, run: Sequence[str]) -> bool:
    """Tell whether a part of a name stands where a town does (“in Blavand”), or is one before it begins “New York Times”."""
    return before == "in" if len(run) == 1 else " ".join(run) in CITIES


def _stands_as_a_name(text: str, word: Word, following: Sequence[Word]) -> bool:
    """Tell a name at the beginning of a sentence, where all words have a capital, by what comes behind it."""
    after = following[0].key if following else ""
    return not after or after in AFTER_A_NAME or after.isdigit() or not text[word.end].isspace()


def is_meant_as_shop(text: str, place: int, length: int, part: Part) -> bool:
    """Tell whether words of a sentence that name a shop are meant as its name there."""
    sentence = words(text)
    word, following = sentence[place], sentence[place + 1 :]
    before = sentence[place - 1].key if place else ""
    if part >= Part.FIRST_WORDS and _is_a_town(before, [each.key for each in sentence[place : place + length]]):
        return False
    if length > 1 or len(word.key) < _SHORTEST_NAME:
        return length > 1
    capital = text[word.start].isupper()
    if part < Part.FIRST_WORDS:
        written = capital and (place > 0 or _stands_as_a_name(text, word, following))
        return not _is_common(word.key, part) or written or before in _CUES
    if _is_in_a_longer_name(text, place):
        return False
    capital = capital and place > 0
    if _is_common(word.key, part):
        brand = part is Part.FIRST_WORDS and is_own_name(text[word.start : word.end])
        return capital and (before in _STRONG_CUES or brand)
    return capital or before in _STRONG_CUES or (len(word.key) >= _TELLING_PART and part is Part.FIRST_WORDS)
