"""Replies on their way to Discord: where each may go, in which form Discord takes it, and that none is shown twice.

What answers an interaction is seen by its asker alone, in a server as in direct messages; it is set, not added, so that it
can be sent again. What is posted carries a nonce, under which Discord returns the post it has instead of a second one; that
holds for some minutes (docs.discord.com/developers/resources/message#create-message), so after a doubt we look as well.
Further answers to an interaction have neither: after a crash between two of them the later ones may come twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from bots.discord_app import web as api
from bots.discord_app.buttons import parse_custom_id
from bots.discord_app.escaping import escape
from bots.discord_app.rendering import Part, render
from bots.discord_app.routes import Route, read_route
from bots.discord_app.web import DiscordRefused, Upload
from bots.errors import SendFailed, SendRefused, outline
from bots.limits import Discord
from graph.reply import Audience

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from bots.contracts import Delivery
    from bots.discord_app.people import Channels
    from bots.discord_app.web import DiscordWeb
    from ledger.people import Person

_log = structlog.get_logger(__name__)

#: How a reply goes: as the answer to its interaction that the asker alone sees, posted in its own channel, as a further
#: answer to the interaction that everyone there sees, or to the person's direct messages.
Way = Literal["route", "here", "open", "person"]

_EPHEMERAL, _NO_EMBEDS = 1 << 6, 1 << 2
_STYLES = {"secondary": 2, "success": 3, "danger": 4}
#: A place that can't be reached (any more), while the person may be.
_CLOSED: Final = frozenset(
    {
        *(api.UNKNOWN_CHANNEL, api.UNKNOWN_MESSAGE, api.UNKNOWN_WEBHOOK, api.UNKNOWN_INTERACTION),
        *(api.MISSING_ACCESS, api.MISSING_PERMISSIONS, api.EXPIRED_TOKEN, api.TOO_MANY_FOLLOW_UPS, 50_083, 160_005),
    }
)
_FILES_REFUSED = frozenset({api.TOO_LARGE, api.MISSING_PERMISSIONS})
_MOST_REMEMBERED = 2000
_LOOKED_AT = 50
#: The line that says where the answer is counts as a part that no reply has.
_NOTE = 999

_ANSWERED = "the answer is in our direct messages."
_NOT_TAKEN = "I can't send you direct messages. Allow them, or ask with /money here: then nobody else sees the answer."
_NOT_SHARED = "I can't post in this channel, so nothing was shared."
_REST = "The rest is in the file."


@dataclass(frozen=True, slots=True)
class Shown:
    """The last message of a reply, as something may be added to it."""

    content: str
    edit: Callable[[Mapping[str, Any]], Awaitable[object]]


@dataclass(slots=True)
class _Sent:
    """What is known of a reply: parts that stand there, and whether there may be more of them than we know."""

    parts: set[int] = field(default_factory=set)
    unclear: bool = False
    shown: Shown | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where parts go; ``channel`` is where they can be found again, nothing where nowhere."""

    post: Callable[[int, Mapping[str, Any], Sequence[Upload]], Awaitable[Shown]]
    channel: str = ""
    largest_file: int = Discord.FILE_SIZE


def ways(delivery: Delivery, route: Route | None) -> tuple[Way, ...]:
    """Return how a reply may go, the best way first; ``route`` is its interaction if that can still be answered.

    Raises:
        SendRefused: it is not clear who would read it.
    """
    conversation, reply = delivery.conversation, delivery.reply
    private, shared = reply.audience is Audience.PRIVATE, reply.audience is Audience.SHARED
    alone: tuple[Way, ...] = ("route",) if route is not None else ()
    if not conversation.team and (private or shared):
        return (*alone, "here")
    if private:
        return (*alone, "person")
    if shared and reply.kind == "answer":
        if route is None or route.channel != conversation.channel:
            return ("here",)
        return ("here", "open") if route.follow_ups else ("open",)  # where only a person has us, we can't post
    if shared:
        return (*alone, "here")
    raise SendRefused("I can't tell who would read this there.")


