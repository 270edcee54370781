"""How payloads reach the app: Socket Mode envelopes, or signed HTTP posts where ``http_target`` is set."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import uuid4

import aiohttp
from aiohttp import web

from tests.support.slack.state import APP

if TYPE_CHECKING:
    from collections.abc import Callable

EVENT, INTERACTIVE, COMMAND = "events_api", "interactive", "slash_commands"
_MOST_SOCKETS = 10


class NotAcknowledged(AssertionError):
    """The app gave no acknowledgement in time."""


@dataclass(eq=False)
class Sent:
    """One thing that a person did, as it went to the app; ``envelopes`` has one id for each delivery of it."""

    kind: str
    payload: dict[str, Any]
    channel: str = ""
    ts: str = ""
    delivered: bool = True
    """False for what the app is not subscribed to."""
    trigger_id: str = ""
    response_url: str = ""
    envelopes: list[str] = field(default_factory=list)
    delivered_at: float = 0.0
    """When it was last delivered, by ``time.monotonic``; 0 while no socket could take it."""
    acked_at: float = 0.0
    status: int = 0
    """The HTTP status it was answered with, where it went by HTTP."""
    response: dict[str, Any] = field(default_factory=dict)
    """What came with the acknowledgement."""
    twin: Sent | None = None
    """The ``message`` event of a mention."""
    on_ack: Callable[[Sent], None] | None = field(default=None, repr=False)
    _acked: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    @property
    def event_id(self) -> str:
        return str(self.payload.get("event_id", ""))

    @property
    def envelope_id(self) -> str:
        """The last delivery's."""
        return self.envelopes[-1] if self.envelopes else ""

    @property
    def is_acknowledged(self) -> bool:
        return self._acked.is_set()

    @property
    def response_action(self) -> str:
        return str(self.response.get("response_action", ""))

    @property
    def errors(self) -> dict[str, str]:
        """What a modal's acknowledgement found wrong, by block id."""
        return dict(self.response.get("errors") or {})

    async def acknowledged(self, timeout: float = 10.0) -> float:
        """Return the seconds from (the last) delivery to the acknowledgement; raises NotAcknowledged."""
        try:
            await asyncio.wait_for(self._acked.wait(), timeout)
        except TimeoutError:
            raise NotAcknowledged(f"no acknowledgement of {self.kind} {self.event_id} in {timeout} s") from None
        return self.acked_at - self.delivered_at

    def acknowledge(self, response: dict[str, Any] | None = None, status: int = 200) -> None:
        if self._acked.is_set():
            return
        self.acked_at, self.status, self.response = time.monotonic(), status, response or {}
        self._acked.set()
        if self.on_ack:
            self.on_ack(self)


