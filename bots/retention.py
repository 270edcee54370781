"""How long conversations are kept: what was said longer ago than a setting allows is deleted, a few rows at a time.

A conversation in which nobody spoke since then goes whole. Of one that goes on, the latest turns stay however old they are:
the next question is told of them, and the focus and the question that it may edit stand there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bots.history import RECALLED
from bots.inbox import stamp
from bots.shares import GONE
from bots.workspaces import Workspaces, members
from ledger import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.store import Store

_turns, _conversations = schema.turns.c, schema.conversations.c
_inbox, _outbox, _shares = schema.inbox.c, schema.outbox.c, schema.shares.c

#: How many turns, and turns of how many conversations, one transaction deletes, so that nobody waits long for it.
_TURNS, _TOGETHER = 200, 50


@dataclass(frozen=True, slots=True)
class Pruned:
    """How much was deleted."""

    turns: int = 0
    conversations: int = 0

    def __add__(self, more: Pruned) -> Pruned:
        """Return both together."""
        return Pruned(self.turns + more.turns, self.conversations + more.conversations)


class Retention:
    """The conversations of everybody in a store."""

    def __init__(
        self,
        store: Store,
        keep: timedelta | None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        by_workspace: bool = True,
    ) -> None:
        """Keep what was said within that time, None for good; ``by_workspace`` for less where a workspace says so."""
        self._store = store
        self._keep = keep
        self._now = now
        self._by_workspace = by_workspace

    async def prune(self) -> Pruned:
        """Delete what was said longer ago, beside everybody who asks meanwhile."""
        gone = Pruned() if self._keep is None else await self._older(self._keep, None)
        for platform, team, days in await Workspaces(self._store).limits() if self._by_workspace else ():
            gone += await self._older(timedelta(days=days), (platform, team))
        if gone.turns:
            await self._store.empty_log()
        return gone

    async def _older(self, keep: timedelta, place: tuple[str, str] | None) -> Pruned:
        """Delete what was said longer ago, by everybody or in one workspace."""
        before, gone = stamp(self._now() - keep), Pruned()
        async with self._store.read() as connection:
            old = (await connection.execute(_with_old_turns(before, place))).scalars().all()
        for start in range(0, len(old), _TOGETHER):
            gone += await self._of(old[start : start + _TOGETHER], before)
        async with self._store.write(patient=True) as connection:
            for statement in _left_behind(before, place):
                await connection.execute(statement)
        return gone

    async def _of(self, conversations: list[int], before: str) -> Pruned:
        """Delete what is old in some conversations; who has spoken there meanwhile keeps the latest turns."""
        turns, ended = _old_turns(conversations, before), _ended(conversations, before)
        gone, full = Pruned(), True
        while full:
            async with self._store.write(patient=True) as connection:
                deleted = (await connection.execute(turns)).rowcount
                full = deleted == _TURNS
                whole = 0 if full else (await connection.execute(ended)).rowcount
            gone += Pruned(deleted, whole)
        return gone


def _with_old_turns(before: str, place: tuple[str, str] | None) -> sa.Select[int]:
    """Return the query of conversations whose first turn is old; their turns are found by the index, in the order of time."""
    within = schema.turns.alias()
    first = sa.select(sa.func.min(within.c.id)).where(within.c.conversation_id == _conversations.id).scalar_subquery()
    begins = sa.exists().where(_turns.id == first, _turns.created_at < before)
    query = sa.select(_conversations.id).where((_conversations.last_at < before) | begins).order_by(_conversations.id)
    return query if place is None else query.where(_conversations.person_id.in_(members(*place)))


def _old_turns(conversations: list[int], before: str) -> sa.Delete:
    """Return what deletes old turns, those left out that a conversation still leans on."""
    later = schema.turns.alias()
    leaned_on = (
        sa.select(later.c.id)
        .where(later.c.conversation_id == _conversations.id)
        .order_by(later.c.id.desc())
        .limit(1)
        .offset(RECALLED - 1)
        .scalar_subquery()
    )
    old = (
        sa.select(_turns.id)
        .join(schema.conversations, _conversations.id == _turns.conversation_id)
        .where(_turns.conversation_id.in_(conversations), _turns.created_at < before)
        .where((_conversations.last_at < before) | (_turns.id < leaned_on))
        .limit(_TURNS)
    )
    return schema.turns.delete().where(_turns.id.in_(old))


def _ended(conversations: list[int], before: str) -> sa.Delete:
    return schema.conversations.delete().where(_conversations.id.in_(conversations), _conversations.last_at < before)


def _left_behind(before: str, place: tuple[str, str] | None) -> tuple[sa.Update | sa.Delete, ...]:
    """Return what deletes the rest: what is still to be sent stays, and so do the marks that tell a redelivery.

    A post in a channel stands until its person takes it back, so its row stays as well.
    """
    answered = _inbox.state.in_(("done", "dead")) & (_inbox.done_at < before)
    pending, shared = schema.pending_actions.c.expires_at < before, _shares.created_at < before
    if place is not None:
        answered &= _inbox.person.startswith(f"{':'.join(place)}:", autoescape=True)
        pending &= schema.pending_actions.c.person_id.in_(members(*place))
        shared &= _shares.person_id.in_(members(*place))
    unsent = _outbox.state == "waiting"
    old_ones = sa.select(_inbox.id).where(answered)
    waits = sa.exists().where(_outbox.inbox_id == _inbox.id, unsent)
    answer_is_there = sa.exists().where(_turns.key == _shares.answer)
    return (
        schema.outbox.delete().where(_outbox.inbox_id.in_(old_ones), ~unsent),
        schema.inbox.update().where(answered, _inbox.person != "", ~waits).values(person="", conversation=""),
        schema.pending_actions.delete().where(pending),
        schema.shares.delete().where(shared, _shares.state == GONE, ~answer_is_there),
    )
