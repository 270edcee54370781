"""A model's sentences about facts: placeholders only, each verified before anyone sees it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.answers import show_fact
from graph.verifying import Names, judge

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from tools.results import Fact

_LONGEST = 400
_MOST_SENTENCES = 3
#: A sentence is over once the next one begins; a point within a word or a figure ends none.
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s)")
_NONE = Names()
_PLACEHOLDER = re.compile(r"\{(f\d{1,3})\}")


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


def verify(sentence: str, facts: Mapping[str, Fact], names: Names = _NONE) -> str | None:
    """Return why a sentence may not be shown, or None where it may; ``names`` are the question's.

    It must show at least one fact, be made of known placeholders, and say nothing else than :func:`graph.verifying.judge`
    lets it say. The text is judged as it was written: nothing is normalised first that is shown unnormalised.
    """
    text = sentence.strip()
    if not text or len(text) > _LONGEST:
        return "empty or too long"
    if not text.isprintable():  # signs that nobody sees part words as well as a space does
        return "an unprintable sign"
    used = _PLACEHOLDER.findall(text)
    if not used or any(name not in facts for name in used):
        return "no placeholder, or an unknown one"
    return judge(text, facts, names)


def fill_in(sentence: str, facts: Mapping[str, Fact], locale: str) -> str:
    """Return a verified sentence with its placeholders as figures."""
    return _PLACEHOLDER.sub(lambda match: show_fact(facts[match.group(1)], locale), sentence.strip())