class _Socket:
    """One open connection of the app."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self.request = request
        self.draining = False


class Delivery:
    """Hands each payload to one of the app's sockets and keeps who acknowledged what."""

    def __init__(
        self,
        failures: list[BaseException],
        dressed: Callable[[dict[str, Any]], dict[str, Any]] = lambda payload: payload,
    ) -> None:
        self._dressed = dressed
        self.sockets: list[_Socket] = []
        self.sent: list[Sent] = []
        self.http_target: str | None = None
        self.signing_secret = "signing-secret"
        self.connections = 0
        self.refusals = 0
        self._failures = failures
        self._open: dict[str, tuple[Sent, _Socket]] = {}
        self._waiting: list[Sent] = []
        self._turn = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None
        self._closing = False

    # -- sending

    async def deliver(self, sent: Sent) -> Sent:
        """Send it now; an event waits for a socket where there is none, what a person pressed is lost (as with Slack)."""
        sent.payload = self._dressed(sent.payload)
        self.sent.append(sent)
        return await self._deliver(sent, "")

    async def _deliver(self, sent: Sent, reason: str) -> Sent:
        if self.http_target:
            sent.envelopes.append(str(uuid4()))
            sent.delivered_at = time.monotonic()
            self.start(self._post(sent, reason))
            return sent
        free = [each for each in self.sockets if not each.draining and not each.ws.closed]
        if not free:
            if sent.kind == EVENT:
                self._waiting.append(sent)
            else:
                sent.delivered = False
            return sent
        self._turn += 1
        await self._send(sent, free[self._turn % len(free)], reason)
        return sent

    async def _send(self, sent: Sent, socket: _Socket, reason: str) -> None:
        envelope = str(uuid4())
        body: dict[str, Any] = {
            "envelope_id": envelope,
            "type": sent.kind,
            "payload": sent.payload,
            "accepts_response_payload": sent.kind != EVENT,
        }
        if sent.kind == EVENT:
            body |= {"retry_attempt": len(sent.envelopes), "retry_reason": reason}
        sent.envelopes.append(envelope)
        self._open[envelope] = (sent, socket)
        sent.delivered_at = time.monotonic()
        try:
            await socket.ws.send_str(json.dumps(body))
        except ConnectionError:
            socket.draining = True
            if sent.kind == EVENT:
                self._waiting.append(sent)

    async def redeliver(self, sent: Sent, reason: str = "timeout") -> Sent:
        """Deliver the same payload once more, as Slack does after a failure."""
        return await self._deliver(sent, reason)

    async def _post(self, sent: Sent, reason: str) -> None:
        """One HTTP delivery; only a 2xx within 3 seconds acknowledges."""
        assert self.http_target
        if sent.kind == EVENT:
            body, content = json.dumps(sent.payload), "application/json"
        elif sent.kind == COMMAND:
            body, content = urlencode(sent.payload), "application/x-www-form-urlencoded"
        else:
            body, content = urlencode({"payload": json.dumps(sent.payload)}), "application/x-www-form-urlencoded"
        headers = self.signed(body) | {"Content-Type": content}
        if len(sent.envelopes) > 1:
            headers |= {"X-Slack-Retry-Num": str(len(sent.envelopes) - 1), "X-Slack-Retry-Reason": reason}
        if self._session is None:
            self._session = aiohttp.ClientSession()
        try:
            wait = aiohttp.ClientTimeout(total=3)
            async with self._session.post(self.http_target, data=body, headers=headers, timeout=wait) as answer:
                text = await answer.text()
                sent.status = answer.status
                if answer.status < 300:
                    sent.acknowledge(_response(text, answer.content_type), answer.status)
        except (TimeoutError, aiohttp.ClientError):
            sent.status = 0

    def signed(self, body: str, *, at: int | None = None) -> dict[str, str]:
        """The headers that sign a body (https://docs.slack.dev/authentication/verifying-requests-from-slack)."""
        stamp = str(int(time.time()) if at is None else at)
        base = f"v0:{stamp}:{body}".encode()
        digest = hmac.new(self.signing_secret.encode(), base, hashlib.sha256).hexdigest()
        return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}

    # -- sockets

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """The WebSocket's life: hello, acknowledgements in, and on a new connection what was left open."""
        if self.refusals > 0:
            self.refusals -= 1
            return web.Response(status=503)
        if len([each for each in self.sockets if not each.ws.closed]) >= _MOST_SOCKETS:
            return web.Response(status=429)
        ws = web.WebSocketResponse(autoping=True)
        await ws.prepare(request)
        socket = _Socket(ws, request)
        self.sockets.append(socket)
        self.connections += 1
        await ws.send_str(json.dumps(self._hello()))
        await self._resume(socket)
        try:
            async for message in ws:
                if message.type == aiohttp.WSMsgType.TEXT:
                    self._take_ack(json.loads(message.data))
        except ConnectionResetError:
            pass
        finally:
            self.sockets.remove(socket)
        if self.sockets and not self._closing:
            await self._resume(self.sockets[0])
        return ws

    def _hello(self) -> dict[str, Any]:
        debug = {"host": "applink-1", "build_number": 1, "approximate_connection_time": 18060}
        return {
            "type": "hello",
            "num_connections": len(self.sockets),
            "debug_info": debug,
            "connection_info": {"app_id": APP},
        }

    async def _resume(self, socket: _Socket) -> None:
        """What waited is delivered, and events are redelivered that went to a socket that is gone."""
        waiting, self._waiting = self._waiting, []
        for sent in waiting:
            await self._send(sent, socket, "")
        lost = {key: sent for key, (sent, on) in self._open.items() if on.ws.closed or on not in self.sockets}
        for envelope, sent in lost.items():
            del self._open[envelope]
            if sent.kind == EVENT and not sent.is_acknowledged and sent.envelopes[-1] == envelope:
                await self._send(sent, socket, "http_error")

    def _take_ack(self, message: dict[str, Any]) -> None:
        held = self._open.pop(message.get("envelope_id", ""), None)
        if held is not None:
            payload = message.get("payload")
            held[0].acknowledge(payload if isinstance(payload, dict) else None)

    async def connected(self, sockets: int = 1, timeout: float = 20.0) -> None:
        """Wait until the app has this many connections."""
        async with asyncio.timeout(timeout):
            while len(self.sockets) < sockets:
                await asyncio.sleep(0.01)

    async def drop(self, *, announce: bool, reason: str) -> None:
        """End every connection: with Slack's ``disconnect`` message (the app leaves by itself), or just cut."""
        for socket in list(self.sockets):
            if announce:
                socket.draining = True
                debug = {"host": "applink-1"}
                await socket.ws.send_str(json.dumps({"type": "disconnect", "reason": reason, "debug_info": debug}))
            else:
                transport = socket.request.transport
                if transport is not None:
                    transport.abort()
        if not announce:
            async with asyncio.timeout(5):
                while self.sockets:
                    await asyncio.sleep(0)

    def start(self, work: Any) -> None:
        """Send something without waiting for it; what it raises is raised when the server ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._failures.append(error)

    async def close(self) -> None:
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for socket in list(self.sockets):
            await socket.ws.close()
        if self._session is not None:
            await self._session.close()


def _response(text: str, content: str) -> dict[str, Any] | None:
    if not text:
        return None
    if content == "application/json":
        loaded = json.loads(text)
        return loaded if isinstance(loaded, dict) else None
    return {"text": text}
