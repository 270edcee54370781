"""A text as words, numbers and signs, each with the parts it can play in a period phrase."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.periods.english import ENGLISH
from ledger.periods.german import GERMAN
from ledger.periods.vocabulary import Lexicon, Role, fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.periods.matches import Match
    from ledger.periods.vocabulary import Sense

#: Tokens read of one text: some 4,000 characters, far beyond a question; what follows is not looked at.
MAX_TOKENS = 800

_LEXICON = Lexicon(*ENGLISH, *GERMAN)
_PIECE = re.compile(r"[0-9]+|(?:[^\W\d_]|[\u0300-\u036f])+|['’]s(?!\w)|[^\s_]", re.IGNORECASE)
_HYPHENS = frozenset("-‐‑")
APOSTROPHES = frozenset("'’‘`´")
_POSSESSIVES = frozenset({"'s", "’s", "'", "’"})
#: Signs of money, and others that make the number beside them no date.
NUMBER_SIGNS = frozenset("$€£¥₹%#@<>=*+~^&")
_NOTHING: Mapping[Role, Sense] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text, folded, with its place in the original; ``glued`` if no space parts it from the one before."""

    text: str
    start: int
    end: int
    glued: bool
    is_number: bool = False
    is_word: bool = False


_END = Token("", -1, -1, glued=False)
_PADDING = 12


class Sentence:
    """The tokens of a text and their senses; an index past either end gives a token without any."""

    __slots__ = ("_senses", "_tokens", "compares", "length", "memo")

    def __init__(self, text: str) -> None:
        """Read the text up to ``MAX_TOKENS``."""
        tokens = _tokenize(text)
        self.length = len(tokens)
        # Padded, so that looking around a token needs no bounds; -1 and -2 are padding too.
        self._tokens = tokens + [_END] * _PADDING
        self._senses = [self._look_up(index) for index in range(self.length)] + [_NOTHING] * _PADDING
        self.compares = any(Role.COMPARE in senses for senses in self._senses)
        #: What each set of rules found at a token, so that nothing is read twice.
        self.memo: dict[tuple[int, int], Match | None] = {}

    def __len__(self) -> int:
        return self.length

    def token(self, index: int) -> Token:
        """Return the token, or an empty one outside the text."""
        return self._tokens[index]

    def senses(self, index: int) -> Mapping[Role, Sense]:
        """Return the parts that the words from this token on can play."""
        return self._senses[index]

    def settle(self, index: int) -> int:
        """Step over a hyphen inside a word group ("mid-October") and a possessive ("last year's October")."""
        token = self.token(index)
        if token.text in _POSSESSIVES and token.glued:
            index += 1
            token = self.token(index)
        if token.text in _HYPHENS and token.glued and self.token(index + 1).glued:
            return index + 1
        return index

    def take(self, index: int, role: Role) -> Sense | None:
        """Return the value and the next index if the words here can play the part."""
        senses = self._senses[index] or self._senses[self.settle(index)]
        return senses.get(role)

    def skip(self, index: int, *roles: Role, most: int = 3) -> int:
        """Step over up to ``most`` words that play one of the parts."""
        for _ in range(most):
            after = next((sense[1] for role in roles if (sense := self.take(index, role))), None)
            if after is None:
                break
            index = after
        return index

    def has(self, index: int, role: Role) -> bool:
        """Whether the words at this very token can play the part."""
        return role in self.senses(index)

    def amount(self, index: int) -> tuple[int, int] | None:
        """Return a count in digits or words ("30", "thirty") and the next index."""
        index = self.settle(index)
        if (word := self.take(index, Role.NUMBER)) is not None:
            return word
        token = self.token(index)
        if token.is_number and len(token.text) <= 6 and self.is_plain(index):
            return int(token.text), index + 1
        return None

    def is_plain(self, index: int) -> bool:
        """Whether the number here is neither money nor part of a longer figure ("$2024", "3.50", "2,024", "20 %")."""
        before, after = self.token(index - 1), self.token(index + 1)
        if before.text in NUMBER_SIGNS or after.text in NUMBER_SIGNS or Role.MONEY in self.senses(index + 1):
            return False
        is_tail = before.text in {".", ","} and self.token(index).glued and before.glued
        is_year = before.text == "," and len(self.token(index).text) == 4  # "October 3,2026": groups have three digits
        if is_tail and not is_year and self.token(index - 2).is_number:
            return False
        is_decimal = after.text in {".", ","} and after.glued and self.token(index + 2).glued
        return not (is_decimal and self.token(index + 2).is_number)

    def _look_up(self, index: int) -> Mapping[Role, Sense]:
        text = self._tokens[index].text
        single = _LEXICON.words.get(text)
        groups = _LEXICON.groups.get(text)
        is_figure = self._tokens[index].is_number or text in APOSTROPHES
        if single is None and groups is None and not is_figure:
            return _NOTHING
        senses: dict[Role, Sense] = {role: (value, index + 1) for role, value in (single or {}).items()}
        if is_figure:
            senses[Role.FIGURE] = (text, index + 1)
        for words, role, value in groups or ():
            end = self._match(index, words)
            if end is not None and (role not in senses or senses[role][1] < end):
                senses[role] = (value, end)
        return senses

    def _match(self, index: int, words: tuple[str, ...]) -> int | None:
        for word in words:
            if word != self.token(index).text:
                index = self.settle(index)
                if word != self.token(index).text:
                    return None
            index += 1
        return index


@lru_cache(maxsize=64)
def sentence_of(text: str) -> Sentence:
    """Return the text as a sentence; one that was just read is not taken apart again."""
    return Sentence(text)


def _tokenize(text: str) -> list[Token]:
    tokens: list[Token] = []
    end = -1
    for found in _PIECE.finditer(text):
        raw = found.group()
        is_number = raw[0] in "0123456789"
        is_word = not is_number and raw[0].isalpha()
        tokens.append(Token(fold(raw), found.start(), found.end(), found.start() == end, is_number, is_word))
        end = found.end()
        if len(tokens) == MAX_TOKENS:
            break
    return tokens
