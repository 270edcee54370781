"""Plain sentences about whole accounts, in both languages, and questions that name them; other sentences are left alone."""

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
from tools.calls import Call

HEAD = "Date,Description,Amount (USD),Account,Account Type\n"
FILES = {
    "11005": "2026-10-02,TESCO STORES 2041,-42.10,-11005,Credit Card\n",
    "chase": "2026-10-03,COSTCO,-60.00,Chase 1234,Credit Card\n2026-10-03,RENT,-900.00,Chase 9999,Checking\n",
    "utf": "2026-10-04,COFFEE,-3.00,Utf,\n2026-10-05,SALARY ACME,2500.00,Checking 4321,Checking\n",
    "joint": "2026-10-06,NETFLIX.COM,-9.99,Joint,Checking\n",
}


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with some accounts that are called as banks call them."""

    async def make() -> Path:
        path = tmp_path_factory.mktemp("ledger") / "money.sqlite3"
        store = await Store.open(path)
        for name, text in FILES.items():
            report = await import_files(await store.repository(ME), [SourceFile(f"{name}.csv", (HEAD + text).encode())])
            assert not report.failed
        await store.close()
        return path

    return asyncio.run(make())


@pytest.fixture
async def talk(accounts: Path, open_agent: Callable[..., Awaitable[MoneyAgent]]) -> AsyncIterator[Talk]:
    agent = await open_agent(accounts)
    yield Talk(agent)
    await agent._store.close()


def called(outcome) -> list[Call]:
    return [Call(call["name"], call["arguments"]) for call in outcome.reply.trace["calls"]]


@pytest.mark.parametrize(
    ("text", "account", "name"),
    [
        ("rename -11005 to Amex", "-11005", "Amex"),
        ("Rename account -11005 to Amex", "-11005", "Amex"),
        ("call my -11005 Amex", "-11005", "Amex"),
        ("please call the joint account Household", "Joint", "Household"),
        ("Can you rename Checking 4321 to “Everyday”?", "Checking 4321", "Everyday"),
        ("change the name of Utf to Dorfbank", "Utf", "Dorfbank"),
        ("the account 4321 should be called Everyday", "Checking 4321", "Everyday"),
        ("give Utf the name Dorfbank", "Utf", "Dorfbank"),
        ("name my checking 4321 my everyday account", "Checking 4321", "Everyday account"),
        ("Nenn das Konto -11005 Amex", "-11005", "Amex"),
        ("Nenne Checking 4321 ab jetzt Haushaltskonto", "Checking 4321", "Haushaltskonto"),
        ("Benenne das Konto 4321 in Haushaltskonto um", "Checking 4321", "Haushaltskonto"),
        ("Utf in Dorfbank umbenennen", "Utf", "Dorfbank"),
        ("Das Konto 4321 soll Haushaltskonto heißen", "Checking 4321", "Haushaltskonto"),
        ("Mein Utf heißt ab jetzt Dorfbank", "Utf", "Dorfbank"),
        ("Bitte gib Utf den Namen Dorfbank", "Utf", "Dorfbank"),
    ],
)
async def test_an_account_is_called_as_the_person_says(talk, text, account, name):
    outcome = await talk.say(text)
    (call,) = called(outcome)
    assert (call.name, outcome.proposal) == ("accounts-rename", call)
    said = {"en": f"Call {account} “{name}”?", "de": f"{account} in „{name}“ umbenennen?"}
    assert outcome.reply.headline == said[outcome.reply.language]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my Utf is a savings account", "savings"),
        ("Utf is a current account", "checking"),
        ("-11005 is a loan", "loan"),
        ("set the type of Utf to savings", "savings"),
        ("make Utf a credit card", "credit_card"),
        ("mark the joint account as cash", "cash"),
        ("Checking 4321 is actually my mortgage", "loan"),
        ("Utf ist ein Sparkonto", "savings"),
        ("Das Konto 4321 ist eigentlich ein Depot", "investment"),
        ("Setze die Art von Utf auf Girokonto", "checking"),
        ("Mach Utf zur Kreditkarte", "credit_card"),
        ("Behandle Utf als Darlehen", "loan"),
    ],
)
async def test_an_account_is_of_the_type_that_the_person_says(talk, text, kind):
    (call,) = called(await talk.say(text))
    assert (call.name, call.arguments["type"]) == ("accounts-set_type", kind)


@pytest.mark.parametrize(
    ("text", "going", "into"),
    [
        ("merge Utf into Checking 4321", "Utf", "Checking 4321"),
        ("combine Utf with my joint account", "Utf", "Joint"),
        ("merge Utf and Joint", "Utf", "Joint"),
        ("Utf and Checking 4321 are the same account", "Checking 4321", "Utf"),
        ("Checking 4321 is the same account as Utf", "Checking 4321", "Utf"),
        ("Führe Utf und Joint zusammen", "Utf", "Joint"),
        ("Utf und Joint sind dasselbe Konto", "Utf", "Joint"),
        ("Utf ist dasselbe Konto wie Joint", "Utf", "Joint"),
        ("Verbinde Utf mit Joint", "Utf", "Joint"),
        ("merge my two Chase accounts", "Chase 1234", "Chase 9999"),
        ("my two Chase cards are the same", "Chase 1234", "Chase 9999"),
        ("combine both of my Chase accounts into one", "Chase 1234", "Chase 9999"),
        ("Führe meine beiden Chase-Konten zusammen", "Chase 1234", "Chase 9999"),
        ("Die beiden Chase Konten sind dasselbe", "Chase 1234", "Chase 9999"),
    ],
)
async def test_two_accounts_are_one_under_the_better_name(talk, text, going, into):
    outcome = await talk.say(text)
    assert [call.name for call in called(outcome)] == ["accounts-merge"]
    said = {"en": f"Make {going} a part of {into}, which", "de": f"{going} mit {into} zusammenführen, das"}
    assert outcome.reply.headline.startswith(said[outcome.reply.language])


@pytest.mark.parametrize(
    "text",
    [
        "delete the account Utf", "delete Utf", "remove my Utf with all its transactions", "delete everything in Utf",
        "Lösche das Konto Utf", "Lösche Utf", "Entferne Utf mit allen Buchungen", "Lösche alles von Utf",
    ],
)  # fmt: skip
async def test_an_account_is_deleted_once_it_was_shown(talk, text):
    outcome = await talk.say(text)
    (call,) = called(outcome)
    assert call.name == "accounts-delete"
    said = {"en": "Delete Utf with its 1 transaction?", "de": "Utf mit 1 Buchung löschen?"}
    assert outcome.reply.headline == said[outcome.reply.language]


@pytest.mark.parametrize(
    "text",
    [
        "What accounts do I have?", "which accounts do i have", "list my accounts", "show me all my accounts", "my accounts",
        "Which accounts do you know?", "Welche Konten habe ich?", "Zeig mir meine Konten", "welche Konten gibt es",
    ],
)  # fmt: skip
async def test_the_accounts_are_listed(talk, text):
    outcome = await talk.say(text)
    assert [call.name for call in called(outcome)] == ["accounts-list"]
    assert outcome.reply.headline == {"en": "You have 6 accounts.", "de": "Du hast 6 Konten."}[outcome.reply.language]
    assert [row[0] for row in outcome.reply.table.rows] == [
        "-11005",
        "Chase 1234",
        "Chase 9999",
        "Checking 4321",
        "Joint",
        "Utf",
    ]
    assert "accounts" in [action.action for row in outcome.reply.rows() for action in row]


async def test_an_account_that_is_not_there_is_asked_about(talk):
    outcome = await talk.say("rename the account Barclays to Everyday")
    assert outcome.reply.headline == "You have no account “Barclays”. Which one?"
    assert len(outcome.reply.choices) == 5
    outcome = await talk.press(outcome.reply.choices[0])
    assert outcome.reply.headline == "Call -11005 “Everyday”?"


@pytest.mark.parametrize(
    "text",
    [
        "Delete my account", "delete my transactions", "rename Netflix to Streaming", "call me Ann", "Costco is groceries",
        "name my biggest expense", "Netflix is a savings account", "Is Utf a savings account?", "merge my accounts",
        "what did I call Utf?", "how much is in my Utf", "the rent is called Miete", "lösche die Regel für Netflix",
        "nenn mir die größte Ausgabe", "put Costco under shopping", "delete the 42.10 at Tesco", "call Netflix Streaming",
    ],
)  # fmt: skip
async def test_what_is_about_anything_else_changes_no_account(talk, text):
    names = {call.name for call in called(await talk.say(text))}
    assert not names & {"accounts-rename", "accounts-set_type", "accounts-merge", "accounts-delete"}


@pytest.mark.parametrize(
    ("question", "spent"),
    [
        ("How much did I spend on my Chase card in October?", "$60.00"),
        ("How much did I spend with the card from Chase in October?", "$60.00"),
        ("How much did I spend from my Chase checking in October?", "$900.00"),
        ("How much did I spend from Chase in October?", "$960.00"),
        ("How much did I spend on the joint account in October?", "$9.99"),
        ("How much did I spend from my utf account in October?", "$3.00"),
    ],
)
async def test_a_card_that_is_named_is_never_a_whole_bank(talk, question, spent):
    outcome = await talk.say(question)
    assert outcome.reply.headline.startswith(spent), outcome.reply.plain()


@pytest.mark.parametrize(
    "question",
    ["How much did I spend on my Chase savings in October?", "How much did I spend with my Amex in October?"],
)
async def test_an_account_that_there_is_none_of_gives_no_figure(talk, question):
    outcome = await talk.say(question)
    assert outcome.reply.kind in ("clarify", "refuse"), outcome.reply.plain()
    assert not outcome.reply.facts
