"""Who can read an answer: figures go to their owner alone, and doubt counts as a crowd."""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from typing import TYPE_CHECKING

from bots.contracts import SHARE
from graph.reply import Actions, Audience, Reply

if TYPE_CHECKING:
    from bots.contracts import Message
    from bots.history import History

#: What is said in place of an answer where others would read it.
NEUTRAL = "I answer questions about money only where nobody else can read along. Please send me a direct message."


class Place(StrEnum):
    """Where a message was said; anything that an adapter is not sure of is ``UNKNOWN``."""

    DIRECT = "direct"
    CHANNEL = "channel"
    UNKNOWN = "unknown"


def audience_of(place: Place, *, private_replies: bool) -> Audience:
    """Return who will read the answer; ``private_replies`` is whether the asker alone can be shown one in a channel."""
    if place is Place.DIRECT or (place is Place.CHANNEL and private_replies):
        return Audience.PRIVATE
    return Audience.SHARED


def guard(message: Message, reply: Reply) -> Reply:
    """Return what may be said in answer to the message.

    Before anyone but the asker, whatever the reply holds, that is one neutral line; unless the asker pressed "Share" on
    their own answer, which then goes to everyone there, without buttons.
    """
    if is_share(message) and reply.kind == "answer":
        return dataclasses.replace(_without_buttons(reply), audience=Audience.SHARED)
    if message.audience is Audience.PRIVATE:
        return dataclasses.replace(reply, audience=Audience.PRIVATE)
    return Reply("refuse", NEUTRAL, audience=Audience.SHARED)


def is_share(message: Message) -> bool:
    """Whether the message is a person's own press of "Share"."""
    pressed = message.kind == "button" and message.call is not None and message.call.name == SHARE
    return pressed and message.person == message.conversation.person


async def share(history: History, message: Message) -> Reply | None:
    """Return the asker's own answer that the pressed button belongs to, or None where there is none of theirs.

    It is looked up in the presser's own conversation, so that nobody can share what was said to someone else.
    """
    if not is_share(message) or message.about is None:
        return None
    return await history.reply(message.conversation, message.about)


def _without_buttons(reply: Reply) -> Reply:
    return dataclasses.replace(reply, blocks=tuple(block for block in reply.blocks if not isinstance(block, Actions)))
