"""Changes that are proposed: shown with a button each for yes and no, and done by a yes of the person who saw them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa

from bots.errors import ActionRefused, AttachmentUnavailable
from bots.history import History
from bots.inbox import idempotency_key
from bots.pending import PendingAction, PendingActions
from graph.reply import Action, Actions, Reply, Text
from graph.turn import ChangeRefused, TurnOutcome
from ledger import schema
from ledger.errors import LedgerError
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.contracts import Message
    from bots.history import Recollection
    from graph.turn import Agent
    from ledger.store import Store

YES = frozenset("yes y yep yeah ok okay sure ja j klar confirm".split())
NO = frozenset("no n nope nein cancel stop abbrechen".split())
#: What ends an answer that is under way.
STOP = frozenset("stop stopp halt".split())
#: What may stand beside a yes or no, or alone for a yes.
_URGED = frozenset(("do it", "go ahead", "mach das"))
_POLITE = frozenset(("please", "thanks", "thank you", "bitte", "danke"))
UNDO = frozenset("undo rückgängig".split())
_WORDS = {"yes": YES, "no": NO, "undo": UNDO}
_PROPOSED, _UNDOING = "proposed", "undoing"
#: The desk's name for taking an import back.
_IMPORTS = "undo"
#: What kind of reply shows each.
_KINDS = {_PROPOSED: "clarify", _UNDOING: "answer"}
_UNDO_FOR = timedelta(days=7)
_NOTHING_CHANGED = "Nothing was changed."
_NOT_AS_SHOWN = "This is not what was shown. Please ask for it again."

Consume = Callable[["AsyncConnection"], Awaitable[None]]
"""Uses up the proposal in the transaction that does the work, so that both happen or neither; raises ActionRefused."""


@dataclass(frozen=True, slots=True)
class Done:
    """What is said once a change is made, and the call that would take it back."""

    reply: Reply
    undo: Call | None = None


Work = Callable[["Message", Call, Consume], Awaitable[Done]]
"""Does what was proposed: given the message that said yes, the call as it was proposed, and what to use it up with."""


class Confirmations:
    """Turns proposals into pending actions, and a yes into the work.

    ``works`` do calls of their name; every other proposed call is a tool's.
    """

    def __init__(
        self, store: Store, agent: Agent, now: Callable[[], datetime], works: Mapping[str, Work] | None = None
    ) -> None:
        """Use this store, agent and clock."""
        self._store = store
        self._agent = agent
        self._works = works or {}
        self._pending = PendingActions(store, now)
        self._history = History(store)

    async def offer(self, message: Message, outcome: TurnOutcome) -> TurnOutcome:
        """Store what a turn proposes, and give its buttons their token; an older proposal of the thread is withdrawn.

        Where the reply is an answer, its change is made already (a form was sent off), and the proposal takes it back.
        """
        if outcome.proposal is None:
            return outcome
        if outcome.reply.kind == "answer":
            return replace(outcome, reply=await self._undoable(message, outcome.reply, outcome.proposal))
        for older in await self._open(message, _PROPOSED):
            await self._pending.withdraw(message.person, older.token)
        arguments = _packed(outcome.proposal, message, outcome.reply)
        token = await self._pending.propose(message.person, message.conversation, _PROPOSED, arguments)
        blocks = tuple(_with_token(block, token) if isinstance(block, Actions) else block
                       for block in outcome.reply.blocks)  # fmt: skip
        return replace(outcome, reply=replace(outcome.reply, blocks=blocks))

    async def answer(self, message: Message, recollection: Recollection) -> TurnOutcome | None:
        """Return what a yes or no comes to, or None where the message is neither, or nothing waits for it."""
        meant, token = _says(message)
        if meant is None:
            return None
        if token is None:
            waiting = await self._just_asked(message, recollection, _UNDOING if meant == "undo" else _PROPOSED)
            if not waiting and meant == "undo":  # an import is shown before it goes, a setting or note goes at once
                waiting = [each for each in await self._open(message, _UNDOING) if each.arguments["name"] != _IMPORTS]
            if not waiting:
                return None
            token = waiting[-1].token
        reply = await (self._withdraw(message, token) if meant == "no" else _unstoppable(self._do(message, token)))
        return TurnOutcome(reply, focus=recollection.focus)

    async def _do(self, message: Message, token: str) -> Reply:
        """Do what was shown, in the transaction that uses up its token."""
        shown = next((each for each in await self._all(message) if each.token == token), None)

        async def consume(connection: AsyncConnection) -> None:
            if await self._pending.consume(connection, message.person, token) != shown:
                raise ActionRefused(_NOT_AS_SHOWN)

        try:
            if shown is None:  # foreign, used or expired: taking it says which
                async with self._store.write() as connection:
                    await consume(connection)
            assert shown is not None
            call = Call(shown.arguments["name"], shown.arguments["arguments"])
            work = self._works.get(call.name)
            done = await (work(message, call, consume) if work else self._change(message, shown, consume))
        except (ActionRefused, ChangeRefused, LedgerError, AttachmentUnavailable) as error:
            return _said("refuse", error.message)
        return done.reply if done.undo is None else await self._undoable(message, done.reply, done.undo)

    async def _change(self, message: Message, shown: PendingAction, consume: Consume) -> Done:
        """Do the change of a tool, if it is still the one that was shown: the notes that "all" means may be others."""
        call = Call(shown.arguments["name"], shown.arguments["arguments"])
        confirmed = await self._agent.confirmed(message.person, call)
        if shown.action == _PROPOSED and shown.arguments["shown"] != shown_as(confirmed.proposed):
            raise ActionRefused(_NOT_AS_SHOWN)
        async with self._store.write() as connection:
            await consume(connection)
            await confirmed.work(connection)
        return Done(confirmed.reply, confirmed.undo)

    async def _undoable(self, message: Message, reply: Reply, undo: Call) -> Reply:
        arguments = _packed(undo, message, reply)
        token = await self._pending.propose(message.person, message.conversation, _UNDOING, arguments, ttl=_UNDO_FOR)
        return replace(reply, blocks=(*reply.blocks, Actions((Action("Undo", "confirm", token),))))

    async def _withdraw(self, message: Message, token: str) -> Reply:
        withdrawn = await self._pending.withdraw(message.person, token)
        return _said("answer", _NOTHING_CHANGED if withdrawn else "There is nothing left to cancel.")

    async def _all(self, message: Message) -> tuple[PendingAction, ...]:
        return await self._pending.open(message.person, message.conversation)

    async def _just_asked(self, message: Message, recollection: Recollection, kind: str) -> list[PendingAction]:
        """Return what the latest turn asked about, or offered to undo: a typed word answers that, and nothing before it.

        The person must have been shown it when they wrote: a word that came in earlier was about something else.
        """
        latest = recollection.past[-1] if recollection.past else None
        if latest is None or latest.kind != _KINDS[kind]:
            return []
        shown = await self._history.reply(message.conversation, message.about)
        if shown is None:
            return []
        asked = [each for each in await self._open(message, kind) if each.arguments["shown"] == shown_as(shown)]
        return [action for action in asked if await self._was_shown(action, message)]

    async def _was_shown(self, action: PendingAction, message: Message) -> bool:
        """Whether the reply that proposes something was on its reader's screen when the message came in."""
        query = sa.select(schema.outbox.c.sent_at).where(schema.outbox.c.idempotency_key == action.arguments["key"])
        async with self._store.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:  # it was handed to a caller who shows it, not sent
            return True
        return row.sent_at is not None and datetime.fromisoformat(row.sent_at) <= message.received_at

    async def lapse(self, message: Message) -> None:
        """Let nothing that was proposed in this conversation be confirmed any more, since something else was said."""
        for action in await self._open(message, _PROPOSED):
            await self._pending.withdraw(message.person, action.token)

    async def _open(self, message: Message, kind: str) -> list[PendingAction]:
        return [action for action in await self._all(message) if action.action == kind]


