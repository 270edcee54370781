"""A person's own changes of single rows (D17): made, written down, and put back exactly.

What the bank says of a row stays known: its identity is the file's, a row that was deleted or split is kept aside, and
beside every change stands what was there before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_journal import What, account_to_change
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, packed, row_to_change, strike_out, to_take_back, unpacked, write_down
from ledger.pairing import kind_of_other, part_row, rejoin
from ledger.phrases import forget_unused
from ledger.refunds import linked_to, put_link, release
from ledger.revisions import touch
from ledger.rewriting import write_row
from ledger.row_values import as_kind, categorised, chosen_of, counted_as, kind_before, kind_noted, values_of
from ledger.store import utc_now
from ledger.transactions import Kind, flow_of
from ledger.visibility import BatchKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_rows = schema.transactions.c
_batches = schema.batches.c
_changes = schema.changes.c
#: What a refund has of the purchase that it is linked to.
_OF_PURCHASE = (Field.CATEGORY, Field.MERCHANT, Field.KIND)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a row that is split, with the sign of the whole; an empty category leaves that of the whole."""

    amount_minor: int
    category: str = ""
    note: str = ""


async def change_row(
    connection: AsyncConnection, repository: Repository, token: str, transaction_id: int, wanted: Mapping[Field, str]
) -> None:
    """Change fields of one row within a transaction: a category, a name, a text, an ISO day, or a kind.

    Raises:
        ChangeImpossible: the row is no longer there, or has that of the purchase that it is linked to.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    noted = await set_fields(connection, ledger, transaction_id, wanted)
    await write_down(connection, ledger, token, noted)


async def set_fields(
    connection: AsyncConnection,
    ledger_id: int,
    transaction_id: int,
    wanted: Mapping[Field, str],
    *,
    unseen: bool = False,
) -> list[Noted]:
    """Change fields of one row and return what is to be noted; ``unseen`` rows are those that are coming in."""
    noted = []
    if wanted.keys() & set(_OF_PURCHASE) and await linked_to(connection, ledger_id, transaction_id):
        raise ChangeImpossible("That refund counts as the purchase that it is linked to; unlink it first.")
    for field, value in wanted.items():
        row = await row_to_change(connection, ledger_id, transaction_id, unseen=unseen)
        noted.append(Noted(row.id, field, _before(row, field, await kind_of_other(connection, row)), value))
        if field is Field.KIND:
            await part_row(connection, ledger_id, row.id)
            await write_row(connection, ledger_id, row, await as_kind(connection, ledger_id, row, Kind(value)))
        else:
            await write_row(connection, ledger_id, row, await values_of(connection, ledger_id, row, field, value))
    return noted


async def delete_row(connection: AsyncConnection, repository: Repository, token: str, transaction_id: int) -> None:
    """Set a row aside within a transaction, so that it counts nowhere and imports know it.

    Refunds that are linked to it are by themselves again.

    Raises:
        ChangeImpossible: the row is no longer there.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)
    row = await row_to_change(connection, ledger, transaction_id)
    noted = [await set_aside(connection, ledger, row)]
    await write_down(connection, ledger, token, noted + await release(connection, ledger, row.id))


