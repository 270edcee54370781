"""Who can read an answer: figures go to their owner alone, and doubt counts as a crowd."""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from typing import TYPE_CHECKING

from graph.reply import Audience, Reply
from language.catalogue import translated

if TYPE_CHECKING:
    from bots.contracts import Message

#: What is said in place of an answer where others would read it.
NEUTRAL = "I answer questions about money only where nobody else can read along. Please send me a direct message."
#: What is said of a file that others can open, where no name may be said.
EXPOSED = (
    "Others can open the file that you posted here, so I left it alone. Delete that message, and send it to me in a "
    "direct message."
)


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
    """Return what may be said in answer to the message: before anyone but the asker one neutral line, whatever it holds."""
    if message.audience is Audience.PRIVATE:
        return dataclasses.replace(reply, audience=Audience.PRIVATE)
    line = EXPOSED if is_posted_file(message) else NEUTRAL
    return Reply("refuse", translated(line, reply.language), audience=Audience.SHARED, language=reply.language)


def is_posted_file(message: Message) -> bool:
    """Whether a message is a post with files, which everyone in its place can open; a command or form shows them to nobody."""
    return bool(message.attachments) and message.ts is not None
