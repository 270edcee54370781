"""Dates as people and machines write them: days, months, years, quarters, weeks, seasons, holidays by name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger.periods.fiscal import FISCAL_RULES, named_year, part_of_year, split_year
from ledger.periods.german import BEFORE_A_YEAR, SPOKEN
from ledger.periods.matches import Cue, Match, Rules, furthest, opening
from ledger.periods.named_days import NAMED_DAYS
from ledger.periods.numerals import day_number, numeric_date
from ledger.periods.spans import (
    Cadence,
    Fixed,
    Recurring,
    Unit,
    day_span,
    month_span,
    unit_span,
    whole_months,
    year_span,
)
from ledger.periods.vocabulary import SHORT_WEEKDAYS, UNSURE_MONTHS, Role
from ledger.periods.years import year_number, year_suffix

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.periods.spans import Span
    from ledger.periods.tokens import Sentence


#: What stands before a month, and before no day of it.
_IN_A_MONTH = frozenset({"in", "im"})
#: Words between a name and what explains it.
_THAT_IS = frozenset({"also", "meaning", "namely"})
_CENTURY, _FIRST_SHORT_YEAR = 2000, 20


def with_year(words: Sentence, end: int, of: Callable[[int], Span], unit: Unit | None, cue: Cue) -> Match:
    """Return the yearly date, in the year that follows it if one does."""
    recurring = Recurring(of)
    if year := year_suffix(words, end):
        return Match(recurring.in_year(year[0]), year[1], unit=unit, year=year[0], recurring=recurring)
    return Match(recurring, end, cue, unit, is_bare=True)


def _yearly_day(month: int, day: int) -> Callable[[int], Span]:
    return lambda year: day_span(date(year, month, day))


def _month_name(words: Sentence, index: int) -> tuple[int, int, int] | None:
    """Read a month; return it, the index after it, and the index after the dot of its short form."""
    sense = words.parts[index].get(Role.MONTH)
    if sense is None:
        return None
    month, end = sense
    dot = words.tokens[end]
    is_short = len(words.tokens[end - 1].text) <= 4 and dot.text == "." and dot.glued
    return month, end, end + is_short


def month_first(words: Sentence, index: int) -> Match | None:
    """Read "October", "Oct 2025", "October 3rd", "Oct. 3, 2025"."""
    named = _month_name(words, index)
    if named is None:
        return None
    month, end, after_dot = named
    unsure = words.tokens[end - 1].text in UNSURE_MONTHS
    if year := _short_year(words, index, after_dot):
        return Match(Fixed(month_span(year, month)), after_dot + 1, unit=Unit.MONTH, year=Fixed(year_span(year)))
    day = day_number(words, words.skip(after_dot, Role.ARTICLE, most=1))
    if day is not None and Role.UNIT not in words.senses[day.end]:
        match = with_year(words, day.end, _yearly_day(month, day.number), Unit.DAY, Cue.NONE)
    else:
        cue = Cue.MONTH if unsure else Cue.NONE
        start = after_dot if year_suffix(words, after_dot) else end
        match = with_year(words, start, lambda year: month_span(year, month), Unit.MONTH, cue)
    return match


def _names_financial_year(words: Sentence) -> bool:
    """Whether a financial year is named anywhere: "FY26, so July 25 to June 26"."""
    return any(sense[0] is Unit.FISCAL_YEAR for senses in words.senses if (sense := senses.get(Role.UNIT)))


def _short_year(words: Sentence, index: int, end: int) -> int | None:
    """Return the year of "im Juni 26", which stands in a month as no day does; "on June 26" is a day."""
    token, after = words.tokens[end], words.tokens[end + 1]
    german = words.tokens[index].text in BEFORE_A_YEAR or any(each.text in SPOKEN for each in words.tokens)
    within = german or _names_financial_year(words) or (index > 0 and words.tokens[index - 1].text in _IN_A_MONTH)
    short = token.is_number and token.text.isdigit() and len(token.text) == len(str(_FIRST_SHORT_YEAR))
    if not within or not short or int(token.text) < _FIRST_SHORT_YEAR or (after.glued and after.text not in "!?;),"):
        return None
    return _CENTURY + int(token.text)


def day_first(words: Sentence, index: int) -> Match | None:
    """Read "3 October", "3rd of Oct 2025", "3. Okt. 2025", "fifth of October", "am ersten Oktober"."""
    day = day_number(words, index, dotted=True, spelled=True)
    if day is None:
        return None
    after = words.skip(day.end, Role.OF, Role.ARTICLE, most=2)
    if day.is_spelled and after == day.end and words.tokens[day.end - 1].text.endswith(("t", "d", "h")):
        return None  # English says "first of October"; "my first October" is no date
    named = _month_name(words, after)
    if named is None or words.tokens[after - 1].text == "in":
        return None
    month, end, after_dot = named
    start = after_dot if year_suffix(words, after_dot) else end
    cue = Cue.NONE if day.is_marked else Cue.PLAIN_DAY
    match = with_year(words, start, _yearly_day(month, day.number), Unit.DAY, cue)
    return replace(match, cue=cue)


def month_day(words: Sentence, index: int) -> Match | None:
    """Read "the 5th", "am 5.", "am Fünften": that day of the latest month where it is not in the future."""
    day = day_number(words, index, dotted=True, spelled=words.tokens[index - 1].text in {"am", "vom", "zum"})
    if day is None or not day.is_marked:
        return None
    return Match(Recurring(monthly_day(day.number), Cadence.MONTHLY), day.end, Cue.DAY_NUMBER, Unit.DAY)


def monthly_day(day: int) -> Callable[[int], Span]:
    """Return the function from a month's running number to its day with that number."""
    return lambda number: day_span(date(number // 12, number % 12 + 1, day))


def month_fraction(words: Sentence, index: int) -> Match | None:
    """Read quarters and halves of a year: "Q3 2025", "third quarter", "Quartal 3", "H1", "1. Halbjahr"."""
    coded = _coded_fraction(words, index) or _counted_fraction(words, index)
    if coded is None:
        return None
    unit, number, end = coded
    months = int(unit.value)
    if not 1 <= number <= 12 // months:
        return None
    return with_year(words, end, lambda year: whole_months(year * 12 + months * (number - 1), months), unit, Cue.NONE)


def _coded_fraction(words: Sentence, index: int) -> tuple[Unit, int, int] | None:
    for role, unit in ((Role.QUARTER_CODE, Unit.QUARTER), (Role.HALF_CODE, Unit.HALF)):
        code = words.parts[index].get(role)
        if code and words.tokens[code[1]].glued and (number := words.counts[code[1]]):
            return unit, number[0], number[1]
    named = words.parts[index].get(Role.UNIT)
    if named and named[0] is Unit.QUARTER and words.tokens[named[1]].is_number:
        number = words.counts[named[1]]
        return number and (Unit.QUARTER, number[0], number[1])
    return None


def _counted_fraction(words: Sentence, index: int) -> tuple[Unit, int, int] | None:
    day = day_number(words, index, dotted=True, spelled=True)
    named = day and words.parts[day.end].get(Role.UNIT)
    if day and named and day.is_marked and named[0] in {Unit.QUARTER, Unit.HALF}:
        return named[0], day.number, named[1]
    return None


def calendar_week(words: Sentence, index: int) -> Match | None:
    """Read an ISO week: "KW 42", "week 42 of 2025", "2025-W42", "42. Kalenderwoche"; always Monday to Sunday."""
    coded = words.parts[index].get(Role.WEEK_CODE)
    day = day_number(words, index, dotted=True, highest=53)
    if coded and words.tokens[coded[1]].text == ".":
        coded = (coded[0], coded[1] + 1)
    number = coded and words.counts[coded[1]]
    if coded and number:
        end = number[1]
        letter_apart = words.tokens[coded[1] - 1].text == "w" and not words.tokens[coded[1]].glued
        if letter_apart or not 1 <= number[0] <= 53:
            return None
    elif day and day.is_marked and (coded := words.parts[day.end].get(Role.WEEK_CODE)):
        if words.tokens[day.end].text in {"week", "woche"}:
            return None
        number, end = (day.number, day.end), coded[1]
    else:
        return None
    week = number[0]

    def of_year(year: int) -> Span:
        monday = date.fromisocalendar(year, week, 1)
        return monday, monday + timedelta(days=6)

    unsure = words.tokens[index].text in {"week", "woche"}
    return with_year(words, end, of_year, Unit.WEEK, Cue.FIGURES if unsure else Cue.NONE)


def season(words: Sentence, index: int) -> Match | None:
    """Read a meteorological season of the north: summer is June to August, winter 2025 ends in February 2026."""
    sense = words.parts[index].get(Role.SEASON)
    if sense is None:
        return None
    first, end = sense
    recurring = Recurring(lambda year: whole_months(year * 12 + first - 1, 3))
    if years := _two_years(words, end):
        return Match(recurring.in_year(Fixed(year_span(years[0]))), years[1])
    match = with_year(words, end, recurring.of, None, Cue.SEASON)
    slash, second = words.tokens[match.end], words.tokens[match.end + 1]
    split = isinstance(match.node, Fixed) and slash.text == "/" and slash.glued and second.glued and second.is_number
    return None if split else match  # winter 2025/28


def _two_years(words: Sentence, end: int) -> tuple[int, int] | None:
    """Read the years of a winter: "2025/26", "of 24/25", and those that explain which one is meant: "also 2025/26"."""
    index = end + (words.tokens[end].text in {",", "("})
    index = words.skip(index + (words.tokens[index].text in _THAT_IS), Role.OF, Role.ARTICLE)
    years = split_year(words, index)
    return years and (years[0], years[1] + (words.tokens[years[1]].text == ")"))


def named_day(words: Sentence, index: int) -> Match | None:
    """Read a holiday: "Christmas", "Easter 2025", "Heiligabend letztes Jahr"."""
    sense = words.parts[index].get(Role.NAMED_DAY)
    if sense is None:
        return None
    name, end = sense
    unit = words.parts[end].get(Role.UNIT)
    if unit and unit[0] is Unit.WEEKEND:
        return with_year(words, unit[1], lambda year: _with_weekend(NAMED_DAYS[name](year)), None, Cue.NAMED_DAY)
    return with_year(words, end, NAMED_DAYS[name], None, Cue.NAMED_DAY)


def _with_weekend(span: Span) -> Span:
    """Return "Labor Day weekend": the days with the weekend nearest to them, and what lies between."""
    towards = 2 if span[0].weekday() in {3, 4} else 0  # a Thursday or Friday leans to the weekend after it
    saturday, sunday = unit_span(Unit.WEEKEND, span[0] + timedelta(days=towards))
    return min(span[0], saturday), max(span[1], sunday)


def weekday(words: Sentence, index: int) -> Match | None:
    """Read "Tuesday", "Tuesday night"; of "Monday, 5 October" the date alone counts."""
    sense = words.parts[index].get(Role.WEEKDAY)
    if sense is None:
        return None
    number, end = sense
    after = end + (words.tokens[end].text in {",", "."})
    after = words.skip(after, Role.ARTICLE, most=1)
    for rule in (month_first, day_first, numeric_date):
        day = rule(words, after)
        if day is not None and day.unit is Unit.DAY:
            return replace(day, cue=Cue.NONE)
    cue = Cue.SHORT_WEEKDAY if words.tokens[end - 1].text in SHORT_WEEKDAYS else Cue.WEEKDAY
    end = words.skip(end, Role.DAYTIME, most=1)
    return Match(Recurring(weekly_day(number), Cadence.WEEKLY), end, cue, Unit.DAY)


def weekly_day(number: int) -> Callable[[int], Span]:
    """Return the function from a week's number to its day with that weekday."""
    return lambda week: day_span(date.fromordinal(week * 7 + 1 + number))


def year_alone(words: Sentence, index: int) -> Match | None:
    """Read "2025", "the year 2025", "'25"."""
    named = words.parts[index].get(Role.UNIT)
    is_named = named is not None and named[0] is Unit.YEAR
    year = year_number(words, named[1] if named and is_named else words.settled[index])
    if year is None:
        return None
    return Match(Fixed(year_span(year[0])), year[1], Cue.NONE if is_named else Cue.YEAR, Unit.YEAR)


def year_first(words: Sentence, index: int) -> Match | None:
    """Read "2025 Q3", "2025-W42", "2025 October"."""
    year = year_number(words, index)
    if year is None:
        return None
    for rule in (month_fraction, calendar_week, month_first):
        match = rule(words, words.settled[year[1]])
        if match is not None and isinstance(match.node, Recurring) and match.is_bare:
            named = Fixed(year_span(year[0]))
            return Match(match.node.in_year(named), match.end, unit=match.unit, year=named)
    return None


def in_financial_year(words: Sentence, index: int) -> Match | None:
    """Read "Q1 FY26", "April of tax year 2025/26", "FY26 Q1": a quarter is counted from where the year begins."""
    if not _names_financial_year(words):
        return None
    rules = (month_fraction, month_first)
    year = named_year(words, index)
    if year is not None:
        part = furthest(rules, words, words.settled[year.end])
        end = part.end if part else 0
    else:
        part = furthest(rules, words, index)
        year = part and named_year(words, words.skip(part.end, Role.OF, Role.PREPOSITION, Role.ARTICLE))
        end = year.end if year else 0
    if not part or not year or not part.is_bare or not isinstance(part.node, Recurring):
        return None
    return Match(part_of_year(part.node, year.node), end, unit=part.unit)


DATE_RULES = Rules(
    opening(month_first, Role.MONTH),
    opening(day_first, Role.FIGURE, Role.ORDINAL),
    opening(month_day, Role.FIGURE, Role.ORDINAL),
    opening(month_fraction, Role.QUARTER_CODE, Role.HALF_CODE, Role.UNIT, Role.FIGURE, Role.ORDINAL),
    opening(calendar_week, Role.WEEK_CODE, Role.FIGURE),
    opening(season, Role.SEASON),
    opening(named_day, Role.NAMED_DAY),
    opening(weekday, Role.WEEKDAY),
    opening(in_financial_year, Role.MONTH, Role.QUARTER_CODE, Role.UNIT, Role.FIGURE, Role.ORDINAL, Role.NEW),
    *FISCAL_RULES.entries,
    opening(numeric_date, Role.FIGURE),
    opening(year_first, Role.FIGURE),
    opening(year_alone, Role.FIGURE, Role.UNIT),
)
