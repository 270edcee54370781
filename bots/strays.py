"""What waits in the tables although nobody here has it in hand: a connection broke where its turn was to begin or end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Collection

    from bots.contracts import Delivery
    from bots.inbox import Inbox, Waiting

_log = structlog.get_logger(__name__)


class Strays:
    """Looks for messages and replies that wait in vain; one look is not enough, since they may be on their way here."""

    def __init__(self, inbox: Inbox) -> None:
        """Nothing is in hand yet."""
        self._inbox = inbox
        self._seen: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
        self.in_hand: set[int] = set()
        """The messages that somebody here sees to, by their id in the inbox."""
        self.sending: set[int] = set()
        """The replies that somebody here sends, by theirs in the outbox."""

    async def look(self, sources: Collection[str]) -> tuple[list[Waiting], tuple[Delivery, ...]]:
        """Return the messages, made to wait again, and the replies that nobody has had in hand for two looks."""
        found = await self._inbox.strays(sources)
        now = frozenset(found.messages.keys() - self.in_hand), found.deliveries - self.sending
        messages, replies = (each & before for each, before in zip(now, self._seen, strict=True))
        if messages:
            _log.warning("messages_resumed", count=len(messages))
            await self._inbox.reopen(messages)
        if replies:
            _log.warning("replies_resumed", count=len(replies))
        self._seen = now
        return [found.messages[each] for each in sorted(messages)], (
            await self._inbox.unsent(sources, replies) if replies else ()
        )
