"""Times that a text names and no calendar tells: "since I moved in", "on payday", "31 February", "this December".

They must be asked about, because leaving them out would answer for all time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from ledger.errors import UnknownPeriod
from ledger.periods.english import ENGLISH
from ledger.periods.fiscal import is_named_by_start, year_start
from ledger.periods.german import GERMAN
from ledger.periods.reading import parse_period, read
from ledger.periods.spans import ALL_TIME, Context, Unit
from ledger.periods.vocabulary import Behind, Role, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from ledger.periods.reading import Found
    from ledger.periods.tokens import Sentence
    from ledger.periods.vocabulary import Sense

Reason: TypeAlias = Literal["unknown", "impossible", "future", "no payday"]

#: A clause of more tokens than this is read no further.
_LONGEST_CLAUSE = 10
#: How far behind "after" a word such as "refund" can stand and make it no time.
_NEAR = 5
_ENDS = frozenset('.,;:!?()"“”…')
_POINTERS = frozenset({"then", "that", "dann", "dahin", "da", "heute", "auf"})
#: Words counted from what was said before; alone they can lie in the future, in a conversation they need not.
_ANCHORED = (Role.FOLLOWING, Role.EARLIER, Role.NEIGHBOUR, Role.SAME, Role.PREVIOUS)
_GENERAL_ENGLISH = ("last month", "this month", "in the last 3 months", "this year")
_GENERAL_GERMAN = ("im letzten Monat", "in diesem Monat", "in den letzten 3 Monaten", "in diesem Jahr")
_GERMAN_WORDS = words_of(GERMAN) - words_of(ENGLISH)
_ENGLISH_WORDS = words_of(ENGLISH) - words_of(GERMAN)
_COUNTED_CUES = frozenset({"in", "within", "over", "across", "uber", "innerhalb"})
_DAY_CUES = frozenset({"on", "am", "vom", "dem", "den", "the", "seit", "ab", "bis", "since", "until", "by", "zum"})
_MARKS = frozenset({"st", "nd", "rd", "th"})
#: What stands before a day, and what before its month.
_ON = {"on": "in", "am": "im"}


@dataclass(frozen=True, slots=True)
class UnclearPeriod:
    """A stretch of text that names a time which can't be told, why, and phrases that could stand in its place."""

    start: int
    end: int
    reason: Reason
    choices: tuple[str, ...] = ()


def find_unclear(text: str, today: date, week_start: int = 0, currency: str = "") -> list[UnclearPeriod]:
    """Return the times that the text names and that have no dates, from left to right, none inside another."""
    context = Context(today, week_start % 7, None, year_start(currency), is_named_by_start(currency))
    words, matches = read(text, context)
    spans = [item.match.node.known(context) for item in matches]
    known = [item for item, span in zip(matches, spans, strict=True) if span not in {None, ALL_TIME}]
    undated = [item for item, span in zip(matches, spans, strict=True) if span is None]
    found = [*_without_dates(words, undated, context), *_days_beyond(words)]
    always = [
        item for item, span in zip(matches, spans, strict=True) if span == ALL_TIME and item.match.end - item.first > 1
    ]
    covered = {index for item in (*known, *always) for index in range(item.first, item.match.end)}
    found += _events(words, covered, is_dated=bool(known))
    unclear: list[UnclearPeriod] = []
    for first, end, reason in sorted(found):
        if not unclear or words.tokens[first].start >= unclear[-1].end:
            start, stop = words.tokens[first].start, words.tokens[end - 1].end
            unclear.append(UnclearPeriod(start, stop, reason, _choices(text, words, (first, end), reason, today)))
    return unclear


def _without_dates(words: Sentence, undated: Iterable[Found], context: Context) -> Iterator[tuple[int, int, Reason]]:
    """Yield dates that no calendar has, and periods that have not begun."""
    for item in undated:
        node, end = item.match.node, item.match.end
        is_anchored = any(role in words.senses[i] for i in range(item.first, end) for role in _ANCHORED)
        if not is_anchored:
            first = _with_preposition(words, item.first)
            yield first, end, "impossible" if node.whole(context) is None else "future"


def _days_beyond(words: Sentence) -> Iterator[tuple[int, int, Reason]]:
    """Yield days that no month has: "32 October", "on October 45th", "the 0th of May"."""
    for index in range(words.length):
        token = words.tokens[index]
        if not token.is_number or len(token.text) > 2 or 1 <= int(token.text) <= 31 or not words.is_plain(index):
            continue
        mark = words.tokens[index + 1]
        is_marked = mark.glued and (mark.text in _MARKS or mark.text == ".")
        is_dated = is_marked or words.tokens[index - 1].text in _DAY_CUES
        month = words.parts[words.skip(index + 1 + is_marked, Role.OF, Role.ARTICLE, most=2)].get(Role.MONTH)
        if month and is_dated:
            yield _with_preposition(words, index), month[1], "impossible"
        before = index - 1 - (Role.ARTICLE in words.senses[index - 1])
        is_day = is_marked or words.tokens[before - 1].text in _DAY_CUES
        if Role.MONTH in words.senses[before] and is_day and not words.tokens[index + 1 + is_marked].is_word:
            yield _with_preposition(words, before), index + 1 + is_marked, "impossible"


