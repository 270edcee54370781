"""Replies on their way to Discord: where each may go, in which form Discord takes it, and that none is shown twice.

What answers an interaction is seen by its asker alone, in a server as in direct messages; it is set, not added, so that it
can be sent again. What is posted carries a nonce, under which Discord returns the post it has instead of a second one; that
holds for some minutes (docs.discord.com/developers/resources/message#create-message), and no post tells its nonce later
(github.com/Rapptz/discord.py/issues/2451), so after a doubt we look for the reply's mark. Further answers to an
interaction have neither: they may come twice after a crash, and where Discord answers 5xx to one that it took.
"""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import structlog

from bots.discord_app import web as api
from bots.discord_app.bodies import ELSEWHERE
from bots.discord_app.buttons import reply_shown
from bots.discord_app.posts import Draft, body, is_thinking, mark_of, notice, settled_body, standing
from bots.discord_app.rendering import HEAD, Part, render
from bots.discord_app.routes import DIRECT, UNNAMED, Route, read_route
from bots.discord_app.web import DiscordRefused, Upload
from bots.errors import SendFailed, SendRefused, outline
from bots.limits import Discord
from bots.payloads import text_at
from bots.posting import Posting, Standing
from graph.reply import Audience
from language.catalogue import say, translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from bots.contracts import ConversationKey, Delivery
    from bots.discord_app.people import Channels
    from bots.discord_app.web import DiscordWeb
    from graph.reply import Settled
    from ledger.people import Person

_log = structlog.get_logger(__name__)

#: How a reply goes: as the answer to its interaction that the asker alone sees, posted in its own channel, or to the
#: person's direct messages. In a server "here" is for everyone.
Way = Literal["route", "here", "person"]

#: What Discord does not take in any place; there is a plainer form for each.
_MALFORMED: Final = frozenset({api.INVALID_FORM, api.TOO_LARGE})
_FILES_REFUSED: Final = frozenset({api.TOO_LARGE, api.MISSING_PERMISSIONS})
_LOOKED_AT = 50
#: The id of a message or an interaction.
_ID = re.compile("[0-9]{1,20}", re.ASCII)

_ANSWERED = "The answer is in our direct messages."
_LOOK_THERE = "please look at your direct messages."
#: Put under a mention that is answered in direct messages.
_ANSWERED_SIGN = "📬"
_NOT_TAKEN = (
    "I can't send you direct messages. Allow them, or ask here with /money ask: then nobody else sees the answer."
)
_NOT_SHOWN = "Discord does not take this answer, so I can't show it."
_NOT_SHARED = "I can't post in this channel, so nothing was shared."
_OUT_OF_REACH = "I can't reach that channel any more, so I can't delete the post; please delete it there."
_CHANNEL_GONE = "That channel is no longer there, and neither is the post."
_REST = "The rest is in the file."


