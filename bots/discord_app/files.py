"""Files from Discord: downloaded from its own hosts only, by an address that may have to be asked for anew.

Addresses of attachments are signed and good for a day (docs.discord.com/developers/reference, signed attachment CDN URLs).
What stands in a message is therefore named by its ids; what came with a command or a form stands in none, and has but its
address.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import aiohttp
import structlog

from bots.desk.attachments import PIECE, TOO_LARGE, read_body
from bots.discord_app.web import DiscordFailed, DiscordRefused
from bots.errors import AttachmentUnavailable, outline
from ledger.importers import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bots.contracts import Attachment
    from bots.discord_app.web import DiscordWeb

_log = structlog.get_logger(__name__)

UNAVAILABLE = "I can't get at that file any more. Please send it again."

_IN_MESSAGE, _BY_ADDRESS = "message:", "address:"
_IDS = re.compile(r"([0-9]{1,20})/([0-9]{1,20})/([0-9]{1,20})")
_HOSTS = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_WAIT = aiohttp.ClientTimeout(total=300, sock_connect=10, sock_read=10)


def reference_in_message(channel: str, message: str, attachment: str) -> str:
    """Return the reference to a file that stands in a message."""
    return f"{_IN_MESSAGE}{channel}/{message}/{attachment}"


def reference_by_address(url: str) -> str:
    """Return the reference to a file that stands in none."""
    return f"{_BY_ADDRESS}{url}"


async def fetch_file(web: DiscordWeb, attachment: Attachment, home: str | None) -> bytes:
    """Return a file's bytes, one byte more than an importer takes where there are more.

    ``home`` is the address of an API other than Discord's, whose host may hand over files as well.

    Raises:
        AttachmentUnavailable: whatever the reason.
    """
    if attachment.size > MOST_BYTES:
        raise AttachmentUnavailable(TOO_LARGE)
    try:
        return await _download(_allowed(await _address(web, attachment.reference), home))
    except (DiscordFailed, DiscordRefused, aiohttp.ClientError, TimeoutError, OSError) as error:
        _log.warning("file_not_fetched", error=outline(error), code=getattr(error, "code", ""))
        raise AttachmentUnavailable(UNAVAILABLE) from error


async def _address(web: DiscordWeb, reference: str) -> str:
    if reference.startswith(_BY_ADDRESS):
        return reference.removeprefix(_BY_ADDRESS)
    ids = _IDS.fullmatch(reference.removeprefix(_IN_MESSAGE))
    if ids is None:
        raise DiscordRefused(0)
    channel, message, wanted = ids.groups()
    held: Mapping[str, Any] = await web.message(channel, message)
    return next((str(each.get("url")) for each in held.get("attachments") or () if each.get("id") == wanted), "")


async def _download(url: str) -> bytes:
    async with aiohttp.ClientSession(timeout=_WAIT) as session, session.get(url, allow_redirects=False) as response:
        if response.status != 200:
            raise DiscordRefused(response.status)
        return await read_body(response.content.iter_chunked(PIECE))


def _allowed(url: str, home: str | None) -> str:
    """Return the address if a file may be taken from there: from Discord's own hosts, or from where the API is."""
    try:
        there, ours = urlsplit(url), urlsplit(home or "")
        own = there.scheme == "https" and there.port in (None, 443) and (there.hostname or "").lower() in _HOSTS
        place = (there.scheme, there.hostname, there.port)
        same = bool(ours.hostname) and place == (ours.scheme, ours.hostname, ours.port)
    except ValueError:
        own = same = False
    if not own and not same:
        raise DiscordRefused(0)
    return url
