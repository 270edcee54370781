"""What a person is offered while they type into an option of a command: their own names, and times that can be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bots.desk.lookups import months, own_names
from bots.desk.names import nearest
from bots.desk.setting_forms import setting_options
from bots.import_words import on_one_line
from bots.limits import Discord
from language.catalogue import Template, translated
from language.tongue import DEFAULT
from ledger.preferences import PREFERENCES
from tools.wording import month_name

if TYPE_CHECKING:
    from ledger.repository import Vocabulary

_PHRASES = (
    *("last month", "this month", "last 3 months", "this year", "last year", "last week", "this week"),
    *("last quarter", "past 30 days", "yesterday", "today", "all time"),
)
_MONTHS = ("January February March April May June July August September October November December").split()


def suggestions(option: str, typed: str, vocabulary: Vocabulary, language: str = DEFAULT) -> list[dict[str, Any]]:
    """Return the choices for an option, as Discord takes them, read in a language; what can't be chosen whole is left out."""
    longest = Discord.CHOICE_NAME
    if option in PREFERENCES:
        return [
            _choice(text, value) for value, text in setting_options(option, typed[:longest], language, Discord.CHOICES)
        ]
    known = [name for name in _known(option, vocabulary) if name and on_one_line(name, longest) == name]
    shown = {_told(name, language): name for name in reversed(known)}
    found = nearest(typed[:longest], list(reversed(shown)))
    return [_choice(text, shown[text]) for text in found[: Discord.CHOICES]]


def _choice(text: str, value: str) -> dict[str, Any]:
    return {"name": on_one_line(text, Discord.CHOICE_NAME), "value": value}


def _told(name: str, language: str) -> str:
    """Return a name as it is read: a time of ours in the language, a person's own name as it is."""
    if isinstance(name, Template):
        return translated(name, language)
    if name in _PHRASES:
        return translated(name, language, "period")
    month, _, year = name.partition(" ")
    if month in _MONTHS and year.isdecimal():
        return month_name(f"{year}-{_MONTHS.index(month) + 1:02}", language)
    return name


def _known(option: str, vocabulary: Vocabulary) -> list[str]:
    match option:
        case "period":
            return [*_PHRASES, *months(vocabulary)]
        case "one" | "another":
            some = months(vocabulary)[: Discord.CHOICES // 2]
            return [*some, *own_names("category", vocabulary), *own_names("merchant", vocabulary)]
    return own_names(option, vocabulary)
