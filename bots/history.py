"""What was said before in one conversation."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
import structlog

from bots import serialization
from bots.errors import UnreadableRecord
from bots.transactions import read
from graph.reply import File
from graph.turn import PastTurn
from ledger import schema
from ledger.deletion import let_shares_go
from ledger.links import family
from tools.calls import choices_from
from tools.results import Scope

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.contracts import ConversationKey
    from bots.inbox import Entry
    from graph.reply import Reply
    from graph.turn import TurnOutcome
    from ledger.people import Person
    from ledger.store import Store

_log = structlog.get_logger(__name__)
#: How many of its latest turns a conversation leans on.
RECALLED = 6

_turns = schema.turns.c
_conversations = schema.conversations.c


@dataclass(frozen=True, slots=True)
class Recollection:
    """The latest turns of a conversation, the oldest first, and the focus mode that holds after them."""

    past: tuple[PastTurn, ...] = ()
    focus: str | None = None


class History:
    """Every conversation's turns, as rows that can be counted, pruned and deleted."""

    def __init__(self, store: Store) -> None:
        """Read from this store."""
        self._store = store

    async def recall(
        self, conversation: ConversationKey, limit: int = RECALLED, about: str | None = None
    ) -> Recollection:
        """Return the latest turns; with ``about``, those up to the turn that was answered under this key.

        A turn that this version can't read is left out. An unknown ``about`` is taken as the latest turn.
        """
        membership = await self._store.membership(conversation.person)
        values = {"person_id": membership.person_id, "conversation": str(conversation), "limit": limit, "about": about}
        query = _RECALL if about is None else _RECALL_UP_TO
        rows = await read(self._store, lambda connection: connection.execute(query, values).all())
        rows = sorted(rows, key=lambda row: row.id)
        past = [turn for row in rows if (turn := _past_turn(row)) is not None]
        return Recollection(tuple(past), rows[-1].focus if rows else None)

    async def reply(self, conversation: ConversationKey, about: str | None = None) -> Reply | None:
        """Return the reply that was given under this key in this conversation, or its latest one, files left out."""
        membership = await self._store.membership(conversation.person)
        values = {"person_id": membership.person_id, "conversation": str(conversation), "limit": 1, "about": about}
        query = _REPLY if about is None else _REPLY_ABOUT
        found = await read(self._store, lambda connection: connection.execute(query, values).one_or_none())
        return None if found is None else serialization.reply_from_json(found.reply)

    async def forget(
        self,
        person: Person,
        conversation: ConversationKey | None = None,
        *,
        first: Callable[[AsyncConnection], Awaitable[None]] | None = None,
        within: Callable[[AsyncConnection, int], Awaitable[None]] | None = None,
    ) -> int:
        """Delete one conversation of a person, or all, also those in places that are linked; return how many turns are gone.

        What waits for an answer is left in the inbox; what was answered keeps only the marks that tell a redelivery.
                What was shared from there is to be deleted where it stands.
        ``first`` is done before and ``within`` after it, in the same transaction, the latter told how many turns go.
        """
        membership = await self._store.membership(person)
        async with self._store.read() as connection:
            looking = await family(connection, membership.person_id)
        ids = [each.id for each in looking]
        mine: sa.ColumnElement[bool] = _conversations.person_id.in_(ids)
        inbox: sa.ColumnElement[bool] = schema.inbox.c.person.in_([each.key for each in looking])
        pending: sa.ColumnElement[bool] = schema.pending_actions.c.person_id.in_(ids)
        if conversation is not None:
            key = str(conversation)
            mine &= _conversations.key == key
            inbox &= schema.inbox.c.conversation == key
            pending &= schema.pending_actions.c.conversation == key
        answered = sa.select(schema.inbox.c.id).where(inbox, schema.inbox.c.state.in_(("done", "dead")))
        turns = _turns.conversation_id.in_(sa.select(_conversations.id).where(mine))
        blank = {"person": "", "conversation": "", "payload": ""}

        def forget(connection: sa.Connection) -> int:
            for statement in let_shares_go(membership.person_id, None if conversation is None else str(conversation)):
                connection.execute(statement)
            gone = connection.execute(schema.turns.delete().where(turns)).rowcount
            connection.execute(schema.conversations.delete().where(mine))
            connection.execute(schema.pending_actions.delete().where(pending))
            connection.execute(schema.outbox.delete().where(schema.outbox.c.inbox_id.in_(answered)))
            connection.execute(schema.inbox.update().where(schema.inbox.c.id.in_(answered)).values(**blank))
            return gone

        async with self._store.write() as connection:
            if first is not None:
                await first(connection)
            gone: int = await connection.run_sync(forget)
            if within is not None:
                await within(connection, gone)
        return gone


