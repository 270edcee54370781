"""Slack with many workspaces: one adapter that hands everything on to that of the workspace it is about.

What a workspace's adapter knows (its people, its direct messages, what stands there) is its own, and so is its token.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import structlog
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from bots.contracts import Message
from bots.errors import AttachmentUnavailable, SendFailed, SendRefused, outline
from bots.sending import STORE_ERRORS
from bots.slack_app.events import departure
from bots.slack_app.files import UNAVAILABLE
from bots.slack_app.inbound import workspace_of
from bots.slack_app.installations import Installations, States
from bots.slack_app.installing import INSTALL, RETURN, Installing
from bots.slack_app.platform import SlackPlatform
from bots.slack_app.transport import Acknowledgement, HttpTransport, bolt_app
from bots.slack_app.watching import TOKEN_ERRORS
from bots.slack_app.web import SlackRefused, SlackWeb
from tools.surface import AMONG_OTHERS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from datetime import datetime

    from bots.contracts import (
        Attachment,
        ConversationKey,
        Delivery,
        Occasion,
        Posted,
        Progress,
        Readership,
        Receipt,
        Receive,
    )
    from bots.desk.desk import Desk
    from bots.slack_app.events import Departure
    from bots.slack_app.installation import Installation
    from bots.slack_app.platform import SlackConfig
    from bots.slack_app.sealing import Seal
    from graph.reply import Audience
    from graph.steps import Step
    from ledger.people import Person
    from tools.surface import Surface

_log = structlog.get_logger(__name__)

#: For how long it is believed that we are installed, and with which token, in seconds.
_BELIEVED_FOR = 60.0
#: Beyond so many workspaces the one that was least lately heard of is looked up anew.
_MOST = 1000
_GONE = "I am no longer installed in that workspace."


@dataclass(slots=True)
class _Held:
    """A workspace's adapter, and when we last looked whether we are still installed there."""

    adapter: SlackPlatform
    installation: Installation
    since: float


