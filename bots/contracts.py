"""What every platform adapter speaks: messages in, deliveries out.

An adapter translates and nothing else. It hands each inbound thing to ``receive`` once it knows who speaks and who
could read the answer, acknowledges to its platform when ``receive`` has returned, and sends the deliveries it is given.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import quote, unquote

from bots.errors import UnreadableRecord
from ledger.people import Person
from tools.calls import Call

if TYPE_CHECKING:
    from datetime import datetime

    from graph.reply import Action, Audience, Reply

#: The call that a press of "Share" makes; the bots answer it themselves.
SHARE = "share"

Progress = Literal["working", "idle"]


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """One person's side of one thread: two people in one thread have two histories.

    ``team`` is the workspace or server, empty where a platform has none; ``thread`` is empty outside threads.
    """

    platform: str
    team: str
    channel: str
    thread: str
    person: Person

    def __str__(self) -> str:
        who = self.person
        parts = (self.platform, self.team, self.channel, self.thread, who.platform, who.team, who.user)
        return "/".join(quote(part, safe="", errors="surrogatepass") for part in parts)

    @classmethod
    def parse(cls, text: str) -> ConversationKey:
        """Read the string form back; raises UnreadableRecord for any other text."""
        try:
            platform, team, channel, thread, *person = (
                unquote(part, errors="surrogatepass") for part in text.split("/")
            )
            return cls(platform, team, channel, thread, Person(*person))
        except (ValueError, TypeError) as error:
            raise UnreadableRecord("This is no conversation that I know.") from error


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message: its bytes, or the reference by which its adapter can fetch them."""

    name: str
    size: int
    media_type: str
    reference: str = ""
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One inbound thing, as a platform's signed event tells it.

    ``delivery_id`` is what stays the same when the platform delivers again. ``channel`` and ``ts`` name the post itself
    (a mention and its plain twin share them); ``ts`` is None for what is no post, such as a press or a slash command.
    ``audience`` is who would read an answer given here. ``about`` is the idempotency key of the reply whose button was
    pressed. ``route`` is the adapter's own note on how to answer (an interaction token, say), handed back on sending.
    A ``stop`` ends the turn that runs in its conversation, and is neither stored nor answered.
    """

    person: Person
    conversation: ConversationKey
    delivery_id: str
    channel: str
    ts: str | None
    audience: Audience
    received_at: datetime
    text: str = ""
    kind: Literal["text", "file", "command", "button", "stop"] = "text"
    call: Call | None = None
    attachments: tuple[Attachment, ...] = ()
    about: str | None = None
    route: str = ""

    @property
    def source(self) -> str:
        """The name of the adapter that it came through."""
        return self.conversation.platform


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a platform can show and do; what it can't is said in text."""

    tables: bool = False
    charts: bool = False
    buttons: bool = False
    files: bool = False
    streaming: bool = False
    private_replies: bool = False
    """Whether a reply in a channel can be shown to the asker alone."""
    idempotent: bool = False
    """Whether sending twice under one key shows one reply; what only its asker sees may be excepted across a crash."""
    max_text: int = 4000
    """The most characters that one text may have."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The message is stored under this id and will be answered."""

    id: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The message was stored before; there is nothing to do but acknowledge it."""


Receipt = Accepted | Duplicate


@dataclass(frozen=True, slots=True)
class Delivery:
    """A reply on its way out; one ``idempotency_key`` (24 characters) is one reply, however often it is sent.

    ``again`` says that it was sent before, and that nobody knows whether it arrived. ``answers`` is the ``delivery_id`` of
    the message that it answers.
    """

    id: int
    conversation: ConversationKey
    reply: Reply
    idempotency_key: str
    route: str = ""
    again: bool = False
    answers: str = ""

    @property
    def source(self) -> str:
        """The name of the adapter that must send it."""
        return self.conversation.platform


def pressed(action: Action) -> tuple[str, Call | None]:
    """Return what pressing a button says: the text of the question it asks, or the call that it names."""
    if action.action == "ask":
        return action.value, None
    return "", Call(action.action, {"value": action.value} if action.value else {})


Receive = Callable[[Message], Awaitable[Receipt]]


class Adapter(Protocol):
    """One platform."""

    @property
    def name(self) -> str:
        """The platform's word in conversation keys."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can show and do."""
        ...

    async def start(self, receive: Receive) -> None:
        """Connect, and return once messages can come in.

        Where ``receive`` raises InboxUnavailable, the message must not be acknowledged.
        """
        ...

    async def send(self, delivery: Delivery) -> None:
        """Show the reply to the reader that ``reply.audience`` names: the asker alone, or everyone there.

        Raises:
            SendFailed: it may work later.
            SendRefused: it never will.
        """
        ...

    async def readers(self, message: Message) -> Audience:
        """Return who would read an answer to the message, asking the platform where only it can tell.

        It is asked before every turn. Where it raises, nothing that is personal is said.
        """
        ...

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Write sentences below a reply that was sent, as they come; called only where it says it can stream.

        They say nothing that the reply does not, so whatever goes wrong ends them and costs nothing else.
        """
        ...

    async def progress(self, conversation: ConversationKey, state: Progress) -> None:
        """Show that an answer is being worked on, or no longer; repeated every few seconds while it lasts."""
        ...

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes; raises AttachmentUnavailable."""
        ...

    async def stop(self) -> None:
        """Take nothing more in, and disconnect; safe to call twice."""
        ...
