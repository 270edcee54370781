"""The adapter of a terminal: what its one person says goes in, and what is said to them is printed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from bots.console.lines import said_here
from bots.contracts import Capabilities, Question, pressed
from bots.errors import NOBODY_ELSE, SendRefused
from bots.local_files import fetch_file
from bots.progressing import told_step
from bots.terminal import say, show_reply
from graph.reply import choosing
from language.catalogue import language_of, translated
from tools.surface import TERMINAL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from rich.console import Console
    from rich.status import Status

    from bots.console.lines import Lines
    from bots.contracts import (
        Attachment,
        Content,
        ConversationKey,
        Delivery,
        Message,
        Posted,
        Progress,
        Readership,
        Receive,
    )
    from bots.desk.desk import Desk
    from graph.reply import Action, Audience, Reply
    from graph.steps import Step
    from ledger.people import Person
    from tools.surface import Surface

#: Buttons that are pressed by their numbers: what answers a question, and what is likely to be asked next. Yes and no are typed.
_ANSWERS, _NEXT = ("dates", "direction", "file currency", "person", "forget"), ("choose", "ask")


class ConsolePlatform:
    """A terminal or pipe, and who is at it; nothing is received before :meth:`start`."""

    capabilities = Capabilities(tables=True, charts=True, streaming=True, idempotent=True, resumes=False)

    def __init__(self, person: Person, thread: str, desk: Desk, console: Console, lines: Lines) -> None:
        """Print to this console, beside the lines that the person types."""
        self.name = person.platform
        self.locale = desk.default_locale
        self.language = language_of(self.locale)
        """What was talked in last; before that, the language of the person's locale."""
        self.last: Delivery | None = None
        """What was shown last."""
        self.offered: tuple[Action, ...] = ()
        """The buttons of that, in the order of their numbers."""
        self.muted = False
        """Whether what is said is kept in :attr:`last` alone."""
        self._person, self._thread = person, thread
        self._desk = desk
        self._console = console
        self._lines = lines
        self._receive: Receive | None = None
        self._shown: set[str] = set()
        self._working: Status | None = None

    @property
    def conversation(self) -> ConversationKey:
        """What is talked about here."""
        return self.message(Question()).conversation

    def message(self, content: Content, attachments: tuple[Attachment, ...] = ()) -> Message:
        """Return what the person asks, or brings, as a message."""
        asked = said_here(self._person, self._thread, content, self._desk.now())
        return replace(asked, kind="file", attachments=attachments) if attachments else asked

    def press(self, action: Action) -> Message:
        """Return the press of a button of what was shown last as a message."""
        about = self.last.idempotency_key if self.last else None
        return replace(self.message(pressed(action)), kind="button", about=about)

    def picked(self, line: str) -> Action | None:
        """Return the button of what was shown last that a line numbers."""
        number = line.strip(" .)")
        place = int(number) if number.isascii() and number.isdigit() and len(number) < len("100") else 0
        return self.offered[place - 1] if 0 < place <= len(self.offered) else None

    async def hear(self, message: Message) -> None:
        """Hand a message over; it is answered by :meth:`send`."""
        if self._receive is not None:
            await self._receive(message)

    async def start(self, receive: Receive | None) -> None:
        """Let messages come in."""
        self._receive = receive

    async def send(self, delivery: Delivery) -> None:
        """Print a reply to whoever is here, with the numbers of what can be picked."""
        if delivery.conversation.person != self._person:
            raise SendRefused(NOBODY_ELSE)
        if delivery.idempotency_key in self._shown:
            return
        await self.progress(delivery.conversation, "idle")
        self.locale, self.language = await self._desk.locale(self._person), delivery.reply.language
        self.last, self.offered = delivery, offered(delivery.reply)
        if not self.muted:
            self.show(delivery.reply)
        self._shown.add(delivery.idempotency_key)

    def show(self, reply: Reply) -> None:
        """Print a reply, and what can be asked or answered by a number."""
        show_reply(reply, self._console, self.locale, [action.label for action in self.offered])

    def say(self, text: str, style: str = "") -> None:
        """Print a line or paragraph, a message of ours in the language of the conversation."""
        say(self._console, text, style, self.language)

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Print a model's sentences, once all of them are there."""
        del delivery
        told = [sentence async for sentence in sentences]
        if told:
            self._lines.interject(lambda: say(self._console, f"{' '.join(told)}\n", "italic"))

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show at a terminal that an answer is being worked on."""
        del conversation
        if state == "working" and self._lines.interactive:
            shown = told_step(steps[-1], self.language) if steps else translated("Working…", self.language)
            if self._working is None:
                self._working = self._console.status("")
                self._working.start()
            self._working.update(Text(shown))
        elif state == "idle" and self._working is not None:
            self._working.stop()
            self._working = None

    async def fetch(self, attachment: Attachment) -> bytes:
        """Read a file of this machine."""
        return await asyncio.to_thread(fetch_file, attachment)

    async def admit(self, message: Message) -> None:
        """Whoever is at the machine may use it."""

    async def administers(self, person: Person) -> bool:
        """Return that there is no workspace; whoever is at the machine has the command."""
        del person
        return False

    async def readers(self, message: Message) -> Audience:
        """Return what a line comes with: nobody else reads here."""
        return message.audience

    async def surface(self, message: Message) -> Surface:
        """Return what a terminal lets a person do."""
        del message
        return TERMINAL

    async def readership(self, message: Message) -> Readership:
        """Refuse: there is nobody to share with."""
        del message
        raise SendRefused(NOBODY_ELSE)

    async def publish(self, delivery: Delivery) -> Posted:
        """Refuse likewise."""
        del delivery
        raise SendRefused(NOBODY_ELSE)

    async def retract(self, posted: Posted) -> bool:
        """Nothing was ever posted here."""
        del posted
        return False

    async def retire(self, delivery: Delivery) -> None:
        """What was printed stays, and has no buttons."""

    async def connected(self) -> bool:
        """Whether messages can come in."""
        return self._receive is not None

    async def lost(self) -> str:
        """Never return: whoever is here ends it."""
        never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        return await never

    async def stop(self) -> None:
        """Take nothing more in."""
        self._receive = None


def offered(reply: Reply) -> tuple[Action, ...]:
    """Return the buttons of a reply that are pressed by their numbers."""
    if reply.choices:
        return tuple(choosing(choice, number) for number, choice in enumerate(reply.choices, start=1))
    named = _NEXT if reply.kind == "answer" else _ANSWERS if reply.kind == "clarify" else ()
    return tuple(action for row in reply.rows() for action in row if action.action in named)
