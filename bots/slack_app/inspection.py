"""What Slack says of the tokens, for ``doctor``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.errors import SendFailed, SendRefused
from bots.slack_app.manifest import scopes
from bots.slack_app.web import SlackWeb, checked

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from slack_sdk.web.async_slack_response import AsyncSlackResponse

    from bots.slack_app.platform import SlackConfig


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found: the workspace, the scopes that the app lacks there, and which setting Slack does not accept."""

    workspace: str = ""
    missing: tuple[str, ...] = ()
    refused: str = ""
    word: str = ""
    """Slack's own for why it does not."""
    reachable: bool = True


async def inspect(config: SlackConfig) -> Inspection:
    """Ask Slack about the tokens; changes nothing there."""
    web = SlackWeb(config.bot_token, config.api_url)
    try:
        await web.open()
        return await _inspect(web, config.app_token)
    finally:
        await web.close()


async def _inspect(web: SlackWeb, app_token: str | None) -> Inspection:
    asked = "BOT_TOKEN"
    granted: set[str] = set()
    try:
        who = await checked(_remembering(web.client.auth_test(), granted))
        if app_token is not None:
            asked = "APP_TOKEN"
            await checked(web.client.apps_connections_open(app_token=app_token))
    except SendRefused as refused:
        return Inspection(refused=asked, word=getattr(refused, "code", ""))
    except SendFailed:
        return Inspection(reachable=False)
    missing = sorted(scopes() - granted) if granted else []
    return Inspection(str(who.get("team") or who.get("team_id") or ""), tuple(missing))


async def _remembering(call: Awaitable[AsyncSlackResponse], granted: set[str]) -> AsyncSlackResponse:
    """Await an answer, and keep the scopes that Slack names beside every one of them."""
    response = await call
    named = str(response.headers.get("x-oauth-scopes", ""))
    granted.update(scope for part in named.split(",") if (scope := part.strip()))
    return response
