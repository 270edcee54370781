"""What comes nearest to a question that has no answer here: questions that have one, as typed calls."""

from __future__ import annotations

from typing import Final

from language.catalogue import say
from tools.calls import Choice, choice_of

_SUMMARY, _RECURRING = "spending-get_spending_summary", "recurring-list"
_SO_FAR: Final = choice_of(say("Spending this month so far"), _SUMMARY, period="this_month")
_LAST_MONTH: Final = choice_of(say("Spending last month"), _SUMMARY, period="last_month")
_CHANGED: Final = choice_of(say("What changed last month"), "spending-changes", period="last_month")
_LEFT: Final = choice_of(
    say("What was left last month"), "income-summary", start_date="last_month", show="left"
)  # fmt: skip
_LARGEST: Final = choice_of(
    say("Largest purchases last month"), "transactions-list", start_date="last_month", sort="largest"
)
_SUBSCRIPTIONS: Final = choice_of(say("My subscriptions"), _RECURRING, which="subscriptions")
_BILLS: Final = choice_of(say("What is due next"), "recurring-upcoming")
_LEDGER: Final = choice_of(say("What is in my ledger"), "ledger-status")

_NEAREST: Final = {
    "balance": (_LEFT, _LEDGER),
    "budget": (_SO_FAR, _CHANGED),
    "forecast": (_BILLS, _SO_FAR),
    "advice": (_CHANGED, _SUBSCRIPTIONS),
    "others": (_LAST_MONTH,),
    "quickentry": (),
    "order": (_SUBSCRIPTIONS, _BILLS),
    "unrelated": (_LAST_MONTH, _LEDGER),
    "detail": (_LARGEST,),
    "unclear": (_LAST_MONTH, _SUBSCRIPTIONS, _LEDGER),
}


def nearest(missing: str) -> tuple[Choice, ...]:
    """Return what may be asked in place of something that is missing, or of what can't be understood (``unclear``)."""
    return _NEAREST[missing]
