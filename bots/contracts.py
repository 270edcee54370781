"""What every platform adapter speaks: messages in, deliveries out.

An adapter translates and nothing else. It hands each inbound thing to ``receive`` once it knows who speaks and who
could read the answer, acknowledges to its platform when ``receive`` has returned, and sends the deliveries it is given.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote, unquote

from bots.errors import UnreadableRecord
from ledger.people import Person
from tools.calls import Call
from tools.surface import TERMINAL, Surface

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from graph.reply import Action, Audience, Reply
    from graph.steps import Step

#: The calls that presses around sharing make; the bots answer them themselves.
SHARE: Final = "share"
PUBLISH: Final = "publish"
KEEP: Final = "keep"
UNSHARE: Final = "unshare"

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
class Question:
    """A person's own words, as they wrote or picked them."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """What was picked of what a reply offers, by its number there: the meaning of an answer, changed."""

    number: str


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that the desk does, by name, with what was chosen or filled in; a button's value is ``value``."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)


Content = Question | Call | Edit | Duty
"""What a message asks. Only a question is read; a call of a tool and all else mean what they say."""


@dataclass(frozen=True, slots=True)
class Message:
    """One inbound thing, as a platform's signed event tells it.

    ``delivery_id`` is what stays the same when the platform delivers again. ``channel`` and ``ts`` name the post itself
    (a mention and its plain twin share them); ``ts`` is None for what is no post, such as a press or a slash command.
    ``audience`` is who would read an answer given here. ``about`` is the idempotency key of the reply whose button was
    pressed. ``route`` is the adapter's own note on how to answer (an interaction token, say), handed back on sending.
    A ``stop`` ends the turn that runs in its conversation, and is neither stored nor answered. ``surface`` is what the
    place of the answer lets a person do; the runner asks the adapter for it before each turn.
    """

    person: Person
    conversation: ConversationKey
    delivery_id: str
    channel: str
    ts: str | None
    audience: Audience
    received_at: datetime
    content: Content = Question()
    kind: Literal["text", "file", "command", "button", "stop"] = "text"
    attachments: tuple[Attachment, ...] = ()
    about: str | None = None
    route: str = ""
    surface: Surface = TERMINAL

    @property
    def text(self) -> str:
        """The person's own words; empty where it is no question."""
        return self.content.text if isinstance(self.content, Question) else ""

    @property
    def values(self) -> Mapping[str, Any]:
        """What the desk is given with a duty."""
        return self.content.values if isinstance(self.content, Duty) else {}

    @property
    def source(self) -> str:
        """The name of the adapter that it came through."""
        return self.conversation.platform


@dataclass(frozen=True, slots=True)
class Occasion:
    """A reason to say something that nobody asked for, by its name: ``welcome``.

    ``place`` says to whom, where and by which way, and its ``delivery_id`` what is said only once; nobody said it.
    """

    name: str
    place: Message


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
    steps: bool = True
    """Whether the steps of long work are shown, so that a next one is told of as it begins."""
    resumes: bool = True
    """Whether an answer is wanted by whoever asked even if another process gives it; at a terminal nobody waits for that."""
    max_text: int = 4000
    """The most characters that one text may have."""


EVERYTHING: Final = Capabilities(
    tables=True, charts=True, buttons=True, files=True, streaming=True, private_replies=True, idempotent=True
)


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

    Its ``id`` is that of its row, 0 where none was made of it: nobody but the process that has it in hand will send it.
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


@dataclass(frozen=True, slots=True)
class Readership:
    """Who would read what is posted in a conversation's place: its name, as its people know it, and who else.

    ``outsiders`` is whether people of other organisations read there, None where the platform does not tell.
    """

    place: str
    outsiders: bool | None = False


@dataclass(frozen=True, slots=True)
class Posted:
    """What was posted for everyone under a key: where, and the platform's ids of the posts."""

    key: str
    channel: str
    thread: str
    posts: tuple[str, ...] = ()
    team: str = ""


