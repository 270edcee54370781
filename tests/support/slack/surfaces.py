"""views.*, files.*, agents.sessions.*, assistant.threads.* and apps.connections.open."""

from __future__ import annotations

import json
import mimetypes
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.support.slack.chat import Answer, Args, content, thread_root, writable
from tests.support.slack.registry import method, needed
from tests.support.slack.state import (
    APP,
    BOT,
    BOT_USER,
    TEAM,
    Channel,
    Member,
    SlackError,
    StoredFile,
    file_wire,
    invalid_arguments,
)
from tests.support.slack.validation import LOADING_MESSAGES, PROMPTS, TITLE

if TYPE_CHECKING:
    from tests.support.slack_server import SlackServer


@method("apps.connections.open", app_token=True)
def connections_open(server: SlackServer, args: Args) -> Answer:
    return {"url": f"{server.url.replace('http', 'ws', 1)}/link/?ticket={server.workspace.number('t')}&app_id={APP}"}


# -- views


def _stored(server: SlackServer, user: str, view: dict[str, Any], over: dict[str, Any] | None = None) -> dict[str, Any]:
    """The view with what Slack adds to it; ``over`` is the one that it replaces."""
    number = over["id"] if over else server.workspace.number("V")
    return {
        "id": number,
        "team_id": TEAM,
        "state": {"values": {}},
        "hash": f"{time.time():.0f}.{server.workspace.number('h')}",
        "previous_view_id": over["previous_view_id"] if over else None,
        "root_view_id": over["root_view_id"] if over else number,
        "app_id": APP,
        "external_id": "",
        "app_installed_team_id": TEAM,
        "bot_id": BOT,
        "private_metadata": "",
        "callback_id": "",
        "clear_on_close": False,
        "notify_on_close": False,
        "submit": None,
        "close": None,
        **view,
        "blocks": [
            block if block.get("block_id") else {**block, "block_id": server.workspace.number("b")}
            for block in view["blocks"]
        ],
    }


def show_modal(server: SlackServer, member: Member, view: Any, *, push: bool = False) -> dict[str, Any]:
    """Put a modal before a person; pushed ones lie on the first, three at most."""
    checked = server.rules.view(view)
    if checked["type"] != "modal":
        raise invalid_arguments("must be a modal [json-pointer:/view/type]")
    if push and len(member.modals) >= 3:
        raise SlackError("push_limit_reached")
    stored = _stored(server, member.id, checked)
    if push and member.modals:
        stored |= {"previous_view_id": member.modals[-1]["id"], "root_view_id": member.modals[0]["id"]}
    member.modals = [*member.modals, stored] if push else [stored]
    server.workspace.views[stored["id"]] = (member.id, stored)
    server.changed()
    return stored


def replace_view(server: SlackServer, old: dict[str, Any], view: Any) -> dict[str, Any]:
    """Put a view in the place of the one with its id."""
    user, _ = server.workspace.views[old["id"]]
    member = server.workspace.members[user]
    stored = _stored(server, user, server.rules.view(view), old)
    server.workspace.views[stored["id"]] = (user, stored)
    if stored["type"] == "home":
        member.home = stored
    member.modals = [stored if each["id"] == stored["id"] else each for each in member.modals]
    server.changed()
    return stored


@method("views.open")
def views_open(server: SlackServer, args: Args) -> Answer:
    needed(args, "trigger_id", "view")
    server.rules.view(args["view"])
    member = server.take_trigger(args["trigger_id"])
    return {"view": show_modal(server, member, args["view"])}


@method("views.push")
def views_push(server: SlackServer, args: Args) -> Answer:
    needed(args, "trigger_id", "view")
    server.rules.view(args["view"])
    member = server.take_trigger(args["trigger_id"])
    return {"view": show_modal(server, member, args["view"], push=True)}


@method("views.update")
def views_update(server: SlackServer, args: Args) -> Answer:
    needed(args, "view")
    views = server.workspace.views
    wanted = args.get("view_id")
    if not wanted and args.get("external_id"):
        wanted = next((key for key, (_, view) in views.items() if view["external_id"] == args["external_id"]), None)
    held = views.get(wanted) if isinstance(wanted, str) else None
    if held is None or (held[1]["type"] == "modal" and held[1] not in server.workspace.members[held[0]].modals):
        raise SlackError("not_found")
    if args.get("hash") and args["hash"] != held[1]["hash"]:
        raise SlackError("hash_conflict")
    return {"view": replace_view(server, held[1], args["view"])}


