"""The person's accounts: which there are, what they are called, of which type they are, which are one, which is to go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.account_deletion import KEPT_DAYS, delete_account, planned_deletion
from ledger.account_merging import Both, merge_accounts, planned_merge
from ledger.account_names import LONGEST_NAME, rename_account
from ledger.account_types import planned_turn, set_account_type
from ledger.balances import balance_runs
from ledger.filters import Filter
from ledger.journal import new_change
from ledger.money import Money
from ledger.retyping import Turn
from ledger.transactions import AccountType, Flow
from tools.apps.account_effects import effect_table, kinds_told, moved_by, together, without
from tools.apps.scope import no_data
from tools.calls import Call, Choice, choice_of
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Fact, Result, Table
from tools.schema.wording import shorten
from tools.slots import (
    AccountName,
    DeletedAccount,
    IntoAccount,
    ListedAccounts,
    MergedAccount,
    RenamedAccount,
    TypedAccount,
    TypeOfAccount,
)
from tools.slots.account_changes import accounts_named, bare_account, tidy_name
from tools.slots.name_index import letters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.balances import Purse, Run
    from ledger.transactions import Account
    from tools.results import Value

_LIST, _RENAME, _TYPE = "accounts-list", "accounts-rename", "accounts-set_type"
_MERGE, _DELETE, _UNDO = "accounts-merge", "accounts-delete", "corrections-undo"
_MOST_CHOICES = 5
#: What types of account are called.
TYPES = {
    AccountType.CHECKING: say("current account"),
    AccountType.SAVINGS: say("savings account"),
    AccountType.CREDIT_CARD: say("credit card"),
    AccountType.LOAN: say("loan"),
    AccountType.INVESTMENT: say("investment account"),
    AccountType.CASH: say("cash"),
}
#: The same as one of them is called.
ONE_OF = {
    **{kind: say(f"a {name}") for kind, name in TYPES.items()},
    AccountType.INVESTMENT: say("an investment account"),
    AccountType.CASH: say("cash"),
}
_HOW = "To change them: “rename {example} to …”, “{example} is a savings account”, “merge … into {example}”, “delete {example}”."
_UNDONE = "It can be undone."
#: How many transactions are in both of two accounts: none, one, several.
_IN_BOTH = (
    "No transaction is in both.",
    "1 transaction is in both, and there once.",
    "{twice} transactions are in both, and there once.",
)
#: What is asked before an account goes and said of it then, by whether it has one transaction.
_DELETION = {
    True: ("Delete {account} with its 1 transaction?", "Deleted: {account} with its 1 transaction."),
    False: ("Delete {account} with its {count} transactions?", "Deleted: {account} with its {count} transactions."),
}
_FINDS = "It is still found by its name until now, and its bank's files go there."


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One account as it is listed; one with balances in several currencies has a line for each."""

    name: str
    type: str
    """What its type is called, empty where it is not known."""
    count: int
    first: date | None
    last: date | None
    balance: Money | None
    as_of: date | None


def account_table(lines: Sequence[AccountLine]) -> Table:
    """Return a list of accounts as a table."""
    columns = (
        Column("Account"), Column("Type"), Column("Transactions", "count"), Column("First", "date"), Column("Last", "date"),
        Column("Balance", "money"), Column("As of", "date"),
    )  # fmt: skip
    return Table(columns, tuple(map(_cells, lines)))


def _cells(line: AccountLine) -> tuple[Value | Money | None, ...]:
    return line.name, line.type, line.count, line.first, line.last, line.balance, line.as_of


async def account_lines(context: ToolContext) -> list[AccountLine]:
    """Return the person's accounts by name."""
    runs = await balance_runs(context.ledger)
    lines: list[AccountLine] = []
    for account in context.vocabulary.accounts:
        totals = await context.ledger.totals(Filter(accounts=(account.id,)))
        days = [day for each in totals for day in (each.first, each.last) if day]
        count, kind = sum(each.count for each in totals), TYPES[account.type] if account.type else ""
        first, last = min(days, default=None), max(days, default=None)
        lines += [
            AccountLine(account.name, kind, count, first, last, *balance)
            for balance in _balances(account, runs, context)
        ]
    return lines


