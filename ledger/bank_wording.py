"""What banks write around the name of a shop or a person; ``data/bank_wording.txt`` lists it and says how it is written."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ledger.stemming import fold
from ledger.wordlists import phrases, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_FILE = "bank_wording.txt"
_SECTIONS = (
    "payments",
    "transfers",
    "ie",
    "uk",
    "us",
    "ca",
    "au",
    "nz",
    "de",
    "at",
    "ch",
    "nl",
    "elsewhere",
    "in",
    "za",
)
_PART = re.compile(r"(?<=\w)[ -]+(?=\S)|(?<=[a-z])#|.")
_MEANT = {
    "#": r"(?:[x*•.]{2,}[^\s/]*?|[^\s/\d-]{0,12}\d[^\s/]*?)(?![^\s/*,;-])",
    "~": r".*?",
    "…": r"(?P<name>.+?)",
    "ä": "(?:ä|ae|a)",
    "ö": "(?:ö|oe|o)",
    "ü": "(?:ü|ue|u)",
}
_GAP, _DIGITS = r"[\s-]+", r"\d[^\s/]*"
#: What may stand between wording and name; a hyphen within a word belongs to the name.
_BEHIND_WORD = r"(?:[\s.:,;#/]+|-\s|-\d|$)"
_EDGES = " -:.,;/#"


@cache
def _listed() -> tuple[str, ...]:
    """Return all wordings, those with the most signs first."""
    every = {phrase for section in _SECTIONS for phrase in phrases(_FILE, section)}
    return tuple(sorted(every, key=lambda phrase: (-len(phrase), phrase)))


def _first_words(wordings: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(wording).split()[0] for wording in wordings)


#: Words with which a wording begins, and those of them that no search needs.
FIRST_WORDS = _first_words(_listed())
IDLE_WORDS = _first_words(phrases(_FILE, "payments"))
NO_NAMES = frozenset(map(fold, words(_FILE, "no names")))


def _meant(match: re.Match[str]) -> str:
    """Return the regular expression for one part of a wording."""
    if match[0] == "…" and match.end() == len(match.string):
        return r"(?P<name>.+)"
    part, follows = match[0], match.start() > 0 and match.string[match.start() - 1].isalpha()
    if part[0] in " -" and match.end() < len(match.string):
        return _GAP
    return _DIGITS if part == "#" and follows else _MEANT.get(part, re.escape(part))


def _pattern(wording: str) -> str:
    """Return the regular expression for a wording."""
    return _PART.sub(_meant, wording) + (_BEHIND_WORD if wording[-1].isalpha() else "")


def _initial(text: str) -> str:
    """Return by what a wording is looked up: its first sign, or # for a digit."""
    sign = fold(text[:1])[:1]
    return "#" if sign.isdigit() else sign


@lru_cache(maxsize=256)
def _patterns(initial: str) -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str] | None]:
    """Return the patterns of wordings on both sides of a name, and the one of all that only stand before it."""
    listed = [wording for wording in _listed() if _initial(wording) == initial]
    framing = tuple(re.compile(_pattern(wording), re.IGNORECASE) for wording in listed if "…" in wording)
    leading = "|".join(_pattern(wording) for wording in listed if "…" not in wording)
    kept = "|".join(map(_pattern, phrases(_FILE, "names")))
    return framing, re.compile(rf"(?!{kept})(?:{leading})", re.IGNORECASE) if leading else None


def without_wording(text: str) -> str:
    """Return what one wording of a bank leaves of a text, or the text itself where none is found."""
    framing, leading = _patterns(_initial(text))
    for pattern in framing:
        framed = pattern.match(text)
        if framed and any(map(str.isalpha, framed["name"])):
            return framed["name"].strip(_EDGES)
    found = leading.match(text) if leading else None
    return text[found.end() :].strip().lstrip(_EDGES) if found else text
