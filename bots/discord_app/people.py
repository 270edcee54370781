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

_turns, _conversations, _people = schema.turns.c, schema.conversations.c, schema.people.c
_KNOWN = sa.select(sa.func.coalesce(_people.joined_id, _people.id)).where(
    _people.platform == sa.bindparam("platform"),
    _people.team == sa.bindparam("team"),
    _people.user == sa.bindparam("user"),
)
_THEIRS = _KNOWN.scalar_subquery()
_ORIGIN = (
    sa.select(_conversations.key)
    .join(schema.turns, _turns.conversation_id == _conversations.id)
    .where(_turns.key == sa.bindparam("about"), _conversations.person_id == _THEIRS)
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
        _outbox.state.in_(("sent", "waiting")),
    )
    .order_by((_outbox.state == "waiting").desc(), _outbox.sent_at.desc(), _outbox.id.desc())
    .limit(1)
)
_SPOKE = sa.select(_conversations.id).where(
    _conversations.person_id == _THEIRS,
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
    values = {"about": about, **_named(person)}
    found = await read(store, lambda connection: connection.execute(_ORIGIN, values).scalar_one_or_none())
    return None if found is None else ConversationKey.parse(found)


class Screens:
    """Which conversation every channel of direct messages shows last.

    They also show what was asked by a mention in a server: "and in September?" is about what stands there last, and a "yes"
    may mean nothing else. A reply counts from its first try, since nobody knows when Discord shows it.
    What this process sends it remembers; what another one sends, or a former one has sent, is looked up each time.
    """

    def __init__(self, store: Store) -> None:
        """Look up in this store what other processes show."""
        self._store = store
        self._last: OrderedDict[str, ConversationKey] = OrderedDict()

    def show(self, channel: str, conversation: ConversationKey) -> None:
        """Note that a channel, where it is known, shows something of a conversation or is about to."""
        if not channel:
            return
        self._last.pop(channel, None)
        remember(self._last, channel, conversation)

    async def conversation_of(self, message: Message) -> ConversationKey:
        """Return the conversation that a direct message goes on with: of the reply that it replies to, or that is shown last.

        Raises what reading the store raises; then nobody knows what a word means.
        """
        replied_to = await origin(self._store, message.person, message.about) if message.about else None
        if replied_to is not None:
            return replied_to
        if message.channel in self._last:
            return self._last[message.channel]
        values = {"person": message.person.key, "channel": message.channel}
        found = await read(self._store, lambda connection: connection.execute(_SHOWN, values).scalar_one_or_none())
        return ConversationKey.parse(found) if found else message.conversation


async def spoke_since(store: Store, conversation: ConversationKey, since: datetime) -> bool:
    """Whether something was answered in a conversation since then."""
    values = {"conversation": str(conversation), "since": stamp(since), **_named(conversation.person)}
    return bool(await read(store, lambda connection: connection.execute(_SPOKE, values).first()))


async def is_known(store: Store, person: Person) -> bool:
    """Whether somebody is a person with a ledger; a look makes nobody one."""
    return bool(await read(store, lambda connection: connection.execute(_KNOWN, _named(person)).first()))


def _named(person: Person) -> dict[str, str]:
    """Return who somebody is, for a look."""
    return {"platform": person.platform, "team": person.team, "user": person.user}


def remember(memory: OrderedDict[K, T], key: K, value: T) -> None:
    """Keep a value, and of very many the newest."""
    memory[key] = value
    while len(memory) > _MOST:
        memory.popitem(last=False)
