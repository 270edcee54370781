"""A person's own changes of single rows (D17): made, written down, and put back exactly.

What the bank says of a row stays known: its identity is the file's, a row that was deleted or split is kept aside, and
beside every change stands what was there before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_journal import What, account_to_change
from ledger.categories import Source, categorise
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, packed, row_to_change, strike_out, to_take_back, unpacked, write_down
from ledger.judgement import UNCATEGORISED, key_of, searched_words
from ledger.kinds import Ground
from ledger.left_out import leaves_out, read_left_out
from ledger.pairing import Side, apply_sides, unpair
from ledger.phrases import forget_unused, phrase_ids
from ledger.revisions import touch
from ledger.rewriting import base_of, categorised
from ledger.rules import read_rules
from ledger.store import utc_now
from ledger.transactions import Kind, flow_of
from ledger.visibility import BatchKind, shows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_rows = schema.transactions.c
_batches = schema.batches.c


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
        ChangeImpossible: the row is no longer there.
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
    for field, value in wanted.items():
        row = await row_to_change(connection, ledger_id, transaction_id, unseen=unseen)
        noted.append(Noted(row.id, field, _before(row, field, await _other_side(connection, row)), value))
        if field is Field.KIND:
            await _part(connection, ledger_id, row)
            await _write(connection, ledger_id, row, await _as_kind(connection, ledger_id, row, Kind(value)))
        else:
            await _write(connection, ledger_id, row, await _values(connection, ledger_id, row, field, value))
    return noted


async def delete_row(connection: AsyncConnection, repository: Repository, token: str, transaction_id: int) -> None:
    """Set a row aside within a transaction, so that it counts nowhere and imports know it; raises ChangeImpossible."""
    await touch(connection, repository.ledger_id)
    await write_down(
        connection, repository.ledger_id, token, [await put_aside(connection, repository.ledger_id, transaction_id)]
    )


async def split_row(
    connection: AsyncConnection, repository: Repository, token: str, transaction_id: int, parts: Sequence[Part]
) -> None:
    """Put parts in a row's place within a transaction; they come to what it came to, and go with its import.

    Raises:
        ChangeImpossible: the row is no longer there, or the parts come to something else.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)
    row = await row_to_change(connection, ledger, transaction_id)
    if len(parts) < 2 or sum(part.amount_minor for part in parts) != row.amount_minor:
        raise ChangeImpossible("The parts don't add up to the transaction.")
    noted = [await _set_aside(connection, ledger, row)]
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
            await _write(connection, ledger, new, await _values(connection, ledger, new, Field.CATEGORY, part.category))
    await sums.recount_rows(connection, ledger, made)
    noted += [Noted(key, Field.PLACE, None, str(row.batch_id)) for key in made]
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
        if noted.field is Field.PLACE:
            await _back_in_place(connection, ledger_id, noted)
            continue
        row = await row_to_change(connection, ledger_id, noted.transaction_id)
        if noted.field is Field.KIND:
            before = unpacked(noted.before)
            await _part(connection, ledger_id, row)
            await _write(connection, ledger_id, row, await _kind_before(connection, ledger_id, row, before))
            await _rejoin(connection, ledger_id, row.id, before)
        else:
            await _write(
                connection, ledger_id, row, await _values(connection, ledger_id, row, noted.field, noted.before)
            )


def _before(row: Any, field: Field, other: str | None) -> str | None:
    """Return what is noted of a field before it changes."""
    if field is Field.KIND:
        base, source = base_of(row)
        return packed(
            kind=row.kind, ground=row.kind_ground, own=row.own_kind, category=base, source=source, pair=row.pair_id,
            other=other,
        )  # fmt: skip
    chosen = row.category if row.category_source == Source.ROW else None
    texts: dict[Field, str | None] = {
        Field.CATEGORY: chosen,
        Field.MERCHANT: row.merchant,
        Field.NOTE: row.notes,
        Field.LABELS: row.labels,
        Field.DAY: row.booked_on,
        Field.AMOUNT: str(row.amount_minor),
    }
    return texts[field]


