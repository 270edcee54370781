"""What Slack shows of a thread with us while nothing is said: that an answer is worked on, or waited for.

https://docs.slack.dev/reference/methods/agents.sessions.setStatus, and the older assistant.threads.setStatus
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import structlog

from bots.errors import SendFailed
from bots.limits import Slack
from bots.slack_app.web import SlackRefused, checked
from language.catalogue import translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bots.contracts import ConversationKey, Delivery, Progress
    from bots.slack_app.web import SlackWeb
    from ledger.people import Person

_log = structlog.get_logger(__name__)

Status = Literal["processing", "active", "suspended"]

#: What the older call shows.
WORKING: Final = "is looking it up…"

#: A workspace that has no such method, or does not let us use it.
_NOT_HERE = frozenset(
    """
    unknown_method feature_disabled feature_not_enabled missing_scope not_allowed_token_type method_deprecated
    deprecated_endpoint no_permission access_denied not_supported team_access_not_granted
    """.split()
)
#: The older status fades unless it is sent again; the newer one lasts far longer than a turn.
_AGAIN_SECONDS = Slack.STATUS_SECONDS / 2
_MOST_THREADS = 2000


@dataclass(slots=True)
class _Thread:
    """One thread's status as we last set it; changes are made one at a time, in the order in which they are asked for."""

    status: Status = "active"
    since: float = float("-inf")
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class SessionStatus:
    """The status of threads in direct messages; it is decoration, so nothing that goes wrong with it is told."""

    def __init__(
        self,
        web: SlackWeb,
        tongue: Callable[[Person], Awaitable[str]],
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set statuses through this client, by whichever method the workspace turns out to have; ``tongue`` tells a language."""
        self._web = web
        self._tongue = tongue
        self._seconds = seconds
        self._ways = [self._by_session, self._by_thread]
        self._threads: OrderedDict[tuple[str, str], _Thread] = OrderedDict()

    async def progress(self, conversation: ConversationKey, state: Progress) -> None:
        """Show that an answer is being worked on; or no longer, where that was shown and no reply changed it since."""
        thread = self._thread(conversation)
        if thread is None:
            return
        async with thread.turn:
            if state == "working":
                if thread.status != "processing" or self._seconds() - thread.since >= _AGAIN_SECONDS:
                    await self._set(conversation, thread, "processing")
            elif thread.status == "processing":
                await self._set(conversation, thread, "active")

    async def after_reply(self, delivery: Delivery) -> None:
        """Show that an answer is waited for where the reply asks back, and no longer once it does not."""
        thread = self._thread(delivery.conversation)
        if thread is None:
            return
        async with thread.turn:
            if delivery.reply.kind == "clarify":
                await self._set(delivery.conversation, thread, "suspended")
            elif thread.status != "active":
                await self._set(delivery.conversation, thread, "active")

    def _thread(self, conversation: ConversationKey) -> _Thread | None:
        """Return a thread of a direct message, None for what has no status; the oldest are forgotten."""
        if conversation.channel[:1] != "D" or not conversation.thread:
            return None
        where = (conversation.channel, conversation.thread)
        thread = self._threads.setdefault(where, _Thread())
        self._threads.move_to_end(where)
        if len(self._threads) > _MOST_THREADS:
            self._threads.popitem(last=False)
        return thread

    async def _set(self, conversation: ConversationKey, thread: _Thread, status: Status) -> None:
        """Set a status; it counts as set from the first try, since a call that is cut off may have arrived."""
        thread.status, thread.since = status, self._seconds()
        while self._ways:
            way = self._ways[0]
            try:
                return await way(conversation, status)
            except SlackRefused as error:
                if error.code not in _NOT_HERE:
                    return None
                if way in self._ways:
                    self._ways.remove(way)
                _log.info("slack_status_unavailable", code=error.code, left=len(self._ways))
            except SendFailed:
                thread.since = float("-inf")
                return None
        return None

    async def _by_session(self, conversation: ConversationKey, status: Status) -> None:
        await checked(
            self._web.client.agents_sessions_setStatus(
                channel_id=conversation.channel, thread_ts=conversation.thread, status=status
            )
        )

    async def _by_thread(self, conversation: ConversationKey, status: Status) -> None:
        working = status == "processing"
        shown = translated(WORKING, await self._tongue(conversation.person)) if working else ""
        await checked(
            self._web.client.assistant_threads_setStatus(
                channel_id=conversation.channel, thread_ts=conversation.thread, status=shown
            )
        )
