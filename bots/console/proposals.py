"""What is shown before it is done, and done by a yes of the person who saw it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bots.errors import ActionRefused
from bots.pending import PendingActions
from language.catalogue import say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bots.console.session import Session
    from language.catalogue import Template

    Within = Callable[..., Awaitable[None]]
    Work = Callable[[Within], Awaitable[None]]

YES = frozenset(("yes", "y", "ja", "j"))
NO = frozenset(("no", "n", "nein"))


class Proposal:
    """A row among the pending actions, and the work that uses it up in the transaction that does it."""

    def __init__(self, session: Session, token: str, arguments: dict[str, Any], work: Work) -> None:
        """Use :func:`propose`."""
        self._session = session
        self._pending = PendingActions(session.app.store, session.app.clock)
        self._token = token
        self._arguments = arguments
        self._work = work

    async def take(self, line: str) -> bool:
        """Do it on a yes; anything else withdraws it."""
        answer = line.strip(" .!").casefold()
        if answer in YES:
            await self._work(self._consume)
            return True
        await self.withdraw()
        if answer in NO:
            self._session.say("Nothing was changed.")
            return True
        self._session.say("That was no yes, so nothing was changed.", "dim")
        return False

    async def withdraw(self) -> None:
        """Take the row back, if it still waits."""
        with suppress(ActionRefused):
            await self._pending.withdraw(self._session.person, self._token)

    async def _consume(self, connection: Any, _done: object = None) -> None:
        shown = await self._pending.consume(connection, self._session.person, self._token)
        if shown.arguments != self._arguments:
            raise ActionRefused("This is not what was shown. Please ask for it again.")


async def propose(session: Session, action: str, arguments: dict[str, Any], ask: Template, work: Work) -> None:
    """Ask for a yes; the work is given what it must do in its own transaction."""
    pending = PendingActions(session.app.store, session.app.clock)
    token = await pending.propose(session.person, session.conversation, action, arguments)
    session.expects = Proposal(session, token, arguments, work)
    session.say(say("{ask} yes/no", ask=ask), "bold")
