"""Questions about what is in an account: on which day, of which account, and what of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.unit.graph.conftest import ME, Talk

if TYPE_CHECKING:
    from pathlib import Path

TOOL = "accounts-balance"
OCTOBER = {"start_date": "2026-10-01", "end_date": "2026-10-31"}
END_OF_SEPTEMBER = {"start_date": "2026-09-21", "end_date": "2026-09-30"}


def statement(kind: str, whose: str, rows: str, balance: str, on: str) -> str:
    stated = f"<LEDGERBAL><BALAMT>{balance}<DTASOF>{on}</LEDGERBAL>"
    return f"<{kind}><CURDEF>USD{whose}<BANKTRANLIST>{rows}</BANKTRANLIST>{stated}</{kind}>"


def row(day: str, amount: str, name: str) -> str:
    return f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{day}<NAME>{name}</STMTTRN>"


def bank(ref: str, kind: str) -> str:
    return f"<BANKACCTFROM><ACCTID>{ref}<ACCTTYPE>{kind}</BANKACCTFROM>"


FILE = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX>" + "".join(
    (
        statement("STMTRS", bank("Everyday", "CHECKING"), row("20260901", "2500.00", "ACME PAYROLL")
                  + row("20260915", "-900.00", "RENT") + row("20261012", "-1700.00", "IKEA")
                  + row("20261020", "1200.00", "ACME PAYROLL") + row("20261110", "-150.00", "TRADER JOES"),
                  "1000.00", "20261120"),
        statement("STMTRS", bank("Rainy Day", "SAVINGS"), row("20260901", "1.00", "INTEREST"), "5000.00", "20261031"),
        statement("CCSTMTRS", "<CCACCTFROM><ACCTID>Gold</CCACCTFROM>", row("20261005", "-80.00", "STARBUCKS"),
                  "-480.00", "20261031"),
    )
) + "</OFX>"  # fmt: skip


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with a current account, savings and a card, and what was in them."""

    async def write(path: Path) -> None:
        store = await Store.open(path)
        await import_files(await store.repository(ME), [SourceFile("bank.ofx", FILE.encode())])
        await store.close()

    path = tmp_path_factory.mktemp("stated") / "money.sqlite3"
    asyncio.run(write(path))
    return path


@pytest.fixture
async def talk(stated, open_agent):
    agent = await open_agent(stated)
    yield Talk(agent)
    await agent._store.close()


async def asked(talk: Talk, text: str) -> tuple[str, dict[str, object]]:
    outcome = await talk.say(text)
    assert outcome.scope is not None, outcome.reply.plain()
    return outcome.scope.tool, outcome.scope.arguments


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("How much money do I have?", {}),
        ("Kontostand", {}),
        ("wie viel hab ich noch auf dem Konto", {}),
        ("How much do I owe?", {"told": "owed"}),
        ("am I overdrawn", {"told": "overdrawn"}),
        ("bin ich im Minus?", {"told": "overdrawn"}),
        ("what's in my savings", {"account": "Rainy Day"}),
        ("Saldo Sparkonto", {"account": "Rainy Day"}),
        ("balance of my savings at the end of September", {"account": "Rainy Day", **END_OF_SEPTEMBER}),
        ("what was my balance at the end of September", END_OF_SEPTEMBER),
        ("Kontostand Ende Oktober", {"start_date": "2026-10-21", "end_date": "2026-10-31"}),
        ("balance at the beginning of October", {"start_date": "2026-09-30", "end_date": "2026-09-30"}),
        ("what was my lowest balance in October", {"told": "lowest", **OCTOBER}),
        ("did I go below zero in October", {"told": "below_zero", **OCTOBER}),
        ("War ich im Oktober im Minus?", {"told": "below_zero", **OCTOBER}),
        ("how much do I owe on my credit card", {"account": "Gold", "told": "owed"}),
        ("Wie viel schulde ich auf der Kreditkarte?", {"account": "Gold", "told": "owed"}),
        ("what is my net worth", {"told": "net_worth"}),
        ("show my balance by month", {"grain": "month"}),
        ("Wie hat sich mein Kontostand entwickelt?", {"grain": "month"}),
    ],
)
async def test_what_is_asked_of_a_balance(talk, question, arguments):
    assert await asked(talk, question) == (TOOL, arguments)


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("how much is left this month", "income-summary"),
        ("what's left at the end of October?", "income-summary"),
        ("how much did I pay in overdraft fees?", "transactions-measure"),
        ("Wie viel Geld habe ich im Oktober ausgegeben?", "spending-get_spending_summary"),
        ("how much did I spend at IKEA", "spending-analyze_merchant"),
    ],
)
async def test_what_is_spent_or_left_is_no_balance(talk, question, tool):
    assert (await asked(talk, question))[0] == tool


@pytest.mark.parametrize(
    "question",
    [
        "what will my balance be next month",
        "what will my balance be at the end of December?",
        "Wie hoch wird mein Kontostand Ende Dezember sein?",
        "how much credit limit is left on my visa",
        "what's my balance on Zorbank?",
        "my balance without savings",
        "how much do I owe Sarah?",
        "how much is left on the mortgage",
    ],
)
async def test_what_no_file_tells_is_not_answered(talk, question):
    outcome = await talk.say(question)
    assert outcome.reply.kind in ("refuse", "clarify"), outcome.reply.plain()
    assert not outcome.reply.facts


async def test_a_follow_up_asks_of_another_time_and_account(talk):
    await talk.say("what was my balance at the end of September")
    assert await asked(talk, "and at the end of October?") == (
        TOOL, {"start_date": "2026-10-21", "end_date": "2026-10-31"}
    )  # fmt: skip
    tool, arguments = await asked(talk, "and in my savings?")
    assert (tool, arguments["account"]) == (TOOL, "Rainy Day")


async def test_the_answer_names_the_day_and_never_today(talk):
    reply = (await talk.say("How much money do I have?")).reply
    assert reply.headline == "$5,520.00 in 3 accounts as of 20 Nov 2026"
    assert "Gold and Rainy Day only up to 31 Oct 2026" in reply.plain()


async def test_without_a_stated_balance_it_is_said_what_would_tell(english):
    reply = (await english.say("How much money do I have?")).reply
    assert (reply.kind, reply.facts) == ("refuse", ())
    assert "A file with balances (OFX" in reply.plain()
