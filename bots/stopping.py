"""What the word "stop" ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.confirming import STOP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bots.contracts import ConversationKey, Message


def is_stop(message: Message) -> bool:
    """Whether somebody wants something to end, if there is anything."""
    return message.kind == "text" and message.text.strip(" .!").casefold() in STOP


def conversation_to_stop(message: Message, going_on: Iterable[ConversationKey]) -> ConversationKey | None:
    """Return what a "stop" ends: what goes on in its conversation, or the only thing that does for its person.

    With nothing to stop it is a word like any other.
    """
    running = set(going_on)
    if message.conversation in running:
        return message.conversation
    theirs = [each for each in running if each.person == message.person]
    return theirs[0] if len(theirs) == 1 else None
