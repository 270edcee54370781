"""Actions that were shown to a person and wait for their confirmation."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from bots import wire
from bots.errors import ActionRefused
from bots.history import storable
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.contracts import ConversationKey
    from ledger.people import Person
    from ledger.store import Store

_pending = schema.pending_actions.c
_people = schema.people.c


@dataclass(frozen=True, slots=True)
class PendingAction:
    """What exactly was proposed, and to be done once its token is consumed."""

    token: str
    action: str
    arguments: dict[str, Any] = field(default_factory=dict)


class PendingActions:
    """Proposals: one row each, with an owner, an expiry and a hash of what was shown."""

    def __init__(self, store: Store, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Use this store and clock."""
        self._store = store
        self._now = now

    async def propose(
        self,
        person: Person,
        conversation: ConversationKey,
        action: str,
        arguments: dict[str, Any],
        ttl: timedelta = timedelta(hours=1),
    ) -> str:
        """Store what is about to be shown; return the token that the button carries."""
        membership = await self._store.membership(person)
        token, now, packed = secrets.token_urlsafe(16), self._now(), wire.encode(arguments)
        row = {
            "token": token,
            "person_id": membership.person_id,
            "conversation": str(conversation),
            "action": action,
            "arguments": packed,
            "arguments_hash": _hash(token, action, packed),
            "expires_at": _stamp(now + ttl),
        }
        stale = _stamp(now - timedelta(days=1))
        async with self._store.write() as connection:
            await connection.execute(schema.pending_actions.delete().where(_pending.expires_at < stale))
            await connection.execute(schema.pending_actions.insert(), row)
        return token

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

    async def withdraw(self, person: Person, token: str) -> bool:
        """Take back a proposal ("Cancel"); whether there was one to take back."""
        delete = schema.pending_actions.delete().where(
            _pending.token == storable(token), _owned_by(person), _pending.consumed_at.is_(None)
        )
        async with self._store.write() as connection:
            return bool((await connection.execute(delete)).rowcount)

    async def _refusal(self, connection: AsyncConnection, person: Person, token: str) -> ActionRefused:
        query = sa.select(_pending.consumed_at).where(_pending.token == token, _owned_by(person))
        row = (await connection.execute(query)).one_or_none()
        if row is None:  # a foreign token reads like an unknown one, so that nobody learns what others are doing
            return ActionRefused("This can't be confirmed here: it is not yours, or no longer there.")
        if row.consumed_at is not None:
            return ActionRefused("This was already done.")
        return ActionRefused("This has expired. Please ask for it again.")


def _owned_by(person: Person) -> sa.ColumnElement[bool]:
    owner = sa.select(_people.id).where(
        _people.platform == person.platform, _people.team == person.team, _people.user == person.user
    )
    return _pending.person_id == owner.scalar_subquery()


def _action(row: Any) -> PendingAction:
    if row.arguments_hash != _hash(row.token, row.action, row.arguments):
        raise ActionRefused("This is not what was shown. Please ask for it again.")
    return PendingAction(row.token, row.action, wire.decode(row.arguments, dict))


def _hash(token: str, action: str, packed: str) -> str:
    return hashlib.sha256(f"{token}\n{action}\n{packed}".encode()).hexdigest()


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")
