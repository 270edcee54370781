"""A Slack server for a test, and a client with the bot's token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack_server import BOT_TOKEN, SlackServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer() as server:
        yield server


@pytest.fixture
async def client(slack: SlackServer) -> AsyncIterator[AsyncWebClient]:
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(BOT_TOKEN, base_url=slack.api_url, session=session)
