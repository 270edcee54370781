"""Words made comparable across case, accents, plural and inflection, in English and German."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

#: Inflections that the rules below would get wrong or confuse with another word.
_IRREGULAR = {
    "rente": "rente",
    "spenden": "spende",
    "spende": "spende",
    "renten": "rente",
    "parken": "parking",
    "parke": "parking",
    "bucher": "buch",
    "bahnen": "bahn",
    "hauser": "haus",
    "arzte": "arzt",
    "babies": "baby",
    "movies": "movie",
    "cookies": "cookie",
    "kinos": "kino",
    "children": "child",
    "bussen": "bus",
    "news": "news",
    "gas": "gas",
    "taxi": "taxi",
    "taxis": "taxi",
    "glasses": "glasses",
    "games": "game",
    "apps": "app",
}
_VOWEL_PAIRS = (("ae", "a"), ("oe", "o"), ("ue", "u"))
#: A word, with its diacritics and what an apostrophe joins.
WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+(?:['’][^\W_]+)*")


@lru_cache(maxsize=16384)
def fold(text: str) -> str:
    """Return the text casefolded, in compatibility form and without diacritics."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return what is left of one word when case, accents, plural and common endings are taken away."""
    word = fold(word).replace("'", "").replace("’", "")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) >= 5:
        word = word[:-3] + "y"
    elif word.endswith(("xes", "ches", "shes", "sses", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss") and len(word) >= 4:
        word = word[:-1]
    if word.endswith("en") and len(word) >= 6:
        word = word[:-2]
    elif word.endswith(("e", "n")) and len(word) >= 5:
        word = word[:-1]
    # German umlauts may be written as pairs; both spellings meet here.
    for pair, single in _VOWEL_PAIRS:
        word = word.replace(pair, single)
    return word


def words_with_spans(text: str) -> list[tuple[str, int, int]]:
    """Return every word of the text, as written, with its first and last-plus-one character."""
    return [(match.group(), match.start(), match.end()) for match in WORD.finditer(text)]


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of all words of the text, in order."""
    return tuple(stem(word) for word, _, _ in words_with_spans(text))
