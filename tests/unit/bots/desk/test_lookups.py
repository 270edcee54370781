"""What stands behind a command's name becomes a call by the ledger's names, or is asked as the person wrote it."""

from __future__ import annotations

import pytest

from bots.contracts import Duty, Question
from bots.desk.lookups import meant
from tools.calls import Call

CATEGORY, MERCHANT = "spending-analyze_by_category", "spending-analyze_merchant"
SEARCH, LIST = "transactions-search_transactions", "transactions-list"
SUMMARY, COMPARE = "spending-get_spending_summary", "spending-compare"


@pytest.fixture
async def context(house):
    await house.bring_sample()
    return await house.desk.context(house.alice)


def call(name: str, **arguments: object) -> Call:
    return Call(name, arguments)


LINES = [
    ("summary", "", call(SUMMARY, period="last month")),
    ("summary", "of October", call(SUMMARY, period="October")),
    ("summary", "q3 2025 from Checking", call(SUMMARY, period="q3 2025", account=["Checking"])),
    ("summary", "of my trips in October", Question("summary of my trips in October")),
    ("category", "groceries", call(CATEGORY, category=["Groceries"])),
    ("category", "Gas & Fuel October", call(CATEGORY, category=["Gas & Fuel"], start_date="October")),
    (
        "category",
        "eating out last month",
        call(CATEGORY, category=["Restaurants", "Fast Food"], start_date="last month"),
    ),
    ("category", "groceries and gas & fuel", call(CATEGORY, category=["Groceries", "Gas & Fuel"])),
    ("category", "groceries without Costco", Question("groceries without Costco")),
    ("category", "groceries over 50 in October", Question("groceries over 50 in October")),
    ("merchant", "trader joe's since May", call(MERCHANT, merchant=["Trader Joe's"], start_date="since May")),
    (
        "merchant",
        "Trader Joes last month from Checking",
        call(MERCHANT, merchant=["Trader Joe's"], start_date="last month", account=["Checking"]),
    ),
    ("merchant", "nobody at all", Question("nobody at all")),
    ("compare", "October and September", call(COMPARE, periods=["October", "September"])),
    ("compare", "October", call(COMPARE, periods=["October"])),
    ("compare", "groceries", call(COMPARE, category=["Groceries"], periods=["last month"])),
    (
        "compare",
        "groceries and gas & fuel last month",
        call(COMPARE, category=["Groceries", "Gas & Fuel"], start_date="last month"),
    ),
    ("compare", "me with my neighbours", Question("compare me with my neighbours")),
    ("search", "coffee", call(SEARCH, query="coffee")),
    ("search", "for coffee over $5", call(SEARCH, query="coffee", over="5")),
    (
        "search",
        "coffee under 6,50 in October 2025",
        call(SEARCH, query="coffee", start_date="in October 2025", under="6.50"),
    ),
    ("search", '"late fee"', call(SEARCH, query="late fee")),
    ("search", '"october books"', call(SEARCH, query="october books")),
    (
        "search",
        "“books over 50” over 60 last month",
        call(SEARCH, query="books over 50", start_date="last month", over="60"),
    ),
    ("search", "may stores last month", call(SEARCH, query="may stores", start_date="last month")),
    ("search", "coffee 2026-10-05", call(SEARCH, query="coffee", start_date="2026-10-05", end_date="2026-10-05")),
    ("search", "15.49", call(LIST, over="15.48", under="15.50")),
    ("search", "$80", call(LIST, over="79.99", under="80.01")),
    ("search", "over 1000", call(LIST, over="1000")),
    ("search", "October", call(LIST, start_date="October")),
    ("search", "refunds last month", call(LIST, kind="refund", start_date="last month")),
    ("search", "refunds from the airline", Question("refunds from the airline")),
]


async def test_a_line_becomes_a_call_or_stays_a_question(context) -> None:
    for name, line, expected in LINES:
        assert meant(name, {"line": line}, context) == expected, line


async def test_options_mean_what_they_are_called(context) -> None:
    both = {"words": "coffee over 5", "period": "last month"}
    assert meant("search", both, context) == call(SEARCH, query="coffee", over="5", start_date="last month")
    assert meant("summary", {"account": "checking"}, context) == call(
        SUMMARY, period="last month", account=["Checking"]
    )
    assert meant("merchant", {"period": "last month"}, context) == Duty("help", {"value": "merchant"})


@pytest.mark.parametrize(("word", "answered"), [("Summary?", True), ("merchant", False)])
async def test_a_name_alone_is_asked_if_it_needs_nothing_more(house, word, answered) -> None:
    await house.bring_sample()
    reply = (await house.say(word)).reply
    assert (reply.headline == "$3,725.50 spent in October 2026") is answered
