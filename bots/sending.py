"""Replies on their way out: tried again with patience, in order, and put aside when the platform does not take them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bots.errors import SendFailed, SendRefused, outline

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bots.contracts import Adapter, Delivery
    from bots.inbox import Inbox
    from bots.lease import Fence

T = TypeVar("T")

_log = structlog.get_logger(__name__)

#: What a store raises when it is locked, full or away.
STORE_ERRORS = (SQLAlchemyError, OSError)


#: A platform that wants a longer pause is asked again after this one, as often as patience lasts.
_LONGEST_ASKED = 300.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often something is tried, and how long to wait in between (doubling, in seconds)."""

    attempts: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait(self, attempt: int) -> float:
        """Return the seconds to wait after this attempt, the first being 1."""
        return min(self.first_wait * 2.0 ** min(attempt - 1, 30), self.longest_wait)


async def insist(
    work: Callable[[int], Awaitable[T]],
    sleep: Callable[[float], Awaitable[None]],
    passing: Callable[[Exception], bool] = lambda _: True,
    tries: int = 4,
) -> T:
    """Do what needs the store, with a few waits while it is locked or away; raises its last error.

    The work is told which attempt it is, the first being 1: whoever comes again does not know what arrived before.
    """
    for attempt in range(1, tries):
        try:
            return await work(attempt)
        except STORE_ERRORS as error:
            if not passing(error):
                raise
            _log.warning("store_not_reached", attempt=attempt, error=type(error).__name__)
            await sleep(Patience().wait(attempt))
    return await work(tries)


class Sender:
    """Sends each delivery until the platform has taken it.

    Between the platform's yes and our note of it there is a window: a crash there sends the reply again, under the same
    idempotency key. A platform that knows such keys shows it once; on any other it may appear twice, never not at all.
    """

    def __init__(
        self,
        inbox: Inbox,
        adapters: Mapping[str, Adapter],
        patience: Patience,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """Send through these adapters, by name."""
        self.lease: Fence | None = None
        """Without which nothing is sent, once this process serves the platforms."""
        self.unnoted: dict[int, Callable[[], Awaitable[None]]] = {}
        """What became of replies, by id, where the store could not be told."""
        self._inbox = inbox
        self._adapters = adapters
        self._patience = patience
        self._sleep = sleep

    async def deliver(self, delivery: Delivery) -> bool:
        """Send a reply and note what became of it, or park it; returns when that is done, and whether it was sent.

        Raises:
            LeaseLost: sending is another process's business now.
        """
        log = _log.bind(conversation=str(delivery.conversation), reply=delivery.idempotency_key)
        adapter = self._adapters.get(delivery.source)
        attempt = 0
        while adapter is not None and attempt < self._patience.attempts:
            attempt += 1
            if self.lease is not None:
                await insist(self._confirm, self._sleep)
            try:
                await adapter.send(delivery)
            except Exception as error:  # noqa: BLE001 - an adapter's defect must not cost the reply
                if isinstance(error, SendRefused) and not error.about_us:
                    log.warning("reply_refused")
                    await self._note(delivery, partial(self._inbox.refused, delivery))
                    return False
                wait = _asked_wait(error) or self._patience.wait(attempt)
                log.warning("reply_not_sent", attempt=attempt, error=outline(error))
                delivery = replace(delivery, again=True)
                if attempt < self._patience.attempts:
                    await self._sleep(wait)
            else:
                await self._note(delivery, partial(self._inbox.sent, delivery))
                return True
        log.error("reply_parked", attempts=attempt)
        await self._note(delivery, partial(self._inbox.park, delivery, attempt))
        return False

    async def note_left(self) -> None:
        """Note what could not be noted before."""
        for delivery, write in list(self.unnoted.items()):
            await write()
            del self.unnoted[delivery]

    async def _confirm(self, _: int) -> None:
        if self.lease is not None:
            await self.lease.confirm()

    async def _note(self, delivery: Delivery, write: Callable[[], Awaitable[None]]) -> None:
        """Write what became of a reply; what the store can't take now is kept, and a restart sends it again under its key."""
        if not delivery.id:
            return
        try:
            await insist(lambda _: write(), self._sleep)
        except STORE_ERRORS as error:
            self.unnoted[delivery.id] = write
            _log.error("reply_not_noted", reply=delivery.idempotency_key, error=outline(error))


def _asked_wait(error: Exception) -> float | None:
    """Return the seconds that a platform asks for, within reason: others wait in the queue behind."""
    return min(error.retry_after, _LONGEST_ASKED) if isinstance(error, SendFailed) and error.retry_after else None
