"""Rows by hand that a bank's file brings at last: the bank's row takes their place, so that nothing is there twice (D18)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_merging import hide_rows
from ledger.brands import brand_category
from ledger.categories import Source, trades_of
from ledger.corrections import batch_beside, set_fields
from ledger.journal import Field, new_change, write_down
from ledger.judgement import UNCATEGORISED, key_of, merchant_of
from ledger.money import to_minor
from ledger.placement import content_stems, place_name
from ledger.refunds import keep_link, refunds_within, take_over
from ledger.taxonomy import lineage
from ledger.transactions import AccountType
from ledger.visibility import BatchKind, shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository
    from ledger.statement_writer import Identified
    from ledger.transactions import StatementRow

_rows = schema.transactions.c
_batches = schema.batches.c
#: A bank books a payment at most this many days away from the day that a person remembers.
DAYS_APART = 4


@dataclass(frozen=True, slots=True)
class ByHand:
    """A row that a person wrote down, as far as a bank's row can be told to be the same."""

    id: int
    account: str
    is_cash: bool
    anywhere: bool
    """Whether it is in no account of a bank, so that whichever brings it is the one."""
    booked_on: date
    amount_minor: int
    currency: str
    description: str
    merchant: str
    category: str
    is_shop: bool
    """Whether its merchant is a shop by name, so that another one's row is another payment."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A row by hand and the bank's row that is the same payment, by its account and identity."""

    by_hand: int
    account: str
    identity: str


@dataclass(slots=True)
class HandRows:
    """The rows by hand of a ledger that no import has brought yet."""

    waiting: dict[tuple[int, str], list[ByHand]]
    taken: set[int] = field(default_factory=set)

    @classmethod
    async def open(cls, repository: Repository) -> HandRows:
        """Read them, by amount and currency."""
        ledger = repository.ledger_id
        bought = schema.transactions.alias()
        elsewhere = sa.exists().where(
            bought.c.ledger_id == ledger,
            bought.c.merchant_key == _rows.merchant_key,
            bought.c.batch_id != _rows.batch_id,
        )
        query = (
            sa.select(
                _rows.id, schema.accounts.c.name, schema.accounts.c.type, schema.accounts.c.batch_id, _rows.booked_on,
                _rows.amount_minor, _rows.currency, _rows.description, _rows.merchant, _rows.category,
                elsewhere.label("elsewhere"), _rows.batch_id.label("batch"),
            )
            .join(schema.accounts, schema.accounts.c.id == _rows.account_id)
            .join(schema.batches, _batches.id == _rows.batch_id)
            .where(_rows.ledger_id == ledger, _batches.kind == BatchKind.HAND.value)
            .order_by(_rows.booked_on, _rows.id)
        )  # fmt: skip
        async with repository.store.read(patient=True) as connection:
            found = (await connection.execute(query)).all()
        waiting: dict[tuple[int, str], list[ByHand]] = {}
        for row in found:
            waiting.setdefault((row.amount_minor, row.currency), []).append(_by_hand(row))
        return cls(waiting)

    def match(self, fresh: Iterable[Identified]) -> list[Meeting]:
        """Return which of some new rows are what was written down, the nearest days first; each is one at most."""
        possible: list[tuple[int, int, int, ByHand, Meeting]] = []
        for place, (placed, identity) in enumerate(fresh if self.waiting else ()):
            row, key = placed.row, (to_minor(placed.row.amount, placed.currency), placed.currency)
            for each in self.waiting.get(key, ()):
                apart = abs((row.booked_on - each.booked_on).days)
                if each.id not in self.taken and apart <= DAYS_APART and _is_same(each, placed.account, row):
                    meeting = Meeting(each.id, placed.account, identity.key)
                    possible.append((apart, each.id, place, each, meeting))
        met: list[Meeting] = []
        used: set[int] = set()
        for _, key_id, place, _, meeting in sorted(possible, key=lambda each: each[:3]):
            if key_id not in self.taken and place not in used:
                self.taken.add(key_id)
                used.add(place)
                met.append(meeting)
        return met


def _by_hand(row: Any) -> ByHand:
    brought_by_hand = row[3] == row.batch
    return ByHand(
        id=row.id,
        account=row.name,
        is_cash=row.type == AccountType.CASH.value,
        anywhere=brought_by_hand,
        booked_on=date.fromisoformat(row.booked_on),
        amount_minor=row.amount_minor,
        currency=row.currency,
        description=row.description,
        merchant=row.merchant,
        category=row.category,
        is_shop=bool(row.elsewhere) or brand_category(row.merchant) is not None,
    )


