"""What one purchase came to after the refunds that the person linked to it, as it is told beside an answer (D20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.money import Money
from ledger.refunds import refunded
from tools.results import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from ledger.refunds import Refunded
    from ledger.transactions import Transaction
    from tools.context import ToolContext
    from tools.results import Value


class Net(NamedTuple):
    """What is said of a purchase or refund beside it: notes, with the facts and names that they are filled with."""

    notes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    names: Mapping[str, Value | Money] = {}


def net_of(linked: Refunded, row: Transaction) -> Net:
    """Return what came back of a purchase and what it cost in the end, or which one a refund is of."""
    purchase, currency = linked.purchase, row.currency
    back, net = Money(linked.back_minor, currency), Money(linked.left_minor, currency)
    days: Sequence[date] = [each.booked_on for each in linked.refunds]
    names: dict[str, Value | Money] = {
        "paid": Money(abs(purchase.amount_minor), currency), "shop": purchase.merchant, "bought": purchase.booked_on,
        "back_on": days[-1], "times": len(days),
    }  # fmt: skip
    when = "on {back_on}" if len(days) == 1 else "in {times} refunds"
    notes = (f"came back: {{back}} {when}, {{net}} in the end",)
    if row.id != purchase.id:
        notes = ("a refund of {paid} at {shop} on {bought}",)
    facts = (
        Fact.money("back", "Came back", back, subject=purchase.merchant),
        Fact.money("net", "Left of it in the end", net, how="paid less what came back", subject=purchase.merchant),
    )
    return Net(notes, facts, names)


async def net_beside(context: ToolContext, rows: Sequence[Transaction]) -> Net:
    """Return what is to be said beside an answer that is one purchase or refund; nothing of several, or of no link."""
    if len(rows) != 1:
        return Net()
    linked = (await refunded(context.ledger, [rows[0].id])).get(rows[0].id)
    return net_of(linked, rows[0]) if linked is not None else Net()
