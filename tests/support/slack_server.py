"""A local server of ours that speaks Slack: one workspace with its people, for an app that talks to ``api_url``.

The app under test is mostly another process, unmodified: it gets the tokens and ``api_url``, opens Socket Mode (or
receives signed posts at ``http_target``), and is answered by Slack's rules, with Slack's error names. Tests play the
people (``say``, ``press``, ``command``, ``submit`` …), look at screens (``seen_by``, ``home``, ``modal``), and order
misbehaviour (``fail``, ``slow``, ``drop_socket`` …). ``calls`` has everything that the app asked.

``tests/support/slack/cloud.py`` puts several of these under one address, with OAuth and token rotation.

Left out on purpose: user tokens, rate limits that are
not ordered by ``fail``, unfurling, message search, scheduled messages, canvases, presence, emoji,
and legacy attachments beyond their text. Stricter than Slack: a ``thread_ts`` must name a message of the channel that is
no reply; what documentation captures disagree on is refused (``shapes.py`` says where).
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from tests.support.slack import chat, surfaces  # noqa: F401  (they register their methods)
from tests.support.slack.delivery import Delivery, NotAcknowledged, Sent
from tests.support.slack.faults import Call, Fault, Faults
from tests.support.slack.people import People
from tests.support.slack.registry import METHODS, Method
from tests.support.slack.rendering import Button, Rendered, decoded
from tests.support.slack.state import (
    APP,
    BOT,
    BOT_USER,
    OTHER_TEAM,
    TEAM,
    Channel,
    Member,
    Seen,
    SeenFile,
    SeenView,
    Session,
    SlackError,
    Workspace,
)
from tests.support.slack.triggers import Triggers
from tests.support.slack.validation import Rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = [
    "APP",
    "APP_TOKEN",
    "BOT",
    "BOT_TOKEN",
    "BOT_USER",
    "OTHER_TEAM",
    "TEAM",
    "Button",
    "Call",
    "Channel",
    "Member",
    "NotAcknowledged",
    "Rendered",
    "Seen",
    "SeenFile",
    "SeenView",
    "Sent",
    "SlackServer",
]

BOT_TOKEN, APP_TOKEN = "xoxb-test", "xapp-test"
#: Streams end about five minutes after they began, whatever is appended (slackapi/python-slack-sdk#1859).
STREAM_SECONDS = 300.0
_EVENTS = """app_home_opened app_mention message.im app_context_changed agent_session_stopped
agent_session_title_changed app_uninstalled tokens_revoked"""
_SCOPES = """assistant:write chat:write app_mentions:read im:history im:write commands files:read files:write
reactions:write users:read channels:read groups:read im:read channels:history groups:history"""


class SlackServer(People):
    """The server, in this event loop: ``async with SlackServer() as slack``.

    A new one has the people U1ANA and U2BEN (and their direct messages D1ANA and D2BEN), and the public channel
    C1GENERAL with both and the bot in it; ``add_member`` and ``add_channel`` make more.
    """

    def __init__(self, team: str = TEAM) -> None:
        self.team = team
        """What this workspace is called on the wire, in place of ``TEAM``; for everything else the names are the same."""
        self.enterprise: str | None = None
        """The organisation that it belongs to, and by which it has the app."""
        self.tokens = {BOT_TOKEN}
        """The bot's tokens that count now."""
        self.workspace = Workspace()
        self.rules = Rules(self.workspace.files)
        self.failures: list[BaseException] = []
        self.delivery = Delivery(self.failures, self.dressed)
        self.triggers = Triggers(self)
        self.faults = Faults()
        self.calls: list[Call] = []
        self.scopes = set(_SCOPES.split())
        self.subscriptions = set(_EVENTS.split())
        self.agent_sessions = "on"
        """``on``, or what ``agents.sessions.*`` answer instead: ``feature_disabled``, ``unknown_method``."""
        self.validates = True
        """Whether ``blocks.validate`` is known."""
        self.echo = False
        """Whether the app hears of what it posts and edits in direct messages, as with Slack."""
        self.stream_lifetime = STREAM_SECONDS
        """Of streams that start from now on, in seconds."""
        self._change = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._port = 0
        self.base = ""
        """Where it is within another server."""
        self.add_member("U1ANA", "ana")
        self.add_member("U2BEN", "ben")
        self.add_channel("C1GENERAL", "general", "U1ANA", "U2BEN")

    # -- life

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    def application(self) -> web.Application:
        """What it answers, as a part of a web server."""
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/link/", self._link)
        app.router.add_post("/upload/v1/{file}", self._upload)
        app.router.add_get("/files-pri/{place}/{name}", self._download)
        app.router.add_post("/actions/{number}", self._respond)
        return app

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.delivery.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self.failures and error is None:
            raise BaseExceptionGroup("the Slack server itself failed", self.failures)

    @property
    def url(self) -> str:
        """Where it listens."""
        return self.base or f"http://127.0.0.1:{self._port}"

    @property
    def api_url(self) -> str:
        """The base of its Web API, as the app is configured with."""
        return f"{self.url}/api/"

    @property
    def http_target(self) -> str | None:
        """Where payloads are posted, signed with ``signing_secret``; None for Socket Mode."""
        return self.delivery.http_target

    @http_target.setter
    def http_target(self, url: str | None) -> None:
        self.delivery.http_target = url

    @property
    def signing_secret(self) -> str:
        return self.delivery.signing_secret

    @property
    def native_blocks(self) -> bool:
        """Whether data_table and data_visualization are known here."""
        return self.rules.native_blocks

    @native_blocks.setter
    def native_blocks(self, known: bool) -> None:
        self.rules.native_blocks = known

    # -- the workspace

    def add_member(self, user: str, name: str = "", **facts: Any) -> Member:
        """Someone new: ``tz``, ``locale``, ``restricted`` (a guest), ``stranger`` (of another workspace) …"""
        return self.workspace.add_member(user, name, **facts)

    def add_channel(self, channel: str, name: str = "", *members: str, bot: bool = True, **facts: Any) -> Channel:
        """A channel with these people: ``kind="private"``, ``ext_shared=True``, ``archived=True``; ``bot=False`` without it."""
        return self.workspace.add_channel(channel, name, *members, bot=bot, **facts)

    # -- what people see

    def seen_by(self, user: str) -> list[Seen]:
        """Every message that this person can read now, oldest first, as it stands now."""
        return self.workspace.seen_by(user)

    def answers_to(self, user: str) -> list[Seen]:
        """Of these, what the bot wrote, without the plans of work that goes on."""
        return [seen for seen in self.workspace.seen_by(user) if seen.user == BOT_USER and not seen.tasks]

    def plans(self, user: str) -> list[Seen]:
        """Of these, the plans of work that goes on, or went on."""
        return [seen for seen in self.workspace.seen_by(user) if seen.tasks]

    def home(self, user: str) -> SeenView | None:
        """Their App Home, None before it was published."""
        home = self.workspace.members[user].home
        return SeenView.of(home) if home else None

    def modal(self, user: str) -> SeenView | None:
        """The modal in front of them."""
        modals = self.workspace.members[user].modals
        return SeenView.of(modals[-1]) if modals else None

    def session(self, channel: str, thread_ts: str) -> Session | None:
        """The agent session of a thread."""
        return self.workspace.sessions.get((channel, thread_ts))

    def thread_status(self, channel: str, thread_ts: str) -> str:
        """What assistant.threads.setStatus shows there now."""
        return self.workspace.thread_statuses.get((channel, thread_ts), "")

    def prompts(self, user: str) -> list[dict[str, str]]:
        """The suggested prompts in their direct messages."""
        return self.workspace.prompts.get(self.workspace.members[user].dm, [])

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
                raise BaseExceptionGroup("the Slack server itself failed", self.failures)
            assert left > 0, f"not within {timeout} s; the last calls: {[call.method for call in self.calls[-10:]]}"
            try:
                await asyncio.wait_for(self._change.wait(), min(left, 0.2))
            except TimeoutError:
                continue
        return found

    def calls_of(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def dressed(self, payload: dict[str, Any]) -> dict[str, Any]:
        """A payload as it goes over the wire of this workspace."""
        if self.team == TEAM and self.enterprise is None:
            return payload
        told: dict[str, Any] = json.loads(json.dumps(payload).replace(TEAM, self.team))
        if self.enterprise is not None:
            for each in told.get("authorizations") or ():
                each.update(team_id=None, enterprise_id=self.enterprise, is_enterprise_install=True)
            if told.get("enterprise", 0) is None:
                told |= {"enterprise": {"id": self.enterprise, "name": "Org"}, "is_enterprise_install": True}
            if "command" in told:
                told |= {"enterprise_id": self.enterprise, "is_enterprise_install": "true"}
        return told

    # -- misbehaviour

    def fail(
        self,
        method: str,
        error: str | None = None,
        *,
        status: int | None = None,
        retry_after: int | None = None,
        times: int = 1,
        after_effect: bool = False,
        drop: bool = False,
        where: Callable[[dict[str, Any]], bool] | None = None,
    ) -> None:
        """Let the next calls of a method fail (``*``: any; ``upload``, ``download``, ``response_url``: those requests).

        ``ratelimited`` is a 429 with Retry-After; a status without error is a page of HTML; ``drop`` cuts the connection.
        With ``after_effect`` the thing is done and only its answer is lost.
        """
        if error == "ratelimited":
            status, retry_after = status or 429, 1 if retry_after is None else retry_after
        code = status or (200 if error else 500)
        self.faults.order(method, Fault(error, code, retry_after, times, after_effect, drop, where))

    def slow(self, method: str, seconds: float) -> None:
        """Let every call of a method (``*``: any) take so long."""
        self.faults.slow(method, seconds)

    def hold(self, method: str) -> None:
        """Let every call of a method wait until it is released, or all behaves."""
        self.faults.hold(method)

    def release(self, method: str) -> None:
        """Let the calls of a method that is held go on."""
        self.faults.release(method)

    def behave(self) -> None:
        """Forget all orders to fail, be slow or wait."""
        self.faults.clear()

    async def drop_socket(self, *, announce: bool = True, reason: str = "refresh_requested") -> None:
        """End the app's connections: with Slack's ``disconnect`` message, or cut without a word."""
        await self.delivery.drop(announce=announce, reason=reason)

    def refuse_connections(self, times: int) -> None:
        """Answer the next WebSocket handshakes with 503."""
        self.delivery.refusals = times

    async def connected(self, sockets: int = 1, timeout: float = 20.0) -> None:
        """Wait for the app's connections."""
        await self.delivery.connected(sockets, timeout)

    async def redeliver(self, sent: Sent, reason: str = "timeout") -> Sent:
        """Send the same payload again, as a retry in a new envelope."""
        return await self.delivery.redeliver(sent, reason)

    def expire_stream(self, ts: str) -> None:
        """Let Slack close a stream: appending and stopping then fail."""
        for message in self.workspace.posts:
            if message.ts == ts and message.stream:
                message.stream.ended = "expired"
                message.changed()

    # -- the Web API

    def require(self, *scopes: str) -> None:
        """Raise missing_scope unless one of them is granted."""
        if scopes and not self.scopes & set(scopes):
            raise SlackError("missing_scope", needed=scopes[0], provided=",".join(sorted(self.scopes)))

    def take_trigger(self, number: Any) -> Member:
        return self.triggers.take(number)

    async def _link(self, request: web.Request) -> web.StreamResponse:
        return await self.delivery.connect(request)

    async def _api(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        try:
            args, token = await _arguments(request)
        except ValueError:
            return web.json_response({"ok": False, "error": "invalid_json"})
        return await self._answer(request, name, args, lambda: self._run(name, args, token, request))

    def _run(self, name: str, args: dict[str, Any], token: str, request: web.Request) -> dict[str, Any]:
        method = METHODS.get(name)
        if method is None:
            raise SlackError("unknown_method", req_method=name)
        self._authorise(method, token, request)
        self.require(*method.scopes)
        return method.handler(self, args)

    def _authorise(self, method: Method, token: str, request: web.Request) -> None:
        if not token:
            raise SlackError("not_authed")
        if method.app_token:
            if "Authorization" not in request.headers or token in self.tokens:
                raise SlackError("not_allowed_token_type")
            if token != APP_TOKEN:
                raise SlackError("invalid_auth")
        elif token == APP_TOKEN:
            raise SlackError("not_allowed_token_type")
        elif token not in self.tokens:
            raise SlackError("invalid_auth")

    async def _answer(
        self,
        request: web.Request,
        name: str,
        args: dict[str, Any],
        work: Callable[[], dict[str, Any]],
        present: Callable[[Call], web.Response] | None = None,
    ) -> web.StreamResponse:
        """Run one call with what was ordered for it, record it, and answer."""
        call = Call(name, args, time.monotonic())
        self.calls.append(call)
        await self.faults.delay(name)
        fault = self.faults.take(name, args)
        if fault is None or fault.after_effect:
            call.answer = self._work(work)
        if fault is not None:
            answered = self._misbehave(request, call, fault)
        else:
            call.error = call.answer.get("error")
            answered = present(call) if present else web.json_response(self.dressed(call.answer))
            call.status = answered.status
        self.changed()
        return answered

    def _misbehave(self, request: web.Request, call: Call, fault: Fault) -> web.Response:
        call.error = fault.error
        if fault.drop:
            assert request.transport is not None
            request.transport.abort()
            return web.Response(status=500)
        call.status = fault.status
        if fault.error is None:
            return web.Response(status=fault.status, text="<html>Server Error</html>", content_type="text/html")
        headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
        return web.json_response({"ok": False, "error": fault.error}, status=fault.status, headers=headers)

    def _work(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        try:
            return {"ok": True, **work()}
        except SlackError as error:
            return {"ok": False, "error": error.error, **error.extra}
        except Exception as error:  # noqa: BLE001  (a fault of the fake itself is raised when the test ends)
            self.failures.append(error)
            return {"ok": False, "error": "fatal_error"}

    # -- files and response_urls

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        """The bytes of a file: raw, or the first part of a form."""
        if request.content_type.startswith("multipart/"):
            part = await (await request.multipart()).next()
            data = bytes(await part.read()) if part is not None and not isinstance(part, str) else b""  # type: ignore[union-attr]
        else:
            data = await request.read()
        file = self.workspace.files.get(request.match_info["file"])

        def keep() -> dict[str, Any]:
            if file is None or file.completed:
                raise SlackError("file_not_found")
            if len(data) != file.length:
                raise SlackError("invalid_length")
            file.data = data
            return {}

        def present(call: Call) -> web.Response:
            return web.Response(status=400 if call.error else 200, text=call.error or f"OK - {len(data)}")

        args = {"file": request.match_info["file"], "length": len(data)}
        return await self._answer(request, "upload", args, keep, present)

    async def _download(self, request: web.Request) -> web.StreamResponse:
        """A private file; without the bot's token Slack shows its sign-in page, with status 200."""
        number = request.match_info["place"].rpartition("-")[2]
        file = self.workspace.files.get(number)

        def present(_: Call) -> web.Response:
            if (
                request.headers.get("Authorization", "").removeprefix("Bearer ") not in self.tokens
                or "files:read" not in self.scopes
            ):
                page = "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>"
                return web.Response(text=page, content_type="text/html")
            if file is None or file.data is None:
                return web.Response(status=404, text="<!DOCTYPE html><html></html>", content_type="text/html")
            return web.Response(body=file.data, content_type=file.mimetype)

        return await self._answer(request, "download", {"file": number}, dict, present)

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        """An answer to a response_url."""
        try:
            body = json.loads(await request.read())
        except ValueError:
            return web.json_response({"ok": False, "error": "invalid_payload"}, status=400)
        number = request.match_info["number"]
        args = {"response_url": number, **body}

        def answer() -> dict[str, Any]:
            self.triggers.respond(number, body)
            return {}

        def present(call: Call) -> web.Response:
            gone = call.error in {"used_url", "expired_url"}
            return web.json_response(call.answer, status=404 if gone else 400 if call.error else 200)

        return await self._answer(request, "response_url", args, answer, present)


async def _arguments(request: web.Request) -> tuple[dict[str, Any], str]:
    """A call's arguments and its token, from the query, a form (JSON in its fields is read) or a JSON body."""
    args: dict[str, Any] = {key: decoded(value) for key, value in request.query.items()}
    if request.content_type == "application/json":
        raw = await request.read()
        body = json.loads(raw) if raw else {}
        if not isinstance(body, dict):
            raise ValueError("no object")
        args |= {key: decoded(value) if key in _STRUCTURED else value for key, value in body.items()}
    elif request.method == "POST":
        form = await request.post()
        args |= {key: decoded(value) if key in _STRUCTURED else value for key, value in form.items()}
    token = str(args.pop("token", ""))
    header = request.headers.get("Authorization", "")
    return args, header.removeprefix("Bearer ") if header.startswith("Bearer ") else token


_STRUCTURED = {"blocks", "attachments", "metadata", "view", "files", "prompts", "chunks", "loading_messages"}
