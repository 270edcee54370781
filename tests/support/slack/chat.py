"""chat.*, streams, conversations.*, users.info and what else is about messages."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from tests.support.slack.registry import method, needed
from tests.support.slack.state import (
    APP,
    BOT,
    BOT_USER,
    OTHER_TEAM,
    TEAM,
    Channel,
    Member,
    Message,
    SlackError,
    Stream,
    invalid_arguments,
)
from tests.support.slack.validation import (
    ATTACHMENTS,
    MARKDOWN_TEXT,
    MESSAGE_BLOCKS,
    STREAM_TEXT,
    TEXT_CUT,
    UPDATE_TEXT,
    check_metadata,
)

if TYPE_CHECKING:
    from tests.support.slack_server import SlackServer

Args = dict[str, Any]
Answer = dict[str, Any]


def writable(server: SlackServer, wanted: Any) -> Channel:
    """The conversation that the bot may write to; a person's id means their direct messages."""
    if isinstance(wanted, str) and wanted in server.workspace.members:
        member = server.workspace.members[wanted]
        if member.is_bot:
            raise SlackError("cannot_dm_bot")
        wanted = member.dm
    channel = server.workspace.channels.get(wanted) if isinstance(wanted, str) else None
    if channel is None or (BOT_USER not in channel.members and channel.kind != "public"):
        raise SlackError("channel_not_found")
    if channel.archived:
        raise SlackError("is_archived")
    if BOT_USER not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def readable(server: SlackServer, wanted: Any) -> Channel:
    channel = server.workspace.channels.get(wanted) if isinstance(wanted, str) else None
    if channel is None or (BOT_USER not in channel.members and channel.kind != "public"):
        raise SlackError("channel_not_found")
    return channel


def thread_root(channel: Channel, thread_ts: Any) -> str | None:
    """The thread to post in; stricter than Slack, which takes any number: it must be a message here and no reply."""
    if not thread_ts:
        return None
    root = channel.messages.get(thread_ts) if isinstance(thread_ts, str) else None
    if root is None and thread_ts not in channel.threads:
        raise SlackError("thread_not_found")
    if root is not None and root.thread_ts not in {None, root.ts}:
        raise SlackError("cannot_reply_to_message")
    return str(thread_ts)


def content(server: SlackServer, args: Args, *, text_limit: int | None = None) -> dict[str, Any]:
    """The checked payload of a post: text cut where Slack cuts it, or raised where it refuses."""
    payload = {key: value for key, value in args.items() if value is not None}
    text, markdown, attachments = payload.get("text"), payload.get("markdown_text"), payload.get("attachments")
    if markdown and (text or payload.get("blocks")):
        raise SlackError("markdown_text_conflict")
    if markdown and len(markdown) > MARKDOWN_TEXT:
        raise SlackError("msg_too_long")
    if attachments is not None and not isinstance(attachments, list):
        raise SlackError("invalid_attachments")
    if attachments and len(attachments) > ATTACHMENTS:
        raise SlackError("too_many_attachments")
    if not (text or markdown or attachments or payload.get("blocks")):
        raise SlackError("no_text")
    if text is not None and not isinstance(text, str):
        raise invalid_arguments("must be a string [json-pointer:/text]")
    if text and text_limit and len(text) > text_limit:
        raise SlackError("msg_too_long")
    if text:
        payload["text"] = text[:TEXT_CUT]
    server.rules.message_blocks(payload.get("blocks"))
    for attachment in attachments or []:
        server.rules.message_blocks(attachment.get("blocks"))
    check_metadata(payload.get("metadata"))
    return payload


