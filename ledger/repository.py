"""One person's ledger: every figure is SQL over everything in scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.filters import Filter, GroupBy, Order, conditions
from ledger.transactions import Account, AccountType, Flow, Kind, Transaction

if TYPE_CHECKING:
    from ledger.store import Store

_rows = schema.transactions.c


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of one currency within a scope, in minor units; ``out`` and ``into`` are both positive."""

    currency: str
    count: int = 0
    out_minor: int = 0
    out_count: int = 0
    into_minor: int = 0
    into_count: int = 0
    largest_out_minor: int = 0
    smallest_out_minor: int = 0
    first: date | None = None
    last: date | None = None

    @property
    def net_out_minor(self) -> int:
        """Money out less money back in: the figure called spending."""
        return self.out_minor - self.into_minor


@dataclass(frozen=True, slots=True)
class Group:
    """The totals of one group, e.g. one merchant or one month (``2026-10``)."""

    key: str
    label: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that exist in one ledger, and its span; what a person's words are resolved against."""

    revision: int
    categories: tuple[str, ...]
    merchants: tuple[tuple[str, str], ...]
    """Pairs of merchant key and display name, the most frequent first."""
    accounts: tuple[Account, ...]
    currencies: tuple[str, ...]
    """The currencies in use, the most frequent first."""
    first: date | None
    last: date | None
    count: int
    derived: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What readers compute from these names once, kept as long as the names hold."""

    @classmethod
    def empty(cls, currencies: tuple[str, ...] = ()) -> Vocabulary:
        """Return the names of a ledger that holds nothing."""
        return cls(0, (), (), (), currencies, None, None, 0)


class Repository:
    """The ledger of the one person that it was opened for."""

    def __init__(self, store: Store, person_id: int, ledger_id: int) -> None:
        """Use :meth:`ledger.store.Store.repository`."""
        self.store = store
        self.person_id = person_id
        self.ledger_id = ledger_id
        self._vocabulary: Vocabulary | None = None

    async def totals(self, wanted: Filter) -> list[Totals]:
        """Return one ``Totals`` per currency in scope, the one with the most transactions first."""
        query = sa.select(_rows.currency, *_SUMS).where(*conditions(wanted, self.ledger_id)).group_by(_rows.currency)
        async with self.store.read() as connection:
            found = (await connection.execute(query)).all()
        return sorted((_totals(row) for row in found), key=lambda totals: (-totals.count, totals.currency))

    async def groups(self, wanted: Filter, by: GroupBy) -> list[Group]:
        """Return the totals per group and currency, in no particular order."""
        key, label = _GROUP_KEYS[by]
        query = (
            sa.select(key.label("key"), label.label("label"), _rows.currency, *_SUMS)
            .where(*conditions(wanted, self.ledger_id))
            .group_by(key, _rows.currency)
        )
        if by == "account":
            query = query.join(schema.accounts, schema.accounts.c.id == _rows.account_id)
        async with self.store.read() as connection:
            found = (await connection.execute(query)).all()
        return [Group(str(row.key), str(row.label), _totals(row)) for row in found]

    async def rows(
        self, wanted: Filter, order: Order = "newest", limit: int | None = None, offset: int = 0
    ) -> list[Transaction]:
        """Return the transactions in scope; ``largest`` and ``smallest`` order by size, whatever the sign."""
        query = (
            sa.select(*_ROW_COLUMNS, schema.accounts.c.name.label("account"))
            .join(schema.accounts, schema.accounts.c.id == _rows.account_id)
            .where(*conditions(wanted, self.ledger_id))
            .order_by(*_ORDERS[order])
            .limit(limit)
            .offset(offset)
        )
        async with self.store.read() as connection:
            found = (await connection.execute(query)).all()
        return [_transaction(row) for row in found]

    async def ids(self, wanted: Filter) -> tuple[int, ...]:
        """Return the ids of all transactions in scope, the newest first."""
        query = sa.select(_rows.id).where(*conditions(wanted, self.ledger_id)).order_by(*_ORDERS["newest"])
        async with self.store.read() as connection:
            return tuple((await connection.execute(query)).scalars())

    async def vocabulary(self) -> Vocabulary:
        """Return the ledger's names and span, read again only when the ledger has changed."""
        async with self.store.read() as connection:
            revision = await self._revision(connection)
            if self._vocabulary is None or self._vocabulary.revision != revision:
                self._vocabulary = await self._read_vocabulary(connection, revision)
        return self._vocabulary

    async def accounts(self) -> tuple[Account, ...]:
        """Return the person's accounts by name."""
        async with self.store.read() as connection:
            return await self._accounts(connection)

    async def settings(self) -> dict[str, str]:
        """Return the settings that the person made."""
        table = schema.settings.c
        query = sa.select(table.name, table.value).where(table.person_id == self.person_id)
        async with self.store.read() as connection:
            return {row.name: row.value for row in await connection.execute(query)}

    async def phrases(self) -> list[tuple[int, str]]:
        """Return the distinct search strings of this ledger with their point ids."""
        query = sa.select(schema.phrases.c.id, schema.phrases.c.text).where(
            schema.phrases.c.ledger_id == self.ledger_id
        )
        async with self.store.read() as connection:
            return [(row.id, row.text) for row in await connection.execute(query)]

    async def _revision(self, connection: Any) -> int:
        query = sa.select(schema.ledgers.c.revision).where(schema.ledgers.c.id == self.ledger_id)
        return int((await connection.execute(query)).scalar_one())

    async def _accounts(self, connection: Any) -> tuple[Account, ...]:
        table = schema.accounts.c
        query = (
            sa.select(table.id, table.name, table.type, table.currency, table.ref)
            .where(table.ledger_id == self.ledger_id)
            .order_by(table.name)
        )
        return tuple(
            Account(row.id, row.name, AccountType(row.type) if row.type else None, row.currency, row.ref)
            for row in await connection.execute(query)
        )

    async def _read_vocabulary(self, connection: Any, revision: int) -> Vocabulary:
        mine = _rows.ledger_id == self.ledger_id
        count = sa.func.count().label("n")
        categories = await connection.execute(
            sa.select(_rows.category, count).where(mine).group_by(_rows.category).order_by(count.desc(), _rows.category)
        )
        merchants = await connection.execute(
            sa.select(_rows.merchant_key, sa.func.min(_rows.merchant).label("name"), count)
            .where(mine)
            .group_by(_rows.merchant_key)
            .order_by(count.desc(), _rows.merchant_key)
        )
        currencies = await connection.execute(
            sa.select(_rows.currency, count).where(mine).group_by(_rows.currency).order_by(count.desc(), _rows.currency)
        )
        span = (
            await connection.execute(
                sa.select(sa.func.min(_rows.booked_on), sa.func.max(_rows.booked_on), sa.func.count()).where(mine)
            )
        ).one()
        return Vocabulary(
            revision=revision,
            categories=tuple(row.category for row in categories),
            merchants=tuple((row.merchant_key, row.name) for row in merchants),
            accounts=await self._accounts(connection),
            currencies=tuple(row.currency for row in currencies),
            first=_day(span[0]),
            last=_day(span[1]),
            count=int(span[2]),
        )


