"""Parts of a longer stretch: "first week of October", "end of last month", "mid-March", "second half of 2025".

Weeks of a month are counted from the 1st, not from Mondays: the first is the 1st to the 7th, the last its last seven
days. Beginning, middle and end are of a month the 1st..10th, 11th..20th and 21st.., of a year its first quarter, the
two in the middle and the last; of other stretches they are thirds, of whole months if they divide.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from ledger.periods.anchored import ANCHORED_RULES
from ledger.periods.dates import DATE_RULES, with_year
from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.numerals import day_number
from ledger.periods.relative import RELATIVE_RULES
from ledger.periods.spans import Relative, Span, Unit, is_whole_months, month_number, month_span, whole_months
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.periods.spans import Node
    from ledger.periods.tokens import Sentence

_DAY = timedelta(days=1)
_CONTAINERS = Rules(*DATE_RULES.entries, *RELATIVE_RULES.entries, *ANCHORED_RULES.entries)


def container(words: Sentence, index: int) -> Match | None:
    """Read what parts are taken of: a date or relative phrase, or "the month" for the current one."""
    index = words.skip(index, Role.WHOLE, Role.OF, Role.ARTICLE)
    match = _CONTAINERS.longest(words, index)
    if match is not None:
        return match
    unit = words.parts[index].get(Role.UNIT)
    if (
        unit is None
        or unit[0] in {Unit.DAY, Unit.HOUR}
        or not any(role in words.senses[index - 1] for role in (Role.ARTICLE, Role.OF))
    ):
        return None
    named = unit[0]
    return Match(Relative(lambda context: context.unit(named)), unit[1], unit=named)


def third_of(span: Span, part: int) -> Span:
    """Return the beginning (0), middle (1) or end (2) of a span."""
    if is_whole_months(span):
        months = month_number(span[1]) - month_number(span[0]) + 1
        if months == 12:
            first, count = ((0, 3), (3, 6), (9, 3))[part]
            return whole_months(month_number(span[0]) + first, count)
        if months % 3 == 0:
            return whole_months(month_number(span[0]) + part * months // 3, months // 3)
        if months == 1:
            start = span[0].replace(day=(1, 11, 21)[part])
            return start, span[1] if part == 2 else start + 9 * _DAY
    days = (span[1] - span[0]).days + 1
    first, after = part * days // 3, (part + 1) * days // 3
    return span[0] + first * _DAY, span[0] + max(first, after - 1) * _DAY  # a weekend begins on its Saturday


def nth_of(number: int, unit: Unit, count: int, span: Span) -> Span:
    """Return the ``number``-th run of ``count`` units inside the span (negative: from its end); ValueError if none."""
    if unit is Unit.WEEKEND:
        return nth_weekend(number, span)
    size = unit.value * count if isinstance(unit.value, int) else 0
    if unit is Unit.HALF and size and (not is_whole_months(span) or (span[1] - span[0]).days < 180):
        return _half_of(number, span)
    if size:
        first = month_number(span[0]) + (number - 1) * size
        start = first if number > 0 else month_number(span[1]) + 1 + number * size
        part = whole_months(start, size)
    else:
        length = (7 if unit is Unit.WEEK else 1) * count * _DAY
        offset = (number - 1) * length
        start_day = span[0] + offset if number > 0 else span[1] + _DAY + number * length
        part = start_day, start_day + length - _DAY
        if unit is Unit.WEEK and count == 1 and part[0] <= span[1] < part[1]:
            part = part[0], span[1]  # the fifth week of a month is what is left of it
    if part[0] < span[0] or part[1] > span[1]:
        raise ValueError("the stretch has no such part")
    return part


def _half_of(number: int, span: Span) -> Span:
    """Return a half; of a month the first is the 1st to the 15th."""
    middle = span[0] + ((span[1] - span[0]).days + 1) // 2 * _DAY
    if is_whole_months(span) and (span[1] - span[0]).days < 31:
        middle = span[0].replace(day=16)
    if number not in {1, 2, -1}:
        raise ValueError("a whole has two halves")
    return (span[0], middle - _DAY) if number == 1 else (middle, span[1])


def nth_weekend(number: int, span: Span) -> Span:
    """Return the ``number``-th weekend whose Saturday is in the span."""
    saturday = nth_weekday_of(number, 5, span)[0]
    return saturday, saturday + _DAY


def nth_weekday_of(number: int, weekday: int, span: Span) -> Span:
    """Return the ``number``-th such weekday in the span (negative: from its end); ValueError if there is none."""
    if number > 0:
        day = span[0] + ((weekday - span[0].weekday()) % 7 + 7 * (number - 1)) * _DAY
    else:
        day = span[1] - ((span[1].weekday() - weekday) % 7 + 7 * (-number - 1)) * _DAY
    if not span[0] <= day <= span[1]:
        raise ValueError("the stretch has no such weekday")
    return day, day


def nth(words: Sentence, index: int) -> Match | None:
    """Read "first week of October", "last 3 days of May", "second Friday in March", "first half of last month"."""
    lead = _position(words, index)
    if lead is None:
        return None
    number, after = lead
    count = words.counts[after]
    start = count[1] if count else after
    change: Callable[[Span], Span]
    if (unit := words.parts[start].get(Role.UNIT)) and unit[0] is not Unit.HOUR:
        change, end = partial(nth_of, number, unit[0], count[0] if count else 1), unit[1]
    elif not count and (weekday := words.parts[start].get(Role.WEEKDAY)):
        change, end = partial(nth_weekday_of, number, weekday[0]), weekday[1]
    elif not count and (month_part := words.parts[start].get(Role.MONTH_PART)):
        return _compound(words, number, month_part)
    else:
        return None
    whole = _of_container(words, end, is_ordinal=number > 0)
    if whole is None:
        return None
    return Match(whole.node.map(change), whole.end, is_bare=whole.is_bare)


def shared_part(words: Sentence, index: int) -> Match | None:
    """Read the first of "first and second half of October", whose stretch stands at the end."""
    lead = _position(words, index)
    own = lead and words.parts[lead[1]].get(Role.UNIT)
    end = own[1] if own else lead[1] if lead else 0
    link = lead and words.parts[end].get(Role.LINK)
    other = link and _position(words, words.skip(link[1], Role.ARTICLE, most=1))
    unit = other and words.parts[other[1]].get(Role.UNIT)
    whole = unit and _of_container(words, unit[1], is_ordinal=True)
    if not lead or not unit or not whole:
        return None
    change = partial(nth_of, lead[0], own[0] if own else unit[0], 1)
    return Match(whole.node.map(change), end, is_bare=whole.is_bare)


def _position(words: Sentence, index: int) -> tuple[int, int] | None:
    """Read "first", "2nd", "3.", "last"."""
    if last := words.parts[index].get(Role.LAST):
        return -last[0], last[1]
    day = day_number(words, index, dotted=True, spelled=True)
    return (day.number, day.end) if day and day.is_marked else None


def _of_container(words: Sentence, index: int, *, is_ordinal: bool) -> Match | None:
    is_linked = any(words.parts[index].get(role) for role in (Role.OF, Role.ARTICLE, Role.LAST))
    whole = container(words, index)
    if whole and not is_linked and not (is_ordinal and whole.unit is Unit.MONTH):
        return None
    if whole is None or whole.cue in {Cue.FIGURES, Cue.DAY_NUMBER} or whole.unit is Unit.DAY:
        return None
    return whole


def _compound(words: Sentence, number: int, month_part: tuple[tuple[int, Unit], int]) -> Match:
    """Read the rest of "erste Oktoberwoche 2025"."""
    (month, unit), end = month_part
    whole = _month_from_word(words, month, end)
    return Match(whole.node.map(partial(nth_of, number, unit, 1)), whole.end, is_bare=whole.is_bare)


def _month_from_word(words: Sentence, month: int, end: int) -> Match:
    return with_year(words, end, lambda year: month_span(year, month), Unit.MONTH, Cue.NONE)


def third(words: Sentence, index: int) -> Match | None:
    """Read "beginning of March", "mid-October", "Ende letzten Monats", "early 2025", "Jahresanfang"."""
    ready = words.parts[index].get(Role.UNIT_PART)
    if ready:
        part, unit = ready[0]
        year = DATE_RULES.longest(words, ready[1]) if unit is Unit.YEAR else None
        if year and year.unit is Unit.YEAR:
            return Match(year.node.map(partial(_third, part)), year.end)
        node: Node = Relative(lambda context: third_of(context.unit(unit), part))
        return Match(node, ready[1])
    lead = words.parts[index].get(Role.THIRD)
    whole = lead and container(words, lead[1])
    if not lead or not whole or whole.unit is Unit.DAY or whole.cue is Cue.FIGURES:
        return None
    return Match(whole.node.map(partial(_third, lead[0])), whole.end, is_bare=whole.is_bare)


def _third(part: int, span: Span) -> Span:
    return third_of(span, part)


def day_of_month(words: Sentence, index: int) -> Match | None:
    """Read "the 5th of last month", "first of the month", "last month on the 5th"."""
    day = day_number(words, index, dotted=True, spelled=True)
    if day and day.is_marked and (words.parts[day.end].get(Role.OF) or words.parts[day.end].get(Role.LAST)):
        whole, end = container(words, day.end), None
        number = day.number
    else:
        whole = RELATIVE_RULES.longest(words, index)
        if whole is None:
            return None
        after = words.skip(whole.end, Role.PREPOSITION, Role.ARTICLE)
        later = day_number(words, after, dotted=True)
        if after == whole.end or later is None or not later.is_marked:
            return None
        number, end = later.number, later.end
    if whole is None or whole.unit is not Unit.MONTH or whole.is_bare:
        return None
    node = whole.node.map(lambda span: (span[0].replace(day=number), span[0].replace(day=number)))
    return Match(node, end or whole.end, unit=Unit.DAY)


PART_RULES = Rules(
    opening(nth, Role.LAST, Role.ORDINAL, Role.FIGURE),
    opening(third, Role.THIRD, Role.UNIT_PART),
    opening(day_of_month, Role.FIGURE, Role.ORDINAL, Role.LAST, Role.THIS),
)
