"""The note on how an interaction is answered, which goes with its message through the inbox and comes back with the reply."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from bots.discord_app.web import Answering

#: Discord takes answers for fifteen minutes; the last of them is left for what is on its way.
ANSWERABLE_SECONDS: Final = 14 * 60
#: Notes of posts: it came in direct messages, where something else was shown last than its own conversation; or nobody
#: named us. Such an answer is told of nowhere else.
DIRECT: Final = "direct"
UNNAMED: Final = "unnamed"


@dataclass(frozen=True, slots=True)
class Route:
    """An interaction that waits for its answer; ``at`` is when it came, in seconds of this machine's clock."""

    application: str
    token: str
    channel: str
    at: float
    deferred: bool = True
    """Whether there is such a message to be set; without one, every answer is a further one."""
    follow_ups: bool = True
    """Whether answers may be many: an app that is not in the server may add five (docs.discord.com, receiving-and-responding)."""
    largest_file: int = 0
    """In bytes; 0 where Discord did not say."""
    may_write: bool = True
    """Whether the person may write in the channel, as whoever shares an answer there does."""
    interaction: str = ""
    """Its id, which tells when it was made."""
    source: str = ""
    """The message that a press was below, which its answers can change however old it is."""

    @property
    def answering(self) -> Answering:
        """The interaction as the API names it."""
        return Answering(self.application, self.token)

    def is_open(self, now: float) -> bool:
        """Whether it can still be answered; a clock that was set back makes it no younger."""
        return abs(now - self.at) < ANSWERABLE_SECONDS

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def read_route(text: str) -> Route | None:
    """Return the note that a message carried, None where there is none or it is not of this version."""
    try:
        return Route(**json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return None
