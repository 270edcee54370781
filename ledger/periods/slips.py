"""Slips in the words that periods are made of: "septmber", "letzen Monat", "lst month".

A word is taken for a slip only where the right spelling makes a period of the words around it. "Lst month" is "last month",
"fast food" is nothing; and names that only go on where a month ends ("Julie", "Augusta") are left alone. Everyday words
are no slips ("did they last take it"), and a period is in one language ("last tape" is no "last Tage").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from language.lexicon import phrases
from language.slips import is_common_slip
from ledger.periods.english import ENGLISH
from ledger.periods.english import MONTH_NAMES as ENGLISH_MONTHS
from ledger.periods.german import GERMAN
from ledger.periods.german import MONTH_NAMES as GERMAN_MONTHS
from ledger.periods.reading import find_periods
from ledger.periods.vocabulary import UNSURE_MONTHS, Role, words_of
from ledger.stemming import fold
from ledger.wordlists import words as listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date

    from ledger.periods.period import Period
    from ledger.periods.reading import PeriodMention

#: The parts whose words are mended, beside the names of months and holidays.
_TELLING = (
    *(
        Role.WEEKDAY,
        Role.WEEKDAYS,
        Role.UNIT,
        Role.DAY,
        Role.LAST,
        Role.PAST,
        Role.PREVIOUS,
        Role.THIS,
        Role.FULL,
        Role.AGO,
    ),
    *(Role.SINCE, Role.UNTIL, Role.BETWEEN, Role.NEIGHBOUR, Role.MONTH_PART, Role.UNIT_PART, Role.NUMBER),
)
#: People have the names of short months and holidays too ("June", "Ester").
_SHORTEST_MONTH, _SHORTEST_HOLIDAY = 5, 7
_SHORTEST, _LONG = 3, 6
_SHORTEST_SPELLING = 4
#: How many spellings of each of two neighbouring slips are tried together.
_MOST_TOGETHER = 3
#: The words that each language makes periods of; the months of either go with both.
_MONTHS = frozenset(map(fold, (*ENGLISH_MONTHS, *GERMAN_MONTHS)))
_LANGUAGES = tuple(words_of(tables) | _MONTHS for tables in (ENGLISH, GERMAN))


@dataclass(frozen=True, slots=True)
class Slip:
    """A misspelt stretch and what it may have been meant to be; one spelling if only one period is near."""

    start: int
    end: int
    spellings: tuple[str, ...]


def find_slips(
    text: str, places: Sequence[tuple[int, int]], today: date, week_start: int = 0, currency: str = ""
) -> list[Slip]:
    """Return the slips among the words at these places, which nothing else explains."""

    def find(mended: str) -> Sequence[PeriodMention]:
        return find_periods(mended, today, week_start, currency=currency)

    slips: list[Slip] = []
    for place in places:
        found = _mended(text, place, _spellings(text[slice(*place)]), find)
        if found:
            slips.append(Slip(*place, found))
    taken = {(slip.start, slip.end) for slip in slips}
    for first, second in pairwise(places):
        if taken & {first, second} or text[first[1] : second[0]].strip():
            continue
        pairs = [
            f"{one} {other}"
            for one in _spellings(text[slice(*first)])[:_MOST_TOGETHER]
            for other in _spellings(text[slice(*second)])[:_MOST_TOGETHER]
        ]
        if found := _mended(text, (first[0], second[1]), pairs, find):
            slips.append(Slip(first[0], second[1], found))
    return sorted(slips, key=lambda slip: slip.start)


def _mended(
    text: str, place: tuple[int, int], spellings: Sequence[str], find: Callable[[str], Sequence[PeriodMention]]
) -> tuple[str, ...]:
    """Return the spellings that make a period of the words around, one for each period."""
    periods: dict[tuple[object, ...], str] = {}
    for spelling in spellings:
        end = place[0] + len(spelling)
        mended = f"{text[: place[0]]}{spelling}{text[place[1] :]}"
        for mention in find(mended):
            meets = mention.start < end and place[0] < mention.end and not mention.period.is_all_time
            if meets and _is_of_one_language(mended[mention.start : mention.end]):
                periods.setdefault(_identity(mention.period), spelling)
    return tuple(periods.values())


def _is_of_one_language(text: str) -> bool:
    """Tell whether one language has all the words of a period that any of them has."""
    known = known_words().intersection(fold(text).split())
    return any(known <= language for language in _LANGUAGES)


def _identity(period: Period) -> tuple[object, ...]:
    return period.start, period.end, period.weekdays


def is_slip_of_a_time(word: str) -> bool:
    """Whether a word is nearly one or several that periods are made of; which is told by the words around it."""
    return bool(_spellings(word))


def names_a_unit(word: str) -> bool:
    """Whether a word is one for a stretch of the calendar ("Jahr"), or a slip of one ("jaar")."""
    return not _units().isdisjoint({fold(word), *map(fold, _spellings(word))})


@lru_cache(maxsize=1)
def _units() -> frozenset[str]:
    return frozenset(fold(word) for table in (*ENGLISH, *GERMAN) for word in table.get(Role.UNIT, ()))


@lru_cache(maxsize=1024)
def _spellings(word: str) -> tuple[str, ...]:
    """Return the nearest words that periods are made of: one slip away, or two where the word is long."""
    from rapidfuzz.distance import OSA

    key = fold(word)
    if len(key) < _SHORTEST or key in known_words() or key in _everyday() or not key.isalpha():
        return ()
    most = 1 if len(key) < _LONG else 2
    distances = {
        spelling: OSA.distance(key, folded, score_cutoff=most)
        for folded, spelling in _telling()
        if _is_like(key, folded) and OSA.distance(key, folded, score_cutoff=most) <= most
    }
    nearest = min(distances.values(), default=0)
    if any(OSA.distance(key, other, score_cutoff=nearest) <= nearest for (other,) in phrases("interval_words")):
        return ()  # “monthy” is monthly, and not Monday
    return tuple(spelling for spelling, distance in distances.items() if distance == nearest)


def _is_like(key: str, folded: str) -> bool:
    """Whether a word may be a slip of the other, and no name that is nearly a weekday's."""
    is_name = folded.endswith("day") and key == folded[:-1]  # Frida
    return is_common_slip(key, folded) and not is_name


@lru_cache(maxsize=1)
def _telling() -> tuple[tuple[str, str], ...]:
    """Return the words that periods are made of, folded and as they are spelled."""
    return tuple(dict.fromkeys(_named()))


def _named() -> Iterator[tuple[str, str]]:
    for spelling in (*ENGLISH_MONTHS, *GERMAN_MONTHS):
        if len(spelling) >= _SHORTEST_MONTH and spelling not in UNSURE_MONTHS:
            yield fold(spelling), spelling
    for table in (*ENGLISH, *GERMAN):
        for role, entries in table.items():
            shortest = _SHORTEST_HOLIDAY if role is Role.NAMED_DAY else _SHORTEST_SPELLING
            for spelling in entries if role in _TELLING or role is Role.NAMED_DAY else ():
                if len(spelling) >= shortest and spelling.isalpha():
                    yield fold(spelling), spelling


@lru_cache(maxsize=1)
def known_words() -> frozenset[str]:
    """Return every word of the grammar, which is no slip of another one."""
    return words_of((*ENGLISH, *GERMAN))


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """Return everyday words that periods are not made of."""
    named = (phrase[0] for phrase in phrases("weekday_words") if len(phrase) == 1)  # “Wochentag” is no “wochentags”
    return frozenset((*map(fold, listed("name_words.txt", "small words")), *named))
