"""Whether Slack still takes our tokens: asked when there is a doubt, and believed when it says the same again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from bots.slack_app import watching
from bots.slack_app.watching import TOKEN_ERRORS, Watch
from bots.slack_app.web import SlackWeb
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, SlackServer


@dataclass
class Guard:
    slack: SlackServer
    watch: Watch
    waits: list[float] = field(default_factory=list)
    app_token: str | None = None

    async def is_lost(self) -> str:
        async with asyncio.timeout(20):
            return await self.watch.loss.told()

    async def asked(self, times: int) -> None:
        await self.slack.until(lambda: len(self.slack.calls_of("auth.test")) >= times)


@pytest.fixture
async def guard() -> AsyncIterator[Guard]:
    async with SlackServer() as slack:
        web = await SlackWeb(BOT_TOKEN, slack.api_url).open()

        async def sleep(seconds: float) -> None:
            made.waits.append(seconds)

        async def app_token() -> str | None:
            return made.app_token

        made = Guard(slack, Watch(web, app_token, sleep))
        made.watch.start()
        yield made
        made.watch.stop()
        await web.close()


@pytest.mark.parametrize("code", sorted(TOKEN_ERRORS))
async def test_a_token_that_is_refused_three_times_is_lost_by_slacks_own_word(guard, code) -> None:
    guard.slack.fail("auth.test", code, times=99)
    guard.watch.doubt(code)
    assert await guard.is_lost() == code
    assert guard.waits == [2.0, 4.0]
    assert len(guard.slack.calls_of("auth.test")) == 3


async def test_the_apps_token_counts_where_its_connection_is_not_there(guard) -> None:
    guard.app_token = APP_TOKEN
    guard.slack.fail("apps.connections.open", "invalid_auth", times=99)
    guard.watch.doubt("invalid_auth")
    assert await guard.is_lost() == "invalid_auth"


@pytest.mark.parametrize(
    "fault",
    [{"error": "token_revoked", "times": 2}, {"error": "missing_scope", "times": 9}, {"status": 503, "times": 9}],
)
async def test_what_is_mended_or_not_about_the_token_is_not_a_loss(guard, fault) -> None:
    guard.slack.fail("auth.test", **fault)
    guard.watch.doubt("token_revoked")
    await guard.asked(1)
    await asyncio.sleep(0.1)
    assert not guard.watch.loss._told.is_set()


async def test_other_refusals_raise_no_doubt(guard) -> None:
    for code in ("channel_not_found", "msg_too_long", "missing_scope", ""):
        guard.watch.doubt(code)
    await asyncio.sleep(0.05)
    assert guard.slack.calls_of("auth.test") == []


async def test_without_a_doubt_it_is_asked_now_and_then(monkeypatch, guard) -> None:
    guard.watch.stop()
    monkeypatch.setattr(watching, "_EVERY", 0.02)
    guard.watch.start()
    await guard.asked(3)
    guard.slack.fail("auth.test", "token_revoked", times=99)
    assert await guard.is_lost() == "token_revoked"
