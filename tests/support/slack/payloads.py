"""The payloads of events and interactions, in the shapes that Slack documents and slack_bolt reads."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from tests.support.slack.state import APP, BOT_USER, TEAM, Channel, Member, Message, file_wire

if TYPE_CHECKING:
    from tests.support.slack.rendering import Button

TOKEN = "verification-token"
DOMAIN = "home"
_LIVE = re.compile(r"(<(?:[@#!][^<>\s]+|https?://[^<>\s]+)>)")


def typed(text: str) -> str:
    """What the wire carries of what someone typed: escaped, but for the mentions and links that the client makes."""
    parts = _LIVE.split(text)
    plain = [each.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for each in parts[::2]]
    return "".join(part + (parts[2 * i + 1] if 2 * i + 1 < len(parts) else "") for i, part in enumerate(plain))


def _rich(text: str) -> list[dict[str, Any]]:
    elements = [
        {"type": "user", "user_id": part[2:-1]} if part.startswith("<@") else {"type": "text", "text": part}
        for part in _LIVE.split(text)
        if part
    ]
    return [{"type": "rich_text", "block_id": "b1", "elements": [{"type": "rich_text_section", "elements": elements}]}]


def envelope(event: dict[str, Any], event_id: str, *, ext_shared: bool = False) -> dict[str, Any]:
    """The outer part of an event (https://docs.slack.dev/apis/events-api)."""
    return {
        "token": TOKEN,
        "team_id": TEAM,
        "context_team_id": TEAM,
        "context_enterprise_id": None,
        "api_app_id": APP,
        "event": event,
        "type": "event_callback",
        "event_id": event_id,
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": TEAM,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": ext_shared,
        "event_context": f"4-{event_id}",
    }


def message_event(kind: str, message: Message, member: Member, channel: Channel, text: str) -> dict[str, Any]:
    """``message`` or ``app_mention``; the latter has no channel type."""
    event: dict[str, Any] = {
        "user": message.user,
        "type": kind,
        "ts": message.ts,
        "client_msg_id": message.client_msg_id,
        "text": message.text,
        "team": member.team,
        "blocks": _rich(text),
        "channel": channel.id,
        "event_ts": message.ts,
    }
    if kind == "message":
        event["channel_type"] = channel.event_name
    if message.thread_ts:
        event["thread_ts"] = message.thread_ts
        root = channel.messages.get(message.thread_ts)
        event["parent_user_id"] = root.user if root else message.user
    if message.files:
        event |= {"files": [file_wire(file) for file in message.files], "upload": False, "display_as_bot": False}
        if kind == "message":
            event["subtype"] = "file_share"
    if channel.ext_shared:
        event |= {"user_team": member.team, "source_team": member.team}
    return event


def user_part(member: Member) -> dict[str, Any]:
    return {"id": member.id, "username": member.name, "name": member.name, "team_id": member.team}


def interaction(kind: str, member: Member, trigger_id: str) -> dict[str, Any]:
    """What every interactive payload has (https://docs.slack.dev/reference/interaction-payloads)."""
    return {
        "type": kind,
        "user": user_part(member),
        "api_app_id": APP,
        "token": TOKEN,
        "trigger_id": trigger_id,
        "team": {"id": TEAM, "domain": DOMAIN},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def message_part(message: Message, channel: Channel) -> dict[str, Any]:
    """Where it was pressed; an ephemeral's words are not told."""
    container: dict[str, Any] = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": message.ephemeral_to is not None,
    }
    if message.thread_ts:
        container["thread_ts"] = message.thread_ts
    part: dict[str, Any] = {"container": container, "channel": {"id": channel.id, "name": channel.shown_name}}
    if message.ephemeral_to is None:
        part["message"] = message.wire(metadata=True)
    return part


def action(button: Button, value: Any) -> dict[str, Any]:
    """One entry of ``actions``."""
    element = button.element
    told: dict[str, Any] = {
        "action_id": button.action_id,
        "block_id": button.block_id,
        "type": button.kind,
        "action_ts": f"{time.time():.6f}",
    }
    if button.kind in {"button", "feedback_buttons", "icon_button"}:
        if isinstance(element.get("text"), dict):
            told["text"] = {**element["text"], "emoji": True}
        chosen = value if value is not None else button.value
        return {**told, "value": chosen} if chosen else told
    return told | chosen_state(element, value)


def options_of(element: dict[str, Any]) -> list[dict[str, Any]]:
    groups = [option for group in element.get("option_groups") or [] for option in group["options"]]
    return [*(element.get("options") or []), *groups]


def _option(element: dict[str, Any], value: str) -> dict[str, Any]:
    for option in options_of(element):
        if value in (option["value"], option["text"]["text"]):
            return option
    if element["type"].endswith("external_select"):
        return {"text": {"type": "plain_text", "text": value, "emoji": True}, "value": value}
    raise AssertionError(f"{value!r} is no choice of {[option['value'] for option in options_of(element)]}")


def chosen_state(element: dict[str, Any], value: Any) -> dict[str, Any]:
    """An element's state once a person chose ``value`` (an option's value or label, a list of them, a text)."""
    kind = element["type"]
    if (kind.startswith("multi_") and kind.endswith(("static_select", "external_select"))) or kind == "checkboxes":
        return {"type": kind, "selected_options": [_option(element, each) for each in value or []]}
    if kind in {"static_select", "external_select", "radio_buttons", "overflow"}:
        return {"type": kind, "selected_option": None if value is None else _option(element, value)}
    names = {
        "users_select": "selected_user",
        "conversations_select": "selected_conversation",
        "channels_select": "selected_channel",
        "datepicker": "selected_date",
        "timepicker": "selected_time",
        "datetimepicker": "selected_date_time",
    }
    return {"type": kind, names.get(kind, "value"): value}


def initial_state(element: dict[str, Any]) -> dict[str, Any]:
    """An element's state as the view came."""
    kind = element["type"]
    if "initial_options" in element or kind == "checkboxes" or kind.startswith("multi_"):
        return {"type": kind, "selected_options": element.get("initial_options") or []}
    if "initial_option" in element:
        return {"type": kind, "selected_option": element["initial_option"]}
    given = next((element[key] for key in element if key.startswith("initial_")), None)
    return chosen_state(element, None if given is None else given) if given is None else _given(element, given)


def _given(element: dict[str, Any], given: Any) -> dict[str, Any]:
    state = chosen_state({"type": element["type"]}, None)
    key = next(name for name in state if name != "type")
    return {**state, key: given}
