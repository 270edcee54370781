"""What the program says of its own accord: words, and buttons by which the person may ask for something.

It is no turn: it is not remembered, and neither proposes, withdraws nor answers anything. That is so by its type, which has
no place for a proposal; what a pressed button comes to is its presser's own request, shown and confirmed as any other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import structlog

from bots.errors import outline
from bots.sending import insist
from bots.telling import told
from graph.reply import Action, Actions, Audience, Reply, Text
from language.tongue import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bots.contracts import Message, Occasion
    from bots.inbox import Inbox
    from bots.keyed_fifo import KeyedFifo
    from bots.sending import Sender

_log = structlog.get_logger(__name__)

#: What a button carries on every platform: a notice is stored nowhere, so a longer question could not be found again.
_LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A button that asks a question or makes a request, as if the person had; it can neither confirm nor cancel."""

    label: str
    action: Literal["ask", "sample", "settings"]
    value: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A headline, paragraphs, and a row of buttons."""

    headline: str
    paragraphs: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    language: str = DEFAULT
    """What it is told in."""
    noted: Callable[[], Awaitable[None]] | None = None
    """Notes that it is on its way, so that it is said on no further occasion; called once it is stored."""

    def reply(self) -> Reply:
        """Return it as a platform shows it, to one reader."""
        texts = (Text(self.headline, "headline"), *(Text(paragraph) for paragraph in self.paragraphs))
        fitting = [each for each in self.suggestions if len(each.value) <= _LONGEST_VALUE]
        row = (Actions(tuple(Action(each.label, each.action, each.value) for each in fitting)),) if fitting else ()
        return told(Reply("notice", self.headline, (*texts, *row), Audience.PRIVATE), self.language)


Notify = Callable[["Message"], Awaitable["Notice | None"]]
"""Says something to the person at this place, or has nothing to say."""


class Notices:
    """Says what occasions call for, each once, and to the person alone."""

    def __init__(
        self,
        known: Mapping[str, Notify],
        order: KeyedFifo,
        inbox: Inbox,
        sender: Sender,
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """Say these, by the name of their occasion."""
        self._known = known
        self._order = order
        self._inbox = inbox
        self._sender = sender
        self._sleep = sleep

    async def say(self, occasion: Occasion, placed: Callable[[Message], Awaitable[Message]]) -> None:
        """Say it after what was asked before in its conversation is answered; nothing waits for it, or fails with it."""
        try:
            await self._order.passed(occasion.place.conversation)
            place = await placed(occasion.place)
            notify = self._known.get(occasion.name)
            notice = await notify(place) if notify and place.audience is Audience.PRIVATE else None
            if notice is None:
                return
            reply = notice.reply()
            delivery = await insist(lambda _: self._inbox.announce(place, reply), self._sleep)
            if notice.noted is not None:
                await notice.noted()
            if delivery is not None:
                await self._sender.deliver(delivery)
        except Exception as error:  # noqa: BLE001 - nobody waits for it
            _log.warning("notice_not_said", occasion=occasion.name, error=outline(error))
