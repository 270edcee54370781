"""What the members of a list lend each other: "September and October 2025", "the 3rd and 17th of October"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ledger.periods.nodes import Cadence, Context, Fixed, Node, Recurring, Relative
from ledger.periods.spans import ALL_TIME, Unit
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.matches import Match
    from ledger.periods.spans import Span
    from ledger.periods.tokens import Sentence

_SIGNS = frozenset({",", "&", "/", "+"})
_BETWEEN = (Role.LINK, Role.COMPARE, Role.ARTICLE, Role.PREPOSITION)


@dataclass(frozen=True, slots=True)
class Found:
    """A match and the token that it begins with."""

    first: int
    match: Match


def is_linked(words: Sentence, end: int, index: int) -> bool:
    """Whether nothing but links, prepositions and articles stand between the two tokens, and at least one."""
    return end < index <= end + 4 and all(
        words.tokens[between].text in _SIGNS or any(role in words.senses[between] for role in _BETWEEN)
        for between in range(end, index)
    )


def share(words: Sentence, found: list[Found], context: Context) -> list[Found]:
    """Complete each member of a list from its neighbour: first from the one after it, then from the one before."""
    nodes = [item.match.node for item in found]
    years = [item.match.year for item in found]
    pairs = [
        (place, place + 1)
        for place in range(len(found) - 1)
        if is_linked(words, found[place].match.end, found[place + 1].first)
    ]
    for place, after in reversed(pairs):
        own, other = found[place].match, found[after].match
        if (year := years[after]) and own.is_bare and own.unit is other.unit and isinstance(own.node, Recurring):
            dated = own.node.in_year(year)
            if dated.whole(context) != nodes[after].whole(context):  # "October vs October 2025" compares two years
                nodes[place], years[place] = dated, year
        elif own.node == Fixed(ALL_TIME) and own.weekdays and other.weekdays:
            nodes[place] = nodes[after]
        elif _is_month_day(own) and other.unit is Unit.DAY and not _is_month_day(other):
            nodes[place] = _day_before(own.node, nodes[after])
    for before, place in pairs:
        own, other = found[place].match, found[before].match
        if _is_month_day(own) and other.unit is Unit.DAY and not _is_month_day(other):
            nodes[place] = _day_after(own.node, nodes[before])
        elif own.unit is Unit.YEAR and other.recurring and other.year:  # "October 2025 vs 2024"
            nodes[place] = other.recurring.in_year(own.node)
    return [Found(item.first, replace(item.match, node=node)) for item, node in zip(found, nodes, strict=True)]


def _is_month_day(match: Match) -> bool:
    return isinstance(match.node, Recurring) and match.node.cadence is Cadence.MONTHLY


def _day_before(day: Node, other: Node) -> Node:
    """Return the 3rd of "the 3rd and 17th of October"."""

    def find(context: Context) -> Span | None:
        span = other.whole(context)
        return day.begun(span[0]) if span and isinstance(day, Recurring) else None

    return Relative(find)


def _day_after(day: Node, other: Node) -> Node:
    """Return the 6th of "October 5th and 6th"."""

    def find(context: Context) -> Span | None:
        span = other.whole(context)
        return day.next_after(span[1]) if span and isinstance(day, Recurring) else None

    return Relative(find)
