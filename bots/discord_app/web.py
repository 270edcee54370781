"""Discord's REST API through discord.py's HTTP client, with its errors as ours.

    SendFailed             SendRefused
    └── DiscordFailed      └── DiscordRefused

``code`` is Discord's number for what is wrong. Every message is a sentence of ours: nothing that Discord says reaches a
person. discord.py waits out rate limits and repeats what met a 5xx by itself; what it gives up on arrives here. It must
never be cancelled meanwhile: a global limit that it waits for would then hold back every call for good (discord.py 2.7.1,
HTTPClient.request). So each call ends by itself, even where nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog
from discord.http import Route

from bots.discord_app.commands import linked, number_of
from bots.errors import SendFailed, SendRefused, outline
from bots.payloads import seconds_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from discord.http import HTTPClient

_log = structlog.get_logger(__name__)

# https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
TOO_LARGE: Final = 40_005
ACKNOWLEDGED: Final = 40_060
CANNOT_DIRECT_MESSAGE: Final = 50_007
UNKNOWN_CHANNEL: Final = 10_003
UNKNOWN_SERVER: Final = 10_004
UNKNOWN_MEMBER: Final = 10_007
UNKNOWN_MESSAGE: Final = 10_008
UNKNOWN_USER: Final = 10_013
MISSING_ACCESS: Final = 50_001
MISSING_PERMISSIONS: Final = 50_013
INVALID_FORM: Final = 50_035
#: Direct messages are opened too fast, or Discord is overloaded: it works later.
_NOT_NOW: Final = frozenset({40_003, 130_000})

#: How many servers one page lists.
_SERVERS: Final = 200
#: The first answer to an interaction, among its answers.
ORIGINAL: Final = "@original"
#: What Discord changes in the name of a file; a card that names it otherwise is refused.
_OTHER_SIGNS = re.compile(r"[^A-Za-z0-9._-]+")
#: How long one try of a call may take, in seconds; between tries discord.py waits as long as Discord asks, up to half a minute.
_TRY_SECONDS: Final = aiohttp.ClientTimeout(total=60.0)
#: How long calls that are under way have at the end.
_CLOSING_SECONDS: Final = 1.0
#: An interaction is lost three seconds after it was sent; the rest of them is the way.
ANSWER_SECONDS: Final = 2.6


class DiscordFailed(SendFailed):
    """Discord did not do it now; ``unclear`` where it may be done nevertheless."""

    def __init__(self, retry_after: float | None = None, *, unclear: bool = True) -> None:
        """Keep its wish in seconds."""
        super().__init__("Discord did not take this now.", retry_after)
        self.unclear = unclear


class DiscordRefused(SendRefused):
    """Discord won't do it, however often it is asked."""

    def __init__(self, code: int) -> None:
        """Keep Discord's number."""
        super().__init__("Discord does not take this.")
        self.code = code


@dataclass(frozen=True, slots=True)
class Upload:
    """A file beside a message; ``alt`` describes a picture, and ``instead`` takes its place in the message's text."""

    name: str
    media_type: str
    data: bytes
    alt: str = ""
    instead: str = ""

    @property
    def attached(self) -> str:
        """Its name as Discord keeps it, by which a card shows it."""
        return _OTHER_SIGNS.sub("_", self.name) or "file"


@dataclass(frozen=True, slots=True)
class Answering:
    """An interaction as its answers name it."""

    application: str
    token: str


