"""Phrases counted from today: "last month", "past 30 days", "this week", "two weeks ago", "last October"."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from ledger.periods.dates import DATE_RULES
from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.spans import (
    Cadence,
    Context,
    Node,
    Recurring,
    Relative,
    Unit,
    between,
    day_span,
    days_until,
    unit_span,
    units_before,
)
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.spans import Span
    from ledger.periods.tokens import Sentence

#: "The past week" rolls, where "last week" is the calendar's: this many days, today included.
_ROLLING_DAYS = {Unit.HOUR: 2, Unit.DAY: 2, Unit.WEEK: 7, Unit.MONTH: 30, Unit.QUARTER: 90, Unit.HALF: 182}
_ROLLING_DAYS[Unit.YEAR] = 365
#: "The past weeks" without a number, as with "a few".
_SEVERAL = 3


def units_back(unit: Unit, back: int) -> Relative:
    """Return the unit ``back`` before the current one; a weekend that has not begun this week does not count."""

    def find(context: Context) -> Span:
        latest_is_over = unit is Unit.WEEKEND and context.today.weekday() < 5
        return context.unit(unit, 1 - back if latest_is_over else -back)

    return Relative(find)


def last_units(unit: Unit, count: int) -> Node:
    """Return the last ``count`` full units; days count today in, and hours the day that they reach back into."""
    if unit is Unit.DAY:
        return Relative(lambda context: days_until(context.today, count))
    if unit is Unit.HOUR:
        return Relative(lambda context: days_until(context.today, (count + 23) // 24 + 1))
    if unit is Unit.WEEKEND:
        return between(units_back(unit, count), units_back(unit, 1))
    return Relative(lambda context: units_before(unit, count, context.today, *context.starts))


def last(words: Sentence, index: int) -> Match | None:
    """Read "last month", "last 3 months", "vorletzte Woche", "past 30 days", "past week".

    Counted weeks, months, quarters and years are full ones whether "last" or "past"; a single "past month" rolls.
    """
    lead = words.parts[index].get(Role.LAST) or words.parts[index].get(Role.PAST)
    if lead is None:
        return None
    is_past = words.parts[index].get(Role.LAST) is None
    counted = words.units[lead[1]]
    if counted is None:
        return None
    count, unit, end = counted
    if count is None and _is_plural(words.tokens[end - 1].text, is_past=is_past):
        count = _SEVERAL
    if count is not None:
        weekdays = (5, 6) if unit is Unit.WEEKEND else ()
        return Match(last_units(unit, count), end, weekdays=weekdays)
    if is_past and unit in _ROLLING_DAYS:
        days = _ROLLING_DAYS[unit]
        return Match(Relative(lambda context: days_until(context.today, days)), end)
    if unit in {Unit.DAY, Unit.HOUR}:
        return None
    return Match(units_back(unit, int(lead[0])), end, unit=unit)


def _is_plural(word: str, *, is_past: bool) -> bool:
    """Whether units without a count are meant; in English "last months rent" lacks but an apostrophe."""
    return word in {"tage", "tagen", "wochen", "monate", "monaten", "quartale", "quartalen", "jahre", "jahren"} or (
        is_past and word in {"days", "weeks", "months", "quarters", "years"}
    )


def this(words: Sentence, index: int) -> Match | None:
    """Read "this month", which ends today; "this weekend" before Saturday is the one before."""
    lead = words.parts[index].get(Role.THIS)
    unit = lead and words.parts[words.skip(lead[1], Role.FULL, most=1)].get(Role.UNIT)
    if not unit or unit[0] is Unit.HOUR:
        return None
    named = unit[0]
    return Match(Relative(lambda context: context.unit(named)), unit[1], unit=named)


def shared_unit(words: Sentence, index: int) -> Match | None:
    """Read the first word of "this and last month" or "last vs this year", whose unit stands at the end."""
    lead = words.parts[index].get(Role.THIS) or words.parts[index].get(Role.LAST)
    link = lead and words.parts[lead[1]].get(Role.LINK)
    other = link and (words.parts[link[1]].get(Role.LAST) or words.parts[link[1]].get(Role.THIS))
    unit = other and words.parts[other[1]].get(Role.UNIT)
    if not lead or not unit or unit[0] is Unit.HOUR:
        return None
    named, back = unit[0], 0 if words.parts[index].get(Role.THIS) else lead[0]
    return Match(Relative(lambda context: context.unit(named, -back)), lead[1], unit=named)


def last_or_this_date(words: Sentence, index: int) -> Match | None:
    """Read "last October", "last Friday", "vorletzten Sommer", "this Easter"."""
    for role in (Role.LAST, Role.PAST, Role.PREVIOUS, Role.THIS):
        lead = words.parts[index].get(role)
        if lead is None:
            continue
        match = DATE_RULES.longest(words, lead[1])
        if match is None or not isinstance(match.node, Recurring) or match.cue is Cue.PLAIN_DAY:
            continue
        if role is Role.THIS:
            cue = Cue.FOLLOW if match.cue is Cue.MONTH else Cue.NONE
            return Match(match.node.this_one(), match.end, cue, match.unit)
        return Match(match.node.before_today(int(lead[0])), match.end, unit=match.unit)
    return None


def ago(words: Sentence, index: int) -> Match | None:
    """Read "3 days ago" (that day), "two weeks ago" (that full week), "vor 3 Monaten" (that calendar month)."""
    first = words.parts[index].get(Role.AGO_FIRST)
    counted = words.units[first[1] if first else index]
    if counted is None:
        return None
    count, unit, end = counted
    if count is None or unit is Unit.HOUR:
        return None
    after = None if first else words.parts[end].get(Role.AGO)
    if first is None and after is None:
        return None
    return Match(units_back(unit, count), after[1] if after else end, unit=unit)


def day_word(words: Sentence, index: int) -> Match | None:
    """Read "today", "yesterday evening", "vorgestern"."""
    sense = words.parts[index].get(Role.DAY)
    if sense is None:
        return None
    offset = sense[0]
    end = words.skip(sense[1], Role.DAYTIME, most=1)
    return Match(Relative(lambda context: day_span(context.today + timedelta(days=offset))), end, unit=Unit.DAY)


def _from_today(words: Sentence, index: int) -> Match | None:
    """Read the longest of "last year", "this week", "two months ago"."""
    found = [match for rule in (last, this, ago) if (match := rule(words, index))]
    return max(found, key=lambda match: match.end, default=None)


def year_then_date(words: Sentence, index: int) -> Match | None:
    """Read "last year in October", "letztes Jahr zu Weihnachten", "last year's Q3"."""
    year = _from_today(words, index)
    if year is None or year.unit is not Unit.YEAR:
        return None
    start = words.skip(year.end, Role.OF, Role.PREPOSITION, Role.ARTICLE)
    match = DATE_RULES.longest(words, start)
    if match is None or not isinstance(match.node, Recurring) or match.node.cadence is not Cadence.YEARLY:
        return None
    if match.cue is Cue.MONTH and start == year.end:
        return None
    return Match(match.node.in_year(year.node), match.end, unit=match.unit)


def week_and_weekday(words: Sentence, index: int) -> Match | None:
    """Read "last week Tuesday" and "Tuesday of last week"."""
    week = _from_today(words, index)
    if week is not None:
        day = words.parts[words.skip(week.end, Role.OF, Role.PREPOSITION, most=1)].get(Role.WEEKDAY)
        end = day[1] if day else 0
    else:
        day = words.parts[index].get(Role.WEEKDAY)
        week = day and _from_today(words, words.skip(day[1], Role.OF, Role.ARTICLE))
        end = week.end if week else 0
    if not day or not week or week.unit is not Unit.WEEK:
        return None
    number = day[0]
    return Match(week.node.map(lambda span: _weekday_in(span, number)), end, unit=Unit.DAY)


def _weekday_in(span: Span, number: int) -> Span:
    return day_span(span[0] + timedelta(days=(number - span[0].weekday()) % 7))


def week_of(words: Sentence, index: int) -> Match | None:
    """Read "week of October 5", "Woche vom 5. Oktober": the full week that holds the day."""
    unit = words.parts[index].get(Role.UNIT)
    after = unit and words.skip(unit[1], Role.OF, Role.ARTICLE)
    if not unit or not after or unit[0] is not Unit.WEEK or after == unit[1]:
        return None
    day = DATE_RULES.longest(words, after)
    if day is None or (day.unit is not Unit.DAY and Role.NAMED_DAY not in words.senses[after]):
        return None
    node: Node = day.node

    def find(context: Context) -> Span | None:
        span = node.whole(context)
        return span and unit_span(Unit.WEEK, span[0], 0, context.week_start)

    return Match(Relative(find), day.end, unit=Unit.WEEK)


_COUNTS = (Role.NUMBER, Role.COUNT, Role.FIGURE, Role.FULL, Role.AGO_FIRST, Role.MEASURED)

RELATIVE_RULES = Rules(
    opening(last, Role.LAST, Role.PAST),
    opening(this, Role.THIS),
    opening(last_or_this_date, Role.LAST, Role.PAST, Role.PREVIOUS, Role.THIS),
    opening(ago, *_COUNTS),
    opening(day_word, Role.DAY),
    opening(year_then_date, Role.LAST, Role.PAST, Role.THIS, *_COUNTS),
    opening(week_and_weekday, Role.LAST, Role.PAST, Role.THIS, Role.WEEKDAY, *_COUNTS),
    opening(week_of, Role.UNIT),
    opening(shared_unit, Role.THIS, Role.LAST),
)
