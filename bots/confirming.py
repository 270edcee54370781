"""Changes that a tool proposes: shown with a button each for yes and no, and done by a yes of the person who saw them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from bots.errors import ActionRefused
from bots.pending import PendingAction, PendingActions
from graph.reply import Action, Actions, Reply, Text
from graph.turn import ChangeRefused, TurnOutcome
from ledger.errors import LedgerError
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from bots.contracts import Message
    from bots.history import Recollection
    from graph.turn import Agent, Confirmed
    from ledger.store import Store

YES = frozenset("yes y ok okay sure ja j klar confirm".split())
NO = frozenset("no n nein cancel abbrechen".split())
UNDO = frozenset("undo rückgängig".split())
_WORDS = {"yes": YES, "no": NO, "undo": UNDO}
_PROPOSED, _UNDOING = "tool", "undo tool"
_NOTHING_CHANGED = "Nothing was changed."


class Confirmations:
    """Turns proposals of tools into pending actions, and a yes into the work."""

    def __init__(self, store: Store, agent: Agent, now: Callable[[], datetime]) -> None:
        """Use this store, agent and clock."""
        self._store = store
        self._agent = agent
        self._pending = PendingActions(store, now)

    async def offer(self, message: Message, outcome: TurnOutcome) -> TurnOutcome:
        """Store what a turn proposes, and give its buttons their token; an older proposal of the thread is withdrawn."""
        if outcome.proposal is None:
            return outcome
        for older in await self._open(message, _PROPOSED):
            await self._pending.withdraw(message.person, older.token)
        token = await self._propose(message, _PROPOSED, outcome.proposal, shown_as(outcome.reply))
        blocks = tuple(_with_token(block, token) if isinstance(block, Actions) else block
                       for block in outcome.reply.blocks)  # fmt: skip
        return replace(outcome, reply=replace(outcome.reply, blocks=blocks))

    async def answer(self, message: Message, recollection: Recollection) -> TurnOutcome | None:
        """Return what a yes or no comes to, or None where the message is neither, or nothing waits for it."""
        meant, token = _says(message)
        if meant is None:
            return None
        if token is None:  # a typed yes answers the turn before it, a typed undo is about what was done last
            if meant != "undo" and not (recollection.past and recollection.past[-1].kind == "clarify"):
                return None
            waiting = await self._open(message, _UNDOING if meant == "undo" else _PROPOSED)
            if not waiting:
                return None
            token = waiting[-1].token
        reply = await (self._withdraw(message, token) if meant == "no" else self._do(message, token))
        return TurnOutcome(reply, focus=recollection.focus)

    async def _do(self, message: Message, token: str) -> Reply:
        """Do what was shown, in the transaction that uses up its token."""
        try:
            shown = next((each for each in await self._all(message) if each.token == token), None)
            call = Call(shown.arguments["name"], shown.arguments["arguments"]) if shown else Call("", {})
            confirmed = await self._agent.confirmed(message.person, call) if shown else None
            async with self._store.write() as connection:
                action = await self._pending.consume(connection, message.person, token)
                _insist_on_what_was_shown(action, shown, confirmed)
                if confirmed is not None:
                    await confirmed.work(connection)
        except (ActionRefused, ChangeRefused, LedgerError) as error:
            return _said("refuse", error.message)
        assert confirmed is not None
        if confirmed.undo is None:
            return confirmed.reply
        undo = await self._propose(message, _UNDOING, confirmed.undo)
        button = Actions((Action("Undo", "confirm", undo),))
        return replace(confirmed.reply, blocks=(*confirmed.reply.blocks, button))

    async def _withdraw(self, message: Message, token: str) -> Reply:
        withdrawn = await self._pending.withdraw(message.person, token)
        return _said("answer", _NOTHING_CHANGED if withdrawn else "There is nothing left to cancel.")

    async def _propose(self, message: Message, action: str, call: Call, shown: str = "") -> str:
        arguments = {"name": call.name, "arguments": call.arguments, "shown": shown}
        return await self._pending.propose(message.person, message.conversation, action, arguments)

    async def _all(self, message: Message) -> tuple[PendingAction, ...]:
        return await self._pending.open(message.person, message.conversation)

    async def _open(self, message: Message, kind: str) -> list[PendingAction]:
        return [action for action in await self._all(message) if action.action == kind]


def shown_as(reply: Reply) -> str:
    """Return a hash of what a person saw of a change: its headline and its table."""
    return hashlib.sha256(f"{reply.headline}\n{reply.table}".encode()).hexdigest()


def _insist_on_what_was_shown(action: PendingAction, shown: PendingAction | None, confirmed: Confirmed | None) -> None:
    """Refuse work that is no longer what the person said yes to: meanwhile the notes that "all" means may be others."""
    expected = action.arguments.get("shown")
    if confirmed is None or action != shown or (expected and expected != shown_as(confirmed.proposed)):
        raise ActionRefused("This is not what was shown. Please ask for it again.")


def _says(message: Message) -> tuple[str | None, str | None]:
    """Return whether a message means yes, no or undo, and the token of the button that said so."""
    if message.call is not None:
        meant = {"confirm": "yes", "cancel": "no"}.get(message.call.name)
        return meant, str(message.call.arguments.get("value", "")) if meant else None
    word = message.text.strip(" .!").casefold()
    return next((meant for meant, said in _WORDS.items() if word in said), None), None


def _with_token(actions: Actions, token: str) -> Actions:
    return Actions(
        tuple(
            replace(action, value=token) if action.action in ("confirm", "cancel") else action
            for action in actions.actions
        )
    )


def _said(kind: Literal["answer", "refuse"], sentence: str) -> Reply:
    return Reply(kind, sentence, (Text(sentence, "headline"),))