class DiscordWeb:
    """The REST API of one bot; ``http`` is discord.py's client while there is a connection."""

    def __init__(self) -> None:
        """Wait for a connection."""
        self.http: HTTPClient | None = None
        self._calls: set[asyncio.Task[Any]] = set()
        self._user = ""
        self._command = ""

    async def close(self) -> None:
        """Take no more calls, and end those that are under way, after a moment."""
        self.http = None
        calls = set(self._calls)
        if calls:
            await asyncio.wait(calls, timeout=_CLOSING_SECONDS)
        for call in calls:
            call.cancel()  # with the client whose waits they are
        await asyncio.gather(*calls, return_exceptions=True)

    async def acknowledge(self, interaction: str, token: str, body: Mapping[str, Any]) -> None:
        """Answer an interaction within its three seconds; one that was acknowledged before counts as answered.

        Raises:
            DiscordFailed: it may have arrived.
            DiscordRefused: the interaction is gone.
        """
        # The names make discord.py keep a rate limit for each interaction, as its own code does for these paths.
        path = "/interactions/{webhook_id}/{webhook_token}/callback"
        try:
            await self._request(
                Route("POST", path, webhook_id=interaction, webhook_token=token),
                ANSWER_SECONDS,
                json=self._linked(body),
            )
        except DiscordRefused as error:
            if error.code != ACKNOWLEDGED:
                raise

    async def answer(self, to: Answering, message: str) -> Mapping[str, Any]:
        """Return one of an interaction's answers."""
        return _object(await self._request(_answer("GET", to, message)))

    async def edit_answer(
        self, to: Answering, message: str, body: Mapping[str, Any], files: Sequence[Upload] = ()
    ) -> Mapping[str, Any]:
        """Set one of an interaction's answers, the first being ``@original``."""
        return await self._send(_answer("PATCH", to, message), body, files)

    async def follow_up(
        self, to: Answering, body: Mapping[str, Any], files: Sequence[Upload] = ()
    ) -> Mapping[str, Any]:
        """Add an answer to an interaction."""
        path = "/webhooks/{webhook_id}/{webhook_token}"
        return await self._send(Route("POST", path, webhook_id=to.application, webhook_token=to.token), body, files)

    async def post(self, channel: str, body: Mapping[str, Any], files: Sequence[Upload] = ()) -> Mapping[str, Any]:
        """Post in a channel."""
        return await self._send(Route("POST", "/channels/{channel_id}/messages", channel_id=channel), body, files)

    async def edit(
        self, channel: str, message: str, body: Mapping[str, Any], files: Sequence[Upload] = ()
    ) -> Mapping[str, Any]:
        """Set a post of ours."""
        path = "/channels/{channel_id}/messages/{message_id}"
        return await self._send(Route("PATCH", path, channel_id=channel, message_id=message), body, files)

    async def delete(self, channel: str, message: str) -> None:
        """Delete a post of ours."""
        path = "/channels/{channel_id}/messages/{message_id}"
        await self._request(Route("DELETE", path, channel_id=channel, message_id=message))

    async def react(self, channel: str, message: str, emoji: str) -> None:
        """Put a reaction under a message, where it stands once however often it is put."""
        path = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me"
        await self._request(Route("PUT", path, channel_id=channel, message_id=message, emoji=emoji))

    async def message(self, channel: str, message: str) -> Mapping[str, Any]:
        """Return a message."""
        path = "/channels/{channel_id}/messages/{message_id}"
        return _object(await self._request(Route("GET", path, channel_id=channel, message_id=message)))

    async def messages(self, channel: str, limit: int, after: str = "") -> Sequence[Any]:
        """Return messages of a channel: the first ones after an id (which tells a time), or the latest."""
        params: dict[str, Any] = {"limit": limit} | ({"after": after} if after else {})
        found = await self._request(Route("GET", "/channels/{channel_id}/messages", channel_id=channel), params=params)
        return found if isinstance(found, list) else ()

    async def user(self) -> str:
        """Return the id of our own user."""
        self._user = self._user or str(_object(await self._request(Route("GET", "/users/@me"))).get("id") or "")
        return self._user

    async def channel(self, channel: str) -> Mapping[str, Any]:
        """Return what a channel is."""
        return _object(await self._request(Route("GET", "/channels/{channel_id}", channel_id=channel)))

    async def servers(self) -> Sequence[Any]:
        """Return the servers that we are in."""
        found: list[Any] = []
        while True:
            params = {"limit": _SERVERS} | ({"after": str(found[-1].get("id"))} if found else {})
            page = await self._request(Route("GET", "/users/@me/guilds"), params=params)
            found += page if isinstance(page, list) else ()
            if not isinstance(page, list) or len(page) < _SERVERS:
                return found

    async def member(self, server: str, user: str) -> Mapping[str, Any]:
        """Return what somebody is in a server that we are in."""
        path = "/guilds/{guild_id}/members/{user_id}"
        return _object(await self._request(Route("GET", path, guild_id=server, user_id=user)))

    async def direct_channel(self, user: str) -> Mapping[str, Any]:
        """Return the channel of a person's direct messages with us, which exists from then on."""
        return _object(await self._request(Route("POST", "/users/@me/channels"), json={"recipient_id": user}))

    async def typing(self, channel: str) -> None:
        """Show that we type, for ten seconds or until the next post."""
        await self._request(Route("POST", "/channels/{channel_id}/typing", channel_id=channel))

    async def gateway(self) -> str:
        """Return where the gateway is."""
        return str(_object(await self._request(Route("GET", "/gateway/bot"))).get("url") or "")

    async def commands(self, application: str, guild: str = "") -> Sequence[Any]:
        """Return the commands that are registered, everywhere or in one guild."""
        found = await self._request(_commands("GET", application, guild), params={"with_localizations": "true"})
        return self._known(found, guild)

    async def register(self, application: str, commands: Sequence[Mapping[str, Any]], guild: str = "") -> None:
        """Register commands in place of all others."""
        self._known(await self._request(_commands("PUT", application, guild), json=list(commands)), guild)

    def _known(self, found: Any, guild: str) -> Sequence[Any]:
        """Return the commands that are there; from then on a text that tells of ours everywhere lets it be pressed."""
        listed = found if isinstance(found, list) else ()
        self._command = self._command if guild else number_of(listed)
        return listed

    def _linked(self, told: Any) -> Any:
        """Return a body in whose texts our commands can be pressed."""
        if isinstance(told, list):
            return [self._linked(each) for each in told]
        if not isinstance(told, Mapping) or not self._command:
            return told
        return {
            key: linked(value, self._command) if key == "content" and isinstance(value, str) else self._linked(value)
            for key, value in told.items()
        }

    async def _send(self, route: Route, body: Mapping[str, Any], files: Sequence[Upload]) -> Mapping[str, Any]:
        """Send a message's body, with its files as parts beside it."""
        body = self._linked(body)
        if not files:
            return _object(await self._request(route, json=body))
        listed = [
            {"id": number, "filename": file.attached} | ({"description": file.alt} if file.alt else {})
            for number, file in enumerate(files)
        ]
        payload = json.dumps({**body, "attachments": listed})
        form: list[dict[str, Any]] = [{"name": "payload_json", "value": payload, "content_type": "application/json"}]
        # discord.py rewinds them to try again.
        held = [discord.File(io.BytesIO(file.data), file.attached) for file in files]
        form += (
            {"name": f"files[{number}]", "value": each.fp, "filename": file.attached, "content_type": file.media_type}
            for number, (each, file) in enumerate(zip(held, files, strict=True))
        )
        return _object(await self._request(route, form=form, files=held))

    async def _request(self, route: Route, seconds: float | None = None, **request: Any) -> Any:
        """Ask, and wait so long for the answer; what was asked is not taken back where nobody waits any more."""
        if self.http is None:
            raise DiscordFailed(unclear=False)
        call = asyncio.create_task(self.http.request(route, timeout=_TRY_SECONDS, **request))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            done, _ = await asyncio.wait((call,), timeout=seconds)
        except asyncio.CancelledError:
            call.add_done_callback(_log_late)
            raise
        if not done:
            call.add_done_callback(_log_late)
        if not done or call.cancelled():
            raise DiscordFailed
        try:
            answer = call.result()
        except discord.RateLimited as error:
            raise DiscordFailed(error.retry_after, unclear=False) from error
        except discord.HTTPException as error:
            raise _error(error) from error
        except (aiohttp.ClientError, TimeoutError, OSError, RuntimeError, ValueError) as error:
            raise DiscordFailed from error  # the last is a body that is not the JSON that it claims to be
        if isinstance(answer, str) and answer:  # a page: of a proxy, or of a network that wants a sign-in
            raise DiscordFailed
        return answer