def _with_preposition(words: Sentence, first: int) -> int:
    return first - (words.tokens[first - 1].text in _ON)


def _events(words: Sentence, covered: set[int], *, is_dated: bool) -> Iterator[tuple[int, int, Reason]]:
    """Yield what is counted from something that happened, or only vaguely named."""
    index = 0
    while index < words.length:
        end = None if index in covered else _event(words, index, covered, is_dated=is_dated)
        if end is not None:
            yield index, end, "unknown"
        index = end or index + 1


def _event(words: Sentence, index: int, covered: set[int], *, is_dated: bool) -> int | None:
    """Return the end of an event that begins at the token."""
    vague = words.senses[index].get(Role.VAGUE)
    if vague and not is_dated:
        return vague[1]
    if (year := _year_named(words, index)) and (index - 1 in covered or year[0] is Unit.FISCAL_YEAR):
        return year[1]
    if words.tokens[index].text in _COUNTED_CUES and (counted := words.units[index + 1]):
        count, _unit, end = counted
        if count is not None and count > 1 and end - 1 not in covered and not is_dated:
            return end
    cue = words.senses[index].get(Role.EVENT_CUE)
    if cue is None or cue[1] - 1 in covered:
        return None
    behind, start = cue
    test = _BEHIND[behind]
    if is_dated and behind in {Behind.CLAUSE, Behind.STATE, Behind.VERB_LAST}:
        return None
    return test(words, start, _clause_end(words, start, covered))


def _year_named(words: Sentence, index: int) -> Sense | None:
    """Read a year that is no calendar's: "school year", and a "tax year" that nothing says which."""
    unit = words.senses[index].get(Role.UNIT)
    return unit if unit and unit[0] is Unit.FISCAL_YEAR else words.senses[index].get(Role.EVENT_YEAR)


def _clause_end(words: Sentence, start: int, covered: set[int]) -> int:
    """Return where the clause ends that begins at the token: at a sign, at a period, before another question."""
    index = start
    while index < min(words.length, start + _LONGEST_CLAUSE):
        if (
            words.tokens[index].text in _ENDS
            or index in covered
            or (index > start and Role.QUESTION in words.senses[index])
        ):
            break
        index += 1
    return index


def _anything(words: Sentence, start: int, end: int) -> int | None:
    if (event := _happening(words, start, end)) and event > end:
        return event
    first = words.tokens[start]
    if (
        end == start
        or not first.is_word
        or first.text in _POINTERS | {"you", "du"}
        or (first.text == "it" and end == start + 1)
        or Role.QUESTION in words.senses[start]
    ):
        return None
    if first.text in {"that", "this", "these", "those", "dieser", "der"} and Role.STRETCH in words.senses[start + 1]:
        return None
    reach = _phrase_end(words, start + 1, end) if Role.DETERMINER in words.senses[start] else end
    is_phrase = reach > start + 1 and all(Role.STOP in words.senses[index] for index in range(reach, end))
    return reach if is_phrase else end  # "seit dem Umzug" ausgegeben


def _state(words: Sentence, start: int, end: int) -> int | None:
    """Read "(when) I was ill"."""
    subject = _subject_end(words, start)
    return (
        end if subject and any(Role.STATE in words.senses[i] for i in range(subject, min(subject + 2, end))) else None
    )


def _verb_last(words: Sentence, start: int, end: int) -> int | None:
    """Read "(als) ich krank war"."""
    return (
        end if Role.PERSON in words.senses[start] and end > start + 1 and Role.STATE in words.senses[end - 1] else None
    )


def _subject_end(words: Sentence, start: int) -> int | None:
    if Role.PERSON in words.senses[start]:
        return start + 1
    return start + 2 if Role.DETERMINER in words.senses[start] and words.tokens[start + 1].is_word else None


def _noun(words: Sentence, start: int, end: int) -> int | None:
    """Read "(before) the wedding", "(after) I quit", "(nach) Corona", but not what is about money: "(after) tax"."""
    event = words.parts[start].get(Role.EVENT)
    if event:
        return event[1]
    subject = _subject_end(words, start)
    if subject is None or subject > end or _is_about_money(words, start, end):
        return None
    if Role.DETERMINER in words.senses[start]:
        reach = _phrase_end(words, start + 1, end)
        return reach if reach > start + 1 else None
    return end if end > subject and words.tokens[start].text != "it" else None