@dataclass(frozen=True, slots=True)
class Shown:
    """The last message of a reply, as something may be added to it."""

    draft: Draft
    edit: Callable[[Mapping[str, Any]], Awaitable[object]]
    id: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where parts go; ``channel`` is where they can be found again, nothing where nowhere."""

    post: Callable[[int, Draft], Awaitable[Shown]]
    channel: str = ""
    largest_file: int = Discord.FILE_SIZE


def ways(delivery: Delivery, route: Route | None, *, is_open: bool = True) -> tuple[Way, ...]:
    """Return how a reply may go, the best way first; ``is_open``: its interaction can still be answered.

    Raises:
        SendRefused: it is not clear who would read it.
    """
    conversation, audience = delivery.conversation, delivery.reply.audience
    alone: tuple[Way, ...] = ("route",) if route is not None and is_open else ()
    if audience is Audience.PRIVATE:
        return (*alone, "person" if conversation.team else "here")
    if audience is Audience.SHARED:
        return (*alone, "person")
    raise SendRefused("I can't tell who would read this there.")


class DiscordSender(Posting[Way]):
    """Sends replies. ``locale_of`` says how a person reads figures; ``wall`` is the clock that routes were noted by."""

    gone = api.UNKNOWN_MESSAGE
    unposted: ClassVar = {"": _NOT_SHARED}
    undeleted: ClassVar = {"": _OUT_OF_REACH, api.UNKNOWN_CHANNEL: _CHANNEL_GONE}

    def __init__(
        self,
        web: DiscordWeb,
        channels: Channels,
        locale_of: Callable[[Person], Awaitable[str]],
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Send through this client."""
        super().__init__()
        self._web = web
        self._channels = channels
        self._locale_of = locale_of
        self._wall = wall

    def shown(self, key: str) -> Shown | None:
        """Return the last message of a reply that was sent under this key, as long as it is remembered."""
        sent = self._sent.get(key)
        return sent.shown if sent else None

    async def send(self, delivery: Delivery) -> Way:
        """Show the reply, in order, to those who may read it, and return which way; what stands there already is left out.

        Raises:
            SendFailed: it may work later; what was shown by then is not shown again.
            SendRefused: it never will.
        """
        noted = read_route(delivery.route)
        route = noted if noted is not None and noted.is_open(self._wall()) else None
        try:
            open_ways = ways(delivery, noted, is_open=route is not None)
            way = await self._by_one_of(open_ways, delivery, self._known(delivery))
        except SendRefused as error:
            await self._tell_refused(delivery, route, error)
            raise
        if way == "person" and route is not None:
            await self._end_thinking(route, translated(_ANSWERED, delivery.reply.language))
        elif way == "person" and not delivery.route:
            await self._sign(delivery)
        await self._settle(delivery)
        return way

    def _leads_on(self, way: Way, error: SendRefused) -> bool:
        """Whether a place that does not take a reply is passed over for the next one."""
        del way
        return isinstance(error, DiscordRefused) and error.code not in _MALFORMED

    async def _settle_one(self, delivery: Delivery, settled: Settled) -> None:
        """Say what became of it.

        What only its asker sees can be changed while its interaction holds and is remembered, and else by the press on it.
        """
        where, route = delivery.conversation, read_route(delivery.route)
        pressed = settled.pressed and route is not None and bool(route.source) and _among_others(where, route)
        if (shown := self.shown(settled.key)) is not None:
            try:
                await shown.edit(settled_body(shown.draft.body(), settled.line))
            except DiscordRefused:
                if not pressed:
                    raise
            else:
                return
        if pressed:
            assert route is not None
            held = await self._web.answer(route.answering, route.source)
            await self._web.edit_answer(route.answering, route.source, settled_body(held, settled.line))
        elif not where.team:
            await self._retire(where.channel, settled)

    async def _retire(self, channel: str, settled: Settled) -> None:
        """Say in a reply of a direct message what became of it, in place of its buttons."""
        user = await self._web.user()
        for post in await self._web.messages(channel, _LOOKED_AT):
            if text_at(post, "author", "id") == user and reply_shown(post) == settled.key:
                await self._web.edit(channel, text_at(post, "id"), settled_body(post, settled.line))

    async def _delete(self, channel: str, post: str) -> None:
        await self._web.delete(channel, post)

    async def _go(self, way: Way, delivery: Delivery, sent: Standing) -> None:
        """Send by one way what does not stand there."""
        key, conversation, route = delivery.idempotency_key, delivery.conversation, read_route(delivery.route)
        locale = await self._locale_of(conversation.person)
        shareable = way == "route" and route is not None and is_shareable(conversation, route)
        reply = delivery.reply
        parts = _attributed(render(reply, about=key, locale=locale, shareable=shareable), delivery)
        few = route is not None and not route.follow_ups and way == "route"
        place = await self._place(way, delivery, route)
        most = Discord.FOLLOWUPS if few else None
        drafts = []
        for number, (part, more) in enumerate(_squeezed(parts, most, reply.language)):
            drawn, uploads = await _drawn(part, locale, reply.language)
            draft = Draft(drawn, mark_of(key, number), _named([*uploads, *more]), reply.language)
            drafts.append(draft.without([each for each in draft.files if len(each.data) > place.largest_file]))
        if sent.unclear and place.channel:
            await self._look(place, delivery, len(drafts), sent)
        for number, draft in enumerate(drafts):
            if str(number) in sent.parts:
                continue
            with sent.doubted():
                sent.shown = shown = await self._say(place, number, draft, key)
            sent.parts[str(number)] = shown.id

    async def _say(self, place: _Place, number: int, draft: Draft, key: str) -> Shown:
        """Send one message in the best form that Discord takes."""
        while True:
            try:
                return await place.post(number, draft)
            except DiscordRefused as error:
                if error.code == api.INVALID_FORM:
                    plainer = draft.plainer()
                else:
                    plainer = draft.without(draft.files) if error.code in _FILES_REFUSED and draft.files else None
                if plainer is None:
                    raise
                _log.warning("discord_form_refused", reply=key, part=number, code=error.code)
                draft = plainer

    async def _place(self, way: Way, delivery: Delivery, route: Route | None) -> _Place:
        """Return where one of a delivery's ways leads."""
        conversation, key = delivery.conversation, delivery.idempotency_key
        if way == "here":
            return self._channel(conversation.channel, key)
        if way == "person":
            return self._channel(await self._channels.direct_with(conversation.person.user), key)
        assert route is not None
        return self._answers(route, alone=_among_others(conversation, route))

    def _channel(self, channel: str, key: str) -> _Place:
        async def post(number: int, draft: Draft) -> Shown:
            nonce = {"nonce": nonce_of(key, number), "enforce_nonce": True}
            made = await self._web.post(channel, {**draft.body(), **nonce}, draft.files)
            message = str(made.get("id") or "")
            return Shown(draft.sent(), lambda change: self._web.edit(channel, message, change), message)

        return _Place(post, channel)

    def _answers(self, route: Route, *, alone: bool) -> _Place:
        """Return the answers to an interaction; the first is set in place of "thinking", if that is what is there."""
        to = route.answering

        async def post(number: int, draft: Draft) -> Shown:
            message = api.ORIGINAL
            if number == 0 and route.deferred:
                await self._web.edit_answer(to, message, draft.body(), draft.files)
            else:
                made = await self._web.follow_up(to, draft.body(alone=alone), draft.files)
                message = str(made.get("id") or "")
            return Shown(draft.sent(), lambda change: self._web.edit_answer(to, message, change))

        return _Place(post, largest_file=route.largest_file or Discord.FILE_SIZE)

    async def _look(self, place: _Place, delivery: Delivery, count: int, sent: Standing) -> None:
        """Find what of a reply stands in a channel already; where we may not read, nothing does."""
        key, since = delivery.idempotency_key, _since(delivery)
        try:
            user = await self._web.user()
            posts = await self._web.messages(place.channel, _LOOKED_AT, after=since)
            if since and len(posts) == _LOOKED_AT:  # what came late is among the latest, which may be the same
                posts = [*posts, *await self._web.messages(place.channel, _LOOKED_AT)]
        except DiscordRefused as error:
            _log.info("discord_not_looked_up", reply=key, code=error.code)
        else:
            sent.parts |= standing(posts, user, key, count)

    async def _tell_refused(self, delivery: Delivery, route: Route | None, error: SendRefused) -> None:
        """Say in one line that a reply does not arrive, where that gives nothing away."""
        if route is not None and await self._end_thinking(route, translated(_NOT_SHOWN, delivery.reply.language)):
            return
        if _asked_before_others(delivery) and getattr(error, "code", 0) == api.CANNOT_DIRECT_MESSAGE:
            await self._note(delivery, translated(_NOT_TAKEN, delivery.reply.language))

    async def _end_thinking(self, route: Route, line: str) -> bool:
        """Set a line in place of "thinking", and return whether that was there."""
        if not route.deferred:
            return False
        try:
            held = await self._web.answer(route.answering, api.ORIGINAL)
            if not is_thinking(held):
                return False
            await self._web.edit_answer(route.answering, api.ORIGINAL, notice(line))
        except (SendFailed, SendRefused) as error:
            _log.info("discord_thinking_not_ended", error=outline(error), code=getattr(error, "code", 0))
            return False
        return True

    async def _sign(self, delivery: Delivery) -> None:
        """Put a reaction under the mention that is answered elsewhere, or say where to look if reactions are refused."""
        kind, _, mention = delivery.answers.partition(":")
        if kind != "message":
            return
        try:
            await self._web.react(delivery.conversation.channel, mention, _ANSWERED_SIGN)
        except DiscordRefused:
            await self._note(delivery, translated(_LOOK_THERE, delivery.reply.language))
        except SendFailed as error:
            _log.info("discord_note_not_sent", error=outline(error))

    async def _note(self, delivery: Delivery, line: str) -> None:
        """Post one neutral line in the channel of a conversation; who it is for is named, and not alarmed."""
        conversation = delivery.conversation
        nonce = {"nonce": f"{delivery.idempotency_key}z"[: Discord.NONCE], "enforce_nonce": True}
        named = body(f"<@{conversation.person.user}> {line}")
        await _quietly(self._web.post(conversation.channel, {**named, **nonce}))


