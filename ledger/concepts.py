"""The one tree above the categories of several banks: which wider ones of a ledger may hold what others keep apart.

A file's category stays as it is written. Where it is wider than what is asked about (TRANSPORT for fuel) or says nothing
(“General”), the merchant tells (docs/definitions.md, D13).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ledger.placement import ABOUT_SOMETHING, content_stems, place_name, read_phrase
from ledger.taxonomy import CATEGORIES, group_of, lineage, members_of
from ledger.wordlists import phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Banks' categories for many things that have nothing in common, whatever their words mean.
_CATCH_ALLS = frozenset(map(content_stems, phrases("category_words.txt", "catch-alls")))

#: Groups that no transaction gets of ours: a bank that has nothing finer means all that others keep apart.
_NEVER_GIVEN = frozenset({"food", "transport", "housing", "health"})


def kinds_in(names: Sequence[str]) -> frozenset[str]:
    """Return the keys of all that categories of these names hold; groups and kinds of movement tell no merchant."""
    told = [key for name in names for key in _keys_of(name) if CATEGORIES[key].spoken and not _is_group(key)]
    return frozenset(member for key in told for member in members_of(key))


def say_the_same(name: str, other: str) -> bool:
    """Tell whether two banks' names are for the same thing: “Eating out” and “Restaurants”; “Transport” is all of transport."""
    placed, there, readings = place_name(name), place_name(other), read_phrase(content_stems(name))
    if placed is None or there is None or placed.touched or there.touched or len(readings) != 1:
        return False
    keys = readings[0][0]
    members = keys[0] in _NEVER_GIVEN or not _is_group(keys[0])
    covered = {each for key in keys for each in members_of(key)} if members else set(keys)
    return all(CATEGORIES[key].spoken for key in keys) and there.primary.key in covered


def wider_than(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the known categories that may hold the same things as those named, and others besides."""
    kinds = kinds_in(names)
    above = {key for kind in kinds for key in lineage(kind)} - kinds
    if not kinds:
        return ()
    return tuple(each for each in known if each not in names and (is_catch_all(each) or _key_of(each) in above))


@lru_cache(maxsize=4096)
def is_catch_all(name: str) -> bool:
    """Tell whether a category's name says nothing of what was bought: “General”, “PAYMENTS”, “Bills and services”."""
    return content_stems(name) in _CATCH_ALLS or _key_of(name) == "other"


def _keys_of(name: str) -> frozenset[str]:
    """Return the keys of what a name stands for; none where it says what an insurance or a loan is about."""
    placed, readings = place_name(name), read_phrase(content_stems(name))
    if placed is None or (placed.touched and group_of(placed.primary.key) in ABOUT_SOMETHING):
        return frozenset()
    return placed.keys | (frozenset(readings[0][0]) if readings else frozenset())


def _key_of(name: str) -> str:
    placed = place_name(name)
    return placed.primary.key if placed is not None else ""


@cache
def _is_group(key: str) -> bool:
    return any(other.parent == key and not other.finer for other in CATEGORIES.values())
