"""One stretch of time, whatever names it: the rules for all of them, and the few that belong nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.periods.anchored import ANCHORED_RULES
from ledger.periods.dates import DATE_RULES
from ledger.periods.matches import Cue, Match, Rules, opening
from ledger.periods.nodes import Fixed, Relative
from ledger.periods.parts import PART_RULES, container, shared_part
from ledger.periods.relative import RELATIVE_RULES, counted_unit, last_units
from ledger.periods.spans import ALL_TIME, Unit
from ledger.periods.vocabulary import Role

if TYPE_CHECKING:
    from ledger.periods.tokens import Sentence


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
    if unit and start > index and unit[0] in {Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR}:
        is_many = words.tokens[unit[1] - 1].text.endswith(("s", "n"))
    else:
        is_many = True
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
    if unit is None or unit[0] not in {Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR}:
        return None
    if Role.ARTICLE not in words.senses[index - 1]:
        return None
    named = unit[0]
    return Match(Relative(lambda context: context.unit(named)), unit[1], Cue.THE_UNIT, named)


def stretch_alone(words: Sentence, index: int) -> Match | None:
    """Read "30 days", a period only when it is all that was said."""
    counted = counted_unit(words, index)
    if counted is None or counted[0] is None or counted[0] < 2:
        return None  # "a month" is none, nor is "an Wochenenden" one weekend
    return Match(last_units(counted[1], counted[0]), counted[2], Cue.ENTIRE)


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
