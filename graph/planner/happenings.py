"""Times told by something that happened: since a merchant's first payment, since a date, before a price went up.

A clause that begins as such a time does and only says how things are ("since the purchases are already on there", "before I
ring the accountant") tells none, and is no part of the question.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.reading import Reading, reread
from graph.planner.vocabulary import FUNCTION_WORDS, POINTERS
from language import cues
from language.lexicon import holds, listed
from language.reader import reader
from language.words import cut_out, fold_in_place, words
from ledger.embeddings import english_words
from ledger.filters import Filter
from ledger.periods import Period
from tools.slots.names import merchant_keys, names_of
from tools.slots.period import periods_in, unclear_periods
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.reading import Unclear
    from language.words import Word
    from ledger.transactions import Transaction
    from tools.context import ToolContext

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.](?=\d)[^.!?\n]*)*[.!?]*\s*")
#: What "before they put it up" is read as, by the word that it begins with.
_BEFORE = {"before": "before the increase", "bevor": "vor der Erhöhung", "ehe": "vor der Erhöhung"}
#: Words of a clause that names nobody: "since I started with them".
_OF_NOBODY = FUNCTION_WORDS | POINTERS | listed("joining_up", "whoever_asks", "last_ones", "since_cues")
#: So many words a clause has before its verb, where that stands last and a date is between.
_CUE_AND_SUBJECT = 3
#: So many words may stand between a date and the verb of its clause.
_LONGEST_REST = 5
_SIGNS = re.compile(r"[.,;:!?]")
_AS_THINGS_ARE = {"since", "before", "while", "whilst"}


def told_plainly(text: str, context: ToolContext) -> str:
    """Return a text without clauses that tell no time, and with a price's change in the words that are read for it."""
    for each in reversed(unclear_periods(text, context)):
        clause = text[each.start : each.end]
        said = words(clause)
        if each.reason != "unknown" or len(said) < 2:
            continue
        if cues.REPRICED.search(fold_in_place(clause)):
            text = _as_a_level(text, each.start, each.end, said[0].key)
        elif _is_of_now(said) or _is_beside_the_question(text, each.start, context):
            text = cut_out(text, [(each.start, each.end)]).lstrip(" ,;:–-")
    return text


def _as_a_level(text: str, start: int, end: int, cue: str) -> str:
    """Return a text with what a price was before it changed, or is since then, in the words that are read for it."""
    if cue in _BEFORE:
        return f"{text[:start]}{_BEFORE[cue]}{text[end:]}"
    rest = cut_out(text, [(start, end)])
    is_over = any(word.key in listed("past_verbs") for word in words(rest))
    return rest if reader().read(rest, rest)["act"].best == "level" and not is_over else text


def _is_of_now(said: Sequence[Word]) -> bool:
    """Whether a clause says how things are or what is about to be done, and not when something happened."""
    if said[0].key in listed("yet_to_do"):  # German verbs stand last
        return said[-1].key not in listed("auxiliaries", "telling_past") and not said[-1].key.endswith(("te", "ten"))
    return said[0].key in _AS_THINGS_ARE and any(_is_present(said, place) for place in range(2, min(len(said), 7)))


def _is_present(said: Sequence[Word], place: int) -> bool:
    """Whether the word is a verb in the present: "is", "can", "I ring", "she asks"."""
    key, before = said[place].key, said[place - 1].key
    if key in listed("of_now"):
        return True
    if before in listed("subjects"):
        return _is_base_form(key) and key not in listed("last_ones")  # "since I last paid"
    return place == 2 and key.endswith("s") and not key.endswith("ss") and _is_base_form(key[:-1])


def _is_base_form(key: str) -> bool:
    """Whether English makes "-ing" and "-s" of a word, as it does of "ring" and of no "moved"."""
    return f"{key}s" in english_words() and not english_words().isdisjoint({f"{key}ing", f"{key.removesuffix('e')}ing"})


def _is_beside_the_question(text: str, start: int, context: ToolContext) -> bool:
    """Whether a clause stands in a sentence that only tells something, beside a question that names its own time."""
    sentences = [match.span() for match in _SENTENCE.finditer(text)]
    own = next(((first, end) for first, end in sentences if first <= start < end), (0, len(text)))
    asked = [text[first:end] for first, end in sentences if text[first:end].rstrip().endswith("?")]
    return not text[slice(*own)].rstrip().endswith("?") and any(periods_in(each, context) for each in asked)


