"""A local server of ours that speaks Discord: its REST API v10 and its Gateway, for a bot that is given both addresses.

The bot under test is mostly another process, unmodified: it gets ``TOKEN``, ``api_url`` and ``gateway_url``, and is answered
by Discord's rules, with Discord's codes. Tests play the people (``say``, ``command``, ``press``, ``submit`` …), look at
screens (``seen_by``, ``answers_to``, ``modal``), and order misbehaviour (``fail``, ``slow``, ``drop_socket``, ``reconnect``,
``invalid_session`` …). ``calls`` has everything that the bot asked.

Users, guilds and channels are named by their id or their name. A new server has the people ``ana`` and ``ben`` (ANA, BEN) in
the guild ``home`` (HOME) with its channel ``general`` (GENERAL), where the app is installed and the bot is with the
permissions of a careful invite link; nobody has installed the app for themselves until ``install`` says so.

Left out on purpose: voice, presences, reactions of people, pins, polls, stickers, forwarding, forums and announcement
channels, webhooks of guilds, command permissions, localised commands, moderation, slow mode, role overwrites (``forbid`` is the
bot's own), the system messages of threads, automatic archiving, HTTP interactions, etf encoding, and rate limits that are not
ordered (``fail``, ``limit``). Stricter than Discord: an interaction's token edits only its own messages, and a route that is not modelled is an error of the test.
"""

from __future__ import annotations

import asyncio
import copy
import json
import time
import warnings
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from tests.support.discord_fake import applications, interacting, places  # noqa: F401  (they register their routes)
from tests.support.discord_fake.bodies import FILE_BYTES, REQUEST_BYTES, Upload, check_body, fill
from tests.support.discord_fake.delivery import NotAcknowledged, Sent
from tests.support.discord_fake.faults import Bucket, Call, Fault, Faults
from tests.support.discord_fake.gateway import INVALID, RECONNECT, Gateway
from tests.support.discord_fake.pressing import Choice, Field, Pressing, SeenModal
from tests.support.discord_fake.refusals import Refusal
from tests.support.discord_fake.rendering import Button, Menu
from tests.support.discord_fake.routes import ROUTES, Ask, Route
from tests.support.discord_fake.state import APP, BOT, Channel, Guild, Interaction, Message, Role, Seen, SeenFile, User
from tests.support.discord_fake.wire import Wire
from tests.support.discord_fake.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = [
    "ANA",
    "APP",
    "BEN",
    "BOT",
    "GENERAL",
    "HOME",
    "TOKEN",
    "Button",
    "Call",
    "Channel",
    "Choice",
    "DiscordServer",
    "Field",
    "Menu",
    "NotAcknowledged",
    "Seen",
    "SeenFile",
    "SeenModal",
    "Sent",
]

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.G00000.test-token"
ANA, BEN = "200000000000000001", "200000000000000002"
HOME, GENERAL = "300000000000000001", "400000000000000001"
#: An interaction's token is good for fifteen minutes.
TOKEN_SECONDS = 900.0
_BASE = "/api/v10"


