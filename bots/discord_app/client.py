"""The connection to Discord's gateway: discord.py speaks its protocol, and hands over what comes in as it came.

A session that broke off is resumed, by the next process as by this one, and Discord then sends again what was missed.
discord.py's own objects are not used: what comes in is read from the payload itself, so that nothing depends on what a cache
holds.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route

from bots.admission import EVERYONE, Admission
from bots.discord_app.bodies import id_at
from bots.discord_app.session import Keeper, Session, place_to_resume
from bots.errors import CommandError, SendFailed, SendRefused, outline
from bots.loss import Loss
from bots.payloads import Unreadable, list_at, look, text_at
from bots.sending import Patience

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from pathlib import Path

    from bots.discord_app.web import DiscordWeb

    #: Sees to an event; False leaves it for the next start, which is told again.
    Take = Callable[[str, Mapping[str, Any]], Awaitable[bool]]

_log = structlog.get_logger(__name__)

#: What is handed over; a resumed session sends the same again, under the same ids.
EVENTS: Final = frozenset({"INTERACTION_CREATE", "MESSAGE_CREATE"})
#: After these, all that comes is new.
_UP: Final = frozenset({"READY", "RESUMED"})

#: Discord is asked so often who we are before the start is given up.
_STARTING = Patience(attempts=5, first_wait=1.0, longest_wait=8.0)
#: A connection that ended for good is begun anew after this, in seconds: a bot may identify itself 1,000 times a day.
_AGAIN_SECONDS = 120.0
#: One that Discord closed for good, after this: few are tried.
_REFUSED_SECONDS = 5.0
_BEGINNING = Patience(first_wait=2.0, longest_wait=_AGAIN_SECONDS)
_RESUMING = Patience(first_wait=1.0, longest_wait=30.0)
#: Between two sessions; Discord takes one in five seconds.
NEW_SESSION_SECONDS = 5.0
#: A connection that ends sooner has failed.
_STEADY_SECONDS = 10.0
#: After so many connections in a row that Discord closed for good, it is believed.
_MOST_REFUSED = 3
#: After so many connections in a row with which nothing came, a session is given up.
_MOST_SILENT = 3
_OPENING_SECONDS = 15.0
_CLOSING_SECONDS = 2.0
#: So often, and each time so long, the connection's end is waited for: libraries may swallow a cancellation.
_MOST_CANCELLED, _CANCELLED_SECONDS = 3, _CLOSING_SECONDS + 1.0
_READY_SECONDS = 90.0
_INVALID_SESSION, _HEARD_US = 9, 11
_NOT_REACHED = "Discord can't be reached; the log says more."
_STRANGE = "What answers in Discord's place is not Discord: a proxy or a sign-in page, or a wrong address of its API."
#: What an answer raises that is none of Discord's.
_NOT_DISCORD = (Unreadable, ValueError, TypeError, KeyError, AttributeError)
#: Codes with which the gateway closes for good. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
_REASONS: Final = {
    4004: "Discord does not accept MONEY_MINDER_DISCORD__TOKEN.",
    4010: "Discord does not know such a shard; MONEY_MINDER_DISCORD__SHARD_COUNT must be the same in all processes.",
    4011: "This bot is in too many servers for one connection; set MONEY_MINDER_DISCORD__SHARD_COUNT.",
    4014: "Discord does not let this bot read messages; switch its Message Content Intent on, or follow-ups off.",
}


def intents(*, message_content: bool) -> discord.Intents:
    """Return what we ask to be told of; the content of messages that don't mention us is a privilege."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=message_content)


@dataclass(frozen=True, slots=True)
class DiscordConfig:
    """How to reach Discord, or a server that speaks as it does.

    ``thread_follow_ups`` answers in a thread without a mention who was answered there before; it takes the privileged
    Message Content Intent. ``session_file`` is where the gateway's session is kept, so that the next process hears what was
    said until it came; without one, it hears what is said from then on. ``shards`` are those of ``shard_count`` that this
    process has.
    """

    token: str
    api_url: str | None = None
    gateway_url: str | None = None
    thread_follow_ups: bool = False
    session_file: Path | None = None
    shards: tuple[int, ...] = (0,)
    shard_count: int = 1
    admission: Admission = EVERYONE


@dataclass(frozen=True, slots=True)
class Identity:
    """Who we are to Discord: the ids of the application and of its bot, its name, and whose it is."""

    application: str
    bot_user: str
    name: str
    owners: frozenset[str] = frozenset()
    """The people whose application it is, by their ids."""


def _identity(user: object, application: object) -> Identity:
    """Return who we are by Discord's own words; whose the application is, is its owner or everyone in the team that owns it.

    Raises Unreadable where they don't say who we are.
    """
    team = look(application, "team")
    owners = list_at(team, "members") if team else [look(application, "owner")]
    people = {text_at(look(each, "user") if team else each, "id") for each in owners}
    known = frozenset(filter(None, people))
    return Identity(id_at(application, "id"), id_at(user, "id"), text_at(user, "username"), known)


