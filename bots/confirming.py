"""Changes that are proposed: shown with a button each for yes and no, and done by a yes of the person who saw them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import sqlalchemy as sa

from bots.contracts import Duty
from bots.errors import ActionRefused, AttachmentUnavailable
from bots.history import History
from bots.inbox import idempotency_key
from bots.pending import UNDOING, PendingAction, PendingActions, new_token
from bots.telling import spoken, told
from graph.answers import told_button
from graph.reply import Action, Actions, Reply, Settled, Text
from graph.turn import ChangeRefused, TurnOutcome
from language.catalogue import translated
from language.tongue import DEFAULT
from ledger import schema
from ledger.errors import LedgerError
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection

    from bots.contracts import Message
    from bots.history import Recollection
    from graph.turn import Agent
    from ledger.store import Store

T = TypeVar("T")

YES = frozenset("yes y yep yeah ok okay sure ja j klar confirm".split())
NO = frozenset("no n nope nein cancel stop abbrechen".split())
#: What ends an answer that is under way.
STOP = frozenset("stop stopp halt".split())
#: What a task is told that is cancelled because its person wants it to end, and not because of its time.
BY_PERSON = "stopped by its person"
#: What may stand beside a yes or no, or alone for a yes.
_URGED = frozenset(("do it", "go ahead", "mach das"))
_POLITE = frozenset(("please", "thanks", "thank you", "bitte", "danke"))
UNDO = frozenset("undo rückgängig".split())
_WORDS = {"yes": YES, "no": NO, "undo": UNDO}
#: What waits for a yes; what waits for one by its button alone, since something else was said; what can be taken back.
_PROPOSED, _PASSED, _UNDOING = "proposed", "passed", UNDOING
#: The desk's name for taking an import back.
_IMPORTS = "undo"
#: What kind of reply shows each.
_KINDS = {_PROPOSED: "clarify", _UNDOING: "answer"}
#: How long each can be confirmed.
_FOR = {_PROPOSED: timedelta(hours=1), _UNDOING: timedelta(days=7)}
_REPLACED = "A newer proposal took the place of this one."
_NOTHING_CHANGED = "Nothing was changed."
NOT_AS_SHOWN = "This is not what was shown. Please ask for it again."

WriteDown = Callable[["AsyncConnection", TurnOutcome], Awaitable[None]]
"""Stores the turn, and what is to be sent of it, in the transaction that makes the change which it tells of."""


@dataclass(frozen=True, slots=True)
class Done:
    """What is said once a change is made, the call that would take it back, and what a command prints of it as data."""

    reply: Reply
    undo: Call | None = None
    report: object = None


class Settlement(Protocol):
    """What a work calls in the one transaction that makes the change, so that all of it happens or nothing."""

    async def use_up(self, connection: AsyncConnection) -> None:
        """Use up the proposal, where that must come first; raises ActionRefused."""
        ...

    async def __call__(self, connection: AsyncConnection, done: Done) -> None:
        """Write down what is said and offer to take it back; use up the proposal, if that is not done yet.

        Raises:
            ActionRefused: it can't be used up, so nothing may be done.
        """
        ...


Work = Callable[["Message", Call, Settlement], Awaitable[None]]
"""Does what was proposed: given the message that said yes, the call as it was proposed, and what to settle it with."""


@dataclass(frozen=True, slots=True)
class Stoppable:
    """A work that its person's Stop may end until it settles, as it has changed nothing anywhere before."""

    work: Work

    async def __call__(self, message: Message, call: Call, settle: Settlement) -> None:
        """Do the work."""
        await self.work(message, call, settle)


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

    async def offer(self, message: Message, outcome: TurnOutcome, write_down: WriteDown) -> TurnOutcome:
        """Write down a turn that proposes or changes something; return it with tokens in its buttons.

        An older proposal of the thread is replaced. Where the reply is an answer, its change is made with it, and the
        proposal takes it back. Any other turn is returned as it is.
        """
        if outcome.proposal is None and outcome.change is None:
            return outcome
        proposals: list[PendingAction] = []
        if outcome.proposal is not None:
            kind = _UNDOING if outcome.reply.kind == "answer" else _PROPOSED
            proposals = [_proposal(kind, outcome.proposal, message, outcome.reply)]
            outcome = replace(outcome, reply=_with_button(outcome.reply, proposals[0]))
            outcome = await self._replacing(message, outcome)
        async with self._store.write() as connection:
            if outcome.change is not None:
                await outcome.change(connection)
            for proposed in proposals:
                await self.propose(connection, message, proposed)
            await write_down(connection, outcome)
        return outcome

    async def _replacing(self, message: Message, outcome: TurnOutcome) -> TurnOutcome:
        """Return a turn whose proposal takes the place of those that wait, with what that means for them."""
        if outcome.reply.kind == "answer":
            return outcome
        waiting = [each for each in await self._all(message) if each.action in (_PROPOSED, _PASSED)]
        line = translated(_REPLACED, outcome.reply.language)
        settled = tuple(_settled(each, line, message) for each in waiting)
        return replace(outcome, reply=replace(outcome.reply, settles=settled))

    async def propose(self, connection: AsyncConnection, message: Message, proposed: PendingAction) -> None:
        """Store a proposal; a newer one takes the place of an older one, an offer to undo does not."""
        if proposed.action == _PROPOSED:
            await self._pending.replace(connection, message.person, message.conversation, (_PROPOSED, _PASSED))
        await self._pending.insert(connection, message.person, message.conversation, proposed, _FOR[proposed.action])

    async def answer(self, message: Message, recollection: Recollection, write_down: WriteDown) -> TurnOutcome | None:
        """Return what a yes or no came to, written down with it, or None where the message is neither, or nothing waits."""
        meant, token = _says(message)
        if meant is None:
            return None
        if token is None:
            try:
                waiting = await self._meant(message, recollection, meant)
            except ActionRefused as refused:
                reply = told(_said("refuse", refused.message), spoken(message, recollection.past))
                return TurnOutcome(reply, focus=recollection.focus)
            if not waiting:
                return None
            token = waiting[-1].token
        if meant == "no":
            return await self._withdraw(message, token, recollection, write_down)
        return await self._do(message, token, recollection, write_down)

    async def _meant(self, message: Message, recollection: Recollection, meant: str) -> list[PendingAction]:
        """Return what a typed word answers, the latest last."""
        waiting = await self._just_asked(message, recollection, _UNDOING if meant == "undo" else _PROPOSED)
        if waiting or meant != "undo":
            return waiting
        latest = (await self._open(message, _UNDOING))[
            -1:
        ]  # the last change made here: an import is shown before it goes
        return [each for each in latest if each.arguments["name"] != _IMPORTS]

    async def _do(self, message: Message, token: str, recollection: Recollection, write_down: WriteDown) -> TurnOutcome:
        """Do what was shown, in the transaction that uses up its token and stores the answer."""
        shown = next((each for each in await self._all(message) if each.token == token), None)
        settlement = _Settlement(self, message, shown, token, recollection.focus, write_down)
        try:
            if shown is None:  # foreign, used or expired: taking it says which
                async with self._store.write() as connection:
                    await settlement.use_up(connection)
            assert shown is not None
            call = Call(shown.arguments["name"], shown.arguments["arguments"])
            work = self._works.get(call.name)
            doing = work(message, call, settlement) if work else self._change(message, shown, settlement)
            settlement.stoppable = isinstance(work, Stoppable)
            await unstoppable(doing, settlement.lets_go)
        except (ActionRefused, ChangeRefused, LedgerError, AttachmentUnavailable) as error:
            language = _language(shown) or spoken(message, recollection.past)
            reply = told(_said("refuse", error.message), language)
            if shown is None:
                reply = await self._past_use(message, reply)
            return TurnOutcome(reply, focus=recollection.focus)
        assert settlement.outcome is not None, "the work did not say what it did"
        return settlement.outcome

    async def _past_use(self, message: Message, reply: Reply) -> Reply:
        """Return a refusal that takes the pressed button away, if it stands below a reply of the presser's own."""
        about = message.about
        if about is None or await self._history.reply(message.conversation, about) is None:
            return reply
        return replace(reply, settles=(Settled(about, reply.headline, pressed=True),))

    async def _change(self, message: Message, shown: PendingAction, settle: Settlement) -> None:
        """Do the change of a tool, if it is still the one that was shown: the notes that "all" means may be others."""
        call = Call(shown.arguments["name"], shown.arguments["arguments"])
        confirmed = await self._agent.confirmed(message.person, call, _language(shown) or DEFAULT)
        if shown.action != _UNDOING and shown.arguments["shown"] != shown_as(confirmed.proposed):
            raise ActionRefused(NOT_AS_SHOWN)
        async with self._store.write() as connection:
            await settle.use_up(connection)
            await confirmed.work(connection)
            await settle(connection, Done(confirmed.reply, confirmed.undo))

    async def use_up(self, connection: AsyncConnection, message: Message, token: str) -> PendingAction:
        """Use up a proposal; raises ActionRefused."""
        return await self._pending.consume(connection, message.person, token)

    async def _withdraw(
        self, message: Message, token: str, recollection: Recollection, write_down: WriteDown
    ) -> TurnOutcome:
        shown = next((each for each in await self._all(message) if each.token == token), None)
        language = _language(shown) or spoken(message, recollection.past)
        async with self._store.write() as connection:
            try:
                await self._pending.cancel(connection, message.person, token)
                reply = _said("answer", _NOTHING_CHANGED)
            except ActionRefused as refused:
                reply = _said("refuse", refused.message)
            reply = told(reply, language)
            if shown is not None:
                reply = replace(reply, settles=(_settled(shown, reply.headline, message),))
            outcome = TurnOutcome(reply, focus=recollection.focus)
            await write_down(connection, outcome)
        return outcome

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

    def passing_over(self, message: Message) -> Callable[[sa.Connection], None]:
        """Return what lets no typed word answer what was proposed in this conversation, since something else was said last.

        Its buttons still do: an error or a full queue withdraws nothing.
        """
        return lambda connection: self._pending.rename(
            connection, message.person, message.conversation, _PROPOSED, _PASSED
        )

    async def _open(self, message: Message, kind: str) -> list[PendingAction]:
        return [action for action in await self._all(message) if action.action == kind]