class SlackWorkspaces:
    """All workspaces that installed the app; they deliver by HTTP."""

    name = SlackPlatform.name
    capabilities = SlackPlatform.capabilities

    def __init__(
        self,
        config: SlackConfig,
        seal: Seal,
        desk: Desk,
        now: Callable[[], datetime],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wire the parts; nothing connects before :meth:`start`."""
        self._config = config
        self._desk = desk
        self._now = now
        self._seconds = seconds
        self._web = SlackWeb("", config.api_url)
        rotator = AsyncTokenRotator(
            client_id=config.client_id, client_secret=config.client_secret, client=self._web.client
        )
        self._installations = Installations(desk.store, seal, rotator)
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._receive: Receive | None = None
        self._transport: HttpTransport | None = None

    async def start(self, receive: Receive | None) -> None:
        """Let Slack deliver, and let workspaces install, if there is somebody to receive."""
        self._receive = receive
        await self._web.open()
        if receive is None:
            return
        config = self._config
        assert config.signing_secret is not None
        app = bolt_app(self._web.client, self._installed, self.take_in, config.signing_secret)
        installing = Installing(config, self._installations, States(self._desk.store))
        self._transport = HttpTransport(
            app,
            config.signing_secret,
            config.host,
            config.port,
            self._desk.store.answers,
            pages={INSTALL: installing.begin, RETURN: installing.finish},
        )
        await self._transport.start()

    async def take_in(self, body: Mapping[str, Any]) -> Acknowledgement:
        """Hand a body to the adapter of its workspace; forget a workspace that has uninstalled the app."""
        team, enterprise = workspace_of(body)
        left = departure(body)
        if left is not None:
            await self._forget(team, enterprise, left)
            return Acknowledgement()
        held = await self._of(team, enterprise)
        return Acknowledgement() if held is None else await held.adapter.take_in(body)

    async def send(self, delivery: Delivery) -> None:
        """Post a reply in its workspace; with a token that another process has exchanged meanwhile, once more."""
        held = await self._there(delivery.conversation.team)
        try:
            await held.adapter.send(delivery)
        except SlackRefused as refused:
            if refused.code not in TOKEN_ERRORS:
                raise
            held.since = float("-inf")
            token = held.installation.token
            held = await self._there(delivery.conversation.team)
            if held.installation.token == token:
                raise
            await held.adapter.send(delivery)

    async def admit(self, message: Message) -> None:
        """Let the person use the bot, as far as the workspace's adapter does; raises NotAdmitted, SendFailed and SendRefused."""
        await (await self._there(message.conversation.team)).adapter.admit(message)

    async def administers(self, person: Person) -> bool:
        """Return whether Slack says so of a person; raises SendFailed and SendRefused."""
        return await (await self._there(person.team)).adapter.administers(person)

    async def readers(self, message: Message) -> Audience:
        """Return who reads along, as the workspace's adapter knows."""
        return await (await self._there(message.conversation.team)).adapter.readers(message)

    async def surface(self, message: Message) -> Surface:
        """Return what the place of an answer lets a person do."""
        try:
            return await (await self._there(message.conversation.team)).adapter.surface(message)
        except (SendFailed, SendRefused):
            return AMONG_OTHERS

    async def readership(self, message: Message) -> Readership:
        """Return who would read a post in the message's channel; raises SendFailed and SendRefused."""
        return await (await self._there(message.conversation.team)).adapter.readership(message)

    async def publish(self, delivery: Delivery) -> Posted:
        """Post for everyone in a channel; raises SendFailed and SendRefused."""
        return await (await self._there(delivery.conversation.team)).adapter.publish(delivery)

    async def retract(self, posted: Posted) -> bool:
        """Delete posts of ours; raises SendFailed and SendRefused."""
        return await (await self._there(posted.team)).adapter.retract(posted)

    async def retire(self, delivery: Delivery) -> None:
        """Take the buttons off what a delivery settles; raises SendFailed and SendRefused."""
        await (await self._there(delivery.conversation.team)).adapter.retire(delivery)

    async def stream(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Stream sentences below a reply, where we are still installed."""
        with suppress(SendFailed, SendRefused):
            await (await self._there(delivery.conversation.team)).adapter.stream(delivery, sentences)

    async def progress(self, conversation: ConversationKey, state: Progress, steps: Sequence[Step] = ()) -> None:
        """Show the session as processing, or no longer, where we are still installed."""
        with suppress(SendFailed, SendRefused):
            await (await self._there(conversation.team)).adapter.progress(conversation, state, steps)

    async def fetch(self, attachment: Attachment) -> bytes:
        """Return a file's bytes; raises AttachmentUnavailable."""
        team, _, reference = attachment.reference.partition(":")
        try:
            held = await self._there(team)
        except (SendFailed, SendRefused) as error:
            raise AttachmentUnavailable(UNAVAILABLE) from error
        return await held.adapter.fetch(replace(attachment, reference=reference))

    async def connected(self) -> bool:
        """Whether Slack can deliver at this moment."""
        return self._transport is not None and await self._transport.is_connected()

    async def lost(self) -> str:
        """Never return: one workspace's refusal is not the others'."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def stop(self) -> None:
        """Take nothing more in, and disconnect."""
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.stop()
        while self._held:
            await self._held.popitem()[1].adapter.stop()
        await self._web.close()

    async def _installed(self, team: str, enterprise: str) -> Installation | None:
        held = await self._of(team, enterprise)
        return None if held is None else held.installation

    async def _there(self, team: str) -> _Held:
        """Return a workspace; raises SendFailed where it can't be looked up now, and SendRefused where we left it."""
        try:
            held = await self._of(team)
        except STORE_ERRORS as error:
            _log.warning("slack_workspace_not_looked_up", error=outline(error))
            raise SendFailed("The workspace can't be looked up now.") from error
        if held is None:
            raise SendRefused(_GONE)
        return held

    async def _of(self, team: str, enterprise: str = "") -> _Held | None:
        held = self._held.get(team)
        if held is not None and self._seconds() - held.since < _BELIEVED_FOR:
            self._held.move_to_end(team)
            return held
        found = await self._installations.find(team, enterprise) if team else None
        held = self._held.get(team)  # another one may have been quicker
        if found is None:
            if held is not None:
                await self._held.pop(team).adapter.stop()
            return None
        if held is None:
            adapter = SlackPlatform(replace(self._config, bot_token=found.token), self._desk, self._now)
            held = self._held[team] = _Held(adapter, found, 0.0)
            await adapter.join(found, self._receiving(team) if self._receive is not None else None)
            if len(self._held) > _MOST:
                await self._held.popitem(last=False)[1].adapter.stop()
        elif found != held.installation:
            held.adapter.renew(found)
        held.installation, held.since = found, self._seconds()
        return held

    def _receiving(self, team: str) -> Receive:
        """Return what takes a workspace's messages in: whoever fetches their files later must know the workspace."""

        async def receive(message: Message | Occasion) -> Receipt:
            assert self._receive is not None
            if isinstance(message, Message) and message.attachments:
                files = tuple(replace(each, reference=f"{team}:{each.reference}") for each in message.attachments)
                message = replace(message, attachments=files)
            return await self._receive(message)

        return receive

    async def _forget(self, team: str, enterprise: str, left: Departure) -> None:
        if await self._installations.uninstalled(team, enterprise, left.at, left.bots):
            _log.warning("slack_uninstalled", team=team)
            held = self._held.pop(team, None)
            if held is not None:
                await held.adapter.stop()
