"""Pairing the two sides of transfers within a ledger, and parting them again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.kinds import Ground
from ledger.rewriting import follow
from ledger.transactions import AccountType, Kind, flow_of
from ledger.transfers import DAYS_APART, MOVED, Candidate, pair_transfers
from ledger.visibility import shows
from ledger.working import aside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

_rows = schema.transactions.c
#: How many transactions are compared at once, about.
_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of a transfer becomes; ``batch_id`` is the import that it is of."""

    id: int
    other: int | None
    kind: Kind
    amount_minor: int
    batch_id: int


async def plan_pairs(
    connection: AsyncConnection, ledger_id: int, first: date, last: date, batch: int | None = None
) -> list[Side]:
    """Return how the unpaired transactions around some days pair, those of an import that doesn't show yet among them.

    Only equal amounts pair, so they are looked at amount by amount, a part of the ledger at a time.
    """
    if first > last:
        return []
    reach = timedelta(days=DAYS_APART)
    around = (
        _rows.ledger_id == ledger_id,
        _rows.pair_id.is_(None),
        _rows.booked_on >= (first - reach).isoformat(),
        _rows.booked_on <= (last + reach).isoformat(),
        shows(ledger_id) if batch is None else shows(ledger_id) | (_rows.batch_id == batch),
        ~is_purchase(ledger_id),
    )
    sides: list[Side] = []
    for least, most in _spans((await connection.execute(_both_ways(around))).all()):
        within = _rows.amount_minor.between(least, most) | _rows.amount_minor.between(-most, -least)
        found = (await connection.execute(_candidates(*around, within))).all()
        sides += await aside(lambda found=found: _pair(found))  # type: ignore[misc]
    return sides


async def apply_sides(connection: AsyncConnection, sides: Sequence[Side]) -> None:
    """Write down what sides of transfers are."""
    if sides:
        await connection.execute(_SET_SIDE, [_values(side) for side in sides])


async def unpair(
    connection: AsyncConnection, ledger_id: int, leaving: sa.ColumnElement[bool], staying: sa.ColumnElement[bool]
) -> None:
    """Part the pairs of transactions that are about to go; other sides that stay are again what they are by themselves."""
    gone = sa.select(_rows.pair_id).where(leaving, _rows.pair_id.is_not(None))
    query = sa.select(_rows.id, _rows.own_kind, _rows.amount_minor, _rows.batch_id).where(_rows.id.in_(gone), staying)
    found = (await connection.execute(query)).all()
    sides = [Side(row.id, None, Kind(row.own_kind), row.amount_minor, row.batch_id) for row in found]
    await _make_sides(connection, ledger_id, sides)


async def still_free(
    connection: AsyncConnection, ledger_id: int, batch: int, sides: Sequence[Side]
) -> tuple[list[Side], list[Side]]:
    """Return those of some planned sides, of rows from before an import, that nobody changed meanwhile.

    Beside them, what becomes of the import's own rows whose other sides were: they are what they are by themselves.
    """
    there: set[int] = set()
    free = *_free(ledger_id), ~is_purchase(ledger_id)
    for start in range(0, len(sides), _AT_ONCE):
        some = _rows.id.in_([side.id for side in sides[start : start + _AT_ONCE]])
        there |= set((await connection.execute(sa.select(_rows.id).where(some, *free))).scalars())
    taken = [side.other for side in sides if side.id not in there]
    query = sa.select(_rows.id, _rows.own_kind, _rows.amount_minor).where(_rows.batch_id == batch, _rows.id.in_(taken))
    found = (await connection.execute(query)).all() if taken else []
    lonely = [Side(row.id, None, Kind(row.own_kind), row.amount_minor, batch) for row in found]
    return [side for side in sides if side.id in there], lonely


def is_purchase(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that the person said of a row that refunds are of it."""
    links = schema.refund_links.c
    return _rows.id.in_(sa.select(links.purchase_id).where(links.ledger_id == ledger_id))


def _free(ledger_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions that a row may be a side of a transfer again, for all that the person said of its kind."""
    may = (_rows.kind_ground != Ground.PERSON.value) | _rows.own_kind.in_([kind.value for kind in MOVED])
    return shows(ledger_id), _rows.pair_id.is_(None), may


async def is_free(connection: AsyncConnection, ledger_id: int, transaction_id: int) -> bool:
    """Whether a row may be a side of the transfer again that it was."""
    query = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.id == transaction_id, *_free(ledger_id))
    return (await connection.execute(query)).first() is not None