def _balances(account: Account, runs: dict[Purse, Run], context: ToolContext) -> list[tuple[Money | None, date | None]]:
    held = [(code, run) for (key, code), run in runs.items() if key == account.id]
    found: list[tuple[Money | None, date | None]] = []
    for code, run in sorted(held, key=lambda each: each[0]):
        day = max(run.first, min(run.last, context.today))
        found.append((Money(run.at(day), code), day))
    return found or [(None, None)]


@tool(
    app="accounts",
    name=_LIST,
    examples=("What accounts do I have?", "List my accounts", "Which accounts do you know?", "Welche Konten habe ich?"),
    keywords=("accounts", "list", "cards", "Konten"),
)
async def own_accounts(context: ToolContext, listed: ListedAccounts | None = None) -> Result:
    """The person's accounts with type, number of transactions, first and last day, and stated balance.

    Args:
        listed: Leave it out.
    """
    del listed
    accounts = context.vocabulary.accounts
    if not accounts:
        return no_data(context)
    count = len(accounts)
    return Result(
        "You have one account." if count == 1 else "You have {accounts} accounts.",
        facts=(Fact.count("accounts", "Number of accounts", count),),
        notes=(_HOW,),
        names={"example": accounts[0].name},
        table=account_table(await account_lines(context)),
        behind=(Filter(),),
        form="accounts",
    )


@tool(
    app="accounts",
    name=_RENAME,
    examples=(
        "Rename account Checking 4321 to Everyday",
        "Call my -11005 Amex",
        "The account 4321 should be called Household",
        "Nenn das Konto 4321 Haushaltskonto",
        "Benenne das Konto 4321 in Haushaltskonto um",
    ),
    keywords=("rename", "call", "name", "account", "umbenennen", "Konto"),
    writes=True,
)
async def rename(context: ToolContext, account: RenamedAccount, new_name: AccountName) -> Result:
    """Give one of the person's accounts another name; only where they ask for it themselves.

    Args:
        account: Which one.
        new_name: What it is to be called.
    """
    found = _one(
        account, context,
        lambda each: choice_of(say("Rename {account}", account=each), _RENAME, account=each, new_name=new_name),
    )  # fmt: skip
    if isinstance(found, Result):
        return found
    wanted = tidy_name(new_name)
    refused = _refused(wanted, found, context)
    if refused is not None:
        return refused
    token = new_change()

    async def work(connection: AsyncConnection) -> None:
        await rename_account(connection, context.ledger, token, found.id, wanted)

    return Result(
        "Call {account} “{name}”?",
        notes=(_FINDS, _UNDONE),
        names={"account": found.name, "name": wanted},
        behind=(Filter(accounts=(found.id,)),),
        change=Change(work, "{account} is called “{name}” now.", _back(token)),
    )


def _refused(wanted: str, account: Account, context: ToolContext) -> Result | None:
    """Return why an account can't be called so, if it can't."""
    names = {"account": account.name, "name": shorten(wanted, quoted=False)}
    if not letters(wanted) or len(wanted) > LONGEST_NAME:
        return Result("A name has {most} characters at most.", names={"most": LONGEST_NAME}, kind="clarify")
    if wanted == account.name:
        return Result("{account} is called so already.", names=names, kind="unchanged")
    other = next((each for each in context.vocabulary.accounts if letters(each.name) == letters(wanted)), None)
    if other is None or other.id == account.id:
        return None
    return Result(
        "Another account is called “{name}” already. Are they one?",
        names=names,
        kind="clarify",
        choices=(
            choice_of(
                say("Merge {account} into {into}", account=account.name, into=other.name), _MERGE,
                account=account.name, into=other.name,
            ),
        ),
    )  # fmt: skip


