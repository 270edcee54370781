"""A receipt's rows sum to what it says, and its figure is the answer's."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from bots.receipts import receipts, rows_behind
from graph.reply import Reply, Text
from ledger.filters import Filter
from ledger.imports import import_files
from ledger.money import Money
from ledger.periods.period import Period
from ledger.statement_writer import SourceFile
from ledger.transactions import Flow
from tests.support.console import NOW
from tools.results import Fact
from tools.surroundings import tool_context

BANK = b"""Date,Description,Amount,Transaction Type,Category,Account Name,Currency
2026-10-05,REWE,20.00,debit,Groceries,Card,EUR
2026-10-09,REWE,7.50,debit,Groceries,Card,EUR
2026-10-12,REWE,2.50,credit,Groceries,Card,EUR
2026-10-15,WALMART,5.00,debit,Groceries,Card,USD
2026-10-20,TRANSFER TO SAVINGS,300.00,debit,Transfer,Giro,EUR
2026-10-30,ACME PAYROLL,2000.00,credit,Paycheck,Giro,EUR
2026-11-02,REWE,9.00,debit,Groceries,Card,EUR
"""

OCTOBER = Period(date(2026, 10, 1), date(2026, 10, 31))
SPENT = Filter(period=OCTOBER, flow=Flow.SPENDING)


@pytest.fixture
async def context(sqlite_store, alice):
    repository = await sqlite_store.repository(alice)
    report = await import_files(repository, [SourceFile("bank.csv", BANK)])
    assert report.files[0].added == 7

    async def no_index():
        return None

    return await tool_context(repository, NOW, no_index)


def reply(*behind: Filter, facts: tuple[Fact, ...] = ()) -> Reply:
    return Reply("answer", "Spent.", (Text("Noted here.", "definition"),), facts=facts, behind=behind)


def said(lines, name: str) -> list[str]:
    return [text for key, text in lines if key == name]


async def test_it_says_period_what_counts_what_does_not_and_what_it_adds_up_to(context):
    total = Fact.money("total", "Total spent", Money(2500, "EUR"))
    (receipt,) = await receipts(reply(SPENT, facts=(total,)), context)
    assert said(receipt.lines, "Period") == ["October 2026: 1–31 Oct 2026"]
    assert said(receipt.lines, "Rows") == ["4 transactions: €27.50 out, €2.50 in, $5.00 out"]
    assert said(receipt.lines, "Adds up to") == ["€25.00 = Total spent", "$5.00"]
    assert said(receipt.lines, "Left out") == [
        "1 that count as income: €2,000.00 in",
        "1 transfers or card payments: €300.00 out",
    ]
    assert said(receipt.lines, "Noted") == ["Noted here."]
    *rows, euros, dollars = receipt.rows.rows
    assert sum(row[4].amount for row in rows if row[4].currency == "EUR") == euros[4].amount == Decimal("-25.00")
    assert dollars[4] == Money(-500, "USD")


async def test_only_some_rows_are_shown_but_all_are_summed(context):
    (receipt,) = await receipts(reply(SPENT), context, most=1)
    assert [row[1] for row in receipt.rows.rows] == ["Walmart", "Sum of all 3", "Sum of all 1"]


async def test_every_condition_is_named(context):
    accounts = tuple(account.id for account in context.vocabulary.accounts if account.name == "Card")
    wanted = Filter(
        period=OCTOBER, flow=Flow.SPENDING, categories=("Groceries",), merchants=("rewe",), accounts=accounts, currency="EUR",
        at_least_minor=800, sign=-1, not_ids=(99,), not_categories=("Rent",), phrases=None,
    )  # fmt: skip
    (receipt,) = await receipts(reply(wanted), context)
    lines = dict(receipt.lines)
    assert lines["Category"] == "Groceries"
    assert lines["Merchant"].casefold() == "rewe"
    assert lines["Account"] == "Card"
    assert lines["Amount"] == "at least €8.00"
    assert lines["Direction"] == "money out only"
    assert said(receipt.lines, "Not") == ["Rent", "1 single transaction"]
    assert lines["Adds up to"] == "€20.00"


async def test_income_is_counted_the_other_way(context):
    income = Fact.money("total", "Income", Money(200000, "EUR"))
    (receipt,) = await receipts(reply(Filter(period=OCTOBER, flow=Flow.INCOME), facts=(income,)), context)
    assert said(receipt.lines, "Adds up to") == ["€2,000.00 = Income"]


async def test_each_side_of_a_comparison_has_its_own_receipt_and_the_rows_of_both_are_listed_once(context):
    november = Filter(period=Period(date(2026, 11, 1), date(2026, 11, 21)), flow=Flow.SPENDING)
    both = reply(SPENT, november, SPENT)
    assert [said(receipt.lines, "Period")[0][:8] for receipt in await receipts(both, context)] == [
        "October ",
        "1–21 Nov",
        "October ",
    ]
    table = await rows_behind(both, context, None)
    assert len(table.rows) == 5 + 2
    assert {row[4] for row in table.rows[-2:]} == {Money(-3400, "EUR"), Money(-500, "USD")}


async def test_figures_of_figures_have_them_as_their_receipt(context):
    facts = (Fact.money("sum", "Sum", Money(300, "EUR")), Fact.money("value_1", "Figure", Money(100, "EUR")))
    (receipt,) = await receipts(Reply("answer", "Sum.", facts=facts), context)
    assert receipt.lines == (("Sum", "€3.00"), ("Figure", "€1.00"))
    assert receipt.rows is None
    assert await rows_behind(Reply("answer", "Sum."), context, 10) is None


async def test_an_empty_scope_says_so(context):
    nothing = Filter(period=Period(date(2020, 1, 1), date(2020, 1, 31)), flow=Flow.SPENDING)
    (receipt,) = await receipts(reply(nothing), context)
    assert ("Rows", "none") in receipt.lines
    assert receipt.rows is None
