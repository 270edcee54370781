"""The whole of a period phrase: one stretch of time or a range of two, "so far", and weekdays that narrow it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from ledger.periods.anchored import ANCHORED_RULES
from ledger.periods.dates import DATE_RULES, monthly_day
from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.numerals import day_number
from ledger.periods.parts import PART_RULES, container, shared_part
from ledger.periods.relative import RELATIVE_RULES, last_units
from ledger.periods.spans import (
    ALL_TIME,
    Cadence,
    Context,
    Fixed,
    Node,
    Recurring,
    Relative,
    Span,
    Unit,
    between,
    to_date,
)
from ledger.periods.vocabulary import Role
from ledger.periods.years import year_suffix

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence

_DAY = timedelta(days=1)
_DASHES = frozenset("-‐‑–—→~")
_NAMED_UNITS = frozenset({Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR})
_GERMAN_LEADS = frozenset({"von", "vom", "zwischen"})


def all_time(words: Sentence, index: int) -> Match | None:
    """Read "all time", "ever", and "so far" when nothing follows it."""
    sense = words.parts[index].get(Role.ALL_TIME)
    if sense is not None:
        return Match(Fixed(ALL_TIME), sense[1], Cue.NONE if sense[0] else Cue.ENTIRE)
    so_far = words.parts[index].get(Role.SO_FAR)
    return so_far and Match(Fixed(ALL_TIME), so_far[1])


def unit_to_date(words: Sentence, index: int) -> Match | None:
    """Read "year to date", "MTD"."""
    sense = words.parts[index].get(Role.TO_DATE)
    if sense is None:
        return None
    unit = sense[0]
    return Match(Relative(lambda context: context.unit(unit)), sense[1], unit=unit)


def whole(words: Sentence, index: int) -> Match | None:
    """Read "all of 2025", "the whole month of October", "im Jahr 2025", "all year"."""
    start = words.skip(index, Role.WHOLE, most=1)
    after = words.skip(start, Role.OF, Role.ARTICLE)
    unit = words.parts[after].get(Role.UNIT)
    is_named = unit is not None and start > index and unit[0] in _NAMED_UNITS
    is_many = unit is None or not is_named or words.tokens[unit[1] - 1].text.endswith(("s", "n"))
    if unit and unit[0] in {Unit.MONTH, Unit.QUARTER, Unit.YEAR}:
        named = container(words, unit[1])
        if named and named.unit is unit[0]:
            return replace(named, cue=Cue.NONE)
    if unit and not is_many:
        named_unit = unit[0]
        return Match(Relative(lambda context: context.unit(named_unit)), unit[1], unit=named_unit)
    match = container(words, after) if start > index else None
    if match is None:
        return None
    return replace(match, cue=Cue.NONE) if after > start or match.cue is Cue.YEAR else match


def weekend(words: Sentence, index: int) -> Match | None:
    """Read "the weekend", "am Wochenende": the latest that has begun."""
    unit = words.parts[index].get(Role.UNIT)
    if unit is None or unit[0] is not Unit.WEEKEND or Role.WEEKDAYS in words.senses[index]:
        return None
    return Match(Relative(lambda context: context.unit(Unit.WEEKEND)), unit[1], Cue.NAMED_DAY, Unit.WEEKEND)


def the_unit(words: Sentence, index: int) -> Match | None:
    """Read the last words of "how much for the month": the current one."""
    unit = words.parts[index].get(Role.UNIT)
    if unit is None or unit[0] not in {*_NAMED_UNITS, Unit.FISCAL_YEAR}:
        return None
    if Role.ARTICLE not in words.senses[index - 1] and Role.OF not in words.senses[index - 1]:
        return None
    named = unit[0]
    cue = Cue.NONE if named is Unit.FISCAL_YEAR else Cue.THE_UNIT
    return Match(Relative(lambda context: context.unit(named)), unit[1], cue, named)


def stretch_alone(words: Sentence, index: int) -> Match | None:
    """Read "30 days", a period only when it is all that was said."""
    counted = words.units[index]
    if counted is None or counted[0] is None or counted[0] < 2:
        return None  # "a month" is none, nor is "an Wochenenden" one weekend
    return Match(last_units(counted[1], counted[0]), counted[2], Cue.ENTIRE)


#: Words that alone say that a time goes on: behind "on" something else may follow.
_ONWARDS = frozenset({"onward", "onwards"})

STRETCH_RULES = Rules(
    opening(shared_part, Role.LAST, Role.ORDINAL, Role.FIGURE),
    *DATE_RULES.entries,
    *RELATIVE_RULES.entries,
    *ANCHORED_RULES.entries,
    *PART_RULES.entries,
    opening(whole, Role.WHOLE, Role.UNIT),
    opening(all_time, Role.ALL_TIME, Role.SO_FAR),
    opening(unit_to_date, Role.TO_DATE),
    opening(weekend, Role.UNIT),
    opening(the_unit, Role.UNIT),
)


def stretch(words: Sentence, index: int) -> Match | None:
    """Read one stretch of time without a side or range word."""
    return STRETCH_RULES.longest(words, index)


def _operand(words: Sentence, index: int) -> Match | None:
    match = stretch(words, words.skip(index, Role.ARTICLE, Role.PREPOSITION, most=2))
    return None if match is None or match.cue in {Cue.ENTIRE, Cue.DECIMAL} else match


def since(words: Sentence, index: int) -> Match | None:
    """Read "since March", "ab März", "from March on": from its first day to today."""
    lead = words.parts[index].get(Role.SINCE)
    first = lead and _operand(words, lead[1])
    if first:
        first = _begun(words, first)
        return Match(_opened(first.node), words.skip(first.end, Role.SO_FAR, most=1))
    lead = words.parts[index].get(Role.FROM)
    first = lead and _operand(words, lead[1])
    onward = first and words.parts[first.end].get(Role.ONWARD)
    # "from March on groceries" is no "from March on".
    if (
        not first
        or not onward
        or (words.tokens[onward[1] - 1].text in {"on", "an"} and words.tokens[onward[1]].is_word)
    ):
        return None
    return Match(_opened(first.node), onward[1])


def _begun(words: Sentence, first: Match) -> Match:
    """Read the rest of "since the tax year started on 6 April": the day that is told, else where it begins."""
    verb = words.parts[first.end].get(Role.BEGAN)
    told = verb and _operand(words, verb[1])
    return told or replace(first, end=verb[1]) if verb else first


def onwards(words: Sentence, index: int) -> Match | None:
    """Read "6 April onwards": from its first day to today."""
    said = any(token.text in _ONWARDS for token in words.tokens)
    first = _operand(words, index) if said else None
    behind = first and words.parts[first.end].get(Role.ONWARD)
    if not first or not behind or words.tokens[behind[1] - 1].text not in _ONWARDS:
        return None
    return Match(_opened(first.node), behind[1])


def _opened(node: Node) -> Relative:
    def find(context: Context) -> Span | None:
        span = node.whole(context)
        return span and (span[0], context.today)

    return Relative(find)


def until(words: Sentence, index: int) -> Match | None:
    """Read "until May": to its last day, or to its first if it is a beginning; nothing before is left out."""
    lead = words.parts[index].get(Role.UNTIL)
    last = lead and _operand(words, lead[1])
    if not lead or not last or (last.cue is Cue.YEAR and not lead[0]) or _goes_through(words, index):
        return None
    start = words.skip(lead[1], Role.ARTICLE, Role.PREPOSITION, most=2)
    third = words.parts[start].get(Role.THIRD) or words.parts[start].get(Role.UNIT_PART)
    is_beginning = third is not None and third[0] in {0, (0, Unit.YEAR), (0, Unit.MONTH), (0, Unit.WEEK)}
    node = last.node

    def find(context: Context) -> Span | None:
        span = node.known(context)
        return span and (ALL_TIME[0], span[0] if is_beginning else span[1])

    return Match(Relative(find), last.end)


def _goes_through(words: Sentence, index: int) -> bool:
    """Whether "through" belongs to a verb: "what did we burn through in October", "money went through over Easter"."""
    is_verb = any(Role.GO_THROUGH in words.senses[index - back] for back in (1, 2))
    after = words.senses[index + 1].get(Role.PREPOSITION)
    return words.tokens[index].text in {"through", "thru"} and (is_verb or (after is not None and not after[0]))


def before_or_after(words: Sentence, index: int) -> Match | None:
    """Read "before October" and "after Easter": up to the day before it, or from the day after it to today."""
    for role in (Role.BEFORE, Role.AFTER):
        lead = words.parts[index].get(role)
        near = lead and _operand(words, lead[1])
        if near and near.cue is not Cue.SHORT_WEEKDAY:
            return Match(_outside(near.node, is_before=role is Role.BEFORE), near.end)
    return None


def _outside(node: Node, *, is_before: bool) -> Relative:
    def find(context: Context) -> Span | None:
        span = node.whole(context)
        if span is None:
            return None
        return (ALL_TIME[0], span[0] - _DAY) if is_before else (span[1] + _DAY, context.today)

    return Relative(find)


def ranged(words: Sentence, index: int) -> Match | None:
    """Read "from March to May", "between 3 and 17 October", "Jan 5 - Jan 20", "Oct 3-17, 2025", "2024–2026"."""
    is_between = words.parts[index].get(Role.BETWEEN)
    lead = is_between or words.parts[index].get(Role.FROM)
    if is_between and Role.COMPARE in words.senses[index - 1]:
        return None  # "the difference between May and June" is about two months
    start = words.skip(lead[1], Role.ARTICLE, Role.PREPOSITION, most=2) if lead else index
    first = stretch(words, start) or _bare_day(words, start)
    link = first and _link(words, first, is_between=is_between is not None)
    if not first or not link:
        return None
    after = words.skip(link, Role.ARTICLE, Role.PREPOSITION, most=2)
    last = stretch(words, after) or _now(words, after)
    if first.unit is Unit.DAY and first.cue is not Cue.DAY_NUMBER and (not last or last.cue is Cue.DAY_NUMBER):
        return _to_day(words, first, after)
    if not last or Cue.ENTIRE in {first.cue, last.cue} or (lead is None and _is_pair(words, index, link, last)):
        return None
    cue = first.cue if first.cue is last.cue and first.cue in {Cue.YEAR, Cue.DECIMAL} else Cue.NONE
    if cue is Cue.DECIMAL and words.tokens[index].text in _GERMAN_LEADS:
        cue = Cue.NONE
    return Match(between(first.node, last.node), last.end, cue)


def _is_pair(words: Sentence, index: int, link: int, last: Match) -> bool:
    """Whether "compare March to May" means two months; "March to May vs June to August" is about two ranges."""
    is_linked = Role.LINK in words.senses[last.end] or Role.LINK in words.senses[index - 1]
    return words.compares and words.tokens[link - 1].text == "to" and not is_linked


def _now(words: Sentence, index: int) -> Match | None:
    """Read the end of "from March to now", "2025 to date", "von März bis jetzt"."""
    sense = words.parts[index].get(Role.NOW)
    return sense and Match(Relative(lambda context: (context.today, context.today)), sense[1])


def _bare_day(words: Sentence, index: int) -> Match | None:
    """Read the 3 of "3 to 17 October"; it is the latest 3rd up to the other day."""
    day = day_number(words, index, dotted=True, spelled=True)
    if day is None:
        return None
    return Match(Recurring(monthly_day(day.number), Cadence.MONTHLY), day.end, Cue.DAY_NUMBER)


def _link(words: Sentence, first: Match, *, is_between: bool) -> int | None:
    """Read what stands between the ends of a range; return the index after it."""
    index = first.end
    sign = words.tokens[index]
    if sign.text in _DASHES or (sign.text == "/" and isinstance(first.node, Fixed) and first.unit is Unit.DAY):
        return index + 1
    if sign.text == "…":
        return index + 1
    if sign.text == "." and words.tokens[index + 1].text == ".":
        return index + 2 + (words.tokens[index + 2].text == ".")
    to = words.parts[index].get(Role.TO)
    if to:
        return to[1]
    both = words.parts[index].get(Role.AND) if is_between else None
    if both:
        return both[1]
    return index + 1 if is_between and sign.text == "&" else None


def _to_day(words: Sentence, first: Match, index: int) -> Match | None:
    """Read the 17 of "October 3 to 17", and the year after it."""
    day = day_number(words, index, dotted=True, spelled=True)
    if day is None or Role.UNIT in words.senses[day.end] or Role.MONTH in words.senses[day.end]:
        return None
    number = day.number

    def stretch(span: Span) -> Span:
        last = span[0].replace(day=number)
        if last < span[0]:
            raise ValueError("the range is out of order")
        return span[0], last

    node = first.node.map(stretch)
    year = year_suffix(words, day.end) if first.is_bare else None
    if year and isinstance(node, Recurring):
        return Match(node.in_year(year[0]), year[1], year=year[0])
    return Match(node, day.end, is_bare=first.is_bare)


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
    link = words.parts[end].get(Role.AND) or words.parts[end].get(Role.OR)
    if link and (more := words.parts[link[1]].get(Role.WEEKDAYS)):
        days, end = tuple(sorted({*days, *more[0]})), more[1]
    elif link and (one := words.parts[link[1]].get(Role.WEEKDAY)):
        days, end = tuple(sorted({*days, one[0]})), one[1]
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
    opening(onwards, *STRETCH_RULES.openers),
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
