"""From a message to the answer that is stored: what is said to it, as far as its audience may read it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bots.audience import guard
from bots.choosing import OTHERS, asked_of_agent, handler_named, is_about_another
from bots.closing import Closing
from bots.confirming import Confirmations
from bots.contracts import Duty, Question
from bots.desk.replies import aside, said
from bots.errors import LeaseLost, NotAdmitted, UnreadableRecord, outline
from bots.fixed_replies import FAILED, GAVE_UP, STOPPED, TOO_LONG, UNSURE
from bots.inbox import Closed
from bots.sending import STORE_ERRORS, insist
from bots.telling import spoken, told
from graph.reply import Audience, Reply
from graph.turn import Agent, TurnOutcome, TurnRequest
from language.talk import small_talk
from ledger.outages import is_passing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from bots.confirming import Work
    from bots.contracts import Adapter, Content, ConversationKey, Delivery, Message
    from bots.desk.desk import Handler
    from bots.history import History, Recollection
    from bots.inbox import Entry, Inbox
    from bots.runner_settings import RunnerSettings
    from bots.sharing import Sharing
    from ledger.store import Store

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to one message, and the turn to remember, if it was one."""

    reply: Reply
    outcome: TurnOutcome | None = None
    dead: bool = False
    closed: Closed | None = None
    """Set where it is written down already, together with what it tells of."""


