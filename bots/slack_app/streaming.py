"""Sentences that appear one by one below a reply, in streams that Slack ends when it likes.

One writer opens at most one stream at a time. A stream is left for a fresh one before Slack would end it. Where Slack ended
it nevertheless, or did not say whether it took a sentence, its message is set to the whole text it should have, which can be
done twice without saying anything twice; only what comes after that goes into a new message.

Slack ends streams after about five minutes: github.com/slackapi/python-slack-sdk/issues/1859, node-slack-sdk/issues/2702.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from typing import TYPE_CHECKING, Any, Final

import structlog

from bots.cleaning import clean
from bots.errors import SendFailed, SendRefused
from bots.limits import Slack
from bots.slack_app.web import SlackRefused, checked, patiently

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from slack_sdk.web.async_slack_response import AsyncSlackResponse

    from bots.contracts import ConversationKey, Delivery
    from bots.slack_app.web import SlackWeb

_log = structlog.get_logger(__name__)

#: What one stream is given: no more than one ``chat.update`` could say again (docs.slack.dev/reference/methods/chat.update).
MOST_TEXT: Final = min(Slack.STREAM_TEXT, Slack.STREAM_CHUNK)

#: The person pressed Slack's stop button.
_STOPPED: Final = "stopped_by_user"

#: Keeps two characters from being read as one sign, and is not seen (U+2060).
_JOINER = "\u2060"
_MARKS = re.compile(r"[\\*_~\[\]]")
#: What begins a list or a heading; a quotation is escaped with the other brackets.
_AT_START = re.compile(r"^(?:[-+]|#{1,6}|\d{1,9}[.)])(?= |$)")
#: Where an emoji, a mention, an address or a mail address would begin or go on.
_JOINED = re.compile(r"(?<=[:@#])(?=\w)|(?<=:)(?=/)|(?<=\w)(?=@)|(?<=\w\.)(?=[^\W\d])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPACES = re.compile(r"\s+")


def as_markdown(sentence: str) -> str:
    """Return a sentence as markdown that shows it as it is: no marks, links, mentions, emoji or lines of its own.

    Slack knows markdown's backslashes (docs.slack.dev/reference/block-kit/blocks/markdown-block) and reads "<…>" first.
    A backtick becomes an apostrophe, for readers of markdown disagree on how to escape it.
    """
    text = _JOINED.sub(_JOINER, _SPACES.sub(" ", clean(sentence)).strip().replace("`", "'"))
    text = _MARKS.sub(r"\\\g<0>", text)
    text = _AT_START.sub(lambda match: f"{match[0][:-1]}\\{match[0][-1]}", text)
    return re.sub("[&<>]", lambda match: _ENTITIES[match[0]], text)


class Streams:
    """Streams sentences through one workspace's Web API; ``seconds`` measures what passes, ``sleep`` waits."""

    def __init__(
        self,
        web: SlackWeb,
        *,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Stream through this client."""
        self._web = web
        self._seconds = seconds
        self._sleep = sleep

    async def tell(self, delivery: Delivery, sentences: AsyncIterator[str]) -> None:
        """Write sentences in a direct message's thread as they come; elsewhere nothing is said.

        What Slack refuses ends them without an error. Cancelled, it leaves no open stream behind.
        """
        conversation = delivery.conversation
        if conversation.channel[:1] != "D" or not conversation.thread:
            return
        log = _log.bind(reply=delivery.idempotency_key)
        try:
            await _Writer(self._web, conversation, self._seconds, self._sleep).write(sentences)
        except (SendFailed, SendRefused) as error:
            log.warning("slack_stream_ended", code=getattr(error, "code", ""))


class _Writer:
    """The one writer of one reply's sentences."""

    def __init__(
        self,
        web: SlackWeb,
        conversation: ConversationKey,
        seconds: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._client = web.client
        self._where = conversation
        self._seconds = seconds
        self._sleep = sleep
        self._ts = ""
        """The message of the latest stream, and in ``_text`` what it is to say."""
        self._text = ""
        self._open = False
        self._since = 0.0
        self._unsaid: list[str] = []
        """What waits for the end where Slack has no streams."""
        self._streams = True

    async def write(self, sentences: AsyncIterator[str]) -> None:
        try:
            async for sentence in sentences:
                for piece in _pieces(as_markdown(sentence)):
                    await self._say(piece)
        except BaseException:
            with contextlib.suppress(SendFailed, SendRefused):
                await self._stop()
            raise
        await self._finish()
        for text in _packed(self._unsaid):
            await self._post(text)

    async def _say(self, piece: str) -> None:
        """Say a piece of a sentence, in the open stream if it has room and time for it, else in a fresh one."""
        if not self._streams:
            self._unsaid.append(piece)
            return
        old = self._seconds() - self._since >= Slack.STREAM_SECONDS
        if self._open and (old or len(self._text) + len(piece) + 1 > MOST_TEXT):
            await self._finish()
        if self._open:
            await self._append(f" {piece}")
        else:
            await self._start(piece)

    async def _start(self, text: str) -> None:
        """Open a stream with its first words; where Slack has none, they wait for the end."""
        try:
            await patiently(lambda: self._begin(text), self._sleep)
        except SlackRefused as error:
            _log.info("slack_has_no_streams", code=error.code)
            self._streams = False
            self._unsaid.append(text)

    async def _begin(self, text: str) -> None:
        who = self._where
        call = asyncio.ensure_future(
            checked(
                self._client.chat_startStream(
                    channel=who.channel,
                    thread_ts=who.thread,
                    markdown_text=text,
                    recipient_user_id=who.person.user,
                    recipient_team_id=who.person.team or None,
                )
            )
        )
        try:
            self._began(await asyncio.shield(call), text)
        except asyncio.CancelledError:  # it may have begun, and only its answer tells how to stop it
            with contextlib.suppress(SendFailed, SendRefused):
                self._began(await call, text)
            raise

    def _began(self, answer: Mapping[str, Any], text: str) -> None:
        self._ts, self._text, self._open, self._since = str(answer["ts"]), text, True, self._seconds()

    async def _append(self, text: str) -> None:
        self._text += text
        try:
            await self._asked(
                lambda: self._client.chat_appendStream(channel=self._where.channel, ts=self._ts, markdown_text=text)
            )
        except (SendFailed, SendRefused) as error:
            if getattr(error, "code", "") == _STOPPED:
                raise
            with contextlib.suppress(SendFailed, SendRefused):
                await self._stop()
            await self._update()

    async def _finish(self) -> None:
        """End the open stream, if there is one; one that Slack ended before looks unfinished, and is set right."""
        if not self._open:
            return
        try:
            await self._stop()
        except (SendFailed, SendRefused) as error:
            if getattr(error, "code", "") == _STOPPED:
                raise
            await self._update()

    async def _stop(self) -> None:
        """End the open stream, if there is one; from here on nothing is written to it."""
        was_open, self._open = self._open, False
        if not was_open:
            return
        try:
            await self._asked(lambda: self._client.chat_stopStream(channel=self._where.channel, ts=self._ts))
        except SendFailed:  # once more, for an open stream looks as if more would come
            await self._asked(lambda: self._client.chat_stopStream(channel=self._where.channel, ts=self._ts))

    async def _update(self) -> None:
        """Make the latest message say what it is to say, which may be done twice."""
        await self._asked(
            lambda: self._client.chat_update(channel=self._where.channel, ts=self._ts, markdown_text=self._text)
        )

    async def _post(self, text: str) -> None:
        await self._asked(
            lambda: self._client.chat_postMessage(
                channel=self._where.channel,
                thread_ts=self._where.thread,
                markdown_text=text,
                unfurl_links=False,
                unfurl_media=False,
            )
        )

    async def _asked(self, call: Callable[[], Awaitable[AsyncSlackResponse]]) -> Mapping[str, Any]:
        """Call a method, with the waits that Slack asks for."""
        return await patiently(lambda: checked(call()), self._sleep)


def _pieces(text: str) -> list[str]:
    """Cut a sentence that is too long for one call between its words."""
    pieces: list[str] = []
    while len(text) > MOST_TEXT:
        cut = text.rfind(" ", 1, MOST_TEXT) + 1 or MOST_TEXT
        pieces.append(text[:cut].rstrip())
        text = text[cut:]
    return [*pieces, text] if text else pieces


def _packed(pieces: list[str]) -> list[str]:
    """Join sentences into as few messages as take them."""
    packed: list[str] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(piece) < MOST_TEXT:
            packed[-1] += f" {piece}"
        else:
            packed.append(piece)
    return packed