async def split_row(
    connection: AsyncConnection, repository: Repository, token: str, transaction_id: int, parts: Sequence[Part]
) -> None:
    """Put parts in a row's place within a transaction; they come to what it came to, and go with its import.

    Refunds that are linked to it are by themselves again.

    Raises:
        ChangeImpossible: the row is no longer there or is linked to a purchase, or the parts come to something else.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)
    row = await row_to_change(connection, ledger, transaction_id)
    if len(parts) < 2 or sum(part.amount_minor for part in parts) != row.amount_minor:
        raise ChangeImpossible("The parts don't add up to the transaction.")
    if await linked_to(connection, ledger, row.id):
        raise ChangeImpossible("That refund is linked to a purchase; unlink it first.")
    noted = [await set_aside(connection, ledger, row)]
    whole = await row_to_change(connection, ledger, transaction_id, unseen=True)
    made: list[int] = []
    for number, part in enumerate(parts, start=1):
        copied = {column.name: getattr(whole, column.name) for column in schema.transactions.c if column.name != "id"}
        values = {
            **copied,
            "batch_id": row.batch_id,
            "identity": f"{row.identity}/{token}/{number}",
            "content": "",
            "amount_minor": part.amount_minor,
            "flow": flow_of(Kind(whole.kind), part.amount_minor).value,
            "notes": part.note or row.notes,
        }
        made.append(await insert_row(connection, values))
    for key, part in zip(made, parts, strict=True):
        if part.category:
            new = await row_to_change(connection, ledger, key)
            await write_row(
                connection, ledger, new, await values_of(connection, ledger, new, Field.CATEGORY, part.category)
            )
    await sums.recount_rows(connection, ledger, made)
    noted += [Noted(key, Field.PLACE, None, str(row.batch_id)) for key in made]
    noted += await release(connection, ledger, row.id)
    await write_down(connection, ledger, token, noted)


async def insert_row(connection: AsyncConnection, values: Mapping[str, Any]) -> int:
    """Write a row that nobody has counted yet, and return its id."""
    made = await connection.execute(schema.transactions.insert().values(**values).returning(_rows.id))
    return int(made.scalar_one())


async def take_back(connection: AsyncConnection, repository: Repository, token: str) -> None:
    """Put back within a transaction what one change changed; raises ChangeImpossible."""
    ledger = repository.ledger_id
    await touch(connection, ledger)
    noted = await to_take_back(connection, ledger, token)
    await _judged_as_then(connection, ledger, token)
    await take_fields_back(connection, ledger, noted)
    await strike_out(connection, ledger, token)


async def _judged_as_then(connection: AsyncConnection, ledger_id: int, token: str) -> None:
    """Make sure that what a row would be again is what its account's type still makes of it; raises ChangeImpossible."""
    changes, accounts = schema.changes.c, schema.account_changes.c
    of_its_account = (accounts.account_id == _rows.account_id) | (accounts.other_id == _rows.account_id)
    newer = sa.exists().where(
        accounts.ledger_id == ledger_id, of_its_account, accounts.what.in_((What.TYPE, What.MERGE)),
        accounts.created_at > changes.created_at,
    )  # fmt: skip
    query = sa.select(changes.id).join(schema.transactions, _rows.id == changes.transaction_id)
    query = query.where(
        changes.ledger_id == ledger_id, changes.token == token, changes.field == Field.KIND.value, newer
    )
    if (await connection.execute(query)).first() is not None:
        raise ChangeImpossible("Its account was changed since; take that back first.")


async def take_fields_back(connection: AsyncConnection, ledger_id: int, changed: Sequence[Noted]) -> None:
    """Put fields back as they were noted, the last first; raises ChangeImpossible."""
    for noted in changed:
        await _BACK.get(noted.field, _field_back)(connection, ledger_id, noted)


async def _field_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    row = await row_to_change(connection, ledger_id, noted.transaction_id)
    given = noted.field is Field.MERCHANT and await _was_given(connection, ledger_id, noted)
    values = await values_of(connection, ledger_id, row, noted.field, noted.before, given=given)
    await write_row(connection, ledger_id, row, values)


async def _was_given(connection: AsyncConnection, ledger_id: int, noted: Noted) -> bool:
    """Whether the name that the latest change of it replaced was one of the person's too."""
    mine = _changes.ledger_id == ledger_id, _changes.transaction_id == noted.transaction_id
    names = sa.select(_changes.after).where(*mine, _changes.field == Field.MERCHANT.value).order_by(_changes.id)
    return noted.before in (await connection.execute(names)).scalars().all()[:-1]


async def _kind_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    row, before = await row_to_change(connection, ledger_id, noted.transaction_id), unpacked(noted.before)
    await part_row(connection, ledger_id, row.id)
    base = before["category"], before["source"]
    values = await categorised(connection, ledger_id, row, base, chosen=chosen_of(row))
    values |= await kind_before(connection, ledger_id, row, row.merchant_key, before)
    await write_row(connection, ledger_id, row, values)
    await rejoin(connection, ledger_id, row.id, before)


async def _place_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    """Take a row out that a change brought, or put back where it was one that a change set aside."""
    row = await row_to_change(connection, ledger_id, noted.transaction_id, unseen=True)
    if str(row.batch_id) != noted.after:
        raise ChangeImpossible("Your bank's row has taken the place of this one.")
    await account_to_change(connection, ledger_id, row.account_id)
    if noted.before is not None:
        await put_in_place(connection, ledger_id, row, noted.before)
        return
    await part_row(connection, ledger_id, row.id)
    await release(connection, ledger_id, row.id)
    places = await sums.places_of(connection, ledger_id, [row.id])
    mine = _rows.ledger_id == ledger_id, _rows.id == row.id
    await connection.execute(schema.transactions.delete().where(*mine))
    await forget_unused(connection, ledger_id, {row.phrase_id})
    await sums.recount(connection, ledger_id, places)
    await _drop_account(connection, ledger_id, row)


