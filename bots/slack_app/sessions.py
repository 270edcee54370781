"""What Slack shows of a thread with us beside what is said: that an answer is worked on or waited for, and what it is about.

https://docs.slack.dev/reference/methods/agents.sessions.setStatus and agents.sessions.rename, and the older
assistant.threads.setStatus and assistant.threads.setTitle
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from bots.errors import SendFailed
from bots.limits import Slack
from bots.payloads import text_at
from bots.slack_app.web import NOT_HERE, SlackRefused, checked
from language.catalogue import say, translated
from tools.slots.assignments import OUR_CATEGORIES
from tools.wording import period_name

if TYPE_CHECKING:
    from bots.contracts import ConversationKey, Delivery, Message, Progress
    from bots.slack_app.web import SlackWeb
    from graph.reply import Reply
    from ledger.people import Person

_log = structlog.get_logger(__name__)

Status = Literal["processing", "active", "suspended"]
Way = Callable[["ConversationKey", Any], Awaitable[None]]

#: What the older call shows.
WORKING: Final = "is looking it up…"
#: What a conversation is called that begins with a file.
_FILES: Final = "Bank files"

#: The older status fades unless it is sent again; the newer one lasts far longer than a turn.
_AGAIN_SECONDS = Slack.STATUS_SECONDS / 2
_MOST_THREADS = 2000


@dataclass(frozen=True, slots=True)
class _Ways:
    """Methods that a workspace has together or not at all."""

    show: Way
    name: Way


@dataclass(slots=True)
class _Thread:
    """One thread's status as we last set it; changes are made one at a time, in the order in which they are asked for."""

    status: Status = "active"
    since: float = float("-inf")
    begins: Literal["", "text", "file"] = ""
    """With what it begins, as long as it has no title and we took its first message in."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Sessions:
    """The status and title of threads in direct messages; decoration, so that nothing that goes wrong with it is told."""

    def __init__(
        self,
        web: SlackWeb,
        tongue: Callable[[Person], Awaitable[str]],
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Work through this client, by whichever method the workspace turns out to have; ``tongue`` tells a language."""
        self._web = web
        self._tongue = tongue
        self._seconds = seconds
        self._ways = [_Ways(self._by_session, self._rename), _Ways(self._by_thread, self._set_title)]
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

    def begin(self, message: Message) -> None:
        """Note a message that begins a conversation, to be named by what the answer is about."""
        thread = self._thread(message.conversation)
        if thread is not None and message.ts == message.conversation.thread:
            thread.begins = "file" if message.attachments else "text"

    async def after_reply(self, delivery: Delivery) -> None:
        """Show that an answer is waited for where the reply asks back, and no longer once it does not; name what begins."""
        thread = self._thread(delivery.conversation)
        if thread is None:
            return
        async with thread.turn:
            await self._name(delivery, thread)
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

    async def _name(self, delivery: Delivery, thread: _Thread) -> None:
        """Name a conversation that has no title yet by its first answer, or by the files that it begins with."""
        if not thread.begins:
            return
        reply = delivery.reply
        title = translated(_FILES, reply.language) if thread.begins == "file" else title_of(reply)
        if title:
            thread.begins = ""
            with suppress(SendFailed):
                await self._by_one_of(lambda ways: ways.name, delivery.conversation, title)

    async def _set(self, conversation: ConversationKey, thread: _Thread, status: Status) -> None:
        """Set a status; it counts as set from the first try, since a call that is cut off may have arrived."""
        thread.status, thread.since = status, self._seconds()
        try:
            await self._by_one_of(lambda ways: ways.show, conversation, status)
        except SendFailed:
            thread.since = float("-inf")

    async def _by_one_of(self, which: Callable[[_Ways], Way], conversation: ConversationKey, wanted: Any) -> None:
        """Ask for it by the first methods that are here, and by no others; those that are not are asked no more.

        Raises SendFailed.
        """
        while self._ways:
            ways = self._ways[0]
            try:
                return await which(ways)(conversation, wanted)
            except SlackRefused as error:
                if error.code not in NOT_HERE:
                    return None
                if ways in self._ways:
                    self._ways.remove(ways)
                _log.info("slack_session_unavailable", code=error.code, left=len(self._ways))
        return None

    async def _rename(self, conversation: ConversationKey, title: str) -> None:
        """Name a session as it is made, and one that is there already once more: Slack keeps to the name that it has."""
        where = {"channel_id": conversation.channel, "thread_ts": conversation.thread, "title": title}
        answer = await checked(self._web.client.agents_sessions_setStatus(**where, status="active"))
        if thread := self._thread(conversation):
            thread.status = "active"
        if answer.get("title") != title:
            await checked(self._web.client.agents_sessions_rename(**where))

    async def _set_title(self, conversation: ConversationKey, title: str) -> None:
        await checked(
            self._web.client.assistant_threads_setTitle(
                channel_id=conversation.channel, thread_ts=conversation.thread, title=title
            )
        )

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


#: By the app of the tool that answers.
_SUBJECTS: Final = {
    "spending": "Spending",
    "transactions": "Payments",
    "recurring": "Subscriptions and bills",
    "income": "Income and savings",
    "accounts": "Accounts",
    "categories": "Categories",
    "corrections": "Corrections",
    "ledger": "Your data",
    "settings": "Settings",
    "memories": "Notes",
}
_OURS: Final = {str(category): category for category in OUR_CATEGORIES}


def title_of(reply: Reply) -> str:
    """Return what a conversation that begins with this reply is about, in its language; nothing where that can't be told.

    Neither the question's words nor a name of the ledger is in it: a list of conversations is seen over many a shoulder.
    """
    call = next((call for call in reply.trace.get("calls", ()) if text_at(call, "status") != "rejected"), None)
    subject = _subject(text_at(call, "name"), text_at(call, "arguments", "category"))
    if not subject:
        return ""
    told = translated(subject, reply.language)
    if reply.period is None or reply.period.is_all_time:
        return told
    period = period_name(reply.period, reply.language)
    return translated(say("{subject}, {period}", subject=told, period=period), reply.language)


def _subject(tool: str, category: str) -> str:
    """Return one of our own categories, else what the tool's app is about."""
    return _OURS.get(category) or _SUBJECTS.get(tool.partition("-")[0], "")