_out = _rows.amount_minor < 0
_into = _rows.amount_minor > 0
_SUMS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.count().label("count"),
    sa.func.coalesce(-sa.func.sum(_rows.amount_minor).filter(_out), 0).label("out_minor"),
    sa.func.count().filter(_out).label("out_count"),
    sa.func.coalesce(sa.func.sum(_rows.amount_minor).filter(_into), 0).label("into_minor"),
    sa.func.count().filter(_into).label("into_count"),
    sa.func.coalesce(-sa.func.min(_rows.amount_minor).filter(_out), 0).label("largest_out_minor"),
    sa.func.coalesce(-sa.func.max(_rows.amount_minor).filter(_out), 0).label("smallest_out_minor"),
    sa.func.min(_rows.booked_on).label("first"),
    sa.func.max(_rows.booked_on).label("last"),
)

_month = sa.func.substr(_rows.booked_on, 1, 7)
_year = sa.func.substr(_rows.booked_on, 1, 4)
_GROUP_KEYS: dict[str, tuple[sa.ColumnElement[Any], sa.ColumnElement[Any]]] = {
    "category": (_rows.category, sa.func.min(_rows.category)),
    "merchant": (_rows.merchant_key, sa.func.min(_rows.merchant)),
    "account": (_rows.account_id, sa.func.min(schema.accounts.c.name)),
    "month": (_month, sa.func.min(_month)),
    "year": (_year, sa.func.min(_year)),
    "weekday": (_rows.weekday, sa.func.min(_rows.weekday)),
    "day": (_rows.booked_on, sa.func.min(_rows.booked_on)),
    "currency": (_rows.currency, sa.func.min(_rows.currency)),
}

_size = sa.func.abs(_rows.amount_minor)
_ORDERS: dict[Order, tuple[sa.ColumnElement[Any], ...]] = {
    "newest": (_rows.booked_on.desc(), _rows.id.desc()),
    "oldest": (_rows.booked_on, _rows.id),
    "largest": (_size.desc(), _rows.booked_on.desc(), _rows.id.desc()),
    "smallest": (_size, _rows.booked_on.desc(), _rows.id.desc()),
}

_ROW_COLUMNS = (
    _rows.id,
    _rows.booked_on,
    _rows.amount_minor,
    _rows.currency,
    _rows.description,
    _rows.merchant,
    _rows.category,
    _rows.kind,
    _rows.flow,
    _rows.memo,
    _rows.batch_id,
    _rows.labels,
    _rows.notes,
)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _totals(row: Any) -> Totals:
    return Totals(
        currency=row.currency,
        count=int(row.count),
        out_minor=int(row.out_minor),
        out_count=int(row.out_count),
        into_minor=int(row.into_minor),
        into_count=int(row.into_count),
        largest_out_minor=int(row.largest_out_minor),
        smallest_out_minor=int(row.smallest_out_minor),
        first=_day(row.first),
        last=_day(row.last),
    )


def _transaction(row: Any) -> Transaction:
    return Transaction(
        id=row.id,
        booked_on=date.fromisoformat(row.booked_on),
        amount_minor=row.amount_minor,
        currency=row.currency,
        description=row.description,
        merchant=row.merchant,
        category=row.category,
        kind=Kind(row.kind),
        flow=Flow(row.flow),
        account=row.account,
        memo=row.memo,
        batch_id=row.batch_id,
        labels=row.labels,
        notes=row.notes,
    )
