"""Actions that were shown to a person and wait for their confirmation."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

import sqlalchemy as sa

from bots import serialization
from bots.contracts import ConversationKey
from bots.errors import ActionRefused, UnreadableRecord
from bots.history import storable
from language.catalogue import joined, say
from ledger import schema
from ledger.links import person_id_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

    from ledger.people import Person
    from ledger.store import Store

Closing = Literal["cancelled", "replaced"]

_ASK_AGAIN = "Please ask for it again."
#: What is said of a proposal whose time is over.
EXPIRED = joined((say("This has expired."), say(_ASK_AGAIN)), " ")
#: What became of a proposal that can't be confirmed any more, by the word that its row was closed with.
_CLOSED: dict[str, str] = {
    "cancelled": joined((say("This was cancelled."), say(_ASK_AGAIN)), " "),
    "expired": EXPIRED,
    "replaced": "A newer proposal took the place of this one. Answer that one, or ask for this one again.",
}

#: What can be taken back by a press; everything else asks for a yes.
UNDOING: Final = "undoing"
_MOST_EXPIRED = 200

_pending = schema.pending_actions.c


@dataclass(frozen=True, slots=True)
class PendingAction:
    """What exactly was proposed, and to be done once its token is consumed."""

    token: str
    action: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expired:
    """A proposal that can't be answered any more, and where it was shown; ``asks`` unless it offers to take something back."""

    id: int
    conversation: ConversationKey
    asks: bool
    arguments: dict[str, Any]