@method("views.publish")
def views_publish(server: SlackServer, args: Args) -> Answer:
    needed(args, "user_id", "view")
    member = server.workspace.members.get(args["user_id"])
    if member is None or member.is_bot:
        raise invalid_arguments("invalid `user_id`")
    checked = server.rules.view(args["view"])
    if checked["type"] != "home":
        raise invalid_arguments("must be a home [json-pointer:/view/type]")
    if args.get("hash") and member.home and args["hash"] != member.home["hash"]:
        raise SlackError("hash_conflict")
    member.home = _stored(server, member.id, checked, member.home)
    server.workspace.views[member.home["id"]] = (member.id, member.home)
    server.changed()
    return {"view": member.home}


# -- what would be taken


@method("blocks.validate")
def validate(server: SlackServer, args: Args) -> Answer:
    """Says of one of the three what posting it would say; each is a string of JSON.

    https://docs.slack.dev/reference/methods/blocks.validate
    """
    if not server.validates:
        raise SlackError("unknown_method", req_method="blocks.validate")
    given = {name: args[name] for name in ("blocks", "message", "view") if args.get(name)}
    if len(given) != 1:
        raise invalid_arguments("exactly one of blocks, message and view is needed")
    [(name, value)] = given.items()
    value = json.loads(value) if isinstance(value, str) else value
    try:
        if name == "view":
            server.rules.view(value)
        elif name == "blocks":
            server.rules.message_blocks(value)
        else:
            content(server, value)
    except SlackError as error:
        problems = error.extra.get("response_metadata", {}).get("messages", [])
        found = [problem.removeprefix("[ERROR] ").partition(" [json-pointer:") for problem in problems]
        errors = [
            {"pointer": place.rstrip("]"), "code": "failed_constraint", "message": message}
            for message, _, place in found
        ]
        raise SlackError(f"invalid_{name}", errors=errors) from error
    return {}


# -- files


def new_file(server: SlackServer, name: str, length: int, user: str, title: str = "") -> StoredFile:
    number = server.workspace.number("F")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    file = StoredFile(number, name, length, user, title, kind)
    file.url = f"{server.url}/files-pri/{TEAM}-{number}/{quote(name)}"
    server.workspace.files[number] = file
    return file


@method("files.getUploadURLExternal", "files:write")
def upload_url(server: SlackServer, args: Args) -> Answer:
    needed(args, "filename", "length")
    try:
        length = int(args["length"])
    except ValueError:
        raise invalid_arguments("must be an integer [json-pointer:/length]") from None
    if length <= 0:
        raise invalid_arguments("must be greater than 0 [json-pointer:/length]")
    file = new_file(server, args["filename"], length, BOT_USER)
    return {"upload_url": f"{server.url}/upload/v1/{file.id}", "file_id": file.id}


def _completed(server: SlackServer, each: Any) -> StoredFile:
    file = server.workspace.files.get(each.get("id", "")) if isinstance(each, dict) else None
    if file is None or file.user != BOT_USER or file.data is None:
        raise SlackError("file_not_found")
    file.completed = True
    file.title = each.get("title") or file.name
    return file


@method("files.completeUploadExternal", "files:write")
def complete_upload(server: SlackServer, args: Args) -> Answer:
    """Without a conversation the file stays private, for a picture block to show."""
    needed(args, "files")
    if not isinstance(args["files"], list) or not args["files"]:
        raise invalid_arguments("must be an array [json-pointer:/files]")
    wanted = [args["channel_id"]] if args.get("channel_id") else str(args.get("channels") or "").split(",")
    places: list[tuple[Channel, str | None]] = []
    for name in filter(None, wanted):
        channel = writable(server, name)
        places.append((channel, thread_root(channel, args.get("thread_ts"))))
    if args.get("blocks") and args.get("initial_comment"):
        raise invalid_arguments("blocks and initial_comment exclude each other")
    blocks = server.rules.message_blocks(args.get("blocks"))
    files = [_completed(server, each) for each in args["files"]]
    for channel, thread in places:
        payload = {**args, "text": args.get("initial_comment") or "", "blocks": blocks}
        server.workspace.post(channel, BOT_USER, payload, thread_ts=thread, bot=True, files=files)
        for file in files:
            file.shared.add(channel.id)
    server.changed()
    return {"files": [file_wire(file) for file in files]}


