"""Changes of single transactions as they are proposed: what they do to the figures, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from language.catalogue import say
from ledger.filters import Filter
from ledger.journal import new_change
from ledger.money import Money
from ledger.periods import Period
from ledger.transactions import Flow
from tools.apps.scope import month_end
from tools.calls import Call
from tools.changes import Change
from tools.results import Column, Fact, Result, Table
from tools.wording import month

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import date

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.transactions import Transaction
    from tools.context import ToolContext

UNDO = "corrections-undo"
CAN_BE_UNDONE = "Imports leave it as you say, and it can be undone."
_COUNTED = {Flow.SPENDING: "Spent in {month}", Flow.INCOME: "Earned in {month}"}


def proposed(
    context: ToolContext, question: str, done: str, work: Callable[..., Awaitable[Any]], *arguments: Any, **shown: Any
) -> Result:
    """Return what proposes a change that the journal keeps: ``work`` on a connection, the ledger and the change's token.

    ``question`` and ``done`` are templates; ``shown`` is what else the result has.
    """
    token = new_change()

    async def do(connection: AsyncConnection) -> None:
        await work(connection, context.ledger, token, *arguments)

    return Result(question, change=Change(do, done, Call(UNDO, {"change": token})), **shown)


class Counting(NamedTuple):
    """A transaction and what it counts as once the change is made; ``amount_minor`` is its amount then."""

    row: Transaction
    flow: Flow
    amount_minor: int


def gone(row: Transaction) -> Counting:
    """Return what a transaction counts as that is there no more."""
    return Counting(row, Flow.NEITHER, 0)


def as_flow(row: Transaction, flow: Flow) -> Counting:
    """Return what a transaction counts as of which only that changes."""
    return Counting(row, flow, row.amount_minor)


async def effects(context: ToolContext, counted: Sequence[Counting]) -> Table | None:
    """Return what was spent and earned in the months of some transactions before and after; nothing where that stays."""
    moved: dict[tuple[date, Flow, str], int] = {}
    for row, flow, minor in counted:
        for which, amount, sign in ((row.flow, row.amount_minor, -1), (flow, minor, 1)):
            key = row.booked_on.replace(day=1), which, row.currency
            moved[key] = moved.get(key, 0) + sign * amount
    rows = []
    for (first, flow, currency), minor in sorted(
        moved.items(), key=lambda item: (item[0][1] is not Flow.SPENDING, item[0])
    ):
        if flow in _COUNTED and minor:
            period = Period(first, month_end(first))
            totals = await context.ledger.totals(Filter(period=period, flow=flow, currency=currency))
            sign = 1 if flow is Flow.SPENDING else -1
            before = sum(each.net_out_minor for each in totals) * sign
            what = say(_COUNTED[flow], month=month(first, context.language))
            rows.append((what, Money(before, currency), Money(before - sign * minor, currency)))
    return Table((Column(""), Column("Before", "money"), Column("After", "money")), tuple(rows)) if rows else None


def facts_of(row: Transaction) -> tuple[Fact, ...]:
    """Return the amount of a transaction that a change is about."""
    return (Fact.money("amount", "Amount", Money(abs(row.amount_minor), row.currency), subject=row.merchant),)
