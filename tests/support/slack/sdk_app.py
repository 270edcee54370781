"""An app made of the bare slack_sdk, and the blocks it sends: what the tests of the server itself play with."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from tests.support.slack_server import APP_TOKEN, SlackServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

ANA, BEN, DM, GENERAL = "U1ANA", "U2BEN", "D1ANA", "C1GENERAL"


@asynccontextmanager
async def listening(
    slack: SlackServer, *, ack: Callable[[Any], Any] = lambda request: None
) -> AsyncIterator[list[Any]]:
    """An app on Socket Mode; ``ack`` gives the acknowledgement's payload, or False for none."""
    got: list[Any] = []
    async with aiohttp.ClientSession() as session:
        web_client = AsyncWebClient(APP_TOKEN, base_url=slack.api_url, session=session)
        logger = logging.getLogger("quiet")
        logger.setLevel(logging.CRITICAL)
        socket = SocketModeClient(APP_TOKEN, logger, web_client, ping_interval=0.2)

        async def listen(client: SocketModeClient, request: Any) -> None:
            got.append(request)
            payload = ack(request)
            if payload is not False:
                await client.send_socket_mode_response(SocketModeResponse(request.envelope_id, payload))

        socket.socket_mode_request_listeners.append(listen)
        await socket.connect()
        await slack.connected()
        try:
            yield got
        finally:
            await socket.close()
            await asyncio.sleep(0)


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def button(label: str, action: str = "press", **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": {"type": "plain_text", "text": label}, "action_id": action, **more}


def modal(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    words = {key: {"type": "plain_text", "text": text} for key, text in (("title", "Settings"), ("submit", "Save"))}
    return {"type": "modal", "callback_id": "settings", **words, "blocks": list(blocks), **more}


def field(label: str, element: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "input", "label": {"type": "plain_text", "text": label}, "element": element, **more}


def option(text: str, value: str) -> dict[str, Any]:
    return {"text": {"type": "plain_text", "text": text}, "value": value}


async def refused(work: Any) -> str:
    with pytest.raises(SlackApiError) as caught:
        await work
    return str(caught.value.response["error"])


def table(rows: int, columns: int = 2, text: str = "x", **more: Any) -> dict[str, Any]:
    cells = [[{"type": "raw_text", "text": text}] * columns] * rows
    return {"type": "data_table", "caption": "Shops", "rows": cells, **more}


def chart(points: int = 2, series: int = 1, **more: Any) -> dict[str, Any]:
    labels = [f"m{number}" for number in range(points)]
    lines = [{"name": f"s{n}", "data": [{"label": each, "value": 1.5} for each in labels]} for n in range(series)]
    return {
        "type": "data_visualization",
        "title": "Months",
        "chart": {"type": "bar", "series": lines, "axis_config": {"categories": labels}},
        **more,
    }


OPTIONS = {"type": "static_select", "action_id": "a", "options": [option("x", "x")] * 100}
FEEDBACK = {
    "type": "feedback_buttons",
    "action_id": "feedback",
    "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "up"},
    "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "down"},
}


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}
