"""A text as words, numbers and signs, each with the parts it can play in a period phrase."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.periods.english import ENGLISH
from ledger.periods.german import GERMAN
from ledger.periods.vocabulary import Lexicon, Role
from ledger.stemming import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.periods.matches import Match
    from ledger.periods.spans import Unit
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
    """The tokens of a text and the parts that they can play, told once; an index past either end has a token without any.

    ``senses`` holds what the words from a token on can be; ``parts`` also looks behind a hyphen or a possessive before
    them, to the token in ``settled``; ``counts`` has the number ("30", "thirty") there and the next index; ``units`` has
    the count if there is one, the unit and the next index of "month", "three full months", "half a year".
    """

    __slots__ = ("compares", "counts", "length", "memo", "parts", "senses", "settled", "tokens", "units")

    def __init__(self, text: str) -> None:
        """Read the text up to ``MAX_TOKENS``."""
        tokens = _tokenize(text)
        self.length = len(tokens)
        everywhere = range(self.length + _PADDING)
        # Padded, so that looking around a token needs no bounds; -1 and -2 are padding too.
        self.tokens = tokens + [_END] * _PADDING
        self.settled = [_settle(self.tokens, index) for index in range(self.length)] + [*everywhere[self.length :]]
        self.senses = [self._look_up(index) for index in range(self.length)] + [_NOTHING] * _PADDING
        self.parts = [self.senses[index] or self.senses[self.settled[index]] for index in everywhere]
        self.counts = [self._count(index) for index in everywhere]
        self.units = [self._unit(index) for index in range(self.length)] + [None] * _PADDING
        self.compares = any(Role.COMPARE in senses for senses in self.senses)
        #: What each set of rules found at a token, so that nothing is read twice.
        self.memo: dict[tuple[int, int], Match | None] = {}

    def skip(self, index: int, *roles: Role, most: int = 3) -> int:
        """Step over up to ``most`` words that play one of the parts."""
        for _ in range(most):
            parts = self.parts[index]
            after = next((parts[role][1] for role in roles if role in parts), None)
            if after is None:
                break
            index = after
        return index

    def is_plain(self, index: int) -> bool:
        """Whether the number here is neither money nor part of a longer figure ("$2024", "3.50", "2,024", "20 %")."""
        before, after = self.tokens[index - 1], self.tokens[index + 1]
        if before.text in NUMBER_SIGNS or after.text in NUMBER_SIGNS or Role.MONEY in self.senses[index + 1]:
            return False
        is_tail = before.text in {".", ","} and self.tokens[index].glued and before.glued
        is_year = before.text == "," and len(self.tokens[index].text) == 4  # "October 3,2026": groups have three digits
        if is_tail and not is_year and self.tokens[index - 2].is_number:
            return False
        is_decimal = after.text in {".", ","} and after.glued and self.tokens[index + 2].glued
        return not (is_decimal and self.tokens[index + 2].is_number)

    def _count(self, index: int) -> Sense | None:
        index = self.settled[index]
        if (word := self.parts[index].get(Role.NUMBER)) is not None:
            return word
        token = self.tokens[index]
        if token.is_number and len(token.text) <= 6 and self.is_plain(index):
            return int(token.text), index + 1
        return None

    def _unit(self, index: int) -> tuple[int | None, Unit, int] | None:
        index = self._over(index, Role.FULL)
        count = self.parts[index].get(Role.COUNT) or self.counts[index]
        if count is not None:
            index = self._over(count[1], Role.FULL)
        if (measured := self.parts[index].get(Role.MEASURED)) and (count is None or count[0] == 1):
            return *measured[0], measured[1]
        unit = self.parts[index].get(Role.UNIT)
        if unit is None or (count is not None and count[0] < 1):
            return None
        return count and count[0], unit[0], unit[1]

    def _over(self, index: int, role: Role) -> int:
        sense = self.parts[index].get(role)
        return sense[1] if sense else index

    def _look_up(self, index: int) -> Mapping[Role, Sense]:
        text = self.tokens[index].text
        single = _LEXICON.words.get(text)
        groups = _LEXICON.groups.get(text)
        is_figure = self.tokens[index].is_number or text in APOSTROPHES
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
            if word != self.tokens[index].text:
                index = self.settled[index]
                if word != self.tokens[index].text:
                    return None
            index += 1
        return index


def _settle(tokens: Sequence[Token], index: int) -> int:
    """Step over a hyphen inside a word group ("mid-October") and a possessive ("last year's October")."""
    if tokens[index].text in _POSSESSIVES and tokens[index].glued:
        index += 1
    if tokens[index].text in _HYPHENS and tokens[index].glued and tokens[index + 1].glued:
        return index + 1
    return index


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
