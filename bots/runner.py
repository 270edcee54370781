"""From message to reply: exactly one turn for every accepted message, in order within a conversation.

    receive: inbox (stored, then acknowledged) → conversation's lane → turn → guard → finish (one transaction) → send

Lanes run in parallel, bounded by ``parallel_turns``. What a crash interrupts is in the tables: ``start`` sends what was
not sent and answers what was not answered, and so does a look into them every few seconds, for what fell out of every hand
while the database was away.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import structlog

from bots.audience import guard
from bots.choosing import asked_of_agent, handler_named
from bots.closing import Closing
from bots.company import Company
from bots.confirming import STOP, Confirmations
from bots.contracts import Accepted, Duplicate, Occasion
from bots.desk.replies import aside, said
from bots.door import Door
from bots.errors import AlreadyReceived, LeaseLost, UnreadableRecord, outline
from bots.fixed_replies import BUSY, FAILED, GAVE_UP, SLOWER, SLOWER_STILL, STOPPED, TOO_LONG, UNSURE
from bots.history import History, Recollection
from bots.inbox import Closed, Entry, Inbox
from bots.lanes import Lanes
from bots.metrics import Metrics, answered_by
from bots.narrating import Narrations
from bots.notices import Notices
from bots.pace import Pace, Shares
from bots.progressing import Signals
from bots.retention import Retention
from bots.runner_settings import RunnerSettings
from bots.sending import STORE_ERRORS, Sender, insist
from bots.sharing import Sharing
from bots.strays import Strays
from bots.subjects import OTHERS, is_about_another
from bots.telling import spoken, told
from graph.reply import Audience, Reply
from graph.tracing import span
from graph.turn import Agent, TurnOutcome, TurnRequest
from language.catalogue import say
from ledger.outages import is_passing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from bots.confirming import Work
    from bots.contracts import Adapter, ConversationKey, Delivery, Message, Receipt
    from bots.desk.desk import Handler
    from bots.inbox import Waiting
    from bots.lanes import Ticket
    from bots.lease import Lease
    from bots.notices import Notify
    from ledger.store import Store

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is said to one message, and the turn to remember, if it was one."""

    reply: Reply
    outcome: TurnOutcome | None = None
    dead: bool = False
    closed: Closed | None = None
    """Set where it is written down already, together with what it tells of."""


