"""The two ways in from Slack: Socket Mode, which needs no public address, and signed HTTP requests.

Both end in one Bolt app whose global middleware hands every verified body to ``take_in`` before anything is
acknowledged, and acknowledges with what that returns. There are no listeners.

    https://docs.slack.dev/apis/events-api/using-socket-mode
    https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bots.errors import outline
from bots.sending import STORE_ERRORS
from bots.slack_app.inbound import workspace_of
from bots.slack_app.requests import MOST_BODY_BYTES, Refused, Tally, Verifier

if TYPE_CHECKING:
    from slack_bolt.context.async_context import AsyncBoltContext

    from bots.slack_app.installation import Installation

_log = structlog.get_logger(__name__)

#: Seconds between pings. A connection that breaks without a word is noticed, and opened anew, within twice this.
_PING_SECONDS = 5.0
#: Bodies that come before there is a workspace, and name none.
_FOUND = "installation"
_OF_NO_TEAM = ("url_verification", "ssl_check")


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """What Slack is told: taken (with an answer that belongs into it, such as a form's errors), or to deliver again."""

    taken: bool = True
    answer: Mapping[str, Any] | None = None


TakeIn = Callable[[Mapping[str, Any]], Awaitable[Acknowledgement]]
#: By the workspace and its organisation, which are empty where a body names none.
FindInstallation = Callable[[str, str], Awaitable["Installation | None"]]


class Transport(Protocol):
    """A way in."""

    async def start(self) -> None:
        """Return once Slack can deliver."""
        ...

    async def is_connected(self) -> bool:
        """Whether Slack can deliver at this moment."""
        ...

    async def stop(self) -> None:
        """Take nothing more in; safe to call twice."""
        ...


class SocketTransport:
    """Socket Mode: the bot calls Slack, over as many connections as Slack asks it to replace."""

    def __init__(self, app: AsyncApp, app_token: str, client: AsyncWebClient) -> None:
        """Nothing is connected yet."""
        self._app = app
        self._app_token = app_token
        self._client = client
        self._handler: AsyncSocketModeHandler | None = None

    async def start(self) -> None:
        """Connect; a connection that breaks later is opened again."""
        self._handler = AsyncSocketModeHandler(
            self._app, self._app_token, logger=quiet_logger(), web_client=self._client, ping_interval=_PING_SECONDS
        )
        await self._handler.connect_async()  # type: ignore[no-untyped-call]
        _log.info("slack_connected", transport="socket")

    async def is_connected(self) -> bool:
        """Whether Slack can deliver at this moment."""
        handler = self._handler
        if handler is None:
            return False
        socket = handler.client
        return bool(await socket.is_connected())

    async def stop(self) -> None:
        """Disconnect; what Slack has sent and nobody acknowledged is delivered to the next connection."""
        handler, self._handler = self._handler, None
        if handler is not None:
            await handler.close_async()  # type: ignore[no-untyped-call]


class HttpTransport:
    """A small web server: ``POST /slack/events`` for everything from Slack, ``GET /healthz`` for who watches it."""

    def __init__(  # noqa: PLR0913 - where to serve, and what
        self,
        app: AsyncApp,
        secret: str,
        host: str,
        port: int,
        healthy: Callable[[], Awaitable[bool]],
        *,
        pages: Mapping[str, Callable[[web.Request], Awaitable[web.Response]]] | None = None,
    ) -> None:
        """Nothing is served yet; port 0 takes any free one. ``pages`` are for people's browsers, by path."""
        self._app = app
        self._verifier = Verifier(secret)
        self._refusals = Tally()
        self._host = host
        self._port = port
        self._healthy = healthy
        self._pages = pages or {}
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Serve."""
        server = web.Application(client_max_size=MOST_BODY_BYTES)
        server.router.add_post("/slack/events", self._take)
        server.router.add_get("/healthz", self._health)
        for path, page in self._pages.items():
            server.router.add_get(path, page)
        self._runner = web.AppRunner(server, access_log=None, logger=quiet_logger())
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, self._port).start()
        _log.info("slack_connected", transport="http", port=self._runner.addresses[0][1])

    async def is_connected(self) -> bool:
        """Whether requests are served; whether Slack can reach them is not known here."""
        return self._runner is not None

    async def stop(self) -> None:
        """Stop serving, after the requests that are being answered."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()
        self._refusals.tell()

    async def _take(self, request: web.Request) -> web.Response:
        try:
            signed = _parsed(await self._verifier.read(request), request.headers)
        except Refused as refused:
            self._refusals.note(refused.reason)
            return web.Response(status=refused.status)
        return await to_aiohttp_response(await self._app.async_dispatch(signed))

    async def _health(self, request: web.Request) -> web.Response:
        del request
        healthy = await self._healthy()
        return web.Response(
            text="ok\n" if healthy else "the database does not answer\n", status=200 if healthy else 503
        )


def _parsed(body: bytes, headers: Mapping[str, str]) -> AsyncBoltRequest:
    """Return a request that Slack has signed as Bolt takes it; raises Refused where Bolt can't read it."""
    try:
        request = AsyncBoltRequest(body=body.decode(), headers=dict(headers))
    except Exception as error:  # whatever its parsers raise
        raise Refused(400, "unreadable") from error
    if not isinstance(request.body, dict):
        raise Refused(400, "unreadable")
    return request


def bolt_app(client: AsyncWebClient, find: FindInstallation, take_in: TakeIn, signing_secret: str | None) -> AsyncApp:
    """Return the Bolt app: it verifies signatures where there is a secret to verify with, and takes everything in."""

    async def authorize(context: AsyncBoltContext, user_id: str | None) -> AuthorizeResult | None:
        found: Installation | None = context.get(_FOUND)
        if found is None:
            return None
        return AuthorizeResult(
            enterprise_id=context.enterprise_id,
            team_id=found.team,
            user_id=user_id,
            bot_user_id=found.bot_user,
            bot_id=found.bot_id,
            bot_token=found.token,
        )

    async def keep_to_ours(
        context: AsyncBoltContext, body: Mapping[str, Any], next_: Callable[[], Awaitable[BoltResponse]]
    ) -> BoltResponse:
        """Take what another workspace sends without a word: Bolt would say in public that the app was gone."""
        if body.get("type") in _OF_NO_TEAM:
            return await next_()
        team, enterprise = workspace_of(body)
        try:
            context[_FOUND] = await find(team or context.team_id or "", enterprise)
        except STORE_ERRORS as error:
            _log.warning("slack_workspace_not_looked_up", error=outline(error))
            return BoltResponse(status=503, body="")
        if context[_FOUND] is not None:
            return await next_()
        _log.debug("slack_other_workspace")
        return BoltResponse(status=200, body="")

    app = AsyncApp(
        client=AsyncWebClient(base_url=client.base_url),  # without a token: each body's workspace has its own
        signing_secret=signing_secret,
        before_authorize=keep_to_ours,
        authorize=authorize,  # type: ignore[arg-type]  # None is its way to say "nowhere"
        request_verification_enabled=signing_secret is not None,
        logger=quiet_logger(),
    )

    async def take(body: dict[str, Any]) -> BoltResponse:
        acknowledgement = await take_in(body)
        if not acknowledgement.taken:
            return BoltResponse(status=503, body="")
        if acknowledgement.answer is None:
            return BoltResponse(status=200, body="")
        return BoltResponse(status=200, body=dict(acknowledgement.answer))

    app.use(take)
    return app


class _NamesOnly(logging.Handler):
    """Passes on that something was logged and where, but not the text, which may hold tokens or what people said."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        _log.warning("slack_sdk", where=f"{record.module}:{record.lineno}", error=error)


def quiet_logger() -> logging.Logger:
    """Return a logger for the SDK that passes no texts on."""
    logger = logging.getLogger("money_minder.slack")
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    if not logger.handlers:
        logger.addHandler(_NamesOnly())
    return logger
