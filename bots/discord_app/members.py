"""Who is a member of a server that the bot was added to, and which roles they have there, as Discord tells.

https://docs.discord.com/developers/resources/guild#get-guild-member
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from bots.discord_app import web as api
from bots.discord_app.bodies import ELSEWHERE, THREADS, number_at
from bots.discord_app.people import remember
from bots.discord_app.routes import read_route
from bots.discord_app.web import DiscordRefused
from bots.errors import NotAdmitted
from bots.payloads import list_at, look, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bots.admission import Admission
    from bots.contracts import Message
    from bots.discord_app.web import DiscordWeb

STRANGER: Final = "I answer only members of a server that I was added to."

#: How long it is believed, in seconds.
_BELIEVED_FOR = 600.0
_NOT_THERE = frozenset({api.UNKNOWN_MEMBER, api.UNKNOWN_USER, api.UNKNOWN_SERVER, api.MISSING_ACCESS})
#: Somebody with a guest's invitation to a voice channel.
_GUEST: Final = 1 << 4

Roles = frozenset[str]


class Members:
    """Asks Discord who is where, and remembers it for a while."""

    def __init__(self, web: DiscordWeb, admission: Admission, seconds: Callable[[], float] = time.monotonic) -> None:
        """Ask through this client."""
        self._web = web
        self._admission = admission
        self._seconds = seconds
        self.owners: frozenset[str] = frozenset()
        """Whose application the bot is: they need share no server with it."""
        self._servers: tuple[float, tuple[str, ...]] | None = None
        self._known: OrderedDict[tuple[str, str], tuple[float, Roles | None]] = OrderedDict()
        self._seen_in: OrderedDict[str, str] = OrderedDict()
        self._places: OrderedDict[str, str] = OrderedDict()

    async def admit(self, message: Message) -> None:
        """Let the person use the bot where they are; whose it is, or who is named, need not be in a server with it.

        Raises:
            NotAdmitted: they may not.
            DiscordFailed, DiscordRefused: Discord does not tell now.
        """
        user, where, admission = message.person.user, message.conversation, self._admission
        servers = [where.team] if _is_among_us(message) else []
        if user not in admission.people | self.owners and await self._first(user, servers, frozenset()) is None:
            raise NotAdmitted(STRANGER)

        async def roles() -> Roles:
            return await self._first(user, servers, admission.groups) or frozenset()

        await admission.check(user, roles, await self._channel(message) if admission.channels else "")

    async def _first(self, user: str, servers: list[str], wanted: Roles) -> Roles | None:
        """Return the roles of somebody in the first server where they have a wanted one, or are at all; None in none."""
        likely = [*servers, *filter(None, (self._seen_in.get(user),))]
        for server in dict.fromkeys(likely):
            found = await self._roles(server, user)
            if found is not None and (not wanted or wanted & found):
                return found
        for server in await self._all():
            found = None if server in likely else await self._roles(server, user)
            if found is not None and (not wanted or wanted & found):
                return found
        return None

    async def _all(self) -> tuple[str, ...]:
        """Return the servers that the bot is in."""
        if self._servers is None or self._seconds() - self._servers[0] >= _BELIEVED_FOR:
            found = await self._web.servers()
            ids = tuple(text_at(each, "id") for each in found)
            self._servers = (self._seconds(), ids)
        return self._servers[1]

    async def _roles(self, server: str, user: str) -> Roles | None:
        """Return somebody's roles in a server; None where they are no member, or only a guest, or the bot is not there."""
        since, known = self._known.get((server, user), (float("-inf"), None))
        if self._seconds() - since < _BELIEVED_FOR:
            return known
        try:
            roles = _roles_of(await self._web.member(server, user))
        except DiscordRefused as error:
            if error.code not in _NOT_THERE:
                raise
            roles = None
        remember(self._known, (server, user), (self._seconds(), roles))
        if roles is not None:
            remember(self._seen_in, user, server)
        return roles

    async def _channel(self, message: Message) -> str:
        """Return the channel of a message, for a thread the one that it is in, and nothing for direct messages."""
        where = message.conversation
        if not where.team:
            return ""
        if where.channel not in self._places and _is_among_us(message):
            channel = await self._web.channel(where.channel)
            parent = text_at(channel, "parent_id") if look(channel, "type") in THREADS else ""
            remember(self._places, where.channel, parent or where.channel)
        return self._places.get(where.channel, where.channel)


def _is_among_us(message: Message) -> bool:
    """Whether it came in a server that the bot was added to; of others, where a person has it alone, Discord tells it nothing."""
    route = read_route(message.route)
    return message.conversation.team not in ("", ELSEWHERE) and (route is None or route.follow_ups)


def _roles_of(member: Mapping[str, Any]) -> Roles | None:
    """Read a member; who has not agreed to a server's rules yet is none, nor is a guest."""
    if look(member, "pending") or number_at(member, "flags") & _GUEST or not text_at(member, "user", "id"):
        return None
    return frozenset(str(role) for role in list_at(member, "roles"))
