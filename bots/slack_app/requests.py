"""Who may be Slack: a request's signature is checked over its bytes, before anything of them is parsed.

https://docs.slack.dev/authentication/verifying-requests-from-slack/
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import time
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_log = structlog.get_logger(__name__)

#: Slack's largest payloads are views; more than this is not Slack.
MOST_BODY_BYTES = 2 * 1024 * 1024
#: How old a request may be, or how far in the future; Slack's own figure.
_MOST_SECONDS = 300.0
#: How long a body may take to arrive. Slack waits three seconds for its answer.
_READING_SECONDS = 10.0
_TIMESTAMP = re.compile(r"[0-9]{1,12}", re.ASCII)
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}", re.ASCII)
#: How often refusals are told of, in seconds.
_TOLD_EVERY = 60.0


class Refused(Exception):
    """A request that is not taken."""

    def __init__(self, status: int, reason: str) -> None:
        """Keep the status of its answer and the reason for the log."""
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Verifier:
    """Tells by a secret what Slack has signed, in these minutes."""

    def __init__(self, secret: str, wall: Callable[[], float] = time.time) -> None:
        """Check with this secret, by this machine's clock."""
        self._secret = secret.encode()
        self._wall = wall

    async def read(self, request: web.Request) -> bytes:
        """Return the body of a request that Slack has signed.

        Raises:
            Refused: it has not, or the body is longer or slower than any of Slack's.
        """
        timestamp, signature = self._marks(request.headers)
        if (request.content_length or 0) > MOST_BODY_BYTES:
            raise Refused(413, "too long")
        try:
            async with asyncio.timeout(_READING_SECONDS):
                body = await request.read()
        except web.HTTPRequestEntityTooLarge as error:
            raise Refused(413, "too long") from error
        except TimeoutError as error:
            raise Refused(408, "too slow") from error
        except Exception as error:  # whoever sent it broke off, or packed it in a way that nobody can unpack
            raise Refused(400, "broken off") from error
        signed = hmac.new(self._secret, b"v0:" + timestamp.encode() + b":" + body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(f"v0={signed}", signature):
            raise Refused(401, "wrong signature")
        return body

    def _marks(self, headers: Mapping[str, str]) -> tuple[str, str]:
        """Return the time and the signature that a request claims, if they have their forms and the time is now."""
        timestamp = headers.get("X-Slack-Request-Timestamp", "")
        signature = headers.get("X-Slack-Signature", "")
        if not _TIMESTAMP.fullmatch(timestamp) or not _SIGNATURE.fullmatch(signature):
            raise Refused(401, "no signature")
        if abs(self._wall() - int(timestamp)) > _MOST_SECONDS:
            raise Refused(401, "not of now")
        return timestamp, signature


class Tally:
    """Tells of what was refused: the first at once, and then once a minute at most, with how many there were."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        """Use a clock that never jumps."""
        self._seconds = seconds
        self._told_at = float("-inf")
        self._untold = 0

    def note(self, reason: str) -> None:
        """Count a refusal."""
        self._untold += 1
        if self._seconds() - self._told_at >= _TOLD_EVERY:
            self.tell(reason)

    def tell(self, reason: str = "") -> None:
        """Write the line, if there is anything to tell."""
        if self._untold:
            _log.warning("slack_requests_refused", count=self._untold, latest=reason)
            self._untold, self._told_at = 0, self._seconds()
