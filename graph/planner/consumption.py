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
from language.lexicon import choices, holds, languages, listed, occurrences
from language.reader import reader
from language.words import cut_out, fold
from ledger.descriptors import CITIES
from ledger.periods import known_words, names_a_unit
from tools.calls import Choice

if TYPE_CHECKING:
    from collections.abc import Container

    from graph.planner.reading import Reading
    from language.words import Word

#: Words that may stand before one that is not understood, and belong to it ("in francs", "per head").
_BEFORE = listed("before_unread")
#: Phrases that a rule of their own reads.
_READ = ("now", "earlier", "since_when", "same", "earned", "projected", "present", "weekday_words", "differs")
#: Small words that are part of no name and narrow nothing.
_SMALL = listed("articles", "whoever_asks", "auxiliaries", "predicates", "fillers")
#: So many words are a question already.
_FEWEST_BEFORE = 5
_CURRENCIES = listed("currency_words")
_BEFORE_A_TIME = listed("articles", "in_place")
#: Acts of which a second or third is told.
_RANKED = ("extreme", "rank")
_OWN = choices("currencies")
#: Acts that only a form tells, as the reader knows their words.
_READ_AS = {"repriced": "level_change", "empty": "series", "days_between": "frequency"}


def unread_words(reading: Reading, act: str, currencies: tuple[str, ...]) -> tuple[Word, ...]:
    """Return the words of a reading that nothing explains: no name or date, and not usual where such a thing is asked."""
    apart = occurrences(reading.words, "apart_by") if act == "days_between" else ()
    act = _READ_AS.get(act, act)
    # Of one currency its name says nothing; of several it says which rows are meant.
    free = _OWN.get(currencies[0], ()) if len(currencies) == 1 else ()
    explained = read_by_rule(reading).union(reading.crossed, *apart)
    bound = _bound(reading, act)
    left = {
        word
        for place, word in enumerate(reading.words)
        if place not in explained
        and word.key not in free
        and not _is_named(reading, word)
        and not _is_of_the_act(word, act)
        and (place in bound or (word.key not in _SMALL and _is_unknown(word, act)))
    }
    aside = _aside(reading)
    return tuple(word for word in reading.words if word in left or word.start >= aside)


def _is_of_the_act(word: Word, act: str) -> bool:
    """Whether a word with digits is what an act asks by: an amount that is looked for, "2nd" of what is ranked."""
    ranked = act in _RANKED and any(form.fullmatch(word.key) for form in cues.NTH.values())
    return ranked or (act == "identify" and word.key[0].isdigit())


def read_by_rule(reading: Reading) -> frozenset[int]:
    """Return the places of the words of phrases that a rule of their own reads ("before the increase", "take home")."""
    return frozenset(chain.from_iterable(occurrences(reading.words, *_READ)))


def _is_unknown(word: Word, act: str) -> bool:
    return word.key in _CURRENCIES or word.key in CITIES or not reader().knows(word.key, act)


def _bound(reading: Reading, act: str) -> frozenset[int]:
    """Return the places of words that change a figure wherever they stand, but where they make the act ("twice")."""
    found = occurrences(reading.words, "never_free")
    return frozenset(
        place for places in found if not reader().makes(reading.words[places[0]].key, act) for place in places
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
    bound = {reading.words[place].start for places in occurrences(reading.words, "never_free") for place in places}
    if any(word.start in bound or word in weighty or _weighs(word) or _is_of_a_time(word, reading) for word in left):
        rest = cut_out(reading.text, stretches)
        said = " … ".join(reading.text[start:end] for start, end in stretches)
        question = say("I can't take “{words}” into account.", words=said)
        return Plan(
            "clarify",
            confidence=0.97,
            question=question,
            inviting="Without it:",
            choices=(Choice(rest, plan.rounds, plan.unread),),
            trace={**plan.trace, "unread": said},
        )
    return replace(plan, unread=tuple(reading.text[start:end] for start, end in stretches))


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
