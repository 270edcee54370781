"""A model's sentences about facts: placeholders only, each verified before anyone sees it."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from graph.wordings import show_fact

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from tools.results import Fact

_LONGEST = 400
_MOST_SENTENCES = 3
#: A sentence is over once the next one begins; a point within a word or a figure ends none.
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s)")
_PLACEHOLDER = re.compile(r"\{(f\d{1,3})\}")
_NUMBER_WORDS = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half halves quarter
    third double twice thrice triple doubled tripled halved once couple few several first second percent percentage
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig hundert tausend
    million dutzend halb hälfte viertel drittel doppelt dreifach zweimal dreimal prozent
    """.split()
)
_UP = frozenset("more higher increased increase up rose grew larger greater mehr höher gestiegen größer".split())
_DOWN = frozenset(
    "less lower decreased decrease down fell dropped smaller fewer weniger niedriger gesunken kleiner".split()
)
_FORBIDDEN = re.compile(r"https?:|www\.|[@#<>`*_\[\]|]|[$€£¥%]", re.IGNORECASE)


async def sentences(pieces: AsyncIterator[str], most: int = _MOST_SENTENCES) -> AsyncGenerator[str, None]:
    """Yield the whole sentences of a text that comes in pieces, each as soon as it ends, and at most so many."""
    rest, told = "", 0
    async for piece in pieces:
        rest += piece
        while told < most and (end := _SENTENCE_END.search(rest)) is not None:
            told += 1
            yield rest[: end.end()].strip()
            rest = rest[end.end() :]
        if told == most or len(rest) > _LONGEST:
            return
    if rest.strip():
        yield rest.strip()


def verify(sentence: str, facts: Mapping[str, Fact]) -> str | None:
    """Return why a sentence may not be shown, or None where it may.

    Rejected are unknown placeholders, any digit or number word outside placeholders, direction words that contradict the
    sign of a change (or stand without one), links, mentions, markup and length.
    """
    text = unicodedata.normalize("NFKC", sentence).strip()
    if not text or len(text) > _LONGEST:
        return "empty or too long"
    used = _PLACEHOLDER.findall(text)
    if not used or any(name not in facts for name in used):
        return "no placeholder, or an unknown one"
    return _bad_words(_PLACEHOLDER.sub(" ", text), [facts[name] for name in used])


def _bad_words(rest: str, used: list[Fact]) -> str | None:
    """Judge what stands outside the placeholders."""
    if "{" in rest or "}" in rest or _FORBIDDEN.search(rest):
        return "markup, link or sign"
    if any(unicodedata.category(char) in ("Nd", "Nl", "No") for char in rest):
        return "digit"
    words = set(re.findall(r"[^\W\d_]+", rest.casefold()))
    if words & _NUMBER_WORDS:
        return "number word"
    return _wrong_direction(words, used)


def _wrong_direction(words: set[str], used: list[Fact]) -> str | None:
    up, down = bool(words & _UP), bool(words & _DOWN)
    if not up and not down:
        return None
    changes = [fact for fact in used if fact.id == "change"]
    if (up and down) or not changes:
        return "direction without a change"
    rising = str(changes[0].value).lstrip()[0] != "-"
    return None if rising == up else "wrong direction"


def fill_in(sentence: str, facts: Mapping[str, Fact], locale: str) -> str:
    """Return a verified sentence with its placeholders as figures."""
    return _PLACEHOLDER.sub(lambda match: show_fact(facts[match.group(1)], locale), sentence.strip())