class DiscordSender:
    """Sends replies. ``locale_of`` says how a person reads figures; ``wall`` is the clock that routes were noted by."""

    def __init__(
        self,
        web: DiscordWeb,
        channels: Channels,
        locale_of: Callable[[Person], Awaitable[str]],
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Send through this client."""
        self._web = web
        self._channels = channels
        self._locale_of = locale_of
        self._wall = wall
        self._sent: OrderedDict[str, _Sent] = OrderedDict()

    def shown(self, key: str) -> Shown | None:
        """Return the last message of a reply that was sent under this key, as long as it is remembered."""
        sent = self._sent.get(key)
        return sent.shown if sent else None

    async def send(self, delivery: Delivery) -> None:
        """Show the reply, in order, to those who may read it; what of it stands there already is left out.

        Raises:
            SendFailed: it may work later; what was shown by then is not shown again.
            SendRefused: it never will.
        """
        sent = self._remembered(delivery.idempotency_key)
        sent.unclear |= delivery.again
        noted = read_route(delivery.route)
        route = noted if noted is not None and noted.is_open(self._wall()) else None
        locale = await self._locale_of(delivery.conversation.person)
        *others, last = ways(delivery, route)
        for way in others:
            try:
                return await self._go(way, delivery, route, locale, sent)
            except DiscordRefused as error:
                if error.code not in _CLOSED:
                    raise
                _log.info("discord_way_closed", reply=delivery.idempotency_key, way=way, code=error.code)
        try:
            await self._go(last, delivery, route, locale, sent)
        except DiscordRefused as error:
            await self._tell_refused(delivery, route, error)
            raise
        if last == "person" and noted is None:
            await self._note(delivery, _ANSWERED)
        return None

    async def _go(self, way: Way, delivery: Delivery, route: Route | None, locale: str, sent: _Sent) -> None:
        """Send by one way what does not stand there; a call that ends without an answer leaves doubt."""
        key, conversation = delivery.idempotency_key, delivery.conversation
        shareable = way != "here" and bool(conversation.team)
        parts = _attributed(render(delivery.reply, about=key, locale=locale, shareable=shareable), delivery)
        few = route is not None and not route.follow_ups and way in ("route", "open")
        place = await self._place(way, delivery, route)
        await self._look(place, key, len(parts), sent)
        for number, (part, tail) in enumerate(
            _squeezed(parts, Discord.FOLLOWUPS) if few else [(each, ()) for each in parts]
        ):
            if number in sent.parts:
                continue
            uploads = [*await _uploads(part, locale), *tail]
            try:
                sent.shown = await self._say(place, number, part, uploads, key)
            except BaseException as error:
                sent.unclear |= not isinstance(error, SendRefused) and getattr(error, "unclear", True)
                raise
            sent.parts.add(number)

    async def _say(self, place: _Place, number: int, part: Part, uploads: list[Upload], key: str) -> Shown:
        """Send one message in the best form that Discord takes."""
        fitting = [each for each in uploads if len(each.data) <= place.largest_file]
        content = _with_words(part, [each for each in uploads if each not in fitting])
        try:
            return await place.post(number, _body(content, part), fitting)
        except DiscordRefused as error:
            if error.code not in _FILES_REFUSED | {api.INVALID_FORM} or (
                error.code != api.INVALID_FORM and not fitting
            ):
                raise
            _log.warning("discord_form_refused", reply=key, part=number, code=error.code)
            if error.code == api.INVALID_FORM:
                return await place.post(number, _body(content, Part("")), fitting)
        return await place.post(number, _body(_with_words(part, uploads), part), ())

    async def _place(self, way: Way, delivery: Delivery, route: Route | None) -> _Place:
        """Return where one of a delivery's ways leads."""
        conversation, key = delivery.conversation, delivery.idempotency_key
        if way == "here":
            return self._channel(conversation.channel, key)
        if way == "person":
            return self._channel(await self._channels.direct_with(conversation.person.user), key)
        assert route is not None
        return self._answers(route, alone=way == "route" and bool(conversation.team), first=way == "route")

    def _channel(self, channel: str, key: str) -> _Place:
        async def post(number: int, body: Mapping[str, Any], files: Sequence[Upload]) -> Shown:
            nonce = {"nonce": nonce_of(key, number), "enforce_nonce": True}
            made = await self._web.post(channel, {**body, **nonce}, files)
            message = str(made.get("id") or "")
            return Shown(str(body["content"]), lambda change: self._web.edit(channel, message, change))

        return _Place(post, channel)

    def _answers(self, route: Route, *, alone: bool, first: bool) -> _Place:
        """Return the answers to an interaction; the first is set in place of "thinking", if that is what is there."""
        to = route.answering

        async def post(number: int, body: Mapping[str, Any], files: Sequence[Upload]) -> Shown:
            message = api.ORIGINAL
            if number == 0 and first and route.deferred:
                await self._web.edit_answer(to, message, body, files)
            else:
                flags = body["flags"] | (_EPHEMERAL if alone else 0)
                made = await self._web.follow_up(to, {**body, "flags": flags}, files)
                message = str(made.get("id") or "")
            return Shown(str(body["content"]), lambda change: self._web.edit_answer(to, message, change))

        return _Place(post, largest_file=route.largest_file or Discord.FILE_SIZE)

    async def _look(self, place: _Place, key: str, count: int, sent: _Sent) -> None:
        """Where it is not clear what of a reply stands in a channel, look; where we may not read, nothing does."""
        if not sent.unclear or not place.channel:
            return
        try:
            for message in await self._web.messages(place.channel, _LOOKED_AT):
                sent.parts.update(_parts_in(message, key, count))
        except DiscordRefused as error:
            _log.info("discord_not_looked_up", reply=key, code=error.code)

    async def _tell_refused(self, delivery: Delivery, route: Route | None, error: DiscordRefused) -> None:
        """Say in one line that an answer did not arrive, where that gives nothing away and was not said before."""
        conversation = delivery.conversation
        if delivery.again or not conversation.team:
            return
        if delivery.reply.audience is Audience.PRIVATE and error.code == api.CANNOT_DIRECT_MESSAGE:
            await self._note(delivery, _NOT_TAKEN)
        elif delivery.reply.audience is Audience.SHARED and route is not None:
            body = {"content": _NOT_SHARED, "flags": _EPHEMERAL, "allowed_mentions": {"parse": []}}
            await _quietly(self._web.follow_up(route.answering, body))

    async def _note(self, delivery: Delivery, line: str) -> None:
        """Post one neutral line in the channel of a conversation; who it is for is named, and not alarmed."""
        conversation = delivery.conversation
        content = f"<@{conversation.person.user}> {line}"
        body = {
            **_body(content, Part("")),
            "nonce": f"{delivery.idempotency_key}z"[: Discord.NONCE],
            "enforce_nonce": True,
        }
        await _quietly(self._web.post(conversation.channel, body))

    def _remembered(self, key: str) -> _Sent:
        """Return what is known of a reply; the oldest are forgotten."""
        sent = self._sent.setdefault(key, _Sent())
        self._sent.move_to_end(key)
        while len(self._sent) > _MOST_REMEMBERED:
            self._sent.popitem(last=False)
        return sent


@cache
def warm_up() -> None:
    """Load what draws charts, once in a process: a first one would keep its answer waiting for a second."""
    from bots.charts import draw
    from tools.results import Chart

    draw(Chart("", ("",), (Decimal(1),), "EUR"), "en_US")


def nonce_of(key: str, number: int) -> str:
    """Return what tells a part of a reply from all others, in as many signs as Discord takes."""
    return f"{key[: Discord.NONCE - 3]}{number:03d}"


def components(part: Part) -> list[dict[str, Any]]:
    """Return a part's rows of buttons as Discord takes them."""
    return [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": _STYLES[each.style], "label": each.label, "custom_id": each.custom_id}
                for each in row
            ],
        }
        for row in part.rows
    ]


