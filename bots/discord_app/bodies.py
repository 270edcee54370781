"""Payloads of Discord's gateway, and what they become: who says something, where, and what they want."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from bots.audience import Place, audience_of
from bots.contracts import ConversationKey, Message
from bots.payloads import look, match_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from bots.discord_app.buttons import Pressed
    from bots.discord_app.routes import Route
    from ledger.people import Person

#: The team of conversations between people that we are no part of, where a command can be used nevertheless.
ELSEWHERE: Final = "elsewhere"

#: Types of channels. https://docs.discord.com/developers/resources/channel#channel-object-channel-types
THREADS: Final = (10, 11, 12)

Form = Literal["settings", "categories", "import", "columns", "accounts"]

_SNOWFLAKE = re.compile(r"[0-9]{1,20}")
_TOKEN = re.compile(r"[\x21-\x7e]{1,1000}")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Who we are to Discord, and the clocks: ``now`` may be fixed, ``wall`` is this machine's."""

    application: str
    bot_user: str
    now: Callable[[], datetime]
    wall: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Interaction:
    """What every interaction has in common, as Discord's own word; text never says who or where."""

    id: str
    token: str
    person: Person
    conversation: ConversationKey
    place: Place
    route: Route
    locale: str = ""
    """The language of the person's client."""


@dataclass(frozen=True, slots=True)
class Said:
    """Someone wrote something; ``mentioned`` is False for a post in a server that does not name us.

    ``to_others`` is true of one that names somebody else, or replies to them.
    """

    message: Message
    mentioned: bool
    to_others: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A command or press to answer; ``acknowledgement`` is what Discord is told first.

    ``button`` is what was pressed: it may stand below an answer of another conversation, or carry less than it means.
    """

    interaction: Interaction
    message: Message
    acknowledgement: Mapping[str, Any]
    button: Pressed | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A press or command that opens a form, and is not answered itself; ``message`` is what a press says, where it says more."""

    interaction: Interaction
    form: Form
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Submitted:
    """A form was filled in: what stands in each field, and the files; ``message`` has no call yet."""

    interaction: Interaction
    form: Form
    values: Mapping[str, str]
    message: Message
    acknowledgement: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Suggesting:
    """A person types into an option whose choices we give."""

    interaction: Interaction
    option: str
    typed: str


@dataclass(frozen=True, slots=True)
class Turning:
    """A press that turns to another page of a table: which table of the reply that it stands below, and which page.

    ``shown`` is the message as it stands, and ``message`` says whose answer it is.
    """

    interaction: Interaction
    message: Message
    table: int
    page: int
    shown: Mapping[str, Any]


Inbound = Said | Asked | Opening | Submitted | Suggesting | Turning


def compose(interaction: Interaction, now: datetime, **said: Any) -> Message:
    """Return what a person wants by an interaction, in their own conversation."""
    return Message(
        person=interaction.person,
        conversation=interaction.conversation,
        delivery_id=f"interaction:{interaction.id}",
        channel=interaction.conversation.channel,
        ts=None,
        audience=audience_of(interaction.place, private_replies=True),
        received_at=now,
        route=str(interaction.route),
        **said,
    )


def number_at(where: object, *path: str) -> int:
    """Return the whole number there, or 0."""
    found = look(where, *path)
    return found if isinstance(found, int) and found > 0 else 0


def id_at(where: object, *path: str) -> str:
    """Return the id there; raises Unreadable where there is none."""
    return match_at(_SNOWFLAKE, where, *path)


def token_at(where: object, *path: str) -> str:
    """Return the token there; raises Unreadable where there is none."""
    return match_at(_TOKEN, where, *path)