class DiscordServer(Pressing):
    """The server, in this event loop: ``async with DiscordServer() as discord``."""

    def __init__(self) -> None:
        self.world = World()
        self.wire = Wire(self.world)
        self.failures: list[BaseException] = []
        self.gateway = Gateway(self.world, self.wire, self.failures)
        self.gateway.token = TOKEN
        self.gateway.changed = self.changed
        self.faults = Faults()
        self.calls: list[Call] = []
        self.commands: dict[str | None, dict[str, dict[str, Any]]] = {}
        """The registered commands by guild (None: the global ones) and id."""
        self.creates: dict[str | None, int] = {}
        """The day's command creates by guild."""
        self.interactions: dict[str, Interaction] = {}
        """By token."""
        self.typing: list[tuple[str, float]] = []
        """Where the bot was seen typing, and when (``time.monotonic``)."""
        self.reactions: list[tuple[str, str]] = []
        """The bot's reactions: message and emoji."""
        self.token_seconds = TOKEN_SECONDS
        """How long interactions' tokens are good for."""
        self.size_limit = FILE_BYTES
        """``attachment_size_limit`` of interactions, in bytes."""
        self.lateness = 0.0
        """How many of an interaction's three seconds are gone when it arrives, from now on."""
        self._change = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.world.add_user("ana", number=ANA)
        self.world.add_user("ben", number=BEN)
        self.world.add_guild("home", "ana", "ben", number=HOME)
        self.world.add_channel("general", number=GENERAL)

    # -- life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2 * REQUEST_BYTES)
        for route in ROUTES:
            app.router.add_route(route.method, _BASE + route.path, self._handler(route))
        app.router.add_get("/attachments/{channel}/{file}/{name}", self._download)
        app.router.add_get("/gateway/", self.gateway.connect)
        app.router.add_get("/gateway", self.gateway.connect)
        app.router.add_route("*", "/{tail:.*}", self._unknown)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        port = self._runner.addresses[0][1]
        self.wire.base = f"http://127.0.0.1:{port}"
        self.gateway.url = f"ws://127.0.0.1:{port}/gateway/"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self.failures and error is None:
            raise BaseExceptionGroup("the Discord server itself failed", self.failures)

    @property
    def url(self) -> str:
        """Where it listens."""
        return self.wire.base

    @property
    def api_url(self) -> str:
        """The base of its REST API, in place of ``https://discord.com/api/v10``."""
        return f"{self.url}{_BASE}"

    @property
    def gateway_url(self) -> str:
        """The Gateway's address, as ``GET /gateway/bot`` answers it."""
        return self.gateway.url

    # -- the world

    def add_user(self, name: str, shown: str = "", *, guild: str | None = None, **facts: Any) -> User:
        """Someone new, in the guild (``home``; ``""`` for none): ``installed``, ``accepts_dms``, ``locale``, ``bot``."""
        user = self.world.add_user(name, shown, **facts)
        if guild != "":
            self.world.guild(guild).members[user.id] = set()
        return user

    def add_guild(self, name: str, *members: str, bot: bool = True, installed: bool | None = None) -> Guild:
        """A guild of these people; ``bot=False`` without the bot; ``installed``: with the app's commands (as with the bot)."""
        return self.world.add_guild(name, *members, bot=bot, installed=bot if installed is None else installed)

    def add_channel(self, name: str, *people: str, guild: str | None = None) -> Channel:
        """A text channel, for everybody in the guild, or for these people and the bot; the bot learns of it when it connects."""
        return self.world.add_channel(name, *people, guild=guild)

    def add_group(self, name: str, *people: str) -> Channel:
        """A private channel between people, without the bot: a group, or with two people their direct messages."""
        return self.world.add_group(name, *people)

    def add_role(self, name: str, *members: str, mentionable: bool = False, guild: str | None = None) -> Role:
        return self.world.add_role(name, *members, mentionable=mentionable, guild=guild)

    def install(self, user: str) -> None:
        """Let someone add the app to themselves."""
        self.world.user(user).installed = True

    def forbid(self, channel: str, *permissions: str, user: str | None = None) -> None:
        """Take permissions from the bot (or someone else) in a channel (``send_messages``, ``embed_links`` …)."""
        place = self.world.channel(channel)
        denied = place.denied_to.setdefault(self.world.user(user).id, set()) if user else place.denied
        denied.update(permissions)

    def allow_intents(self, *names: str) -> None:
        """Switch privileged intents on for the application: ``members``, ``presences``, ``message_content``."""
        self.gateway.allowed_intents |= set(names)

    def dm(self, user: str) -> str:
        """The id of someone's direct messages with the bot."""
        return self.world.dm(user).id

    # -- what people see

    def seen_by(self, user: str) -> list[Seen]:
        """Every message that this person can read now, oldest first, as it stands now."""
        return self.world.seen_by(user)

    def answers_to(self, user: str) -> list[Seen]:
        """Of these, what the bot wrote and has finished loading."""
        return [seen for seen in self.world.seen_by(user) if seen.user == BOT and not seen.loading]

    def changed(self) -> None:
        """Wake whoever waits in ``until``."""
        woken, self._change = self._change, asyncio.Event()
        woken.set()

    async def until(self, holds: Callable[[], Any], timeout: float = 20.0) -> Any:
        """Wait for a condition on what is seen or was called; returns what it gave, AssertionError in the end."""
        end = time.monotonic() + timeout
        while not (found := holds()):
            left = end - time.monotonic()
            if self.failures:
                raise BaseExceptionGroup("the Discord server itself failed", self.failures)
            last = [f"{call.method} {call.path} {call.status}" for call in self.calls[-10:]]
            assert left > 0, f"not within {timeout} s; the last calls: {last}"
            try:
                await asyncio.wait_for(self._change.wait(), min(left, 0.2))
            except TimeoutError:
                continue
        return found

    async def connected(self, sessions: int = 1, timeout: float = 20.0) -> None:
        """Wait until so many sessions have a connection."""
        live = lambda: sum(each.socket is not None for each in self.gateway.sessions.values()) >= sessions  # noqa: E731
        await self.until(live, timeout)

    def calls_of(self, pattern: str) -> list[Call]:
        """The calls that fit, such as ``POST /channels/*/messages``."""
        return [call for call in self.calls if call.fits(pattern)]

    # -- misbehaviour

    def fail(
        self,
        pattern: str,
        status: int = 500,
        *,
        code: int | None = None,
        retry_after: float | None = None,
        is_global: bool = False,
        times: int = 1,
        after_effect: bool = False,
        drop: bool = False,
        where: Callable[[Call], bool] | None = None,
        html: bool = False,
    ) -> None:
        """Let the next calls fail that fit ``METHOD /path`` (``*`` for any part; the path as asked, or with its names).

        ``retry_after`` (seconds) makes it a 429; ``drop`` cuts the connection. With ``after_effect`` the thing is done and only
        its answer is lost; with ``html`` it is a proxy that answers. ``GET /attachments/*`` is the download of a file.
        """
        if retry_after is not None or status == 429:
            status, retry_after = 429, 1.0 if retry_after is None else retry_after
        self.faults.order(pattern, Fault(status, code, retry_after, times, after_effect, drop, is_global, where, html))

    def slow(self, pattern: str, seconds: float) -> None:
        """Let every call that fits take so long."""
        self.faults.slow(pattern, seconds)

    def limit(self, pattern: str, calls: int, per: float) -> None:
        """Keep a rate limit: so many calls in ``per`` seconds for each channel (``*``: the global one, for everything)."""
        self.faults.buckets.append(Bucket(pattern, calls, per))

    def behave(self) -> None:
        """Forget all orders to fail, be slow, or limit."""
        self.faults.clear()

    async def drop_socket(self, *, resumable: bool = True, code: int | None = None) -> None:
        """End the bot's connections: cut without a word, or closed with a code; its session may be resumed or not."""
        await self.gateway.drop(resumable=resumable, code=code)

    async def reconnect(self) -> None:
        """Ask the bot to come back on a new connection (op 7)."""
        await self.gateway.tell_all(RECONNECT, None)

    async def invalid_session(self, *, resumable: bool = False) -> None:
        """Tell the bot that its session is invalid (op 9)."""
        await self.gateway.tell_all(INVALID, resumable)

    def refuse_connections(self, times: int) -> None:
        """Answer the next handshakes of the Gateway with 503."""
        self.gateway.refusals = times

    def age(self, sent: Sent, seconds: float) -> None:
        """Let an interaction be older than it is, for its three seconds and its fifteen minutes."""
        interaction = next(each for each in self.interactions.values() if each.sent is sent)
        interaction.started -= seconds

    # -- messages that change

    async def change(self, message: Message, upload: Upload) -> None:
        """Edit a message of the bot: what is wrong raises and changes nothing."""
        check_body(upload, message=message)
        self.fill_again(message, upload)
        await self.tell_message("MESSAGE_UPDATE", message)

    def fill_again(self, message: Message, upload: Upload) -> None:
        before = copy.copy(message)
        try:
            fill(message, self.world, upload, links=message.embed_links)
        except Refusal:
            vars(message).update(vars(before))
            raise
        if "allowed_mentions" not in upload.data:
            message.allowed = before.allowed
        default = ("users",) if message.interaction else ("users", "roles", "everyone")
        self.world.count_mentions(message, default, edit=True)
        message.edited = time.time()
        message.changed()

    # -- the API

    def _handler(self, route: Route) -> Callable[[web.Request], Any]:
        async def answer(request: web.Request) -> web.StreamResponse:
            call = Call(
                request.method, request.path.removeprefix(_BASE), f"{route.method} {route.path}", time.monotonic()
            )
            call.query = dict(request.query)
            self.calls.append(call)
            try:
                upload = await _read(request)
            except Refusal as refusal:
                call.status, call.code = refusal.status, refusal.code
                return _json(refusal.body(), status=refusal.status)
            call.body, call.files = upload.data, upload.files
            ask = Ask(dict(request.match_info), call.query, upload)
            return await self._answer(request, call, route, ask)

        return answer

    async def _answer(self, request: web.Request, call: Call, route: Route, ask: Ask) -> web.StreamResponse:
        """Run one call with what was ordered for it, record it, and answer."""
        if delay := self.faults.delay(call):
            await asyncio.sleep(delay)
        headers: dict[str, str] = {}
        if bucket := self.faults.bucket(call):
            allowed, headers, wait = bucket.take(call)
            if not allowed:
                limited = Fault(
                    429, None, wait, 1, after_effect=False, drop=False, is_global=bucket.pattern == "*", where=None
                )
                return self._misbehave(request, call, limited, headers)
        fault = self.faults.take(call)
        if fault is None or fault.after_effect:
            answered = await self._work(request, call, route, ask)
            answered.headers.update(headers)
        if fault is not None:
            answered = self._misbehave(request, call, fault, {})
        self.changed()
        return answered

    def _misbehave(self, request: web.Request, call: Call, fault: Fault, headers: dict[str, str]) -> web.Response:
        call.code = fault.code
        if fault.drop:
            assert request.transport is not None
            request.transport.abort()
            return web.Response(status=500)
        if fault.html:
            call.status = fault.status
            return web.Response(status=fault.status, text="<html>error</html>", content_type="text/html")
        call.status, call.answer = fault.status, fault.body()
        return _json(call.answer, status=fault.status, headers=fault.headers() | headers)

    async def _work(self, request: web.Request, call: Call, route: Route, ask: Ask) -> web.Response:
        try:
            self._authorise(request, route)
            call.answer = await route.handler(self, ask)
        except Refusal as refusal:
            call.status, call.code, call.answer = refusal.status, refusal.code, refusal.body()
            return _json(call.answer, status=refusal.status, headers=refusal.headers)
        except Exception as error:  # noqa: BLE001  (ours: raised in until and at exit)
            self.failures.append(error)
            call.status = 500
            return _json({"message": "500: Internal Server Error", "code": 0}, status=500)
        call.status = 204 if call.answer is None else 200
        return web.Response(status=204) if call.answer is None else _json(call.answer)

    def _authorise(self, request: web.Request, route: Route) -> None:
        if not route.open and request.headers.get("Authorization") != f"Bot {self.gateway.token}":
            raise Refusal(40001)

    async def _unknown(self, request: web.Request) -> web.Response:
        self.failures.append(AssertionError(f"the fake has no {request.method} {request.path}"))
        return _json({"message": "404: Not Found", "code": 0}, status=404)

    async def _download(self, request: web.Request) -> web.StreamResponse:
        call = Call(request.method, request.path, "GET /attachments/{channel}/{file}/{name}", time.monotonic())
        self.calls.append(call)
        if delay := self.faults.delay(call):
            await asyncio.sleep(delay)
        if fault := self.faults.take(call):
            return self._misbehave(request, call, fault, {})
        file = self.world.files.get(request.match_info["file"])
        query, now = request.query, time.time() * 1000
        good = file is not None and query.get("hm") == file.id and int(query.get("ex", "0"), 16) > now
        call.status = 200 if good else 404
        self.changed()
        if file is None or not good:
            return web.Response(status=404, text="This content is no longer available.")
        return web.Response(
            body=file.data, content_type=(file.content_type or "application/octet-stream").partition(";")[0]
        )


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """An answer in JSON; its type has no charset, as with Discord (discord.py reads only that as JSON)."""
    told = {"Content-Type": "application/json", **(headers or {})}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=told)


async def _read(request: web.Request) -> Upload:
    """A request's body: JSON, or a form whose ``payload_json`` is the JSON and whose files are named ``files[n]``."""
    if (request.content_length or 0) > REQUEST_BYTES:
        raise Refusal(40005)
    if request.content_type != "multipart/form-data":
        text = await request.text()
        try:
            return Upload(json.loads(text) if text else {})
        except ValueError:
            raise Refusal(50109) from None
    data: Any = {}
    files: dict[str, tuple[str, bytes]] = {}
    form = await request.multipart()
    async for part in form:
        name = getattr(part, "name", None) or ""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # aiohttp's own, of what it still does inside
            content = bytes(await part.read())  # type: ignore[union-attr]
        if name == "payload_json":
            data = json.loads(content)
        else:
            files[name] = (getattr(part, "filename", None) or name, content)
    return Upload(data, files)
