"""The manifest asks for exactly what the code uses: every scope is for a method, event or surface, and none is missing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from bots.slack_app import interactions
from bots.slack_app.events import read_event
from bots.slack_app.inspection import GROUPS_SCOPE, manifest, scopes

SOURCE = Path(interactions.__file__).parent

#: Which scope a Web API method needs (docs.slack.dev/reference/methods, September 2026); None needs none, or no bot's.
#: Two are for two kinds of conversations.
METHOD_SCOPES = {
    "agents_sessions_rename": "chat:write",
    "agents_sessions_setStatus": "assistant:write",
    "api_call": None,  # blocks.validate
    "apps_connections_open": None,
    "assistant_threads_setStatus": "chat:write",
    "assistant_threads_setSuggestedPrompts": "assistant:write",
    "assistant_threads_setTitle": "assistant:write",
    "auth_test": None,
    "chat_appendStream": "chat:write",
    "chat_delete": "chat:write",
    "chat_postEphemeral": "chat:write",
    "chat_postMessage": "chat:write",
    "chat_startStream": "chat:write",
    "chat_stopStream": "chat:write",
    "chat_update": "chat:write",
    "conversations_history": "im:history",
    "conversations_info": "channels:read groups:read",
    "conversations_open": "im:write",
    "conversations_replies": "im:history",
    "files_completeUploadExternal": "files:write",
    "files_getUploadURLExternal": "files:write",
    "files_info": "files:read",
    "files_upload_v2": "files:write",
    "usergroups_users_list": GROUPS_SCOPE,
    "users_info": "users:read",
    "views_open": None,
    "views_publish": None,
}
EVENT_SCOPES = {
    "agent_session_stopped": "assistant:write",
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "app_uninstalled": None,
    "message.im": "im:history",
    "tokens_revoked": None,
}
#: Slash commands and shortcuts. https://docs.slack.dev/reference/scopes/commands
SURFACE_SCOPES = {"slash_commands": "commands", "shortcuts": "commands"}


def trees():
    return [ast.parse(path.read_text("utf-8")) for path in SOURCE.glob("*.py")]


def methods_used() -> set[str]:
    """Every method of the SDK's client that the adapter calls, by any expression that ends in ``client``."""
    found = set()
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith("client"):
                found.add(node.attr)
    return {name for name in found if re.fullmatch(r"[a-z]+(_[a-zA-Z0-9]+)+", name) and name != "base_url"}


def events_read() -> set[str]:
    """The event types that the reader of events tells apart."""
    tree = ast.parse(Path(read_event.__code__.co_filename).read_text("utf-8"))
    reader = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "read_event")
    names = {node.value.value for node in ast.walk(reader) if isinstance(node, ast.MatchValue)}
    return {"message.im" if name == "message" else name for name in names}


def test_every_scope_is_used_and_every_used_one_is_there():
    features = {scope for name, scope in SURFACE_SCOPES.items() if manifest()["features"].get(name)}
    needed = (
        {METHOD_SCOPES[name] for name in methods_used()} | {EVENT_SCOPES[name] for name in events_read()} | features
    )
    assert GROUPS_SCOPE in needed
    assert scopes() == {scope for each in needed - {None, GROUPS_SCOPE} for scope in each.split()}


def test_the_methods_are_found():
    assert {"chat_postMessage", "chat_postEphemeral", "auth_test", "users_info"} <= methods_used()


def test_every_event_is_read_and_every_read_one_is_there():
    assert set(manifest()["settings"]["event_subscriptions"]["bot_events"]) == events_read()


def test_the_command_and_the_shortcut_are_the_ones_that_are_read():
    features = manifest()["features"]
    assert [each["command"] for each in features["slash_commands"]] == ["/money"]
    assert [(each["type"], each["callback_id"]) for each in features["shortcuts"]] == [
        ("message", interactions.EXPLAIN)
    ]


def test_texts_keep_slacks_lengths():
    information, features = manifest()["display_information"], manifest()["features"]
    assert len(information["name"]) <= 35
    assert len(information["description"]) <= 140
    assert 174 <= len(information["long_description"]) <= 4000
    assert len(features["agent_view"]["agent_description"]) <= 300
    assert len(features["agent_view"]["suggested_prompts"]) <= 4
    assert all(len(each["name"]) <= 24 and len(each["description"]) <= 150 for each in features["shortcuts"])
