"""What a person is offered while they type into an option of a command: their own names, and times that can be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bots.desk.names import nearest
from bots.import_words import on_one_line
from bots.limits import Discord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from tools.context import ToolContext

_PHRASES = (
    *("last month", "this month", "last 3 months", "this year", "last year", "last week", "this week"),
    *("last quarter", "past 30 days", "yesterday", "today", "all time"),
)
_MONTHS = ("January February March April May June July August September October November December").split()
_MOST_MONTHS = 120
#: How like what was typed a name must be for it to be a slip, of a hundred; not looked for where so many names hold it.


def suggestions(option: str, typed: str, context: ToolContext) -> list[dict[str, Any]]:
    """Return the choices for an option, as Discord takes them; what can't be chosen whole is left out."""
    known = [
        name
        for name in _known(option, context)
        if name and len(name) <= Discord.CHOICE_NAME and on_one_line(name) == name
    ]
    found = nearest(typed[: Discord.CHOICE_NAME], list(dict.fromkeys(known)))
    return [{"name": name, "value": name} for name in found[: Discord.CHOICES]]


def _known(option: str, context: ToolContext) -> Iterator[str]:
    vocabulary = context.vocabulary
    match option:
        case "category":
            yield from vocabulary.categories
        case "merchant":
            yield from (name for _, name in vocabulary.merchants)
        case "account":
            yield from (account.name for account in vocabulary.accounts)
        case "period":
            yield from _PHRASES
            yield from _months(vocabulary.first, vocabulary.last)
        case "one" | "another":
            yield from list(_months(vocabulary.first, vocabulary.last))[: Discord.CHOICES // 2]
            yield from vocabulary.categories
            yield from (name for _, name in vocabulary.merchants)


def _months(first: date | None, last: date | None) -> Iterator[str]:
    """Yield the months that a ledger spans, the latest first."""
    if first is None or last is None:
        return
    latest, earliest = last.year * 12 + last.month - 1, first.year * 12 + first.month - 1
    for month in range(latest, max(earliest, latest - _MOST_MONTHS) - 1, -1):
        yield f"{_MONTHS[month % 12]} {month // 12}"
