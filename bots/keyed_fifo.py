"""A FIFO per conversation: one message at a time, in the order of arrival; conversations run side by side."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from bots.contracts import ConversationKey


class KeyedFifo:
    """A queue per conversation, kept as long as anyone is in it."""

    def __init__(self) -> None:
        """Start empty."""
        self._last: dict[ConversationKey, Ticket] = {}

    def enter(self, conversation: ConversationKey) -> Ticket:
        """Take a place behind everyone who entered before."""
        ahead = self._last.get(conversation)
        ticket = self._last[conversation] = Ticket(self, conversation, None if ahead is None else ahead.left)
        return ticket

    def is_last(self, ticket: Ticket) -> bool:
        """Whether nobody is behind."""
        return self._last.get(ticket.conversation) is ticket

    async def passed(self, conversation: ConversationKey) -> None:
        """Return when everyone who is in the queue by now has left, without a place in it."""
        last = self._last.get(conversation)
        if last is not None:
            await asyncio.wait((last.left,))

    def close(self, ticket: Ticket) -> None:
        """Forget a queue that nobody is in any more."""
        if self._last.get(ticket.conversation) is ticket:
            del self._last[ticket.conversation]


class Ticket:
    """A place in a queue; ``async with`` waits until it is first, and gives the place up in the end."""

    def __init__(self, order: KeyedFifo, conversation: ConversationKey, ahead: asyncio.Future[None] | None) -> None:
        """Use :meth:`KeyedFifo.enter`."""
        self.conversation = conversation
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._order = order
        self._ahead = ahead

    @property
    def is_first(self) -> bool:
        """Whether nobody is ahead any more."""
        return self._ahead is None or self._ahead.done()

    async def __aenter__(self) -> None:
        try:
            if self._ahead is not None:
                await asyncio.wait((self._ahead,))
        except asyncio.CancelledError:
            self.leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Give the place up; who is behind moves on once everyone ahead is gone."""
        if self._ahead is None or self._ahead.done():
            self._leave()
        else:
            self._ahead.add_done_callback(lambda _: self._leave())

    def _leave(self) -> None:
        if not self.left.done():
            self.left.set_result(None)
            self._order.close(self)