def shown_as(reply: Reply) -> str:
    """Return a hash of what a person saw of a change: its headline and its table."""
    return hashlib.sha256(f"{reply.headline}\n{reply.table}".encode()).hexdigest()


def _packed(call: Call, message: Message, reply: Reply) -> dict[str, Any]:
    """Return what is kept of a proposal: the call, what is shown of it, and the key of the reply that shows it."""
    shown = {"shown": shown_as(reply), "key": idempotency_key(message)}
    return {"name": call.name, "arguments": call.arguments, **shown}


async def _unstoppable(work: Coroutine[Any, Any, Reply]) -> Reply:
    """Return what the work says: what was confirmed is done and told, whoever presses Stop meanwhile."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait((task,))
    return task.result()


def _says(message: Message) -> tuple[str | None, str | None]:
    """Return whether a message means yes, no or undo, and the token of the button that said so."""
    if message.call is not None:
        meant = {"confirm": "yes", "cancel": "no"}.get(message.call.name)
        return meant, str(message.call.arguments.get("value", "")) if meant else None
    said = " ".join(message.text.replace(",", " ").strip(" .!").casefold().split())
    for ending in (*_POLITE, *_URGED):
        said = said.removesuffix(f" {ending}")
    if said in _URGED:
        return "yes", None
    return next((meant for meant, words in _WORDS.items() if said in words), None), None


def _with_token(actions: Actions, token: str) -> Actions:
    return Actions(
        tuple(
            replace(action, value=token) if action.action in ("confirm", "cancel") else action
            for action in actions.actions
        )
    )


def _said(kind: Literal["answer", "refuse"], sentence: str) -> Reply:
    return Reply(kind, sentence, (Text(sentence, "headline"),))
