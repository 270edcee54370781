"""Taking imports back: what would go is shown first, and goes on a yes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bots.confirming import UNDO as UNDO_WORDS
from bots.confirming import Done
from bots.desk.importing import UNDO
from bots.desk.replies import aside, said
from bots.errors import NO_CHANGES, ActionRefused
from bots.import_words import counted, describe_batch
from graph.reply import Action, Actions, Text
from graph.steps import begin_step
from language.catalogue import say
from ledger.batches import last_batch
from ledger.imports import undo_import, why_not_undone
from tools.calls import Call

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.confirming import Settlement, Work
    from bots.contracts import Message
    from bots.desk.desk import Desk, Handler
    from bots.history import Recollection
    from graph.turn import TurnOutcome
    from ledger.imports import Undone

_LONGEST_NUMBER = 9


def undo_handlers(desk: Desk) -> dict[str, Handler]:
    """Return the handler that shows the latest import, or the one whose number a call names."""
    return dict.fromkeys((UNDO, *UNDO_WORDS), partial(_offer_undo, desk))


def undo_works(desk: Desk) -> dict[str, Work]:
    """Return the work that takes an import back."""
    return {UNDO: partial(_undo, desk)}


async def _offer_undo(desk: Desk, message: Message, recollection: Recollection) -> TurnOutcome:
    """Show what would be taken back, and ask."""
    if not desk.writes:
        return aside(said(NO_CHANGES, kind="refuse"), recollection)
    named = str(message.values.get("value", ""))
    number = int(named) if named.isascii() and named.isdigit() and len(named) <= _LONGEST_NUMBER else None
    context = await desk.context(message.person)
    batch = await last_batch(context.ledger, number)
    if batch is None:
        return aside(said(await why_not_undone(context.ledger, number), kind="refuse"), recollection)
    reply = said(
        say("Take back {transactions}?", transactions=counted(batch.count, "transaction", context.locale)),
        Text(describe_batch(batch, context.locale), "details"),
        Actions((Action("Take back", "confirm"), Action("Cancel", "cancel"))),
        kind="clarify",
    )
    return aside(reply, recollection, Call(UNDO, {"batch": batch.id}))


async def _undo(desk: Desk, message: Message, call: Call, settle: Settlement) -> None:
    """Take an import back."""
    if not desk.writes:
        raise ActionRefused(NO_CHANGES)
    context = await desk.context(message.person)

    async def within(connection: AsyncConnection, undone: Undone) -> None:
        removed = counted(undone.removed, "transaction", context.locale)
        await settle(connection, Done(said(say("Taken back: {transactions}.", transactions=removed)), report=undone))

    begin_step("Taking the import back")
    await undo_import(context.ledger, call.arguments["batch"], within=within)
