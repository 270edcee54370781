"""Who would read what is posted in a server's channel, and whether it can be posted and taken back there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.cleaning import clean
from bots.contracts import Readership
from bots.discord_app.bodies import THREADS
from bots.discord_app.routes import read_route
from bots.discord_app.sending import is_shareable
from bots.discord_app.web import DiscordRefused
from bots.errors import SendRefused
from bots.payloads import look, text_at
from language.catalogue import say

if TYPE_CHECKING:
    from bots.contracts import Message
    from bots.discord_app.web import DiscordWeb

_NOT_HERE = "An answer can be shared only in the server's channel where it was asked for, so nothing was shared."
_MAY_NOT_WRITE = "You may not write in this channel, so nothing was shared."
_NOT_A_MEMBER = "I can't see this channel, so I could not take back what is shared, and share nothing here."


async def readership(web: DiscordWeb, message: Message) -> Readership:
    """Return who would read a post in the message's channel.

    Raises:
        DiscordFailed: Discord can't be asked now.
        SendRefused: nothing can be shared there; the sentence says why.
    """
    where, route = message.conversation, read_route(message.route)
    written_here = message.ts is not None and bool(where.team) and message.channel == where.channel
    if not written_here and (route is None or not is_shareable(where, route)):
        raise SendRefused(_NOT_HERE)
    if route is not None and not route.may_write:
        raise SendRefused(_MAY_NOT_WRITE)
    try:
        channel = await web.channel(where.channel)
    except DiscordRefused as error:
        raise SendRefused(_NOT_A_MEMBER) from error
    name = " ".join(clean(text_at(channel, "name")).split())
    if not name:
        return Readership(say("this channel"))
    return Readership(say("the thread {thread}", thread=name) if look(channel, "type") in THREADS else f"#{name}")
