"""Times that a text names in several places and that are one: "on weekends … in October", "of 2025 (since March)"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.periods.matches import Match
    from ledger.periods.period import Period
    from ledger.periods.tokens import Sentence

_WEEK = 7
#: So many days months, quarters and years differ from each other.
_UNEQUAL = 3
#: So many words stand between two in a list: ", and in".
_WORDS_BETWEEN = 3
#: The parts that the words of "Monday to Friday" play.
_OF_WEEKDAYS = (Role.WEEKDAY, Role.WEEKDAYS, Role.TO, Role.LINK, Role.AND, Role.FROM, Role.PREPOSITION)

#: What stands between two times that are two, in words and as signs.
_APART = frozenset({Role.AND, Role.OR, Role.LINK, Role.COMPARE})
_SIGNS_APART = frozenset(",;&+/")


@dataclass(frozen=True, slots=True)
class Said:
    """A period beside where it is said: its match from the token ``first`` on."""

    period: Period
    first: int
    match: Match


def told_together(said: Sequence[Said], words: Sentence, today: date) -> list[Period]:
    """Return the periods, each with what the others say of it: the days of the week, the year, a beginning."""
    periods = _of_its_year([each.period for each in said], said, words, today)
    periods = _with_listed_days(periods, said, words)
    days = [_weekdays_alone(each, words) for each in said]
    dates = [period for period, alone in zip(periods, days, strict=True) if not alone]
    told = [alone for alone in days if alone]
    common = tuple(sorted(set.intersection(*map(set, told)) or set.union(*map(set, told)))) if told else ()
    if not told or not dates or any(period.is_all_time or period.weekdays not in ((), common) for period in dates):
        return periods
    narrowed = [replace(period, weekdays=common) for period in periods]
    first = next(period for period, alone in zip(narrowed, days, strict=True) if not alone)
    return [first if alone else period for period, alone in zip(narrowed, days, strict=True)]


def _weekdays_alone(said: Said, words: Sentence) -> tuple[int, ...]:
    """Return the days of the week where nothing else is said: "on weekends"; those of "Monday to Friday" as well."""
    period = said.period
    if period.is_all_time:
        return period.weekdays
    tokens = range(said.first, said.match.end)
    named = sum(Role.WEEKDAY in words.senses[place] for place in tokens)
    only = all(not words.senses[place].keys().isdisjoint(_OF_WEEKDAYS) for place in tokens)
    if period.weekdays or named < 2 or not only or period.days > _WEEK:
        return ()
    return tuple(sorted({(period.start + timedelta(day)).weekday() for day in range(period.days)}))


def _with_listed_days(periods: list[Period], said: Sequence[Said], words: Sentence) -> list[Period]:
    """Return the periods; of months or years in a list all have the days of the week that one has."""
    found: list[Period] = []
    start = 0
    for place in range(1, len(said) + 1):
        if place < len(said) and _is_listed(said[place - 1], said[place], words):
            continue
        group = periods[start:place]
        days = {period.weekdays for period in group} - {()}
        found += [replace(period, weekdays=next(iter(days))) for period in group] if len(days) == 1 else group
        start = place
    return found


def _is_listed(one: Said, other: Said, words: Sentence) -> bool:
    """Whether two months, quarters or years follow each other in a list."""
    days = one.period.days, other.period.days
    alike = abs(days[0] - days[1]) <= _UNEQUAL and min(days) > _WEEK
    bounded = not (one.period.is_all_time or other.period.is_all_time)
    between = one.match.end
    joins = words.tokens[between].text == "," or Role.AND in words.senses[between]
    return alike and bounded and joins and 0 < other.first - between <= _WORDS_BETWEEN


def _are_set_apart(one: Said, other: Said, words: Sentence) -> bool:
    """Whether two times are members of a list or a comparison: "in 2025 and since March" is no time in 2025."""
    between = range(one.match.end, other.first)
    listed = bool(between) and words.tokens[between[-1]].text in _SIGNS_APART  # not so in "2025, but only since March"
    return listed or any(not _APART.isdisjoint(words.senses[each]) for each in between)


def _of_its_year(periods: list[Period], said: Sequence[Said], words: Sentence, today: date) -> list[Period]:
    """Return the periods, where "2025 … since March" is that year from March on."""
    if len(periods) != 2 or _are_set_apart(said[0], said[1], words):
        return periods
    for year, since in ((0, 1), (1, 0)):
        whole, begun = periods[year], periods[since]
        is_year = (whole.start, whole.end) == (date(whole.start.year, 1, 1), date(whole.start.year, 12, 31))
        tokens = range(said[since].first, said[since].match.end)
        opens = begun.end == today and Role.SINCE in words.senses[tokens[0]] and begun.start.day == 1
        if is_year and whole.end < today and opens and not any(words.tokens[each].text.isdigit() for each in tokens):
            together = replace(begun, start=begun.start.replace(year=whole.start.year), end=whole.end)
            return [together, together]
    return periods
