"""Rows that are one and the same payment: one of them stays, with what the person said of the others (D21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.corrections import put_in_place, set_aside, set_fields
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, row_to_change, strike_out, unpacked, write_down
from ledger.judgement import given_name
from ledger.kinds import Ground
from ledger.pairing import join_rows
from ledger.refunds import linked_to, put_link, refunds_within, set_link
from ledger.revisions import touch
from ledger.row_values import chosen_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_rows = schema.transactions.c
_changes = schema.changes.c
_JOINED = "; "


async def merge_rows(
    connection: AsyncConnection, repository: Repository, token: str, kept_id: int, other_ids: Sequence[int]
) -> None:
    """Let one row stand for several within a transaction; the others are set aside, so that imports know them.

    The person's own category, name, note, labels and kind of the others are kept where that row has none of them, the
    refunds of the others are its refunds, and the other side of a transfer is its other side.

    Raises:
        ChangeImpossible: a row is no longer there, or money came in by one and went out by another.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    kept = await row_to_change(connection, ledger, kept_id)
    noted: list[Noted] = []
    for key in other_ids:
        other = await row_to_change(connection, ledger, key)
        if (other.amount_minor > 0) != (kept.amount_minor > 0) or other.id == kept.id:
            raise ChangeImpossible("Those are not one payment.")
        noted.append(Noted(kept.id, Field.MERGED, None, str(other.id)))
        noted += await _keep_what_was_said(connection, ledger, kept.id, other)
        noted += await _keep_links(connection, ledger, kept, other)
        noted.append(await set_aside(connection, ledger, other))
        noted += await _keep_pair(connection, ledger, kept.id, noted[-1])
    await write_down(connection, ledger, token, noted)


async def _keep_what_was_said(connection: AsyncConnection, ledger_id: int, kept_id: int, other: Any) -> list[Noted]:
    """Give the row that stays what the person said of another one, where they said nothing of it itself."""
    kept = await row_to_change(connection, ledger_id, kept_id)
    wanted: dict[Field, str | None] = {
        Field.NOTE: _together(kept.notes, other.notes, _JOINED),
        Field.LABELS: _together(kept.labels, other.labels, ", "),
    }
    if (
        await linked_to(connection, ledger_id, kept_id) is None
        and await linked_to(connection, ledger_id, other.id) is None
    ):
        wanted |= _kind_and_names(kept, other)
    said = {field: value for field, value in wanted.items() if value}
    return await set_fields(connection, ledger_id, kept_id, said)


def _kind_and_names(kept: Any, other: Any) -> dict[Field, str | None]:
    named = given_name(other.text, other.category) and not given_name(kept.text, kept.category)
    of_person = other.kind_ground == Ground.PERSON and kept.kind_ground != Ground.PERSON and other.pair_id is None
    return {
        Field.KIND: other.own_kind if of_person else None,
        Field.MERCHANT: other.merchant if named else None,
        Field.CATEGORY: chosen_of(other) if chosen_of(kept) is None else None,
    }


def _together(one: str, other: str, between: str) -> str | None:
    """Return two texts as one, each part once; None where the first says all of it."""
    parts = dict.fromkeys(part for text in (one, other) for part in text.split(between) if part)
    joined = between.join(parts)
    return None if joined == one else joined


async def _keep_links(connection: AsyncConnection, ledger_id: int, kept: Any, other: Any) -> list[Noted]:
    """Let the refunds of another row be those of the one that stays, and let that be a refund of the other's purchase.

    A refund in another currency than the row that stays is by itself.
    """
    noted: list[Noted] = []
    alike = kept.currency == other.currency
    for refund in await refunds_within(connection, ledger_id, other.id):
        noted += await set_link(connection, ledger_id, refund, kept.id if alike else None)
    purchase = await linked_to(connection, ledger_id, other.id)
    if alike and purchase is not None and await linked_to(connection, ledger_id, kept.id) is None:
        noted += await set_link(connection, ledger_id, kept.id, purchase)
    return noted


async def _keep_pair(connection: AsyncConnection, ledger_id: int, kept_id: int, gone: Noted) -> list[Noted]:
    """Let the row that stays be the side of the transfer that another one was, unless it is one itself."""
    before = unpacked(gone.before)
    if before["pair"] is None:
        return []
    kinds = {kept_id: before["kind"], before["pair"]: before["other"]}
    accounts = sa.select(sa.func.count(_rows.account_id.distinct())).where(_rows.id.in_(kinds))
    apart = (await connection.execute(accounts)).scalar_one() == len(kinds)
    joined = apart and await join_rows(connection, ledger_id, kinds)
    return [Noted(kept_id, Field.PAIR, None, str(before["pair"]))] if joined else []


async def give_back_merged(connection: AsyncConnection, ledger_id: int, batch: int) -> None:
    """Put rows of other imports back for which rows of an import stand that is being taken back."""
    going = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.batch_id == batch)
    mine = _changes.ledger_id == ledger_id, _changes.field == Field.MERGED.value
    tokens = sa.select(_changes.token).where(*mine, _changes.transaction_id.in_(going)).group_by(_changes.token)
    for token in (await connection.execute(tokens.order_by(sa.func.max(_changes.id).desc()))).scalars().all():
        noted = sa.select(schema.changes).where(_changes.ledger_id == ledger_id, _changes.token == token)
        for each in (await connection.execute(noted.order_by(_changes.id.desc()))).all():
            if each.field == Field.PLACE:
                await _put_back(connection, ledger_id, each, batch)
            elif each.field == Field.REFUND_OF and each.before is not None:
                await _link_back(connection, ledger_id, each)
        await strike_out(connection, ledger_id, token)


async def _put_back(connection: AsyncConnection, ledger_id: int, noted: Any, batch: int) -> None:
    row = await row_to_change(connection, ledger_id, noted.transaction_id, unseen=True)
    if str(row.batch_id) == noted.after and unpacked(noted.before)["batch"] != batch:
        await put_in_place(connection, ledger_id, row, noted.before)


async def _link_back(connection: AsyncConnection, ledger_id: int, noted: Any) -> None:
    """Let a refund be that of the row which comes back, unless the person said otherwise since."""
    if str(await linked_to(connection, ledger_id, noted.transaction_id)) == noted.after:
        await put_link(connection, ledger_id, noted.transaction_id, int(noted.before))
