"""One person's ledger: every figure is over everything in scope, whatever is shown of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa

from ledger import schema
from ledger.balances import Books, read_books
from ledger.filters import Filter, GroupBy, Order, conditions
from ledger.narrowing import narrow
from ledger.own_names import names_elsewhere, told_name
from ledger.tallies import Ranked, Sums, Totals, kept, tally, tally_groups
from ledger.transactions import Account, AccountType, Flow, Kind, Transaction
from ledger.visibility import account_shows, balance_shows, phrase_shows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.store import Store

T = TypeVar("T")
_rows = schema.transactions.c
_sums = schema.sums.c

#: An answer over more rows than these names the newest of them; its filter finds all.
MOST_IDS = 10_000


@dataclass(frozen=True, slots=True)
class Group:
    """The sums of one group, e.g. one merchant or one month (``2026-10``)."""

    key: str
    label: str
    totals: Sums


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
    balanced: frozenset[int] = frozenset()
    """The ids of the accounts of which a balance is stated."""
    shop: str = ""
    """The merchant to whom money goes most often."""
    held_by: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The ids of the accounts that hold transactions of each category."""
    derived: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What readers compute from these names once, kept as long as the names hold."""

    @classmethod
    def empty(cls, currencies: tuple[str, ...] = ()) -> Vocabulary:
        """Return the names of a ledger that holds nothing."""
        return cls(0, (), (), (), currencies, None, None, 0)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a person before they ask anything."""

    settings: dict[str, str]
    switched_off: frozenset[str]
    """The names of tools and apps."""
    vocabulary: Vocabulary


