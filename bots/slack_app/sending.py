"""Replies on their way to Slack: where each may go, in which form Slack takes it, and that none is shown twice."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import structlog

from bots.cleaning import clean
from bots.errors import NOBODY_ELSE, PublicationUnclear, SendFailed, SendRefused, outline
from bots.posting import Posting, Standing
from bots.slack_app.blocks import render, without_answers
from bots.slack_app.files import file_name, upload
from bots.slack_app.parts import Part, rich_text, said
from bots.slack_app.web import SlackRefused, checked
from graph.reply import Audience, File
from language.catalogue import say, translated

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from bots.contracts import ConversationKey, Delivery, Posted
    from bots.slack_app.people import People
    from bots.slack_app.web import SlackWeb
    from graph.reply import Settled
    from ledger.people import Person
    from tools.results import Chart

_log = structlog.get_logger(__name__)

#: How a reply goes: posted in the asker's messages, to its route or shown in its place to the asker alone, or to their messages.
Way = Literal["here", "route", "ephemeral", "person"]

#: Names the metadata that tells our posts and their parts again; it holds nothing but the reply's key.
EVENT_TYPE: Final = "money_minder_reply"

_BLOCKS_REFUSED = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "invalid_arguments"})
#: A place that can't be reached (any more), while the person may be.
_UNREACHABLE = frozenset(
    """
    channel_not_found not_in_channel user_not_in_channel is_archived is_inactive thread_not_found invalid_thread_ts
    cannot_reply_to_message no_permission channel_is_limited_access method_not_supported_for_channel_type
    restricted_action restricted_action_read_only_channel restricted_action_thread_locked
    restricted_action_thread_only_channel restricted_action_non_threadable_channel
    """.split()
)
_USER = re.compile(r"[UW][A-Z0-9]{1,40}")
_PLAIN_SECONDS = 3600.0
NOT_A_MEMBER = (
    "I am not a member of this channel, so I could not take it back, and share nothing here. Invite me first."
)
_NOT_SHARED = "Slack does not let me post in this channel, so nothing was shared."
_UNCLEAR = "I can't tell whether this was shared before the connection broke, so I don't share it again. Please look."
_OUT_OF_REACH = "I can't reach that channel any more, so I can't delete the post; please delete it there."
_NOT_ALLOWED = "Slack does not let me delete that post; whoever administers the workspace can."
_IN_OUR_MESSAGES = "I put {file} into our direct messages: files in a channel can be read by everyone there."
_PAGES = 10
_PAGE = 200


@dataclass(frozen=True, slots=True)
class _Place:
    """Where parts are posted; ``channel`` and ``thread`` are where they can be found again, nothing where nowhere."""

    post: Callable[[Mapping[str, Any], str], Awaitable[object]]
    channel: str = ""
    thread: str = ""


def ways(delivery: Delivery, *, between_us: bool) -> tuple[Way, ...]:
    """Return how a reply may go, the best way first; whoever sends asks here, and nobody decides elsewhere.

    "here" is a post, and so only for direct messages that are ``between_us`` and the asker: everywhere else others read,
    also in direct messages between other people, where a command may be typed.

    Raises:
        SendRefused: what its channel is leaves a doubt.
    """
    by_route: tuple[Way, ...] = ("route",) if delivery.route else ()
    private = delivery.reply.audience is Audience.PRIVATE
    if not private and delivery.reply.audience is not Audience.SHARED:
        raise SendRefused("I can't tell who may read this.")
    match delivery.conversation.channel[:1]:
        case "D" if between_us:
            return ("here", *by_route, "person")
        case "U" | "W" if between_us:
            return ("person",)
        case "D" | "U" | "W" if private:
            return (*by_route, "person")
        case "C" | "G" if private:
            return (*by_route, "ephemeral", "person")
        case "C" | "G":
            return (*by_route, "ephemeral")
        case "D" if by_route:
            return by_route
    raise SendRefused("I can't tell who would read this there.")


class SlackSender(Posting[Way]):
    """Sends replies through one workspace's Web API.

    ``locale_of`` says how a person reads figures; ``seconds`` measures what passes. What a post's answer left open is
    looked up before it is tried again. What its asker alone sees can't be looked up: after a crash it may come twice.
    """

    gone = "message_not_found"
    unposted: ClassVar = {"": _NOT_SHARED, "not_in_channel": NOT_A_MEMBER, "channel_not_found": NOT_A_MEMBER}
    undeleted: ClassVar = {
        "": _NOT_ALLOWED,
        **dict.fromkeys(("channel_not_found", "not_in_channel", "is_archived"), _OUT_OF_REACH),
    }

    def __init__(
        self,
        web: SlackWeb,
        people: People,
        locale_of: Callable[[Person], Awaitable[str]],
        *,
        may_share: Callable[[str], Awaitable[bool]] | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Send through this client; ``may_share`` says of a workspace whether anything is shared there."""
        super().__init__()
        self._web = web
        self._people = people
        self._locale_of = locale_of
        self._may_share = may_share
        self._seconds = seconds
        self._plain_until = float("-inf")

    async def send(self, delivery: Delivery) -> None:
        """Show the reply, in order, to those who may read it; what of it stands there already is left out.

        Raises:
            SendFailed: it may work later; what was shown by then is not shown again.
            SendRefused: it never will.
        """
        where = delivery.conversation
        between_us = await self._people.is_between_us(where.channel, where.person.user)
        await self._by_one_of(ways(delivery, between_us=between_us), delivery, self._known(delivery))
        await self._settle(delivery)

    def _leads_on(self, way: Way, error: SendRefused) -> bool:
        """Whether a place that can't be reached is passed over for the next one."""
        return isinstance(error, SlackRefused) and (way == "route" or error.code in _UNREACHABLE)

    async def _settle_one(self, delivery: Delivery, settled: Settled) -> None:
        """Say what became of it; what only its asker sees can't be changed any more, but what was pressed can be taken away."""
        channel = delivery.conversation.channel
        if channel[:1] in ("D", "U", "W"):
            await self._retire(await self._place("here" if channel[:1] == "D" else "person", delivery), settled)
        elif settled.pressed and delivery.route:
            await self._web.respond(delivery.route, {"delete_original": True})

    async def _retire(self, place: _Place, settled: Settled) -> None:
        """Say in a reply what became of it, in place of its buttons."""
        async for message in self._messages(place):
            if any(map(str.isdecimal, _parts_in(message, settled.key))):
                blocks = without_answers(message.get("blocks") or (), settled.line)
                if blocks is not None:
                    payload = _payload(str(message.get("text", "")), tuple(blocks))
                    await checked(self._web.client.chat_update(channel=place.channel, ts=message["ts"], **payload))

    async def publish(self, delivery: Delivery) -> Posted:
        """Post for everyone in a channel; raises SendFailed and SendRefused."""
        if delivery.conversation.channel[:1] not in ("C", "G"):
            raise SendRefused(NOBODY_ELSE)
        return await super().publish(delivery)

    async def _delete(self, channel: str, post: str) -> None:
        await checked(self._web.client.chat_delete(channel=channel, ts=post))

    async def _go(self, way: Way, delivery: Delivery, sent: Standing) -> None:
        """Post by one way what does not stand there."""
        conversation, key = delivery.conversation, delivery.idempotency_key
        locale = await self._locale_of(conversation.person)
        place = await self._place(way, delivery)
        await self._look(place, key, sent)
        thread = place.thread if place.channel else conversation.thread
        reply = delivery.reply
        shareable = way in ("route", "ephemeral") and conversation.channel[:1] in ("C", "G")
        if shareable and self._may_share is not None:
            shareable = await self._may_share(conversation.team)
        parts = render(reply, about=key, thread=thread, locale=locale, shareable=shareable)
        for number, part in enumerate(_attributed(parts, delivery)):
            if str(number) in sent.parts:
                continue
            with sent.doubted():
                form, sent.parts[str(number)] = await self._say(place, part, f"{key}:{number}", delivery, sent)
            if part.chart is not None and place.channel[:1] == "D" and (form != part.blocks or not part.shows_chart):
                await self._show(place, part.chart, file_name(key, f"chart-{number + 1}.png"), locale, reply.language)

    async def _say(
        self, place: _Place, part: Part, tag: str, delivery: Delivery, sent: Standing
    ) -> tuple[tuple[dict[str, Any], ...], str]:
        """Post a part in the best form that Slack takes, and return the blocks it took and the post's ``ts``."""
        if part.file is not None:
            await self._hand_over(place, part.file, tag, delivery, sent)
            return (), ""
        native_refused = False
        for form in self._forms(part):
            try:
                answer = await place.post(_payload(part.text, form), tag)
            except SlackRefused as error:
                if not form or error.code not in _BLOCKS_REFUSED:
                    raise
                native_refused = form != part.plainer and error.code != "msg_blocks_too_long"
                _log.warning("slack_blocks_refused", reply=tag, native=native_refused, code=error.code)
            else:
                if native_refused and form:
                    self._plain_until = self._seconds() + _PLAIN_SECONDS
                return form, str(answer.get("ts") or "") if isinstance(answer, Mapping) else ""
        raise AssertionError("the last form has no blocks")

    def _forms(self, part: Part) -> Iterator[tuple[dict[str, Any], ...]]:
        """Yield the blocks to try; a workspace that took only the plainer ones is spared the others for a while."""
        if part.blocks != part.plainer and self._seconds() >= self._plain_until:
            yield part.blocks
        if part.plainer:
            yield part.plainer
        yield ()

    async def _hand_over(self, place: _Place, file: File, tag: str, delivery: Delivery, sent: Standing) -> None:
        """Upload a file where its asker alone can read it, and say so where that is somewhere else."""
        key = delivery.idempotency_key
        private = place if place.channel else await self._place("person", delivery)
        named = File(file_name(key, file.name), file.media_type, file.data)
        if private is not place:
            await self._look(private, key, sent)
        line = say(_IN_OUR_MESSAGES, file=clean(file.name))
        if named.name not in sent.parts:
            try:
                await upload(self._web, private.channel, private.thread, named)
                sent.parts[named.name] = ""
            except SlackRefused as error:
                _log.warning("slack_file_refused", reply=key, code=error.code)
                line = say("Slack does not take the file {file}.", file=clean(file.name))
        if private is not place or named.name not in sent.parts:
            told = translated(line, delivery.reply.language)
            note = said(told, rich_text(told))
            await place.post(_payload(note.text, note.blocks), tag)

    async def _show(self, place: _Place, chart: Chart, name: str, locale: str, language: str) -> None:
        """Add a chart's picture; its figures are said, so it is no loss where Slack does not take it."""
        from bots.charts import alt_text, draw

        try:
            picture = File(name, "image/png", await asyncio.to_thread(draw, chart, locale, language))
            await upload(self._web, place.channel, place.thread, picture, alt_text(chart, locale, language))
        except (SendFailed, SendRefused, ValueError) as error:
            _log.warning("slack_chart_not_shown", error=outline(error))

    async def _place(self, way: Way, delivery: Delivery) -> _Place:
        """Return where one of a delivery's ways leads."""
        conversation, client = delivery.conversation, self._web.client
        channel, thread, user = conversation.channel, conversation.thread, conversation.person.user
        match way:
            case "here":
                return self._posting(channel, thread)
            case "person":
                own = channel[:1] in ("U", "W")
                return self._posting(await self._people.direct_with(user), thread if own else "")
            case "route":
                body = partial(_hook, thread=thread)
                return _Place(lambda payload, _: self._web.respond(delivery.route, body(payload)))
            case "ephemeral":
                return _Place(
                    lambda payload, _: checked(
                        client.chat_postEphemeral(channel=channel, user=user, thread_ts=thread or None, **payload)
                    )
                )

    def _posting(self, channel: str, thread: str) -> _Place:
        def post(payload: Mapping[str, Any], tag: str) -> Awaitable[object]:
            return checked(
                self._web.client.chat_postMessage(
                    channel=channel,
                    thread_ts=thread or None,
                    mrkdwn=False,
                    unfurl_links=False,
                    unfurl_media=False,
                    metadata={"event_type": EVENT_TYPE, "event_payload": {"key": tag}},
                    **payload,
                )
            )

        return _Place(post, channel, thread)

    async def _look(self, place: _Place, key: str, sent: Standing) -> None:
        """Where it is not clear what of a reply stands there, look.

        Direct messages that we may not read hold nothing of it. In a channel it would be posted twice for everyone.
        """
        if not sent.unclear or not place.channel:
            return
        try:
            async for message in self._messages(place):
                for found in _parts_in(message, key):
                    sent.parts[found] = str(message.get("ts", "")) if found.isdecimal() else ""
        except SlackRefused as error:
            _log.info("slack_not_looked_up", reply=key, code=error.code)
            if place.channel[:1] != "D":
                raise PublicationUnclear(_UNCLEAR) from error

    async def _messages(self, place: _Place) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the messages of a thread, or the latest of a direct message."""
        cursor, client = None, self._web.client
        for _ in range(_PAGES if place.thread else 1):
            look = (
                partial(client.conversations_replies, ts=place.thread) if place.thread else client.conversations_history
            )
            answer = await checked(look(channel=place.channel, cursor=cursor, limit=_PAGE, include_all_metadata=True))
            for message in answer.get("messages") or ():
                yield message
            cursor = (answer.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return


def _share_line(conversation: ConversationKey, language: str) -> dict[str, Any] | None:
    """Return the line that names who shared an answer: the one mention that we ever mint."""
    user = conversation.person.user
    if not _USER.fullmatch(user):
        return None
    shared = {"type": "plain_text", "text": translated("shared this", language), "emoji": False}
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": f"<@{user}>"}, shared]}


def _attributed(parts: tuple[Part, ...], delivery: Delivery) -> tuple[Part, ...]:
    """Return the parts as they are posted: what goes to everyone there says who shared it, and has no files."""
    channel = delivery.conversation.channel[:1] in ("C", "G")
    if delivery.reply.audience is not Audience.SHARED or not channel:
        return parts
    open_to_all = tuple(part for part in parts if part.file is None)
    line = _share_line(delivery.conversation, delivery.reply.language) if delivery.reply.kind == "answer" else None
    if line is None:
        return open_to_all
    first, *rest = open_to_all
    headed = replace(first, blocks=(line, *first.blocks), plainer=(line, *first.plainer))
    if first.plainer and headed.fits:
        return (headed, *rest)
    return (Part(translated("Shared:", delivery.reply.language), (line,), (line,)), *open_to_all)


def _payload(text: str, blocks: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    payload: dict[str, Any] = {"text": text, "parse": "none", "link_names": False}
    return payload | {"blocks": list(blocks)} if blocks else payload


def _hook(payload: Mapping[str, Any], *, thread: str) -> dict[str, Any]:
    """Return the body for a ``response_url``, which shows it to the asker alone."""
    body = {**payload, "response_type": "ephemeral", "replace_original": False}
    return {**body, "thread_ts": thread} if thread else body


def _parts_in(message: Mapping[str, Any], key: str) -> Iterator[str]:
    """Yield what of a reply stands in a message: the number of a part, the names of files."""
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") == EVENT_TYPE:
        found, _, number = str((metadata.get("event_payload") or {}).get("key", "")).partition(":")
        if found == key:
            yield number
    for file in message.get("files") or ():
        if str(file.get("name", "")).startswith(file_name(key, "")):
            yield str(file["name"])