class Answering:
    """Answers one message at a time, whoever brings it: by a handler, a confirmation or the agent."""

    def __init__(  # noqa: PLR0913 - the parts that are wired together
        self,
        store: Store,
        agent: Agent,
        adapters: Mapping[str, Adapter],
        *,
        inbox: Inbox,
        history: History,
        sharing: Sharing,
        settings: RunnerSettings,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]],
        handlers: Mapping[str, Handler],
        works: Mapping[str, Work],
    ) -> None:
        """Use these parts."""
        self.running: dict[ConversationKey, asyncio.Task[TurnOutcome]] = {}
        """The turns that run now."""
        self._store = store
        self._agent = agent
        self._adapters = adapters
        self._inbox = inbox
        self._history = history
        self._sharing = sharing
        self._confirmations = Confirmations(store, agent, now, {**sharing.works, **works})
        self._handlers = {**sharing.words, **handlers}
        self._settings = settings
        self._sleep = sleep

    async def answer(self, entry: Entry) -> Answer:
        """Return what to say to a message, as far as its audience may read it."""
        message = entry.message
        if entry.crashes >= self._settings.attempts:
            return Answer(guard(message, told(GAVE_UP, spoken(message))), dead=True)
        try:
            entry = replace(entry, message=await insist(lambda _: self.placed(message), self._sleep, _is_store_away))
        except NotAdmitted as refused:
            reply = Reply("refuse", refused.message, audience=message.audience)
            return Answer(told(reply, spoken(message) or refused.language))
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody knows who reads along
            self._log(entry).warning("readers_unknown", error=outline(error))
            return Answer(guard(message, told(UNSURE, spoken(message))))
        try:
            return await insist(lambda time: self._attempt(entry, again=time > 1), self._sleep, is_passing)
        except (*STORE_ERRORS, UnreadableRecord) as error:
            self._log(entry).error("store_unavailable", error=outline(error))
            return Answer(guard(entry.message, told(FAILED, spoken(entry.message))))

    async def _attempt(self, entry: Entry, *, again: bool) -> Answer:
        """Answer once; again where the connection to the store broke on the way, perhaps after all was written."""
        message = entry.message
        written = await self._inbox.told(entry) if again else None
        if written is not None:
            return Answer(written.reply, closed=Closed(written))
        await self._store.recheck(message.person)  # they may have been deleted or linked elsewhere
        recollection = await self._history.recall(message.conversation, self._settings.history, message.about)
        closing = Closing(self._inbox, entry, (await self._store.membership(message.person)).person_id)
        outcome = await self._take_turn(entry, recollection, closing)
        if isinstance(outcome, Reply):
            return Answer(guard(message, told(outcome, spoken(message, recollection.past))))
        return Answer(guard(message, outcome.reply), outcome, closed=closing.of(outcome))

    async def placed(self, message: Message) -> Message:
        """Return the message with the audience that its platform knows of now, never a smaller one than it came with.

        Raises:
            NotAdmitted: its person may not use the bot there.
        """
        adapter = self._adapters.get(message.source)
        if adapter is None:
            return message
        await adapter.admit(message)
        if message.audience is Audience.SHARED:
            return message
        return replace(message, audience=await adapter.readers(message), surface=await adapter.surface(message))

    async def _take_turn(self, entry: Entry, recollection: Recollection, closing: Closing) -> TurnOutcome | Reply:
        """Run the agent or handler within its time; what goes wrong, and would again, becomes one clear reply."""
        conversation = entry.message.conversation
        turn = self.running[conversation] = asyncio.create_task(self._turn(entry.message, recollection, closing))
        try:
            await asyncio.wait((turn,), timeout=self._settings.turn_seconds)
        finally:
            del self.running[conversation]
            late = turn.cancel()
        if late:
            await asyncio.gather(turn, return_exceptions=True)
            self._log(entry).error("turn_too_long")
        if turn.cancelled():  # else it was doing what was confirmed, and has done it
            return TOO_LONG if late else STOPPED
        error = turn.exception()
        if error is not None:
            if is_passing(error) or isinstance(error, LeaseLost):
                raise error
            self._log(entry).error("turn_failed", error=outline(error))
            return FAILED
        return turn.result()

    async def _turn(self, message: Message, recollection: Recollection, closing: Closing) -> TurnOutcome:
        language = spoken(message, recollection.past)
        if is_about_another(message.text):
            return aside(told(said(OTHERS, kind="refuse"), language), recollection)
        if not message.attachments:
            answered = await self._confirmations.answer(message, recollection, closing)
            if answered is not None:
                return answered
        handled: TurnOutcome | Content = message.content
        while (handler := self._handler(message, recollection)) is not None:
            handled = await handler(message, recollection)
            if not isinstance(handled, Duty):
                break
            message = replace(message, content=handled)
        if isinstance(handled, TurnOutcome):
            handled = replace(handled, reply=told(handled.reply, language))
        else:
            handled = await self._asked(replace(message, content=handled), recollection, language)
        return await self._confirmations.offer(message, handled, closing)

    def _handler(self, message: Message, recollection: Recollection) -> Handler | None:
        """Return what answers a message in place of the agent, if anything does."""
        content = message.content
        if message.attachments:
            return self._handlers.get("import")
        if isinstance(content, Duty):
            pressed = self._sharing.presses.get(content.name) if message.kind == "button" else None
            return pressed or self._handlers.get(content.name)
        if isinstance(content, Question):
            return self._handler_of(content.text, recollection)
        return None

    async def _asked(self, message: Message, recollection: Recollection, language: str | None) -> TurnOutcome:
        """Ask the agent; what a command asks in the person's own words stands for what they said."""
        asked = await asked_of_agent(message, recollection, self._history)
        if not isinstance(asked, TurnRequest):
            return replace(asked, reply=told(asked.reply, language))
        outcome = await self._agent.answer(asked)
        is_commands = message.kind == "command" and isinstance(message.content, Question)
        return replace(outcome, picked=outcome.picked or message.text) if is_commands else outcome

    def _handler_of(self, text: str, recollection: Recollection) -> Handler | None:
        """Return what answers a typed text in place of the agent, by its name or by the kind of talk that it is."""
        names = (handler_named(text, recollection), small_talk(text) or "")
        return next((self._handlers[name] for name in names if name in self._handlers), None)

    async def finish(self, entry: Entry, answer: Answer) -> tuple[Answer, Delivery | None]:
        """Write the answer down, if it is not; one that can't be stored becomes a clear failure that can."""
        if answer.closed is not None:
            return answer, answer.closed.delivery
        outcome = answer.outcome
        if outcome is not None:
            try:
                return answer, await self._written(entry, partial(self._inbox.finish, entry, outcome, answer.reply))
            except (*STORE_ERRORS, TypeError, ValueError, RecursionError) as error:
                self._log(entry).error("turn_not_stored", error=outline(error))
                answer = Answer(guard(entry.message, told(FAILED, spoken(entry.message))))
        lapse = self._confirmations.passing_over(entry.message)
        decline = partial(self._inbox.decline, entry, answer.reply, dead=answer.dead, lapse=lapse)
        return answer, await self._written(entry, decline)

    async def _written(self, entry: Entry, write: Callable[[], Awaitable[Delivery | None]]) -> Delivery | None:
        """Insist on writing an answer; where one was written before, unknown to us, that is the one to send."""
        delivery = await insist(lambda _: write(), self._sleep)
        if delivery is None:
            delivery = await insist(lambda _: self._inbox.told(entry), self._sleep)
        return delivery

    def _log(self, entry: Entry) -> structlog.typing.FilteringBoundLogger:
        message = entry.message
        bound: structlog.typing.FilteringBoundLogger = _log.bind(
            conversation=str(message.conversation), delivery=message.delivery_id
        )
        return bound


def _is_store_away(error: Exception) -> bool:
    """Whether the store is away for a moment; where a platform's connection failed, nobody waits for it."""
    return isinstance(error, SQLAlchemyError) and is_passing(error)
