"""A platform in memory: people, direct messages, channels and threads, with everything that goes wrong on real ones.

It behaves like a strict chat service: it tells the person from its own records, delivers again what was not
acknowledged, shows private replies to the asker alone, and shows one reply per idempotency key.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bots.audience import Place, audience_of
from bots.contracts import (
    EVERYTHING,
    Attachment,
    Capabilities,
    ConversationKey,
    Message,
    Occasion,
    Posted,
    Question,
    Readership,
    content_of,
    pressed,
)
from bots.errors import (
    NOBODY_ELSE,
    AttachmentUnavailable,
    BotError,
    InboxUnavailable,
    NotAdmitted,
    SendFailed,
    SendRefused,
)
from bots.fallback import degrade
from bots.loss import Loss
from graph.reply import Audience, Reply, Settled
from ledger.people import Person
from tools.calls import Call
from tools.surface import AMONG_OTHERS, DIRECT, Surface

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable, Sequence

    from bots.contracts import Content, Delivery, Progress, Receipt, Receive
    from graph.steps import Step


@dataclass(frozen=True, slots=True)
class Post:
    """A reply as it stands in a channel or direct message; ``only_for`` is its one reader, None for everyone there."""

    id: int
    conversation: ConversationKey
    reply: Reply
    only_for: Person | None
    key: str

    @property
    def text(self) -> str:
        """All that a reader without rich display sees."""
        return self.reply.plain()


@dataclass(slots=True)
class Faults:
    """What goes wrong from now on; the counts run down to zero."""

    failing_sends: int = 0
    """So many sends fail, and nothing is shown."""
    unclear_sends: int = 0
    """So many sends show the reply and fail nevertheless."""
    refuse_sends: bool = False
    refuse_retracts: bool = False
    failing_retracts: int = 0
    """So many deletions fail, and nothing is deleted."""
    failing_progress: bool = False
    deliver_twice: bool = False
    """Each message comes twice at once."""
    retry_after: float | None = None
    gate: asyncio.Event | None = None
    """Sends wait until this is set."""


@dataclass(slots=True)
class _Channel:
    place: Place
    members: set[Person] = field(default_factory=set)
    outsiders: bool | None = False


class MemoryPlatform:
    """The in-memory adapter, and the controls of the people on it."""

    def __init__(
        self,
        name: str = "memory",
        capabilities: Capabilities = EVERYTHING,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Make an empty platform."""
        self.name = name
        self.capabilities = capabilities
        self.faults = Faults()
        self.loss = Loss()
        self.posts: list[Post] = []
        self.told: dict[str, list[str]] = {}
        """What a model added to a reply, by its key."""
        self.progress_shown: list[tuple[ConversationKey, Progress]] = []
        self.steps_shown: list[tuple[Step, ...]] = []
        self.unacknowledged: list[Message] = []
        self.last: Message | None = None
        self.retired: list[Settled] = []
        """What lost its buttons without an answer."""
        self.strangers: set[Person] = set()
        """Who may not use the bot."""
        self.administrators: set[Person] = set()
        self._now = now
        self._receive: Receive | None = None
        self._channels: dict[str, _Channel] = {}
        self._files: dict[str, bytes] = {}
        self._numbers = itertools.count(1)

    # The adapter.

    async def start(self, receive: Receive | None) -> None:
        """Connect, and deliver again what no earlier connection acknowledged."""
        if receive is None:
            return
        self._receive = receive
        waiting, self.unacknowledged = self.unacknowledged, []
        for message in waiting:
            await self.deliver(message)

    async def send(self, delivery: Delivery) -> None:
        """Show a reply, once per idempotency key where the platform keeps to them."""
        await self._show(delivery)

    async def surface(self, message: Message) -> Surface:
        """Files can be dropped in direct messages."""
        return AMONG_OTHERS if message.conversation.channel in self._channels else DIRECT

    async def readership(self, message: Message) -> Readership:
        """Return a channel's name, and whether people of elsewhere are in it."""
        channel = self._channels.get(message.conversation.channel)
        if channel is None:
            raise SendRefused(NOBODY_ELSE)
        return Readership(f"#{message.conversation.channel}", channel.outsiders)

    async def publish(self, delivery: Delivery) -> Posted:
        """Post for everyone in the channel, once under the key."""
        conversation, key = delivery.conversation, delivery.idempotency_key
        if conversation.channel not in self._channels:
            raise SendRefused(NOBODY_ELSE)
        await self._show(delivery, everyone=True)
        posts = tuple(str(post.id) for post in self.posts if post.key == key)
        return Posted(key, conversation.channel, conversation.thread, posts)

    async def retract(self, posted: Posted) -> bool:
        """Delete posts."""
        if self.faults.refuse_retracts or posted.channel not in self._channels:
            raise SendRefused("That channel is no longer there.")
        if self.faults.failing_retracts:
            self.faults.failing_retracts -= 1
            raise SendFailed("The platform is busy.", self.faults.retry_after)
        left = [post for post in self.posts if str(post.id) not in posted.posts]
        deleted, self.posts = len(left) < len(self.posts), left
        return deleted

    async def _show(self, delivery: Delivery, *, everyone: bool = False) -> None:
        if self.faults.gate is not None:
            await self.faults.gate.wait()
        if self.faults.refuse_sends:
            raise SendRefused("This conversation is closed.")
        if self.faults.failing_sends:
            self.faults.failing_sends -= 1
            raise SendFailed("The platform is busy.", self.faults.retry_after)
        known = self.capabilities.idempotent and any(post.key == delivery.idempotency_key for post in self.posts)
        if not known:
            self.posts.append(self._post(delivery, everyone=everyone))
        if self.faults.unclear_sends:
            self.faults.unclear_sends -= 1
            raise SendFailed("The connection broke.", self.faults.retry_after)

    async def retire(self, delivery: Delivery) -> None:
        """Note what lost its buttons."""
        if self.faults.failing_sends > 0:
            self.faults.failing_sends -= 1
            raise SendFailed("The platform is busy.")
        self.retired += delivery.reply.settles

    async def admit(self, message: Message) -> None:
        """Turn :attr:`strangers` away."""
        if message.person in self.strangers:
            raise NotAdmitted("I answer only the people of this platform.")

    async def administers(self, person: Person) -> bool:
        """Return whether they are one of :attr:`administrators`."""
        return person in self.administrators

    async def readers(self, message: Message) -> Audience:
        """Return who reads along, which is known from the place alone."""
        return message.audience

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Write sentences below a reply as they come."""
        told = self.told.setdefault(delivery.idempotency_key, [])
        async for sentence in sentences:
            told.append(sentence)

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Note what the person would see."""
        if self.faults.failing_progress:
            raise SendFailed("The platform is busy.")
        self.progress_shown.append((conversation, state))
        self.steps_shown += [tuple(steps)] if steps else []

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes."""
        try:
            return self._files[attachment.reference]
        except KeyError as error:
            raise AttachmentUnavailable("I can't get at that file any more. Please send it again.") from error

    async def connected(self) -> bool:
        """Whether :meth:`start` was called, and not :meth:`stop`."""
        return self._receive is not None

    async def lost(self) -> str:
        """Return when :attr:`loss` was told."""
        return await self.loss.told()

    async def stop(self) -> None:
        """Disconnect; what is said from now on waits for the next connection."""
        self._receive = None

    # The people on it.

    def person(self, user: str, team: str = "home") -> Person:
        """Return a person of this platform."""
        return Person(self.name, team, user)

    def open_channel(
        self, name: str, *members: Person, place: Place = Place.CHANNEL, outsiders: bool | None = False
    ) -> str:
        """Make a channel that its members can read; ``outsiders``: some of them are of elsewhere, None if nobody can tell."""
        self._channels[name] = _Channel(place, set(members), outsiders)
        return name

    async def say(
        self,
        person: Person,
        text: str,
        *,
        channel: str | None = None,
        thread: str = "",
        call: Content | None = None,
    ) -> Receipt | None:
        """Say something, in a direct message or in a channel; with ``call``, by a command."""
        number = next(self._numbers)
        asked = content_of(call) if isinstance(call, Call) else call
        message = replace(
            self._message(person, channel, thread),
            ts=str(number) if asked is None else None,
            content=asked or Question(text),
            kind="text" if asked is None else "command",
        )
        return await self.deliver(message)

    async def drop(self, person: Person, name: str, data: bytes, *, channel: str | None = None) -> Receipt | None:
        """Drop a file."""
        reference = f"file-{next(self._numbers)}"
        self._files[reference] = data
        attachment = Attachment(name, len(data), "application/octet-stream", reference)
        message = self._message(person, channel, "")
        return await self.deliver(replace(message, ts=reference, kind="file", attachments=(attachment,)))

    async def occur(self, person: Person, name: str) -> None:
        """Give the program a reason to say something unasked in a direct message."""
        if self._receive is not None:
            await self._receive(
                Occasion(name, replace(self._message(person, None, ""), delivery_id=f"{name}-{person.user}"))
            )

    async def press(self, person: Person, post: Post, label: str) -> Receipt | None:
        """Press a button of a post; raises ValueError where the person sees no such button."""
        action = next((action for row in post.reply.rows() for action in row if action.label == label), None)
        if action is None or post not in self.visible_to(person):
            raise ValueError(label)
        place = post.conversation
        channel = place.channel if place.channel in self._channels else None
        message = self._message(person, channel, place.thread)
        return await self.deliver(replace(message, kind="button", content=pressed(action), about=post.key))

    async def deliver(self, message: Message) -> Receipt | None:
        """Deliver a message as it is; None if it was not acknowledged, and so comes again on the next connection."""
        self.last = message
        if self._receive is None:
            self.unacknowledged.append(message)
            return None
        try:
            receipt = await self._receive(message)
            if self.faults.deliver_twice:
                await self._receive(message)
        except InboxUnavailable:
            self.unacknowledged.append(message)
            return None
        return receipt

    async def redeliver(self) -> Receipt | None:
        """Deliver the latest message again, as platforms do that missed an acknowledgement."""
        if self.last is None:
            raise BotError("Nothing was said yet.")
        return await self.deliver(self.last)

    async def deliver_twin(self) -> Receipt | None:
        """Deliver the latest post as a second event with its own id, as a mention comes with its plain message."""
        if self.last is None:
            raise BotError("Nothing was said yet.")
        return await self.deliver(replace(self.last, delivery_id=f"event-{next(self._numbers)}"))

    def visible_to(self, person: Person) -> tuple[Post, ...]:
        """Return every post that the person can read, the oldest first."""
        return tuple(post for post in self.posts if person in self._readers(post))

    def conversation(self, person: Person, channel: str | None = None, thread: str = "") -> ConversationKey:
        """Return the person's conversation in a channel, or in their direct messages."""
        return ConversationKey(self.name, person.team, channel or f"dm-{person.user}", thread, person)

    def _message(self, person: Person, channel: str | None, thread: str) -> Message:
        known = None if channel is None else self._channels.setdefault(channel, _Channel(Place.CHANNEL))
        if known is not None:
            known.members.add(person)
        place = Place.DIRECT if known is None else known.place
        conversation = self.conversation(person, channel, thread)
        return Message(
            person=person,
            conversation=conversation,
            delivery_id=f"event-{next(self._numbers)}",
            channel=conversation.channel,
            ts=None,
            audience=audience_of(place, private_replies=self.capabilities.private_replies),
            received_at=self._now(),
        )

    def _post(self, delivery: Delivery, *, everyone: bool) -> Post:
        private = not everyone and (delivery.reply.audience is Audience.PRIVATE or self.capabilities.private_replies)
        in_channel = delivery.conversation.channel in self._channels
        if private and in_channel and not self.capabilities.private_replies:
            raise SendRefused("A private reply can't be shown here.")
        only_for = delivery.conversation.person if private else None
        reply = degrade(delivery.reply, self.capabilities)
        return Post(next(self._numbers), delivery.conversation, reply, only_for, delivery.idempotency_key)

    def _readers(self, post: Post) -> set[Person]:
        if post.only_for is not None:
            return {post.only_for}
        channel = self._channels.get(post.conversation.channel)
        return channel.members if channel else {post.conversation.person}
