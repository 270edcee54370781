"""Slips of the pen in the words that questions are asked with: “abgehohlt”, “gestigen”, “twise”.

A slip is mended where one word only is near, and so near as a common slip leaves it (one letter, in a long word two): its
beginning stands, and no end is added to it. What is a word itself is left alone, and so is a name, which has a capital.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from language.lexicon import choices, languages, words_of_language
from language.reader import reader
from language.slips import is_common_slip
from language.tongue import tongue_of
from language.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from language.words import Word

#: Folded words by their first letter.
ByLetter = Mapping[str, frozenset[str]]

_CHOICES = ("kind", "measure", "by", "per", "show", "means")
_SHORTEST, _LONG = 5, 9
#: In a name of the person's own that is as short as this a slip is still told; no word is mended into a shorter one.
_SHORTEST_NAME = 4
#: Letters that are written for one another by ear; any other wrong letter makes another word (“horse” is no “house”).
_BY_EAR = frozenset(map(frozenset, "sc sz cz ck ie ae dt bp gk fv iy ei xs mn".split()))


def mended(text: str, names: ByLetter, is_word: Callable[[str], bool]) -> str:
    """Return a text with its slips mended: nearly a word of questions, or of one of these names."""
    for word in reversed(words(text)):
        spelling = _spelling(text, word, names, is_word)
        if spelling:
            text = f"{text[: word.start]}{spelling}{text[word.end :]}"
    return text


def by_letter(of: Iterable[str]) -> ByLetter:
    """Return folded words by their first letter, as slips of them are looked for."""
    found: dict[str, set[str]] = defaultdict(set)
    for word in of:
        found[word[0]].add(word)
    return {letter: frozenset(those) for letter, those in found.items()}


def _spelling(text: str, word: Word, names: ByLetter, is_word: Callable[[str], bool]) -> str | None:
    """Return what a word was meant to be, where it is a slip of one other."""
    key, written = word.key, text[word.start : word.end]
    if not key.isalpha() or len(key) < _SHORTEST_NAME or key in _known() or key in names.get(key[0], ()):
        return None
    found = _nearest(key, names, _SHORTEST_NAME)
    if found is None and (written.islower() or not word.start or text.isupper()):
        found = _nearest(key, _usual(), _SHORTEST)
    if found is None or is_word(key) or not _is_of_language(found, text):
        return None
    return found.capitalize() if written[0].isupper() else found


def _nearest(key: str, words_of: ByLetter, shortest: int) -> str | None:
    """Return the one word that a word is a common slip of."""
    if len(key) < shortest:
        return None
    most = 1 if len(key) < _LONG else 2
    like = (each for each in words_of.get(key[0], ()) if is_common_slip(key, each) and _is_by_ear(key, each))
    apart = ((other, OSA.distance(key, other, score_cutoff=most)) for other in like)
    distances = {other: distance for other, distance in apart if distance <= most}
    nearest = [other for other, distance in distances.items() if distance == min(distances.values())]
    return nearest[0] if len(nearest) == 1 else None


def _is_by_ear(key: str, other: str) -> bool:
    """Whether of words of the same length only letters differ that sound alike, or that are swapped."""
    differing = [pair for pair in zip(key, other, strict=False) if pair[0] != pair[1]]
    alike = len(key) != len(other) or sorted(key) == sorted(other)
    return alike or all(frozenset(pair) in _BY_EAR for pair in differing)


def _is_of_language(found: str, text: str) -> bool:
    """Whether a word is no word of another language than that of a text (“beides” is no “besides”)."""
    of = [language for language in languages() if found in words_of_language(language)]
    return not of or tongue_of(text) in (None, *of)


@cache
def _usual() -> ByLetter:
    """Return the words of questions, and those for kinds of money and figures."""
    phrases = chain.from_iterable(chain.from_iterable(choices(name).values()) for name in _CHOICES)
    of_choices = (word.key for phrase in phrases for word in words(phrase))
    return by_letter(word for word in (*reader().words, *of_choices) if len(word) >= _SHORTEST_NAME)


@cache
def _known() -> frozenset[str]:
    """Return the words of questions, and all that stand in a language's data."""
    return frozenset(reader().words).union(*map(words_of_language, languages()))
