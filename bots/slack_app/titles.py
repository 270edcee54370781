"""What a conversation is called in the list of them: what it is about and when, and nothing that is the person's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bots.payloads import text_at
from language.catalogue import say, translated
from tools.slots.assignments import OUR_CATEGORIES
from tools.wording import period_name

if TYPE_CHECKING:
    from graph.reply import Reply

#: By the app of the tool that answers.
_SUBJECTS: Final = {
    "spending": "Spending",
    "transactions": "Payments",
    "recurring": "Subscriptions and bills",
    "income": "Income and savings",
    "accounts": "Accounts",
    "categories": "Categories",
    "corrections": "Corrections",
    "ledger": "Your data",
    "settings": "Settings",
    "memories": "Notes",
}
_OURS: Final = {str(category): category for category in OUR_CATEGORIES}


def title_of(reply: Reply) -> str:
    """Return what a conversation that begins with this reply is about, in its language; nothing where that can't be told.

    Neither the question's words nor a name of the ledger is in it: a list of conversations is seen over many a shoulder.
    """
    call = next((call for call in reply.trace.get("calls", ()) if text_at(call, "status") != "rejected"), None)
    subject = _subject(text_at(call, "name"), text_at(call, "arguments", "category"))
    if not subject:
        return ""
    told = translated(subject, reply.language)
    if reply.period is None or reply.period.is_all_time:
        return told
    period = period_name(reply.period, reply.language)
    return translated(say("{subject}, {period}", subject=told, period=period), reply.language)


def _subject(tool: str, category: str) -> str:
    """Return one of our own categories, else what the tool's app is about."""
    return _OURS.get(category) or _SUBJECTS.get(tool.partition("-")[0], "")
