"""Slack's Web API, with its errors as ours.

    SendFailed             SendRefused
    └── SlackFailed        └── SlackRefused

``code`` is Slack's own word for what is wrong. Every message is a sentence of ours: nothing that Slack says reaches a person.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import TYPE_CHECKING, Any, Final, TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bots.errors import SendFailed, SendRefused
from bots.payloads import list_at, seconds_in, text_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from slack_sdk.web.async_slack_response import AsyncSlackResponse

T = TypeVar("T")

API_URL = "https://slack.com/api/"
#: How long one call may take before it counts as failed, in seconds.
TIMEOUT = 10
RATE_LIMITED = "ratelimited"
#: The code where there was no answer, or none that can be read: what was asked may be done or not.
NO_ANSWER = "no_answer"
#: What means "not now", whatever the method: docs.slack.dev/reference/methods/chat.postMessage, its errors.
_NOT_NOW = frozenset(
    {
        *("internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"),
        *("rate_limited", "message_limit_exceeded"),
    }
)
#: What is wrong with our token or with what it may do, not with what was asked: from the errors of the same method.
_ABOUT_US = frozenset(
    {
        *("not_authed", "invalid_auth", "account_inactive", "token_revoked", "token_expired", "not_allowed_token_type"),
        *("access_denied", "no_permission", "missing_scope", "team_access_not_granted", "org_login_required"),
        *("two_factor_setup_required", "accesslimited", "ekm_access_denied", "enterprise_is_restricted"),
    }
)
#: A workspace that has no such method, or does not let us use it.
NOT_HERE: Final = frozenset(
    """
    unknown_method feature_disabled feature_not_enabled missing_scope not_allowed_token_type method_deprecated
    deprecated_endpoint no_permission access_denied not_supported team_access_not_granted
    """.split()
)
_CODE = re.compile(r"[a-z][a-z0-9_]{2,60}")
_POINTER = re.compile(r"[\w/~-]{1,200}")
_LONGEST_PATIENCE = 60.0
#: The SDK writes whole payloads to its log at the debug level, and takes a logger without a level for one at that level.
_quiet = logging.getLogger(f"{__name__}.sdk")
_quiet.setLevel(logging.WARNING)


class SlackFailed(SendFailed):
    """Slack did not do it now; ``unclear`` where it may be done nevertheless."""

    def __init__(self, code: str, retry_after: float | None = None) -> None:
        """Keep Slack's word and its wish in seconds."""
        super().__init__("Slack did not take this now.", retry_after)
        self.code = code

    @property
    def unclear(self) -> bool:
        """Whether it may be done nevertheless; what is refused for its pace is not."""
        return self.code != RATE_LIMITED


class SlackRefused(SendRefused):
    """Slack won't do it, however often it is asked."""

    code: str

    def __init__(self, code: str, place: str = "") -> None:
        """Keep Slack's word, and the JSON pointer to what it does not take, where it gives one."""
        super().__init__("Slack does not take this.")
        self.code = code
        self.place = place
        self.about_us = code in _ABOUT_US


class SlackWeb:
    """One workspace's Web API; the connections are kept from ``open`` to ``close``, and are made per call without them."""

    def __init__(self, token: str, api_url: str = API_URL) -> None:
        """Speak with this token to this address; nothing connects yet.

        The SDK's own second tries are off: a post whose connection broke may have arrived.
        """
        self.client = AsyncWebClient(token, api_url, timeout=TIMEOUT, logger=_quiet, retry_handlers=[])

    @property
    def api_url(self) -> str:
        """Where the methods are, with a slash at the end."""
        return self.client.base_url

    async def open(self) -> SlackWeb:
        """Keep connections from now on; safe to call twice."""
        if self.client.session is None:
            self.client.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT))
        return self

    async def close(self) -> None:
        """Close the connections; safe to call twice."""
        session, self.client.session = self.client.session, None
        if session is not None:
            await session.close()

    async def respond(self, url: str, body: Mapping[str, Any]) -> None:
        """Post to a ``response_url``; raises SlackFailed and SlackRefused."""
        hook = AsyncWebhookClient(url, TIMEOUT, session=self.client.session, logger=_quiet, retry_handlers=[])
        answer = await _reached(hook.send_dict(dict(body)))
        if answer.status_code != 200:
            # A used or expired address is a 404, whose body need not name it.
            gone = "no_such_address" if answer.status_code in (403, 404, 410) else ""
            raise _error(answer.status_code, _code(answer.body) or gone, answer.headers)


async def checked(call: Awaitable[AsyncSlackResponse]) -> Mapping[str, Any]:
    """Return what a method of the client answers; raises SlackFailed and SlackRefused."""
    try:
        response = await _reached(call)
    except SlackApiError as error:
        raise _api_error(error) from error
    return response.data if isinstance(response.data, dict) else {}


async def patiently(
    call: Callable[[], Awaitable[T]], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep, tries: int = 3
) -> T:
    """Call until Slack no longer says that it goes too fast, with the waits that it asks for; raises the last error."""
    for _ in range(tries - 1):
        try:
            return await call()
        except SlackFailed as error:
            if error.code != RATE_LIMITED or (error.retry_after or 0.0) > _LONGEST_PATIENCE:
                raise
            await sleep(1.0 if error.retry_after is None else error.retry_after)
    return await call()


async def _reached(call: Awaitable[T]) -> T:
    """Await a call; whatever keeps its answer from us is a failure without one."""
    try:
        return await call
    except SlackApiError:
        raise
    except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
        raise SlackFailed(NO_ANSWER) from error


def _api_error(error: SlackApiError) -> SlackFailed | SlackRefused:
    response = error.response
    data = getattr(response, "data", None)
    answer = data if isinstance(data, dict) else {}
    status: int = getattr(response, "status_code", 0) or getattr(response, "status", 0)
    place = text_at(next(iter(list_at(answer, "errors")), None), "pointer")
    return _error(status, str(answer.get("error") or ""), response.headers, place if _POINTER.fullmatch(place) else "")


def _error(status: int, code: str, headers: Mapping[str, str], place: str = "") -> SlackFailed | SlackRefused:
    """Tell by status and word whether it may work later; an answer without a word says nothing."""
    if status == 429 or code in (RATE_LIMITED, "rate_limited"):
        return SlackFailed(RATE_LIMITED, seconds_in(headers.get("Retry-After")))
    if status >= 500 or code in _NOT_NOW or not code:
        return SlackFailed(code or NO_ANSWER)
    return SlackRefused(code, place)


def _code(body: str) -> str:
    """Return the error's name from the body of a hook's answer, which is the bare name or JSON with it."""
    text = body.strip()
    if text.startswith("{"):
        try:
            text = str(json.loads(text).get("error"))
        except ValueError:
            text = ""
    return text if _CODE.fullmatch(text) else ""
