"""What Slack says of the tokens, for ``doctor``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.errors import SendFailed, SendRefused
from bots.slack_app.manifest import GROUPS_SCOPE, scopes
from bots.slack_app.samples import Verdict, verdict
from bots.slack_app.web import SlackWeb, checked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

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
    unknown: str = ""
    """The first of the user groups let in whose members Slack does not tell."""
    samples: Verdict | None = None
    """What Slack says of the messages that it would be sent."""


async def inspect(config: SlackConfig) -> Inspection:
    """Ask Slack about the tokens; changes nothing there."""
    web = SlackWeb(config.bot_token, config.api_url)
    try:
        await web.open()
        return await _inspect(web, config)
    finally:
        await web.close()


async def _inspect(web: SlackWeb, config: SlackConfig) -> Inspection:
    asked, app_token, groups = "BOT_TOKEN", config.app_token, sorted(config.admission.groups)
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
    needed = scopes() | ({GROUPS_SCOPE} if groups else set())
    missing = sorted(needed - granted) if granted else []
    unknown = "" if GROUPS_SCOPE in missing else await _unknown(web, groups)
    workspace = str(who.get("team") or who.get("team_id") or "")
    return Inspection(workspace, tuple(missing), unknown=unknown, samples=await verdict(web))


async def _unknown(web: SlackWeb, groups: Sequence[str]) -> str:
    """Return the first group whose members Slack does not tell, nothing where it tells all."""
    for group in groups:
        try:
            await checked(web.client.usergroups_users_list(usergroup=group))
        except (SendFailed, SendRefused):
            return group
    return ""


async def _remembering(call: Awaitable[AsyncSlackResponse], granted: set[str]) -> AsyncSlackResponse:
    """Await an answer, and keep the scopes that Slack names beside every one of them."""
    response = await call
    named = str(response.headers.get("x-oauth-scopes", ""))
    granted.update(scope for part in named.split(",") if (scope := part.strip()))
    return response