@dataclass(slots=True)
class _Settlement:
    """The settlement of one proposal by one message; ``outcome`` is what was said, once it is written down."""

    confirmations: Confirmations
    message: Message
    shown: PendingAction | None
    token: str
    focus: str | None
    write_down: WriteDown
    stoppable: bool = False
    begun: bool = False
    used: bool = False
    outcome: TurnOutcome | None = None

    def lets_go(self, stop: asyncio.CancelledError) -> bool:
        """Whether the work ends for this: at a terminal for any, else for its person's Stop before it takes effect, if it can."""
        return self.message.surface.terminal or (self.stoppable and not self.begun and stop.args == (BY_PERSON,))

    async def use_up(self, connection: AsyncConnection) -> None:
        self.begun = self.used = True
        if await self.confirmations.use_up(connection, self.message, self.token) != self.shown:
            raise ActionRefused(NOT_AS_SHOWN)

    async def __call__(self, connection: AsyncConnection, done: Done) -> None:
        self.begun = True
        if not self.used:
            await self.use_up(connection)
        reply = told(done.reply, _language(self.shown))
        if self.shown is not None:
            reply = replace(reply, settles=(_settled(self.shown, reply.headline, self.message),))
        outcome = TurnOutcome(reply, focus=self.focus, report=done.report)
        if done.undo is not None:
            back = _proposal(_UNDOING, done.undo, self.message, reply)
            outcome = replace(outcome, reply=_with_button(reply, back))
            await self.confirmations.propose(connection, self.message, back)
        await self.write_down(connection, outcome)
        self.outcome = outcome