def is_shareable(conversation: ConversationKey, route: Route) -> bool:
    """Whether an answer can be shared where it was asked for, so that it can be taken back: as a post of ours in a server."""
    return conversation.team not in ("", ELSEWHERE) and route.channel == conversation.channel and route.follow_ups


def _among_others(conversation: ConversationKey, route: Route) -> bool:
    """Whether an interaction was where others read; below what direct messages show of a server's conversation it was not."""
    return bool(conversation.team) and route.channel == conversation.channel


def _asked_before_others(delivery: Delivery) -> bool:
    """Whether others saw that somebody asked us, and may see that there is no answer."""
    return bool(delivery.conversation.team) and delivery.route not in (DIRECT, UNNAMED)


def nonce_of(key: str, number: int) -> str:
    """Return what tells a part of a reply from all others, in as many signs as Discord takes."""
    return f"{key[: Discord.NONCE - 3]}{number:03d}"


def _since(delivery: Delivery) -> str:
    """Return the id of what was said or done, which tells when; nothing where a reply answers neither."""
    route = read_route(delivery.route)
    found = route.interaction if route is not None else delivery.answers.rpartition(":")[2]
    return found if _ID.fullmatch(found) else ""


def _named(uploads: Sequence[Upload]) -> tuple[Upload, ...]:
    """Return files each with a name of its own."""
    names = [each.attached for each in uploads]
    return tuple(
        replace(each, name=f"{place + 1}-{each.name}") if names.index(each.attached) < place else each
        for place, each in enumerate(uploads)
    )


