"""Giving a row other values: it is counted anew where it was and where it is, and the refunds that are of it follow (D20)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.categories import Source
from ledger.journal import row_to_change
from ledger.judgement import own_words, search_text
from ledger.kinds import Ground
from ledger.phrases import forget_unused, phrase_ids
from ledger.transactions import Flow, Kind, flow_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

_rows = schema.transactions.c
_links = schema.refund_links.c
#: Databases take about 32,000 parameters in one statement; a person links fewer refunds than that.
_MOST_IDS = 10_000
#: What a refund has of the purchase that it is of.
_FOLLOWED = ("merchant", "merchant_key", "category", "category_source", "own_category", "own_category_source")


async def write_row(connection: AsyncConnection, ledger_id: int, row: Any, values: Mapping[str, Any]) -> None:
    """Give a row other values, and its refunds what they have of them."""
    places = await sums.places_of(connection, ledger_id, [row.id])
    mine = _rows.ledger_id == ledger_id, _rows.id == row.id
    await connection.execute(schema.transactions.update().where(*mine).values(**values))
    if values.get("phrase_id", row.phrase_id) != row.phrase_id:
        await forget_unused(connection, ledger_id, {row.phrase_id})
    places |= await sums.places_of(connection, ledger_id, [row.id])
    await sums.recount(connection, ledger_id, places)
    if values.keys() & {*_FOLLOWED, "kind"}:
        await follow(connection, ledger_id, [row.id])


async def follow(connection: AsyncConnection, ledger_id: int, purchases: Collection[int]) -> None:
    """Let the refunds of some purchases count as these do: at their merchants, under their categories, or not at all."""
    links = sa.select(_links.refund_id, _links.purchase_id).where(_links.ledger_id == ledger_id)
    if len(purchases) <= _MOST_IDS:
        links = links.where(_links.purchase_id.in_(purchases))
    wanted = set(purchases)
    for refund, purchase in (await connection.execute(links.order_by(_links.refund_id))).all():
        if purchase not in wanted:
            continue
        row = await row_to_change(connection, ledger_id, refund, unseen=True)
        of = await row_to_change(connection, ledger_id, purchase, unseen=True)
        await write_row(connection, ledger_id, row, await _as_refund(connection, ledger_id, row, of))


def kind_of_refund(purchase: Kind, amount_minor: int) -> Kind:
    """Return the kind of a refund that is linked to a purchase of this kind."""
    return Kind.REFUND if flow_of(purchase, -amount_minor) is Flow.SPENDING else purchase


async def _as_refund(connection: AsyncConnection, ledger_id: int, row: Any, purchase: Any) -> dict[str, Any]:
    """Return the columns of a row that is a refund of a purchase."""
    category = None if purchase.category_source == Source.NONE else purchase.category
    text = search_text(own_words(row.text), category, purchase.merchant)
    kind = kind_of_refund(Kind(purchase.kind), row.amount_minor)
    return {
        **{name: getattr(purchase, name) for name in _FOLLOWED},
        "kind": kind.value, "kind_ground": Ground.PERSON.value, "own_kind": Kind.REFUND.value, "pair_id": None,
        "flow": flow_of(kind, row.amount_minor).value,
        "phrase_id": (await phrase_ids(connection, ledger_id, {text}))[text],
    }  # fmt: skip