async def part_row(connection: AsyncConnection, ledger_id: int, transaction_id: int) -> None:
    """Part a row from its other side, which is again what it is by itself; the row itself is for the caller to change."""
    await unpair(connection, ledger_id, _rows.id == transaction_id, (_rows.id != transaction_id) & shows(ledger_id))


async def join_rows(connection: AsyncConnection, ledger_id: int, kinds: Mapping[int, str]) -> bool:
    """Make two rows the sides of a transfer, as these kinds, if both are free and of two accounts; return whether they were."""
    mine = _rows.ledger_id == ledger_id, _rows.id.in_(kinds), *_free(ledger_id)
    query = sa.select(_rows.id, _rows.amount_minor, _rows.account_id).where(*mine)
    found = {row.id: row for row in await connection.execute(query)}
    if len(found) < 2 or len({row.account_id for row in found.values()}) < 2:
        return False
    one, other = found
    others = {one: other, other: one}
    sides = [Side(key, others[key], Kind(kinds[key]), row.amount_minor, 0) for key, row in found.items()]
    await _make_sides(connection, ledger_id, sides)
    return True


async def _make_sides(connection: AsyncConnection, ledger_id: int, sides: Sequence[Side]) -> None:
    """Write down what sides of transfers are, count them, and let the refunds that are linked to them follow."""
    ids = [side.id for side in sides]
    await apply_sides(connection, sides)
    await sums.recount_rows(connection, ledger_id, ids)
    await follow(connection, ledger_id, ids)


async def rejoin(connection: AsyncConnection, ledger_id: int, transaction_id: int, before: Mapping[str, Any]) -> None:
    """Make a row a side of the transfer again that it was, if its other side is still without another."""
    if before.get("pair") is not None:
        await join_rows(connection, ledger_id, {transaction_id: before["kind"], before["pair"]: before["other"]})


async def kind_of_other(connection: AsyncConnection, row: Any) -> str | None:
    """Return the kind of a row's other side, if it has one."""
    if row.pair_id is None:
        return None
    other = (await connection.execute(sa.select(_rows.kind).where(_rows.id == row.pair_id))).scalar_one_or_none()
    return None if other is None else str(other)


def _both_ways(around: Sequence[sa.ColumnElement[bool]]) -> sa.Select[Any]:
    """Return the query for the sizes of amounts that went out of one account and came into another, with their numbers."""
    size = sa.func.abs(_rows.amount_minor)
    return (
        sa.select(size.label("size"), sa.func.count().label("rows"))
        .where(*around)
        .group_by(_rows.currency, size)
        .having(
            sa.func.min(_rows.amount_minor) < 0,
            sa.func.max(_rows.amount_minor) > 0,
            sa.func.min(_rows.account_id) != sa.func.max(_rows.account_id),
        )
        .order_by(size)
    )


def _spans(sizes: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield spans of amounts that hold about as many rows as are compared at once."""
    least, rows = 0, 0
    for place, row in enumerate(sizes):
        least = least or row.size
        rows += row.rows
        is_last = place + 1 == len(sizes)
        if is_last or (rows >= _AT_ONCE and sizes[place + 1].size != row.size):
            yield least, row.size
            least = rows = 0


def _candidates(*where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return (
        sa.select(
            _rows.id, _rows.account_id, schema.accounts.c.type, _rows.booked_on, _rows.amount_minor, _rows.currency,
            _rows.kind, _rows.kind_ground, _rows.batch_id,
        )
        .join(schema.accounts, schema.accounts.c.id == _rows.account_id)
        .where(*where)
        .order_by(_rows.booked_on, _rows.id)
    )  # fmt: skip


def _pair(found: Sequence[Any]) -> list[Side]:
    rows = {row.id: row for row in found}
    sides: list[Side] = []
    for pair in pair_transfers(_candidate(row) for row in found):
        outgoing, incoming = rows[pair.outgoing], rows[pair.incoming]
        sides.append(Side(outgoing.id, incoming.id, pair.outgoing_kind, outgoing.amount_minor, outgoing.batch_id))
        sides.append(Side(incoming.id, outgoing.id, pair.incoming_kind, incoming.amount_minor, incoming.batch_id))
    return sides


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


_SET_SIDE = (
    schema.transactions.update()
    .where(_rows.id == sa.bindparam("side"))
    .values(pair_id=sa.bindparam("other"), kind=sa.bindparam("as_kind"), flow=sa.bindparam("as_flow"))
)


def _values(side: Side) -> dict[str, Any]:
    flow = flow_of(side.kind, side.amount_minor)
    return {"side": side.id, "other": side.other, "as_kind": side.kind.value, "as_flow": flow.value}
