"""A name is meant by all of the words that belong together, and not by whichever of them some name holds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from graph.agent import MoneyAgent
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.unit.graph.conftest import ME, Talk

LEEDS = b"""Date,Description,Amount,Currency
2026-10-01,DIRECT DEBIT LEEDS CITY COUNCIL,-142.00,GBP
2026-10-02,TRANSFER TO TAX POT,-100.00,GBP
2026-10-03,LEEDS UTD TICKETS,-38.00,GBP
2026-10-04,LEEDS MARKET CAFE,-6.50,GBP
2026-10-05,TESCO STORES 3021,-25.00,GBP
"""
AKRON = b"""Date,Description,Amount,Currency
2026-10-01,PROGRESSIVE *INSURANCE 800-776-4737 OH,-120.00,USD
2026-10-02,AAA OHIO AUTO CLUB,-60.00,USD
2026-10-03,ADVANCE AUTO PARTS #4412,-35.00,USD
2026-10-04,CONRADS TIRE EXPRESS #12,-300.00,USD
2026-10-05,SUMMA HOSPITAL PAYROLL DIR DEP,2000.00,USD
2026-10-06,MERCY HOSPITAL PAYROLL DIR DEP,800.00,USD
2026-10-07,AKRON CHILDRENS HOSP 330-543-1000,-75.00,USD
2026-10-09,FARMERS INSURANCE HOME,-90.00,USD
"""
#: Categories that are called what is asked in any question.
KINDS = b"""Date,Description,Amount,Category,Currency
2026-10-01,SHELL,-1.00,Purchases,USD
2026-10-02,WAWA,-2.00,Expenses,USD
2026-10-03,REI,-4.00,Spending,USD
2026-10-04,LOWES,-8.00,Total,USD
2026-10-05,TARGET,-16.00,Transaction,USD
2026-10-06,CVS,-32.00,What,USD
2026-10-07,SAFEWAY,-64.00,Tips,USD
"""


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A database file for each of two ledgers."""

    async def made(name: str, data: bytes) -> Path:
        path = tmp_path_factory.mktemp(name) / "money.sqlite3"
        store = await Store.open(path)
        await import_files(await store.repository(ME), [SourceFile("bank.csv", data)])
        await store.close()
        return path

    return {
        name: asyncio.run(made(name, data)) for name, data in (("leeds", LEEDS), ("akron", AKRON), ("kinds", KINDS))
    }


@pytest.fixture
async def ask(
    homes: dict[str, Path], open_agent: Callable[..., Awaitable[MoneyAgent]]
) -> AsyncIterator[Callable[[str, str], Awaitable[str]]]:
    agents = []

    async def asked(home: str, question: str) -> str:
        agent = await open_agent(homes[home])
        agents.append(agent)
        return (await Talk(agent).say(question)).reply.headline

    yield asked
    for agent in agents:
        await agent._store.close()


@pytest.mark.parametrize(
    ("home", "question", "told"),
    [
        ("leeds", "how much is my council tax?", "£142.00 at Leeds City Council"),
        ("leeds", "council tax in October 2026", "£142.00 at Leeds City Council"),
        ("leeds", "how much tax did I pay in October 2026", "£142.00 on taxes"),
        ("leeds", "how much did I spend on Leeds Utd in October 2026", "£38.00"),
        ("akron", "how much did my hospital jobs pay in October 2026", "$2,800.00 came in"),
        ("akron", "income from hospital jobs in October 2026", "$2,800.00 came in"),
        ("akron", "what did I pay the hospital in October 2026", "$75.00 at Akron Childrens Hosp"),
        ("akron", "how much is my car insurance with Progressive?", "$120.00 at Progressive"),
    ],
)
async def test_what_is_meant(ask, home: str, question: str, told: str) -> None:
    """A town, a kind of shop and what is bought are better readings of a word than a part of somebody's name."""
    assert (await ask(home, question)).startswith(told)


async def test_car_insurance_is_about_no_tyres(ask) -> None:
    """Where nobody is known to insure cars, no figure is made of everything about cars and everything about insurance."""
    assert "$" not in await ask("akron", "how much on car insurance")


@pytest.mark.parametrize(
    "question",
    [
        "What did I spend in October in total?",
        "What was my spending in October?",
        "total expenses in October",
        "Spending in October",
        "list my transactions in October",
        "list my purchases in October",
    ],
)
async def test_a_category_called_as_any_question_is_takes_no_question_over(ask, question):
    assert "$127.00" in await ask("kinds", question)


async def test_it_is_meant_with_a_capital_or_as_a_category(ask):
    assert await ask("kinds", "What did I spend on Expenses in October?") == "$2.00 on expenses in October 2026"
    assert await ask("kinds", "How much did I spend on tips in October?") == "$64.00 on tips in October 2026"
    assert await ask("kinds", "spending in category total in October") == "$8.00 on total in October 2026"
