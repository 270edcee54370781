"""Consumption: each content word of a question is used by its call, usual in such a question, or told as not understood."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from babel import Locale

from graph.planner.calls import SEARCH
from graph.planner.plan import Plan
from language import cues
from language.catalogue import say
from language.lexicon import choices, counts, holds, languages, listed, occurrences
from language.reader import reader
from language.words import cut_out, fold, words
from ledger.descriptors import CITIES
from ledger.periods import known_words, names_a_unit
from tools.calls import Choice
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from graph.planner.reading import Reading
    from language.words import Word

NOT_TAKEN = "I can't take “{words}” into account."
#: Words that may stand before one that is not understood, and belong to it ("in francs", "per head").
_BEFORE = listed("before_unread")
#: Phrases that a rule of their own reads.
_READ = (
    "now",
    "earlier",
    "since_when",
    "same",
    "earned",
    "projected",
    "present",
    "weekday_words",
    "differs",
    "own_doing",
)
#: Small words that are part of no name and narrow nothing.
_SMALL = listed("articles", "and", "whoever_asks", "auxiliaries", "predicates", "fillers")
#: So many words are a question already.
_FEWEST_BEFORE = 5
_CURRENCIES = listed("currency_words")
_BEFORE_A_TIME = listed("articles", "in_place")
#: Acts of which a second or third is told.
_RANKED = ("extreme", "rank")
#: Acts whose figure is of all rows, and of no "last three".
_OF_ALL = frozenset({"average", "count", "frequency"})
#: Words for more than one.
_NUMBERS = frozenset(word for word, count in counts().items() if count > 1)
_OWN = choices("currencies")
#: Acts that only a form tells, as the reader knows their words.
_READ_AS = {
    "repriced": "level_change", "apart": "level_change", "empty": "series", "days_between": "frequency", "owed": "leftover",
}  # fmt: skip


def unread_words(reading: Reading, act: str, currencies: tuple[str, ...]) -> tuple[Word, ...]:
    """Return the words of a reading that nothing explains: no name or date, and not usual where such a thing is asked."""
    apart = occurrences(reading.words, "apart_by") if act == "days_between" else ()
    limits = [] if act in _READ_AS else _limits(reading)
    act = _READ_AS.get(act, act)
    # Of one currency its name says nothing; of several it says which rows are meant.
    free = _OWN.get(currencies[0], ()) if len(currencies) == 1 else ()
    explained = read_by_rule(reading).union(reading.crossed, *apart)
    bound = _bound(reading, act)
    left = {
        word
        for place, word in enumerate(reading.words)
        if place not in explained and word.key not in free and _is_unread(word, reading, act, bound=place in bound)
    }
    lost = limits if act in _OF_ALL else []
    aside = _aside(reading)
    return tuple(word for word in reading.words if word in left or word.start >= aside or _is_within(word, lost))


def _is_unread(word: Word, reading: Reading, act: str, *, bound: bool) -> bool:
    """Whether a word is no name, and none that is usual where an act is asked for; of the last three their sum may be."""
    if _is_named(reading, word) or _is_of_the_act(word, act):
        return False
    acts = (act, "total") if act == "extreme" and _limits(reading) else (act,)
    return bound or (word.key not in _SMALL and all(_is_unknown(word, each) for each in acts))


def _limits(reading: Reading) -> list[tuple[int, int]]:
    """Return where it is said how many of something are meant."""
    return [(each.start, each.end) for each in reading.mentions if each.slot == "limit" and not each.excluded]


def _is_within(word: Word, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= word.start < end for start, end in stretches)


def _is_of_the_act(word: Word, act: str) -> bool:
    """Whether a word with digits is what an act asks by: an amount that is looked for, "2nd" of what is ranked."""
    ranked = act in _RANKED and any(form.fullmatch(word.key) for form in cues.NTH.values())
    return ranked or (act == "identify" and word.key[0].isdigit())


def read_by_rule(reading: Reading) -> frozenset[int]:
    """Return the places of words of phrases that a rule reads ("before the increase"), or of a name that others name already.

    Such are “Frontier” of “my Frontier internet bill”, where Frontier Communications is the internet.
    """
    said = (names_of(each.value) for each in reading.mentions if each.slot == "merchant" and not each.excluded)
    named = [frozenset.intersection(*(_keys(name) for name in names)) for names in said if names]
    again = (place for place, word in enumerate(reading.words) if any(word.key in keys for keys in named))
    return frozenset(chain(again, *occurrences(reading.words, *_READ)))


@cache
def _keys(name: str) -> frozenset[str]:
    return frozenset(word.key for word in words(name))


def _is_unknown(word: Word, act: str) -> bool:
    return word.key in _CURRENCIES or word.key in CITIES or not reader().knows(word.key, act)


def _never_free(reading: Reading) -> list[Sequence[int]]:
    """Return where words stand that change a figure, but for the first of "Didn't I pay …?"."""
    found = [places for places in occurrences(reading.words, "never_free") if places]
    return [places for places in found if places[0] or not reading.words[0].key.endswith("nt")]


def _bound(reading: Reading, act: str) -> frozenset[int]:
    """Return the places of words that change a figure wherever they stand, but where they make the act ("twice")."""
    return frozenset(
        place
        for places in _never_free(reading)
        if not reader().makes(reading.words[places[0]].key, act)
        for place in places
    )


def _aside(reading: Reading) -> int:
    """Return where a clause begins that names nothing and so narrows in a way that can't be told ("while I was at work")."""
    for place, word in enumerate(reading.words):
        if place < _FEWEST_BEFORE or word.key not in listed("clauses"):
            continue
        if word.key in listed("than") and (
            holds("more", reading.words[:place]) or holds("less", reading.words[:place])
        ):
            continue  # "more than I spent" is no clause of its own
        if not any(mention.end > word.start for mention in reading.mentions):
            return word.start
    return len(reading.text) + 1


