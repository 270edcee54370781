"""Deleting and exporting everything that is one person's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from ledger import schema
from ledger.filters import Filter
from ledger.transactions import STATED_KIND

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

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


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much of one person is kept: rows of each sort."""

    transactions: int
    imports: int
    conversations: int
    turns: int
    notes: int
    settings: int


async def count_holdings(repository: Repository) -> Holdings:
    """Return how much of a person would be deleted."""
    tables, person = schema, repository.person_id
    own = sa.select(tables.conversations.c.id).where(tables.conversations.c.person_id == person)
    undone = tables.batches.c.undone_at
    wanted = (
        (tables.transactions, tables.transactions.c.ledger_id == repository.ledger_id),
        (tables.batches, (tables.batches.c.ledger_id == repository.ledger_id) & undone.is_(None)),
        (tables.conversations, tables.conversations.c.person_id == person),
        (tables.turns, tables.turns.c.conversation_id.in_(own)),
        (tables.memories, tables.memories.c.person_id == person),
        (tables.settings, tables.settings.c.person_id == person),
    )
    counts = [sa.select(sa.func.count()).select_from(table).where(mine).scalar_subquery() for table, mine in wanted]
    async with repository.store.read() as connection:
        return Holdings(*(await connection.execute(sa.select(*counts))).one())


async def forget_person(
    store: Store,
    person: Person,
    *,
    within: Callable[[Any], Awaitable[None]] | None = None,
    answering: tuple[str, str] | None = None,
) -> int:
    """Delete a person's ledger, conversations, messages, settings, notes and switches; return how many transactions went.

    The search index is told through its queue. SQLite overwrites what is deleted (``secure_delete``); the write-ahead
    log is emptied at once. ``within`` is done first, in the same transaction. ``answering`` is the source and delivery id
    of the message that asks for this: it stays until it is answered, and belongs to nobody any more.
    """
    membership = await store.membership(person)
    try:
        return await _forget(store, membership, person, within, answering)
    finally:
        store.forget_membership(person)


async def _forget(
    store: Store,
    membership: Membership,
    person: Person,
    within: Callable[[Any], Awaitable[None]] | None,
    answering: tuple[str, str] | None,
) -> int:
    ledger, person_id = membership.ledger_id, membership.person_id
    async with store.write() as connection:
        if within is not None:
            await within(connection)
        removed = await connection.execute(
            schema.transactions.delete().where(schema.transactions.c.ledger_id == ledger)
        )
        await forget_phrases(connection, schema.phrases.c.ledger_id == ledger)
        await connection.execute(schema.ledgers.delete().where(schema.ledgers.c.id == ledger))
        conversations = sa.select(schema.conversations.c.key).where(schema.conversations.c.person_id == person_id)
        await connection.execute(schema.outbox.delete().where(schema.outbox.c.conversation.in_(conversations)))
        received = schema.inbox.c.conversation.in_(conversations) | (schema.inbox.c.person == person.key)
        asking: sa.ColumnElement[bool] = sa.false()
        if answering is not None:
            asking = (schema.inbox.c.source == answering[0]) & (schema.inbox.c.delivery_id == answering[1])
        await connection.execute(schema.inbox.delete().where(received, ~asking))
        await connection.execute(schema.inbox.update().where(received, asking).values(person=""))
        await connection.execute(schema.people.delete().where(schema.people.c.id == person_id))
    await store.empty_log()
    return int(removed.rowcount)


async def forget_phrases(connection: Any, which: sa.ColumnElement[bool]) -> None:
    """Delete search strings that no transaction has, and queue them for the index.

    SQLite gives the id of a deleted row to the next, so an id may wait in the queue already.
    """
    waiting = sa.select(schema.forgotten_phrases.c.id)
    gone = sa.select(schema.phrases.c.id).where(which, schema.phrases.c.id.not_in(waiting))
    await connection.execute(schema.forgotten_phrases.insert().from_select(["id"], gone))
    await connection.execute(schema.phrases.delete().where(which))
