"""Phrases counted from the conversation's period or from another phrase.

"The month before", "a year earlier", "same month last year", "the week before Christmas". Without a conversation the
anchor is the current month to date.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ledger.periods.cues import CLAUSE_ENDS
from ledger.periods.dates import DATE_RULES
from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.relative import RELATIVE_RULES, last_units, units_back
from ledger.periods.spans import (
    Context,
    Node,
    Recurring,
    Relative,
    Span,
    Unit,
    shift_span_years,
    shift_years,
    unit_span,
    units_after,
    units_before,
)
from ledger.periods.vocabulary import Role
from ledger.periods.years import year_number

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence

_DAY = timedelta(days=1)
_OPERANDS = Rules(*DATE_RULES.entries, *RELATIVE_RULES.entries)


def _base(context: Context, unit: Unit = Unit.MONTH) -> Span:
    return context.anchor or (context.unit(unit)[0], context.today)


def _beside(span: Span, unit: Unit, count: int, sign: int, context: Context) -> Span:
    """Return the ``count`` units right before (-1) or after (1) the span; weeks beside other days are 7 days each."""
    near = span[0] if sign < 0 else span[1]
    if unit is Unit.WEEK:
        unit, count = Unit.DAY, count * 7
    if unit is Unit.WEEKEND and sign < 0:
        weekend = unit_span(unit, near - _DAY)
        near = near if weekend[1] < near else weekend[0]
        last = unit_span(unit, near - _DAY)
        return last[0] - 7 * (count - 1) * _DAY, last[1]
    if sign < 0:
        return units_before(unit, count, near, *context.starts)
    return units_after(unit, count, near, *context.starts)


def neighbours(unit: Unit, count: int, sign: int) -> Relative:
    """Return the calendar units beside the one that the anchor begins (before) or ends (after) in."""

    def find(context: Context) -> Span:
        base = _base(context)
        near = base[0] if sign < 0 else base[1]
        if context.anchor is None and unit is not Unit.MONTH:
            near = context.today
        step = units_before if sign < 0 else units_after
        return step(unit, count, near, *context.starts)

    return Relative(find)


def moved(unit: Unit, offset: int) -> Relative:
    """Return "two months earlier": the one unit that far from the anchor; years move the anchor's own dates."""

    def find(context: Context) -> Span:
        base = _base(context)
        if unit is Unit.YEAR and (context.anchor is None or (base[1] - base[0]).days < 360):
            return shift_span_years(base, offset)
        near = base[0] if context.anchor else context.today
        return unit_span(unit, near, offset, *context.starts)

    return Relative(find)


def _year_beside(sign: int) -> Relative:
    """Return "the year before": a shorter anchor's dates a year earlier, without an anchor the calendar year."""
    shifted = moved(Unit.YEAR, sign)
    return Relative(lambda context: shifted.find(context) if context.anchor else context.unit(Unit.YEAR, sign))


def previous(words: Sentence, index: int) -> Match | None:
    """Read "previous month", "prior 3 months", "following month", "Vormonat"; all but the last may have a count."""
    neighbour = words.parts[index].get(Role.NEIGHBOUR)
    if neighbour:
        offset, unit = neighbour[0]
        return Match(neighbours(unit, 1, offset), neighbour[1], unit=unit)
    for role, sign in ((Role.PREVIOUS, -1), (Role.FOLLOWING, 1)):
        lead = words.parts[index].get(role)
        counted = lead and words.units[lead[1]]
        if not counted or counted[1] is Unit.HOUR:
            continue
        count, unit, end = counted
        return Match(_previous_or_last(unit, count, sign), end, unit=unit)
    return None


def _previous_or_last(unit: Unit, count: int | None, sign: int) -> Relative:
    """Count from the anchor; without one, "previous" is "last"."""
    anchored = neighbours(unit, count or 1, sign)
    if sign > 0:
        return anchored
    from_today = units_back(unit, 1) if count is None else last_units(unit, count)

    def find(context: Context) -> Span | None:
        return anchored.find(context) if context.anchor else from_today.whole(context)

    return Relative(find)


