"""What comes from Slack, as what the bots work with: one function, no network, no state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from bots.payloads import Unreadable, list_at, look, text_at
from bots.slack_app.events import read_event
from bots.slack_app.interactions import (
    read_press,
    read_shortcut,
    read_slash_command,
    read_submission,
    read_suggestion,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bots.slack_app.bodies import Inbound, Surroundings

_log = structlog.get_logger(__name__)

_READERS: dict[str, Callable[[Mapping[str, Any], Surroundings], Inbound | None]] = {
    "event_callback": read_event,
    "command": read_slash_command,
    "block_actions": read_press,
    "message_action": read_shortcut,
    "view_submission": read_submission,
    "block_suggestion": read_suggestion,
}


def read(body: Mapping[str, Any], surroundings: Surroundings) -> Inbound | None:
    """Return what a signed body says to us, or None where there is nothing to do but acknowledge it."""
    kind = text_at(body, "type") or ("command" if text_at(body, "command") else "")
    reader = _READERS.get(kind)
    if reader is None:
        return None
    if surroundings.team not in _installed_in(body, kind):
        _log.warning("slack_body_of_others", kind=kind)
        return None
    try:
        return reader(body, surroundings)
    except Unreadable as error:
        _log.warning("slack_body_unreadable", kind=kind, field=error.field)
        return None


def workspace_of(body: Mapping[str, Any]) -> tuple[str, str]:
    """Return the workspace that a body was sent for, and its organisation, each empty where the body names none.

    Where an organisation installed the app for all of its workspaces, some fields hold nothing or the organisation in place
    of a workspace. https://docs.slack.dev/enterprise/organization-ready-apps
    """
    kind = text_at(body, "type") or ("command" if text_at(body, "command") else "")
    authorized = list_at(body, "authorizations")[:1]
    organisations = (
        *(look(each, "enterprise_id") for each in authorized),
        look(body, "enterprise_id"),
        look(body, "enterprise", "id"),
        look(body, "team", "enterprise_id"),
    )
    teams = (*_installed_in(body, kind), look(body, "team", "id"), look(body, "user", "team_id"), look(body, "team_id"))
    team = next((each for each in teams if isinstance(each, str) and each and each not in organisations), "")
    return team, next((each for each in organisations if isinstance(each, str) and each), "")


def _installed_in(body: Mapping[str, Any], kind: str) -> list[object]:
    """Return the workspaces that a body was sent for; in a channel shared with others, it may have happened elsewhere.

    https://docs.slack.dev/apis/events-api
    """
    if kind == "event_callback":
        teams = (look(each, "team_id") for each in list_at(body, "authorizations"))
        return [team for team in teams if team] or [look(body, "team_id")]
    if kind == "command":
        return [look(body, "team_id")]
    installed = look(body, "view", "app_installed_team_id")
    return [installed or look(body, "team", "id") or look(body, "user", "team_id")]
