"""All that the desk does, by the name under which messages and proposals call it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bots.audience import guard
from bots.desk.answers import answer_handlers
from bots.desk.charges import charge_handlers
from bots.desk.columns import column_handlers, column_works
from bots.desk.forgetting import forget_handlers, forget_works
from bots.desk.importing import import_handlers, import_works
from bots.desk.linking import link_handlers, link_works
from bots.desk.lookups import lookup_handlers
from bots.desk.replies import aside, said
from bots.desk.settings import setting_handlers, setting_works
from bots.desk.undoing import undo_handlers, undo_works
from bots.desk.welcome import welcome_handlers, welcome_notices, welcome_works
from bots.desk.workspace import workspace_handlers, workspace_works
from bots.telling import told
from graph.reply import Audience
from graph.turn import TurnOutcome

if TYPE_CHECKING:
    from bots.confirming import Work
    from bots.contracts import Content, Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from bots.notices import Notify


def handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handlers by the name of the call, or of the whole text, that they answer."""
    looking = {
        **answer_handlers(desk),
        **charge_handlers(desk),
        **setting_handlers(desk),
        **welcome_handlers(desk),
        **lookup_handlers(desk),
    }
    changing = {**import_handlers(desk), **column_handlers(desk), **undo_handlers(desk), **forget_handlers(desk)}
    changing |= {**link_handlers(desk), **workspace_handlers(desk)}
    every = {**looking, **{name: _in_private(handler) for name, handler in changing.items()}}
    return {name: _told(desk, handler) for name, handler in every.items()}


def works(desk: Desk) -> dict[str, Work]:
    """Return the work of proposals, by the name of the proposed call."""
    return {
        **setting_works(desk), **welcome_works(desk), **import_works(desk), **undo_works(desk), **forget_works(desk),
        **column_works(desk), **link_works(desk), **workspace_works(desk),
    }  # fmt: skip


def notices(desk: Desk) -> dict[str, Notify]:
    """Return what is said unasked, by the name of its occasion."""
    return welcome_notices(desk)


def _told(desk: Desk, handler: Handler) -> Handler:
    """Return a handler whose replies are in the language of what they answer."""

    async def handle(message: Message, recollection: Recollection) -> TurnOutcome | Content:
        outcome = await handler(message, recollection)
        if not isinstance(outcome, TurnOutcome):
            return outcome
        return replace(outcome, reply=told(outcome.reply, await desk.language(message, recollection)))

    return handle


def _in_private(handler: Handler) -> Handler:
    """Return a handler that does nothing where others would read its answer: no file is fetched, nothing proposed."""

    async def handle(message: Message, recollection: Recollection) -> TurnOutcome | Content:
        if message.audience is not Audience.PRIVATE:
            return aside(guard(message, said("", kind="refuse")), recollection)
        return await handler(message, recollection)

    return handle
