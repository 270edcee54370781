"""Times told by something that happened: since a merchant's first payment, since a date, since a price of now."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.reading import Reading, reread
from graph.planner.vocabulary import FUNCTION_WORDS, POINTERS
from language import cues
from language.lexicon import holds, listed
from language.words import fold_in_place, words
from ledger.filters import Filter
from ledger.periods import Period
from tools.slots.names import merchant_keys, names_of
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.reading import Unclear
    from language.words import Word
    from ledger.transactions import Transaction
    from tools.context import ToolContext

#: Words of a clause that names nobody: "since I started with them".
_OF_NOBODY = (
    FUNCTION_WORDS
    | POINTERS
    | listed("joining_up", "whoever_asks", "last_ones", "since_cues", "auxiliaries", "telling_past")
)
#: So many words a clause has before its verb, where that stands last and a date is between.
_CUE_AND_SUBJECT = 3
#: So many words may stand between a date and the verb of its clause.
_LONGEST_REST = 5
_SIGNS = re.compile(r"[.,;:!?]")


@dataclass(frozen=True)
class _Clause:
    """A clause that names a time without dates, in the sentence that it stands in."""

    event: Unclear
    reading: Reading

    @cached_property
    def text(self) -> str:
        return self.reading.text[self.event.start : self.event.end]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return words(self.text)

    @cached_property
    def keys(self) -> set[str]:
        return {word.key for word in self.words}

    @property
    def goes_on(self) -> bool:
        """Whether it begins a time that goes on until today."""
        return holds("since_cues", self.words[:2])

    @property
    def is_repriced(self) -> bool:
        """Whether it tells of a price, and of nothing that somebody did themselves ("since we put the shelves up")."""
        oneself = any(word.key in listed("whoever_asks") for word in self.words[1:2])
        return not oneself and cues.REPRICED.search(fold_in_place(self.text)) is not None

    @cached_property
    def inside(self) -> list[Mention]:
        """The names in it."""
        subjects = [m for m in self.reading.mentions if m.slot in SUBJECTS]
        return [m for m in subjects if self.event.start <= m.start < self.event.end]

    @property
    def is_bare(self) -> bool:
        """Whether it says no more than that somebody is with whom it names ("since I've been with Netflix")."""
        start = self.event.start
        named = [(mention.start - start, mention.end - start) for mention in self.inside]
        rest = {word.key for word in self.words if not any(first <= word.start < last for first, last in named)}
        return rest <= _OF_NOBODY

    @property
    def begins(self) -> bool:
        """Whether it tells since when somebody is with a shop, and not since when no more."""
        oneself = self.keys & listed("whoever_asks") and (self.keys & listed("joining_up") or self.is_bare)
        return bool(oneself) and not cues.STOPPED.search(fold_in_place(self.text))


async def dated(reading: Reading, context: ToolContext, known: frozenset[str]) -> Reading:
    """Return the reading with the dates of what happened, where the sentence or the ledger tells them."""
    for event in () if reading.outright else reading.unclear:
        if event.reason != "unknown":
            continue
        clause = _Clause(event, reading)
        by_date = _by_date(clause, context)
        period = by_date[0] if by_date else await _by_payment(clause, context)
        if period is not None:
            reading = _with_time(clause, period, by_date[1] if by_date else event.end, known)
    return reading


def _with_time(clause: _Clause, period: Period, end: int, known: frozenset[str]) -> Reading:
    """Return a clause's sentence with its time, which narrows another one that is named beside it."""
    event, reading = clause.event, clause.reading
    kept = clause.inside if _is_the_subject(clause) else []
    stop = min((m.start for m in kept), default=end)
    others = [m for m in reading.mentions if m in kept or not event.start <= m.start < end]
    beside = _beside(others, period)
    for narrowed in beside:  # "this year before I moved in May"
        period = _in_both(narrowed.value, period) or period
    told = Mention("period", event.start, stop, period, reading.text[event.start : stop].strip())
    crossed = reading.crossed.union(
        *(_places(m.start, m.end, reading) for m in beside), _places(event.start, end, reading)
    )
    rest = tuple(each for each in reading.unclear if each is not event)
    mentions = [*(m for m in others if m not in beside), told]
    return reread(replace(reading, unclear=rest, crossed=crossed), mentions, known)


