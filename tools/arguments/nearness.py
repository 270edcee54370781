"""The one name among a few that was plainly meant, if there is exactly one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SEPARATORS = re.compile(r"[\W_]+")
_NUMBERS = re.compile(r"(?<!\w)[+-]?\d[\d.,]*|\d[\d.,]*")
#: Endings that make another form of a word, and no other word of it: transport, transportation; month, monthly.
_ENDINGS = ("ation", "ing", "ly", "ed", "ment")


def nearest(word: str, choices: Sequence[str], *, abbreviated: bool = False) -> str | None:
    """Return the choice that the word is a spelling of; None where there is none or more than one.

    Tried in turn: case and separators, singular and plural, the beginning or a longer form of a word (only if
    ``abbreviated``), one mistyped letter. Figures must agree exactly.
    """
    key, numbers = _key(word), _NUMBERS.findall(word)
    if not key:
        return None
    keys = [(_key(choice), choice) for choice in choices if _NUMBERS.findall(choice) == numbers]
    tests: list[Callable[[str], bool]] = [
        lambda other: key == other,
        lambda other: key in _forms(other) or other in _forms(key),
    ]
    if abbreviated:
        tests.append(lambda other: _abbreviates(key, other))
    tests.append(lambda other: _is_typo(key, other))
    for test in tests:
        found = [choice for other, choice in keys if other and test(other)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _key(word: str) -> str:
    return _SEPARATORS.sub("", word.casefold())


def _forms(word: str) -> set[str]:
    """Return what the word may be the plural of."""
    if len(word) <= 3 or not word.endswith("s"):
        return set()
    return {word[:-1], word.removesuffix("es"), word[:-3] + "y" if word.endswith("ies") else word[:-1]}


def _abbreviates(word: str, other: str) -> bool:
    if len(word) >= 3 and other.startswith(word):
        return True
    return len(other) >= 4 and word.startswith(other) and word[len(other) :] in _ENDINGS


def _is_typo(word: str, other: str) -> bool:
    if min(len(word), len(other)) < 4 or max(len(word), len(other)) < 5:
        return False
    from rapidfuzz.distance import OSA
    from rapidfuzz.fuzz import ratio

    return OSA.distance(word, other, score_cutoff=1) <= 1 or ratio(word, other) >= 90