#: A later question refers to an answer's main figures, which come first; the whole reply is kept beside them.
_RECALLED_FACTS = 12


def record_turn(connection: sa.Connection, person_id: int, entry: Entry, outcome: TurnOutcome, now: str) -> None:
    """Write a turn within the caller's transaction; files are handed over once and not kept."""
    reply = outcome.reply
    shown = tuple(block for block in reply.blocks if not isinstance(block, File))
    conversation = {"person_id": person_id, "key": str(entry.message.conversation), "now": now}
    conversation_id = connection.execute(_UPSERT[connection.dialect.name], conversation).scalar_one()
    row = {
        "conversation_id": conversation_id,
        "key": entry.idempotency_key,
        "text": storable(outcome.picked or entry.message.text),
        "scope": None if outcome.scope is None else serialization.encode(outcome.scope),
        "focus": outcome.focus,
        "recall": serialization.encode((reply.kind, reply.facts[:_RECALLED_FACTS], reply.choices, reply.listed)),
        "created_at": now,
        "reply": serialization.reply_to_json(dataclasses.replace(reply, blocks=shown, trace={})),
        "trace": serialization.encode(serialization.plain(outcome.trace)),
    }
    connection.execute(_REMEMBER, row)


def storable(text: str) -> str:
    """Return the text without what a database can't keep: NUL and halves of surrogate pairs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def _past_turn(row: Any) -> PastTurn | None:
    try:
        scope = None if row.scope is None else serialization.decode(row.scope, Scope)
        kind, facts, choices, *rest = serialization.decode(row.recall, tuple)
    except (UnreadableRecord, ValueError):
        _log.warning("turn_unreadable", turn=row.id)
        return None
    # Earlier versions kept no rows, or beside them whether the text was a sentence of ours.
    listed, phrased = rest[0] if rest else (), len(rest) > 1 and rest[1]
    return PastTurn("" if phrased else row.text, kind, scope, facts, choices_from(choices), listed)


def _upsert(dialect: str) -> Any:
    """Return the statement that finds a conversation or makes it, and notes that it was used."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    now: sa.BindParameter[str] = sa.bindparam("now")
    values = {"person_id": sa.bindparam("person_id"), "key": sa.bindparam("key"), "created_at": now, "last_at": now}
    statement = insert(schema.conversations).values(**values)
    return statement.on_conflict_do_update(
        index_elements=["person_id", "key"], set_={"last_at": statement.excluded.last_at}
    ).returning(_conversations.id)


_UPSERT = {dialect: _upsert(dialect) for dialect in ("sqlite", "postgresql")}
_REMEMBER = schema.turns.insert()

_conversation_id = (
    sa.select(_conversations.id)
    .where(_conversations.person_id == sa.bindparam("person_id"), _conversations.key == sa.bindparam("conversation"))
    .scalar_subquery()
)
_latest = sa.bindparam("limit", type_=sa.Integer)
#: By the key alone, of which there are few: a condition on the conversation invites PostgreSQL to look through all of that.
_about = (
    sa.select(sa.func.max(sa.case((_turns.conversation_id == _conversation_id, _turns.id))))
    .where(_turns.key == sa.bindparam("about"))
    .scalar_subquery()
)


def _latest_up_to(last: sa.ColumnElement[int], *columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """Return the query of a conversation's latest turns, each found by its place in the index.

    PostgreSQL expects conversations to be short, and sorts all turns of a long one, unless what is asked for is a range.
    """
    ends = sa.tuple_(_conversation_id, last)
    found = (
        sa.select(*columns, _turns.conversation_id)
        .where(sa.tuple_(_turns.conversation_id, _turns.id) <= ends)
        .order_by(_turns.conversation_id.desc(), _turns.id.desc())
        .limit(_latest)
        .subquery()
    )
    wanted = [column for column in found.c if column.name != "conversation_id"]
    return sa.select(*wanted).where(found.c.conversation_id == _conversation_id)


_RECALLED = (_turns.id, _turns.text, _turns.scope, _turns.focus, _turns.recall)
_newest = sa.literal(2**62, sa.BigInteger)
_RECALL = _latest_up_to(_newest, *_RECALLED)
_RECALL_UP_TO = _latest_up_to(sa.func.coalesce(_about, _newest), *_RECALLED)
_REPLY = _latest_up_to(_newest, _turns.id, _turns.reply)
_REPLY_ABOUT = sa.select(_turns.id, _turns.reply).where(_turns.conversation_id == _conversation_id, _turns.id == _about)