def _log_late(call: asyncio.Task[Any]) -> None:
    """Log what went wrong with a call that nobody waits for."""
    error = None if call.cancelled() else call.exception()
    if error is not None:
        _log.warning("discord_call_failed_late", error=outline(error), code=getattr(error, "code", 0))


def _answer(method: str, to: Answering, message: str) -> Route:
    path = "/webhooks/{webhook_id}/{webhook_token}/messages/"
    path += message if message == ORIGINAL else "{message_id}"  # a value would be quoted: %40original
    return Route(method, path, webhook_id=to.application, webhook_token=to.token, message_id=message)


def _commands(method: str, application: str, guild: str) -> Route:
    if not guild:
        return Route(method, "/applications/{application_id}/commands", application_id=application)
    path = "/applications/{application_id}/guilds/{guild_id}/commands"
    return Route(method, path, application_id=application, guild_id=guild)


def _error(error: discord.HTTPException) -> DiscordFailed | DiscordRefused:
    """Tell whether it may work later. What has none of Discord's codes is the word of a proxy before it, or of a limit."""
    if error.status == 429:
        return DiscordFailed(seconds_in(error.response.headers.get("Retry-After")), unclear=False)
    if error.status == 413:
        return DiscordRefused(TOO_LARGE)
    if error.status >= 500 or error.status == 408:
        return DiscordFailed()
    if not error.code or error.code in _NOT_NOW:
        return DiscordFailed(unclear=False)
    return DiscordRefused(error.code)


def _object(answer: Any) -> Mapping[str, Any]:
    return answer if isinstance(answer, dict) else {}