@tool(
    app="accounts",
    name=_TYPE,
    examples=(
        "My Amex is a credit card",
        "The account 4321 is a savings account",
        "Set the type of Checking 4321 to savings",
        "Das Konto 4321 ist ein Sparkonto",
    ),
    keywords=("type", "credit card", "savings", "account", "Art", "Kreditkarte", "Sparkonto"),
    writes=True,
)
async def set_type(context: ToolContext, account: TypedAccount, type: TypeOfAccount) -> Result:  # noqa: A002 - what it is
    """Say of which type one of the person's accounts is, which decides what some of its transactions count as.

    Args:
        account: Which one.
        type: Of which type it is.
    """
    wanted = AccountType(type)
    said = ONE_OF[wanted]
    found = _one(
        account, context,
        lambda each: choice_of(say("{account} is {type}", account=each, type=said), _TYPE, account=each, type=type),
    )  # fmt: skip
    if isinstance(found, Result):
        return found
    names: dict[str, Value | Money] = {"account": found.name, "type": said}
    if found.type is wanted:
        return Result("{account} is {type} already.", names=names, kind="unchanged")
    turn = Turn(found.id, wanted)
    planned = planned_turn(context.ledger.ledger_id, turn)
    async with context.ledger.store.read() as connection:
        plan = await planned.look(connection, context.ledger.ledger_id)
    token = new_change()
    counts: dict[str, int] = {}

    async def work(connection: AsyncConnection) -> None:
        await set_account_type(connection, context.ledger, token, turn, planned)

    notes = kinds_told(plan, counts) or ["No transaction changes by that."]
    if found.type is not None:
        names["before"] = ONE_OF[found.type]
    return Result(
        "Treat {account} as {type}, and no longer as {before}?" if found.type else "Treat {account} as {type}?",
        notes=(*notes, "Its files are read so from now on.", _UNDONE),
        names={**names, **counts},
        table=await effect_table(context, moved_by(plan)),
        behind=(Filter(accounts=(found.id,)),),
        change=Change(work, "{account} is {type} now.", _back(token)),
    )


@tool(
    app="accounts",
    name=_MERGE,
    examples=(
        "Merge Utf into Amex",
        "Checking 4321 and Everyday are the same account",
        "Führe Utf und Haushaltskonto zusammen",
        "Utf ist dasselbe Konto wie Haushaltskonto",
    ),
    keywords=("merge", "same", "account", "combine", "zusammenführen", "dasselbe"),
    writes=True,
)
async def merge(context: ToolContext, account: MergedAccount, into: IntoAccount) -> Result:
    """Make one of two accounts that are one and the same: what both have is there once.

    Args:
        account: The one that becomes part of the other.
        into: The other, by whose name both are called then.
    """
    one = _one(
        account, context, lambda each: choice_of(say("Merge {account}", account=each), _MERGE, account=each, into=into)
    )
    other = _one(
        into, context, lambda each: choice_of(say("Into {account}", account=each), _MERGE, account=account, into=each)
    )
    for each in (one, other):
        if isinstance(each, Result):
            return each
    if isinstance(one, Result) or isinstance(other, Result):  # for the type checker
        raise TypeError
    if one.id == other.id:
        return Result("That is one account already: {account}.", names={"account": one.name}, kind="unchanged")
    # The one whose type is known stays, under the name that both are to have.
    going, staying = (other, one) if other.type is None and one.type is not None else (one, other)
    both = Both(going.id, staying.id, other.name)
    planned = planned_merge(context.ledger.ledger_id, both)
    async with context.ledger.store.read() as connection:
        plan = await planned.look(connection, context.ledger.ledger_id)
    token = new_change()
    counts: dict[str, int] = {}

    async def work(connection: AsyncConnection) -> None:
        await merge_accounts(connection, context.ledger, token, both, planned)

    total = sum(each.count for each in await context.ledger.totals(Filter(accounts=(one.id, other.id))))
    twice = len(plan.dropped)
    notes = [
        _IN_BOTH[min(twice, 2)],
        *kinds_told([each for each in plan.rewritten if each.id not in plan.doubles], counts),
    ]
    if going.type is not None and staying.type is not None and going.type is not staying.type:
        both_as = "Both count as {type} then, not as {other}."
        notes.append(say(both_as, type=ONE_OF[staying.type], other=ONE_OF[going.type]))
    names: dict[str, Value | Money] = {
        "account": one.name, "into": other.name, "total": total - twice, "twice": twice, **counts,
    }  # fmt: skip
    turned = moved_by(each for each in plan.rewritten if each.id not in plan.doubles)
    return Result(
        "Make {account} a part of {into}, which then has {total} transactions?",
        facts=(Fact.count("total", "Transactions", total - twice), Fact.count("twice", "In both", twice)),
        notes=(*notes, "Files of either go there, and both names find it.", _UNDONE),
        names=names,
        table=await effect_table(context, together(without(plan.dropped), turned)),
        behind=(Filter(accounts=(one.id, other.id)),),
        change=Change(work, "{account} is a part of {into} now, with {total} transactions.", _back(token)),
    )