async def _values(
    connection: AsyncConnection, ledger_id: int, row: Any, field: Field, value: str | None
) -> dict[str, Any]:
    """Return the columns of a row whose field has this value; no category stands for the one that it has by itself."""
    if field is Field.NOTE:
        return {"notes": value or ""}
    if field is Field.LABELS:
        return {"labels": value or ""}
    if field is Field.DAY:
        day = date.fromisoformat(str(value))
        return {"booked_on": day.isoformat(), "weekday": day.weekday()}
    if field is Field.AMOUNT:
        return {"amount_minor": int(str(value)), "flow": flow_of(Kind(row.kind), int(str(value))).value}
    if field is Field.CATEGORY:
        return await _categorised(connection, ledger_id, row, row.merchant_key, base_of(row), chosen=value)
    name = str(value)
    chosen = row.category if row.category_source == Source.ROW else None
    values = await _categorised(connection, ledger_id, row, key_of(name), base_of(row), chosen=chosen)
    values |= {"merchant": name, "merchant_key": key_of(name)}
    if row.pair_id is None and row.kind_ground != Ground.PERSON:
        values |= await _counted_as(connection, ledger_id, row, key_of(name), Kind(row.own_kind))
    return values


async def _categorised(  # noqa: PLR0913 - what decides about a category
    connection: AsyncConnection, ledger_id: int, row: Any, key: str, base: tuple[str, str], *, chosen: str | None
) -> dict[str, Any]:
    """Return the columns of a category: the person's for this row, else their rule's for its merchant, else its own."""
    rules = (await read_rules(connection, ledger_id))[1]
    rule = next((name for merchant, name in rules if key_of(merchant) == key), None)
    columns, text = categorised(row, base, chosen=chosen, rule=rule)
    return {**columns, "phrase_id": (await phrase_ids(connection, ledger_id, {text}))[text]}


async def _counted_as(connection: AsyncConnection, ledger_id: int, row: Any, key: str, kind: Kind) -> dict[str, Any]:
    """Return the columns of what a row counts as that is of this kind by itself."""
    rules = await read_left_out(connection, ledger_id)
    words = searched_words(row.text, row.category)
    shown = Kind.LEFT_OUT if leaves_out(rules, key, words, kind, row.amount_minor) else kind
    return {"kind": shown.value, "flow": flow_of(shown, row.amount_minor).value}


async def _as_kind(connection: AsyncConnection, ledger_id: int, row: Any, kind: Kind) -> dict[str, Any]:
    """Return the columns of a row that is of this kind by the person's word; a category that came from its kind follows."""
    base, source = base_of(row)
    if source != Source.FILE:
        words = searched_words(row.text, row.category)
        found, how = categorise(merchant=row.merchant, phrase=words, kind=kind, money_in=row.amount_minor > 0)
        if how is Source.KIND or source == Source.KIND:
            base, source = found or UNCATEGORISED, how.value
    chosen = row.category if row.category_source == Source.ROW else None
    return {
        **await _categorised(connection, ledger_id, row, row.merchant_key, (base, source), chosen=chosen),
        "kind": kind.value, "kind_ground": Ground.PERSON.value, "own_kind": kind.value, "pair_id": None,
        "flow": flow_of(kind, row.amount_minor).value,
    }  # fmt: skip


