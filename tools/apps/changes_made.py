"""What the person changed themselves, of single transactions and of whole accounts: listed, and taken back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from language.catalogue import Template, say
from ledger.account_journal import AccountChange, What, standing_account_changes
from ledger.account_undo import take_account_change_back
from ledger.corrections import take_back
from ledger.journal import Field, Standing, standing_changes, touched
from ledger.transactions import AccountType
from ledger.transfers import MOVED
from tools.apps.accounts import ONE_OF
from tools.apps.proposals import UNDO
from tools.changes import Change
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Column, Result, Table
from tools.slots import ListedChanges, UndoneChange
from tools.slots.row_changes import LAST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.journal import Touched
    from ledger.money import Money
    from tools.results import Value

_SHOWN = 20


@tool(
    app="corrections",
    name=UNDO,
    examples=("Undo my last change", "Take back the last correction", "Mach die letzte Änderung rückgängig"),
    keywords=("undo", "take back", "rückgängig"),
    writes=True,
)
async def undo(context: ToolContext, change: UndoneChange) -> Result:
    """Take back a change of a transaction or of an account, or a row that was written down by hand.

    Args:
        change: The newest one ("last"), or the token of one.
    """
    made = await _made(context, None if change == LAST else change)
    if not made:
        nothing = "There is no change of yours to take back." if change == LAST else "That was taken back already."
        return Result(nothing, kind="empty" if change == LAST else "clarify")
    newest = made[0]
    what = await _told(newest, context)

    async def work(connection: AsyncConnection) -> None:
        if isinstance(newest, AccountChange):
            await take_account_change_back(connection, context.ledger, newest.token)
        else:
            await take_back(connection, context.ledger, newest.token)

    return Result(
        say("Take back: {change}?", change=what.template),
        names=what.names,
        change=Change(work, say("Taken back: {change}.", change=what.template)),
    )


@tool(
    app="corrections",
    name="corrections-list",
    examples=("Show my changes", "What did I change?", "Which rows have I changed?", "Zeig meine Änderungen"),
    keywords=("changes", "corrections", "Änderungen"),
)
async def own_changes(context: ToolContext, change: ListedChanges | None = None) -> Result:
    """What the person changed of single transactions and accounts or wrote down by hand, the newest first.

    Args:
        change: Only the one of this token.
    """
    made = await _made(context, change)
    if not made:
        return Result("You have changed no transaction and no account.", kind="empty")
    shown = made[:_SHOWN]
    noted = [noted.transaction_id for each in shown if isinstance(each, Standing) for noted in each.noted]
    about = await touched(context.ledger, noted)
    rows = tuple(
        (
            date.fromisoformat(each.made_at[:10]),
            *(_account_cells(each, context) if isinstance(each, AccountChange) else _row_cells(each, about)),
        )
        for each in shown
    )
    return Result(
        "You have made {count} changes." if len(made) > 1 else "You have made 1 change.",
        names={"count": len(made)},
        notes=("“Undo my last change” takes the newest back.",),
        table=Table(
            (
                Column("Changed on", "date"), Column("What"), Column("Merchant or account"), Column("Date", "date"),
                Column("Amount", "money"),
            ),
            rows,
        ),
    )  # fmt: skip


async def _made(context: ToolContext, token: str | None) -> list[Standing | AccountChange]:
    """Return the changes that stand, the newest first."""
    rows = await standing_changes(context.ledger, token)
    accounts = await standing_account_changes(context.ledger, token)
    return sorted((*rows, *accounts), key=lambda each: each.made_at, reverse=True)


@dataclass(frozen=True, slots=True)
class _Told:
    template: Template
    names: Mapping[str, Value | Money]


_WHAT = {
    **{field.value: say(f"{field.value} changed") for field in Field},
    "written": say("written down by hand"),
    "deleted": say("deleted"),
    "split": say("split"),
    "merged": say("merged with another one"),
    "linked": say("linked to its purchase"),
    "unlinked": say("unlinked from its purchase"),
    "moved": say("linked as a transfer"),
    "parted": say("no transfer"),
}


def _sort(made: Standing) -> str:
    """Return what a change did."""
    first, fields = made.noted[0], [each.field for each in made.noted]
    if first.field is Field.PLACE:
        made_rows = sum(each.field is Field.PLACE for each in made.noted)
        return "written" if first.before is None else "deleted" if made_rows == 1 else "split"
    if first.field is Field.REFUND_OF:
        return "linked" if first.after else "unlinked"
    if first.field is Field.KIND and len(fields) > 1:
        return "moved" if first.after in MOVED else "parted"
    return first.field.value


async def _told(made: Standing | AccountChange, context: ToolContext) -> _Told:
    """Return the words for a change that stands."""
    if isinstance(made, AccountChange):
        return _Told(*_account_told(made, context))
    row = (await touched(context.ledger, [each.transaction_id for each in made.noted]))[made.noted[0].transaction_id]
    into, out = "{amount} from {merchant} on {date}, {what}", "{amount} at {merchant} on {date}, {what}"
    names: dict[str, Value | Money] = {
        "amount": replace(row.money, amount_minor=abs(row.money.amount_minor)), "merchant": row.merchant,
        "date": row.booked_on, "what": _WHAT[_sort(made)],
    }  # fmt: skip
    return _Told(say(into if row.money.amount_minor > 0 else out), names)


def _row_cells(made: Standing, about: Mapping[int, Touched]) -> tuple[Value | Money | None, ...]:
    row = about[made.noted[0].transaction_id]
    return _WHAT[_sort(made)], row.merchant, row.booked_on, row.money


def _account_told(made: AccountChange, context: ToolContext) -> tuple[Template, dict[str, Value | Money]]:
    """Return the words for what was changed of an account, and the names in them."""
    before, after = made.before, made.after
    match made.what:
        case What.NAME:
            return say("“{before}” called “{name}”"), {"before": before["name"], "name": after["name"]}
        case What.TYPE:
            names: dict[str, Value | Money] = {
                "account": _name(made, context),
                "type": ONE_OF[AccountType(after["type"])],
            }
            return say("{account} treated as {type}"), names
        case What.MERGE:
            return say("{account} made a part of {into}"), {"account": before["name"], "into": after["name"]}
        case What.DELETE:
            one, several = "{account} deleted with its 1 transaction", "{account} deleted with its {count} transactions"
            return say(one if after["rows"] == 1 else several), {"account": before["name"], "count": after["rows"]}


def _account_cells(made: AccountChange, context: ToolContext) -> tuple[Value | Money | None, ...]:
    told = {
        What.NAME: "account renamed",
        What.TYPE: "type of account changed",
        What.MERGE: "account merged",
        What.DELETE: "account deleted",
    }
    name = made.after.get("name") if made.what is What.NAME else made.before.get("name")
    return say(told[made.what]), name or _name(made, context), None, None


def _name(made: AccountChange, context: ToolContext) -> str:
    """Return what an account is called now."""
    return next((each.name for each in context.vocabulary.accounts if each.id == made.account_id), say("an account"))
