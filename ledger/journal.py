"""What a person changed of single rows: written down as it is done, so that it can be put back, also after a restart."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.errors import ChangeImpossible
from ledger.money import Money
from ledger.store import utc_now
from ledger.visibility import shows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_changes = schema.changes.c
_rows = schema.transactions.c


class Field(StrEnum):
    """What of a row a person can change; ``PLACE`` is whether it is there at all.

    The ``AMOUNT`` of what a bank booked is not theirs to change, only that of what they wrote down by hand. ``REFUND_OF`` is
    the purchase that a refund is of, and ``PAIR`` the other side of a transfer. What else a change is about has a note that
    only marks it: ``REFUNDED`` the purchase of a refund, ``MERGED`` the row that stays of several. ``ACCOUNT`` and
    ``JUDGED``, what a row is by itself, follow from what they say of a whole account (:mod:`ledger.account_journal`).
    """

    CATEGORY = "category"
    MERCHANT = "merchant"
    NOTE = "note"
    LABELS = "labels"
    DAY = "day"
    KIND = "kind"
    AMOUNT = "amount"
    PLACE = "place"
    REFUND_OF = "refund_of"
    PAIR = "pair"
    REFUNDED = "refunded"
    MERGED = "merged"
    ACCOUNT = "account"
    JUDGED = "judged"


#: Of these two the later one must be taken back before the earlier one, as of a field and itself.
_TOGETHER = (
    *((Field.REFUND_OF, other) for other in (Field.CATEGORY, Field.MERCHANT, Field.KIND, Field.PAIR, Field.JUDGED)),
    (Field.PAIR, Field.KIND),
    *((Field.JUDGED, other) for other in (Field.KIND, Field.PAIR)),
)
_MARKS = (Field.REFUNDED, Field.MERGED)


@dataclass(frozen=True, slots=True)
class Noted:
    """One field of one row, before and after; what the texts are is for whoever changes such a field."""

    transaction_id: int
    field: Field
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What one yes changed and nobody took back: its token, when (an ISO instant in UTC), and the fields in order."""

    token: str
    made_at: str
    noted: tuple[Noted, ...]


def new_change() -> str:
    """Return a token for what one yes will change."""
    return secrets.token_hex(8)


async def write_down(connection: AsyncConnection, ledger_id: int, token: str, noted: Sequence[Noted]) -> None:
    """Keep what was changed, within the transaction that changed it."""
    values = [
        {
            "ledger_id": ledger_id, "token": token, "transaction_id": each.transaction_id, "field": each.field.value,
            "before": each.before, "after": each.after, "created_at": utc_now(),
        }
        for each in noted
    ]  # fmt: skip
    if values:
        await connection.execute(schema.changes.insert(), values)


async def to_take_back(
    connection: AsyncConnection, ledger_id: int, token: str, *, followed: bool = False
) -> list[Noted]:
    """Return what a change noted, the last first, if nothing was changed on top of it.

    What ``followed`` from a change of an account may be nothing.

    Raises:
        ChangeImpossible: it is not there any more, or a newer change is of the same.
    """
    mine = sa.select(*_changes).where(_changes.ledger_id == ledger_id, _changes.token == token)
    found = (await connection.execute(mine.order_by(_changes.id.desc()))).all()
    if not found and followed:
        return []
    if not found:
        raise ChangeImpossible("That was taken back already, or its transaction is gone.")
    newer = schema.changes.alias()
    above = (newer.c.transaction_id == _changes.transaction_id) & (newer.c.id > _changes.id) & (newer.c.token != token)
    same = _stands_on(newer.c.field, _changes.field)
    later = sa.select(sa.func.count()).select_from(schema.changes.join(newer, above & same))
    if (await connection.execute(later.where(_changes.ledger_id == ledger_id, _changes.token == token))).scalar_one():
        raise ChangeImpossible("That transaction was changed again since; take the newer change back first.")
    return [_noted(row) for row in found]


def _stands_on(newer: sa.ColumnElement[str], older: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Return the condition that a change of one field was made on top of that of another one of the same row."""
    place = Field.PLACE.value
    pairs = [(one.value, other.value) for one, other in _TOGETHER]
    return sa.or_(
        newer == place,
        older == place,
        (newer == older) & newer.not_in([mark.value for mark in _MARKS]),
        *((newer == one) & (older == other) for pair in pairs for one, other in (pair, pair[::-1])),
    )


async def strike_out(connection: AsyncConnection, ledger_id: int, token: str) -> None:
    """Forget a change that was taken back."""
    await connection.execute(schema.changes.delete().where(_changes.ledger_id == ledger_id, _changes.token == token))


async def standing_changes(repository: Repository, token: str | None = None) -> list[Standing]:
    """Return the changes of rows that stand, the newest first, or the one of a token; what followed from an account's is none."""
    of_accounts = sa.select(schema.account_changes.c.token).where(
        schema.account_changes.c.ledger_id == repository.ledger_id
    )
    query = sa.select(*_changes).where(_changes.ledger_id == repository.ledger_id, _changes.token.not_in(of_accounts))
    if token is not None:
        query = query.where(_changes.token == token)
    async with repository.store.read() as connection:
        found = (await connection.execute(query.order_by(_changes.id))).all()
    grouped: dict[str, list[Any]] = {}
    for row in found:
        grouped.setdefault(row.token, []).append(row)
    made = [Standing(key, rows[0].created_at, tuple(map(_noted, rows))) for key, rows in grouped.items()]
    return made[::-1]


async def row_to_change(
    connection: AsyncConnection, ledger_id: int, transaction_id: int, *, unseen: bool = False
) -> Any:
    """Return all columns of a row and the ``text`` that it is searched by.

    Raises:
        ChangeImpossible: it does not show, which only rows that are coming in may.
    """
    query = (
        sa.select(schema.transactions, schema.phrases.c.text)
        .join(schema.phrases, schema.phrases.c.id == _rows.phrase_id)
        .where(_rows.ledger_id == ledger_id, _rows.id == transaction_id)
    )
    found = (await connection.execute(query if unseen else query.where(shows(ledger_id)))).one_or_none()
    if found is None:
        raise ChangeImpossible("That transaction is no longer there.")
    return found


def packed(**values: Any) -> str:
    """Return values as a text that :func:`unpacked` reads."""
    return json.dumps(values, sort_keys=True)


def unpacked(text: str | None) -> dict[str, Any]:
    """Return the values of a text; of none, nothing."""
    found: dict[str, Any] = json.loads(text) if text else {}
    return found


def _noted(row: Any) -> Noted:
    return Noted(row.transaction_id, Field(row.field), row.before, row.after)


@dataclass(frozen=True, slots=True)
class Touched:
    """A transaction that a change is about, whether or not it shows; ``amount_minor`` is negative for money out."""

    merchant: str
    booked_on: date
    money: Money
    account_id: int


async def touched(repository: Repository, ids: Sequence[int]) -> dict[int, Touched]:
    """Return the transactions of some changes by their ids."""
    columns = _rows.id, _rows.merchant, _rows.booked_on, _rows.amount_minor, _rows.currency, _rows.account_id
    query = sa.select(*columns).where(_rows.ledger_id == repository.ledger_id, _rows.id.in_(ids))
    async with repository.store.read() as connection:
        found = (await connection.execute(query)).all()
    return {
        row.id: Touched(
            row.merchant, date.fromisoformat(row.booked_on), Money(row.amount_minor, row.currency), row.account_id
        )
        for row in found
    }
