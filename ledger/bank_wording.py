"""What banks write around the name of a shop or a person; ``data/bank_wording.txt`` lists it and says how it is written."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledger.kind_words import names_savings
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
    "fr",
    "es",
    "it",
    "pl",
    "se",
    "dk",
    "no",
    "br",
    "in",
    "za",
)
_PART = re.compile(r"(?<=\w)[ -]+(?=\S)|(?<=[a-z])#|.")
_SMALL = "de|da|di|do|dos|das|del|der|den|van|von|zu|la|le|el|al|bin|y|e"
_CAPITAL = r"(?=[^\W\d_])(?![a-zà-ÿ])[\w.'’-]+"
_MEANT = {
    "#": r"(?:[x*•.]{2,}[^\s/]*?|[^\s/\d-]{0,12}\d[^\s/]*?)(?![^\s/*,;-])",
    "~": r".*?",
    "…": r"(?P<name>.+?)",
    "@": rf"(?P<name>(?>(?-i:{_CAPITAL}(?:\s(?:{_CAPITAL}|(?:{_SMALL})(?=\s)))*)))",
    "¶": r"(?P<said>.*?)",
    "§": rf"(?:{'|'.join(sorted(words(_FILE, 'months'), key=len, reverse=True))})\.?(?:\s\d{{2,4}})?(?!\w)",
    "ä": "(?:ä|ae|a)",
    "ö": "(?:ö|oe|o)",
    "ü": "(?:ü|ue|u)",
}
_GAP, _DIGITS = r"[\s-]+", r"#?\d[^\s/]*"
#: What may stand between wording and name; a hyphen within a word belongs to the name.
_BEHIND_WORD = r"(?:[\s.:,;#/]+|-\s|-\d|$)"
_EDGES = " -:.,;/#"
#: What stands for the name in a wording, and between the fields of some banks' texts.
_FRAMES = frozenset("…@")
_BETWEEN = " , "


@cache
def _listed() -> tuple[str, ...]:
    """Return all wordings, those with the most signs first."""
    every = {phrase for section in _SECTIONS for phrase in phrases(_FILE, section)}
    return tuple(sorted(every, key=lambda phrase: (-len(phrase), phrase)))


class Framed(NamedTuple):
    """A name between a bank's wording, and what the payer wrote to it."""

    name: str
    said: str


def _first_words(wordings: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(wording).split()[0] for wording in wordings)


#: Words with which a wording begins, and those of them that no search needs.
FIRST_WORDS = _first_words(_listed())
IDLE_WORDS = _first_words(phrases(_FILE, "payments"))
NO_NAMES = frozenset(map(fold, words(_FILE, "no names")))
#: What stands behind the name of a shop that gave money back.
CAME_BACK = frozenset(map(fold, words(_FILE, "came back")))
_BETWEEN_PEOPLE = tuple(f"{wording} " for wording in phrases(_FILE, "between people"))
#: Of other wording, what no search needs either.
LEFT_OUT = phrases(_FILE, "left out of searches")


def _meant(match: re.Match[str]) -> str:
    """Return the regular expression for one part of a wording."""
    part, follows = match[0], match.start() > 0 and match.string[match.start() - 1].isalpha()
    if part in {"…", "¶"} and match.end() == len(match.string):
        return _MEANT[part].replace("?)", ")")
    if part[0] in " -" and match.end() < len(match.string):
        return _GAP if match.string[match.end()] != "¶" else r"[\s-]*"
    return _DIGITS if part == "#" and follows else _MEANT.get(part, re.escape(part))


def _pattern(wording: str) -> str:
    """Return the regular expression for a wording."""
    return _PART.sub(_meant, wording) + (_BEHIND_WORD if wording[-1].isalpha() else "")


def _key(text: str) -> str:
    """Return by what a wording is looked up: its first two signs, of which # is any digit; a number at the start alone."""
    if text[:1] == "…":
        return "…"
    signs = fold(text[:2]).replace("-", " ")
    first, second = ("#" if sign.isdigit() else sign for sign in f"{signs}  "[:2])
    return first if first == "#" else first + second


def _keys(wording: str) -> set[str]:
    """Return the keys of a wording; an “ü” that it begins with may be written “ue”."""
    key = _key(wording)
    return {key, key[0] + "e"} if wording[0] in "äöü" else {key}


@cache
def _by_key() -> dict[str, tuple[list[str], list[str], list[str]]]:
    """Return the wordings by their keys: those on both sides of a name, those before it, and the names that keep theirs."""
    found: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for wording in _listed():
        for key in _keys(wording):
            found.setdefault(key, ([], [], []))[0 if _FRAMES & set(wording) else 1].append(wording)
    for name in phrases(_FILE, "names"):
        found.setdefault(_key(name), ([], [], []))[2].append(name)
    return found


@lru_cache(maxsize=4096)
def _patterns(start: str) -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str] | None]:
    """Return the patterns of wordings on both sides of a name, and the one of all that only stand before it.

    ``start`` are the first two signs of a text.
    """
    frames, before, names = _by_key().get(_key(start), ([], [], []))
    framing = tuple(re.compile(_pattern(wording), re.IGNORECASE) for wording in frames)
    leading, kept = ("|".join(map(_pattern, each)) for each in (before, names))
    unless = f"(?!{kept})" if kept else ""
    return framing, re.compile(f"{unless}(?:{leading})", re.IGNORECASE) if leading else None


def framed(text: str) -> Framed | None:
    """Return the name that a bank's wording stands around, and what was written to the payment, or None."""
    framing, _ = _patterns(text[:2])
    if _BETWEEN in text:
        name, field = text.split(_BETWEEN)[:2]
        if not says_no_name(name) and not names_savings(field):
            framing += _patterns("…")[0]  # a name before all wording, in a field of its own
    for pattern in framing:
        found = pattern.match(text)
        if found and any(map(str.isalpha, found["name"])):
            said = found["said"] if "said" in pattern.groupindex else ""
            return Framed(found["name"].strip(_EDGES), (said or "").strip(_EDGES))
    return None


def without_wording(text: str) -> str:
    """Return what one wording of a bank leaves of a text, or the text itself where none is found."""
    framing, leading = _patterns(text[:2])
    if (framing or _BETWEEN in text) and (found := framed(text)) is not None:
        return found.name
    stripped = leading.match(text) if leading else None
    return text[stripped.end() :].strip().lstrip(_EDGES) if stripped else text


def is_between_people(text: str) -> bool:
    """Tell whether a text begins with the wording of a payment that one person makes to another by a bank's service."""
    return text.lower().startswith(_BETWEEN_PEOPLE)


def says_no_name(text: str) -> bool:
    """Tell whether a text holds nothing but a bank's wording."""
    return all(word in NO_NAMES or word in FIRST_WORDS for word in map(fold, text.split()))
