"""Pairing the two sides of transfers within a ledger, and parting them again."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.kinds import Ground
from ledger.transactions import AccountType, Kind, flow_of
from ledger.transfers import DAYS_APART, Candidate, pair_transfers

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_rows = schema.transactions.c


async def pair_up(connection: AsyncConnection, ledger_id: int, first: date, last: date) -> int:
    """Pair the unpaired transactions around some days; both sides then count as transfers. Return the number of pairs."""
    if first > last:
        return 0
    reach = timedelta(days=DAYS_APART)
    query = (
        sa.select(
            _rows.id, _rows.account_id, schema.accounts.c.type, _rows.booked_on, _rows.amount_minor, _rows.currency,
            _rows.kind, _rows.kind_ground,
        )
        .join(schema.accounts, schema.accounts.c.id == _rows.account_id)
        .where(
            _rows.ledger_id == ledger_id,
            _rows.pair_id.is_(None),
            _rows.booked_on >= (first - reach).isoformat(),
            _rows.booked_on <= (last + reach).isoformat(),
        )
        .order_by(_rows.booked_on, _rows.id)
    )  # fmt: skip
    found = (await connection.execute(query)).all()
    if len({row.account_id for row in found}) < 2:
        return 0
    amounts = {row.id: row.amount_minor for row in found}
    pairs = pair_transfers(_candidate(row) for row in found)
    sides: list[dict[str, Any]] = []
    for pair in pairs:
        outgoing, incoming = int(str(pair.outgoing)), int(str(pair.incoming))
        sides.append(_side(outgoing, incoming, pair.outgoing_kind, amounts[outgoing]))
        sides.append(_side(incoming, outgoing, pair.incoming_kind, amounts[incoming]))
    if sides:
        await connection.execute(_set_side(), sides)
    return len(pairs)


async def unpair(connection: AsyncConnection, leaving: sa.ColumnElement[bool]) -> None:
    """Part the pairs of transactions that are about to go; their other sides are again what they are by themselves."""
    gone = sa.select(_rows.pair_id).where(leaving, _rows.pair_id.is_not(None))
    query = sa.select(_rows.id, _rows.own_kind, _rows.amount_minor).where(_rows.id.in_(gone))
    sides = [_side(row.id, None, Kind(row.own_kind), row.amount_minor) for row in await connection.execute(query)]
    if sides:
        await connection.execute(_set_side(), sides)


def _candidate(row: Any) -> Candidate:
    return Candidate(
        id=row.id,
        account=row.account_id,
        account_type=AccountType(row.type) if row.type else None,
        booked_on=date.fromisoformat(row.booked_on),
        amount_minor=row.amount_minor,
        currency=row.currency,
        kind=Kind(row.kind),
        ground=Ground(row.kind_ground),
    )


def _set_side() -> sa.Update:
    return (
        schema.transactions.update()
        .where(_rows.id == sa.bindparam("side"))
        .values(pair_id=sa.bindparam("other"), kind=sa.bindparam("as_kind"), flow=sa.bindparam("as_flow"))
    )


def _side(side: int, other: int | None, kind: Kind, amount_minor: int) -> dict[str, Any]:
    return {"side": side, "other": other, "as_kind": kind.value, "as_flow": flow_of(kind, amount_minor).value}
