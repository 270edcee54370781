"""The bodies that Slack signs: who sent one and from where, read field by field, and what we make of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from bots.audience import Place, audience_of
from bots.contracts import ConversationKey, Message
from bots.payloads import look, match_at
from ledger.people import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

#: The id of a team, user, channel, app or file; its first letter tells which.
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: When something was posted, which is also its id within a channel.
_TS = re.compile(r"[0-9]{1,16}\.[0-9]{1,12}")
_TOKEN = re.compile(r"[!-~]{1,200}")
_RESPONSE_URL = re.compile(r"[!-~]{1,500}")
_RESPONSES_FROM = ("https", "hooks.slack.com", None)


Modal = Literal["settings", "categories", "columns", "accounts"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where we are installed, as ``auth.test`` tells it.

    ``enterprise`` is the organisation that the workspace belongs to, if any.
    A ``response_url`` may lead to Slack, or to where ``api_url`` does.
    """

    team: str
    bot_user: str
    bot_id: str
    now: Callable[[], datetime]
    enterprise: str = ""
    api_url: str = "https://slack.com/api/"


@dataclass(frozen=True, slots=True)
class Opened:
    """A person looks at the app: its Home, or the messages with it."""

    person: Person
    channel: str
    tab: Literal["home", "messages"]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press that opens a modal and is not answered; the ``trigger_id`` opens one for three seconds."""

    person: Person
    trigger_id: str
    what: Modal
    message: Message


@dataclass(frozen=True, slots=True)
class Submitted:
    """A modal was filled in: what stands in each block, several choices as a tuple, nothing as an empty text.

    ``message`` has no call yet but that of a press which had a value; with one it is what the person wants done, in the
    conversation that the modal came from.
    """

    person: Person
    callback_id: Modal
    values: Mapping[str, str | tuple[str, ...]]
    message: Message


@dataclass(frozen=True, slots=True)
class Suggesting:
    """A person types into a select whose options we give."""

    person: Person
    action_id: str
    typed: str


Inbound = Message | Opened | Pressed | Submitted | Suggesting


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a body; ``foreign`` if anything in it belongs to another organisation, or may do so."""

    person: Person
    foreign: bool = False

    def at(self, channel: str, kind: str | None = None) -> Place:
        """Return what a channel is, by its id and, for events, its type; a person's own id is their direct messages."""
        if self.foreign:
            return Place.UNKNOWN
        if channel[0] == "D" or channel == self.person.user:
            return Place.DIRECT
        if channel[0] in "CG" and kind in {"channel", "group", "mpim", None}:
            return Place.CHANNEL
        return Place.UNKNOWN


def sender(user: str, surroundings: Surroundings, teams: tuple[object, ...], places: tuple[object, ...] = ()) -> Sender:
    """Return the user as a person of the team they belong to.

    ``teams`` are what the body says of the user's team, ``places`` of the teams where it happened. An organisation is
    named in place of its workspace in some fields. https://docs.slack.dev/apis/slack-connect
    """
    ours = (None, "", surroundings.team, surroundings.enterprise)
    strange = [team for team in teams if team not in ours]
    team = next((team for team in strange if isinstance(team, str) and _ID.fullmatch(team)), surroundings.team)
    return Sender(Person("slack", team, user), bool(strange) or any(place not in ours for place in places))


@dataclass(frozen=True, slots=True)
class Origin:
    """Who said something, and where: a channel that is a user's id stands for the direct messages with that user."""

    person: Person
    place: Place
    channel: str
    thread: str = ""


def compose(surroundings: Surroundings, origin: Origin, delivery_id: str, **said: Any) -> Message:
    """Return a message in the person's own conversation; in a channel the asker alone can be shown the answer."""
    where = ConversationKey("slack", surroundings.team, origin.channel, origin.thread, origin.person)
    return Message(
        person=origin.person,
        conversation=where,
        delivery_id=delivery_id,
        channel=origin.channel,
        ts=said.pop("ts", None),
        audience=audience_of(origin.place, private_replies=True),
        received_at=surroundings.now(),
        **said,
    )


def route(url: object, surroundings: Surroundings) -> str:
    """Return a URL to answer at if it is Slack's, else nothing: whoever holds it would read the answer."""
    if not isinstance(url, str) or not _RESPONSE_URL.fullmatch(url):
        return ""
    origin = _origin(url)
    return url if origin is not None and origin in (_RESPONSES_FROM, _origin(surroundings.api_url)) else ""


def _origin(url: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(url)
        if parts.hostname is None or "@" in parts.netloc:
            return None
        port = None if parts.port == {"https": 443, "http": 80}.get(parts.scheme) else parts.port
    except ValueError:
        return None
    return parts.scheme, parts.hostname, port


def id_at(where: object, *path: str) -> str:
    """Return the id there; raises Unreadable where there is none."""
    return match_at(_ID, where, *path)


def token_at(where: object, *path: str) -> str:
    """Return the name that Slack gave to a delivery, an interaction or a view; raises Unreadable where there is none."""
    return match_at(_TOKEN, where, *path)


def ts_at(where: object, *path: str) -> str:
    """Return the time of a post as Slack writes it; raises Unreadable where there is none."""
    return match_at(_TS, where, *path)


def thread_at(where: object, *path: str) -> str:
    """Return the time of the post that a thread hangs on, or nothing outside threads; raises Unreadable for others."""
    return "" if look(where, *path) in (None, "") else ts_at(where, *path)
