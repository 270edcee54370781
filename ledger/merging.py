"""Rows that are one and the same payment: one of them stays, with what the person said of the others (D21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.corrections import batch_beside, put_in_place, set_aside, set_fields
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, packed, row_to_change, strike_out, unpacked, write_down
from ledger.judgement import given_name
from ledger.kinds import Ground
from ledger.pairing import join_rows
from ledger.refunds import linked_to, put_link, refunds_within, set_link
from ledger.revisions import touch
from ledger.rewriting import write_row
from ledger.row_values import chosen_of
from ledger.visibility import BatchKind, account_stands, shows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_rows = schema.transactions.c
_changes = schema.changes.c
_JOINED = "; "
_AT_ONCE = 500


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
        noted += await let_stand(connection, ledger, kept, other)
    await write_down(connection, ledger, token, noted)


async def let_stand(connection: AsyncConnection, ledger_id: int, kept: Any, other: Any) -> list[Noted]:
    """Let one row stand for another one, which is set aside; return what is to be noted."""
    noted = await _keep_what_was_said(connection, ledger_id, kept.id, other)
    noted += await keep_links(connection, ledger_id, kept, other)
    gone = await set_aside(connection, ledger_id, other)
    return [*noted, gone, *await _keep_pair(connection, ledger_id, kept.id, gone)]


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
        wanted |= kind_and_names(kept, other)
    said = {field: value for field, value in wanted.items() if value}
    return await set_fields(connection, ledger_id, kept_id, said)


def kind_and_names(kept: Any, other: Any) -> dict[Field, str | None]:
    """Return the kind, name and category that the person gave another row and not the one that stays."""
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


async def keep_links(connection: AsyncConnection, ledger_id: int, kept: Any, other: Any) -> list[Noted]:
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
    """Let the row that stays be the side of the transfer that another one was, unless it is one itself or has refunds."""
    before = unpacked(gone.before)
    if before["pair"] is None or await refunds_within(connection, ledger_id, kept_id):
        return []
    kinds = {kept_id: before["kind"], before["pair"]: before["other"]}
    joined = await join_rows(connection, ledger_id, kinds)
    return [Noted(kept_id, Field.PAIR, None, str(before["pair"]))] if joined else []


async def merged_away(connection: AsyncConnection, ledger_id: int) -> dict[int, int]:
    """Return for each row that is set aside the one that stands for it, by ids; only where that one shows."""
    noted = sa.select(_changes.transaction_id, _changes.after).where(
        _changes.ledger_id == ledger_id, _changes.field == Field.MERGED.value
    )
    made = {int(str(row.after)): int(row.transaction_id) for row in await connection.execute(noted)}
    final = {key: _last(made, key) for key in made}
    ids = sorted({*final, *final.values()})
    showing: set[int] = set()
    for start in range(0, len(ids), _AT_ONCE):
        some = sa.select(_rows.id).where(_rows.id.in_(ids[start : start + _AT_ONCE]), shows(ledger_id))
        showing |= set((await connection.execute(some)).scalars())
    return {key: kept for key, kept in final.items() if kept in showing and key not in showing}


def _last(made: Mapping[int, int], key: int) -> int:
    """Return the row that stands for another one in the end."""
    passed = {key}
    while (following := made.get(key)) is not None and following not in passed:
        key = following
        passed.add(key)
    return key


async def give_others_back(connection: AsyncConnection, ledger_id: int, account_id: int) -> list[Noted]:
    """Let rows of other accounts show again for which those of one stand that goes; return what is to be noted.

    Their refunds are theirs again.
    """
    noted: list[Noted] = []
    for each, row in await others_of(connection, ledger_id, account_id):
        if row is not None:
            before = packed(batch=row.batch_id, pair=None, kind=row.kind, other=None)
            await put_in_place(connection, ledger_id, row, each.before)
            noted.append(Noted(row.id, Field.PLACE, before, str(unpacked(each.before)["batch"])))
        elif each.field == Field.REFUND_OF and each.before is not None:
            refund = each.transaction_id
            if str(await linked_to(connection, ledger_id, refund)) == each.after:
                noted += await set_link(connection, ledger_id, refund, int(each.before))
    return noted


async def forget_merges(connection: AsyncConnection, ledger_id: int, account_id: int) -> None:
    """Forget that rows of an account stand for others, as it goes for good; the others show again by then."""
    kept = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.account_id == account_id)
    mine = _changes.ledger_id == ledger_id, _changes.field == Field.MERGED.value, _changes.transaction_id.in_(kept)
    for token in (await connection.execute(sa.select(_changes.token).where(*mine).distinct())).scalars().all():
        await strike_out(connection, ledger_id, token)


async def others_of(connection: AsyncConnection, ledger_id: int, account_id: int) -> list[tuple[Any, Any]]:
    """Return what was noted as rows of an account came to stand for others, the newest first.

    Beside it stands the row that would show again if that account went, else None.
    """
    kept = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.account_id == account_id)
    found: list[tuple[Any, Any]] = []
    for each in await _of_merges(connection, ledger_id, kept):
        row = None
        if each.field == Field.PLACE:
            row = await row_to_change(connection, ledger_id, each.transaction_id, unseen=True)
            there = str(row.batch_id) == each.after and await _shows_again(connection, row, account_id)
            row = row if there else None
        found.append((each, row))
    return found


async def _of_merges(connection: AsyncConnection, ledger_id: int, kept: sa.Select[Any]) -> list[Any]:
    """Return what the merges noted in which some rows stayed, the newest first."""
    mine = _changes.ledger_id == ledger_id, _changes.field == Field.MERGED.value
    tokens = sa.select(_changes.token).where(*mine, _changes.transaction_id.in_(kept))
    noted = sa.select(schema.changes).where(_changes.ledger_id == ledger_id, _changes.token.in_(tokens))
    return list((await connection.execute(noted.order_by(_changes.id.desc()))).all())


async def _shows_again(connection: AsyncConnection, row: Any, but: int = 0) -> bool:
    """Whether a row is of an account that stands, and not of a certain one."""
    accounts = schema.accounts.c
    stands = sa.select(accounts.id).where(accounts.id == row.account_id, accounts.id != but, account_stands())
    return (await connection.execute(stands)).first() is not None


async def give_back_merged(connection: AsyncConnection, ledger_id: int, batch: int) -> None:
    """Put rows of other imports back for which rows of an import stand that is being taken back."""
    deleted = schema.batches.c.of_batch_id == batch, schema.batches.c.kind == BatchKind.GONE.value
    beside = sa.select(schema.batches.c.id).where(*deleted)
    mine_too = (_rows.batch_id == batch) | _rows.batch_id.in_(beside)
    going = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, mine_too)
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
    if str(row.batch_id) != noted.after or unpacked(noted.before)["batch"] == batch:
        return
    if await _shows_again(connection, row):
        await put_in_place(connection, ledger_id, row, noted.before)
        return
    gone = sa.select(schema.accounts.c.gone_at).where(schema.accounts.c.id == row.account_id)
    if (await connection.execute(gone)).scalar_one() is not None:  # it shows once its account is put back
        beside = await batch_beside(connection, ledger_id, BatchKind.GONE, unpacked(noted.before)["batch"])
        await write_row(connection, ledger_id, row, {"batch_id": beside})


async def _link_back(connection: AsyncConnection, ledger_id: int, noted: Any) -> None:
    """Let a refund be that of the row which comes back, unless the person said otherwise since."""
    if str(await linked_to(connection, ledger_id, noted.transaction_id)) == noted.after:
        await put_link(connection, ledger_id, noted.transaction_id, int(noted.before))
