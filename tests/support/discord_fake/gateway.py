"""The Gateway: sessions that outlive their connections, and what each is told.

https://docs.discord.com/developers/events/gateway: HELLO, IDENTIFY or RESUME, READY, heartbeats, dispatches with numbers,
replay of what a dropped connection missed.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import aiohttp
import zstandard
from aiohttp import web

from tests.support.discord_fake.state import APP

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.discord_fake.wire import Wire
    from tests.support.discord_fake.world import World

GUILDS, GUILD_MEMBERS, PRESENCES, GUILD_MESSAGES, DIRECT_MESSAGES, CONTENT = 1, 1 << 1, 1 << 8, 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = {"members": GUILD_MEMBERS, "presences": PRESENCES, "message_content": CONTENT}
_KNOWN_INTENTS = (1 << 26) - 1
DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    0,
    1,
    2,
    3,
    4,
    6,
    7,
    8,
    9,
    10,
    11,
)


class _Packer(Protocol):
    def pack(self, text: str) -> bytes: ...


class _Zlib:
    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, text: str) -> bytes:
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class _Zstd:
    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor().compressobj()

    def pack(self, text: str) -> bytes:
        return self._stream.compress(text.encode()) + self._stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


_PACKERS: dict[str, Callable[[], _Packer]] = {"zlib-stream": _Zlib, "zstd-stream": _Zstd}


class Socket:
    """One connection, compressed as its address asked."""

    def __init__(self, request: web.Request) -> None:
        self.request = request
        self.ws = web.WebSocketResponse(autoping=True, max_msg_size=0)
        self.session: Session | None = None
        self.dropped = False
        """Whether the server ended it, so that its close code says nothing of what the client wanted."""
        make = _PACKERS.get(request.query.get("compress", ""))
        self._packer = make() if make else None

    async def send(self, op: int, data: Any, *, event: str | None = None, number: int | None = None) -> None:
        text = json.dumps({"op": op, "d": data, "s": number, "t": event})
        if self.ws.closed:
            return
        try:
            if self._packer:
                await self.ws.send_bytes(self._packer.pack(text))
            else:
                await self.ws.send_str(text)
        except ConnectionError:
            pass


@dataclass(eq=False)
class Session:
    """What an IDENTIFY began: its intents, and everything dispatched, by number."""

    id: str
    intents: int
    token: str
    socket: Socket | None = None
    number: int = 0
    resumable: bool = True
    left: float = 0.0
    """Since when it has no connection (``time.monotonic``)."""
    events: list[tuple[int, str, dict[str, Any]]] = field(default_factory=list)
    ready: bool = False
    shard: tuple[int, int] = (0, 1)

    def hears(self, event: str, data: dict[str, Any]) -> bool:
        """Whether what happened is its shard's to tell: that of the server, and the first one's without a server."""
        guild = data.get("guild_id") or (data.get("id") if event.startswith("GUILD_") else None)
        number, count = self.shard
        return ((int(guild) >> 22) % count if guild else 0) == number


class Gateway:
    """Accepts connections and tells sessions what happens.

    A session without a connection lasts ``lasts`` seconds, unless it was closed with 1000 or 1001; only the token that it
    was begun with resumes it.
    """

    def __init__(self, world: World, wire: Wire, failures: list[BaseException]) -> None:
        self.world, self.wire = world, wire
        self.token = ""
        self.url = ""
        self.allowed_intents: set[str] = set()
        self.sessions: dict[str, Session] = {}
        self.sockets: list[Socket] = []
        self.identifies: list[dict[str, Any]] = []
        self.resumes = 0
        self.invalid = 0
        """How many resumptions were refused."""
        self.flaps = 0
        """How many more connections are closed (4000) as soon as they have resumed."""
        self.lasts = 180.0
        self.refusals = 0
        self.heartbeats = 0
        self.heartbeat_interval = 41250
        self.changed: Callable[[], None] = lambda: None
        self._failures = failures
        self._lock = asyncio.Lock()

    # -- telling

    async def dispatch(self, event: str, make: Callable[[Session], dict[str, Any] | None]) -> bool:
        """Tell every session what ``make`` gives for it; True where one was told, or will be when it resumes."""
        told = False
        async with self._lock:
            for session in list(self.sessions.values()):
                data = make(session)
                if data is not None and session.hears(event, data) and self._is_alive(session):
                    await self._tell(session, event, data)
                    told = True
        return told

    async def _tell(self, session: Session, event: str, data: dict[str, Any]) -> None:
        session.number += 1
        session.events.append((session.number, event, data))
        if session.socket and session.ready:
            await session.socket.send(DISPATCH, data, event=event, number=session.number)

    # -- a connection's life

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if self.refusals > 0:
            self.refusals -= 1
            return web.Response(status=503)
        socket = Socket(request)
        await socket.ws.prepare(request)
        self.sockets.append(socket)
        try:
            await socket.send(HELLO, {"heartbeat_interval": self.heartbeat_interval, "_trace": ["[]"]})
            async for message in socket.ws:
                if message.type == aiohttp.WSMsgType.TEXT:
                    await self._take(socket, message.data)
        except ConnectionResetError:
            pass
        except Exception as error:  # noqa: BLE001  (ours: raised when the test ends)
            self._failures.append(error)
            await socket.ws.close(code=4000)
        finally:
            self.sockets.remove(socket)
            self._leave(socket)
            self.changed()
        return socket.ws

    def _leave(self, socket: Socket) -> None:
        session = socket.session
        if session is None or session.socket is not socket:
            return
        session.socket, session.left = None, time.monotonic()
        # A client that closes with 1000 or 1001 ends its session; so does one that may not resume.
        left = not socket.dropped and socket.ws.close_code in {1000, 1001}
        if left or not session.resumable:
            self.sessions.pop(session.id, None)

    def _is_alive(self, session: Session) -> bool:
        """Whether it has a connection, or may still be resumed."""
        if session.socket is not None:
            return True
        return session.resumable and time.monotonic() - session.left < self.lasts

    async def _take(self, socket: Socket, text: str) -> None:
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError):
            await socket.ws.close(code=4002)
            return
        if op == HEARTBEAT:
            self.heartbeats += 1
            await socket.send(ACK, None)
        elif op == IDENTIFY:
            await self._identify(socket, data)
        elif op == RESUME:
            await self._resume(socket, data)
        elif socket.session is None:
            await socket.ws.close(code=4003)
        elif op == MEMBERS:
            await self._members(socket.session, data)
        elif op not in {PRESENCE, VOICE}:
            await socket.ws.close(code=4001)

    async def _identify(self, socket: Socket, data: dict[str, Any]) -> None:
        self.identifies.append(data)
        if socket.session is not None:
            await socket.ws.close(code=4005)
            return
        if data.get("token") != self.token:
            await socket.ws.close(code=4004, message=b"Authentication failed.")
            return
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_KNOWN_INTENTS:
            await socket.ws.close(code=4013, message=b"Invalid intent(s).")
            return
        if any(intents & bit and name not in self.allowed_intents for name, bit in PRIVILEGED.items()):
            await socket.ws.close(code=4014, message=b"Disallowed intent(s).")
            return
        shard = tuple(data.get("shard") or (0, 1))
        if len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            await socket.ws.close(code=4010, message=b"Invalid shard.")
            return
        session = Session(secrets.token_hex(16), intents, self.token, socket, ready=True, shard=shard)
        socket.session = session
        async with self._lock:
            await self._greet(session)
            self.sessions[session.id] = session
        self.changed()

    async def _greet(self, session: Session) -> None:
        guilds = [
            guild
            for guild in self.world.guilds.values()
            if guild.bot and session.hears("GUILD_CREATE", {"id": guild.id})
        ]
        ready = {
            "v": 10,
            "user": self.wire.me(),
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "application": {"id": APP, "flags": 0},
            "private_channels": [],
            "relationships": [],
            "user_settings": {},
            "shard": list(session.shard),
        }
        await self._tell(session, "READY", ready)
        if session.intents & GUILDS:
            for guild in guilds:
                told = self.wire.guild(guild, all_members=bool(session.intents & GUILD_MEMBERS))
                await self._tell(session, "GUILD_CREATE", told)

    async def _resume(self, socket: Socket, data: dict[str, Any]) -> None:
        if socket.session is not None:
            await socket.ws.close(code=4005)
            return
        if data.get("token") != self.token:
            await socket.ws.close(code=4004, message=b"Authentication failed.")
            return
        session = self.sessions.get(str(data.get("session_id")))
        number = data.get("seq")
        known = session is not None and session.resumable and session.token == self.token and self._is_alive(session)
        if session is None or not known or not isinstance(number, int):
            self.invalid += 1
            await socket.send(INVALID, data=False)
            return
        if number > session.number:
            self.sessions.pop(session.id)
            await socket.ws.close(code=4007, message=b"Invalid seq.")
            return
        self.resumes += 1
        async with self._lock:
            session.socket, socket.session = socket, session
            for at, event, missed in list(session.events):
                if at > number:
                    await socket.send(DISPATCH, missed, event=event, number=at)
            await self._tell(session, "RESUMED", {"_trace": []})
        self.changed()
        if self.flaps > 0:
            self.flaps -= 1
            socket.dropped = True
            await socket.ws.close(code=4000)

    async def _members(self, session: Session, data: dict[str, Any]) -> None:
        guild = self.world.guilds.get(str(data.get("guild_id")))
        if guild is None:
            return
        asked = data.get("user_ids")
        wanted = (
            {str(each) for each in (asked if isinstance(asked, list) else [asked])} if asked else set(guild.members)
        )
        found = [self.wire.member(guild, each) for each in guild.members if each in wanted]
        told = {"guild_id": guild.id, "members": found, "chunk_index": 0, "chunk_count": 1, "nonce": data.get("nonce")}
        async with self._lock:
            await self._tell(session, "GUILD_MEMBERS_CHUNK", told)

    # -- misbehaviour

    async def drop(self, *, resumable: bool, code: int | None) -> None:
        """End every connection: with a close code, or cut; sessions that may not resume are forgotten."""
        old = list(self.sockets)
        for socket in old:
            socket.dropped = True
            if socket.session:
                socket.session.resumable = resumable
            if code is not None:
                await socket.ws.close(code=code)
            elif socket.request.transport is not None:
                socket.request.transport.abort()
        async with asyncio.timeout(5):
            while any(socket in self.sockets for socket in old):
                await asyncio.sleep(0)
        if not resumable:
            for socket in old:
                if socket.session:
                    self.sessions.pop(socket.session.id, None)

    async def tell_all(self, op: int, data: Any) -> None:
        """Send a bare operation to every connection with a session."""
        for socket in list(self.sockets):
            if socket.session:
                if op == INVALID and not data:
                    self.sessions.pop(socket.session.id, None)
                await socket.send(op, data)

    async def close(self) -> None:
        for socket in list(self.sockets):
            await socket.ws.close(code=1001)
