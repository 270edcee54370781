"""The whole of a period phrase: a stretch or a range, "so far", and weekdays that narrow it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.nodes import Fixed, Relative
from ledger.periods.ranges import before_or_after, ranged, since, until
from ledger.periods.spans import ALL_TIME, Unit, to_date
from ledger.periods.stretches import STRETCH_RULES, stretch, stretch_alone
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence


def so_far(words: Sentence, index: int) -> Match | None:
    """Read "so far this month" and "2026 so far", which end today whatever they name."""
    lead = words.parts[index].get(Role.SO_FAR)
    match = stretch(words, words.skip(lead[1], Role.PREPOSITION, Role.ARTICLE) if lead else index)
    if match is None or match.node == Fixed(ALL_TIME):
        return None
    end = match.end
    if lead is None:
        trail = words.parts[end].get(Role.SO_FAR)
        if trail is None:
            return None
        end = trail[1]
    node = match.node
    return Match(Relative(lambda context: to_date(node.whole(context), context.today)), end, unit=match.unit)


def weekdays_only(words: Sentence, index: int) -> tuple[tuple[int, ...], int, bool] | None:
    """Read "weekends", "every Friday", "Mondays and Tuesdays": the weekdays, the next index, whether it is sure."""
    every = words.parts[index].get(Role.EVERY)
    start = every[1] if every else index
    named = words.parts[start].get(Role.WEEKDAYS)
    if named is None and every:
        named = words.parts[start].get(Role.WEEKDAY)
        if named:
            named = ((named[0],), named[1])
        elif (unit := words.parts[start].get(Role.UNIT)) and unit[0] is Unit.WEEKEND:
            named = ((5, 6), unit[1])
    if named is None:
        return None
    days, end = named
    link = words.parts[end].get(Role.AND)
    more = link and words.parts[link[1]].get(Role.WEEKDAYS)
    if more:
        days, end = tuple(sorted({*days, *more[0]})), more[1]
    return days, end, bool(every) or len(days) > 1


def narrowed(words: Sentence, index: int) -> Match | None:
    """Read "weekends", "weekends in October", "last month on Fridays"."""
    first = weekdays_only(words, index)
    if first is not None:
        days, end, is_sure = first
        inner = unfiltered(words, words.skip(end, Role.OF, Role.PREPOSITION, Role.ARTICLE))
        if inner and inner.cue not in {Cue.ENTIRE, Cue.MONTH, Cue.FIGURES, Cue.DECIMAL, Cue.SHORT_WEEKDAY}:
            return Match(inner.node, inner.end, weekdays=days)
        return Match(Fixed(ALL_TIME), end, Cue.NONE if is_sure else Cue.WEEKDAY, weekdays=days)
    inner = unfiltered(words, index)
    if inner is None:
        return None
    start = inner.end + (words.tokens[inner.end].text == ",")
    trailing = weekdays_only(words, words.skip(start, Role.PREPOSITION, Role.ONWARD, Role.ARTICLE, most=2))
    return trailing and replace(inner, end=trailing[1], weekdays=trailing[0])


_UNFILTERED = Rules(
    opening(ranged, Role.FROM, Role.BETWEEN, *STRETCH_RULES.openers),
    opening(since, Role.SINCE, Role.FROM),
    opening(until, Role.UNTIL),
    opening(before_or_after, Role.BEFORE, Role.AFTER),
    opening(so_far, *STRETCH_RULES.openers),
    opening(stretch, *STRETCH_RULES.openers),
    opening(stretch_alone, Role.NUMBER, Role.COUNT, Role.FIGURE, Role.FULL),
)


def unfiltered(words: Sentence, index: int) -> Match | None:
    """Read a phrase without recurring weekdays."""
    return _UNFILTERED.longest(words, index)


_PHRASES = Rules(
    opening(narrowed, Role.EVERY, Role.WEEKDAYS, *_UNFILTERED.openers),
    opening(unfiltered, *_UNFILTERED.openers),
)
#: The parts that a period phrase can begin with.
OPENERS = _PHRASES.openers


def phrase(words: Sentence, index: int) -> Match | None:
    """Read the longest period phrase that begins at the token."""
    return _PHRASES.longest(words, index)
