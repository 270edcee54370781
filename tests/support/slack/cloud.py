"""Slack with several workspaces under one address: each is a server of its own, and an app is installed by OAuth v2.

Members and channels are called alike in all of them, which in Slack they never are: whoever tells people apart by less than
the workspace mixes them up here.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

import aiohttp
from aiohttp import web

from tests.support.slack.delivery import EVENT, Sent
from tests.support.slack.payloads import envelope
from tests.support.slack.state import APP, BOT_USER
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from types import TracebackType

CLIENT_ID, CLIENT_SECRET = "1234.5678", "client-secret"
#: Slack's tokens count for twelve hours where they rotate.
LIFETIME = 43_200
RETURN = "/slack/oauth_redirect"


class SlackCloud:
    """``async with SlackCloud("T0ONE", "T0TWO") as cloud``: ``cloud["T0ONE"]`` is a workspace."""

    def __init__(self, *teams: str) -> None:
        self.workspaces = {team: SlackServer(team) for team in teams}
        for place, workspace in enumerate(self.workspaces.values()):
            workspace.tokens.clear()
            workspace.workspace._numbers = (
                place * 1_000_000
            )  # ids of events and triggers are Slack's, not a workspace's
        self.url = ""
        self.lifetime = LIFETIME
        self.exchanges: list[str] = []
        """The refresh tokens that were exchanged."""
        self._codes: dict[str, str] = {}
        self._refreshers: dict[str, str] = {}
        self._number = itertools.count(1)
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_route("*", "/api/{method}", self._api)
        for team, workspace in self.workspaces.items():
            app.add_subapp(f"/{team}", workspace.application())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        for team, workspace in self.workspaces.items():
            workspace.base = f"{self.url}/{team}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for workspace in self.workspaces.values():
            await workspace.__aexit__(kind, error, trace)
        assert self._runner is not None
        await self._runner.cleanup()

    def __getitem__(self, team: str) -> SlackServer:
        return self.workspaces[team]

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/"

    def deliver_to(self, url: str) -> None:
        """Let every workspace post what happens to the bot there."""
        for workspace in self.workspaces.values():
            workspace.http_target = f"{url}/slack/events"

    # -- installing

    def agree(self, team: str) -> str:
        """Somebody says yes on Slack's page, for a workspace or for the organisation that it belongs to; return the code."""
        code = f"code-{next(self._number)}"
        self._codes[code] = team
        return code

    async def install(self, bot: str, team: str) -> int:
        """Install the app as somebody with a browser does; return the status of the last page."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser:
            async with browser.get(f"{bot}/slack/install", allow_redirects=False) as page:
                cookie = page.headers["Set-Cookie"].partition(";")[0]
                asked = parse_qs(urlsplit(page.headers["Location"]).query)
            assert asked["client_id"] == [CLIENT_ID]
            query = {"code": self.agree(team), "state": asked["state"][0]}
            async with browser.get(f"{bot}{RETURN}", params=query, headers={"Cookie": cookie}) as page:
                return page.status

    async def uninstall(self, team: str, *, at: int | None = None) -> None:
        """Take the app out of a workspace: its tokens count no more, and the app is told."""
        self[team].tokens.clear()
        for event in ({"type": "app_uninstalled"}, {"type": "tokens_revoked", "tokens": {"bot": [BOT_USER]}}):
            body = envelope(event, f"Ev{next(self._number)}")
            body["event_time"] = int(time.time()) if at is None else at
            sent = await self[team].delivery.deliver(Sent(EVENT, body))
            await sent.acknowledged()

    # -- the Web API

    async def _api(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["method"] == "oauth.v2.access":
            form = {key: str(value) for key, value in (await request.post()).items()}
            who = aiohttp.encode_basic_auth(CLIENT_ID, CLIENT_SECRET)
            if request.headers.get("Authorization") != who:
                return web.json_response({"ok": False, "error": "invalid_client_id"})
            return web.json_response(self._access(form))
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        workspace = next((each for each in self.workspaces.values() if token in each.tokens), None)
        if workspace is None:
            return web.json_response({"ok": False, "error": "invalid_auth"})
        return await workspace._api(request)

    def _access(self, form: dict[str, str]) -> dict[str, Any]:
        if form.get("grant_type") == "refresh_token":
            team = self._refreshers.pop(form.get("refresh_token", ""), None)
            if team is None:
                return {"ok": False, "error": "invalid_refresh_token"}
            self.exchanges.append(form["refresh_token"])
        else:
            team = self._codes.pop(form.get("code", ""), None)
            if team is None:
                return {"ok": False, "error": "invalid_code"}
        return self._granted(team)

    def _granted(self, team: str) -> dict[str, Any]:
        number = next(self._number)
        token, refresh = f"xoxe.xoxb-{number}", f"xoxe-{number}"
        self._refreshers[refresh] = team
        self[team].tokens = {token}
        org = self[team].enterprise
        return {
            "ok": True,
            "access_token": token,
            "token_type": "bot",
            "scope": "chat:write,commands",
            "bot_user_id": BOT_USER,
            "app_id": APP,
            "team": {"id": team, "name": team.casefold()} if org is None else None,
            "enterprise": None if org is None else {"id": org, "name": "Org"},
            "is_enterprise_install": org is not None,
            "authed_user": {"id": "U1ANA"},
            "refresh_token": refresh,
            "expires_in": self.lifetime,
        }
