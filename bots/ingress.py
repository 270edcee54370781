"""Taking in, where several processes share the work: what comes is stored with its job, and acknowledged; workers answer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import structlog

from bots.choosing import conversation_to_stop, is_stop
from bots.contracts import Accepted, Duplicate, Occasion
from bots.ending import end
from bots.errors import outline
from bots.fixed_replies import STOPPED
from bots.inbox import Entry, Inbox
from bots.jobs import Jobs
from bots.metrics import Metrics
from bots.rate_limiting import FULL, RateLimiter
from bots.sending import STORE_ERRORS, insist

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bots.contracts import Adapter, ConversationKey, Message, Receipt
    from bots.lease import Lease
    from bots.runner_settings import RunnerSettings
    from ledger.store import Store

_log = structlog.get_logger(__name__)

#: Seconds between two looks how many messages wait.
_COUNTED = 1.0


class Ingress:
    """Stores what the adapters bring in, for workers that answer it.

    How fast a person may ask is counted here, so that several of these let as many through each.
    """

    def __init__(  # noqa: PLR0913 - the parts that are wired together
        self,
        store: Store,
        adapters: Sequence[Adapter],
        settings: RunnerSettings,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wire the parts; nothing comes in before ``start``."""
        self.inbox = Inbox(store, now)
        self.inbox.jobs = self._jobs = Jobs(store)
        self.metrics = Metrics(seconds, now)
        self._adapters = adapters
        self._settings = settings
        self._rate = RateLimiter(settings.questions_per_minute, seconds)
        self._sleep = sleep
        self._waiting = 0
        self._counting: asyncio.Task[None] | None = None

    async def start(self, lease: Lease | None = None) -> None:
        """Let every adapter connect, once what waits without a job has one: it came before."""
        del lease  # to take in needs no leave: whoever serves this database answers it
        sources = [adapter.name for adapter in self._adapters]
        await insist(lambda _: self._jobs.adopt(sources), self._sleep)
        self._counting = asyncio.create_task(self._count())
        for adapter in self._adapters:
            await adapter.start(self.receive)

    async def receive(self, message: Message | Occasion) -> Receipt:
        """Store a message for a worker; returns as soon as it is safe to acknowledge.

        Raises:
            InboxUnavailable: it is not stored and must not be acknowledged.
        """
        if isinstance(message, Occasion):
            await self._jobs.notice(message)
            return Duplicate()
        if message.kind == "stop":
            if not await self._jobs.stop(message.conversation):
                await self._stop(message, message.conversation)  # a model may be adding to the last answer
            return Duplicate()
        stopped = await self._stopped_by(message)
        if stopped is not None:
            return await self._stop(message, stopped)
        began = self.metrics.seconds()
        receipt = await self.inbox.accept(message, wait=lambda: self._wait(message))
        if isinstance(receipt, Accepted):
            self.metrics.acknowledged(message.source, began)
        return receipt

    async def drain(self, seconds: float) -> None:
        """Disconnect; what was accepted is the workers'."""
        del seconds
        if self._counting is not None:
            await end([self._counting])
        for adapter in self._adapters:
            await adapter.stop()

    def _wait(self, message: Message) -> int:
        return FULL if self._waiting >= self._settings.backlog else self._rate.wait(message.person)

    async def _count(self) -> None:
        while True:
            with contextlib.suppress(*STORE_ERRORS):
                self._waiting = await self._jobs.backlog()
            await self._sleep(_COUNTED)

    async def _stopped_by(self, message: Message) -> ConversationKey | None:
        """Return what the word "stop" ends; where nobody can tell, it is a word like any other."""
        if not is_stop(message):
            return None
        try:
            return conversation_to_stop(message, await self._jobs.running(message.source))
        except STORE_ERRORS as error:
            _log.warning("running_unknown", error=outline(error))
            return None

    async def _stop(self, message: Message, conversation: ConversationKey) -> Receipt:
        """End what goes on; the word is stored as done, so that it ends nothing else when it is delivered again."""
        receipt = await self.inbox.accept(message, "held")
        if isinstance(receipt, Accepted):
            await self._jobs.stop(conversation)
            await self.inbox.decline(Entry(receipt.id, message, held=True), STOPPED)
        return receipt
