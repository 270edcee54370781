"""Names as models really send them: with words around what is looked for, and a merchant where a category belongs."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ledger.imports import import_files
from ledger.people import Person
from ledger.search import LedgerSearch
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support import bank_files
from tools.checking import check_arguments
from tools.context import ToolContext
from tools.registry import Registry
from tools.results import Result
from tools.running import run_tool
from tools.slots.query import searched

REGISTRY = Registry.built_in()
SEARCH, CATEGORY = "transactions-search_transactions", "spending-analyze_by_category"
BEFORE = ("", "my ", "all my ", "payments to ", "transactions with ", "meine ", "Zahlungen an ", "alle Buchungen von ")
AFTER = ("", " purchases", " transactions", " subscription payments", " charges", " Buchungen", " Rechnungen", " Abo")


@pytest.fixture
async def context(sqlite_store: Store) -> ToolContext:
    """The ledger of a household that shops in America and in Germany."""
    repository = await sqlite_store.repository(Person("memory", "home", "me"))
    lines = bank_files.american_lines()[::5]
    lines += [
        bank_files.Line(date(2026, 10, day), name, name.upper(), Decimal(f"-{day}.50"), "Shopping", "Visa Card")
        for day, name in enumerate(("Whole Foods", "Home Depot", "REWE", "Legal Sea Foods", "Enterprise Rent-A-Car"), 1)
    ]
    await import_files(repository, [SourceFile("mint.csv", bank_files.mint_csv(lines))])
    return ToolContext(
        repository, await repository.vocabulary(), LedgerSearch(repository, no_index), date(2026, 11, 21)
    )


async def no_index() -> None:
    """There is no index: searching goes by words."""


async def run(name: str, context: ToolContext, **arguments: object) -> Result:
    found = REGISTRY.get(name)
    assert found is not None
    checked = check_arguments(found, arguments, context)
    assert not checked.reason, checked.reason
    return await run_tool(found, checked.arguments, context)


@pytest.fixture
def names(context: ToolContext) -> list[str]:
    return [name for _, name in context.vocabulary.merchants]


async def test_words_around_what_is_searched_change_nothing(context: ToolContext, names: list[str]) -> None:
    """For every merchant, whatever stands before and after it, in English and German."""
    telling = [name for name in names if not set(name.casefold().split()) & {"payment", "transfer", "interest", "rent"}]
    assert len(telling) > 10
    for number, name in enumerate(telling):
        plain = await run(SEARCH, context, query=name)
        assert plain.kind == "answer", name
        for place, before in enumerate(BEFORE):  # each beside each, over the merchants
            after = AFTER[(place + number) % len(AFTER)]
            found = await run(SEARCH, context, query=f"{before}{name}{after}")
            assert found.facts == plain.facts, (before, name, after)


async def test_the_whole_comes_first_where_it_is_there(context: ToolContext) -> None:
    """“Payment thank you” is what a bank calls it; what is nothing but such words is searched as it is."""
    assert searched("Payment thank you")[0] == "Payment thank you"
    assert (await run(SEARCH, context, query="payment thank you")).names["query"] == "payment thank you"
    assert searched("my payments") == ("my payments",)
    assert searched("my Netflix subscription payments") == (
        "my Netflix subscription payments", "Netflix subscription", "Netflix"
    )  # fmt: skip


@pytest.mark.parametrize(
    "query", ["zeppelin purchases", "my zeppelin subscription payments", "alle Zeppelin Buchungen"]
)
async def test_what_is_left_must_match(context: ToolContext, query: str) -> None:
    found = await run(SEARCH, context, query=query)
    assert found.kind == "empty"
    assert str(found.names["query"]).casefold() == "zeppelin"


async def test_no_merchant_is_taken_for_a_category(context: ToolContext, names: list[str]) -> None:
    """None of the ledger's merchants, unless all of its name is a word for a category."""
    category = REGISTRY.get(CATEGORY)
    assert category is not None
    for name in names:
        checked = check_arguments(category, {"category": name}, context)
        if not checked.reason:
            assert name in (*context.vocabulary.categories, "Interest", "Rent"), (name, checked.arguments)
    for name in ("Whole Foods", "home depot", "Legal Sea Foods", "Enterprise Rent-A-Car", "Costco"):
        assert "is a merchant in your ledger" in check_arguments(category, {"category": name}, context).message
    for word in ("food", "groceries", "shopping", "transportation", "gas"):
        assert not check_arguments(category, {"category": word}, context).reason
