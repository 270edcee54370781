"""Years as numbers and words, and the year that a phrase ends with ("October 2025", "Christmas last year")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.periods.spans import Context, Fixed, Node, Relative, Span, Unit, unit_span, year_span
from ledger.periods.tokens import APOSTROPHES
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence


def full_year(short: int) -> int:
    """Return the year of two digits as POSIX reads them: 69..99 are in the 1900s."""
    return short + (1900 if short >= 69 else 2000)


def year_number(words: Sentence, index: int) -> tuple[int, int] | None:
    """Read 2025, or '25 with its apostrophe."""
    token = words.tokens[index]
    if token.is_number and len(token.text) == 4 and 1900 <= int(token.text) < 2200:
        after = words.tokens[index + 1]
        return (int(token.text), index + 1) if words.is_plain(index) and not (after.glued and after.is_word) else None
    short = words.tokens[index + 1]
    if token.text in APOSTROPHES and short.glued and short.is_number and len(short.text) == 2:
        return full_year(int(short.text)), index + 2
    return None


def year_suffix(words: Sentence, index: int) -> tuple[Node, int] | None:
    """Read the year after a date: ", 2025", "of 2025", "'25", "/2025", "last year", "des Vorjahres"."""
    token = words.tokens[index]
    if token.text == "," or (token.text == "/" and token.glued):
        index += 1
    index = words.settled[words.skip(index, Role.OF, Role.ARTICLE)]
    named = words.parts[index].get(Role.UNIT)
    if named is not None and named[0] is Unit.YEAR and (year := year_number(words, named[1])):
        return Fixed(year_span(year[0])), year[1]
    if year := year_number(words, index):
        return Fixed(year_span(year[0])), year[1]
    return relative_year(words, index)


def relative_year(words: Sentence, index: int) -> tuple[Node, int] | None:
    """Read "last year", "this year", "vorletztes Jahr", "the year before", "two years ago", "Vorjahr"."""
    for role, unit_offset in ((Role.LAST, -1), (Role.PREVIOUS, -1), (Role.THIS, 0)):
        sense = words.parts[index].get(role)
        unit = sense and words.parts[sense[1]].get(Role.UNIT)
        if sense and unit and unit[0] is Unit.YEAR:
            return years_from_today(unit_offset * int(sense[0])), unit[1]
    neighbour = words.parts[index].get(Role.NEIGHBOUR)
    if neighbour and neighbour[0] == (-1, Unit.YEAR):
        return years_from_anchor(-1), neighbour[1]
    unit = words.parts[index].get(Role.UNIT)
    if unit and unit[0] is Unit.YEAR and (earlier := words.parts[unit[1]].get(Role.EARLIER)):
        return years_from_anchor(earlier[0]), earlier[1]
    count = words.counts[index]
    unit = count and words.parts[count[1]].get(Role.UNIT)
    ago = unit and words.parts[unit[1]].get(Role.AGO)
    if count and unit and ago and unit[0] is Unit.YEAR:
        return years_from_today(-count[0]), ago[1]
    return None


def years_from_today(offset: int) -> Relative:
    """Return the calendar year of today, moved."""
    return Relative(lambda context: context.unit(Unit.YEAR, offset))


def years_from_anchor(offset: int) -> Relative:
    """Return the calendar year of the conversation's period, moved."""

    def find(context: Context) -> Span:
        day = context.anchor[0] if context.anchor else context.today
        return unit_span(Unit.YEAR, day, offset)

    return Relative(find)