class PendingActions:
    """Proposals: one row each, with an owner, an expiry and a hash of what was shown."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Use this store and clock."""
        self._store = store
        self._now = now

    async def propose(
        self, person: Person, conversation: ConversationKey, action: str, arguments: dict[str, Any]
    ) -> str:
        """Store what is about to be shown; return the token that the button carries."""
        await self._store.membership(person)
        proposed = PendingAction(new_token(), action, arguments)
        async with self._store.write() as connection:
            await self.insert(connection, person, conversation, proposed)
        return proposed.token

    async def insert(
        self,
        connection: AsyncConnection,
        person: Person,
        conversation: ConversationKey,
        proposed: PendingAction,
        ttl: timedelta = timedelta(hours=1),
    ) -> None:
        """Store what is shown within the transaction that stores what shows it; for a person who is known already."""
        now, packed = self._now(), serialization.encode(proposed.arguments)
        row = {
            "token": proposed.token,
            "person_id": person_id_of(person),
            "conversation": str(conversation),
            "action": proposed.action,
            "arguments": packed,
            "arguments_hash": _hash(proposed.token, proposed.action, packed),
            "expires_at": _stamp(now + ttl),
        }
        stale = _stamp(now - timedelta(days=1))
        await connection.execute(schema.pending_actions.delete().where(_pending.expires_at < stale))
        await connection.execute(schema.pending_actions.insert().values(row))

    async def open(self, person: Person, conversation: ConversationKey) -> tuple[PendingAction, ...]:
        """Return what the person can still confirm in this conversation, the oldest first.

        A typed "yes" means the only one; with more than one open, it must be asked which.
        """
        query = (
            sa.select(schema.pending_actions)
            .where(
                _owned_by(person),
                _pending.conversation == str(conversation),
                _pending.consumed_at.is_(None),
                _pending.expires_at > _stamp(self._now()),
            )
            .order_by(_pending.id)
        )
        async with self._store.read() as connection:
            return tuple(_action(row) for row in await connection.execute(query))

    async def expired(self) -> tuple[Expired, ...]:
        """Return what nobody answered in time and is not closed yet, the oldest first, some of very many."""
        over = (_pending.consumed_at.is_(None), _pending.expires_at <= _stamp(self._now()))
        query = sa.select(schema.pending_actions).where(*over).order_by(_pending.id).limit(_MOST_EXPIRED)
        async with self._store.read() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(filter(None, map(_expired, rows)))

    async def close_expired(self, number: int) -> None:
        """Close an expired proposal; its row says for a while why, and no longer what it was."""
        closed = {"consumed_at": _stamp(self._now()), "action": "expired", "arguments": ""}
        waiting = schema.pending_actions.update().where(_pending.id == number, _pending.consumed_at.is_(None))
        async with self._store.write() as connection:
            await connection.execute(waiting.values(closed))

    async def shown(self, person: Person, token: str) -> PendingAction:
        """Return what waits under a token, and let it wait; raises ActionRefused as :meth:`consume` does."""
        token = storable(token)
        there = (_pending.token == token, _owned_by(person), _pending.consumed_at.is_(None))
        query = sa.select(schema.pending_actions).where(*there, _pending.expires_at > _stamp(self._now()))
        async with self._store.read() as connection:
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                raise await self._refusal(connection, person, token)
        return _action(row)

    async def consume(self, connection: AsyncConnection, person: Person, token: str) -> PendingAction:
        """Use up a token within the transaction that does the work, so that both happen or neither.

        Raises:
            ActionRefused: it is another person's, expired, used, altered or unknown.
        """
        now, token = _stamp(self._now()), storable(token)
        open_one = (
            _pending.token == token,
            _owned_by(person),
            _pending.consumed_at.is_(None),
            _pending.expires_at > now,
        )
        update = schema.pending_actions.update().where(*open_one).values(consumed_at=now)
        row = (await connection.execute(update.returning(*schema.pending_actions.c))).one_or_none()
        if row is None:
            raise await self._refusal(connection, person, token)
        return _action(row)

    async def cancel(self, connection: AsyncConnection, person: Person, token: str) -> None:
        """Take back a proposal within the caller's transaction.

        Raises:
            ActionRefused: there is none to take back.
        """
        token = storable(token)
        closing = self._closing("cancelled", _pending.token == token, _owned_by(person))
        if not (await connection.execute(closing)).rowcount:
            raise await self._refusal(connection, person, token)

    async def replace(
        self, connection: AsyncConnection, person: Person, conversation: ConversationKey, actions: Collection[str]
    ) -> None:
        """Let what waits in a conversation give way to what is proposed in the caller's transaction."""
        there = (_owned_by(person), _pending.conversation == str(conversation), _pending.action.in_(actions))
        await connection.execute(self._closing("replaced", *there))

    def rename(
        self, connection: sa.Connection, person: Person, conversation: ConversationKey, action: str, to: str
    ) -> None:
        """Let what waits in a conversation under one name wait under another, within the caller's transaction."""
        there = (_owned_by(person), _pending.conversation == str(conversation), _pending.action == action)
        rows = connection.execute(sa.select(schema.pending_actions).where(*there, _pending.consumed_at.is_(None))).all()
        for row in rows:
            if _is_as_shown(row):
                values = {"action": to, "arguments_hash": _hash(row.token, to, row.arguments)}
                connection.execute(schema.pending_actions.update().where(_pending.id == row.id).values(values))

    def _closing(self, word: Closing, *which: sa.ColumnElement[bool]) -> sa.Update:
        """Return what closes proposals that wait; a row says for a while why it is closed, and no longer what it was."""
        now = _stamp(self._now())
        waiting = (*which, _pending.consumed_at.is_(None), _pending.expires_at > now)
        return schema.pending_actions.update().where(*waiting).values(consumed_at=now, action=word, arguments="")

    async def _refusal(self, connection: AsyncConnection, person: Person, token: str) -> ActionRefused:
        """Return why a token can't be used; whoever holds one has seen the button, so that it tells them nothing new."""
        columns = (_pending.action, _pending.consumed_at, _owned_by(person).label("own"))
        row = (await connection.execute(sa.select(*columns).where(_pending.token == token))).one_or_none()
        if row is None:
            forgotten = say("I don't know any more what this was about: it is long ago, or deleted.")
            return ActionRefused(joined((forgotten, say(_ASK_AGAIN)), " "))
        if not row.own:
            return ActionRefused("Only the person who asked for this can answer it.")
        if row.consumed_at is not None:
            return ActionRefused(_CLOSED.get(row.action, "This was already done."))
        return ActionRefused(EXPIRED)


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(16)


def _owned_by(person: Person) -> sa.ColumnElement[bool]:
    return _pending.person_id == person_id_of(person)


def _is_as_shown(row: Any) -> bool:
    return bool(row.arguments_hash == _hash(row.token, row.action, row.arguments))


def _action(row: Any) -> PendingAction:
    if not _is_as_shown(row):
        raise ActionRefused("This is not what was shown. Please ask for it again.")
    return PendingAction(row.token, row.action, serialization.decode(row.arguments, dict))


def _expired(row: Any) -> Expired | None:
    """Read what has expired; what this version can't read goes by itself after a day."""
    try:
        where, shown = ConversationKey.parse(row.conversation), serialization.decode(row.arguments, dict)
    except (UnreadableRecord, ValueError):
        return None
    return Expired(row.id, where, row.action != UNDOING, shown)


def _hash(token: str, action: str, packed: str) -> str:
    return hashlib.sha256(f"{token}\n{action}\n{packed}".encode()).hexdigest()


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")
