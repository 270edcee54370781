"""Interactions: slash commands, presses, shortcuts and modals."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

from bots.audience import Place
from bots.cleaning import clean
from bots.contracts import ConversationKey, Duty, Message, pressed
from bots.desk.commands import read_command
from bots.errors import UnreadableRecord
from bots.payloads import Unreadable, list_at, look, text_at
from bots.slack_app.bodies import (
    Modal,
    Origin,
    Pressed,
    Sender,
    Submitted,
    Suggesting,
    Surroundings,
    compose,
    id_at,
    route,
    sender,
    thread_at,
    token_at,
    ts_at,
)
from bots.slack_app.buttons import parse_action, parse_block_id
from bots.slack_app.wording import LONGEST, plain, visible_text

if TYPE_CHECKING:
    from collections.abc import Mapping

EXPLAIN = "explain_charge"
"""The callback id of the message shortcut."""

_MODALS: dict[str, Modal] = {name: name for name in get_args(Modal)}
_FEEDBACK = ("right", "wrong")
#: Where the different inputs keep what was chosen. https://docs.slack.dev/reference/views
_CHOICES = ("value", "selected_option", "selected_options", "selected_date", "selected_time")


def read_slash_command(body: Mapping[str, Any], surroundings: Surroundings) -> Message:
    """Return what ``/money …`` asks for; raises Unreadable.

    It may be typed in a conversation that we are no part of: the answer can only be given at the route.
    """
    who = sender(id_at(body, "user_id"), surroundings, (look(body, "team_id"),))
    channel = id_at(body, "channel_id")
    return compose(
        surroundings,
        Origin(who.person, who.at(channel), channel),
        _delivery(body),
        kind="command",
        content=read_command(plain(text_at(body, "text"))),
        route=route(look(body, "response_url"), surroundings),
    )


def read_shortcut(body: Mapping[str, Any], surroundings: Surroundings) -> Message | None:
    """Return the question about a charge that a message tells of, or for the receipt of an answer of ours."""
    if look(body, "callback_id") != EXPLAIN:
        return None
    who = _sender(body, surroundings)
    channel = id_at(body, "channel", "id")
    source = look(body, "message")
    ours = look(source, "user") == surroundings.bot_user or look(source, "bot_id") == surroundings.bot_id
    # Of ours, what has no buttons may be what somebody shared: their figures are nobody else's to keep.
    about, thread = (_origin(source) if ours else None) or ("" if ours else None, thread_at(source, "thread_ts"))
    if not thread and channel.startswith("D"):
        thread = ts_at(source, "ts")
    return compose(
        surroundings,
        Origin(who.person, who.at(channel), channel, thread),
        _delivery(body),
        kind="command",
        content=Duty("receipt") if ours else Duty("charge", {"text": visible_text(source)}),
        about=about,
        route=route(look(body, "response_url"), surroundings),
    )


def read_press(body: Mapping[str, Any], surroundings: Surroundings) -> Message | Pressed | None:
    """Return what a pressed button says, or which modal it opens."""
    element = next(iter(list_at(body, "actions")), None)
    chosen = look(element, "selected_option")
    value = text_at(element, "value") or text_at(chosen, "value")
    label = text_at(element, "text", "text") or text_at(chosen, "text", "text")
    action = parse_action(text_at(element, "action_id"), value, label)
    if action is None or (action.action == "feedback" and action.value not in _FEEDBACK):
        return None
    message = _press(body, surroundings, element, content=pressed(action))
    modal = _MODALS.get(action.action)
    return Pressed(message.person, token_at(body, "trigger_id"), modal, message) if modal else message


def read_submission(body: Mapping[str, Any], surroundings: Surroundings) -> Submitted | None:
    """Return what a modal of ours was filled in with; sent twice, it has one delivery id, and changed, another."""
    modal = _MODALS.get(text_at(body, "view", "callback_id"))
    if modal is None:
        return None
    version = text_at(body, "view", "hash") or token_at(body, "trigger_id")
    delivery = f"view:{token_at(body, 'view', 'id')}:{version[:200]}"
    value = text_at(_noted(text_at(body, "view", "private_metadata")), "value")
    message = _from_view(body, surroundings, delivery, content=Duty(modal, {"value": value} if value else {}))
    return Submitted(message.person, modal, _values(body), message)


def read_suggestion(body: Mapping[str, Any], surroundings: Surroundings) -> Suggesting:
    """Return what a person typed into a select."""
    person = _sender(body, surroundings).person
    return Suggesting(person, token_at(body, "action_id"), clean(text_at(body, "value")).strip()[:LONGEST])


def note(message: Message) -> str:
    """Return the ``private_metadata`` of a modal that a press opens, by which its submission finds back."""
    origin = {"conversation": str(message.conversation), "about": message.about, "route": message.route}
    if "value" in message.values:
        origin["value"] = str(message.values["value"])
    return json.dumps(origin, separators=(",", ":"))


def _press(body: Mapping[str, Any], surroundings: Surroundings, element: object, **said: Any) -> Message:
    delivery = f"{_delivery(body)}:{token_at(element, 'action_ts')}"
    if look(body, "container", "type") == "view":
        return _from_view(body, surroundings, delivery, **said)
    who = _sender(body, surroundings)
    channel = id_at(body, "channel", "id") if look(body, "channel") else id_at(body, "container", "channel_id")
    about, thread = parse_block_id(text_at(element, "block_id")) or (None, _thread(body, channel))
    origin = Origin(who.person, who.at(channel), channel, thread)
    # In a direct message we post ourselves; what only the presser sees, and where we may be no member, needs the URL.
    by_url = look(body, "container", "is_ephemeral") is True or origin.place is not Place.DIRECT
    return compose(
        surroundings,
        origin,
        delivery,
        kind="button",
        about=about,
        route=route(look(body, "response_url"), surroundings) if by_url else "",
        **said,
    )


def _from_view(body: Mapping[str, Any], surroundings: Surroundings, delivery: str, **said: Any) -> Message:
    """Return a message from the App Home or a modal, in the conversation whose button opened it.

    Where there was none, that is the person's direct messages, by the person's own id in place of a channel's:
    ``chat.postMessage`` takes it for one.
    """
    who = _sender(body, surroundings)
    noted = _noted(text_at(body, "view", "private_metadata"))
    key = _conversation(noted, who, surroundings)
    channel, thread = (key.channel, key.thread) if key else (who.person.user, "")
    return compose(
        surroundings,
        Origin(who.person, who.at(channel), channel, thread),
        delivery,
        kind="button",
        about=(text_at(noted, "about") or None) if key else None,
        route=route(look(noted, "route"), surroundings) if key else "",
        **said,
    )


def _noted(metadata: str) -> object:
    try:
        return json.loads(metadata)
    except (ValueError, RecursionError):
        return None


def _conversation(noted: object, who: Sender, surroundings: Surroundings) -> ConversationKey | None:
    """Return the conversation that a note names if it is this person's own."""
    try:
        found = ConversationKey.parse(text_at(noted, "conversation"))
    except UnreadableRecord:
        return None
    ours = found.platform == "slack" and found.team == surroundings.team and found.channel
    return found if ours and found.person == who.person else None


