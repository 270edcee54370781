"""Transfers between own accounts by the person's word: two rows that are its sides, or that are none after all (D3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.corrections import set_fields
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, row_to_change, unpacked, write_down
from ledger.kinds import Ground
from ledger.pairing import join_rows
from ledger.refunds import refunds_within
from ledger.revisions import touch
from ledger.transactions import AccountType, Kind
from ledger.transfers import MOVED, kinds_into

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_accounts = schema.accounts.c
_changes = schema.changes.c


async def link_transfer(
    connection: AsyncConnection, repository: Repository, token: str, one_id: int, other_id: int
) -> None:
    """Say within a transaction that two rows are the sides of a transfer, whatever they paired with before.

    Raises:
        ChangeImpossible: one of them is no longer there, a refund is linked to it, or money did not go from one account
            into another.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    rows = [await row_to_change(connection, ledger, key) for key in (one_id, other_id)]
    out, into = sorted(rows, key=lambda row: row.amount_minor > 0)
    if not out.amount_minor < 0 < into.amount_minor or out.account_id == into.account_id:
        raise ChangeImpossible("Those are not money out of one account and into another.")
    if await refunds_within(connection, ledger, out.id):
        raise ChangeImpossible("A refund is linked to that purchase; unlink it first.")
    of = sa.select(_accounts.type).where(_accounts.id == into.account_id)
    kinds = kinds_into(_type((await connection.execute(of)).scalar_one()))
    noted: list[Noted] = []
    for row, kind in zip((out, into), kinds, strict=True):
        noted += await set_fields(connection, ledger, row.id, {Field.KIND: kind.value})
    await join_rows(connection, ledger, {out.id: kinds[0].value, into.id: kinds[1].value})
    await write_down(connection, ledger, token, noted)


async def part_transfer(connection: AsyncConnection, repository: Repository, token: str, ids: Sequence[int]) -> None:
    """Say within a transaction that some rows are no transfers: each is what it is by itself, or what its sign says.

    Raises:
        ChangeImpossible: one of them is no longer there.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)
    noted: list[Noted] = []
    for key in ids:
        row = await row_to_change(connection, ledger, key)
        kind = await _kind_apart(connection, ledger, row)
        noted += await set_fields(connection, ledger, key, {Field.KIND: kind.value})
    await write_down(connection, ledger, token, noted)


async def kinds_without_pair(repository: Repository, ids: Sequence[int]) -> dict[int, Kind]:
    """Return what each of some rows will be that are no transfers."""
    ledger = repository.ledger_id
    async with repository.store.read() as connection:
        rows = [await row_to_change(connection, ledger, key) for key in ids]
        return {row.id: await _kind_apart(connection, ledger, row) for row in rows}


async def _kind_apart(connection: AsyncConnection, ledger_id: int, row: Any) -> Kind:
    """Return what a row is that is no transfer: what it was before the person said its kind, else as its sign says."""
    mine = _changes.ledger_id == ledger_id, _changes.transaction_id == row.id, _changes.field == Field.KIND.value
    first = (await connection.execute(sa.select(_changes.before).where(*mine).order_by(_changes.id).limit(1))).scalar()
    own = Kind(unpacked(first)["own"] if row.kind_ground == Ground.PERSON and first else row.own_kind)
    if own not in MOVED:
        return own
    return Kind.INCOME if row.amount_minor > 0 else Kind.PURCHASE


def _type(name: Any) -> AccountType | None:
    return AccountType(name) if name else None
