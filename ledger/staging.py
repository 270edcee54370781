"""An import's rows on their way into a ledger and out of it: in short steps, and unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_deletion import purge_accounts
from ledger.balances import keep_balances
from ledger.bought import read_bought
from ledger.bulk import insert_many
from ledger.errors import ChangeImpossible, LedgerBusy, LedgerGone
from ledger.judgement import Judge
from ledger.left_out import leaves_out, read_left_out
from ledger.means import means_of
from ledger.meetings import keep_what_was_said, make_room
from ledger.money import to_minor
from ledger.pairing import apply_sides, plan_pairs, still_free
from ledger.phrases import forget_unused, phrase_ids
from ledger.revisions import touch
from ledger.rules import read_rules
from ledger.stated_rows import packed_statement
from ledger.statement_text import purpose_in
from ledger.steps import Steps, current_revision
from ledger.store import utc_now
from ledger.transactions import Kind, flow_of
from ledger.visibility import is_spoken_of, unfinished_imports
from ledger.working import aside

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.identity import Identity, PlacedRow
    from ledger.judgement import Judged
    from ledger.left_out import LeftOut
    from ledger.meetings import Meeting
    from ledger.pairing import Side
    from ledger.reconciling import Books
    from ledger.repository import Repository
    from ledger.statement_accounts import KnownAccounts
    from ledger.statement_writer import Identified
    from ledger.store import Store
    from ledger.sums import Cell

_rows = schema.transactions.c
_batches = schema.batches.c
#: How many search strings are kept at hand with their ids.
_MOST_PHRASES = 50_000
#: How many rows are added up at once: more come to fewer cells, and take longer to read.
_COUNTED_AT_ONCE = 20_000

#: What else belongs into the transaction that an import is finished by; it is told the batch, if there is one.
Finishing = Callable[["AsyncConnection", "int | None"], Awaitable[None]]


class _Changed(Exception):
    """The ledger has other rules than its rows were judged by."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A row as it is written, but for the ids of what it belongs to."""

    account: str
    phrase: str
    values: dict[str, Any]