def _file(server: SlackServer, args: Args) -> StoredFile:
    needed(args, "file")
    file = server.workspace.files.get(args["file"])
    if file is None:
        raise SlackError("file_not_found")
    return file


@method("files.info", "files:read")
def file_info(server: SlackServer, args: Args) -> Answer:
    return {"file": file_wire(_file(server, args)), "comments": []}


@method("files.delete", "files:write")
def file_delete(server: SlackServer, args: Args) -> Answer:
    file = _file(server, args)
    if file.user != BOT_USER:
        raise SlackError("cant_delete_file")
    del server.workspace.files[file.id]
    for message in server.workspace.posts:
        if file in message.files:
            message.files.remove(file)
            message.changed()
    return {}


# -- sessions


def _session_place(server: SlackServer, args: Args) -> tuple[str, str]:
    if server.agent_sessions != "on":
        raise SlackError(server.agent_sessions, **_unknown(server))
    needed(args, "channel_id", "thread_ts")
    channel = writable(server, args["channel_id"])
    return channel.id, thread_root(channel, args["thread_ts"]) or ""


def _unknown(server: SlackServer) -> dict[str, Any]:
    return {"req_method": "agents.sessions.setStatus"} if server.agent_sessions == "unknown_method" else {}


@method("agents.sessions.setStatus", "chat:write")
def session_status(server: SlackServer, args: Args) -> Answer:
    place = _session_place(server, args)
    if args.get("status") not in {"active", "processing", "suspended", "closed"}:
        raise invalid_arguments("must be a valid status [json-pointer:/status]")
    if len(args.get("title") or "") > TITLE:
        raise invalid_arguments(f"must be less than {TITLE + 1} characters [json-pointer:/title]")
    session = server.workspace.set_session(*place, args["status"], args.get("title") or "")
    answer: Answer = {"status": session.status, "agent_status": session.status, "title": session.title}
    if "agent_session_stopped" not in server.subscriptions:
        answer["warning"] = "missing_agent_session_stopped_event_subscription"
    server.changed()
    return answer


@method("agents.sessions.rename", "chat:write")
def session_rename(server: SlackServer, args: Args) -> Answer:
    place = _session_place(server, args)
    needed(args, "title")
    if len(args["title"]) > TITLE:
        raise invalid_arguments(f"must be less than {TITLE + 1} characters [json-pointer:/title]")
    session = server.workspace.sessions.get(place)
    if session is None:
        raise SlackError("session_not_found")
    session.title = args["title"]
    return {"title": session.title}


@method("assistant.threads.setStatus", "assistant:write", "chat:write")
def thread_status(server: SlackServer, args: Args) -> Answer:
    """Shown until the bot posts there; a bridge moves the session as well."""
    needed(args, "channel_id", "thread_ts")
    if not isinstance(args.get("status"), str):
        raise invalid_arguments("missing required field: status")
    if len(args.get("loading_messages") or []) > LOADING_MESSAGES:
        raise invalid_arguments(f"no more than {LOADING_MESSAGES} items allowed [json-pointer:/loading_messages]")
    channel = writable(server, args["channel_id"])
    place = channel.id, thread_root(channel, args["thread_ts"]) or ""
    server.workspace.thread_statuses[place] = args["status"]
    if server.agent_sessions == "on":
        server.workspace.set_session(*place, "processing" if args["status"] else "active")
    server.changed()
    return {}


@method("assistant.threads.setTitle", "assistant:write")
def thread_title(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel_id", "thread_ts", "title")
    channel = writable(server, args["channel_id"])
    server.workspace.set_session(channel.id, args["thread_ts"], "active").title = args["title"]
    return {}


@method("assistant.threads.setSuggestedPrompts", "assistant:write")
def suggested_prompts(server: SlackServer, args: Args) -> Answer:
    """Under agent_view a ``thread_ts`` makes it answer ok and show nothing."""
    needed(args, "channel_id", "prompts")
    channel = writable(server, args["channel_id"])
    prompts = args["prompts"]
    if not isinstance(prompts, list) or not all(
        isinstance(each, dict) and set(each) == {"title", "message"} for each in prompts
    ):
        raise invalid_arguments("must have title and message [json-pointer:/prompts]")
    if len(prompts) > PROMPTS:
        raise SlackError("too_many_prompts")
    if not args.get("thread_ts"):
        server.workspace.prompts[channel.id] = prompts
        server.changed()
    return {}
