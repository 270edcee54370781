"""What the ledger holds."""

from __future__ import annotations

from ledger.filters import Filter
from tools.apps.accounts import account_lines, account_table
from tools.apps.scope import no_data
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Fact, Result


def _held(count: int, accounts: int) -> str:
    if count == 1:
        return "1 transaction in one account, on {first}"
    if accounts == 1:
        return "{count} transactions in one account from {first} to {last}"
    return "{count} transactions in {accounts} accounts from {first} to {last}"


@tool(
    app="ledger",
    name="ledger-status",
    examples=(
        "What data do you have?",
        "What is in my ledger?",
        "How many transactions do I have?",
        "Which accounts do you know?",
        "Which categories do I have?",
        "Which accounts do I have?",
        "How far back does my data go?",
        "Since when do you have data?",
        "What do you know about my accounts?",
        "What period does my data cover?",
        "When was my last import?",
        "Ledger status",
        "Welche Daten hast du?",
        "Welche Konten kennst du?",
        "Was weißt du über meine Daten?",
        "Seit wann hast du Daten?",
        "Wie viele Buchungen hast du?",
        "Wie weit reichen meine Daten zurück?",
    ),
    keywords=("ledger", "data", "accounts", "status", "Daten", "Konten"),
)
async def status(context: ToolContext) -> Result:
    """What is in the ledger: accounts, number of transactions, first and last day, categories, currencies."""
    vocabulary = context.vocabulary
    if vocabulary.count == 0 or vocabulary.first is None or vocabulary.last is None:
        return no_data(context)
    accounts = len(vocabulary.accounts)
    uncategorised = await context.ledger.totals(Filter(categories=("Uncategorised",)))
    facts = [
        Fact.count("count", "Number of transactions", vocabulary.count),
        Fact("first", "First day", vocabulary.first, "date"),
        Fact("last", "Last day", vocabulary.last, "date"),
        Fact.count("accounts", "Number of accounts", accounts),
        Fact.count("categories", "Number of categories", len(vocabulary.categories)),
        Fact.count("merchants", "Number of merchants", len(vocabulary.merchants)),
        Fact.count("uncategorised", "Without a category", sum(each.count for each in uncategorised)),
    ]
    return Result(
        headline=_held(vocabulary.count, accounts),
        facts=tuple(facts),
        notes=(
            "{merchants} merchants, {categories} categories",
            "{uncategorised} without a category",
        ),
        table=account_table(await account_lines(context)),
        behind=(Filter(),),
        form="accounts",
    )