@method("chat.postMessage", "chat:write")
def post_message(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel")
    channel = writable(server, args["channel"])
    payload = content(server, args)
    thread = thread_root(channel, args.get("thread_ts"))
    message = server.workspace.post(channel, BOT_USER, payload, thread_ts=thread, bot=True)
    server.echo_own(message)
    server.changed()
    return {"channel": channel.id, "ts": message.ts, "message": message.wire(metadata=True)}


@method("chat.postEphemeral", "chat:write")
def post_ephemeral(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel", "user")
    channel = writable(server, args["channel"])
    if args["user"] not in server.workspace.members or args["user"] not in channel.members:
        raise SlackError("user_not_in_channel")
    payload = content(server, args, text_limit=TEXT_CUT)
    thread = thread_root(channel, args.get("thread_ts"))
    facts: dict[str, Any] = {"thread_ts": thread, "ephemeral_to": args["user"], "bot": True}
    message = server.workspace.post(channel, BOT_USER, payload, **facts)
    server.changed()
    return {"message_ts": message.ts}


def own_message(server: SlackServer, args: Args, refused: str) -> Message:
    """The bot's message at that place; an ephemeral can't be reached by its ``ts``."""
    needed(args, "channel", "ts")
    channel = readable(server, args["channel"])
    message = channel.messages.get(args["ts"])
    if message is None:
        raise SlackError("message_not_found")
    if not message.bot or message.user != BOT_USER:
        raise SlackError(refused)
    return message


@method("chat.update", "chat:write")
def update(server: SlackServer, args: Args) -> Answer:
    message = own_message(server, args, "cant_update_message")
    if message.stream is not None and not message.stream.state():
        raise SlackError("streaming_state_conflict")
    payload = content(server, args, text_limit=UPDATE_TEXT)
    # What is not given stays: https://docs.slack.dev/reference/methods/chat.update
    kept: dict[str, Any] = {
        key: message.payload[key] for key in ("blocks", "attachments", "metadata") if key in message.payload
    }
    if message.stream is not None and "blocks" not in payload:
        kept["blocks"] = []
    if payload.get("markdown_text"):
        kept.pop("blocks", None)
    message.payload = {**kept, **payload}
    message.edited = True
    message.changed()
    server.echo_own(message, "message_changed")
    server.changed()
    return {"channel": message.channel, "ts": message.ts, "text": message.text, "message": message.wire()}


@method("chat.delete", "chat:write")
def delete(server: SlackServer, args: Args) -> Answer:
    message = own_message(server, args, "cant_delete_message")
    server.workspace.remove(message)
    server.changed()
    return {"channel": message.channel, "ts": message.ts}


# -- streams


def _append(server: SlackServer, stream: Stream, args: Args) -> None:
    """Put text or chunks at the end, unless it grows too long; then nothing is put. A stream takes one of both."""
    if args.get("chunks") is not None and args.get("markdown_text"):
        raise SlackError("cannot_provide_both_markdown_text_and_chunks")
    kind = "chunks" if args.get("chunks") else "text" if args.get("markdown_text") else stream.kind
    if stream.kind and kind != stream.kind:
        raise SlackError("streaming_mode_mismatch")
    chunks = server.rules.chunks(args["chunks"]) if args.get("chunks") is not None else []
    markdown = args.get("markdown_text") or ""
    if len(markdown) > MARKDOWN_TEXT:
        raise SlackError("msg_too_long")
    text = markdown + "".join(chunk["text"] for chunk in chunks if chunk["type"] == "markdown_text")
    if len(stream.text) + len(text) > STREAM_TEXT:
        raise SlackError("msg_too_long")
    blocks = [block for chunk in chunks if chunk["type"] == "blocks" for block in chunk["blocks"]]
    server.rules.message_blocks([*stream.chunk_blocks, *blocks])
    stream.kind = kind
    stream.text += text
    stream.chunk_blocks += blocks
    for chunk in chunks:
        if (
            chunk["type"] == "task_update"
        ):  # what is long is added to what stands there, and the title is put in its place
            before = stream.tasks.get(chunk["id"], {})
            told = {name: before.get(name, "") + chunk.get(name, "") for name in ("details", "output")}
            stream.tasks[chunk["id"]] = {**chunk, **told}


@method("chat.startStream", "chat:write")
def start_stream(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel", "thread_ts")
    channel = writable(server, args["channel"])
    if channel.kind != "im":
        for key in ("recipient_team_id", "recipient_user_id"):
            if not args.get(key):
                raise SlackError(f"missing_{key}")
    if args.get("task_display_mode") not in {None, "timeline", "plan"}:
        raise invalid_arguments("must be timeline or plan [json-pointer:/task_display_mode]")
    thread = thread_root(channel, args["thread_ts"])
    stream = Stream(time.monotonic(), server.stream_lifetime)
    _append(server, stream, args)
    message = server.workspace.post(channel, BOT_USER, dict(args), thread_ts=thread, bot=True, stream=stream)
    for key in ("markdown_text", "chunks"):
        message.payload.pop(key, None)
    server.workspace.set_session(channel.id, thread or "", "processing")
    server.changed()
    return {"channel": channel.id, "ts": message.ts}


def _streaming(server: SlackServer, args: Args) -> tuple[Message, Stream]:
    message = own_message(server, args, "message_not_owned_by_app")
    if message.stream is None:
        raise SlackError("message_not_in_streaming_state")
    return message, message.stream


@method("chat.appendStream", "chat:write")
def append_stream(server: SlackServer, args: Args) -> Answer:
    message, stream = _streaming(server, args)
    if stream.state():
        raise SlackError("stopped_by_user" if stream.ended == "stopped_by_user" else "message_not_in_streaming_state")
    if not args.get("markdown_text") and not args.get("chunks"):
        raise SlackError("no_text")
    _append(server, stream, args)
    message.changed()
    server.changed()
    return {"channel": message.channel, "ts": message.ts}


@method("chat.stopStream", "chat:write")
def stop_stream(server: SlackServer, args: Args) -> Answer:
    """After the stop button it still settles the session (https://docs.slack.dev/reference/events/agent_session_stopped)."""
    message, stream = _streaming(server, args)
    if stream.state() not in {"", "stopped_by_user"}:
        raise SlackError("message_not_in_streaming_state")
    status = args.get("session_status") or "active"
    if status not in {"active", "processing", "suspended", "closed"}:
        raise invalid_arguments("must be a valid status [json-pointer:/session_status]")
    final = server.rules.message_blocks(args.get("blocks"), most=MESSAGE_BLOCKS)
    check_metadata(args.get("metadata"))
    _append(server, stream, args)
    stream.final_blocks = list(final)
    stream.ended = "stopped"
    if args.get("metadata"):
        message.payload["metadata"] = args["metadata"]
    message.changed()
    server.workspace.set_session(message.channel, message.thread_ts or "", status)
    server.changed()
    return {"channel": message.channel, "ts": message.ts, "message": message.wire()}


# -- conversations and people


def _page(args: Args, told: list[Any], key: str, default: int) -> Answer:
    """A page of a list, by cursor."""
    limit = int(args.get("limit") or default)
    start = int(str(args.get("cursor") or "next:0").removeprefix("next:"))
    more = start + limit < len(told)
    cursor = {"response_metadata": {"next_cursor": f"next:{start + limit}"}} if more else {}
    return {key: told[start : start + limit], "has_more": more, **cursor}


def _within(args: Args, ts: str) -> bool:
    oldest, latest = str(args.get("oldest") or "0"), str(args.get("latest") or "9" * 10)
    inclusive = str(args.get("inclusive")).lower() in {"1", "true"}
    place = float(ts)
    return (float(oldest) < place < float(latest)) or (inclusive and ts in {oldest, latest})


@method("conversations.open", "im:write")
def open_conversation(server: SlackServer, args: Args) -> Answer:
    if args.get("channel"):
        return {"channel": {"id": writable(server, args["channel"]).id}}
    users = args.get("users") or ""
    names = users.split(",") if isinstance(users, str) else list(users)
    if len(names) != 1 or not names[0]:
        raise SlackError("users_list_not_supplied")
    member = server.workspace.members.get(names[0])
    if member is None:
        raise SlackError("user_not_found")
    if member.is_bot:
        raise SlackError("cannot_dm_bot")
    if member.deleted:
        raise SlackError("user_disabled")
    return {"no_op": True, "already_open": True, "channel": {"id": member.dm}}


@method("conversations.replies", "im:history", "channels:history", "groups:history")
def replies(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel", "ts")
    channel = _history_of(server, args["channel"])
    root = channel.messages.get(args["ts"])
    if root is None:
        raise SlackError("thread_not_found")
    metadata = str(args.get("include_all_metadata")).lower() in {"1", "true"}
    found = [each for each in channel.threads.get(root.ts, ()) if _within(args, each.ts)]
    return _page(args, [each.wire(metadata=metadata) for each in [root, *found]], "messages", 1000)


@method("conversations.history", "im:history", "channels:history", "groups:history")
def history(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel")
    channel = _history_of(server, args["channel"])
    metadata = str(args.get("include_all_metadata")).lower() in {"1", "true"}
    found = [each for each in reversed(channel.messages.values()) if not each.thread_ts and _within(args, each.ts)]
    return _page(args, [each.wire(metadata=metadata) for each in found], "messages", 100)


def _history_of(server: SlackServer, wanted: Any) -> Channel:
    """A conversation that the bot may read back: it is in it, and has the scope of its kind."""
    channel = readable(server, wanted)
    scope = {"im": "im:history", "private": "groups:history"}.get(channel.kind, "channels:history")
    server.require(scope)
    if BOT_USER not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def channel_wire(channel: Channel) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": channel.id,
        "created": 1795262400,
        "is_archived": channel.archived,
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_channel": channel.kind == "public",
        "is_group": channel.kind == "private",
        "is_private": channel.kind in {"private", "im", "mpim"},
        "is_member": BOT_USER in channel.members,
        "is_shared": channel.ext_shared,
        "is_ext_shared": channel.ext_shared,
        "is_org_shared": False,
        "is_pending_ext_shared": False,
        "context_team_id": TEAM,
    }
    if channel.kind == "im":
        told["user"] = next(iter(channel.members - {BOT_USER}))
    else:
        told["name"] = told["name_normalized"] = channel.name
    if channel.ext_shared:
        told["connected_team_ids"] = [OTHER_TEAM]
    return told


#: Which scope tells of a conversation, by its kind. https://docs.slack.dev/reference/methods/conversations.info
_READ_SCOPES = {"public": "channels:read", "private": "groups:read", "im": "im:read", "mpim": "mpim:read"}


@method("conversations.info", "channels:read", "groups:read", "im:read", "mpim:read")
def info(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel")
    channel = readable(server, args["channel"])
    server.require(_READ_SCOPES[channel.kind])
    told = channel_wire(channel)
    if str(args.get("include_num_members")).lower() in {"1", "true"}:
        told["num_members"] = len(channel.members)
    return {"channel": told}


@method("conversations.members", "channels:read", "groups:read", "im:read")
def members(server: SlackServer, args: Args) -> Answer:
    needed(args, "channel")
    channel = readable(server, args["channel"])
    return _page(args, sorted(channel.members), "members", 100)


def user_wire(member: Member, *, locale: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": member.id,
        "team_id": member.team,
        "name": member.name,
        "deleted": member.deleted,
        "real_name": member.name.title(),
        "tz": member.tz,
        "tz_label": member.tz,
        "tz_offset": member.tz_offset,
        "profile": {"real_name": member.name.title(), "display_name": member.name, "team": member.team},
        "is_admin": member.admin,
        "is_owner": member.owner,
        "is_restricted": member.restricted or member.ultra_restricted,
        "is_ultra_restricted": member.ultra_restricted,
        "is_bot": member.is_bot,
        "is_app_user": False,
        "updated": 1795262400,
    }
    if member.stranger:
        told["is_stranger"] = True
    if locale:
        told["locale"] = member.locale
    return told


@method("users.info", "users:read")
def user_info(server: SlackServer, args: Args) -> Answer:
    """The locale comes only where ``include_locale`` asks for it."""
    needed(args, "user")
    member = server.workspace.members.get(args["user"])
    if member is None:
        raise SlackError("user_not_found")
    return {"user": user_wire(member, locale=str(args.get("include_locale")).lower() in {"1", "true"})}


@method("usergroups.users.list", "usergroups:read")
def usergroup_users(server: SlackServer, args: Args) -> Answer:
    needed(args, "usergroup")
    if args["usergroup"] not in server.workspace.groups:
        raise SlackError("no_such_subteam")
    return {"users": list(server.workspace.groups[args["usergroup"]])}


@method("auth.test")
def auth_test(server: SlackServer, args: Args) -> Answer:
    return {
        "url": "https://home.slack.com/",
        "team": "Home",
        "user": "moneyminder",
        "team_id": TEAM,
        "user_id": BOT_USER,
        "bot_id": BOT,
        "app_id": APP,
        "is_enterprise_install": False,
    }


def _react(server: SlackServer, args: Args) -> tuple[Message, tuple[str, str]]:
    needed(args, "channel", "timestamp", "name")
    message = writable(server, args["channel"]).messages.get(args["timestamp"])
    if message is None:
        raise SlackError("message_not_found")
    if not re.fullmatch(r"[a-z0-9_+'-]+", args["name"]):
        raise SlackError("invalid_name")
    return message, (BOT_USER, args["name"])


@method("reactions.add", "reactions:write")
def react(server: SlackServer, args: Args) -> Answer:
    message, reaction = _react(server, args)
    if reaction in message.reactions:
        raise SlackError("already_reacted")
    message.reactions.add(reaction)
    return {}


@method("reactions.remove", "reactions:write")
def unreact(server: SlackServer, args: Args) -> Answer:
    message, reaction = _react(server, args)
    if reaction not in message.reactions:
        raise SlackError("no_reaction")
    message.reactions.discard(reaction)
    return {}
