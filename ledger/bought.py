"""Where a ledger holds purchases, by which money that comes in is told from money that comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.judgement import Bought
from ledger.money import to_decimal
from ledger.transactions import Kind
from ledger.visibility import shows

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_rows = schema.transactions.c


async def read_bought(connection: AsyncConnection, ledger_id: int) -> dict[str, Bought]:
    """Return the merchants with purchases by their keys."""
    category = sa.func.coalesce(_rows.own_category, _rows.category).label("category")
    query = (
        sa.select(_rows.merchant_key, category, _rows.currency, sa.func.min(_rows.amount_minor).label("most_minor"))
        .where(_rows.ledger_id == ledger_id, _rows.kind == Kind.PURCHASE.value, shows(ledger_id))
        .group_by(_rows.merchant_key, category, _rows.currency)
    )
    found: dict[str, Bought] = {}
    for row in await connection.execute(query):
        bought = Bought(row.category, -to_decimal(row.most_minor, row.currency))
        found[row.merchant_key] = bought.beside(found.get(row.merchant_key))
    return found
