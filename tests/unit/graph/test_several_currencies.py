"""Questions over money in several currencies: what is said of one is never told of another, nor left out in silence."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from graph.agent import MoneyAgent
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.unit.graph.conftest import ME, Talk

ABROAD = b"""Date,Description,Amount,Currency
2026-10-01,REWE MARKT,-20.00,EUR
2026-10-02,REWE MARKT,-10.00,EUR
2026-10-03,TRADER JOES,-30.00,USD
2026-10-04,TESCO STORES,-40.00,GBP
"""


@pytest.fixture
async def ask(
    tmp_path: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    path = tmp_path / "money.sqlite3"
    store = await Store.open(path)
    await import_files(await store.repository(ME), [SourceFile("bank.csv", ABROAD)])
    await store.close()
    agent = await open_agent(path)

    async def asked(question: str) -> str:
        return (await Talk(agent).say(question)).reply.plain()

    yield asked
    await agent._store.close()


@pytest.mark.parametrize(
    "question",
    [
        "How much did I spend in dollars in October?",
        "What was my biggest expense in USD in October?",
        "what was my largest purchase in pounds",
        "Wie viel habe ich im Oktober in Dollar ausgegeben?",
        "purchases over 25 dollars in October",
        "purchases over $25 in October",
        "Which payments were under £50?",
        "find 30 dollars",
    ],
)
async def test_a_currency_that_is_named_is_not_overheard(ask, question):
    told = await ask(question)
    assert "€" not in told
    assert not told.startswith("No ")


@pytest.mark.parametrize("bound", ["15", "15 euros", "€15"])
async def test_a_bound_in_the_usual_currency_is_taken(ask, bound):
    assert (await ask(f"purchases over {bound} in October")).startswith("€20.00 at REWE")


@pytest.mark.parametrize(
    "question",
    [
        "What was my biggest purchase in October?",
        "What was my smallest purchase in October?",
        "average purchase in October",
        "average spending per month",
        "top merchants in October",
        "on which day did I spend the most in October?",
    ],
)
async def test_what_other_currencies_hold_is_told_where_they_are_not_compared(ask, question):
    told = await ask(question)
    assert "€" in told.splitlines()[0]
    assert "£40.00 and $30.00 in other currencies left out" in told


async def test_an_average_counts_the_purchases_that_it_is_of(ask):
    told = await ask("average purchase in October")
    assert told.startswith("€15.00 per purchase in October 2026")
    assert "2 purchases, 1–31 Oct 2026" in told
