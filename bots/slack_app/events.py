"""Events: what people say to us, in direct messages and by mention, and what they do with the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.cleaning import without
from bots.contracts import Attachment, Duty, Message, Question
from bots.payloads import list_at, look, text_at
from bots.slack_app.bodies import (
    Inbound,
    Opened,
    Origin,
    Sender,
    Surroundings,
    compose,
    id_at,
    sender,
    thread_at,
    token_at,
    ts_at,
)
from bots.slack_app.wording import mention_of, plain

if TYPE_CHECKING:
    from collections.abc import Mapping


#: A post with a file, and a reply that is shown outside its thread as well; all others tell of changes, bots or chores.
_SUBTYPES = (None, "file_share", "thread_broadcast")
#: Files whose bytes are not Slack's to give. https://docs.slack.dev/reference/objects/file-object
_GONE = ("external", "tombstone", "hidden_by_limit")
_MOST_FILES = 10
_SLACKBOT = "USLACKBOT"


def read_event(body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    """Return what an event means to us, or None; raises Unreadable."""
    match text_at(body, "event", "type"):
        case "message":
            return _direct_message(body, surroundings)
        case "app_mention":
            return _mention(body, surroundings)
        case "app_home_opened":
            return _opened(body, surroundings)
        case "agent_session_stopped":
            return _stopped(body, surroundings)
        case "app_uninstalled" | "tokens_revoked":
            return None  # whoever serves many workspaces asks for the departure
    return None


@dataclass(frozen=True, slots=True)
class Departure:
    """A workspace's word that tokens count no more: since when, in seconds since 1970, and of which bots, if not of all."""

    at: int
    bots: tuple[str, ...] | None = None


def departure(body: Mapping[str, Any]) -> Departure | None:
    """Return what a body says of the end of an installation; tokens of people are none of ours."""
    at = look(body, "event_time")
    since = at if isinstance(at, int) else 0
    match text_at(body, "event", "type"):
        case "app_uninstalled":
            return Departure(since)
        case "tokens_revoked":
            bots = tuple(map(str, list_at(body, "event", "tokens", "bot")))
            return Departure(since, bots) if bots else None
    return None


def _direct_message(body: Mapping[str, Any], surroundings: Surroundings) -> Message | None:
    """Every post that begins a thread is a conversation, for the answer is given in its thread."""
    if look(body, "event", "channel_type") != "im" or _is_not_said(body, surroundings):
        return None
    channel = id_at(body, "event", "channel")
    thread = thread_at(body, "event", "thread_ts") or ts_at(body, "event", "ts")
    who = _sender(body, surroundings)
    return _said(body, surroundings, Origin(who.person, who.at(channel, "im"), channel, thread))


def _mention(body: Mapping[str, Any], surroundings: Surroundings) -> Message | None:
    """In a channel the conversation is the person's own, one for the channel and one for each thread."""
    channel = id_at(body, "event", "channel")
    # A direct message comes as a message, and is none of another kind for naming us.
    if channel.startswith("D") or _is_not_said(body, surroundings):
        return None
    who = _sender(body, surroundings)
    place = who.at(channel, text_at(body, "event", "channel_type") or None)
    return _said(body, surroundings, Origin(who.person, place, channel, thread_at(body, "event", "thread_ts")))


def _said(body: Mapping[str, Any], surroundings: Surroundings, origin: Origin) -> Message:
    files = _files(body)
    text = plain(without(mention_of(surroundings.bot_user), text_at(body, "event", "text")))
    return compose(
        surroundings,
        origin,
        _delivery(body),
        ts=ts_at(body, "event", "ts"),
        content=Question(text) if text or files else Duty("help"),
        kind="file" if files else "text",
        attachments=files,
    )


def _is_not_said(body: Mapping[str, Any], surroundings: Surroundings) -> bool:
    """Whether it is an edit, a deletion, a bot's or our own."""
    event = look(body, "event")
    strange = look(event, "subtype") not in _SUBTYPES
    changed = any(look(event, mark) for mark in ("bot_id", "hidden", "edited"))
    return strange or changed or look(event, "user") in (surroundings.bot_user, _SLACKBOT)


def _files(body: Mapping[str, Any]) -> tuple[Attachment, ...]:
    files = [each for each in list_at(body, "event", "files") if _is_held(each)]
    return tuple(
        Attachment(
            name=plain(text_at(each, "name") or text_at(each, "title"))[:255] or "file",
            size=_size(look(each, "size")),
            media_type=text_at(each, "mimetype")[:255] or "application/octet-stream",
            reference=id_at(each, "id"),
        )
        for each in files[:_MOST_FILES]
    )


def _is_held(file: object) -> bool:
    return bool(text_at(file, "id")) and look(file, "mode") not in _GONE and not look(file, "is_external")


def _size(size: object) -> int:
    return size if isinstance(size, int) and size > 0 else 0


def _opened(body: Mapping[str, Any], surroundings: Surroundings) -> Opened | None:
    tab = text_at(body, "event", "tab")
    if tab not in {"home", "messages"}:
        return None
    person = _sender(body, surroundings).person
    return Opened(person, id_at(body, "event", "channel"), "home" if tab == "home" else "messages")


def _stopped(body: Mapping[str, Any], surroundings: Surroundings) -> Message | None:
    """Sessions are shown in direct messages only, so that a stop anywhere else is not for a turn of ours."""
    channel = id_at(body, "event", "channel")
    if not channel.startswith("D"):
        return None
    who = _sender(body, surroundings)
    origin = Origin(who.person, who.at(channel), channel, ts_at(body, "event", "thread_ts"))
    return compose(surroundings, origin, _delivery(body), kind="stop")


def _sender(body: Mapping[str, Any], surroundings: Surroundings) -> Sender:
    event = look(body, "event")
    shared = look(body, "is_ext_shared_channel") not in (None, False)
    teams = (look(event, "user_team"), look(event, "team"))
    places = (look(event, "source_team"), look(body, "team_id"), look(body, "context_team_id"), shared or None)
    return sender(id_at(event, "user"), surroundings, teams, places)


def _delivery(body: Mapping[str, Any]) -> str:
    return f"event:{token_at(body, 'event_id')}"
