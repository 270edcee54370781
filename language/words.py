"""Sentences as words with offsets, compared without case, accents or apostrophes."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:['’´`&.+-][^\W_]+)*", re.UNICODE)
#: A question is a sentence, not a document; what comes after this many characters is not read.
MAX_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Word:
    """One word: how it is compared, and where it stands."""

    key: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the text casefolded, without accents and apostrophes; German umlauts keep to one letter (ü → u)."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    return "".join(c for c in plain if not unicodedata.combining(c) and c not in "'’´`")


def fold_in_place(text: str) -> str:
    """Return the text folded character by character, so that offsets stay those of the text; what is too long is cut."""
    return "".join((fold(c) or c)[:1] for c in text[:MAX_TEXT])


@lru_cache(maxsize=512)
def words(text: str) -> tuple[Word, ...]:
    """Return the words of a text in order."""
    return tuple(Word(fold(match.group()), match.start(), match.end()) for match in _WORD.finditer(text[:MAX_TEXT]))


def cut_out(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """Return a text without some stretches of it, each its start and end; one blank is left where one was."""
    for start, end in sorted(stretches, reverse=True):
        text = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
    return text