class Repository:
    """The ledger of the one person that it was opened for."""

    def __init__(self, store: Store, person_id: int, ledger_id: int, vocabulary: Vocabulary | None = None) -> None:
        """Use :meth:`ledger.store.Store.repository`; what is known of the names is read again only once they changed."""
        self.store = store
        self.person_id = person_id
        self.ledger_id = ledger_id
        self._vocabulary = vocabulary

    async def totals(self, wanted: Filter) -> list[Totals]:
        """Return one ``Totals`` per currency in scope, the one with the most transactions first."""
        found = await self._read(lambda connection: tally(connection, self.ledger_id, wanted))
        return sorted(found.values(), key=lambda totals: (-totals.count, totals.currency))

    async def groups(self, wanted: Filter, by: GroupBy, first: Ranked | None = None) -> list[Group]:
        """Return the sums per group and currency, in no particular order; all, or at least those that rank ``first``."""

        def read(connection: sa.Connection) -> list[Group]:
            names = self._names(connection, by)
            found = tally_groups(connection, self.ledger_id, wanted, by, first)
            return [Group(key, names.get(key) or _label(key, by), totals) for (key, _), totals in found.items()]

        return await self._read(read)

    async def rows(
        self, wanted: Filter, order: Order = "newest", limit: int | None = None, offset: int = 0
    ) -> list[Transaction]:
        """Return the transactions in scope; ``largest`` and ``smallest`` order by size, whatever the sign."""
        query = sa.select(*_ROW_COLUMNS, schema.accounts.c.name.label("account")).join(
            schema.accounts, schema.accounts.c.id == _rows.account_id
        )
        query = query.order_by(*_order_by(order, _rows.id, _rows.booked_on, _rows.amount_minor))

        def read(connection: sa.Connection) -> list[Transaction]:
            if limit is None and not offset:
                matching = query.where(*conditions(wanted, self.ledger_id))
            else:
                matching = query.where(_rows.id.in_(self._few(connection, wanted, order, limit, offset)))
            return [_transaction(row) for row in connection.execute(matching)]

        return await self._read(read)

    async def rows_of(self, ids: Sequence[int]) -> list[Transaction]:
        """Return those of some transactions that show, in the order of their ids as given."""
        query = sa.select(*_ROW_COLUMNS, schema.accounts.c.name.label("account")).join(
            schema.accounts, schema.accounts.c.id == _rows.account_id
        )
        wanted = query.where(*conditions(Filter(), self.ledger_id), _rows.id.in_(ids))
        found = await self._read(lambda connection: {row.id: _transaction(row) for row in connection.execute(wanted)})
        return [found[key] for key in ids if key in found]

    async def refund_links(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Return the ids of the purchases that some rows are or are refunds of, each with that of one of its refunds."""
        links = schema.refund_links.c
        mine = links.ledger_id == self.ledger_id
        of_them = sa.select(links.purchase_id).where(mine, links.refund_id.in_(ids))
        query = sa.select(links.purchase_id, links.refund_id).where(
            mine, links.purchase_id.in_(ids) | links.purchase_id.in_(of_them)
        )
        return await self._read(lambda connection: [(row[0], row[1]) for row in connection.execute(query)])

    async def other_sides(self, ids: Sequence[int]) -> dict[int, tuple[int, Kind]]:
        """Return the other sides of those of some rows that are transfers between own accounts: ids, and kinds by themselves."""
        other = schema.transactions.alias()
        query = (
            sa.select(_rows.id, other.c.id.label("other"), other.c.own_kind)
            .join(other, other.c.id == _rows.pair_id)
            .where(_rows.ledger_id == self.ledger_id, _rows.id.in_(ids))
        )
        found = await self._read(lambda connection: connection.execute(query).all())
        return {row.id: (row.other, Kind(row.own_kind)) for row in found}

    async def sums_of_any(self, wanted: Sequence[Filter]) -> dict[str, tuple[int, int]]:
        """Return by currency the number of transactions that any of these filters holds and what they come to, each once."""
        anyone = sa.or_(*(sa.and_(*conditions(each, self.ledger_id)) for each in wanted))
        query = sa.select(_rows.currency, sa.func.count(), sa.func.sum(_rows.amount_minor)).where(anyone)
        found = await self._read(lambda connection: connection.execute(query.group_by(_rows.currency)).all())
        return {currency: (int(count), int(minor)) for currency, count, minor in found}

    async def ids(self, wanted: Filter, limit: int = MOST_IDS) -> tuple[int, ...]:
        """Return the ids of the transactions in scope, the newest first; of more than the limit, the newest ones."""

        def read(connection: sa.Connection) -> tuple[int, ...]:
            return tuple(connection.scalars(self._few(connection, wanted, "newest", limit, 0)).all())

        return await self._read(read)

    async def known(self) -> Known:
        """Return what a turn begins with, all of one state of the database."""
        off = sa.select(schema.switches.c.name).where(schema.switches.c.person_id == self.person_id)

        def read(connection: sa.Connection) -> Known:
            names = frozenset(connection.execute(off).scalars())
            return Known(self._settings(connection), names, self._names_now(connection))

        return await self._read(read)

    async def vocabulary(self) -> Vocabulary:
        """Return the ledger's names and span, read again only when the ledger has changed."""
        return await self._read(self._names_now)

    async def vocabulary_within(self, connection: AsyncConnection) -> Vocabulary:
        """Return the names and span as they are in the caller's transaction, which nobody else sees yet."""
        return await connection.run_sync(lambda within: self._read_vocabulary(within, self._revision(within)))

    async def accounts(self) -> tuple[Account, ...]:
        """Return the person's accounts by name."""
        return await self._read(self._accounts)

    async def books(self, *, everywhere: bool = False) -> Books:
        """Return the balances that are stated, and what the rows of each day come to: in their accounts, or everywhere."""
        return await self._read(lambda connection: read_books(connection, self.ledger_id, everywhere=everywhere))

    async def settings(self) -> dict[str, str]:
        """Return the settings that the person made."""
        return await self._read(self._settings)

    async def phrases(self) -> list[tuple[int, str]]:
        """Return the distinct search strings of this ledger with their point ids."""
        query = sa.select(schema.phrases.c.id, schema.phrases.c.text).where(
            schema.phrases.c.ledger_id == self.ledger_id, phrase_shows(self.ledger_id)
        )
        return await self._read(lambda connection: [(row.id, row.text) for row in connection.execute(query)])

    async def _read(self, work: Callable[[sa.Connection], T]) -> T:
        """Return what a function of a reading connection returns: one way to the database and back, whatever it asks."""
        return await self.store.at_once(work)

    def _few(
        self, connection: sa.Connection, wanted: Filter, order: Order, limit: int | None, offset: int
    ) -> sa.Select[int]:
        """Return the query for the ids of some rows, found by an index that holds all that is asked of them."""
        near = [[]] if limit is None else narrow(connection, self.ledger_id, wanted, order, limit + offset)
        matching = conditions(wanted, self.ledger_id)
        parts = [sa.select(_rows.id, _rows.booked_on, _rows.amount_minor).where(*matching, *part) for part in near]
        row = (parts[0] if len(parts) == 1 else sa.union_all(*parts)).subquery().c
        query = sa.select(row.id).order_by(*_order_by(order, row.id, row.booked_on, row.amount_minor))
        return query.limit(limit).offset(offset)

    def _names(self, connection: sa.Connection, by: GroupBy) -> dict[str, str]:
        """Return the names of what is grouped by a key that is none itself."""
        if by == "merchant":
            return dict(self._names_now(connection).merchants)
        if by == "account":
            return {str(account.id): account.name for account in self._accounts(connection)}
        return {}

    def _names_now(self, connection: sa.Connection) -> Vocabulary:
        revision, known = self._revision(connection), self._vocabulary
        if known is None or known.revision != revision:
            known = self._vocabulary = self._read_vocabulary(connection, revision)
        return known

    def _revision(self, connection: sa.Connection) -> int:
        query = sa.select(schema.ledgers.c.revision).where(schema.ledgers.c.id == self.ledger_id)
        return int(connection.execute(query).scalar_one())

    def _settings(self, connection: sa.Connection) -> dict[str, str]:
        table = schema.settings.c
        query = sa.select(table.name, table.value).where(table.person_id == self.person_id)
        return {row.name: row.value for row in connection.execute(query)}

    def _accounts(self, connection: sa.Connection) -> tuple[Account, ...]:
        table = schema.accounts.c
        query = (
            sa.select(table.id, table.name, table.type, table.currency, table.ref)
            .where(table.ledger_id == self.ledger_id, account_shows(self.ledger_id))
            .order_by(table.name)
        )
        names = schema.account_names.c
        others = sa.select(names.account_id, names.text).where(names.ledger_id == self.ledger_id, names.by == "name")
        called: dict[int, dict[str, None]] = {}
        for account, text in connection.execute(others.order_by(names.id)):
            called.setdefault(account, {})[text] = None
        return tuple(
            Account(
                row.id, told_name(row.name), AccountType(row.type) if row.type else None, row.currency, row.ref,
                (*(name for name in called.get(row.id, ()) if name != row.name), *names_elsewhere(row.name)),
            )
            for row in connection.execute(query)
        )  # fmt: skip

    def _read_vocabulary(self, connection: sa.Connection, revision: int) -> Vocabulary:
        count = sa.func.sum(_sums.count).label("n")

        def counted(cube: str, *columns: sa.ColumnElement[Any]) -> sa.CursorResult[Any]:
            query = sa.select(*columns, count).where(*kept(self.ledger_id, cube)).group_by(columns[0])
            return connection.execute(query.order_by(count.desc(), columns[0]))

        ends = sa.select(sa.func.min(_sums.first_on), sa.func.max(_sums.last_on), count)
        first, last, number = connection.execute(ends.where(*kept(self.ledger_id, "month"))).one()
        out = sa.func.sum(sa.case((_sums.flow == Flow.SPENDING, _sums.count), else_=0)).label("out")
        merchants = counted("merchant", _sums.merchant_key, sa.func.min(_sums.name).label("name"), out).all()
        shop = max(merchants, key=lambda row: row.out, default=None)
        return Vocabulary(
            revision=revision,
            categories=tuple(told_name(row.category) for row in counted("year both", _sums.category)),
            held_by=self._held_by(connection),
            merchants=tuple((row.merchant_key, row.name) for row in merchants),
            shop=shop.name if shop is not None and shop.out else "",
            accounts=self._accounts(connection),
            currencies=tuple(row.currency for row in counted("month", _sums.currency)),
            first=_day(first),
            last=_day(last),
            count=int(number or 0),
            balanced=frozenset(connection.scalars(self._balanced())),
        )

    def _balanced(self) -> sa.Select[tuple[int]]:
        table = schema.balances.c
        mine = table.ledger_id == self.ledger_id, balance_shows(self.ledger_id)
        return sa.select(table.account_id).where(*mine).distinct()

    def _held_by(self, connection: sa.Connection) -> dict[str, frozenset[int]]:
        """Return the accounts that hold transactions of each category."""
        query = sa.select(_sums.category, _sums.account_id).where(*kept(self.ledger_id, "year both")).distinct()
        found: dict[str, set[int]] = {}
        for category, account in connection.execute(query):
            found.setdefault(category, set()).add(account)
        return {category: frozenset(accounts) for category, accounts in found.items()}


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


def _label(key: str, by: GroupBy) -> str:
    return told_name(key) if by == "category" else key


def _order_by(order: Order, key: Any, day: Any, amount: Any) -> tuple[sa.ColumnElement[Any], ...]:
    """Return what rows are sorted by; of equal ones the newest comes first, but in the order of time."""
    size = sa.func.abs(amount)
    orders: dict[Order, tuple[sa.ColumnElement[Any], ...]] = {
        "newest": (day.desc(), key.desc()),
        "oldest": (day, key),
        "largest": (size.desc(), day.desc(), key.desc()),
        "smallest": (size, day.desc(), key.desc()),
    }
    return orders[order]


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _transaction(row: Any) -> Transaction:
    return Transaction(
        id=row.id,
        booked_on=date.fromisoformat(row.booked_on),
        amount_minor=row.amount_minor,
        currency=row.currency,
        description=row.description,
        merchant=row.merchant,
        category=told_name(row.category),
        kind=Kind(row.kind),
        flow=Flow(row.flow),
        account=told_name(row.account),
        memo=row.memo,
        batch_id=row.batch_id,
        labels=row.labels,
        notes=row.notes,
    )
