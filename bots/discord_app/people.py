"""Who reads along where, and which conversation an answer belongs to that is seen somewhere else."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa

from bots.contracts import ConversationKey
from bots.discord_app.web import DiscordRefused
from bots.transactions import read
from ledger import schema

if TYPE_CHECKING:
    from bots.discord_app.web import DiscordWeb
    from ledger.people import Person
    from ledger.store import Store

T = TypeVar("T")

_DIRECT = 1
_THREADS = (10, 11, 12)
_MOST = 5000

_turns, _conversations = schema.turns.c, schema.conversations.c
_ORIGIN = (
    sa.select(_conversations.key)
    .join(schema.turns, _turns.conversation_id == _conversations.id)
    .where(_turns.key == sa.bindparam("about"), _conversations.person_id == sa.bindparam("person_id"))
    .limit(1)
)


class Channels:
    """What channels are (``GET /channels``), remembered for good: no channel becomes a direct message."""

    def __init__(self, web: DiscordWeb) -> None:
        """Ask through this client."""
        self._web = web
        self._direct: OrderedDict[str, str] = OrderedDict()
        self._theirs: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._threads: OrderedDict[str, bool] = OrderedDict()

    async def direct_with(self, user: str) -> str:
        """Return the channel of a person's direct messages with us; raises DiscordFailed and DiscordRefused."""
        if user not in self._direct:
            channel = str((await self._web.direct_channel(user)).get("id") or "")
            if not channel:
                raise DiscordRefused(0)
            _remember(self._direct, user, channel)
        return self._direct[user]

    async def is_between_us(self, channel: str, user: str) -> bool:
        """Whether a channel is one of direct messages with this person and nobody else; raises as the API does."""
        if channel not in self._theirs:
            found = await self._web.channel(channel)
            people = found.get("recipients") if found.get("type") == _DIRECT else None
            ids = tuple(str(each.get("id")) for each in people or () if isinstance(each, dict))
            _remember(self._theirs, channel, ids)
        return self._theirs[channel] == (user,)

    async def is_thread(self, channel: str) -> bool:
        """Whether a channel is a thread; raises DiscordFailed and DiscordRefused."""
        if channel not in self._threads:
            _remember(self._threads, channel, (await self._web.channel(channel)).get("type") in _THREADS)
        return self._threads[channel]


async def origin(store: Store, person: Person, about: str) -> ConversationKey | None:
    """Return the person's own conversation in which a reply was given under this key, None where it is not theirs.

    What is answered in direct messages may have been asked in a server; a button below it goes on there.
    """
    membership = await store.membership(person)
    values = {"about": about, "person_id": membership.person_id}
    found = await read(store, lambda connection: connection.execute(_ORIGIN, values).scalar_one_or_none())
    return None if found is None else ConversationKey.parse(found)


def _remember(memory: OrderedDict[str, T], key: str, value: T) -> None:
    memory[key] = value
    while len(memory) > _MOST:
        memory.popitem(last=False)