def earlier(words: Sentence, index: int) -> Match | None:
    """Read "the month before that", "a year earlier", "the 3 months before", "im Monat davor", "one month later"."""
    counted = words.units[index]
    lead = counted and words.parts[counted[2]].get(Role.EARLIER)
    if not counted or not lead or counted[1] is Unit.HOUR:
        return None
    count, unit, _ = counted
    sign, end = lead
    is_run = Role.ARTICLE in words.senses[index - 1]
    if that := words.parts[end].get(Role.THAT):
        end = that[1]
    elif Role.PRONOUN in words.senses[end]:
        return None  # "the month before I moved" needs a date that we don't know
    if count is None and unit is Unit.YEAR:
        return Match(_year_beside(sign), end, unit=unit)
    if unit is Unit.YEAR or (count is not None and not is_run):
        return Match(moved(unit, sign * (count or 1)), end, unit=unit)
    return Match(neighbours(unit, count or 1, sign), end, unit=unit)


def before_last(words: Sentence, index: int) -> Match | None:
    """Read "the month before last"."""
    unit = words.parts[index].get(Role.UNIT)
    before = unit and words.parts[unit[1]].get(Role.BEFORE)
    final = before and words.parts[before[1]].get(Role.LAST)
    if not unit or not final or Role.UNIT in words.senses[final[1]]:
        return None
    return Match(units_back(unit[0], 2), final[1], unit=unit[0])


def date_before(words: Sentence, index: int) -> Match | None:
    """Read "the September before", "im Winter davor", "the Christmas before last"."""
    match = DATE_RULES.longest(words, index)
    if not match or not match.is_bare or not isinstance(match.node, Recurring):
        return None
    before = words.parts[match.end].get(Role.BEFORE)
    if before and Role.LAST in words.senses[before[1]] and Role.UNIT not in words.senses[before[1] + 1]:
        return Match(match.node.before_today(2), before[1] + 1, unit=match.unit)
    lead = words.parts[match.end].get(Role.EARLIER)
    that = lead and words.parts[lead[1]].get(Role.THAT)
    end = that[1] if that else lead[1] if lead else 0
    token = words.tokens[end]
    ends = (
        not token.text or token.text in CLAUSE_ENDS if before else not token.is_word or Role.STOP in words.senses[end]
    )
    if not lead or lead[0] > 0 or not (ends or that):
        return None  # "in October before we moved", "before 15/10"
    return Match(_earlier_one(match.node), end, unit=match.unit)


def _earlier_one(node: Recurring) -> Relative:
    """Return the latest occurrence that is over before the anchor begins, or before the latest one itself."""

    def find(context: Context) -> Span | None:
        own = context.anchor or node.whole(context)
        return own and node.latest(lambda span: span[1] < own[0], own[0])

    return Relative(find)


def beside(words: Sentence, index: int) -> Match | None:
    """Read "the week before Christmas", "2 days after Thanksgiving", "the month before October"."""
    counted = words.units[index]
    if counted is None or counted[1] is Unit.HOUR:
        return None
    count, unit, end = counted
    for role, sign in ((Role.BEFORE, -1), (Role.AFTER, 1)):
        lead = words.parts[end].get(role)
        operand = lead and _OPERANDS.longest(words, words.skip(lead[1], Role.ARTICLE, Role.PREPOSITION, most=2))
        if not operand or operand.cue in {Cue.MONTH, Cue.YEAR, Cue.FIGURES, Cue.SHORT_WEEKDAY}:
            continue
        is_one_day = unit is Unit.DAY and Role.ARTICLE not in words.senses[index - 1]
        node = _beside_node(operand.node, unit, count or 1, sign)
        if is_one_day:
            node = node.map(lambda span: (span[0], span[0])) if sign < 0 else node.map(lambda span: (span[1], span[1]))
        return Match(node, operand.end, unit=unit)
    return None


def _beside_node(operand: Node, unit: Unit, count: int, sign: int) -> Node:
    def find(context: Context) -> Span | None:
        span = operand.whole(context)
        return span and _beside(span, unit, count, sign, context)

    return Relative(find)


def same(words: Sentence, index: int) -> Match | None:
    """Read "same month last year", "same period last month", "this time last year", "Vorjahresmonat"."""
    ready = words.parts[index].get(Role.SAME_LAST_YEAR)
    if ready:
        return Match(_same_unit(ready[0], -1), ready[1])
    lead = words.parts[index].get(Role.SAME)
    unit = lead and words.parts[lead[1]].get(Role.UNIT)
    this = words.parts[index].get(Role.THIS)
    if this and not lead and (own := words.parts[this[1]].get(Role.UNIT)) and own[0] is not Unit.YEAR:
        return _same_in(words, own[1], own[0])  # "this month last year"
    lead = lead or this
    stretch = lead and words.parts[lead[1]].get(Role.STRETCH)
    named = unit or stretch
    if named is None:
        return None
    return _same_in(words, named[1], unit[0] if unit else None) or (
        Match(_same_unit(unit[0], 0), unit[1], unit=unit[0]) if unit and unit[0] is not Unit.DAY else None
    )


