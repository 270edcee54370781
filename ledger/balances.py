"""What is in an account on a day: what statements say of it, led on by the rows between (docs/definitions.md, D19)."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import sqlalchemy as sa

from ledger import schema
from ledger.visibility import BatchKind, balance_shows, set_aside, shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.repository import Repository

_balances = schema.balances.c
_rows = schema.transactions.c
_batches = schema.batches.c
_DAY = timedelta(1)
_CACHE = "balances"


@dataclass(frozen=True, slots=True)
class Stated:
    """A balance that a statement gives: before the first row of a day if it is an opening one, else after its last."""

    on: date
    minor: int
    opening: bool = False

    @property
    def after(self) -> date:
        """The day after whose last row it stands."""
        return self.on - _DAY if self.opening and self.on > date.min else self.on


@dataclass(frozen=True, slots=True)
class Gap:
    """Two balances of one account between which the rows don't lead from one to the other."""

    start: Stated
    end: Stated
    moved_minor: int
    """What the rows between them come to."""

    @property
    def off_minor(self) -> int:
        """What is missing of the rows, or is too much where it is negative."""
        return self.end.minor - self.start.minor - self.moved_minor


class Run:
    """One account's balance in one currency, through all days that its files tell of."""

    def __init__(self, stated: Iterable[Stated], moved: Mapping[date, int]) -> None:
        """Take what statements give, the latest import's last, and what the rows of each day come to."""
        latest = {(each.after, each.opening): each for each in stated}
        self.stated = tuple(latest[key] for key in sorted(latest))
        self._after = [each.after for each in self.stated]
        self._days = sorted(moved)
        self._sums = [0, *accumulate(moved[day] for day in self._days)]

    @property
    def first(self) -> date:
        """The first day at whose end the balance is known."""
        rows = [self._days[0] - _DAY] if self._days and self._days[0] > date.min else self._days[:1]
        return min(self._after[:1] + rows)

    @property
    def last(self) -> date:
        """The last day that the files tell of."""
        return max(self._after[-1:] + self._days[-1:])

    def moved(self, after: date, until: date) -> int:
        """Return what the rows come to after one day and until the end of another."""
        return self._sums[bisect_right(self._days, until)] - self._sums[bisect_right(self._days, after)]

    def basis(self, day: date) -> Stated:
        """Return the stated balance that a day's rests on: the latest one up to it, else the first after it."""
        return self.stated[max(bisect_right(self._after, day) - 1, 0)]

    def at(self, day: date) -> int:
        """Return the balance at the end of a day."""
        basis = self.basis(day)
        if basis.after <= day:
            return basis.minor + self.moved(basis.after, day)
        return basis.minor - self.moved(day, basis.after)

    def turns(self, start: date, end: date) -> list[tuple[date, int]]:
        """Return the balance at the end of a first day, and of each day until a last one by which it may have changed."""
        changing = {*self._days, *self._after}
        return [(day, self.at(day)) for day in sorted({start, *(day for day in changing if start < day <= end)})]

    def gaps(self, start: date = date.min, end: date = date.max) -> list[Gap]:
        """Return where the rows don't lead from one balance to the next, of those that days between two others rest on."""
        found = (Gap(one, other, self.moved(one.after, other.after)) for one, other in pairwise(self.stated))
        return [gap for gap in found if gap.off_minor and gap.start.after <= end and start <= gap.end.after]


#: An account and a currency.
Purse = tuple[int, str]


Books = tuple[dict[Purse, list[Stated]], dict[Purse, dict[date, int]]]


async def balance_runs(repository: Repository) -> dict[Purse, Run]:
    """Return the balances of the accounts of which any was stated, kept until the ledger changes."""
    vocabulary = await repository.vocabulary()
    found: dict[Purse, Run] | None = vocabulary.derived.get(_CACHE)
    if found is None:
        stated, moved = await repository.books() if vocabulary.balanced else ({}, {})
        found = {purse: Run(balances, moved.get(purse, {})) for purse, balances in stated.items()}
        vocabulary.derived[_CACHE] = found
    return found


def read_books(connection: sa.Connection, ledger_id: int, *, everywhere: bool) -> Books:
    """Return the stated balances, and what the rows of each day come to: in their accounts, or ``everywhere``."""
    mine = (_balances.ledger_id == ledger_id, balance_shows(ledger_id))
    stating = sa.select(
        _balances.account_id, _balances.currency, _balances.stated_on, _balances.opening, _balances.amount_minor
    )
    moving = sa.select(_rows.account_id, _rows.currency, _rows.booked_on, sa.func.sum(_rows.amount_minor))
    by_hand = sa.select(_batches.id).where(_batches.ledger_id == ledger_id, _batches.kind == BatchKind.HAND.value)
    aside = set_aside(ledger_id).where(_batches.of_batch_id.not_in(by_hand))
    there = shows(ledger_id) | (_rows.batch_id.in_(aside) & _stands_elsewhere(ledger_id))
    moving = moving.where(_rows.ledger_id == ledger_id, there, _rows.batch_id.not_in(by_hand))
    moving = moving.group_by(_rows.account_id, _rows.currency, _rows.booked_on)
    if not everywhere:
        moving = moving.where(_rows.account_id.in_(sa.select(_balances.account_id).where(*mine)))
    stated: dict[Purse, list[Stated]] = defaultdict(list)
    moved: dict[Purse, dict[date, int]] = defaultdict(dict)
    for account, currency, day, opening, minor in connection.execute(stating.where(*mine).order_by(_balances.id)):
        stated[account, currency].append(Stated(date.fromisoformat(day), minor, bool(opening)))
    for account, currency, day, minor in connection.execute(moving):
        moved[account, currency][date.fromisoformat(day)] = int(minor)
    return stated, moved


def _stands_elsewhere(ledger_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a row is merged with one of another account (D21), so that its own one had it too."""
    changes, kept = schema.changes.c, schema.transactions.alias()
    merged = changes.ledger_id == ledger_id, changes.field == "merged", changes.after == sa.cast(_rows.id, sa.Text)
    return sa.exists().where(*merged, kept.c.id == changes.transaction_id, kept.c.account_id != _rows.account_id)


async def keep_balances(
    connection: AsyncConnection, ledger_id: int, batch: int, stated: Sequence[tuple[Purse, Stated]]
) -> None:
    """Write down what an import's files state; what is known already must not be among it."""
    rows = [
        {
            "ledger_id": ledger_id,
            "account_id": account,
            "batch_id": batch,
            "stated_on": each.on.isoformat(),
            "opening": int(each.opening),
            "amount_minor": each.minor,
            "currency": currency,
        }
        for (account, currency), each in stated
    ]
    if rows:
        await connection.execute(schema.balances.insert(), rows)


async def forget_balances(connection: AsyncConnection, batch: int) -> None:
    """Forget what an import's files stated."""
    await connection.execute(schema.balances.delete().where(_balances.batch_id == batch))
