"""Transactions that don't belong together after all: a refund and its purchase, or two sides that are no transfer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language.catalogue import joined, say
from ledger.corrections import change_row
from ledger.journal import Field
from ledger.money import Money
from ledger.own_transfers import kinds_without_pair, part_transfer
from ledger.refunds import refunded, unlink_refund
from ledger.transactions import Flow, Kind, flow_of
from tools.apps.kind_names import KINDS
from tools.apps.proposals import CAN_BE_UNDONE, as_flow, effects, facts_of, proposed
from tools.apps.refunds import UNLINK, apart, purchase_of
from tools.apps.single_rows import as_named, named, rows_like, several_rows, which_of
from tools.calls import Choice, choice_of
from tools.context import ToolContext
from tools.registry import tool
from tools.results import Result
from tools.slots import UnlinkedFrom, UnlinkedRow
from tools.slots.rows import ids_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ledger.transactions import Transaction
    from tools.results import Value

    #: Asks for the same with both references and a label.
    Again = Callable[[str, str | None, str], Choice]


@tool(
    app="corrections",
    name=UNLINK,
    examples=(
        "That refund doesn't belong to the Zara purchase",
        "Unlink the second one",
        "The second one is not a refund",
        "Those two are not a transfer between my accounts",
        "Die Erstattung gehört nicht zum Einkauf bei Zara",
        "Die beiden sind keine Umbuchung",
    ),
    keywords=("unlink", "not a refund", "not a transfer", "keine Erstattung", "keine Umbuchung", "trenne"),
    writes=True,
)
async def unlink(context: ToolContext, row: UnlinkedRow, other: UnlinkedFrom | None = None) -> Result:
    """Say that transactions don't belong together: a refund and its purchase, or two sides that are no transfer.

    Args:
        row: Which one, or both in one expression.
        other: From which one.
    """

    def again(one: str, two: str | None, label: str) -> Choice:
        return choice_of(label, UNLINK, row=one, **({"other": two} if two else {}))

    rows = await _linked_rows(row, other, context, again)
    if isinstance(rows, Result):
        return rows
    links = await refunded(context.ledger, [each.id for each in rows])
    refunds = {each.id: each for link in links.values() for each in link.refunds}
    named_ones = [each for each in rows if each.id in refunds] or list(refunds.values())
    if named_ones:
        refund = which_of(named_ones, context, lambda label, ids: again(ids, None, label))
        return refund if isinstance(refund, Result) else await _no_refund_of(refund, context)
    sides = await context.ledger.other_sides([each.id for each in rows])
    moved = [each for each in rows if each.id in sides or each.kind in (Kind.TRANSFER, Kind.CARD_PAYMENT)]
    if moved:
        ids = {each.id for each in moved} | {sides[each.id][0] for each in moved if each.id in sides}
        return await _no_transfers(await context.ledger.rows_of(sorted(ids)), context)
    refund_like = [each for each in rows if each.kind is Kind.REFUND]
    if refund_like:
        return await _no_refund_at_all(refund_like[0], context)
    nothing = say("{row} is linked to nothing.", row=as_named(rows[0]))
    return Result(nothing, names=named(rows[0]), kind="unchanged")


async def _linked_rows(row: str, other: str | None, context: ToolContext, again: Again) -> list[Transaction] | Result:
    """Return the rows that are to be parted; of several that words may mean, those that are linked at all."""
    first = (
        await several_rows(row, None, context, again) if other is None or ids_in(row) else await rows_like(row, context)
    )
    if isinstance(first, Result):
        return first
    if len(first) > 1 and (other is not None or not ids_in(row)):
        links = await refunded(context.ledger, [each.id for each in first])
        first = [each for each in first if each.id in links] or first
        if other is not None or len(first) == 1:
            one = which_of(first, context, lambda label, ids: again(ids, other, label))
            return one if isinstance(one, Result) else [one]
    return list(first)


async def _no_refund_of(refund: Transaction, context: ToolContext) -> Result:
    """Propose that a refund is of no purchase."""
    purchase = await purchase_of(context, refund)
    assert purchase is not None
    (counted,) = await apart(context, [refund])
    names: dict[str, Value | Money] = {
        **named(refund), "paid": Money(abs(purchase.amount_minor), purchase.currency), "shop": purchase.merchant,
        "bought": purchase.booked_on,
    }  # fmt: skip
    return proposed(
        context,
        say("{row} is no refund of {paid} at {shop} on {bought}?", row=as_named(refund)),
        "Unlinked: {amount} on {date} is by itself again.",
        unlink_refund, refund.id,
        facts=facts_of(refund),
        notes=("It is again what it was before it was linked.", CAN_BE_UNDONE),
        names=names,
        table=await effects(context, [counted]),
    )  # fmt: skip


async def _no_refund_at_all(refund: Transaction, context: ToolContext) -> Result:
    """Propose that money which the program took for a refund is income."""
    return proposed(
        context,
        say("{row}: income and no refund?", row=as_named(refund)),
        say("{row}: income now.", row=as_named(refund)),
        change_row, refund.id, {Field.KIND: Kind.INCOME.value},
        facts=facts_of(refund),
        notes=("It is linked to no purchase; I took it for a refund.", CAN_BE_UNDONE),
        names=named(refund),
        table=await effects(context, [as_flow(refund, Flow.INCOME)]),
    )  # fmt: skip


async def _no_transfers(rows: Sequence[Transaction], context: ToolContext) -> Result:
    """Propose that rows which counted as transfers are none."""
    alone = await kinds_without_pair(context.ledger, [row.id for row in rows])
    kinds = [alone[row.id] for row in rows]
    counted = [as_flow(row, flow_of(kind, row.amount_minor)) for row, kind in zip(rows, kinds, strict=True)]
    names: dict[str, Value | Money] = {"count": len(rows)}
    notes = []
    for number, (row, kind) in enumerate(zip(rows, kinds, strict=True), start=1):
        names |= {
            f"amount_{number}": Money(abs(row.amount_minor), row.currency), f"account_{number}": row.account,
            f"date_{number}": row.booked_on, f"kind_{number}": KINDS[kind],
        }  # fmt: skip
        notes.append(say("{amount} in {account} on {date} is {kind} then.", **_numbered(number)))
    sides = [say("{amount} in {account}", **_numbered(number)) for number in range(1, len(rows) + 1)]
    told, several = joined(sides, " and "), len(rows) > 1
    asked = "{sides} are no transfer between your own accounts?", "{sides} is no transfer between your own accounts?"
    done = "{sides} are no transfer now.", "{sides} is no transfer now."
    return proposed(
        context,
        say(asked[0] if several else asked[1], sides=told),
        say(done[0] if several else done[1], sides=told),
        part_transfer, [row.id for row in rows],
        facts=facts_of(rows[0]),
        notes=(*notes, CAN_BE_UNDONE),
        names=names,
        table=await effects(context, counted),
    )  # fmt: skip


def _numbered(number: int) -> dict[str, str]:
    """Return the names of one of several rows, for a form that says the same of each."""
    return {name: say(f"{{{name}_{number}}}") for name in ("amount", "account", "date", "kind")}
