"""Which language a message is in, told by its small words; names, amounts and what both languages share tell nothing."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from language.lexicon import languages, words_of_language
from language.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The language that messages are written in where nothing tells another.
DEFAULT = "en"


#: Letters that only one language's words are written with.
_LETTERS = dict.fromkeys("äöüß", "de")


@cache
def _tongues() -> dict[str, str]:
    """Return the words that one language alone has, folded, with that language."""
    held = {language: words_of_language(language) for language in languages()}
    counts = Counter(chain.from_iterable(held.values()))
    return {word: language for language, each in held.items() for word in each if counts[word] == 1}


def tongue_of(text: str) -> str | None:
    """Return the language that most of a message's words are of; None where no word tells, or as many tell another."""
    return _most(_tongues().get(word.key) for word in words(text)) or _most(map(_LETTERS.get, text.casefold()))


def _most(votes: Iterable[str | None]) -> str | None:
    """Return what most vote for; None where as many are for another."""
    ranked = Counter(filter(None, votes)).most_common(2)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return None
    return ranked[0][0] if ranked else None
