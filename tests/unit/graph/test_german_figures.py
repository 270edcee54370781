"""Figures in German over the made-up household: the tools of what was spent, came in and recurs, whole answers and words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from graph.answers import result_reply
from language.catalogue import translated
from ledger.imports import import_files
from ledger.sample import SAMPLE_NAME, sample_csv
from ledger.statement_writer import SourceFile
from tests.support.untold import untold_in
from tools.apps.kind_names import KINDS
from tools.apps.populations import POPULATIONS
from tools.checking import check_arguments
from tools.registry import Registry
from tools.running import run_tool
from tools.surroundings import tool_context

TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MEANS = ("card", "direct_debit", "standing_order", "cheque", "transfer")
WHICH = ("all", "subscriptions", "bills", "income", "savings")
ABOUT = ("price", "since", "change", "changes", "rose", "fell", "changed", "constant", "next", "rhythm", "still")
MEASURES = ("largest", "smallest", "first", "last", "count", "how_often", "average", "top")

CALLS = {
    "spending-analyze_by_category": [
        {"category": "Groceries", "start_date": "October 2026"},
        {"category": "Groceries", "start_date": "2026", "per": "month"},
        {"category": ["Groceries", "Restaurants"], "over": "10", "under": "50", "exclude": "Costco"},
        *(
            {"category": "Groceries", "start_date": "2026-11-20", "per": per}
            for per in ("day", "week", "month", "year")
        ),
        {"category": "Groceries", "exclude_largest": 1},
        {"category": "Groceries", "exclude_largest": 3},
        {"category": "Groceries", "start_date": "2020"},
        {"category": "Salary"},
    ],
    "spending-analyze_merchant": [
        {"merchant": "Trader Joe's", "start_date": "2026", "group_by_category": True},
        {"merchant": ["Trader Joe's", "Costco"]},
        {"merchant": "Costco", "over": "200"},
        {"merchant": "Costco", "over": "900"},
    ],
    "spending-get_spending_summary": [
        {"period": "October 2026"},
        *({"period": "all_time", "per": per} for per in ("day", "week", "month", "year")),
    ],
    "spending-extremes": [
        *({"measure": measure, "start_date": "October 2026"} for measure in MEASURES),
        *({"measure": "average", "per": per} for per in ("day", "week", "month", "year")),
        *({"measure": "average", "per": per, "start_date": "2026-11-20"} for per in ("week", "month", "year")),
        *({"measure": m, "by": by} for m in ("top", "smallest") for by in ("merchant", "category", "month", "day")),
        *({"measure": measure, "limit": 3} for measure in ("largest", "smallest", "first", "last")),
    ],
    "income-summary": [
        {"start_date": "October 2026"},
        *({"show": "left", "start_date": when} for when in ("October 2026", "November 2026", "2026")),
        *({"show": "left", "claim": claim, "start_date": "October 2026"} for claim in ("in", "out")),
        {"show": "left", "merchant": "Costco"},
        {"merchant": "Costco"},
    ],
    "income-share": [
        *({"of": of, "saved": saved} for of in ("income", "salary") for saved in (True, False)),
        *({"of": of, "category": "Groceries"} for of in ("income", "salary")),
        *({"of": of, "merchant": "Costco"} for of in ("income", "salary")),
        *({"of": of, "start_date": "2020"} for of in ("income", "salary")),
    ],
    "transactions-measure": [
        *(
            {"of": of, "what": what}
            for of in POPULATIONS
            for what in ("total", "count", "average", "exists", "how_often")
        ),
        *({"of": of, "what": "exists", "start_date": "2020"} for of in POPULATIONS),
        *(
            {"of": of, "what": what, "nth": nth}
            for of in ("spending", "income", "refunds")
            for what in ("largest", "smallest", "latest", "first")
            for nth in range(1, 6)
        ),
        *({"means": means} for means in MEANS),
        {"of": "income", "account": "Checking", "category": "Salary"},
        {"of": "spending", "text": "coffee", "start_date": "2026"},
    ],
    "transactions-per_interval": [
        *(
            {"grain": grain, "show": show, "of": of, "start_date": "2026"}
            for grain in ("day", "week", "month", "quarter", "year")
            for show in ("rows", "average", "trend", "empty")
            for of in ("spending", "income")
        ),
        {"grain": "month", "show": "empty", "merchant": "Alaska Airlines"},
        {"grain": "month", "show": "trend", "start_date": "2026-09-01", "end_date": "2026-10-31"},
    ],
    "recurring-list": [
        *({"which": which, "wanted": wanted} for which in WHICH for wanted in ("list", "sum", "count", "new", "ended")),
        *({"which": which, "wanted": "ended", "merchant": "Costco"} for which in WHICH),
        *({"which": which, "rhythm": "quarter"} for which in WHICH),
        {"merchant": "Netflix"},
        {"wanted": "new", "period": "all_time", "text": "netflix"},
    ],
    "recurring-current": [
        *({"merchant": name, "about": about} for name in ("Netflix", "Costco", "TriMet") for about in ABOUT),
        *({"category": "Groceries", "about": about} for about in ABOUT),
        *({"of": of, "about": about} for of in ("income", "salary", "savings") for about in ABOUT),
        *({"category": "Mortgage & Rent", "about": about, "period": "all_time"} for about in ABOUT),
    ],
    "recurring-upcoming": [{}, {"days": 1}],
    "recurring-changes": [
        {"which": which, "direction": way, "period": period}
        for which in ("all", "subscriptions", "bills", "income")
        for way in ("up", "down")
        for period in ("2026", "all_time")
    ],
}


async def no_index():
    """Words alone."""


@pytest.fixture
async def german(sqlite_store, alice):
    """The context of somebody who asks in German, with two years of a household."""
    repository = await sqlite_store.repository(alice)
    await import_files(repository, [SourceFile(SAMPLE_NAME, sample_csv(TODAY))])
    return replace(await tool_context(repository, NOW, no_index), language="de")


async def answered(context, name, arguments):
    tool = Registry.built_in().get(name)
    checked = check_arguments(tool, arguments, context)
    assert not checked.reason, checked.reason
    return await run_tool(tool, checked.arguments, context)


@pytest.mark.parametrize("name", sorted(CALLS))
async def test_every_word_of_an_answer_is_told_in_german(german, name):
    """Headline, notes and tables, and what a receipt says of each figure."""
    with untold_in("de") as untold:
        for arguments in CALLS[name]:
            result = await answered(german, name, arguments)
            result_reply(result, german)
            for fact in result.facts:
                translated(fact.label, "de")
                translated(fact.how, "de")
    assert not untold


def test_every_kind_is_called_something_in_german():
    with untold_in("de") as untold:
        assert {translated(name, "de") for name in KINDS.values()}
    assert not untold