@tool(
    app="accounts",
    name=_DELETE,
    examples=(
        "Delete the account Old Bank",
        "Remove my Checking 4321 with all its transactions",
        "Lösche das Konto 4321",
    ),
    keywords=("delete", "remove", "account", "löschen", "Konto"),
    writes=True,
)
async def delete(context: ToolContext, account: DeletedAccount) -> Result:
    """Delete one of the person's accounts with all of its transactions; only where they ask for it themselves.

    Args:
        account: Which one.
    """
    found = _one(account, context, lambda each: choice_of(say("Delete {account}", account=each), _DELETE, account=each))
    if isinstance(found, Result):
        return found
    planned = planned_deletion(context.ledger.ledger_id, found.id)
    async with context.ledger.store.read() as connection:
        ids, plan, back = await planned.look(connection, context.ledger.ledger_id)
    token, gone = new_change(), set(ids)
    counts: dict[str, int] = {}

    async def work(connection: AsyncConnection) -> None:
        await delete_account(connection, context.ledger, token, found.id, planned)

    wanted, rows = Filter(accounts=(found.id,)), []
    for flow in (Flow.SPENDING, Flow.INCOME):
        rows += [
            (flow, -each.net_out_minor, each.currency)
            for each in await context.ledger.totals(Filter(accounts=(found.id,), flow=flow))
        ]
    others = [each for each in plan if each.id not in gone]
    rows += [(flow, -minor, currency) for flow, minor, currency in back]
    totals = await context.ledger.totals(wanted)
    first, last = (
        pick((day for each in totals for day in (each.first, each.last) if day), default=None) for pick in (min, max)
    )
    notes = ["They are from {first} to {last}."] if first and last else []
    names: dict[str, Value | Money] = {"account": found.name, "count": len(ids), "days": KEPT_DAYS}
    names |= {"first": first, "last": last} if first and last else {}
    question, done = _DELETION[len(ids) == 1]
    return Result(
        question,
        facts=(Fact.count("count", "Transactions that go", len(ids)),),
        notes=(
            *notes, *kinds_told(others, counts), "It can be undone for {days} days, and its files can be imported again.",
        ),
        names={**names, **counts},
        table=await effect_table(context, together(without(rows), moved_by(others))),
        behind=(wanted,),
        change=Change(work, done, _back(token)),
    )  # fmt: skip


def _one(account: str, context: ToolContext, again: Callable[[str], Choice]) -> Account | Result:
    """Return the account that words name, or the question which; ``again`` asks for the same of one by its name."""
    if not context.vocabulary.accounts:
        return no_data(context)
    own = next((each for each in context.vocabulary.accounts if each.name == account), None)
    found = (own,) if own else accounts_named(account, context)
    if len(found) == 1:
        return found[0]
    choices = tuple(again(each.name) for each in (found or context.vocabulary.accounts)[:_MOST_CHOICES])
    said: dict[str, Value | Money] = {"said": shorten(bare_account(account), quoted=False), "count": len(found)}
    if found:
        return Result("{count} accounts are called “{said}”. Which one?", names=said, kind="clarify", choices=choices)
    return Result("You have no account “{said}”. Which one?", names=said, kind="clarify", choices=choices)


def _back(token: str) -> Call:
    return Call(_UNDO, {"change": token})