async def _kind_before(
    connection: AsyncConnection, ledger_id: int, row: Any, before: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns of what a row was before the person said its kind, its other side apart."""
    chosen = row.category if row.category_source == Source.ROW else None
    base = before["category"], before["source"]
    counted = await _counted_as(connection, ledger_id, row, row.merchant_key, Kind(before["own"]))
    if before["ground"] == Ground.PERSON:
        counted = {"kind": before["own"], "flow": flow_of(Kind(before["own"]), row.amount_minor).value}
    return {
        **await _categorised(connection, ledger_id, row, row.merchant_key, base, chosen=chosen),
        **counted, "kind_ground": before["ground"], "own_kind": before["own"], "pair_id": None,
    }  # fmt: skip


async def _write(connection: AsyncConnection, ledger_id: int, row: Any, values: Mapping[str, Any]) -> None:
    """Give a row other values, and count it where it was and where it is."""
    places = await sums.places_of(connection, ledger_id, [row.id])
    mine = _rows.ledger_id == ledger_id, _rows.id == row.id
    await connection.execute(schema.transactions.update().where(*mine).values(**values))
    if values.get("phrase_id", row.phrase_id) != row.phrase_id:
        await forget_unused(connection, ledger_id, {row.phrase_id})
    places |= await sums.places_of(connection, ledger_id, [row.id])
    await sums.recount(connection, ledger_id, places)


async def _other_side(connection: AsyncConnection, row: Any) -> str | None:
    """Return the kind of the other side of a transfer."""
    if row.pair_id is None:
        return None
    other = (await connection.execute(sa.select(_rows.kind).where(_rows.id == row.pair_id))).scalar_one_or_none()
    return None if other is None else str(other)


async def _part(connection: AsyncConnection, ledger_id: int, row: Any) -> None:
    """Part a row from its other side, which is again what it is by itself."""
    sides = await unpair(connection, _rows.id == row.id, (_rows.id != row.id) & shows(ledger_id))
    await sums.recount_rows(connection, ledger_id, [side.id for side in sides])


async def _rejoin(connection: AsyncConnection, ledger_id: int, transaction_id: int, before: Mapping[str, Any]) -> None:
    """Make a row a side of the transfer again that it was, if its other side is still without another."""
    if before.get("pair") is None:
        return
    free = (_rows.pair_id.is_(None), _rows.kind_ground != Ground.PERSON.value, shows(ledger_id))
    mine = _rows.ledger_id == ledger_id, _rows.id.in_((transaction_id, before["pair"])), *free
    found = {row.id: row for row in await connection.execute(sa.select(_rows.id, _rows.amount_minor).where(*mine))}
    if len(found) < 2:
        return
    kinds = {transaction_id: before["kind"], before["pair"]: before["other"]}
    others = {transaction_id: before["pair"], before["pair"]: transaction_id}
    sides = [Side(key, others[key], Kind(kinds[key]), row.amount_minor, 0) for key, row in found.items()]
    await apply_sides(connection, sides)
    await sums.recount_rows(connection, ledger_id, list(found))


async def put_aside(connection: AsyncConnection, ledger_id: int, transaction_id: int) -> Noted:
    """Set a row that shows aside, as one that was deleted; return what is to be noted. Raises ChangeImpossible."""
    return await _set_aside(connection, ledger_id, await row_to_change(connection, ledger_id, transaction_id))


async def _set_aside(connection: AsyncConnection, ledger_id: int, row: Any) -> Noted:
    """Move a row to where nothing shows; return what is to be noted of it."""
    before = packed(batch=row.batch_id, pair=row.pair_id, kind=row.kind, other=await _other_side(connection, row))
    values: dict[str, Any] = {"pair_id": None}
    if row.pair_id is not None:
        await _part(connection, ledger_id, row)
        values |= await _counted_as(connection, ledger_id, row, row.merchant_key, Kind(row.own_kind))
    batch = await batch_beside(connection, ledger_id, BatchKind.ASIDE, row.batch_id)
    await _write(connection, ledger_id, row, {**values, "batch_id": batch})
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


async def _back_in_place(connection: AsyncConnection, ledger_id: int, noted: Noted) -> None:
    """Take a row out that a change brought, or put back where it was one that a change set aside."""
    row = await row_to_change(connection, ledger_id, noted.transaction_id, unseen=True)
    if str(row.batch_id) != noted.after:
        raise ChangeImpossible("Your bank's row has taken the place of this one.")
    await account_to_change(connection, ledger_id, row.account_id)
    if noted.before is not None:
        before = unpacked(noted.before)
        await _write(connection, ledger_id, row, {"batch_id": before["batch"]})
        await _rejoin(connection, ledger_id, row.id, before)
        return
    await _part(connection, ledger_id, row)
    places = await sums.places_of(connection, ledger_id, [row.id])
    mine = _rows.ledger_id == ledger_id, _rows.id == row.id
    await connection.execute(schema.transactions.delete().where(*mine))
    await forget_unused(connection, ledger_id, {row.phrase_id})
    await sums.recount(connection, ledger_id, places)
    await _drop_account(connection, ledger_id, row)


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