def consumed(plan: Plan, reading: Reading, left: tuple[Word, ...], weighty: Container[Word] = ()) -> Plan:
    """Return the plan with what it does not take into account; where that can't be left aside, the question about it.

    What can't is a number, a currency, a negation and their like, and the words that are ``weighty``.
    """
    if plan.kind != "calls" or not left or any(call.name == SEARCH for call in plan.calls):
        return plan
    stretches = _stretches(reading, left)
    if _weigh(left, reading, weighty):
        rest = cut_out(reading.text, stretches)
        said = " … ".join(reading.text[start:end] for start, end in stretches)
        question = say(NOT_TAKEN, words=said)
        return Plan(
            "clarify",
            confidence=0.97,
            question=question,
            inviting="Without it:",
            choices=(Choice(rest, plan.rounds, plan.unread),),
            trace={**plan.trace, "unread": said},
        )
    return replace(plan, unread=tuple(reading.text[start:end] for start, end in stretches))


def _weigh(left: tuple[Word, ...], reading: Reading, weighty: Container[Word]) -> bool:
    """Whether any of the words can't be left aside."""
    bound = {reading.words[place].start for places in _never_free(reading) for place in places}
    limits = _limits(reading)
    return any(
        word.start in bound
        or word in weighty
        or _weighs(word)
        or _is_of_a_time(word, reading)
        or _is_within(word, limits)
        or (word.key in _NUMBERS and _word_behind(word, reading) in left)
        for word in left
    )


def _word_behind(word: Word, reading: Reading) -> Word | None:
    """Return the word right behind another one ("two Mays")."""
    return next((each for each in reading.words if each.start > word.start), None)


def _weighs(word: Word) -> bool:
    """Whether a word is a number, a currency or a country."""
    return word.key in _CURRENCIES or word.key in _countries() or any(map(str.isdigit, word.key))


@cache
def _countries() -> frozenset[str]:
    """Return the names of countries in the languages that questions come in, folded; those of one word."""
    names = (Locale(language).territories.items() for language in languages())
    return frozenset(fold(name) for each in names for code, name in each if code.isalpha() and " " not in name)


def _is_of_a_time(word: Word, reading: Reading) -> bool:
    """Whether a word that nobody knows is nearly one for a time, or says which time is meant ("dit Jahr")."""
    if not word.key.isalpha() or word.key in known_words():
        return False
    behind = next((each for each in reading.words if each.start > word.start and not _is_named(reading, each)), None)
    beside = behind is not None and not reading.text[word.end : behind.start].strip() and names_a_unit(behind.key)
    led = {each.key for each in reading.words if each.end < word.start and word.start - each.end == 1} & _BEFORE_A_TIME
    return beside or (bool(led) and names_a_unit(word.key))


def _stretches(reading: Reading, left: tuple[Word, ...]) -> list[tuple[int, int]]:
    """Return where the words stand, neighbours together, with the small words that belong to them."""
    places = [reading.words.index(word) for word in left]
    found: list[tuple[int, int]] = []
    for place in places:
        first = place
        while first and reading.words[first - 1].key in _BEFORE and not _is_named(reading, reading.words[first - 1]):
            first -= 1
        start, end = reading.words[first].start, reading.words[place].end
        if found and not reading.text[found[-1][1] : start].strip(" -'’&,"):
            found[-1] = found[-1][0], end
        elif found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _is_named(reading: Reading, word: Word) -> bool:
    return any(mention.start < word.end and word.start < mention.end for mention in reading.mentions)