def pressed(action: Action) -> Content:
    """Return what pressing a button asks."""
    match action.action:
        case "ask":
            return Question(action.value)
        case "choose":
            return Edit(action.value)
    return Duty(action.action, {"value": action.value} if action.value else {})


#: The one duty that was ever named like a tool.
SAVE_SETTINGS: Final = "save-settings"


def content_of(call: Call) -> Content:
    """Return what a call is that also names duties and picks, as messages of earlier versions did."""
    if call.name == "choose":
        return Edit(str(call.arguments.get("value", "")))
    is_tool = "-" in call.name and call.name != SAVE_SETTINGS
    return call if is_tool else Duty(call.name, call.arguments)


Receive = Callable[["Message | Occasion"], Awaitable[Receipt]]


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

    async def start(self, receive: Receive | None) -> None:
        """Connect, and return once messages can come in, and with them occasions to say something unasked.

        With none to receive them it only sends, and looks up what it is asked for: another process takes in.
        Where ``receive`` raises InboxUnavailable, the message must not be acknowledged.
        """
        ...

    async def send(self, delivery: Delivery) -> None:
        """Show the reply to the asker alone; where the platform can't do that, only what may be read by all.

        Raises:
            SendFailed: it may work later.
            SendRefused: it never will.
        """
        ...

    async def admit(self, message: Message) -> None:
        """Let the message's person use the bot where they are; asked before every turn, before anything is kept of them.

        Raises:
            NotAdmitted: they may not; the sentence says why. Where it raises anything else, they are not answered either.
        """
        ...

    async def administers(self, person: Person) -> bool:
        """Return whether the platform says at this moment that the person administers their workspace.

        Raises SendFailed and SendRefused where it says neither.
        """
        ...

    async def readers(self, message: Message) -> Audience:
        """Return who would read an answer to the message, asking the platform where only it can tell.

        It is asked before every turn. Where it raises, nothing that is personal is said.
        """
        ...

    async def surface(self, message: Message) -> Surface:
        """Return what the place of an answer lets a person do; never raises."""
        ...

    async def readership(self, message: Message) -> Readership:
        """Return who would read what the message's person posts where they are.

        Raises:
            SendFailed: the platform can't be asked now.
            SendRefused: nothing can be posted there that could be taken back; the sentence says why.
        """
        ...

    async def publish(self, delivery: Delivery) -> Posted:
        """Post a reply for everyone in its conversation's place, once under its key, with the name of who shares it.

        Raises:
            SendFailed: it may work later; ``again`` then says that it may stand there.
            PublicationUnclear: it may stand there, and nobody can tell.
            SendRefused: it never will, and nothing of it stands there; the sentence says why.
        """
        ...

    async def retract(self, posted: Posted) -> bool:
        """Delete posts of ours; False where they were gone already.

        Raises:
            SendFailed: it may work later.
            SendRefused: it never will; the sentence says why.
        """
        ...

    async def retire(self, delivery: Delivery) -> None:
        """Take the buttons for yes and no off the replies that a delivery settles, and say nothing else.

        What its asker alone sees may be out of reach by then. Raises SendFailed where it may work later, and SendRefused.
        """
        ...

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Write sentences below a reply that was sent, as they come; called only where it says it can stream.

        They say nothing that the reply does not, so whatever goes wrong ends them and costs nothing else.
        """
        ...

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show that an answer is being worked on, or no longer; repeated every few seconds while it lasts.

        Where the work is told in steps, the last of them is the one that it is at.
        """
        ...

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes; raises AttachmentUnavailable."""
        ...

    async def connected(self) -> bool:
        """Whether messages can come in at this moment; never raises, and asks nobody."""
        ...

    async def lost(self) -> str:
        """Return, once the platform no longer lets us in whatever is tried, its own word for why."""
        ...

    async def stop(self) -> None:
        """Take nothing more in, and disconnect; safe to call twice."""
        ...
