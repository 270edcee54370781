"""Periods in sentences, and dates in arguments."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from language import cues
from language.words import fold_in_place
from ledger.errors import UnknownPeriod
from ledger.periods import Period, PeriodMention, UnclearPeriod, find_periods, find_unclear, parse_period
from ledger.setting_words import LAST_DAY
from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

_LATEST_DAY = 31
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Words that models write for "no bound".
_UNBOUNDED = frozenset({"", "all", "all_time", "all time", "any", "ever", "none", "null", "alltime", "overall"})


@dataclass(frozen=True, slots=True)
class PeriodSlot:
    """A stretch of days: a whole one, or one side of it given as a date or as a phrase."""

    side: Literal["whole", "start", "end"] = "whole"
    name: str = "period"

    def json_schema(self) -> dict[str, Any]:
        """A phrase or an ISO date."""
        forms = {
            "whole": 'A period: "last_week", "last_month", "last_3_months", "all_time", "October 2026", "Q3"',
            "start": 'First day, YYYY-MM-DD, or a period phrase such as "last month"',
            "end": "Last day, YYYY-MM-DD",
        }
        return {"type": "string", "description": forms[self.side]}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return every period phrase of the sentence."""
        found = [(each.start, each.end, each.period) for each in periods_in(text, context)]
        paid = since_payday(context)
        if paid is not None:
            found += [(start, end, paid) for start, end in payday_phrases(text)]
        return [Mention(self.name, start, end, period, text[start:end]) for start, end, period in found]

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept whatever the period grammar reads; "all time" is no bound."""
        text = str(value).strip()
        if text.casefold() in _UNBOUNDED:
            return Checked("all_time" if self.side == "whole" else None)
        try:
            read_period(text, context)
        except UnknownPeriod as error:
            return Checked(problem=error.message, choices=error.choices)
        return Checked(text)


def currency_of(context: ToolContext) -> str:
    """Return the currency of the ledger, by which its financial years begin; empty where there is none."""
    return next(iter(context.vocabulary.currencies), "")


def periods_in(text: str, context: ToolContext, anchor: Period | None = None) -> list[PeriodMention]:
    """Return the periods that a text names, those counted from another from this one."""
    return find_periods(text, context.today, context.week_start, anchor, currency_of(context))


def unclear_periods(text: str, context: ToolContext) -> Sequence[UnclearPeriod]:
    """Return the times that a sentence names and that have no dates ("since I moved in", "31 February")."""
    found = find_unclear(text, context.today, context.week_start, currency_of(context))
    for start, end in payday_phrases(text) if found else ():
        inside = [each for each in found if each.start < end and start < each.end]
        found = [each for each in found if each not in inside]
        if since_payday(context) is None:
            found.append(UnclearPeriod(start, end, "no payday", inside[0].choices if inside else ()))
    return found


def payday_phrases(text: str) -> list[tuple[int, int]]:
    """Return where a text says "since payday", each as its start and end."""
    return [found.span() for found in cues.SINCE_PAYDAY.finditer(fold_in_place(text))]


def since_payday(context: ToolContext) -> Period | None:
    """Return the days from the last payday to today, None where none is set; on a payday itself that day alone."""
    if not context.payday:
        return None
    day = _LATEST_DAY if context.payday == LAST_DAY else int(context.payday)
    paid = _in_month(context.today, day)
    if paid > context.today:
        paid = _in_month(context.today.replace(day=1) - timedelta(days=1), day)
    return Period(paid, context.today)


def _in_month(month: date, day: int) -> date:
    """Return a day of a month; a month that is too short has it on its last."""
    return month.replace(day=min(day, monthrange(month.year, month.month)[1]))


def read_period(phrase: str, context: ToolContext) -> Period:
    """Return the period that a phrase means on the context's day; raises UnknownPeriod."""
    paid = since_payday(context)
    if paid is not None and payday_phrases(phrase) == [(0, len(phrase))]:
        return replace(paid, phrase=phrase)
    return _parsed(phrase, context.today, context.week_start, currency_of(context))


@lru_cache(maxsize=2048)
def _parsed(phrase: str, today: date, week_start: int, currency: str) -> Period:
    day = _day(phrase)
    return Period(day, day, phrase) if day else parse_period(phrase, today, week_start, currency)


def period_of(start: str | None, end: str | None, context: ToolContext) -> Period:
    """Return the period that two arguments mean together.

    A phrase or a month in ``start`` alone is that whole period; a single day in ``start`` alone opens a period without
    an end. Raises UnknownPeriod for what the grammar does not know, and for an end before its start.
    """
    first = _parse(start, context)
    last = _parse(end, context)
    if first is None and last is None:
        return Period(date.min, date.max)
    if first is None:
        return Period(date.min, last.end if last else date.max, end or "")
    if last is None:
        is_day = first.start == first.end and _is_iso_day(start)
        return Period(first.start, date.max, start or "") if is_day else first
    if last.end < first.start:
        raise UnknownPeriod(f"{start} – {end}", ())
    return Period(first.start, last.end, first.phrase if start == end else "", first.weekdays)


def _parse(text: str | None, context: ToolContext) -> Period | None:
    if text is None or text.strip().casefold() in _UNBOUNDED:
        return None
    return read_period(text, context)


def _is_iso_day(text: str | None) -> bool:
    return _day(text or "") is not None


def _day(text: str) -> date | None:
    """Return the day that a text writes as YYYY-MM-DD, which needs no grammar."""
    if not _ISO_DAY.fullmatch(text.strip()):
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None
