"""Which purchase a refund is of, by the person's word: it then counts as that purchase does (D20)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.errors import ChangeImpossible
from ledger.journal import Field, Noted, packed, row_to_change, unpacked, write_down
from ledger.judgement import given_name, key_of
from ledger.pairing import is_free, kind_of_other, part_row, rejoin
from ledger.revisions import touch
from ledger.rewriting import follow, write_row
from ledger.row_values import chosen_of, kind_before, kind_noted, named
from ledger.transactions import Kind
from ledger.visibility import BESIDE_AN_IMPORT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository
    from ledger.transactions import Transaction

_rows = schema.transactions.c
_batches = schema.batches.c
_links = schema.refund_links.c
_changes = schema.changes.c


async def link_refund(
    connection: AsyncConnection, repository: Repository, token: str, refund_id: int, purchase_id: int
) -> None:
    """Say within a transaction which purchase a refund is of, in place of what was said before.

    Raises:
        ChangeImpossible: one of them is no longer there, or they are no refund and purchase in one currency.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    refund, purchase = [await row_to_change(connection, ledger, key) for key in (refund_id, purchase_id)]
    if refund.amount_minor <= 0 or purchase.amount_minor >= 0 or refund.currency != purchase.currency:
        raise ChangeImpossible("These two are no refund and purchase in one currency.")
    await write_down(connection, ledger, token, await set_link(connection, ledger, refund_id, purchase_id))


async def unlink_refund(connection: AsyncConnection, repository: Repository, token: str, refund_id: int) -> None:
    """Take back within a transaction which purchase a refund is of, so that it is again what it is by itself."""
    ledger = repository.ledger_id
    await touch(connection, ledger)
    await row_to_change(connection, ledger, refund_id)
    await write_down(connection, ledger, token, await set_link(connection, ledger, refund_id, None))


async def set_link(connection: AsyncConnection, ledger_id: int, refund_id: int, purchase_id: int | None) -> list[Noted]:
    """Link a refund to a purchase, or to none; return what is to be noted of both."""
    before = await linked_to(connection, ledger_id, refund_id)
    if before == purchase_id:
        return []
    await put_link(connection, ledger_id, refund_id, purchase_id)
    noted = [Noted(refund_id, Field.REFUND_OF, _text(before), _text(purchase_id))]
    return noted + [Noted(key, Field.REFUNDED, None, str(refund_id)) for key in (before, purchase_id) if key]


async def put_link(connection: AsyncConnection, ledger_id: int, refund_id: int, purchase_id: int | None) -> None:
    """Link a refund to a purchase without noting it; a purchase that is gone is none."""
    there = await _is_there(connection, ledger_id, purchase_id)
    mine = _links.ledger_id == ledger_id, _links.refund_id == refund_id
    link = (await connection.execute(sa.select(schema.refund_links).where(*mine))).one_or_none()
    row = await row_to_change(connection, ledger_id, refund_id, unseen=True)
    if not there:
        if link is not None:
            await connection.execute(schema.refund_links.delete().where(*mine))
            await _by_itself(connection, ledger_id, row, unpacked(link.own))
        return
    values: dict[str, Any] = {"purchase_id": purchase_id, "by_hand_id": None}
    if link is not None:
        await connection.execute(schema.refund_links.update().where(*mine).values(values))
    else:
        own = packed(
            **kind_noted(row, await kind_of_other(connection, row)), merchant=row.merchant, chosen=chosen_of(row),
            given=bool(given_name(row.text, row.category)),
        )  # fmt: skip
        await part_row(connection, ledger_id, refund_id)
        values |= {"ledger_id": ledger_id, "refund_id": refund_id, "own": own}
        await connection.execute(schema.refund_links.insert().values(values))
    await follow(connection, ledger_id, [int(str(purchase_id))])


async def _by_itself(connection: AsyncConnection, ledger_id: int, row: Any, own: Mapping[str, Any]) -> None:
    """Make a row again what it was before it was said which purchase it is a refund of."""
    base = own["category"], own["source"]
    values = await named(
        connection, ledger_id, row, own["merchant"], base, chosen=own["chosen"], given=bool(own["given"])
    )
    values |= await kind_before(connection, ledger_id, row, key_of(own["merchant"]), own)
    await write_row(connection, ledger_id, row, values)
    await rejoin(connection, ledger_id, row.id, own)


async def release(connection: AsyncConnection, ledger_id: int, purchase_id: int) -> list[Noted]:
    """Let the refunds of a purchase be by themselves again; return what is to be noted."""
    noted: list[Noted] = []
    for refund_id in await refunds_within(connection, ledger_id, purchase_id):
        noted += await set_link(connection, ledger_id, refund_id, None)
    return noted


async def refunds_within(connection: AsyncConnection, ledger_id: int, purchase_id: int) -> list[int]:
    """Return the ids of the refunds that are linked to a purchase, whether or not they show."""
    query = sa.select(_links.refund_id).where(_links.ledger_id == ledger_id, _links.purchase_id == purchase_id)
    return list((await connection.execute(query.order_by(_links.refund_id))).scalars())


