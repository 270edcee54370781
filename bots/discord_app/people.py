"""Who reads along where, and which conversation that belongs to which is seen or said somewhere else."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, TypeVar

import sqlalchemy as sa

from bots.contracts import ConversationKey
from bots.discord_app.bodies import THREADS
from bots.discord_app.web import DiscordRefused
from bots.inbox import stamp
from bots.transactions import read
from ledger import schema

if TYPE_CHECKING:
    from datetime import datetime

    from bots.contracts import Message
    from bots.discord_app.web import DiscordWeb
    from ledger.people import Person
    from ledger.store import Store

K = TypeVar("K")
T = TypeVar("T")

_DIRECT = 1
_MOST = 5000

_turns, _conversations = schema.turns.c, schema.conversations.c
_ORIGIN = (
    sa.select(_conversations.key)
    .join(schema.turns, _turns.conversation_id == _conversations.id)
    .where(_turns.key == sa.bindparam("about"), _conversations.person_id == sa.bindparam("person_id"))
    .limit(1)
)
_inbox, _outbox = schema.inbox.c, schema.outbox.c
#: What is asked in a post is answered in direct messages, and so is what is pressed or used there.
_SHOWN = (
    sa.select(_inbox.conversation)
    .join(schema.outbox, _outbox.inbox_id == _inbox.id)
    .where(
        _inbox.source == "discord",
        _inbox.person == sa.bindparam("person"),
        (_inbox.channel == sa.bindparam("channel")) | _inbox.ts.is_not(None),
    )
    .order_by(_outbox.id.desc())
    .limit(1)
)
_SPOKE = sa.select(_conversations.id).where(
    _conversations.person_id == sa.bindparam("person_id"),
    _conversations.key == sa.bindparam("conversation"),
    _conversations.last_at >= sa.bindparam("since"),
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
            remember(self._direct, user, channel)
        return self._direct[user]

    async def is_between_us(self, channel: str, user: str) -> bool:
        """Whether a channel is one of direct messages with this person and nobody else; raises as the API does."""
        if channel not in self._theirs:
            found = await self._web.channel(channel)
            people = found.get("recipients") if found.get("type") == _DIRECT else None
            ids = tuple(str(each.get("id")) for each in people or () if isinstance(each, dict))
            remember(self._theirs, channel, ids)
        return self._theirs[channel] == (user,)

    async def is_thread(self, channel: str) -> bool:
        """Whether a channel is a thread; raises DiscordFailed and DiscordRefused."""
        if channel not in self._threads:
            remember(self._threads, channel, (await self._web.channel(channel)).get("type") in THREADS)
        return self._threads[channel]


async def origin(store: Store, person: Person, about: str) -> ConversationKey | None:
    """Return the person's own conversation in which a reply was given under this key, None where it is not theirs.

    What is answered in direct messages may have been asked in a server; a button below it goes on there.
    """
    membership = await store.membership(person)
    values = {"about": about, "person_id": membership.person_id}
    found = await read(store, lambda connection: connection.execute(_ORIGIN, values).scalar_one_or_none())
    return None if found is None else ConversationKey.parse(found)


async def on_screen(store: Store, message: Message) -> ConversationKey | None:
    """Return the conversation that a direct message goes on with: of the reply that it replies to, or that was shown last.

    Direct messages also show what was asked by a mention in a server: "and in September?" is about what stands there
    last, and a "yes" may mean nothing else. None where nothing is known to have been shown there.
    """
    replied_to = await origin(store, message.person, message.about) if message.about else None
    if replied_to is not None:
        return replied_to
    values = {"person": message.person.key, "channel": message.channel}
    found = await read(store, lambda connection: connection.execute(_SHOWN, values).scalar_one_or_none())
    return ConversationKey.parse(found) if found else None


async def spoke_since(store: Store, conversation: ConversationKey, since: datetime) -> bool:
    """Whether something was answered in a conversation since then."""
    membership = await store.membership(conversation.person)
    values = {"person_id": membership.person_id, "conversation": str(conversation), "since": stamp(since)}
    return bool(await read(store, lambda connection: connection.execute(_SPOKE, values).first()))


def remember(memory: OrderedDict[K, T], key: K, value: T) -> None:
    """Keep a value, and of very many the newest."""
    memory[key] = value
    while len(memory) > _MOST:
        memory.popitem(last=False)