class Stage:
    """One import's rows, which nobody sees before :meth:`finish`; nothing is written before the first of them."""

    def __init__(self, repository: Repository, accounts: KnownAccounts, judge: Judge) -> None:
        """Use :meth:`open`."""
        self.batch: int | None = None
        self._ledger_id = repository.ledger_id
        self._store = repository.store
        self._steps = Steps(repository.store, repository.ledger_id)
        self._accounts = accounts
        self._judge = judge
        self._revision = 0
        self._left_out: tuple[LeftOut, ...] = ()
        self._met: list[Meeting] = []
        self._phrases: dict[str, int] = {}
        self._used: set[str] = set()
        self._span: tuple[str, str] | None = None
        self._waiting: list[Identified] = []
        self._writing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, repository: Repository, accounts: KnownAccounts) -> Stage:
        """Read what rows are judged by."""
        async with repository.store.read(patient=True) as connection:
            stage = cls(repository, accounts, Judge((), await read_bought(connection, repository.ledger_id)))
            await stage._follow(connection)
        return stage

    async def _follow(self, connection: AsyncConnection) -> None:
        """Judge by the rules that the ledger has now."""
        self._revision, rules = await read_rules(connection, self._ledger_id)
        self._left_out = await read_left_out(connection, self._ledger_id)
        self._judge.follow(rules)

    def meet(self, meetings: Sequence[Meeting]) -> None:
        """Take note of rows that take the places of what the person wrote down by hand."""
        self._met += meetings

    def learn(self, rows: Iterable[PlacedRow]) -> None:
        """Take note of the purchases among rows that are to come: money back from there is a refund."""
        self._judge.learn((placed.row, self._accounts.types.get(placed.account)) for placed in rows)

    async def add(self, rows: Sequence[Identified]) -> None:
        """Write rows that the ledger doesn't have, while the next are read: this returns before they are written."""
        self._waiting += rows
        if len(self._waiting) >= self._steps.size:
            await self.settle()
            rows, self._waiting = self._waiting, []
            self._writing = asyncio.ensure_future(self._write(rows))

    async def settle(self, *, all_of_them: bool = False) -> None:
        """Wait for what is being written, and write what waits for more if that is to be all; raises what went wrong."""
        writing, self._writing = self._writing, None
        if writing is not None:
            await writing
        if all_of_them:
            rows, self._waiting = self._waiting, []
            await self._write(rows)

    async def stop(self) -> None:
        """End what is being written, as it is not to be finished."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait((self._writing,))

    async def _write(self, rows: Sequence[Identified]) -> None:
        if not rows:
            return
        start, ready = 0, await aside(partial(self._prepare, rows))
        while start < len(rows):
            part = ready[start : start + self._steps.size]
            try:
                await self._add(part)
            except _Changed:
                async with self._store.read() as connection:
                    await self._follow(connection)
                self._phrases.clear()
                ready = await aside(partial(self._prepare, rows))
                continue
            start += len(part)

    def _prepare(self, rows: Sequence[Identified]) -> list[_Ready]:
        """Judge rows, and make them ready to be written."""
        types = self._accounts.types
        return [
            self._ready(placed, identity, self._judge.judge(placed.row, types.get(placed.account)))
            for placed, identity in rows
        ]

    async def _add(self, rows: Sequence[_Ready]) -> None:
        phrases: dict[str, int] = {}
        accounts: dict[str, int] = {}
        batch = self.batch

        async def write(connection: AsyncConnection, revision: int) -> None:
            nonlocal batch
            if revision != self._revision:
                raise _Changed
            if batch is None:
                batch = await _insert_id(connection, schema.batches, self._opened())
            for name in dict.fromkeys(row.account for row in rows):
                if name not in self._accounts.ids:
                    accounts[name] = await _insert_id(connection, schema.accounts, self._account(name, batch))
            new = {row.phrase for row in rows if row.phrase not in self._phrases}
            if new:
                phrases.update(await phrase_ids(connection, self._ledger_id, new, batch))
            ids = self._accounts.ids | accounts
            for row in rows:
                row.values["batch_id"] = batch
                row.values["account_id"] = ids[row.account]
                row.values["phrase_id"] = self._phrases.get(row.phrase) or phrases[row.phrase]
            await insert_many(connection, schema.transactions, [row.values for row in rows])

        await self._steps.do(len(rows), write)
        self.batch = batch
        self._accounts.ids.update(accounts)
        self._used.update(row.account for row in rows)
        if len(self._phrases) > _MOST_PHRASES:
            self._phrases.clear()
        self._phrases.update(phrases)
        days = [row.values["booked_on"] for row in rows]
        first, last = self._span or (days[0], days[0])
        self._span = min(first, *days), max(last, *days)

    async def finish(self, files: Sequence[dict[str, Any]], finishing: Finishing, books: Books | None = None) -> None:
        """Let everything show, in one short transaction: pairs with older rows, balances, and what else belongs to it."""
        sides = await self._pair_up()
        if self.batch is not None and self._met:
            keep = partial(keep_what_was_said, self._met, self._ledger_id, self.batch, self._accounts.ids)
            await self._steps.do(len(self._met), lambda connection, _revision: keep(connection))
        while True:
            await self._count()
            try:
                self.batch = await self._finish(sides, files, finishing, books)
            except _Changed:
                continue
            return

    async def _finish(
        self, sides: Sequence[Side], files: Sequence[dict[str, Any]], finishing: Finishing, books: Books | None
    ) -> int | None:
        async with self._store.write() as connection:
            revision = await current_revision(connection, self._ledger_id)
            if self.batch is not None and revision != self._revision:
                raise _Changed
            batch = self.batch
            if not await self._accounts.still_stand(connection, self._used):
                raise ChangeImpossible("Your accounts were changed meanwhile. Please import the file again.")
            if books is not None and books.accounts:
                batch = await self._keep_balances(connection, books)
            if batch is not None:
                sides, lonely = await still_free(connection, self._ledger_id, batch, sides)
                await apply_sides(connection, [*sides, *lonely])
                await sums.recount_rows(connection, self._ledger_id, [side.id for side in sides])
                await connection.execute(schema.files.insert(), [file | {"batch_id": batch} for file in files])
                done = _batches.id == batch, _batches.finished_at.is_(None)
                shown = await connection.execute(schema.batches.update().where(*done).values(finished_at=utc_now()))
                if not shown.rowcount:
                    raise LedgerGone("This ledger was deleted meanwhile.")
                await sums.recount_rows(connection, self._ledger_id, [side.id for side in lonely])
                await make_room(connection, self._ledger_id, batch, self._met, self._accounts.ids)
                await touch(connection, self._ledger_id)
            await finishing(connection, batch)
            return batch

    async def _keep_balances(self, connection: AsyncConnection, books: Books) -> int:
        """Write down the new balances, in a batch of their own where no row is new; return the batch."""
        batch = self.batch
        if batch is None:
            batch = await _insert_id(connection, schema.batches, self._opened())
        new = books.accounts - self._accounts.ids.keys()
        ids = {name: await _insert_id(connection, schema.accounts, self._account(name, batch)) for name in sorted(new)}
        await keep_balances(connection, self._ledger_id, batch, books.fresh(self._accounts.ids | ids))
        return batch

    def _opened(self) -> dict[str, Any]:
        return {"ledger_id": self._ledger_id, "created_at": utc_now()}

    async def _count(self) -> None:
        """Count the rows into the kept sums, part by part, and from the start where a new rule changed some meanwhile."""
        if self.batch is None:
            return
        bounds = sa.select(sa.func.min(_rows.id), sa.func.max(_rows.id)).where(_rows.batch_id == self.batch)
        async with self._store.read(patient=True) as connection:
            first, last = (await connection.execute(bounds)).one()
        done = first - 1
        steps = Steps(self._store, self._ledger_id)
        while done < last:
            up_to = done + _COUNTED_AT_ONCE
            try:
                await self._count_some(steps, self.batch, done, up_to)
                done = up_to
            except _Changed:
                async with self._store.read(patient=True) as connection:
                    self._revision, _ = await read_rules(connection, self._ledger_id)
                await self._steps.do(0, partial(_uncount, self._ledger_id, self.batch))
                done = first - 1

    async def _count_some(self, steps: Steps, batch: int, after: int, up_to: int) -> None:
        """Add up some rows, which keeps nobody from writing, and write down what they come to."""
        async with self._store.read(patient=True) as connection:
            counted = await sums.counted(connection, self._ledger_id, batch, after, up_to)
        while counted:
            part, counted = counted[: steps.size], counted[steps.size :]
            await steps.do(len(part), partial(self._take_in, part))

    async def _take_in(self, cells: Sequence[Cell], connection: AsyncConnection, revision: int) -> None:
        if revision != self._revision:
            raise _Changed
        await sums.take_in(connection, cells)

    async def _pair_up(self) -> list[Side]:
        """Pair the new rows with each other, step by step; return what is to change of the older ones."""
        if self.batch is None or self._span is None:
            return []
        first, last = map(date.fromisoformat, self._span)
        async with self._store.read(patient=True) as connection:
            sides = await plan_pairs(connection, self._ledger_id, first, last, self.batch)
        own = [side for side in sides if side.batch_id == self.batch]
        while own:
            part, own = own[: self._steps.size], own[self._steps.size :]
            await self._steps.do(len(part), partial(_apply, part))
        return [side for side in sides if side.batch_id != self.batch]

    def _account(self, name: str, batch: int) -> dict[str, Any]:
        kind, stated = self._accounts.types[name], self._accounts.stated.get(name)
        return {
            "ledger_id": self._ledger_id,
            "name": name,
            "ref": stated.ref if stated else "",
            "type": kind.value if kind else None,
            "currency": stated.currency if stated else None,
            "batch_id": batch,
        }

    def _ready(self, placed: PlacedRow, identity: Identity, judged: Judged) -> _Ready:
        row, currency = placed.row, placed.currency
        minor = to_minor(row.amount, currency)
        left = leaves_out(self._left_out, judged.merchant_key, judged.words, judged.kind, minor)
        kind = Kind.LEFT_OUT if left else judged.kind
        values = {
            "ledger_id": self._ledger_id,
            "identity": identity.key,
            "content": identity.content,
            "has_id": int(identity.has_id),
            "booked_on": row.booked_on.isoformat(),
            "weekday": row.booked_on.weekday(),
            "amount_minor": minor,
            "currency": currency,
            "description": row.description,
            "memo": row.memo or purpose_in(row.description),
            "merchant": judged.merchant,
            "merchant_key": judged.merchant_key,
            "category": judged.category,
            "category_source": judged.category_source,
            "own_category": judged.own_category,
            "own_category_source": judged.own_category_source,
            "kind": kind.value,
            "kind_ground": judged.ground.value,
            "own_kind": judged.kind.value,
            "flow": flow_of(kind, minor).value,
            "labels": row.labels,
            "notes": row.notes,
            "means": means_of(row, judged.kind, self._accounts.types[placed.account]),
            "stated": packed_statement(row, judged.own_category_source or judged.category_source),
        }
        return _Ready(placed.account, judged.phrase, values)


async def clear(store: Store, ledger_id: int) -> None:
    """Take out what shows no more, or never did: rows of imports that were taken back or broke off, and of old accounts.

    Only whoever has the ledger to themselves may do so (:meth:`ledger.store.Store.alone`).
    """
    query = sa.select(_batches.id).where(_batches.ledger_id == ledger_id, unfinished_imports())
    async with store.read() as connection:
        hidden = list((await connection.execute(query)).scalars())
    for batch in hidden:
        await _remove(store, ledger_id, batch)
    await purge_accounts(store, ledger_id)


async def sweep(store: Store) -> int:
    """Take out of every ledger what a process left that died; return of how many. A ledger that is in use is passed over."""
    unfinished = sa.select(_batches.ledger_id).where(unfinished_imports()).distinct()
    async with store.read() as connection:
        ledgers = list((await connection.execute(unfinished)).scalars())
    swept = 0
    for ledger_id in ledgers:
        try:
            async with store.alone(ledger_id, wait=False):
                await clear(store, ledger_id)
            swept += 1
        except (LedgerBusy, LedgerGone):
            continue
    return swept


async def _remove(store: Store, ledger_id: int, batch: int) -> None:
    """Take out a batch that doesn't show, step by step, with the search strings and accounts that only it has."""
    steps = Steps(store, ledger_id)
    wanted = removed = steps.size
    while removed == wanted:
        wanted = steps.size
        removed = await steps.do(wanted, partial(_remove_rows, ledger_id, batch, wanted))
    await steps.do(0, partial(_close, ledger_id, batch))


