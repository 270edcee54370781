"""Who may use the bot: every member of its place, or fewer by setting; whoever can't be told to be one may not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.errors import NotAdmitted
from language.catalogue import joined, say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from language.catalogue import Template

#: What is said to those who may not, each to themselves alone.
NOT_CHOSEN = "I am set up for certain people here, and you are not among them. Whoever runs me can add you."
NOT_HERE = "I am not used in this channel. Send me a direct message instead."

NOT_TOLD = "I can't tell right now who you are here, so I do nothing. Please try again in a minute."


@dataclass(frozen=True, slots=True)
class Admission:
    """The ids of those who may use the bot; nothing set lets every member in."""

    people: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    """Somebody in one of these may use it as well as the people named."""
    channels: frozenset[str] = frozenset()
    """Where it is used besides direct messages."""

    async def check(self, user: str, groups: Callable[[], Awaitable[Collection[str]]], channel: str = "") -> None:
        """Let a member use the bot in a channel, or in direct messages; ``groups`` returns which ones they are in.

        Raises:
            NotAdmitted: a setting leaves them or the channel out.
        """
        chosen = not (self.people or self.groups) or user in self.people
        if not chosen and not (self.groups and self.groups.intersection(await groups())):
            raise NotAdmitted(NOT_CHOSEN)
        if channel and self.channels and channel not in self.channels:
            raise NotAdmitted(NOT_HERE)

    def described(self, members: str) -> Template:
        """Return who may use it and where, for whoever runs it; ``members`` says for whom that is with nothing set."""
        named = [
            _counted(self.people, "for 1 person", "for {count} people"),
            _counted(self.groups, "for the members of 1 group", "for the members of {count} groups"),
        ]
        who = joined([each for each in named if each], ", ") if self.people or self.groups else say(members)
        places = _counted(self.channels, "in direct messages and 1 channel", "in direct messages and {count} channels")
        return joined([who, places], ", ") if places else joined([who], "")


#: With nothing set, every member may use the bot.
EVERYONE = Admission()


def _counted(ids: Collection[str], one: str, several: str) -> Template | None:
    return say(one if len(ids) == 1 else several, count=str(len(ids))) if ids else None