async def _drawn(part: Part, locale: str, language: str) -> tuple[Part, list[Upload]]:
    """Return a part with what comes beside it; a chart that can't be drawn is said."""
    uploads = [] if part.file is None else [Upload(part.file.name, part.file.media_type, part.file.data)]
    if part.chart is not None:
        from bots.charts import alt_text, draw

        try:
            picture = await asyncio.to_thread(draw, part.chart, locale, language)
        except ValueError as error:
            _log.warning("discord_chart_not_drawn", error=outline(error))
            return part.spoken, uploads
        said = alt_text(part.chart, locale, language)[: Discord.ALT_TEXT]
        uploads.append(Upload("chart.png", "image/png", picture, said, part.instead))
    return part, uploads


def _attributed(parts: tuple[Part, ...], delivery: Delivery) -> tuple[Part, ...]:
    """Return the parts as they are sent: what a person shows to everyone there says who does."""
    reply, conversation = delivery.reply, delivery.conversation
    if reply.audience is not Audience.SHARED or reply.kind != "answer" or not conversation.team:
        return parts
    who = f"<@{conversation.person.user}>"
    line = translated(say("{who} shared this:", who=who), reply.language)
    first, *rest = parts
    headed = replace(first, texts=(line, *first.texts[1:])).with_text(HEAD, first.texts[HEAD])
    return (headed, *rest) if len(headed.spoken.content) <= Discord.CONTENT else (Part().with_text(HEAD, line), *parts)


def _squeezed(parts: tuple[Part, ...], follow_ups: int | None, language: str) -> list[tuple[Part, tuple[Upload, ...]]]:
    """Return no more messages than an interaction may have: what is left over is in a file, with the files it had."""
    whole: list[tuple[Part, tuple[Upload, ...]]] = [(part, ()) for part in parts]
    # The first answer is none of them; so one is left for what a model adds.
    if follow_ups is None or len(parts) <= follow_ups:
        return whole
    rest = parts[follow_ups - 1 :]
    text = "\n\n".join(part.spoken.content for part in rest if part.spoken.content)
    files = [Upload(part.file.name, part.file.media_type, part.file.data) for part in rest if part.file]
    last = Part(rows=rest[-1].rows, tone=rest[-1].tone).with_text(HEAD, translated(_REST, language))
    uploads = (Upload("answer.txt", "text/plain", text.encode()), *files[: Discord.FILES - 1])
    return [*whole[: follow_ups - 1], (last, uploads)]


async def _quietly(call: Awaitable[object]) -> None:
    """Await a call that only says what became of something else."""
    try:
        await call
    except (SendFailed, SendRefused) as error:
        _log.info("discord_note_not_sent", code=getattr(error, "code", ""), error=type(error).__name__)