def year_then_same(words: Sentence, index: int) -> Match | None:
    """Read "last year in the same period", "letztes Jahr im selben Monat"."""
    years = _years_back(words, index)
    lead = years and words.parts[words.skip(years[1], Role.OF, Role.PREPOSITION, Role.ARTICLE)].get(Role.SAME)
    named = lead and (words.parts[lead[1]].get(Role.UNIT) or words.parts[lead[1]].get(Role.STRETCH))
    if not years or not lead or not named:
        return None
    unit = named[0] if words.parts[lead[1]].get(Role.UNIT) else None
    return Match(_same_unit(unit, -years[0]), named[1])


def _same_in(words: Sentence, index: int, unit: Unit | None) -> Match | None:
    """Read which year or unit the same dates are of: "last year", "in 2024", "last month"."""
    after = words.skip(index, Role.OF, Role.ARTICLE)
    if years := _years_back(words, after):
        return Match(_same_unit(unit, -years[0]), years[1])
    if year := year_number(words, after):
        return Match(_same_unit_of(unit, year[0]), year[1])
    last = words.parts[after].get(Role.LAST) or words.parts[after].get(Role.PREVIOUS)
    container = last and words.parts[last[1]].get(Role.UNIT)
    if last and container and unit is None and container[0] in {Unit.WEEK, Unit.MONTH, Unit.QUARTER}:
        return Match(_same_part(container[0], int(last[0])), container[1])
    return None


def _years_back(words: Sentence, index: int) -> tuple[int, int] | None:
    """Read "last year", "the year before", "two years ago", "a year earlier", "Vorjahr" as a number of years."""
    neighbour = words.parts[index].get(Role.NEIGHBOUR)
    if neighbour and neighbour[0] == (-1, Unit.YEAR):
        return 1, neighbour[1]
    lead = words.parts[index].get(Role.LAST) or words.parts[index].get(Role.PREVIOUS)
    if lead and (unit := words.parts[lead[1]].get(Role.UNIT)) and unit[0] is Unit.YEAR:
        return int(lead[0]), unit[1]
    first = words.parts[index].get(Role.AGO_FIRST)
    counted = words.units[first[1] if first else index]
    if counted and counted[1] is Unit.YEAR:
        count, _, end = counted
        after = words.parts[end].get(Role.AGO) or words.parts[end].get(Role.EARLIER)
        if after or (first and count):
            return count or 1, after[1] if after else end
    return None


def _same_unit(unit: Unit | None, years: int) -> Relative:
    def find(context: Context) -> Span:
        base = _base(context)
        if unit is None:
            return shift_span_years(base, years)
        day = base[0] if context.anchor else context.today
        return unit_span(unit, shift_years(day, years), 0, context.week_start)

    return Relative(find)


def _same_unit_of(unit: Unit | None, year: int) -> Relative:
    def find(context: Context) -> Span | None:
        return _same_unit(unit, year - _base(context)[0].year).whole(context)

    return Relative(find)


def _same_part(unit: Unit, back: int) -> Relative:
    """Return the same days of an earlier week, month or quarter, cut where that one is shorter."""

    def find(context: Context) -> Span:
        base = _base(context, unit)
        own = unit_span(unit, base[0], 0, context.week_start)
        other = unit_span(unit, base[0], -back, context.week_start)
        start = min(other[0] + (base[0] - own[0]), other[1])
        if base[1] >= own[1]:
            return start, other[1]
        return start, min(other[0] + (base[1] - own[0]), other[1])

    return Relative(find)


_COUNTED = (Role.UNIT, Role.NUMBER, Role.COUNT, Role.FIGURE, Role.FULL)

ANCHORED_RULES = Rules(
    opening(previous, Role.NEIGHBOUR, Role.PREVIOUS, Role.FOLLOWING),
    opening(earlier, *_COUNTED),
    opening(before_last, Role.UNIT),
    opening(beside, *_COUNTED),
    opening(date_before, Role.MONTH, Role.SEASON, Role.NAMED_DAY),
    opening(year_then_same, Role.LAST, Role.PREVIOUS, Role.NEIGHBOUR, Role.AGO_FIRST, *_COUNTED),
    opening(same, Role.SAME, Role.THIS, Role.SAME_LAST_YEAR),
)
