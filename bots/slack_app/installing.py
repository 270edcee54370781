"""The two pages by which a workspace installs the app: off to Slack, and back with a code that is exchanged for tokens.

https://docs.slack.dev/authentication/installing-with-oauth
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bots.errors import outline
from bots.sending import STORE_ERRORS
from bots.slack_app.inspection import scopes
from bots.slack_app.installations import STATE_LIVES
from bots.slack_app.transport import quiet_logger

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from slack_bolt.response import BoltResponse

    from bots.slack_app.installations import Installations, States
    from bots.slack_app.platform import SlackConfig

_log = structlog.get_logger(__name__)

INSTALL, RETURN = "/slack/install", "/slack/oauth_redirect"
_LATER = "This did not work just now. Please begin again in a moment."
_FAILURES = (SlackClientError, BoltError, aiohttp.ClientError, TimeoutError, *STORE_ERRORS)
#: The address of a page holds a state or a code.
_HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"}


class Installing:
    """Answers the two pages."""

    def __init__(self, config: SlackConfig, installations: Installations, states: States) -> None:
        """Install this app into that store."""
        settings = AsyncOAuthSettings(
            client_id=config.client_id,
            client_secret=config.client_secret,
            scopes=sorted(scopes()),
            user_scopes=[],
            redirect_uri=f"{config.public_url.rstrip('/')}{RETURN}" if config.public_url else None,
            install_path=INSTALL,
            redirect_uri_path=RETURN,
            install_page_rendering_enabled=False,
            installation_store=installations,
            state_store=states,
            state_expiration_seconds=int(STATE_LIVES.total_seconds()),
            logger=quiet_logger(),
        )
        client = AsyncWebClient(base_url=config.api_url, logger=quiet_logger())
        self._flow = AsyncOAuthFlow(client=client, settings=settings, logger=quiet_logger())

    async def begin(self, request: web.Request) -> web.Response:
        """Send whoever wants to install the app to Slack."""
        return await self._answer(self._flow.handle_installation, request)

    async def finish(self, request: web.Request) -> web.Response:
        """Keep what Slack gives for the code of whoever comes back with a state that we gave them."""
        return await self._answer(self._flow.handle_callback, request)

    async def _answer(
        self, handle: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]], request: web.Request
    ) -> web.Response:
        asked = AsyncBoltRequest(body="", query=request.query_string, headers=dict(request.headers))
        try:
            answer = await to_aiohttp_response(await handle(asked))
        except _FAILURES as error:
            _log.warning("slack_not_installed", error=outline(error))
            answer = web.Response(status=503, text=_LATER)
        answer.headers.update(_HEADERS)
        return answer