def _beside(mentions: Sequence[Mention], period: Period) -> list[Mention]:
    """Return the first other time that has days in common with a period."""
    return [m for m in mentions if m.slot == "period" and not m.excluded and _in_both(m.value, period)][:1]


def _places(start: int, end: int, reading: Reading) -> set[int]:
    return {place for place, word in enumerate(reading.words) if start <= word.start < end}


def _in_both(period: Period, other: Period) -> Period | None:
    """Return the days that lie in both periods; None where there are none."""
    start, end = max(period.start, other.start), min(period.end, other.end)
    return replace(period, start=start, end=end, phrase=f"{period.phrase} {other.phrase}") if start <= end else None


def _by_date(clause: _Clause, context: ToolContext) -> tuple[Period, int] | None:
    """Return the days since or before a date that a clause ends with ("since I moved in on 3 May"), and where it ends."""
    text, event = clause.reading.text, clause.event
    for mention in clause.reading.of("period"):
        if mention.end <= event.end or text[event.end : max(mention.start, event.end)].strip():
            continue
        phrase = text[event.start : mention.end]
        if clause.goes_on:
            is_open = len(clause.words) <= _CUE_AND_SUBJECT
            end = _verb_behind(mention.end, clause.reading) if is_open else mention.end
            return Period(mention.value.start, context.today, phrase), end
        if clause.words[0].key in listed("before_cues") and mention.value.start > date.min:
            return Period(date.min, mention.value.start - timedelta(days=1), phrase), mention.end
    return None


def _verb_behind(end: int, reading: Reading) -> int:
    """Return where a clause ends whose verb stands last ("seit ich im März zu congstar gewechselt bin")."""
    for word in [word for word in reading.words if word.start >= end][:_LONGEST_REST]:
        if _SIGNS.search(reading.text[end : word.start]):
            break
        if word.key in listed("auxiliaries", "telling_past"):
            return word.end
    return end


async def _by_payment(clause: _Clause, context: ToolContext) -> Period | None:
    """Return the days since a payment of whom a clause names or points at.

    It is the first ("since I started with them"), the latest ("since I last paid them"), or the first at the price of now
    ("since they put it up").
    """
    wanted = _whom(clause, context) if clause.goes_on else None
    rows = await context.ledger.rows(wanted, "newest") if wanted else []
    first = _told_by(rows, clause) if rows else None
    return Period(first, context.today, clause.text) if first else None


def _whom(clause: _Clause, context: ToolContext) -> Filter | None:
    """Return whose payments a clause is about: of whom it names, else of the one merchant of the question."""
    names_nobody = not clause.inside and (clause.is_repriced or clause.keys <= _OF_NOBODY)
    named = clause.reading.of("merchant") if names_nobody else clause.inside
    shops = [name for m in named for name in names_of(m.value) if m.slot == "merchant"]
    if names_nobody and len(named) != 1:
        return None
    if shops:
        return Filter(merchants=merchant_keys(shops, context))
    kinds = tuple(name for m in named for name in names_of(m.value) if m.slot == "category")
    return Filter(categories=kinds) if kinds else None


def _told_by(rows: Sequence[Transaction], clause: _Clause) -> date | None:
    """Return the day that a clause means among rows, the newest first."""
    if clause.is_repriced:
        change = next((place for place, row in enumerate(rows) if row.amount_minor != rows[0].amount_minor), None)
        return rows[change - 1].booked_on if change else None
    if clause.keys & listed("whoever_asks") and clause.keys & listed("last_ones"):
        return rows[0].booked_on
    return rows[-1].booked_on if clause.begins else None


def _is_the_subject(clause: _Clause) -> bool:
    """Whether what a clause names is what is asked about too: nothing else is named, and not all that was spent is meant."""
    others = [m for slot in SUBJECTS for m in clause.reading.of(slot) if m not in clause.inside]
    event = clause.event
    outside = [word.key for word in clause.reading.words if not event.start <= word.start < event.end]
    asked = cues.SPENT.search(fold_in_place(clause.reading.text)) is None or any(key in POINTERS for key in outside)
    return bool(clause.inside) and not others and asked
