"""What a tool is asked to do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

#: What models put between an app and its skill in place of the hyphen, and in place of underscores.
_SEPARATORS = re.compile(r"[-_:.|/]+")


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a tool: its name and the arguments by name."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """What can be picked: what a person reads, and the calls, round by round, that picking it makes.

    ``unread`` are the words of its label that the calls do not take into account.
    """

    label: str
    rounds: tuple[tuple[Call, ...], ...] = ()
    unread: tuple[str, ...] = ()


def choice_of(label: str, name: str, **arguments: Any) -> Choice:
    """Return the choice of one call."""
    return Choice(label, ((Call(name, arguments),),))


def choices_from(given: Iterable[Choice | str]) -> tuple[Choice, ...]:
    """Return choices, among which there may be texts of earlier versions and of others' tools: picking one asks its text."""
    return tuple(Choice(each) if isinstance(each, str) else each for each in given)


def canonical_name(name: str, offered: Collection[str]) -> str | None:
    """Return the offered tool that a name means, or None where there is none or more than one.

    Models write ``web:search`` for ``web-search``, or the skill twice: ``web-search-search``. The name as it stands comes
    first, then without regard to case, then to the kind of separators, then with the skill doubled.
    """
    name = name.strip()
    if name in offered:
        return name
    for form in (str.casefold, _hyphenated):
        if found := _meant(form(name), offered, form):
            return found[0] if len(found) == 1 else None
    doubled = _meant(_hyphenated(name), offered, _doubled)
    return doubled[0] if len(doubled) == 1 else None


def _meant(wanted: str, offered: Collection[str], form: Callable[[str], str]) -> list[str]:
    return [each for each in dict.fromkeys(offered) if wanted and form(each) == wanted]


def _hyphenated(name: str) -> str:
    return _SEPARATORS.sub("-", name.casefold()).strip("-")


def _doubled(name: str) -> str:
    """Return a tool's name with its skill twice, or nothing where it has no app."""
    plain = _hyphenated(name)
    skill = plain.partition("-")[2]
    return f"{plain}-{skill}" if skill else ""
