"""The connection to Discord's gateway: discord.py keeps it up, and hands over what comes in as it came.

discord.py resumes a session that broke off, and Discord then sends again what was missed. Its own objects are not used: what
comes in is read from the payload itself, so that nothing depends on what a cache holds.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bots.errors import CommandError, SendFailed, SendRefused, outline
from bots.sending import Patience

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bots.discord_app.web import DiscordWeb

    Take = Callable[[str, Mapping[str, Any]], Awaitable[None]]

_log = structlog.get_logger(__name__)

#: What is handed over; a resumed session sends the same again, under the same ids.
EVENTS: Final = frozenset({"INTERACTION_CREATE", "MESSAGE_CREATE"})

#: Discord is asked so often who we are before the start is given up.
_STARTING = Patience(attempts=5, first_wait=1.0, longest_wait=8.0)
#: A connection that ended for good is begun anew after this, in seconds: a bot may identify itself 1,000 times a day.
_AGAIN_SECONDS = 120.0
_SOON_SECONDS = 2.0
_READY_SECONDS = 90.0
_NOT_REACHED = "Discord can't be reached; the log says more."
#: Codes with which the gateway closes for good. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
_REASONS: Final = {
    4004: "Discord does not accept MONEY_MINDER_DISCORD__TOKEN.",
    4011: "This bot is in too many servers for one connection.",
    4014: "Discord does not let this bot read messages; switch its Message Content Intent on, or follow-ups off.",
}


def intents(*, message_content: bool) -> discord.Intents:
    """Return what we ask to be told of; the content of messages that don't mention us is a privilege."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=message_content)


@dataclass(frozen=True, slots=True)
class DiscordConfig:
    """How to reach Discord, or a server that speaks as it does.

    ``thread_follow_ups`` answers in a thread without a mention who was answered there before; it takes the privileged
    Message Content Intent.
    """

    token: str
    api_url: str | None = None
    gateway_url: str | None = None
    thread_follow_ups: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are to Discord: the ids of the application and of its bot, and its name."""

    application: str
    bot_user: str
    name: str


class TokenRefused(CommandError):
    """Discord does not know the token."""


class Connection:
    """One bot's connection, from ``log_in`` to ``close``; it may be opened again."""

    def __init__(
        self,
        config: DiscordConfig,
        web: DiscordWeb,
        *,
        patience: Patience = _STARTING,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Give ``web`` its client while there is a connection; try to log in with this patience."""
        self._config = config
        self._web = web
        self._patience = patience
        self._sleep = sleep
        self._client: _Client | None = None
        self._running: asyncio.Task[None] | None = None

    async def log_in(self, take: Take | None = None) -> Identity:
        """Find out who we are; from then on the API can be used, and ``take`` is what events will be handed to.

        Raises:
            TokenRefused: Discord does not know the token.
            CommandError: it can't be reached.
        """
        _quieten()
        if self._config.api_url:
            Route.BASE = self._config.api_url.rstrip("/")  # discord.py has one API in a process, and no setting for it
        client = self._client = _Client(intents(message_content=self._config.thread_follow_ups), take or _ignore)
        try:
            await self._try_login(client)
        except BaseException:
            await self.close()
            raise
        self._web.http = client.http
        assert client.user is not None
        return Identity(str(client.application_id), str(client.user.id), client.user.name)

    async def connect(self) -> None:
        """Let events come; returns once they do. Raises CommandError where they never will."""
        client = self._client
        assert client is not None
        try:
            url = self._config.gateway_url or await self._web.gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)  # as with the API, there is one in a process
            self._running = asyncio.create_task(self._run(client))
            await self._until_ready(client, self._running)
        except (SendFailed, SendRefused) as error:
            await self.close()
            raise CommandError(_NOT_REACHED) from error
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Disconnect; safe to call twice."""
        client, self._client = self._client, None
        running, self._running = self._running, None
        self._web.http = None
        if client is not None:
            await client.close()
        if running is not None:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def _try_login(self, client: _Client) -> None:
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return await client.login(self._config.token)
            except discord.LoginFailure as error:
                raise TokenRefused(_REASONS[4004]) from error
            except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
                _log.warning("discord_not_reached", attempt=attempt, error=outline(error))
                await client.http.close()
                client.http.connector = discord.utils.MISSING  # closed with its session
                if attempt < self._patience.attempts:
                    await self._sleep(self._patience.wait(attempt))
        raise CommandError(_NOT_REACHED)

    async def _until_ready(self, client: _Client, running: asyncio.Task[None]) -> None:
        ready = asyncio.ensure_future(client.ready.wait())
        try:
            await asyncio.wait((ready, running), timeout=_READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        if running.done():
            running.result()
        if not client.ready.is_set():
            raise CommandError("Discord's gateway does not answer; the log says more.")

    async def _run(self, client: _Client) -> None:
        """Keep the connection up as long as it is wanted.

        Raises:
            CommandError: it never came up, and won't.
        """
        while self._client is client:
            code = 0
            try:
                await client.connect(reconnect=True)
            except Exception as error:
                code = getattr(error, "code", 4014 if isinstance(error, discord.PrivilegedIntentsRequired) else 0)
                _log.error("discord_gateway_closed", code=code, error=outline(error))
                if not client.ready.is_set() and code in _REASONS:
                    raise CommandError(_REASONS[code]) from error
            await self._sleep(_AGAIN_SECONDS if code in _REASONS else _SOON_SECONDS)
            if self._client is client and client.is_closed():
                client = await self._renewed(client)

    async def _renewed(self, old: _Client) -> _Client:
        """Return a client in place of one that gave up; the old one where Discord can't be reached yet."""
        client = _Client(old.intents, old.take, old.ready)
        try:
            await client.login(self._config.token)
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError) as error:
            _log.warning("discord_not_reached", error=outline(error))
            await client.http.close()
            return old
        except BaseException:  # we are being closed
            await client.http.close()
            raise
        self._client, self._web.http = client, client.http
        return client


class _Client(discord.Client):
    """discord.py's client without its caches; all it does for us is to keep the connection."""

    def __init__(self, wanted: discord.Intents, take: Take, ready: asyncio.Event | None = None) -> None:
        super().__init__(
            intents=wanted,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            enable_debug_events=True,  # which is how payloads are handed over as they came
            max_ratelimit_timeout=30.0,
        )
        self.take = take
        self.ready = ready or asyncio.Event()

    async def on_socket_raw_receive(self, text: str) -> None:
        """Hand a payload over; discord.py calls this in the order in which payloads come."""
        payload = json.loads(text)
        event = payload.get("t")
        if event == "READY":
            self.ready.set()
        elif event in EVENTS and isinstance(payload.get("d"), dict):
            await self.take(event, payload["d"])

    async def on_error(self, event_method: str, /, *_arguments: Any, **_more: Any) -> None:
        """Log that a handler failed, without the payload that discord.py would show."""
        import sys

        error = sys.exc_info()[1]
        _log.error("discord_event_failed", where=event_method, error=outline(error) if error else "")


async def _ignore(_event: str, _body: Mapping[str, Any]) -> None:
    """Take nothing in."""


def _quieten() -> None:
    """Keep discord.py's own log to itself: it holds addresses with tokens in them, and payloads at the debug level."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it would warn that we can't speak
    logger = logging.getLogger("discord")
    logger.propagate = False
    if not any(isinstance(each, _NamesOnly) for each in logger.handlers):
        logger.addHandler(_NamesOnly())


class _NamesOnly(logging.Handler):
    """Passes on that something was logged and where, but not the text."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
            _log.warning("discord_py", where=f"{record.module}:{record.lineno}", error=error)
