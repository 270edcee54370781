"""Replies on their way to a platform where they are posted: by the best way that is open, each part once, and taken back.

What the platforms' senders share. Each says for itself by which ways a reply may go, where one leads, and how a part looks.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import structlog

from bots.contracts import Posted
from bots.errors import PublicationUnclear, SendFailed, SendRefused, outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bots.contracts import Delivery
    from graph.reply import Settled

_log = structlog.get_logger(__name__)

_MOST_REMEMBERED = 2000

W = TypeVar("W", bound=str)


@dataclass(slots=True)
class Standing:
    """What is known of a reply: what of it stands there, and whether there may be more than we know."""

    parts: dict[str, str] = field(default_factory=dict)
    """The ids of posts by the number of the part, an empty one where nobody noted it or it is a file, by its name."""
    unclear: bool = False
    shown: Any = None
    """Its last message, where that can be changed."""

    @contextlib.contextmanager
    def doubted(self) -> Iterator[None]:
        """Note that a call which ended without an answer leaves a doubt."""
        try:
            yield
        except BaseException as error:
            self.unclear |= not isinstance(error, SendRefused) and getattr(error, "unclear", True)
            raise


class Posting(ABC, Generic[W]):
    """Sends replies through one platform, and remembers what it sent; its way "here" is to everyone in a conversation's place."""

    unposted: ClassVar[Mapping[str | int, str]]
    """What is said where nothing could be posted, by the platform's code, and under "" for every other one."""
    undeleted: ClassVar[Mapping[str | int, str]]
    """The same where a post could not be deleted."""
    gone: ClassVar[str | int]
    """The code of a post that is no longer there."""

    def __init__(self) -> None:
        """Nothing was sent yet."""
        self._sent: OrderedDict[str, Standing] = OrderedDict()

    async def retire(self, delivery: Delivery) -> None:
        """Take the buttons for yes and no off the replies that this one settles; raises SendFailed and SendRefused."""
        for settled in delivery.reply.settles:
            await self._settle_one(delivery, settled)

    async def publish(self, delivery: Delivery) -> Posted:
        """Post for everyone, and return where; nothing of it stands there when this raises SendRefused.

        Raises:
            SendFailed: it may work later; what was posted by then is not posted again.
            PublicationUnclear: it may stand there, and we may not look.
            SendRefused: it never will.
        """
        sent = self._known(delivery)
        try:
            await self._go("here", delivery, sent)
        except PublicationUnclear:
            raise
        except SendRefused as error:
            with contextlib.suppress(SendFailed, SendRefused):
                await self.retract(_posted(delivery, sent))
            self._sent.pop(delivery.idempotency_key, None)
            error.message = self.unposted.get(error.code, self.unposted[""])
            raise
        return _posted(delivery, sent)

    async def retract(self, posted: Posted) -> bool:
        """Delete posts of ours; raises SendFailed and SendRefused."""
        deleted = False
        for post in posted.posts:
            try:
                await self._delete(posted.channel, post)
                deleted = True
            except SendRefused as error:
                if error.code != self.gone:
                    error.message = self.undeleted.get(error.code, self.undeleted[""])
                    raise
        return deleted

    @abstractmethod
    async def _go(self, way: W | Literal["here"], delivery: Delivery, sent: Standing) -> None:
        """Send by one way what does not stand there."""

    @abstractmethod
    def _leads_on(self, way: W, error: SendRefused) -> bool:
        """Whether the next way is tried where one is refused."""

    @abstractmethod
    async def _settle_one(self, delivery: Delivery, settled: Settled) -> None:
        """Take the buttons for yes and no off a reply; raises SendFailed and SendRefused."""

    @abstractmethod
    async def _delete(self, channel: str, post: str) -> None:
        """Delete a post; raises SendFailed and SendRefused."""

    async def _by_one_of(self, ways: Sequence[W], delivery: Delivery, sent: Standing) -> W:
        """Send by the best way that the platform takes, and return it."""
        *others, last = ways
        for way in others:
            try:
                await self._go(way, delivery, sent)
            except SendRefused as error:
                if not self._leads_on(way, error):
                    raise
                _log.info("way_closed", reply=delivery.idempotency_key, way=way, code=error.code)
            else:
                return way
        await self._go(last, delivery, sent)
        return last

    async def _settle(self, delivery: Delivery) -> None:
        """Take the buttons off what a reply settles; where the platform refuses, it costs nothing."""
        for settled in delivery.reply.settles:
            try:
                await self._settle_one(delivery, settled)
            except (SendFailed, SendRefused) as error:
                _log.info("buttons_left", reply=settled.key, error=outline(error))

    def _known(self, delivery: Delivery) -> Standing:
        """Return what is known of a reply; the oldest are forgotten."""
        key = delivery.idempotency_key
        sent = self._sent[key] = self._sent.pop(key, Standing())
        sent.unclear |= delivery.again
        while len(self._sent) > _MOST_REMEMBERED:
            self._sent.popitem(last=False)
        return sent


class Publishing:
    """What an adapter does through its sender."""

    _sender: Any

    async def publish(self, delivery: Delivery) -> Posted:
        """Post for everyone in a channel; raises SendFailed and SendRefused."""
        posted: Posted = await self._sender.publish(delivery)
        return posted

    async def retract(self, posted: Posted) -> bool:
        """Delete posts of ours; raises SendFailed and SendRefused."""
        deleted: bool = await self._sender.retract(posted)
        return deleted

    async def retire(self, delivery: Delivery) -> None:
        """Take the buttons off what a delivery settles; raises SendFailed and SendRefused."""
        await self._sender.retire(delivery)


def _posted(delivery: Delivery, sent: Standing) -> Posted:
    where, posts = delivery.conversation, tuple(filter(None, sent.parts.values()))
    return Posted(delivery.idempotency_key, where.channel, where.thread, posts, where.team)
