"""Files to and from Slack: uploads by its external flow, downloads with the bot's token from Slack's own hosts only."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import aiohttp
import structlog

from bots.desk.attachments import PIECE, TOO_LARGE, read_body
from bots.errors import AttachmentUnavailable, SendFailed, SendRefused, outline
from bots.slack_app.web import NO_ANSWER, SlackFailed, SlackRefused, checked, patiently
from ledger.importers import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bots.contracts import Attachment
    from bots.slack_app.web import SlackWeb
    from graph.reply import File

_log = structlog.get_logger(__name__)

UNAVAILABLE = "I can't get at that file. Please send it again."

_HOST = "slack.com"
_MOST_REDIRECTS = 3
_WAIT = aiohttp.ClientTimeout(total=300, sock_connect=10, sock_read=10)


def file_name(key: str, name: str) -> str:
    """Return the name under which a reply's file is uploaded; the key in it tells whether it is there already."""
    return f"{key[:6]}-{name}"


async def upload(web: SlackWeb, channel: str, thread: str, file: File, alt_text: str = "") -> None:
    """Put a file into a direct message, in its thread if there is one; raises SlackFailed and SlackRefused.

    The direct message is the caller's to make sure of: what is uploaded to a channel can be read by everyone there.
    """
    flow = web.client.files_upload_v2(
        filename=file.name,
        content=file.data,
        title=file.name,
        alt_txt=alt_text or None,
        channel=channel,
        thread_ts=thread or None,
    )
    await checked(flow)


async def fetch_file(
    web: SlackWeb, attachment: Attachment, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> bytes:
    """Return a file's bytes, one byte more than an importer takes where there are more.

    Raises:
        AttachmentUnavailable: whatever the reason.
    """
    try:
        answer = await patiently(lambda: checked(web.client.files_info(file=attachment.reference)), sleep)
        file = answer.get("file")
        return await patiently(lambda: _download(web, file if isinstance(file, dict) else {}), sleep)
    except (SendFailed, SendRefused) as error:
        _log.warning("file_not_fetched", error=outline(error), code=getattr(error, "code", ""))
        raise AttachmentUnavailable(UNAVAILABLE) from error


async def _download(web: SlackWeb, file: Mapping[str, Any]) -> bytes:
    if isinstance(size := file.get("size"), int) and size > MOST_BYTES:
        raise AttachmentUnavailable(TOO_LARGE)
    url = str(file.get("url_private_download") or file.get("url_private") or "")
    html = file.get("mimetype") == "text/html"
    try:
        async with aiohttp.ClientSession(timeout=_WAIT) as session:
            for _ in range(_MOST_REDIRECTS):
                asked = session.get(
                    _allowed(web, url), headers=_token(web), allow_redirects=False, proxy=web.client.proxy
                )
                async with asked as response:
                    if response.status not in (301, 302, 303, 307, 308):
                        return await _read(response, html=html)
                    url = urljoin(url, response.headers.get("Location", ""))
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SlackFailed(NO_ANSWER) from error
    raise SlackRefused("too_many_redirects")


async def _read(response: aiohttp.ClientResponse, *, html: bool) -> bytes:
    """Read a file as far as an importer would; a page to log in with, which Slack shows instead of refusing, is none."""
    if response.status == 429 or response.status >= 500:
        raise SlackFailed(NO_ANSWER)
    if response.status != 200:
        raise SlackRefused("file_not_found")
    if response.content_type == "text/html" and not html:
        raise SlackRefused("login_page")
    return await read_body(response.content.iter_chunked(PIECE))


def _allowed(web: SlackWeb, url: str) -> str:
    """Return the address if the token may be shown there: at Slack, or where the Web API is."""
    try:
        to, api = urlsplit(url), urlsplit(web.api_url)
        host = (to.hostname or "").lower()
        ours = to.scheme == "https" and to.port in (None, 443) and (host == _HOST or host.endswith(f".{_HOST}"))
        home = bool(host) and (to.scheme, host, to.port) == (api.scheme, api.hostname, api.port)
    except ValueError:
        ours = home = False
    if not ours and not home:
        raise SlackRefused("foreign_address")
    return url


def _token(web: SlackWeb) -> dict[str, str]:
    return {"Authorization": f"Bearer {web.client.token}"}