async def linked_to(connection: AsyncConnection, ledger_id: int, refund_id: int) -> int | None:
    """Return the purchase that a row is linked to as its refund, whose name and category it then has."""
    query = sa.select(_links.purchase_id).where(_links.ledger_id == ledger_id, _links.refund_id == refund_id)
    found = (await connection.execute(query)).scalar_one_or_none()
    return None if found is None else int(found)


async def _is_there(connection: AsyncConnection, ledger_id: int, transaction_id: int | None) -> bool:
    if transaction_id is None:
        return False
    query = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.id == transaction_id)
    return (await connection.execute(query)).first() is not None


async def let_go(connection: AsyncConnection, ledger_id: int, batch: int) -> None:
    """Let refunds of other imports be by themselves again whose purchases an import takes away that is being taken back.

    Where such a purchase took the place of one by hand, they are that one's again.
    """
    refund, purchase = schema.transactions.alias(), schema.transactions.alias()
    beside = sa.select(_batches.id).where(_batches.of_batch_id == batch, _batches.kind.in_(BESIDE_AN_IMPORT))
    gone = (purchase.c.batch_id == batch) | purchase.c.batch_id.in_(beside)
    stays = refund.c.batch_id != batch, refund.c.batch_id.not_in(beside)
    query = (
        sa.select(_links.refund_id, _links.purchase_id, _links.by_hand_id)
        .join(refund, refund.c.id == _links.refund_id)
        .join(purchase, purchase.c.id == _links.purchase_id)
        .where(_links.ledger_id == ledger_id, gone, *stays)
    )
    for link in (await connection.execute(query)).all():
        await put_link(connection, ledger_id, link.refund_id, link.by_hand_id)
        if link.by_hand_id is None:
            noted = _changes.field == Field.REFUND_OF.value, _changes.after == str(link.purchase_id)
            mine = _changes.ledger_id == ledger_id, _changes.transaction_id == link.refund_id, *noted
            await connection.execute(schema.changes.delete().where(*mine))


async def take_over(connection: AsyncConnection, ledger_id: int, by_hand: int, bank: int) -> None:
    """Let the refunds of a row by hand be those of the bank's row that takes its place."""
    mine = _links.ledger_id == ledger_id, _links.purchase_id == by_hand
    moved = schema.refund_links.update().where(*mine).values(purchase_id=bank, by_hand_id=by_hand)
    if (await connection.execute(moved)).rowcount:
        await follow(connection, ledger_id, [bank])


async def keep_link(connection: AsyncConnection, ledger_id: int, by_hand: int, bank: int) -> list[Noted]:
    """Let a bank's row be of the purchase that the row by hand is a refund of whose place it takes."""
    purchase = await linked_to(connection, ledger_id, by_hand)
    if purchase is None:
        return []
    await put_link(connection, ledger_id, bank, purchase)
    return [Noted(bank, Field.REFUND_OF, None, str(purchase))]


async def kinds_apart(repository: Repository, refund_ids: Sequence[int]) -> dict[int, Kind]:
    """Return what each of some linked refunds would count as by itself, as the rules are now."""
    async with repository.store.read() as connection:
        return await kinds_by_themselves(connection, repository.ledger_id, refund_ids)


async def kinds_by_themselves(
    connection: AsyncConnection, ledger_id: int, refund_ids: Collection[int]
) -> dict[int, Kind]:
    """Return the same within a transaction."""
    links = _links.ledger_id == ledger_id, _links.refund_id.in_(refund_ids)
    found: dict[int, Kind] = {}
    for refund_id, text in (await connection.execute(sa.select(_links.refund_id, _links.own).where(*links))).all():
        row, own = await row_to_change(connection, ledger_id, refund_id, unseen=True), unpacked(text)
        if own["pair"] is not None and await is_free(connection, ledger_id, own["pair"]):
            found[refund_id] = Kind(own["kind"])
            continue
        before = await kind_before(connection, ledger_id, row, key_of(own["merchant"]), own)
        found[refund_id] = Kind(before["kind"])
    return found


def _text(key: int | None) -> str | None:
    return None if key is None else str(key)


@dataclass(frozen=True, slots=True)
class Refunded:
    """A purchase with the refunds that are linked to it, the oldest first."""

    purchase: Transaction
    refunds: tuple[Transaction, ...]

    @property
    def back_minor(self) -> int:
        """What came back."""
        return sum(row.amount_minor for row in self.refunds)

    @property
    def left_minor(self) -> int:
        """What it cost in the end; less than nothing where more came back than was paid."""
        return -self.purchase.amount_minor - self.back_minor


async def refunded(repository: Repository, ids: Sequence[int]) -> dict[int, Refunded]:
    """Return those of some rows that show and that refunds are of, by the ids of the purchases and of the refunds."""
    found = await repository.refund_links(ids)
    if not found:
        return {}
    keys = sorted({key for link in found for key in link})
    rows = {row.id: row for row in await repository.rows_of(keys)}
    refunds: dict[int, list[Transaction]] = defaultdict(list)
    for purchase_id, refund_id in found:
        if purchase_id in rows and refund_id in rows:
            refunds[purchase_id].append(rows[refund_id])
    made = {
        key: Refunded(rows[key], tuple(sorted(each, key=lambda row: (row.booked_on, row.id))))
        for key, each in refunds.items()
    }
    return made | {row.id: each for each in made.values() for row in each.refunds}
