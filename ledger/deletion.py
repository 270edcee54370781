"""Deleting and exporting everything that is one person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.filters import Filter
from ledger.links import family
from ledger.money import to_decimal
from ledger.phrases import forget_phrases
from ledger.tallies import kept
from ledger.transactions import STATED_KIND
from ledger.visibility import BatchKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from ledger.people import Person
    from ledger.repository import Repository
    from ledger.store import Membership, Store


async def export_rows(repository: Repository) -> list[tuple[str, ...]]:
    """Return every transaction of the ledger, oldest first, under :data:`ledger.spreadsheets.EXPORT_COLUMNS`."""
    types = {account.name: account.type.value if account.type else "" for account in await repository.accounts()}
    rows = await repository.rows(Filter(), "oldest")
    return [
        (
            row.booked_on.isoformat(), row.description, str(row.money.amount), row.currency, row.category,
            STATED_KIND + row.kind.value, row.merchant, row.account, types.get(row.account, ""), row.notes, row.labels,
        )
        for row in rows
    ]  # fmt: skip


async def export_balances(repository: Repository) -> list[tuple[str, ...]]:
    """Return every balance that files state, by account, under :data:`ledger.spreadsheets.BALANCE_COLUMNS`."""
    names = {account.id: account.name for account in await repository.accounts()}
    stated, _ = await repository.books()
    return [
        (
            each.on.isoformat(), names[account], str(to_decimal(each.minor, currency)), currency,
            "before the day" if each.opening else "after the day",
        )
        for account, currency in sorted(stated, key=lambda purse: (names[purse[0]], purse[1]))
        for each in sorted(stated[account, currency], key=lambda each: (each.after, each.opening))
    ]  # fmt: skip


#: What may stand in a channel: it is about to be posted, or was.
STANDING = ("posting", "posted")
#: What is to be deleted where it stands, whoever's it was.
LEAVING = "leaving"


def let_shares_go(person_id: int, conversation: str | None = None) -> tuple[sa.Update, sa.Delete]:
    """Return what makes a person's shares nobody's, so that they are deleted where they stand, and forgets the others.

    The platform is asked afterwards, by a process that speaks with it.
    """
    shares = schema.shares.c
    mine: sa.ColumnElement[bool] = shares.person_id == person_id
    if conversation is not None:
        mine &= shares.conversation == conversation
    nobodys = {"person_id": None, "conversation": "", "answer": "", "pressed": "", "state": LEAVING}
    standing = shares.state.in_(STANDING)
    return schema.shares.update().where(mine, standing).values(nobodys), schema.shares.delete().where(mine)


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much of one person is kept: rows of each sort."""

    transactions: int
    imports: int
    conversations: int
    turns: int
    notes: int
    settings: int
    shares: int
    """What stands in channels for everyone there."""


async def count_holdings(repository: Repository) -> Holdings:
    """Return how much of a person would be deleted."""
    tables, person = schema, repository.person_id
    own = sa.select(tables.conversations.c.id).where(tables.conversations.c.person_id == person)
    ledger, batches = repository.ledger_id, tables.batches.c
    there = batches.undone_at.is_(None) & batches.finished_at.is_not(None) & (batches.kind == BatchKind.IMPORT)
    wanted = (
        (tables.batches, (batches.ledger_id == ledger) & there),
        (tables.conversations, tables.conversations.c.person_id == person),
        (tables.turns, tables.turns.c.conversation_id.in_(own)),
        (tables.memories, tables.memories.c.person_id == person),
        (tables.settings, tables.settings.c.person_id == person),
        (tables.shares, (tables.shares.c.person_id == person) & tables.shares.c.state.in_(STANDING)),
    )
    rows = sa.select(sa.func.coalesce(sa.func.sum(tables.sums.c.count), 0)).where(*kept(ledger, "month"))
    counts = [rows.scalar_subquery()]
    counts += [sa.select(sa.func.count()).select_from(table).where(mine).scalar_subquery() for table, mine in wanted]
    async with repository.store.read() as connection:
        return Holdings(*(await connection.execute(sa.select(*counts))).one())


async def forget_people(
    store: Store,
    people: Sequence[Person],
    *,
    first: Callable[[Any], Awaitable[None]] | None = None,
    within: Callable[[Any, int], Awaitable[None]] | None = None,
    answering: tuple[str, str] | None = None,
) -> int:
    """Delete all of some people, or of none if it fails; return how many transactions went.

    That is their ledgers, conversations, messages, settings, notes and switches, and what is kept of all who look at those
    ledgers by a link, in whichever place this is asked for.

    The search index is told through its queue. SQLite overwrites what is deleted (``secure_delete``); the write-ahead
    log is emptied at once. ``first`` is done before and ``within`` after it, in the same transaction, the latter told how
    many transactions go. ``answering`` is the source and delivery id of the message that asks for this: it stays until it
    is answered, and belongs to nobody any more.
    """
    memberships = [await store.membership(person) for person in people]
    try:
        async with store.write() as connection:
            if first is not None:
                await first(connection)
            removed = sum([await _forget(connection, membership, answering) for membership in memberships])
            if within is not None:
                await within(connection, removed)
    finally:
        for person in people:
            store.forget_membership(person)
    await store.empty_log()
    return removed


async def forget_person(store: Store, person: Person) -> int:
    """Delete all that is kept of one person; return how many transactions went."""
    return await forget_people(store, (person,))


async def _forget(connection: Any, membership: Membership, answering: tuple[str, str] | None) -> int:
    asking: sa.ColumnElement[bool] = sa.false()
    if answering is not None:
        asking = (schema.inbox.c.source == answering[0]) & (schema.inbox.c.delivery_id == answering[1])
    removed = 0
    for each in await family(connection, membership.person_id):
        gone = await _forget_one(connection, each.id, each.ledger_id, each.key, asking)
        removed += gone if each.ledger_id == membership.ledger_id else 0
    return removed


async def _forget_one(connection: Any, person_id: int, ledger: int, key: str, asking: sa.ColumnElement[bool]) -> int:
    """Delete what is one person's own; return how many transactions went."""
    for statement in let_shares_go(person_id):
        await connection.execute(statement)
    removed = await connection.execute(schema.transactions.delete().where(schema.transactions.c.ledger_id == ledger))
    await forget_phrases(connection, schema.phrases.c.ledger_id == ledger)
    await connection.execute(schema.ledgers.delete().where(schema.ledgers.c.id == ledger))
    conversations = sa.select(schema.conversations.c.key).where(schema.conversations.c.person_id == person_id)
    await connection.execute(schema.outbox.delete().where(schema.outbox.c.conversation.in_(conversations)))
    received = schema.inbox.c.conversation.in_(conversations) | (schema.inbox.c.person == key)
    await connection.execute(schema.inbox.delete().where(received, ~asking))
    await connection.execute(schema.inbox.update().where(received, asking).values(person=""))
    await connection.execute(schema.people.delete().where(schema.people.c.id == person_id))
    return int(removed.rowcount)