async def put_in_place(connection: AsyncConnection, ledger_id: int, row: Any, before: str) -> None:
    """Put a row back where it was before it was set aside, or before it came back."""
    was, values = unpacked(before), {}
    if row.pair_id is not None:
        await part_row(connection, ledger_id, row.id)
        values = await alone(connection, ledger_id, row)
    await write_row(connection, ledger_id, row, {**values, "batch_id": was["batch"]})
    await rejoin(connection, ledger_id, row.id, was)


async def _link_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    await put_link(connection, ledger_id, noted.transaction_id, None if noted.before is None else int(noted.before))


async def _pair_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    """Part a row that was made a side of a transfer in the place of another."""
    row = await row_to_change(connection, ledger_id, noted.transaction_id)
    await part_row(connection, ledger_id, row.id)
    await write_row(connection, ledger_id, row, await alone(connection, ledger_id, row))


async def _mark_back(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    """A mark says only what a change is about."""


_BACK: dict[Field, Callable[[AsyncConnection, int, Noted], Awaitable[None]]] = {
    Field.PLACE: _place_back,
    Field.KIND: _kind_back,
    Field.REFUND_OF: _link_back,
    Field.PAIR: _pair_back,
    Field.REFUNDED: _mark_back,
    Field.MERGED: _mark_back,
}


def _before(row: Any, field: Field, other: str | None) -> str | None:
    """Return what is noted of a field before it changes."""
    if field is Field.KIND:
        return packed(**kind_noted(row, other))
    texts: dict[Field, str | None] = {
        Field.CATEGORY: chosen_of(row),
        Field.MERCHANT: row.merchant,
        Field.NOTE: row.notes,
        Field.LABELS: row.labels,
        Field.DAY: row.booked_on,
        Field.AMOUNT: str(row.amount_minor),
    }
    return texts[field]


async def alone(connection: AsyncConnection, ledger_id: int, row: Any) -> dict[str, Any]:
    """Return the columns of what a row that was a side of a transfer is by itself."""
    return {"pair_id": None, **await counted_as(connection, ledger_id, row, row.merchant_key, Kind(row.own_kind))}


async def set_aside(connection: AsyncConnection, ledger_id: int, row: Any) -> Noted:
    """Move a row to where nothing shows; return what is to be noted of it."""
    other = await kind_of_other(connection, row)
    before = packed(batch=row.batch_id, pair=row.pair_id, kind=row.kind, other=other)
    values: dict[str, Any] = {}
    if row.pair_id is not None:
        await part_row(connection, ledger_id, row.id)
        values = await alone(connection, ledger_id, row)
    batch = await batch_beside(connection, ledger_id, BatchKind.ASIDE, row.batch_id)
    await write_row(connection, ledger_id, row, {**values, "batch_id": batch})
    return Noted(row.id, Field.PLACE, before, str(batch))


async def batch_beside(connection: AsyncConnection, ledger_id: int, kind: BatchKind, of: int | None = None) -> int:
    """Return the batch of a kind that stands beside another, made if there is none; hidden, unless it is that by hand."""
    query = sa.select(_batches.id).where(
        _batches.ledger_id == ledger_id, _batches.kind == kind.value, _batches.undone_at.is_(None)
    )
    query = query.where(_batches.of_batch_id.is_(None) if of is None else _batches.of_batch_id == of)
    found = (await connection.execute(query)).scalar_one_or_none()
    if found is not None:
        return int(found)
    now = utc_now()
    values = {
        "ledger_id": ledger_id, "created_at": now, "kind": kind.value, "of_batch_id": of,
        "finished_at": now if kind is BatchKind.HAND else None,
    }  # fmt: skip
    made = await connection.execute(schema.batches.insert().values(values).returning(_batches.id))
    return int(made.scalar_one())


async def _drop_account(connection: AsyncConnection, ledger_id: int, row: Any) -> None:
    """Drop the account of a row by hand that was its only one, if rows by hand brought it."""
    accounts = schema.accounts.c
    used = sa.exists().where(_rows.account_id == accounts.id)
    brought = (
        accounts.batch_id
        == sa.select(_batches.id)
        .where(_batches.id == row.batch_id, _batches.kind == BatchKind.HAND.value)
        .scalar_subquery()
    )
    mine = accounts.ledger_id == ledger_id, accounts.id == row.account_id
    await connection.execute(schema.accounts.delete().where(*mine, brought, ~used))
