"""Writing an answer down in the transaction of whoever makes the change that it tells of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.audience import guard
from bots.errors import AlreadyReceived

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.inbox import Closed, Entry, Inbox
    from graph.turn import TurnOutcome


@dataclass(slots=True)
class Closing:
    """The closing of one message; called at most once in a transaction, with all that is said."""

    inbox: Inbox
    entry: Entry
    person_id: int
    outcome: TurnOutcome | None = None
    closed: Closed | None = None

    async def __call__(self, connection: AsyncConnection, outcome: TurnOutcome) -> None:
        """Store the turn, and what is to be sent of it.

        Raises:
            AlreadyReceived: the message was answered before.
        """
        reply, turn = guard(self.entry.message, outcome.reply), (self.person_id, outcome)
        closed = await connection.run_sync(lambda it: self.inbox.close(it, self.entry, reply, turn))
        if closed is None:
            raise AlreadyReceived("I have already answered this message.")
        self.outcome, self.closed = outcome, closed

    def of(self, outcome: TurnOutcome) -> Closed | None:
        """Return how this outcome was written down, if it was: its transaction must have been committed by now."""
        return self.closed if self.outcome is outcome else None