async def dated(reading: Reading, context: ToolContext, known: frozenset[str]) -> Reading:
    """Return the reading with the dates of what happened, where the sentence or the ledger tells them."""
    for event in reading.unclear:
        if event.reason != "unknown" or reading.outright:
            continue
        inside = [m for m in reading.mentions if m.slot in SUBJECTS and event.start <= m.start < event.end]
        period, end = _by_date(event, reading, context) or (
            await _by_payment(event, inside, reading, context),
            event.end,
        )
        if period is None:
            continue
        kept = inside if _is_the_subject(inside, event, reading) else []
        stop = min((m.start for m in kept), default=end)
        told = Mention("period", event.start, stop, period, reading.text[event.start : stop].strip())
        places = {place for place, word in enumerate(reading.words) if event.start <= word.start < end}
        others = [m for m in reading.mentions if m in kept or not (event.start <= m.start < end)]
        within = next((m for m in others if m.slot == "period" and not m.excluded), None)
        if within is not None and (both := _in_both(within.value, period)):  # "this year before I moved in May"
            told, others = replace(told, value=both), [m for m in others if m is not within]
            places |= {place for place, word in enumerate(reading.words) if within.start <= word.start < within.end}
        rest = tuple(each for each in reading.unclear if each is not event)
        marked = replace(reading, unclear=rest, crossed=reading.crossed | places)
        reading = reread(marked, [*others, told], known)
    return reading


def _in_both(period: Period, other: Period) -> Period | None:
    """Return the days that lie in both periods; None where there are none."""
    start, end = max(period.start, other.start), min(period.end, other.end)
    return replace(period, start=start, end=end, phrase=f"{period.phrase} {other.phrase}") if start <= end else None


def _by_date(event: Unclear, reading: Reading, context: ToolContext) -> tuple[Period, int] | None:
    """Return the days since or before a date that the clause ends with ("since I moved in on 3 May"), and where it ends."""
    said = words(reading.text[event.start : event.end])
    for mention in reading.of("period"):
        between = reading.text[event.end : mention.start] if mention.start >= event.end else ""
        if mention.end <= event.end or between.strip() or not said:
            continue
        if holds("since_cues", said[:2]):
            period = Period(mention.value.start, context.today, reading.text[event.start : mention.end])
            return period, _verb_behind(mention.end, reading) if len(said) <= _CUE_AND_SUBJECT else mention.end
        if said[0].key in _BEFORE and mention.value.start > date.min:
            last = mention.value.start - timedelta(days=1)
            return Period(date.min, last, reading.text[event.start : mention.end]), mention.end
    return None


def _verb_behind(end: int, reading: Reading) -> int:
    """Return where a clause ends whose verb stands last ("seit ich im März zu congstar gewechselt bin")."""
    for word in [word for word in reading.words if word.start >= end][:_LONGEST_REST]:
        if _SIGNS.search(reading.text[end : word.start]):
            break
        if word.key in listed("auxiliaries", "telling_past"):
            return word.end
    return end


async def _by_payment(
    event: Unclear, inside: Sequence[Mention], reading: Reading, context: ToolContext
) -> Period | None:
    """Return the days since a payment of whom a clause names or points at.

    It is the first ("since I started with them"), the latest ("since I last paid them"), or the first at the price of now
    ("since they put it up").
    """
    clause = reading.text[event.start : event.end]
    said = {word.key for word in words(clause)}
    if not holds("since_cues", words(clause)[:2]):
        return None
    repriced = cues.REPRICED.search(fold_in_place(clause)) is not None
    others = [m for m in reading.of("merchant") if m not in inside]
    pointed = others if len(others) == 1 and (repriced or said <= _OF_NOBODY) else []
    named = [m for m in inside if m.slot == "merchant"] or pointed
    keys = merchant_keys([name for m in named for name in names_of(m.value)], context)
    kinds = () if keys else tuple(name for m in inside if m.slot == "category" for name in names_of(m.value))
    rows = await context.ledger.rows(Filter(merchants=keys, categories=kinds), "newest") if keys or kinds else []
    begins = (
        said & listed("whoever_asks") and said & listed("joining_up") and not cues.STOPPED.search(fold_in_place(clause))
    )
    if not rows:
        first = None
    elif repriced:
        first = _repriced_on(rows)
    elif said & listed("whoever_asks") and said & listed("last_ones"):
        first = rows[0].booked_on
    else:
        first = rows[-1].booked_on if begins else None
    return Period(first, context.today, clause) if first else None


def _repriced_on(rows: Sequence[Transaction]) -> date | None:
    """Return the day of the first of the newest rows that are of one amount; None where there was no other before."""
    change = next((place for place, row in enumerate(rows) if row.amount_minor != rows[0].amount_minor), None)
    return rows[change - 1].booked_on if change else None


def _is_the_subject(inside: Sequence[Mention], event: Unclear, reading: Reading) -> bool:
    """Whether what a clause names is what is asked about too: nothing else is named, and not all that was spent is meant."""
    others = [m for slot in SUBJECTS for m in reading.of(slot) if m not in inside]
    outside = [word.key for word in reading.words if not event.start <= word.start < event.end]
    asked = cues.SPENT.search(fold_in_place(reading.text)) is None or any(key in POINTERS for key in outside)
    return bool(inside) and not others and asked
