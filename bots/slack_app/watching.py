"""Whether Slack still lets us in: a token that is revoked while the bot runs is found within minutes, and believed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import structlog

from bots.loss import Loss
from bots.sending import Patience
from bots.slack_app.web import SlackFailed, SlackRefused, checked

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bots.slack_app.web import SlackWeb

_log = structlog.get_logger(__name__)

#: What means that a token counts no more: docs.slack.dev/reference/methods/auth.test, its errors.
TOKEN_ERRORS = frozenset(
    ("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "user_removed_from_team")
)
#: How often Slack is asked where nothing makes us doubt, in seconds.
_EVERY = 60.0
#: How often it must say the same in a row before it is believed.
_TRIES = Patience(attempts=3, first_wait=2.0, longest_wait=20.0)


class Watch:
    """Asks about the tokens now and then, and at once when a call is refused for one."""

    def __init__(
        self,
        web: SlackWeb,
        app_token: Callable[[], Awaitable[str | None]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Nothing is asked before :meth:`start`; ``app_token`` gives that token where there is a doubt about it."""
        self.loss = Loss()
        self._web = web
        self._app_token = app_token
        self._sleep = sleep
        self._doubt = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Watch no longer; safe to call twice."""
        if self._task is not None:
            self._task.cancel()

    def doubt(self, code: str) -> None:
        """Ask at once, where a call was refused with a word about our token."""
        if code in TOKEN_ERRORS:
            self._doubt.set()

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._doubt.wait(), _EVERY)
            self._doubt.clear()
            word = await self._believed()
            if word:
                self.loss.tell(word)
                return

    async def _believed(self) -> str:
        """Return the word with which Slack refuses a token each time that it is asked, nothing where it does not."""
        word = ""
        for attempt in range(1, _TRIES.attempts + 1):
            word = await self._refusal()
            if not word:
                return ""
            _log.error("slack_token_refused", code=word, attempt=attempt)
            if attempt < _TRIES.attempts:
                await self._sleep(_TRIES.wait(attempt))
        return word

    async def _refusal(self) -> str:
        """Return Slack's word against one of the tokens; nothing where it takes them, or can't be asked."""
        try:
            await checked(self._web.client.auth_test())
            app_token = await self._app_token()
            if app_token is not None:
                await checked(self._web.client.apps_connections_open(app_token=app_token))
        except SlackRefused as refused:
            return refused.code if refused.code in TOKEN_ERRORS else ""
        except SlackFailed:
            return ""
        return ""