class TokenRefused(CommandError):
    """Discord does not know the token."""


class Connection:
    """One bot's connection, or that of one of its shards, from ``log_in`` to ``close``; it may be opened again."""

    def __init__(
        self,
        config: DiscordConfig,
        web: DiscordWeb,
        *,
        patience: Patience = _STARTING,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Give ``web`` its client while there is a connection; try to log in with this patience.

        ``seconds`` is a clock that never jumps.
        """
        self._config = config
        self._web = web
        self._patience = patience
        self._sleep = sleep
        self._seconds = seconds
        self._intents = intents(message_content=config.thread_follow_ups)
        (self._shard,) = config.shards
        self._keeper = Keeper(_file_of(config, self._shard), _session_key(config.token, self._intents))
        self.loss = Loss()
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
        client = self._client = _Client(
            self._intents, take or _ignore, self._keeper, self._seconds, (self._shard, self._config.shard_count)
        )
        try:
            us = await self._try_login(client)
        except BaseException:
            await self.close()
            raise
        self._web.http = client.http
        return us

    async def connect(self) -> None:
        """Let events come, first those that a former process missed; returns once they do.

        Raises:
            CommandError: they never will.
        """
        client = self._client
        assert client is not None
        try:
            gateway = self._config.gateway_url or await self._web.gateway()
            self._running = asyncio.create_task(self._run(client, gateway))
            await self._until_ready(client, self._running)
        except (SendFailed, SendRefused) as error:
            await self.close()
            raise CommandError(_NOT_REACHED) from error
        except BaseException:
            await self.close()
            raise

    @property
    def is_up(self) -> bool:
        """Whether events can come at this moment."""
        return self._client is not None and self._client.is_up

    async def close(self) -> None:
        """Disconnect within seconds, so that the session can be resumed; safe to call twice."""
        client, self._client = self._client, None
        running, self._running = self._running, None
        try:
            if running is not None:
                await _end(running)
        finally:
            self._keeper.close()
            await self._web.close()
            if client is not None:
                await client.close()

    async def _try_login(self, client: _Client) -> Identity:
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return await client.log_in(self._config.token)
            except discord.LoginFailure as error:
                raise TokenRefused(_REASONS[4004]) from error
            except _NOT_DISCORD as error:
                await client.http.close()
                raise CommandError(_STRANGE) from error
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

    async def _run(self, client: _Client, gateway: str) -> None:
        """Keep the connection up until it is closed, or Discord has closed it for good again and again.

        Raises:
            CommandError: it never came up, and won't.
        """
        session, reached, failures, silent, refused = self._keeper.resume(), True, 0, 0, 0
        while self._client is client:
            place = place_to_resume(session, gateway) if session is not None and reached else gateway
            ended = await client.listen(place, session)
            session, reached = ended.session, ended.heard is not None
            failures = ended.failures(failures)
            silent = 0 if ended.heard else silent + reached
            refused = refused + 1 if ended.code in _REASONS else 0
            if refused:
                _log.error("discord_gateway_closed", code=ended.code)
                if not client.ready.is_set():
                    raise CommandError(_REASONS[ended.code])
                if refused >= _MOST_REFUSED:
                    self.loss.tell(str(ended.code))
                    return
                session = None
            elif silent >= _MOST_SILENT:
                session = None
            await self._sleep(_pause(ended, failures))


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it is over, or leave it."""
    for _ in range(_MOST_CANCELLED):
        task.cancel()
        await asyncio.wait((task,), timeout=_CANCELLED_SECONDS)
        if task.done():
            return
    _log.error("discord_connection_not_ended")


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a connection ended: the session to resume, the code that Discord closed it with, how many events it had heard.

    ``heard`` is None where it could not be opened; ``useful`` says whether anything was handed over, ``seconds`` how long it
    was open.
    """

    session: Session | None
    code: int = 0
    heard: int | None = None
    useful: bool = False
    seconds: float = 0.0

    def failures(self, before: int) -> int:
        """Return how many connections in a row have failed by now; a short one that was useful never makes it more than two."""
        if self.heard and self.seconds >= _STEADY_SECONDS:
            return 0
        return min(before + 1, 2) if self.useful else before + 1


def _pause(ended: _Ended, failures: int) -> float:
    """Return the seconds to wait before the next connection, so many having failed in a row.

    A session is resumed at once, but a second failure waits.
    """
    if ended.code in _REASONS:
        return _REFUSED_SECONDS
    anew = ended.heard is not None and ended.session is None
    least = NEW_SESSION_SECONDS if anew else 0.0
    if ended.heard and failures <= 1:
        return least
    return max(least, (_BEGINNING if anew else _RESUMING).wait(failures))


def _session_key(token: str, wanted: discord.Intents) -> str:
    """Return what tells whose session it is, and of what it is told; the token can't be read from it."""
    return hashlib.sha256(f"{wanted.value} {token}".encode()).hexdigest()[:32]


def _file_of(config: DiscordConfig, shard: int) -> Path | None:
    """Return where a shard's session is kept: that of another number of shards is told of other servers."""
    file = config.session_file
    if file is None or config.shard_count == 1:
        return file
    return file.with_name(f"{file.stem}-{shard}-of-{config.shard_count}{file.suffix}")


class _Client(discord.Client):
    """discord.py's client without its caches; it knows one connection to the gateway."""

    def __init__(
        self,
        wanted: discord.Intents,
        take: Take,
        keeper: Keeper,
        seconds: Callable[[], float],
        shard: tuple[int, int],
    ) -> None:
        number, count = shard if shard[1] > 1 else (None, None)
        super().__init__(
            intents=wanted,
            shard_id=number,
            shard_count=count,
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            enable_debug_events=True,  # which is how payloads are handed over as they came
            max_ratelimit_timeout=30.0,
        )
        # discord.py would make objects of what comes, and end the connection over a field that Discord leaves out.
        self._connection.parsers.clear()
        self.take = take
        self.ready = asyncio.Event()
        self.is_up = False
        self._keeper = keeper
        self._seconds = seconds
        self._useful = False

    async def log_in(self, token: str) -> Identity:
        """Return who we are, from what Discord says itself; raises as discord.py's client does, and Unreadable."""
        await self._async_setup_hook()
        user: object = await self.http.static_login(token.strip())
        application: object = await self.http.application_info()
        return _identity(user, application)

    async def listen(self, gateway: str, session: Session | None) -> _Ended:
        """Open a connection, resume the session or begin one, and return when it broke off; cancelled, it can be resumed."""
        try:
            async with asyncio.timeout(_OPENING_SECONDS):
                self.ws = await DiscordWebSocket.from_client(
                    self,
                    initial=True,  # the pause between two sessions is ours
                    gateway=yarl.URL(gateway),
                    shard_id=self.shard_id,
                    session=session.id if session else None,
                    sequence=session.sequence if session else None,
                    resume=session is not None,
                )
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            _log.warning("discord_gateway_not_reached", error=outline(error))
            return _Ended(session)
        code, heard, since, self._useful = 0, 0, self._seconds(), False
        last = self.ws.sequence
        try:
            while True:
                await self.ws.poll_event()
                heard += self.ws.sequence != last
                last = self.ws.sequence
        except ReconnectWebSocket:
            pass
        except discord.ConnectionClosed as closed:
            code = closed.code
        except Exception as error:  # noqa: BLE001 - what discord.py makes of a payload is nothing to us
            _log.error("discord_payload_failed", error=outline(error))
        finally:
            self.is_up = False
            with suppress(TimeoutError, aiohttp.ClientError, OSError):
                async with asyncio.timeout(_CLOSING_SECONDS):
                    await self.ws.close()  # with a code after which Discord keeps the session
        return _Ended(self._resumable(session), code, heard, self._useful, self._seconds() - since)

    def _resumable(self, former: Session | None) -> Session | None:
        """Return the session of the connection that ended, None where it has none any more."""
        if self.ws.session_id is None or self.ws.sequence is None:
            return None
        if former is not None and former.id == self.ws.session_id:
            return replace(former, sequence=self.ws.sequence)
        return Session(self.ws.session_id, str(self.ws.gateway), self.ws.sequence)

    async def on_socket_raw_receive(self, text: str) -> None:
        """Hand a payload over; discord.py calls this in the order in which payloads come."""
        payload = json.loads(text)
        operation, event, body, number = (payload.get(each) for each in ("op", "t", "d", "s"))
        if operation == _HEARD_US:
            if self.ready.is_set():  # before, it says nothing of the session
                self._keeper.heard()
        elif operation == _INVALID_SESSION and not body:
            self._keeper.forget()
        elif isinstance(number, int) and isinstance(body, dict):
            await self._see_to(number, event, body)

    async def _see_to(self, number: int, event: str, body: Mapping[str, Any]) -> None:
        if event == "READY":
            self._keeper.follow(Session(str(body["session_id"]), str(body["resume_gateway_url"]), number))
        if event in _UP:
            self.ready.set()
            self.is_up = True
        self._useful |= event in EVENTS
        seen_to = self._keeper.told(number)
        try:
            if event in EVENTS and not await self.take(event, body):
                return
        except Exception:
            seen_to()  # it would only fail again
            raise
        seen_to()

    async def on_error(self, event_method: str, /, *_arguments: Any, **_more: Any) -> None:
        """Log that a handler failed, without the payload that discord.py would show."""
        import sys

        error = sys.exc_info()[1]
        _log.error("discord_event_failed", where=event_method, error=outline(error) if error else "")


async def _ignore(_event: str, _body: Mapping[str, Any]) -> bool:
    """Take nothing in, and miss nothing."""
    return True


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
