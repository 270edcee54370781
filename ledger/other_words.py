"""Rows that the ledger has in the words of another file: a PDF and a CSV of one account and time are the same payments (D11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from ledger import schema
from ledger.by_hand import BY_HAND
from ledger.known_rows import is_known
from ledger.money import to_minor
from ledger.visibility import account_stands

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator, Sequence

    from ledger.known_rows import KnownRows
    from ledger.repository import Repository
    from ledger.statement_writer import Identified

_rows = schema.transactions.c
_accounts = schema.accounts.c
#: Files of more rows than this are no second reading of a statement.
MOST = 20_000
#: Two files may give one payment days so far apart: that of the purchase and that on which it was booked.
_APART = 4
#: So many rows, and so great a part of those in days that both have, agree by chance never.
_LEAST, _SHARE = 3, 0.8
#: So many where not even the account is known to be one.
_LEAST_ANYWHERE = 5
#: Databases take about 32,000 parameters in one statement.
_AT_ONCE = 10_000


class _Row(NamedTuple):
    """A payment without its words."""

    account: str
    day: date
    minor: int
    currency: str
    content: str
    key: str


@dataclass(slots=True)
class OtherWords:
    """Tells rows of a file that the ledger, or a file before in the same import, has in other words."""

    repository: Repository
    known: KnownRows
    before: list[_Row] = field(default_factory=list)
    """What files before of the same import have brought."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is there that a file could say again."""
        return self.known.is_empty and not self.before

    def remember(self, rows: Sequence[Identified]) -> None:
        """Know some rows from now on, though they don't show yet: another file of the same import may have them too."""
        self.known.remember(rows)
        if len(self.before) < MOST:
            self.before += map(_row, rows)

    async def same(self, parts: AsyncIterator[list[Identified]]) -> frozenset[tuple[str, str]]:
        """Return the rows of a file that are there in other words, by account and identity.

        They are if most of its rows on the days that the account has are like that: a row alone may be another payment.
        """
        fresh, contents = await self._fresh(parts)
        found: set[tuple[str, str]] = set()
        for account in {row.account for row in fresh}:
            mine = [row for row in fresh if row.account == account]
            there = [row for row in await self._there(mine) if row.account == account and row.content not in contents]
            found |= {(account, row.key) for row in _agreeing(mine, there, _LEAST)}
        return frozenset(found)

    async def account_of(self, parts: AsyncIterator[list[Identified]], possible: Collection[str]) -> str | None:
        """Return the one of some accounts that has the rows of a file in other words, whatever account that names."""
        mine = [_row(each) async for part in parts for each in part]
        there: dict[str, list[_Row]] = defaultdict(list)
        for row in await self._there(mine):
            there[row.account].append(row)
        agreeing = {
            name: len(_agreeing(mine, rows, _LEAST_ANYWHERE))
            for name, rows in there.items()
            if name in possible and len({row.minor for row in rows}) > _LEAST
        }
        best = max(agreeing, key=agreeing.__getitem__, default=None)
        return best if best is not None and agreeing[best] else None

    async def _fresh(self, parts: AsyncIterator[list[Identified]]) -> tuple[list[_Row], set[str]]:
        """Return the rows that the ledger does not have in these words, and the contents of all."""
        fresh: list[_Row] = []
        contents: set[str] = set()
        async for part in parts:
            contents |= {identity.content for _, identity in part}
            fresh += map(_row, await self.known.fresh(part))
        return fresh, contents

    async def _there(self, wanted: list[_Row]) -> list[_Row]:
        """Return the rows that files brought with the same amounts, about the same days."""
        if not wanted:
            return []
        reach = timedelta(days=_APART)
        days = [row.day for row in wanted]
        first, last = (min(days) - reach).isoformat(), (max(days) + reach).isoformat()
        amounts = sorted({row.minor for row in wanted})
        columns = _accounts.name, _rows.booked_on, _rows.amount_minor, _rows.currency, _rows.content, _rows.identity
        ledger = self.repository.ledger_id
        found = [row for row in self.before if row.minor in set(amounts)]
        async with self.repository.store.read(patient=True) as connection:
            for start in range(0, len(amounts), _AT_ONCE):
                query = (
                    sa.select(*columns)
                    .join(schema.accounts, _accounts.id == _rows.account_id)
                    .where(_rows.ledger_id == ledger, is_known(ledger), account_stands())
                    .where(
                        _rows.booked_on.between(first, last), _rows.content != "", ~_rows.identity.startswith(BY_HAND)
                    )
                    .where(_rows.amount_minor.in_(amounts[start : start + _AT_ONCE]))
                )
                found += [
                    _Row(name, date.fromisoformat(day), *rest) for name, day, *rest in await connection.execute(query)
                ]
        return found


def _row(identified: Identified) -> _Row:
    placed, identity = identified
    minor = to_minor(placed.row.amount, placed.currency)
    return _Row(placed.account, placed.row.booked_on, minor, placed.currency, identity.content, identity.key)


def _agreeing(mine: list[_Row], there: list[_Row], least: int) -> list[_Row]:
    """Return the rows of a file that are there, each once, if they are most of those on the days that both have."""
    found = list(_pairs(mine, there))
    if len(found) < least:
        return []
    first, last = min(row.day for row in there), max(row.day for row in there)
    both = [row for row in mine if first <= row.day <= last]
    return found if len(set(found) & set(both)) >= _SHARE * len(both) else []


def _pairs(mine: list[_Row], there: list[_Row]) -> Iterator[_Row]:
    """Yield the rows that are also in the other list with the same amount at most a few days apart, the nearest first.

    Each of the other list is one of these at most, so that two equal payments stay two.
    """
    free = Counter((row.minor, row.currency, row.day) for row in there)
    left = mine
    for apart in range(_APART + 1):
        alone = []
        for row in left:
            days = {row.day - timedelta(days=apart), row.day + timedelta(days=apart)}
            place = next((key for day in sorted(days) if free[key := (row.minor, row.currency, day)]), None)
            if place is None:
                alone.append(row)
            else:
                free[place] -= 1
                yield row
        left = alone
