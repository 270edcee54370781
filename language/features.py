"""What the reader sees of a sentence: its words and their letters, as written and with names and dates taken out."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING
from zlib import crc32

from language.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: How many columns the features are spread over; two that meet in one share its weight.
COLUMNS = 1 << 15
_TOKEN = re.compile(r"\{[a-z]+[-=]?\}|[^\W_]+(?:['’][^\W_]+)*|[?%]")
#: Words that stand before a period and belong to it ("in October", "für Mai").
_BEFORE_PERIOD = frozenset("in im on during for am vom of from fur the of zum".split())
_LONGEST_WORDS, _LETTERS = 3, (3, 4, 5)
_MOST_TOKENS = 60


def tokens_of(pattern: str) -> list[str]:
    """Return the words of a sentence, folded, in which ``{c}`` stands for a name and ``{p}`` for a period."""
    found: list[str] = []
    for token in _TOKEN.findall(pattern)[:_MOST_TOKENS]:
        if token == "{p}":  # noqa: S105 - a placeholder
            while found and found[-1] in _BEFORE_PERIOD:
                found.pop()
        found.append(_key(token))
    return found


def _key(token: str) -> str:
    """Return a word folded, ``#`` for any number, a placeholder as it is."""
    if token[0] == "{":
        return token
    return "#" if token.isdigit() else fold(token)


def columns_of(raw: str, pattern: str) -> list[int]:
    """Return the columns of a sentence's features, each once, in order; ``raw`` is as written, ``pattern`` with placeholders."""
    names = chain(_grams("p", tokens_of(pattern)), _grams("r", tokens_of(raw)), _letters(tokens_of(raw)))
    return sorted({crc32(name.encode()) % COLUMNS for name in names})


def columns_of_word(token: str) -> list[int]:
    """Return the columns of a word that stands by itself, with placeholders and as written."""
    return sorted({crc32(f"{view} {token}".encode()) % COLUMNS for view in ("p", "r")})


def _grams(view: str, tokens: Sequence[str]) -> Iterator[str]:
    """Yield neighbouring words, up to three together, with the sentence's ends."""
    ended = ("<", *tokens, ">")
    for size in range(1, _LONGEST_WORDS + 1):
        for first in range(len(ended) - size + 1):
            yield f"{view} {' '.join(ended[first : first + size])}"
    yield from (f"{view}& {one} {other}" for one, other in _pairs(tokens))


def _pairs(tokens: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield words with one that stands two or three places on ("how … cost")."""
    for first, token in enumerate(tokens):
        for other in tokens[first + 2 : first + 4]:
            yield token, other


def _letters(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the letters that stand together in words, which tell a word even where it is misspelt."""
    for token in tokens:
        padded = f" {token} "
        for size in _LETTERS:
            for first in range(len(padded) - size + 1):
                yield f"l {padded[first : first + size]}"
