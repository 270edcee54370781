"""What came back of single purchases: their refunds, as the person linked them, and what was left of the price."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.catalogue import say
from ledger.filters import Filter
from ledger.judgement import key_of
from ledger.money import Money
from ledger.periods import Period
from ledger.refunds import kinds_apart, refunded
from ledger.transactions import Flow, Kind, flow_of
from tools.apps.net_amounts import net_of
from tools.apps.proposals import as_flow
from tools.apps.single_rows import as_named, label_of, named, one_row
from tools.apps.transactions import transaction_table
from tools.calls import choice_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Result
from tools.slots import AskedRow
from tools.slots.rows import by_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.transactions import Transaction
    from tools.apps.proposals import Counting

UNLINK = "corrections-unlink"
_ASKED = "transactions-came_back"
_MOST = 5


@tool(
    app="transactions",
    name=_ASKED,
    examples=(
        "What came back of the 89.95 at Zara on 3 October?",
        "Was the second one refunded?",
        "What did the 89.95 at Zara on 3 October cost me in the end?",
        "Which purchase does that refund belong to?",
        "Was kam von den 89,95 bei Zara zurück?",
        "Zu welchem Einkauf gehört die zweite?",
    ),
    keywords=("came back", "refunded", "in the end", "zurück", "erstattet"),
)
async def came_back(context: ToolContext, row: AskedRow) -> Result:
    """What came back of one purchase and what it cost in the end, by the refunds linked to it; or what a refund is of.

    Args:
        row: Which one, by its amount, merchant and day.
    """
    found = await one_row(row, context, lambda label, ids: choice_of(label, _ASKED, row=ids))
    if isinstance(found, Result):
        return found
    linked = (await refunded(context.ledger, [found.id])).get(found.id)
    if linked is None:
        return await _nothing(context, found)
    told = net_of(linked, found)
    rows = [linked.purchase, *linked.refunds]
    if found.id == linked.purchase.id:
        headline = say("{back} of {row} came back: {net} in the end", row=as_named(found))
    else:
        headline = say("{row} is a refund of {paid} at {shop} on {bought}", row=as_named(found))
        told = told._replace(notes=("{back} of that came back: {net} in the end",))
    return Result(
        headline,
        facts=told.facts,
        notes=() if found.id == linked.purchase.id else told.notes,
        names={**named(found), **told.names},
        table=transaction_table(rows),
        listed=tuple(each.id for each in rows),
    )


async def _nothing(context: ToolContext, row: Transaction) -> Result:
    """Say that nothing is linked to a purchase, with the money that its shop gave back since; or to a refund."""
    if row.amount_minor > 0:
        return Result(
            say("{row} is linked to no purchase.", row=as_named(row)),
            notes=("“That refund belongs to the Zara purchase” links it.",),
            names=named(row),
            kind="empty",
        )
    since = Period(row.booked_on, max(row.booked_on, context.today))
    there = Filter(period=since, merchants=(key_of(row.merchant),), sign=1, currency=row.currency)
    rows = await context.ledger.rows(there, "oldest", _MOST)
    if not rows:
        return Result(say("Nothing came back of {row}.", row=as_named(row)), names=named(row), kind="empty")
    return Result(
        say("No refund is linked to {row}.", row=as_named(row)),
        notes=("This came back from there since; “the first one belongs to the 89.95 at Zara” links it.",),
        names=named(row),
        table=transaction_table(rows),
        listed=tuple(each.id for each in rows),
        behind=(there,),
    )


async def linked_refunds(context: ToolContext, row: Transaction) -> tuple[Transaction, ...]:
    """Return the refunds that are linked to a purchase."""
    linked = (await refunded(context.ledger, [row.id])).get(row.id)
    return linked.refunds if linked is not None and linked.purchase.id == row.id else ()


async def purchase_of(context: ToolContext, row: Transaction) -> Transaction | None:
    """Return the purchase that a row is linked to as its refund."""
    linked = (await refunded(context.ledger, [row.id])).get(row.id)
    return linked.purchase if linked is not None and linked.purchase.id != row.id else None


async def apart(context: ToolContext, refunds: Sequence[Transaction]) -> list[Counting]:
    """Return what linked refunds count as once they are by themselves."""
    kinds = await kinds_apart(context.ledger, [row.id for row in refunds])
    return [as_flow(row, flow_of(kinds.get(row.id, row.kind), row.amount_minor)) for row in refunds]


async def letting_go(context: ToolContext, row: Transaction) -> tuple[str, ...]:
    """Return the note that a purchase's refunds will be by themselves, if it has any."""
    found = await linked_refunds(context, row)
    if not found:
        return ()
    return (
        "The refund that is linked to it is by itself again."
        if len(found) == 1
        else "Its refunds are by themselves again.",
    )


async def counts_as_linked(context: ToolContext, row: Transaction) -> Result | None:
    """Return why a linked refund can't be changed by itself; None for any other row."""
    purchase = await purchase_of(context, row)
    if purchase is None:
        return None
    names = {**named(row), "paid": Money(abs(purchase.amount_minor), purchase.currency), "shop": purchase.merchant}
    return Result(
        say("{row} counts as the {paid} at {shop} that it is a refund of.", row=as_named(row)),
        notes=("Change that one, and this follows; or unlink it first.",),
        names=names,
        kind="clarify",
        choices=(choice_of(say("Unlink {row}", row=label_of(row, context)), UNLINK, row=by_ids((row.id,))),),
    )


def as_refund(row: Transaction, purchase: Transaction) -> Counting:
    """Return what a row counts as once it is linked to a purchase."""
    if purchase.flow is Flow.SPENDING:
        return as_flow(row, flow_of(Kind.REFUND, row.amount_minor))
    return as_flow(row, flow_of(purchase.kind, row.amount_minor))
