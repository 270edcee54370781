"""What a conversation is called: what it is about, when that was, and nothing of the person's own."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from bots.serialization import reply_from_json, reply_to_json
from bots.slack_app.sessions import title_of
from graph.reply import Reply
from ledger.periods import Period

OCTOBER = Period(date(2026, 10, 1), date(2026, 10, 31), "in October")
ALL_TIME = Period(date.min, date.max)


def reply(name: str, period: Period | None = None, language: str = "en", **arguments: Any) -> Reply:
    tried = {"name": "spending-total", "arguments": {}, "status": "rejected", "problem": "unknown"}
    call = {"name": name, "arguments": arguments, "status": "done"}
    return Reply("answer", "$12.00 at Canary", period=period, language=language, trace={"calls": [tried, call]})


@pytest.mark.parametrize(
    ("answered", "title"),
    [
        (reply("spending-analyze_by_category", OCTOBER, category="Groceries"), "Groceries, October 2026"),
        (reply("spending-analyze_by_category", OCTOBER, "de", category="Groceries"), "Lebensmittel, Oktober 2026"),
        (reply("spending-analyze_by_category", OCTOBER, category="Canary"), "Spending, October 2026"),
        (reply("spending-analyze_merchant", ALL_TIME, merchant="Canary"), "Spending"),
        (reply("transactions-list", Period(date(2026, 1, 1), date.max), over="100"), "Payments, since 1 Jan 2026"),
        (reply("recurring-list", None, "de"), "Abos und Rechnungen"),
        (reply("own-tool", OCTOBER, merchant="Canary"), ""),
        (Reply("answer", "Hello"), ""),
    ],
)
def test_a_title_says_what_it_is_about_and_when(answered: Reply, title: str) -> None:
    assert title_of(answered) == title
    assert title_of(reply_from_json(reply_to_json(answered))) == title, "also of what another process stored"