class Runner:
    """Answers what the adapters bring in, with one agent, over one store.

    ``handlers`` answer calls by name, in place of the agent, and texts that are nothing but the name; files go to
    ``"import"``. ``works`` do what was proposed and confirmed; ``notices`` say what nobody asked for, by occasion.
    ``now`` is the time of day, which may be fixed; ``seconds`` and ``sleep`` measure what passes.
    """

    def __init__(  # noqa: PLR0913 - the parts that are wired together
        self,
        store: Store,
        agent: Agent,
        adapters: Sequence[Adapter] = (),
        settings: RunnerSettings | None = None,
        *,
        handlers: Mapping[str, Handler] | None = None,
        works: Mapping[str, Work] | None = None,
        notices: Mapping[str, Notify] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wire the parts; nothing runs before ``start`` or ``ask``."""
        self.settings = settings or RunnerSettings()
        self.inbox = Inbox(store, now)
        self.history = History(store)
        self._retention = Retention(store, self.settings.keep, now)
        self._store = store
        self._agent = agent
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self.metrics = Metrics(seconds, now)
        self._sharing = Sharing(store, self._adapters.get, now, sleep)
        self._confirmations = Confirmations(store, agent, now, {**self._sharing.works, **(works or {})})
        self._handlers = {**self._sharing.words, **(handlers or {})}
        self._sleep = sleep
        self._sender = Sender(self.inbox, self._adapters, self.settings.sending, sleep)
        self._lanes = Lanes()
        self._notices = Notices(notices or {}, self._lanes, self.inbox, self._sender, sleep)
        self._pace = Pace(self.settings.questions_per_minute, seconds)
        self._slots = asyncio.Semaphore(self.settings.parallel_turns)
        self._shares = Shares(self.settings.parallel_turns_each)
        self._door = Door(seconds)
        self._company = Company()
        self._narrations = Narrations(agent, self._adapters)
        self._signals = Signals(self._adapters, self.settings.progress_after, self.settings.progress_every, sleep)
        self._running: dict[ConversationKey, asyncio.Task[TurnOutcome]] = {}
        self._work: set[asyncio.Task[None]] = set()
        self._strays = Strays(self.inbox)
        self._chores: tuple[asyncio.Task[None], ...] = ()
        self._started = asyncio.Event()
        self._draining = False

    async def start(self, lease: Lease | None = None) -> None:
        """Resume what a former process left, then let every adapter connect; under the lease, where there may be others."""
        self.inbox.lease = self._sender.lease = lease
        sources = tuple(self._adapters)
        await insist(lambda _: self.inbox.recover(sources), self._sleep, is_passing)
        for delivery in await self.inbox.unsent(sources):
            self._resend(delivery)
        for waiting in await self.inbox.next_waiting(sources):
            self._resume(waiting)
        chores = (
            self._repeat(self._prune, self.settings.housekeeping.total_seconds()),
            self._repeat(self._retract, self.settings.retracting.total_seconds()),
            self._repeat(self._look_for_strays, self.settings.watch, at_once=False),
        )
        self._chores = tuple(asyncio.create_task(chore) for chore in chores)
        for adapter in self._adapters.values():
            await adapter.start(self.receive)
        self._started.set()

    async def receive(self, message: Message | Occasion) -> Receipt:
        """Store a message and see to its answer; returns as soon as it is safe to acknowledge.

        An occasion is no message: nothing that the person said, asked or was shown is touched by it.

        Raises:
            InboxUnavailable: it is not stored and must not be acknowledged.
        """
        if isinstance(message, Occasion):
            if not self._draining:
                self._spawn(self._notices.say(message, self._placed))
            return Duplicate()
        if message.kind == "stop":
            self.cancel(message.conversation)
            return Duplicate()
        stopped = self._stopped_by(message)
        if stopped is not None:
            return await self._stop(message, stopped)
        if self._draining:  # stored for the next process
            return await self.inbox.accept(message)
        with span("take_in", message.source) as part:
            receipt = await self._take_in(message)
            part.note("outcome", "stored" if isinstance(receipt, Accepted) else "again")
            return receipt

    async def _take_in(self, message: Message) -> Receipt:
        ticket, began = self._lanes.enter(message.conversation), self.metrics.seconds()
        free = self._company.is_open and not self._slots.locked()
        at_once = ticket.is_first and self._started.is_set() and free
        try:
            with self._door:
                receipt = await self.inbox.accept(message, "taken" if at_once else "waiting")
        except BaseException:
            ticket.leave()
            raise
        if not isinstance(receipt, Accepted):
            ticket.leave()
            return receipt
        self.metrics.acknowledged(message.source, began)
        self._narrations.stop(message.conversation)
        entry = Entry(receipt.id, message) if at_once else None
        self._strays.in_hand.add(receipt.id)
        self._spawn(self._answer_in_turn(ticket, receipt.id, self._company.of_others, entry, self._verdict(message)))
        return receipt

    async def ask(self, message: Message) -> TurnOutcome:
        """Answer a message here and now, for a caller who shows the outcome: nothing is sent, limits don't apply.

        Raises:
            AlreadyReceived: the message was accepted before.
            InboxUnavailable: nothing can be stored, so nothing was done.
        """
        async with self._lanes.enter(message.conversation):
            receipt = await self.inbox.accept(message, "held")
            if not isinstance(receipt, Accepted):
                raise AlreadyReceived("I have already answered this message.")
            entry = Entry(receipt.id, message, held=True)
            async with self._slots, self._signals.during(message.conversation):
                answer, _ = await self._finish(entry, await self._answer(entry))
        return replace(answer.outcome, reply=answer.reply) if answer.outcome else TurnOutcome(answer.reply)

    def cancel(self, conversation: ConversationKey) -> bool:
        """Stop the turn that runs in this conversation, which is answered "Stopped.", or what a model adds to the last.

        Returns whether there was either.
        """
        turn = self._running.get(conversation)
        told = self._narrations.stop(conversation)
        return (turn is not None and turn.cancel()) or told

    def _stopped_by(self, message: Message) -> ConversationKey | None:
        """Return what the word "stop" ends: what goes on in its conversation, or the only thing that does for its person.

        With nothing to stop it is a word like any other.
        """
        if message.kind != "text" or message.text.strip(" .!").casefold() not in STOP:
            return None
        going_on = {*self._running, *self._narrations.conversations}
        if message.conversation in going_on:
            return message.conversation
        theirs = [each for each in going_on if each.person == message.person]
        return theirs[0] if len(theirs) == 1 else None

    async def _stop(self, message: Message, conversation: ConversationKey) -> Receipt:
        """End what goes on; the word is stored as done, so that it ends nothing else when it is delivered again."""
        receipt = await self.inbox.accept(message, "held")
        if isinstance(receipt, Accepted):
            self.cancel(conversation)
            await self.inbox.decline(Entry(receipt.id, message, held=True), STOPPED)
        return receipt

    async def drain(self, seconds: float) -> None:
        """Finish what was accepted as far as it goes in this time, and disconnect; the next start resumes the rest."""
        self._draining = True
        if self._work and self._started.is_set():
            await asyncio.wait(self._work, timeout=seconds)
        leftover = [*self._work, *self._signals.tasks, *self._chores]
        interrupted = frozenset(self._strays.in_hand)
        for task in leftover:
            task.cancel()
        await asyncio.gather(*leftover, return_exceptions=True)
        if interrupted:
            with contextlib.suppress(*STORE_ERRORS, LeaseLost):  # else it looks like a crash
                await self.inbox.reopen(interrupted)
        await self._narrations.close()
        for adapter in self._adapters.values():
            await adapter.stop()
        if not self._chores:  # a single question was asked, and nobody else may ever keep house
            with contextlib.suppress(*STORE_ERRORS):
                await self._prune()

    async def idle(self) -> None:
        """Return when everything accepted so far is answered, sent and told about."""
        while pending := self._work | self._signals.tasks | self._narrations.tasks:
            await asyncio.wait(pending)

    def _verdict(self, message: Message) -> Reply | None:
        """Decide at the door whether a message is turned away, and with what word."""
        if len(self._work) >= self.settings.backlog:
            return guard(message, told(BUSY, spoken(message)))
        seconds = self._pace.wait(message.person)
        if not seconds:
            return None
        form = SLOWER if seconds == 1 else SLOWER_STILL
        return guard(message, told(Reply("refuse", say(form, seconds=str(seconds))), spoken(message)))

    def _resume(self, waiting: Waiting) -> None:
        """See to a message that waits; to one that may have killed a process, alone."""
        self._strays.in_hand.add(waiting.id)
        company = self._company.alone if waiting.suspect else self._company.of_others
        self._spawn(self._answer_in_turn(self._lanes.enter(waiting.conversation), waiting.id, company))

    def _resend(self, delivery: Delivery) -> None:
        self._strays.sending.add(delivery.id)
        self._spawn(self._send_in_turn(self._lanes.enter(delivery.conversation), delivery))

    async def _answer_in_turn(
        self,
        ticket: Ticket,
        inbox_id: int,
        company: Callable[[], AbstractAsyncContextManager[None]],
        entry: Entry | None = None,
        verdict: Reply | None = None,
    ) -> None:
        """Wait until everything said before is answered and sent, then answer and send."""
        began = self.metrics.seconds()
        try:
            async with ticket, contextlib.AsyncExitStack() as until_sent:
                async with self._shares.of(ticket.conversation.person), self._slots, company():
                    await self._door.calm()
                    entry = entry or await insist(lambda time: self.inbox.claim(inbox_id, again=time > 1), self._sleep)
                    if entry is None:
                        return
                    await until_sent.enter_async_context(self._signals.during(ticket.conversation))
                    with span("turn", entry.message.source) as part:
                        answer = _Answer(verdict) if verdict else await self._answer(entry)
                        said, delivery = await self._finish(entry, answer)
                        part.note("kind", said.reply.kind)
                        part.note("by", answered_by(said.outcome))
                self.metrics.answered(entry.message, began, said.reply, said.outcome)
                sent = delivery is not None and await self._deliver(delivery)
                told = sent and self.settings.narration and self._lanes.is_last(ticket)
                if told and delivery is not None and said.outcome is not None:
                    self._narrations.begin(entry.message, said.outcome, delivery)
        except Exception as error:  # noqa: BLE001 - whatever it is, the row stays taken, and is found by the next look
            conversation = str(ticket.conversation)
            _log.error("turn_not_stored", conversation=conversation, inbox=inbox_id, error=outline(error))
        finally:
            self._strays.in_hand.discard(inbox_id)

    async def _deliver(self, delivery: Delivery) -> bool:
        self._strays.sending.add(delivery.id)
        began = self.metrics.seconds()
        try:
            with span("deliver", delivery.source) as part:
                sent = await self._sender.deliver(delivery)
                part.note("outcome", "sent" if sent else "not_sent")
            self.metrics.delivered(delivery.source, began, sent=sent)
            return sent
        finally:
            self._strays.sending.discard(delivery.id)

    async def _send_in_turn(self, ticket: Ticket, delivery: Delivery) -> None:
        try:
            async with ticket:
                await self._deliver(delivery)
        except Exception as error:  # noqa: BLE001 - whatever it is, the row still waits, and is found by the next look
            _log.error("reply_not_sent", reply=delivery.idempotency_key, error=outline(error))

    async def _answer(self, entry: Entry) -> _Answer:
        """Return what to say to a message, as far as its audience may read it."""
        message = entry.message
        if entry.crashes >= self.settings.attempts:
            return _Answer(guard(message, told(GAVE_UP, spoken(message))), dead=True)
        try:
            entry = replace(entry, message=await self._placed(message))
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody knows who reads along
            self._log(entry).warning("readers_unknown", error=outline(error))
            return _Answer(guard(message, told(UNSURE, spoken(message))))
        try:
            return await insist(lambda time: self._attempt(entry, again=time > 1), self._sleep, is_passing)
        except (*STORE_ERRORS, UnreadableRecord) as error:
            self._log(entry).error("store_unavailable", error=outline(error))
            return _Answer(guard(entry.message, told(FAILED, spoken(entry.message))))

    async def _attempt(self, entry: Entry, *, again: bool) -> _Answer:
        """Answer once; again where the connection to the store broke on the way, perhaps after all was written."""
        message = entry.message
        written = await self.inbox.told(entry) if again else None
        if written is not None:
            return _Answer(written.reply, closed=Closed(written))
        recollection = await self.history.recall(message.conversation, self.settings.history, message.about)
        closing = Closing(self.inbox, entry, (await self._store.membership(message.person)).person_id)
        outcome = await self._take_turn(entry, recollection, closing)
        if isinstance(outcome, Reply):
            return _Answer(guard(message, told(outcome, spoken(message, recollection.past))))
        return _Answer(guard(message, outcome.reply), outcome, closed=closing.of(outcome))

    async def _placed(self, message: Message) -> Message:
        """Return the message with the audience that its platform knows of now, never a smaller one than it came with."""
        adapter = self._adapters.get(message.source)
        if adapter is None or message.audience is Audience.SHARED:
            return message
        return replace(message, audience=await adapter.readers(message), surface=await adapter.surface(message))

    async def _take_turn(self, entry: Entry, recollection: Recollection, closing: Closing) -> TurnOutcome | Reply:
        """Run the agent or handler within its time; what goes wrong, and would again, becomes one clear reply."""
        conversation = entry.message.conversation
        turn = self._running[conversation] = asyncio.create_task(self._turn(entry.message, recollection, closing))
        try:
            await asyncio.wait((turn,), timeout=self.settings.turn_seconds)
        finally:
            del self._running[conversation]
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
        named = "import" if message.attachments else message.call.name if message.call else ""
        handler = self._sharing.presses.get(named) if message.kind == "button" else None
        handler = handler or self._handlers.get(named)
        if message.call is None and is_about_another(message.text):
            return aside(told(said(OTHERS, kind="refuse"), language), recollection)
        if handler is None:
            answered = await self._confirmations.answer(message, recollection, closing)
            if answered is not None:
                return answered
            handler = None if message.call else self._handlers.get(handler_named(message.text, recollection))
        if handler is not None:
            handled = await handler(message, recollection)
            handled = replace(handled, reply=told(handled.reply, language))
            return await self._confirmations.offer(message, handled, closing)
        asked = await asked_of_agent(message, recollection, self.history)
        if isinstance(asked, TurnRequest):
            outcome = await self._agent.answer(asked)
        else:
            outcome = replace(asked, reply=told(asked.reply, language))
        return await self._confirmations.offer(message, outcome, closing)

    async def _finish(self, entry: Entry, answer: _Answer) -> tuple[_Answer, Delivery | None]:
        """Write the answer down, if it is not; one that can't be stored becomes a clear failure that can."""
        if answer.closed is not None:
            return answer, answer.closed.delivery
        outcome = answer.outcome
        if outcome is not None:
            try:
                return answer, await self._written(entry, partial(self.inbox.finish, entry, outcome, answer.reply))
            except (*STORE_ERRORS, TypeError, ValueError, RecursionError) as error:
                self._log(entry).error("turn_not_stored", error=outline(error))
                answer = _Answer(guard(entry.message, told(FAILED, spoken(entry.message))))
        lapse = self._confirmations.passing_over(entry.message)
        decline = partial(self.inbox.decline, entry, answer.reply, dead=answer.dead, lapse=lapse)
        return answer, await self._written(entry, decline)

    async def _written(self, entry: Entry, write: Callable[[], Awaitable[Delivery | None]]) -> Delivery | None:
        """Insist on writing an answer; where one was written before, unknown to us, that is the one to send."""
        delivery = await insist(lambda _: write(), self._sleep)
        if delivery is None and not entry.held:
            delivery = await insist(lambda _: self.inbox.told(entry), self._sleep)
        return delivery

    async def _repeat(self, chore: Callable[[], Awaitable[object]], seconds: float, *, at_once: bool = True) -> None:
        """Do something again and again; a time that fails is logged, and the next one comes."""
        if not at_once:
            await self._sleep(seconds)
        while True:
            try:
                await chore()
            except (*STORE_ERRORS, LeaseLost, UnreadableRecord) as error:
                _log.warning("chore_failed", chore=chore.__name__, error=outline(error))
            await self._sleep(seconds)

    async def _prune(self) -> None:
        await self.inbox.prune()
        await self._retention.prune()

    async def _retract(self) -> None:
        """Delete what is forgotten where it stands, once the platforms are there."""
        await self._started.wait()
        await self._sharing.retract_forgotten()

    async def _look_for_strays(self) -> None:
        await self._sender.note_left()
        messages, replies = await self._strays.look(tuple(self._adapters))
        for waiting in messages:
            self._resume(waiting)
        for delivery in replies:
            self._resend(delivery)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._when_started(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _when_started(self, work: Coroutine[None, None, None]) -> None:
        try:
            await self._started.wait()
        except BaseException:
            work.close()
            raise
        await work

    def _log(self, entry: Entry) -> structlog.typing.FilteringBoundLogger:
        message = entry.message
        bound: structlog.typing.FilteringBoundLogger = _log.bind(
            conversation=str(message.conversation), delivery=message.delivery_id
        )
        return bound
