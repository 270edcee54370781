"""What stands in channels for everyone there: one row a post, by whom and for which answer, and nothing of what it says.

    posting → posted → gone (taken back)        what its person shares
    posting, posted → leaving → (no row)        what is forgotten, and deleted where it stands

The key of a share is what its answer, its person and the number of earlier shares make of it, so that a button shares once
however often it is pressed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from bots.contracts import Posted
from bots.inbox import stamp
from bots.transactions import read, write
from ledger import schema
from ledger.deletion import LEAVING, STANDING
from ledger.links import person_id_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.contracts import ConversationKey, Message
    from ledger.people import Person
    from ledger.store import Store

_shares = schema.shares.c
#: What its person took back.
GONE = "gone"


@dataclass(frozen=True, slots=True)
class Share:
    """One row. ``pressed`` is the delivery id of the press that began it."""

    key: str
    source: str
    state: str
    pressed: str
    posted: Posted

    @property
    def stands(self) -> bool:
        """Whether it is posted, or may be."""
        return self.state in STANDING


def share_key(conversation: ConversationKey, answer: str, number: int) -> str:
    """Return the key under which an answer is shared for the ``number``-th time: as long as that of a reply."""
    return hashlib.sha256(f"share\n{conversation}\n{answer}\n{number}".encode()).hexdigest()[:24]


class SharedPosts:
    """The rows of a store."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        """Use this store and clock."""
        self._store = store
        self._now = now

    async def taken_back(self, person: Person, answer: str) -> int:
        """Return how often an answer was shared and taken back, which numbers its next share."""
        query = sa.select(sa.func.count()).where(_of(person), _shares.answer == answer, _shares.state == GONE)
        return int(await read(self._store, lambda connection: connection.execute(query).scalar_one()))

    async def find(self, person: Person, key: str) -> Share | None:
        """Return a person's own share."""
        return await self._first(sa.select(schema.shares).where(_of(person), _shares.key == key))

    async def of_answer(self, person: Person, answer: str) -> Share | None:
        """Return the share of an answer that stands somewhere."""
        standing = (_of(person), _shares.answer == answer, _shares.state.in_(STANDING))
        return await self._first(sa.select(schema.shares).where(*standing))

    async def latest(self, person: Person, conversation: ConversationKey) -> Share | None:
        """Return what a person shared last in a conversation, whether it still stands or not."""
        there = (_of(person), _shares.conversation == str(conversation))
        return await self._first(sa.select(schema.shares).where(*there).order_by(_shares.id.desc()).limit(1))

    async def begin(self, message: Message, answer: str, key: str) -> bool:
        """Note that something is about to be posted; False where somebody noted it before."""
        membership = await self._store.membership(message.person)
        where = message.conversation
        row = {
            "person_id": membership.person_id,
            "key": key,
            "source": where.platform,
            "team": where.team,
            "channel": where.channel,
            "thread": where.thread,
            "conversation": str(where),
            "answer": answer,
            "pressed": message.delivery_id,
            "state": "posting",
            "created_at": stamp(self._now()),
        }
        try:
            await write(self._store, lambda connection: connection.execute(schema.shares.insert(), row).rowcount)
        except IntegrityError:
            return False
        return True

    async def posted(self, key: str, posts: tuple[str, ...]) -> bool:
        """Note what stands there now; False where it was forgotten meanwhile, and nobody knows of it any more."""
        state = sa.case((_shares.state == "posting", "posted"), else_=_shares.state)
        update = schema.shares.update().where(_shares.key == key).values(state=state, posts=json.dumps(posts))
        return await write(self._store, lambda connection: connection.execute(update).rowcount > 0)

    async def drop(self, key: str) -> None:
        """Forget a share: the platform refused it, so that it can be tried anew, or it is deleted."""
        delete = schema.shares.delete().where(_shares.key == key)
        await write(self._store, lambda connection: connection.execute(delete).rowcount)

    async def end(self, connection: AsyncConnection, key: str) -> None:
        """Note within a transaction that it was taken back."""
        await connection.execute(schema.shares.update().where(_shares.key == key).values(state=GONE, posts=""))

    async def standing(self, person: Person) -> tuple[Share, ...]:
        """Return what a person shared and did not take back."""
        return await self._all(_of(person), _shares.state.in_(STANDING))

    async def leaving(self) -> tuple[Share, ...]:
        """Return what is to be deleted where it stands, because it is forgotten."""
        return await self._all(_shares.state == LEAVING)

    async def _all(self, *which: sa.ColumnElement[bool]) -> tuple[Share, ...]:
        query = sa.select(schema.shares).where(*which).order_by(_shares.id)
        rows = await read(self._store, lambda connection: connection.execute(query).all())
        return tuple(map(_share, rows))

    async def _first(self, query: Any) -> Share | None:
        row = await read(self._store, lambda connection: connection.execute(query).first())
        return None if row is None else _share(row)


def _of(person: Person) -> sa.ColumnElement[bool]:
    return _shares.person_id == person_id_of(person)


def _share(row: Any) -> Share:
    posts = tuple(json.loads(row.posts)) if row.posts else ()
    return Share(row.key, row.source, row.state, row.pressed, Posted(row.key, row.channel, row.thread, posts, row.team))
