"""What comes from Discord, as what the bots work with: one function, no network, no state."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import structlog

from bots.audience import Place, audience_of
from bots.cleaning import without
from bots.contracts import Attachment, ConversationKey, Duty, Message, Question
from bots.discord_app.bodies import Inbound, Said, Surroundings, id_at, number_at
from bots.discord_app.buttons import reply_shown
from bots.discord_app.files import reference_in_message
from bots.discord_app.interactions import read_interaction
from bots.discord_app.routes import UNNAMED
from bots.discord_app.wording import mention_of, names_at, plain
from bots.payloads import Unreadable, list_at, look, text_at
from ledger.people import Person

if TYPE_CHECKING:
    from collections.abc import Mapping

_log = structlog.get_logger(__name__)

#: A post, and one that replies to another; all other kinds tell of pins, joins, boosts and the like.
#: https://docs.discord.com/developers/resources/message#message-object-message-types
_SAID = (0, 19)
_MOST_FILES = 10
#: The first moment that an id can tell, in milliseconds since 1970.
_EPOCH = 1_420_070_400_000


def read(event: str, body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    """Return what an event of the gateway says to us, or None where there is nothing to do."""
    try:
        return read_interaction(body, surroundings) if event == "INTERACTION_CREATE" else _read_post(body, surroundings)
    except Unreadable as error:
        _log.warning("discord_event_unreadable", kind=event, field=error.field)
        return None


def _read_post(body: Mapping[str, Any], surroundings: Surroundings) -> Said | None:
    """Return what a person wrote; what bots, webhooks and Discord itself write is nothing to us."""
    if look(body, "type") not in _SAID or look(body, "webhook_id") or look(body, "author", "bot"):
        return None
    user, channel, post = id_at(body, "author", "id"), id_at(body, "channel_id"), id_at(body, "id")
    if user == surroundings.bot_user:
        return None
    guild = "" if look(body, "guild_id") is None else id_at(body, "guild_id")
    files = _files(body, channel, post)
    text = plain(without(mention_of(surroundings.bot_user), text_at(body, "content")), names_at(body))
    person = Person("discord", "", user)
    named = {look(each, "id") for each in list_at(body, "mentions")}
    answered = look(body, "referenced_message", "author", "id")
    mentioned = surroundings.bot_user in named or not guild
    message = Message(
        person=person,
        conversation=ConversationKey("discord", guild, channel, "", person),
        delivery_id=f"message:{post}",
        channel=channel,
        ts=post,
        audience=audience_of(Place.CHANNEL if guild else Place.DIRECT, private_replies=True),
        received_at=min(surroundings.now(), _written_at(post)),
        content=Question(text) if text or files else Duty("help"),
        kind="file" if files else "text",
        attachments=files,
        about=_replied_to(body) if not guild and answered == surroundings.bot_user else None,
        route="" if mentioned else UNNAMED,
    )
    return Said(message, mentioned, to_others=bool({*named, answered} - {surroundings.bot_user, None}))


def _written_at(post: str) -> datetime:
    """Return when a post was written, which its id tells; it may be told of much later.

    https://docs.discord.com/developers/reference#snowflakes
    """
    return datetime.fromtimestamp(((int(post) >> 22) + _EPOCH) / 1000, UTC)


def _replied_to(body: Mapping[str, Any]) -> str:
    """Return the key of the reply of ours that a post replies to; one of no reply, where we can't tell which it is."""
    return reply_shown(look(body, "referenced_message")) or ""


def _files(body: Mapping[str, Any], channel: str, post: str) -> tuple[Attachment, ...]:
    return tuple(
        Attachment(
            name=plain(text_at(each, "filename"))[:255] or "file",
            size=number_at(each, "size"),
            media_type=text_at(each, "content_type")[:255] or "application/octet-stream",
            reference=reference_in_message(channel, post, id_at(each, "id")),
        )
        for each in list_at(body, "attachments")[:_MOST_FILES]
    )
