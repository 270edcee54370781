"""Triggers (3 seconds, once) and response_urls (5 answers in 30 minutes)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.slack.chat import content
from tests.support.slack.state import BOT_USER, Member, Message, SlackError

if TYPE_CHECKING:
    from tests.support.slack_server import SlackServer

TRIGGER_SECONDS = 3.0
URL_USES = 5
URL_SECONDS = 1800.0


@dataclass
class _Trigger:
    user: str
    made: float
    used: bool = False


@dataclass
class _Url:
    user: str
    channel: str
    origin: Message | None
    made: float
    uses: int = 0


class Triggers:
    """What interactions hand out for a short time."""

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._triggers: dict[str, _Trigger] = {}
        self._urls: dict[str, _Url] = {}
        self.seconds = TRIGGER_SECONDS
        self.url_seconds = URL_SECONDS

    def new(self, user: str) -> str:
        number = self._server.workspace.number("1.2.")
        self._triggers[number] = _Trigger(user, time.monotonic())
        return number

    def take(self, number: Any) -> Member:
        """Use a trigger up; raises SlackError for one that is unknown, used or late."""
        trigger = self._triggers.get(number) if isinstance(number, str) else None
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if time.monotonic() - trigger.made > self.seconds:
            raise SlackError("expired_trigger_id")
        trigger.used = True
        return self._server.workspace.members[trigger.user]

    def new_url(self, user: str, channel: str, origin: Message | None = None) -> str:
        number = self._server.workspace.number("r")
        self._urls[number] = _Url(user, channel, origin, time.monotonic())
        return f"{self._server.url}/actions/{number}"

    def respond(self, number: str, body: dict[str, Any], *, counted: bool = True) -> None:
        """Answer where the person acted: to them alone unless ``in_channel``; raises SlackError."""
        url = self._urls.get(number)
        if url is None or time.monotonic() - url.made > self.url_seconds:
            raise SlackError("expired_url")
        if counted and url.uses >= URL_USES:
            raise SlackError("used_url")
        workspace = self._server.workspace
        channel = workspace.channels[url.channel]
        held = url.origin is not None and workspace.find(channel.id, url.origin.ts) is url.origin
        if body.get("delete_original"):
            if url.origin is not None and held:
                workspace.remove(url.origin)
        elif body.get("replace_original") and url.origin is not None and held:
            url.origin.payload = content(self._server, body)
            url.origin.edited = True
            url.origin.changed()
        else:
            payload = content(self._server, body)
            kind = body.get("response_type", "ephemeral")
            if kind not in {"ephemeral", "in_channel"}:
                raise SlackError("invalid_response_type")
            reader = url.user if kind == "ephemeral" else None
            thread = body.get("thread_ts")
            workspace.post(channel, BOT_USER, payload, thread_ts=thread, ephemeral_to=reader, bot=True)
        url.uses += counted
        self._server.changed()