def _body(content: str, part: Part) -> dict[str, Any]:
    return {
        "content": content[: Discord.CONTENT],
        "components": components(part),
        "flags": _NO_EMBEDS,
        "allowed_mentions": {"parse": []},
    }


async def _uploads(part: Part, locale: str) -> list[Upload]:
    """Return what comes beside a part; a chart that can't be drawn is no loss, as its figures are said."""
    uploads = [] if part.file is None else [Upload(part.file.name, part.file.media_type, part.file.data)]
    if part.chart is not None:
        from bots.charts import alt_text, draw

        try:
            picture = await asyncio.to_thread(draw, part.chart, locale)
        except ValueError as error:
            _log.warning("discord_chart_not_drawn", error=outline(error))
        else:
            uploads.append(Upload("chart.png", "image/png", picture, alt_text(part.chart, locale)[: Discord.ALT_TEXT]))
    return uploads


def _with_words(part: Part, missing: Sequence[Upload]) -> str:
    """Return a part's content, and which of its files are not there; a chart's figures are said anyway."""
    files = [each for each in missing if not each.alt]
    lines = [f"Discord does not take the file {escape(each.name)}; it is {_size(len(each.data))}." for each in files]
    return "\n".join(filter(None, (part.content, *lines))) or "…"


def _size(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB" if count >= 1024 * 1024 else f"{count / 1024:.1f} KB"


def _attributed(parts: tuple[Part, ...], delivery: Delivery) -> tuple[Part, ...]:
    """Return the parts as they are sent: what a person shows to everyone there says who does."""
    reply, conversation = delivery.reply, delivery.conversation
    if reply.audience is not Audience.SHARED or reply.kind != "answer" or not conversation.team:
        return parts
    line = f"<@{conversation.person.user}> shared this:"
    first, *rest = parts
    headed = f"{line}\n{first.content}"
    if len(headed) > Discord.CONTENT:
        return (Part(line), *parts)
    return (replace(first, content=headed), *rest)


def _squeezed(parts: tuple[Part, ...], follow_ups: int) -> list[tuple[Part, tuple[Upload, ...]]]:
    """Return no more messages than an interaction may have: what is left over is in a file, with the files it had."""
    whole: list[tuple[Part, tuple[Upload, ...]]] = [(part, ()) for part in parts]
    if len(parts) <= follow_ups:  # the first answer is none of them; one is left for what a model adds
        return whole
    rest = parts[follow_ups - 1 :]
    text = "\n\n".join(part.content for part in rest if part.content)
    files = [Upload(part.file.name, part.file.media_type, part.file.data) for part in rest if part.file]
    last = Part(_REST, rows=rest[-1].rows)
    uploads = (Upload("answer.txt", "text/plain", text.encode()), *files[: Discord.FILES - 1])
    return [*whole[: follow_ups - 1], (last, uploads)]


def _parts_in(message: Any, key: str, count: int) -> set[int]:
    """Return which parts of a reply a post of ours is: by its nonce where Discord tells it, else by its buttons."""
    if not isinstance(message, dict):
        return set()
    nonce = str(message.get("nonce") or "")
    found = {number for number in range(count) if nonce == nonce_of(key, number)}
    for row in message.get("components") or ():
        for each in row.get("components") or ():
            button = parse_custom_id(str(each.get("custom_id") or ""))
            if button is not None and button.about == key:
                found.add(count - 1)  # the last part has the buttons
    return found


async def _quietly(call: Awaitable[object]) -> None:
    """Await a call that only says what became of something else."""
    try:
        await call
    except (SendFailed, SendRefused) as error:
        _log.info("discord_note_not_sent", code=getattr(error, "code", ""), error=type(error).__name__)
