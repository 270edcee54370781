"""A Slack of ours in this event loop, and the client that speaks with it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bots.slack_app.web import SlackWeb
from tests.support.slack_server import BOT_TOKEN, SlackServer


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer() as server:
        yield server


@pytest.fixture
async def web(slack: SlackServer) -> AsyncIterator[SlackWeb]:
    client = await SlackWeb(BOT_TOKEN, slack.api_url).open()
    yield client
    await client.close()