async def _remove_rows(ledger_id: int, batch: int, most: int, connection: AsyncConnection, _revision: int) -> int:
    some = sa.select(_rows.id).where(_rows.batch_id == batch).limit(most)
    gone = (
        (await connection.execute(schema.transactions.delete().where(_rows.id.in_(some)).returning(_rows.phrase_id)))
        .scalars()
        .all()
    )
    await forget_unused(connection, ledger_id, set(gone))
    return len(gone)


async def _close(ledger_id: int, batch: int, connection: AsyncConnection, _revision: int) -> None:
    """Drop accounts of no row, no balance and no word; the batch stays if it was taken back, and goes if it never was there."""
    accounts, mine = schema.accounts.c, _batches.id == batch
    await sums.drop(connection, ledger_id, batch)
    used = sa.exists().where(_rows.ledger_id == ledger_id, _rows.account_id == accounts.id)
    stated = sa.exists().where(schema.balances.c.account_id == accounts.id)
    others = schema.accounts.alias()
    whole = accounts.into_id.is_(None) | sa.exists().where(others.c.id == accounts.into_id)
    kept = is_spoken_of() & accounts.gone_at.is_(None) & whole
    await connection.execute(schema.accounts.delete().where(accounts.ledger_id == ledger_id, ~used, ~stated, ~kept))
    undone = (await connection.execute(sa.select(_batches.undone_at).where(mine))).scalar_one_or_none()
    if undone is not None:
        await connection.execute(schema.batches.update().where(mine).values(finished_at=undone))
        return
    for table in (schema.accounts, schema.phrases):
        await connection.execute(table.update().where(table.c.batch_id == batch).values(batch_id=None))
    await connection.execute(schema.batches.delete().where(mine))


async def _uncount(ledger_id: int, batch: int, connection: AsyncConnection, _revision: int) -> None:
    await sums.drop(connection, ledger_id, batch)


async def _apply(sides: Sequence[Side], connection: AsyncConnection, _revision: int) -> None:
    await apply_sides(connection, sides)


async def _insert_id(connection: AsyncConnection, table: sa.Table, values: dict[str, Any]) -> int:
    return int((await connection.execute(table.insert().values(values).returning(table.c.id))).scalar_one())