def _settled(shown: PendingAction, line: str, message: Message) -> Settled:
    """Return that a proposal waits no longer, and why."""
    key = str(shown.arguments.get("key", ""))
    return Settled(key, line, pressed=message.about == key)


def _language(shown: PendingAction | None) -> str | None:
    """Return the language that a proposal was in; what an earlier version proposed was in English."""
    return None if shown is None else str(shown.arguments.get("language", DEFAULT))


def shown_as(reply: Reply) -> str:
    """Return a hash of what a person saw of a change: its headline and its table."""
    return hashlib.sha256(f"{reply.headline}\n{reply.table}".encode()).hexdigest()


def _proposal(kind: str, call: Call, message: Message, reply: Reply) -> PendingAction:
    """Return what is kept of a proposal: the call, what is shown of it, and the key of the reply that shows it."""
    shown = {"shown": shown_as(reply), "key": idempotency_key(message), "language": reply.language}
    return PendingAction(new_token(), kind, {"name": call.name, "arguments": call.arguments, **shown})


async def unstoppable(work: Awaitable[T], lets_go: Callable[[asyncio.CancelledError], bool] = lambda _stop: False) -> T:
    """Return what the work says: what was confirmed is done and told, unless it ``lets_go`` of what it has not done yet."""
    task = asyncio.ensure_future(work)
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as stop:
            if lets_go(stop):
                task.cancel()
    return task.result()


def _says(message: Message) -> tuple[str | None, str | None]:
    """Return whether a message means yes, no or undo, and the token of the button that said so."""
    if isinstance(message.content, Duty):
        if message.content == Duty("undo"):
            return "undo", None
        meant = {"confirm": "yes", "cancel": "no"}.get(message.content.name)
        return meant, str(message.values.get("value", "")) if meant else None
    said = " ".join(message.text.replace(",", " ").strip(" .!").casefold().split())
    for ending in (*_POLITE, *_URGED):
        said = said.removesuffix(f" {ending}")
    if said in _URGED:
        return "yes", None
    return next((meant for meant, words in _WORDS.items() if said in words), None), None


def _with_button(reply: Reply, proposed: PendingAction) -> Reply:
    """Return a reply with the token in its buttons for yes and no, or with a button that takes its change back.

    A reply that has such a button of its own keeps it.
    """
    rows = [block for block in reply.blocks if isinstance(block, Actions)]
    if proposed.action == _UNDOING:
        if any(action.action == proposed.arguments["name"] for row in rows for action in row.actions):
            return reply
        undo = Action(told_button("Undo", reply.language), "confirm", proposed.token, effect="back")
        return replace(reply, blocks=(*reply.blocks, Actions((undo,))))
    blocks = (_with_token(block, proposed.token) if isinstance(block, Actions) else block for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def _with_token(actions: Actions, token: str) -> Actions:
    """Put the token into the buttons for yes and no, and before the value of one that asks about what is proposed."""
    carrying = {"confirm": token, "cancel": token}
    return Actions(
        tuple(
            replace(action, value=token + action.value if action.action == "columns" else carrying[action.action])
            if action.action in ("columns", *carrying)
            else action
            for action in actions.actions
        )
    )


def _said(kind: Literal["answer", "refuse"], sentence: str) -> Reply:
    return Reply(kind, sentence, (Text(sentence, "headline"),))
