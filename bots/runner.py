"""From message to reply: exactly one turn for every accepted message, in order within a conversation.

    receive: inbox (stored, then acknowledged) → conversation's queue → turn → guard → finish (one transaction) → send

Lanes run in parallel, bounded by ``parallel_turns``. What a crash interrupts is in the tables: ``start`` sends what was
not sent and answers what was not answered, and so does a look into them every few seconds, for what fell out of every hand
while the database was away.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from bots.answering import Answer, Answering
from bots.choosing import conversation_to_stop, is_stop
from bots.confirming import BY_PERSON
from bots.contracts import Accepted, Duplicate, Occasion
from bots.ending import end
from bots.errors import AlreadyReceived, LeaseLost, UnreadableRecord, outline
from bots.expiring import Expiry
from bots.fixed_replies import STOPPED
from bots.history import History
from bots.inbox import Entry, Inbox
from bots.ingress_gate import IngressGate
from bots.keyed_fifo import KeyedFifo
from bots.metrics import Metrics, answered_by
from bots.narrating import Narrations
from bots.notices import Notices
from bots.progressing import Signals
from bots.rate_limiting import FULL, ConcurrencyLimiter, RateLimiter, turned_away
from bots.retention import Retention
from bots.runner_settings import RunnerSettings
from bots.sending import STORE_ERRORS, Sender, insist
from bots.shared_lock import SharedLock
from bots.sharing import Sharing
from bots.strays import Strays
from graph.tracing import span
from graph.turn import Agent, TurnOutcome
from ledger.outages import is_passing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from bots.confirming import Work
    from bots.contracts import Adapter, ConversationKey, Delivery, Message, Receipt
    from bots.desk.desk import Handler
    from bots.inbox import Waiting
    from bots.jobs import Jobs
    from bots.keyed_fifo import Ticket
    from bots.lease import Fence, Lease
    from bots.notices import Notify
    from ledger.store import Store

_log = structlog.get_logger(__name__)

#: Seconds that the database has for what is noted in it at the end.
_CLEARING = 5.0


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
        self._retention = Retention(store, self.settings.keep, now, by_workspace=self.settings.keep_by_workspace)
        self._store = store
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self.metrics = Metrics(seconds, now)
        self._expiry = Expiry(store, self._adapters, now)
        self._sharing = Sharing(store, self._adapters.get, now, sleep)
        self._answering = Answering(
            store, agent, self._adapters, inbox=self.inbox, history=self.history, sharing=self._sharing,
            settings=self.settings, now=now, sleep=sleep, handlers=handlers or {}, works=works or {},
        )  # fmt: skip
        self._now = now
        self._sleep = sleep
        self._sender = Sender(self.inbox, self._adapters, self.settings.sending, sleep)
        self._order = KeyedFifo()
        self._notices = Notices(notices or {}, self._order, self.inbox, self._sender, sleep)
        self._rate = RateLimiter(self.settings.questions_per_minute, seconds)
        self._slots = asyncio.Semaphore(self.settings.parallel_turns)
        self._concurrency = ConcurrencyLimiter(self.settings.parallel_turns_each)
        self._gate = IngressGate(seconds)
        self._lock = SharedLock()
        self._narrations = Narrations(agent, self._adapters)
        self._signals = Signals(self._adapters, self.settings.progress_after, self.settings.progress_every, sleep)
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
            self._repeat(self._expire, self.settings.retracting.total_seconds()),
            self._repeat(self._look_for_strays, self.settings.watch, at_once=False),
        )
        self._chores = tuple(asyncio.create_task(chore) for chore in chores)
        for adapter in self._adapters.values():
            await adapter.start(self.receive)
        self._started.set()

    async def start_here(self) -> None:
        """Let every adapter connect that resumes nothing; nothing of another process is looked at, and no chore is done."""
        for adapter in self._adapters.values():
            await adapter.start(self.receive)
        self._started.set()

    async def start_working(self, fence: Fence, jobs: Jobs) -> None:
        """Let every adapter send, and answer what :meth:`work` is told of; other processes take in."""
        self.inbox.lease = self._sender.lease = fence
        self.inbox.jobs = self._narrations.jobs = jobs
        for adapter in self._adapters.values():
            await adapter.start(None)
        housekeeping = self._repeat(self._prune, self.settings.housekeeping.total_seconds())
        retracting = self._repeat(self._retract, self.settings.retracting.total_seconds())
        expiring = self._repeat(self._expire, self.settings.retracting.total_seconds())
        self._chores = tuple(asyncio.create_task(chore) for chore in (housekeeping, retracting, expiring))
        self._started.set()

    async def work(self, conversation: ConversationKey, message: int, wait: int = 0, *, suspect: bool = False) -> None:
        """Answer a message that another process stored, and send the reply, or what a dead worker left of that.

        One that is suspect is answered while nothing else is in this process.
        Raises what kept it from being answered: it may be begun again, here or elsewhere.
        """
        lock = self._lock.exclusive if suspect else self._lock.shared
        ticket = self._order.enter(conversation)
        async with ticket:
            if not await self._answer_now(ticket, message, lock, wait=wait):
                await self._deliver_all(await self.inbox.left_by(message))
            await self._until_noted()

    async def work_off(self, reply: int) -> None:
        """Send a reply that another process stored."""
        await self._deliver_all(await self.inbox.unsent(tuple(self._adapters), (reply,)))
        await self._until_noted()

    async def say(self, occasion: Occasion) -> None:
        """Say what an occasion calls for."""
        await self._notices.say(occasion, self._answering.placed)

    async def receive(self, message: Message | Occasion) -> Receipt:
        """Store a message and see to its answer; returns as soon as it is safe to acknowledge.

        An occasion is no message: nothing that the person said, asked or was shown is touched by it.

        Raises:
            InboxUnavailable: it is not stored and must not be acknowledged.
        """
        if isinstance(message, Occasion):
            if not self._draining:
                self._spawn(self.say(message))
            return Duplicate()
        if message.kind == "stop":
            self.cancel(message.conversation)
            return Duplicate()
        going_on = (*self._answering.running, *self._narrations.conversations)
        stopped = conversation_to_stop(message, going_on) if is_stop(message) else None
        if stopped is not None:
            return await self._stop(message, stopped)
        if self._draining:  # stored for the next process
            return await self.inbox.accept(message)
        with span("take_in", message.source) as part:
            receipt = await self._take_in(message)
            part.note("outcome", "stored" if isinstance(receipt, Accepted) else "again")
            return receipt

    async def _take_in(self, message: Message) -> Receipt:
        ticket, began = self._order.enter(message.conversation), self.metrics.seconds()
        free = self._lock.is_free and not self._slots.locked()
        held = not self._resumes(message)
        at_once = ticket.is_first and self._started.is_set() and free
        try:
            with self._gate:
                receipt = await self.inbox.accept(message, "held" if held else "taken" if at_once else "waiting")
        except BaseException:
            ticket.leave()
            raise
        if not isinstance(receipt, Accepted):
            ticket.leave()
            return receipt
        self.metrics.acknowledged(message.source, began)
        self._narrations.stop(message.conversation)
        entry = Entry(receipt.id, message, held=held) if at_once or held else None
        self._strays.in_hand.add(receipt.id)
        full = len(self._work) >= self.settings.backlog
        wait = FULL if full else self._rate.wait(message.person)
        self._spawn(self._answer_in_turn(ticket, receipt.id, self._lock.shared, entry, wait))
        return receipt

    async def ask(self, message: Message) -> TurnOutcome:
        """Answer a message here and now, for a caller who shows the outcome: nothing is sent, limits don't apply.

        Raises:
            AlreadyReceived: the message was accepted before.
            InboxUnavailable: nothing can be stored, so nothing was done.
        """
        async with self._order.enter(message.conversation):
            receipt = await self.inbox.accept(message, "held")
            if not isinstance(receipt, Accepted):
                raise AlreadyReceived("I have already answered this message.")
            entry = Entry(receipt.id, message, held=True)
            async with self._slots, self._signals.during(message.conversation):
                answer, _ = await self._answering.finish(entry, await self._answering.answer(entry))
        return replace(answer.outcome, reply=answer.reply) if answer.outcome else TurnOutcome(answer.reply)

    def cancel(self, conversation: ConversationKey) -> bool:
        """Stop the turn that runs in this conversation, which is answered "Stopped.", or what a model adds to the last.

        Returns whether there was either.
        """
        turn = self._answering.running.get(conversation)
        told = self._narrations.stop(conversation)
        return (turn is not None and turn.cancel(BY_PERSON)) or told

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
        await end(leftover)
        if interrupted:
            with contextlib.suppress(*STORE_ERRORS, LeaseLost):  # else it looks like a crash
                async with asyncio.timeout(_CLEARING):
                    await self.inbox.reopen(interrupted)
        await self._narrations.close()
        for adapter in self._adapters.values():
            await adapter.stop()
        if not self._chores:  # a single question was asked, and nobody else may ever keep house
            with contextlib.suppress(*STORE_ERRORS):
                async with asyncio.timeout(_CLEARING):
                    await self._prune()

    async def settled(self, conversation: ConversationKey) -> None:
        """Return when all that was said in a conversation so far is answered and sent, or failed."""
        await self._order.passed(conversation)

    async def idle(self) -> None:
        """Return when everything accepted so far is answered, sent and told about."""
        while pending := self._work | self._signals.tasks | self._narrations.tasks:
            await asyncio.wait(pending)

    def _resumes(self, message: Message) -> bool:
        """Whether a message is to be answered by another process, where this one ends before it is."""
        adapter = self._adapters.get(message.source)
        return adapter is None or adapter.capabilities.resumes

    def _resume(self, waiting: Waiting) -> None:
        """See to a message that waits; to one that may have killed a process, alone."""
        self._strays.in_hand.add(waiting.id)
        lock = self._lock.exclusive if waiting.suspect else self._lock.shared
        self._spawn(self._answer_in_turn(self._order.enter(waiting.conversation), waiting.id, lock))

    def _resend(self, delivery: Delivery) -> None:
        self._strays.sending.add(delivery.id)
        self._spawn(self._send_in_turn(self._order.enter(delivery.conversation), delivery))

    async def _answer_in_turn(
        self,
        ticket: Ticket,
        inbox_id: int,
        lock: Callable[[], AbstractAsyncContextManager[None]],
        entry: Entry | None = None,
        wait: int = 0,
    ) -> None:
        """Wait until everything said before is answered and sent, then answer and send."""
        try:
            async with ticket:
                await self._answer_now(ticket, inbox_id, lock, entry, wait)
        except Exception as error:  # noqa: BLE001 - whatever it is, the row stays taken, and is found by the next look
            conversation = str(ticket.conversation)
            _log.error("turn_not_stored", conversation=conversation, inbox=inbox_id, error=outline(error))
        finally:
            self._strays.in_hand.discard(inbox_id)

    async def _answer_now(
        self,
        ticket: Ticket,
        inbox_id: int,
        lock: Callable[[], AbstractAsyncContextManager[None]],
        entry: Entry | None = None,
        wait: int = 0,
    ) -> bool:
        """Answer and send; return whether the message was there to be answered."""
        async with contextlib.AsyncExitStack() as until_sent:
            async with self._concurrency.of(ticket.conversation.person), self._slots, lock():
                await self._gate.quiet()
                entry = entry or await insist(lambda time: self.inbox.claim(inbox_id, again=time > 1), self._sleep)
                if entry is None:
                    return False
                await until_sent.enter_async_context(self._signals.during(ticket.conversation))
                verdict = turned_away(entry.message, wait)
                with span("turn", entry.message.source) as part:
                    answer = Answer(verdict) if verdict else await self._answering.answer(entry)
                    said, delivery = await self._answering.finish(entry, answer)
                    part.note("kind", said.reply.kind)
                    part.note("by", answered_by(said.outcome))
            waited = (self._now() - entry.message.received_at).total_seconds()
            began = self.metrics.seconds() - max(0.0, waited)
            self.metrics.answered(entry.message, began, said.reply, said.outcome)
            sent = delivery is not None and await self._deliver(delivery)
            told = sent and self.settings.narration and self._order.is_last(ticket)
            if told and delivery is not None and said.outcome is not None:
                self._narrations.begin(entry.message, said.outcome, delivery)
        return True

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

    async def _deliver_all(self, deliveries: Collection[Delivery]) -> None:
        for delivery in deliveries:
            await self._deliver(delivery)

    async def _until_noted(self) -> None:
        """Return once it is written down what became of all that was sent: others would send it again."""
        while self._sender.unnoted:
            await self._sleep(self.settings.watch)
            with contextlib.suppress(*STORE_ERRORS):
                await self._sender.note_left()

    async def _send_in_turn(self, ticket: Ticket, delivery: Delivery) -> None:
        try:
            async with ticket:
                await self._deliver(delivery)
        except Exception as error:  # noqa: BLE001 - whatever it is, the row still waits, and is found by the next look
            _log.error("reply_not_sent", reply=delivery.idempotency_key, error=outline(error))

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

    async def _expire(self) -> None:
        """Close what nobody answered in time, once the platforms are there."""
        await self._started.wait()
        await self._expiry.close()

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