def _is_same(by_hand: ByHand, account: str, row: StatementRow) -> bool:
    """Whether nothing speaks against a row being what was written down; what was paid in cash must be named in it."""
    if account != by_hand.account and not by_hand.anywhere:
        return False
    merchant = merchant_of(row)
    told = set(content_stems(f"{by_hand.description} {by_hand.merchant}"))
    said = set(content_stems(f"{row.description} {row.payee} {row.memo} {merchant}"))
    if told & said or key_of(merchant) == key_of(by_hand.merchant):
        return True
    if by_hand.is_shop or (by_hand.is_cash and account != by_hand.account):
        return False
    placed = place_name(by_hand.category) if by_hand.category != UNCATEGORISED else None
    wanted = {above for key in (placed.keys if placed else ()) for above in lineage(key)}
    trades = trades_of(merchant)
    return not wanted or not trades or bool(wanted & trades) or by_hand.amount_minor > 0


async def keep_what_was_said(
    meetings: Sequence[Meeting], ledger_id: int, batch: int, accounts: dict[str, int], connection: AsyncConnection
) -> None:
    """Give the bank's rows, which don't show yet, the category, note, labels and purchase that the person gave theirs."""
    token = new_change()
    for meeting in meetings:
        theirs = sa.select(_rows.category, _rows.category_source, _rows.notes, _rows.labels).where(
            _rows.ledger_id == ledger_id, _rows.id == meeting.by_hand
        )
        said = (await connection.execute(theirs)).one_or_none()
        new = await _bank_row(meeting, ledger_id, batch, accounts, connection)
        if said is None or new is None:
            continue
        wanted = {Field.NOTE: said.notes, Field.LABELS: said.labels}
        if said.category_source == Source.ROW:
            wanted[Field.CATEGORY] = said.category
        kept = {name: value for name, value in wanted.items() if value}
        noted = await set_fields(connection, ledger_id, new, kept, unseen=True)
        noted += await keep_link(connection, ledger_id, meeting.by_hand, new)
        await write_down(connection, ledger_id, token, noted)


async def _bank_row(
    meeting: Meeting, ledger_id: int, batch: int, accounts: dict[str, int], connection: AsyncConnection
) -> int | None:
    """Return the id of the row that an import brought for one by hand."""
    query = sa.select(_rows.id).where(
        _rows.ledger_id == ledger_id, _rows.batch_id == batch,
        _rows.account_id == accounts[meeting.account], _rows.identity == meeting.identity,
    )  # fmt: skip
    found = (await connection.execute(query)).scalar_one_or_none()
    return None if found is None else int(found)


async def make_room(
    connection: AsyncConnection, ledger_id: int, batch: int, meetings: Sequence[Meeting], accounts: dict[str, int]
) -> None:
    """Set the rows by hand aside whose places an import takes, in the transaction that lets it show."""
    ids = [meeting.by_hand for meeting in meetings]
    places = await sums.places_of(connection, ledger_id, ids)
    if not places:
        return
    met = await batch_beside(connection, ledger_id, BatchKind.MET, batch)
    there = _rows.ledger_id == ledger_id, _rows.id.in_(ids), shows(ledger_id)
    await connection.execute(schema.transactions.update().where(*there).values(batch_id=met))
    await sums.recount(connection, ledger_id, places)
    for meeting in meetings:
        if await refunds_within(connection, ledger_id, meeting.by_hand):
            bank = await _bank_row(meeting, ledger_id, batch, accounts, connection)
            await take_over(connection, ledger_id, meeting.by_hand, bank or meeting.by_hand)


async def give_back(connection: AsyncConnection, ledger_id: int, batch: int) -> None:
    """Put the rows by hand back whose places an import took that is being taken back."""
    mets = _batches.ledger_id == ledger_id, _batches.kind == BatchKind.MET.value, _batches.of_batch_id == batch
    met = (await connection.execute(sa.select(_batches.id).where(*mets))).scalar_one_or_none()
    if met is None:
        return
    ids = list((await connection.execute(sa.select(_rows.id).where(_rows.batch_id == met))).scalars())
    hand = await batch_beside(connection, ledger_id, BatchKind.HAND)
    await connection.execute(schema.transactions.update().where(_rows.batch_id == met).values(batch_id=hand))
    await connection.execute(schema.batches.delete().where(_batches.id == met))
    deleted = sa.select(schema.accounts.c.id).where(
        schema.accounts.c.ledger_id == ledger_id, schema.accounts.c.gone_at.is_not(None)
    )
    gone = sa.select(_rows.id).where(_rows.id.in_(ids), _rows.account_id.in_(deleted))
    await hide_rows(connection, ledger_id, BatchKind.GONE, (await connection.execute(gone)).scalars().all())
    await sums.recount_rows(connection, ledger_id, ids)
