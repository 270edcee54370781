"""Deleting an account with its rows: they show no more, can be put back for some days, and then are gone for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa

from ledger import schema, sums
from ledger.account_journal import Done, What, account_to_change, note
from ledger.account_merging import hide_rows, show_rows
from ledger.account_names import give_name, marked
from ledger.journal import write_down
from ledger.merging import forget_merges, give_others_back, others_of
from ledger.phrases import forget_unused
from ledger.refunds import kinds_by_themselves, set_link
from ledger.restating import Rewritten, State, put_states_back, read_refunds_of, rewrite
from ledger.retyping import Turn, plan_turn
from ledger.revisions import Planned, touch
from ledger.steps import Steps
from ledger.store import utc_now
from ledger.transactions import AccountType, Flow
from ledger.visibility import BatchKind, shows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.account_journal import AccountChange
    from ledger.journal import Noted
    from ledger.repository import Repository
    from ledger.store import Store

_rows = schema.transactions.c
_accounts = schema.accounts.c
#: For so many days what was deleted can be put back.
KEPT_DAYS = 30


class Deletion(NamedTuple):
    """The rows that go; what becomes of them, of the other sides of their transfers and of refunds elsewhere; what comes back.

    A row of another account comes back that was merged into one that goes: its flow, amount and currency.
    """

    ids: list[int]
    rewritten: list[Rewritten]
    back: list[tuple[Flow, int, str]]


def planned_deletion(ledger_id: int, account_id: int) -> Planned[Deletion]:
    """Return what will go with an account, for a person to see and then to be done."""
    return Planned(lambda connection: plan_deletion(connection, ledger_id, account_id))


async def plan_deletion(connection: AsyncConnection, ledger_id: int, account_id: int) -> Deletion:
    """Return the rows that show of an account, and what becomes of them and of those elsewhere that have to do with them."""
    mine = _rows.ledger_id == ledger_id, _rows.account_id == account_id, shows(ledger_id)
    ids = list((await connection.execute(sa.select(_rows.id).where(*mine).order_by(_rows.id))).scalars())
    query = sa.select(_accounts.type).where(_accounts.id == account_id)
    kind = (await connection.execute(query)).scalar_one_or_none()
    turn = Turn(account_id, AccountType(kind) if kind else None, without=frozenset(ids))
    rewritten = await plan_turn(connection, ledger_id, turn) if ids else []
    rewritten += await _let_go(connection, ledger_id, frozenset(ids))
    back = [row for _, row in await others_of(connection, ledger_id, account_id) if row is not None]
    return Deletion(ids, rewritten, [(Flow(row.flow), row.amount_minor, row.currency) for row in back])


async def _let_go(connection: AsyncConnection, ledger_id: int, going: frozenset[int]) -> list[Rewritten]:
    """Return what refunds of purchases that go are by themselves, but for those that go as well."""
    found = await read_refunds_of(connection, ledger_id, going)
    rows = [row for row, _ in found if row.shows and row.id not in going]
    kinds = await kinds_by_themselves(connection, ledger_id, [row.id for row in rows])
    return [
        Rewritten(
            row.id, row.amount_minor, row.currency, bool(row.shows), State.of(row),
            replace(State.of(row), kind=kinds[row.id]), linked=True,
        )
        for row in rows
    ]  # fmt: skip


async def delete_account(
    connection: AsyncConnection,
    repository: Repository,
    token: str,
    account_id: int,
    planned: Planned[Deletion] | None = None,
) -> None:
    """Let an account and its rows show no more, within a transaction; its files may bring them again.

    Raises:
        ChangeImpossible: it is no longer there.
    """
    ledger = repository.ledger_id
    await touch(connection, ledger)  # one change of a ledger at a time: this locks its row
    account = await account_to_change(connection, ledger, account_id)
    ids, rewritten, _ = await (planned or planned_deletion(ledger, account_id)).look(connection, ledger, touched=True)
    aside = await hide_rows(connection, ledger, BatchKind.GONE, ids)
    await rewrite(connection, ledger, token, rewritten)
    noted = await give_others_back(connection, ledger, account_id)
    going = frozenset(ids)
    for refund, _ in await read_refunds_of(connection, ledger, going):
        if refund.id not in going:
            noted += await set_link(connection, ledger, refund.id, None)
    await write_down(connection, ledger, token, noted)
    values = {"name": marked(account.name, token), "gone_at": utc_now()}
    await connection.execute(schema.accounts.update().where(_accounts.id == account_id).values(values))
    done = Done(account_id, What.DELETE, {"name": account.name}, {"rows": len(ids)})
    await note(connection, ledger, token, done)
    await _count(connection, ledger, aside, rewritten)


async def bring_account_back(
    connection: AsyncConnection, repository: Repository, change: AccountChange, noted: Sequence[Noted]
) -> None:
    """Put an account and its rows back within a transaction; ``noted`` is what followed for the rows.

    Raises:
        ChangeImpossible: another account has its name by now, say because its file was imported again.
    """
    ledger, account = repository.ledger_id, change.account_id
    await connection.execute(schema.accounts.update().where(_accounts.id == account).values(gone_at=None))
    await give_name(connection, ledger, account, change.before["name"])
    batches = await show_rows(connection, ledger, BatchKind.GONE, account)
    counted = await put_states_back(connection, ledger, noted)
    await sums.recount_batches(connection, ledger, {*batches, *await sums.batches_of(connection, counted)})


async def _count(
    connection: AsyncConnection, ledger_id: int, aside: dict[int, int], rewritten: Sequence[Rewritten]
) -> None:
    others = await sums.batches_of(connection, [each.id for each in rewritten])
    await sums.recount_batches(connection, ledger_id, {*aside, *others} - {*aside.values()})


async def purge_accounts(store: Store, ledger_id: int) -> None:
    """Take out for good, step by step, the accounts of a ledger that were deleted long enough ago.

    Only whoever has the ledger to themselves may do so (:meth:`ledger.store.Store.alone`).
    """
    until = datetime.fromisoformat(utc_now()) - timedelta(days=KEPT_DAYS)
    old = _accounts.gone_at < until.isoformat(timespec="milliseconds")
    query = sa.select(_accounts.id).where(_accounts.ledger_id == ledger_id, old)
    async with store.read() as connection:
        gone = list((await connection.execute(query)).scalars())
    steps = Steps(store, ledger_id)
    for account in gone:
        await steps.do(0, partial(_forget_merges, ledger_id, account))
        wanted = removed = steps.size
        while removed == wanted:
            wanted = steps.size
            removed = await steps.do(wanted, partial(_remove_rows, ledger_id, account, wanted))
        await steps.do(0, partial(_remove, ledger_id, account))


async def _forget_merges(ledger_id: int, account: int, connection: AsyncConnection, _revision: int) -> None:
    await forget_merges(connection, ledger_id, account)


async def _remove_rows(ledger_id: int, account: int, most: int, connection: AsyncConnection, _revision: int) -> int:
    some = sa.select(_rows.id).where(_rows.ledger_id == ledger_id, _rows.account_id == account).limit(most)
    gone = await connection.execute(schema.transactions.delete().where(_rows.id.in_(some)).returning(_rows.phrase_id))
    phrases = gone.scalars().all()
    await forget_unused(connection, ledger_id, set(phrases))
    return len(phrases)


async def _remove(ledger_id: int, account: int, connection: AsyncConnection, _revision: int) -> None:
    mine = _accounts.ledger_id == ledger_id, (_accounts.id == account) | (_accounts.into_id == account)
    changed = schema.account_changes.c
    tokens = sa.select(changed.token).where(changed.account_id.in_(sa.select(_accounts.id).where(*mine)))
    followed = schema.changes.c.ledger_id == ledger_id, schema.changes.c.token.in_(tokens)
    await connection.execute(schema.changes.delete().where(*followed))
    await connection.execute(schema.accounts.delete().where(*mine))