def _thread(body: Mapping[str, Any], channel: str) -> str:
    thread = thread_at(body, "container", "thread_ts") or thread_at(body, "message", "thread_ts")
    if thread or not channel.startswith("D"):
        return thread
    return thread_at(body, "message", "ts") or thread_at(body, "container", "message_ts")


def _origin(message: object) -> tuple[str, str] | None:
    """Return which reply of ours a message shows, and the thread of its conversation."""
    found = (parse_block_id(text_at(block, "block_id")) for block in list_at(message, "blocks"))
    return next((origin for origin in found if origin), None)


def _values(body: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    blocks = look(body, "view", "state", "values")
    if not isinstance(blocks, dict):
        raise Unreadable("view.state.values")
    return {
        block: _value(next(iter(inputs.values()), None))
        for block, inputs in blocks.items()
        if isinstance(block, str) and isinstance(inputs, dict)
    }


def _value(state: object) -> str | tuple[str, ...]:
    chosen = next((found for kind in _CHOICES if (found := look(state, kind))), None)
    if isinstance(chosen, list):
        return tuple(text for text in map(_one, chosen) if text)
    return _one(chosen)


def _one(chosen: object) -> str:
    return clean(chosen if isinstance(chosen, str) else text_at(chosen, "value"))[:LONGEST]


def _sender(body: Mapping[str, Any], surroundings: Surroundings) -> Sender:
    shared = look(body, "is_ext_shared_channel") not in (None, False)
    teams = (look(body, "user", "team_id"),)
    places = (look(body, "team", "id"), shared or None)
    return sender(id_at(body, "user", "id"), surroundings, teams, places)


def _delivery(body: Mapping[str, Any]) -> str:
    return f"trigger:{token_at(body, 'trigger_id')}"
