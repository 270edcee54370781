"""What a person can do with their own data, by name: bring files in, take them back, delete, export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.audience import guard
from bots.desk.forgetting import forget_handlers, forget_works
from bots.desk.importing import import_handlers, import_works
from bots.desk.replies import aside, said
from bots.desk.undoing import undo_handlers, undo_works
from graph.reply import Audience

if TYPE_CHECKING:
    from bots.confirming import Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome


def handlers(desk: Desk) -> dict[str, Handler]:
    """Return what answers calls of these names, and texts that are nothing but one."""
    every = {**import_handlers(desk), **undo_handlers(desk), **forget_handlers(desk)}
    return {name: _in_private(handler) for name, handler in every.items()}


def works(desk: Desk) -> dict[str, Work]:
    """Return the work of what was proposed."""
    return {**import_works(desk), **undo_works(desk), **forget_works(desk)}


def _in_private(handler: Handler) -> Handler:
    """Return a handler that does nothing where others would read its answer: no file is fetched, nothing proposed."""

    async def handle(message: Message, recollection: Recollection) -> TurnOutcome:
        if message.audience is not Audience.PRIVATE:
            return aside(guard(message, said("", kind="refuse")), recollection)
        return await handler(message, recollection)

    return handle