def _phrase_end(words: Sentence, start: int, end: int) -> int:
    while start < end and words.tokens[start].is_word and Role.STOP not in words.senses[start]:
        start += 1
    return start


def _is_about_money(words: Sentence, start: int, end: int) -> bool:
    """Whether "after" is no time: "after the auto payment", "after my ticket was refunded", "nach der Miete"."""
    near = min(end, start + _NEAR)
    if Role.DETERMINER in words.senses[start]:
        near = min(near, _phrase_end(words, start + 1, end))
        near += 2 if words.tokens[near].text in {"was", "were", "got"} else 0
    return any(Role.MONEY_NOUN in words.senses[i] or Role.UNIT in words.senses[i] for i in range(start, near))


def _happening(words: Sentence, start: int, _end: int) -> int | None:
    """Read "(over) the holidays", "(in) den Sommerferien", "(last) trip", but not "(last) trip to Costco"."""
    event = words.parts[words.skip(start, Role.DETERMINER, Role.LAST, Role.PREVIOUS)].get(Role.EVENT)
    return event[1] if event and words.tokens[event[1]].text != "to" else None


def _day(words: Sentence, start: int, _end: int) -> int | None:
    """Read "(on) payday", "(on) my birthday", "(on) our trip", but not "(on) birthday presents" or "(on) holiday"."""
    own = words.skip(start, Role.DETERMINER, Role.LAST, most=2)
    day = words.parts[own].get(Role.EVENT_DAY)
    if day is None or (day[0] and own == start):
        return None
    after = words.tokens[day[1]]
    return day[1] if not after.is_word or Role.STOP in words.senses[day[1]] else None


_BEHIND = {
    Behind.ANYTHING: _anything,
    Behind.CLAUSE: _anything,
    Behind.STATE: _state,
    Behind.VERB_LAST: _verb_last,
    Behind.NOUN: _noun,
    Behind.EVENT: _happening,
    Behind.DAY: _day,
}


def _choices(text: str, words: Sentence, place: tuple[int, int], reason: Reason, today: date) -> tuple[str, ...]:
    """Return phrases that could stand in the place of an unclear one, in its language."""
    first, end = place
    if reason == "impossible":
        on = text[words.tokens[first].start : words.tokens[first].end] if words.tokens[first].text in _ON else ""
        dates = _nearest_dates(text, words, first + bool(on), end, today)
        return tuple(f"{on if is_day else _ON[on.casefold()]} {date}" if on else date for date, is_day in dates)
    if reason == "future":
        return ()
    counted = words.units[first + 1] if words.tokens[first].text in _COUNTED_CUES else None
    if counted and counted[0]:
        written = text[words.tokens[first + 1].start : words.tokens[end - 1].end]
        if _is_german(words):
            return (f"in den letzten {written}{'n' if written.endswith('e') else ''}",)
        return (f"in the last {written}",)
    return _GENERAL_GERMAN if _is_german(words) else _GENERAL_ENGLISH


def _is_german(words: Sentence) -> bool:
    said = [words.tokens[index].text for index in range(words.length)]
    return sum(word in _GERMAN_WORDS for word in said) > sum(word in _ENGLISH_WORDS for word in said)


def _nearest_dates(text: str, words: Sentence, first: int, end: int, today: date) -> Iterator[tuple[str, bool]]:
    """Yield the last day that there is in the place of one that is not, and its month; with each, whether it is a day."""
    start, stop = words.tokens[first].start, words.tokens[end - 1].end
    numbers = [words.tokens[index] for index in range(first, end) if words.tokens[index].is_number]
    months = [words.tokens[index] for index in range(first, end) if Role.MONTH in words.senses[index]]
    year = next((token.text for token in numbers if len(token.text) == 4), "")
    for token in numbers:
        after = token.end + 2 if text[token.end : token.end + 2].casefold() in _MARKS else token.end
        for day in range(31, 27, -1):
            mark = "" if after == token.end else "st" if day == 31 else "th"
            phrase = f"{text[start : token.start]}{day}{mark}{text[after:stop]}"
            if len(token.text) <= 2 and _is_read(phrase, today, anytime=bool(year)):
                yield phrase, True
                break
    if len(months) == 1:
        yield f"{text[months[0].start : months[0].end]} {year}".strip(), False


def _is_read(phrase: str, today: date, *, anytime: bool) -> bool:
    """Whether the phrase has dates, and recent ones where it names no year."""
    try:
        period = parse_period(phrase, today)
    except UnknownPeriod:
        return False
    return anytime or period.end >= today - timedelta(days=366)
