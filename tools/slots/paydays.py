"""Since one was paid last: by the day of the month that the person has set."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import TYPE_CHECKING

from language.lexicon import form
from language.words import fold_in_place
from ledger.periods import Period
from ledger.setting_words import LAST_DAY

if TYPE_CHECKING:
    from tools.context import ToolContext

_SINCE = form("since_payday")
_LATEST_DAY = 31


def payday_phrases(text: str) -> list[tuple[int, int]]:
    """Return where a text says "since payday", each as its start and end."""
    return [found.span() for found in _SINCE.finditer(fold_in_place(text))]


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
