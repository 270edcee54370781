"""Users, channels, messages and threads over REST."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.bodies import check_body, fill
from tests.support.discord_fake.refusals import Problems, Refusal
from tests.support.discord_fake.routes import Ask, route
from tests.support.discord_fake.state import BOT, DM, TEXT, Channel, Message
from tests.support.discord_fake.wire import bits

if TYPE_CHECKING:
    from tests.support.discord_server import DiscordServer

_EVERYTHING = ("users", "roles", "everyone")
#: "The past few minutes" of enforce_nonce.
_NONCE_SECONDS = 300.0


@route("GET", "/gateway")
async def get_gateway(server: DiscordServer, _: Ask) -> Any:
    return {"url": server.gateway.url}


@route("GET", "/gateway/bot")
async def get_gateway_bot(server: DiscordServer, _: Ask) -> Any:
    limit = {"total": 1000, "remaining": 1000 - len(server.gateway.identifies), "reset_after": 0, "max_concurrency": 1}
    return {"url": server.gateway.url, "shards": 1, "session_start_limit": limit}


@route("GET", "/users/@me")
async def get_me(server: DiscordServer, _: Ask) -> Any:
    return server.wire.me()


@route("GET", "/users/@me/guilds")
async def list_guilds(server: DiscordServer, _: Ask) -> Any:
    guilds = [each for each in server.world.guilds.values() if each.bot]
    told = {"icon": None, "owner": False, "features": []}
    return [told | {"id": each.id, "name": each.name, "permissions": bits(each.bot_permissions)} for each in guilds]


@route("GET", "/users/{user}")
async def get_user(server: DiscordServer, ask: Ask) -> Any:
    user = server.world.users.get(ask.params["user"])
    if user is None:
        raise Refusal(10013)
    return server.wire.user(user)


@route("GET", "/guilds/{guild}")
async def get_guild(server: DiscordServer, ask: Ask) -> Any:
    guild = server.world.guilds.get(ask.params["guild"])
    if guild is None:
        raise Refusal(10004)
    if not guild.bot:
        raise Refusal(50001)
    return server.wire.guild(guild, all_members=False)


@route("GET", "/guilds/{guild}/members/{user}")
async def get_member(server: DiscordServer, ask: Ask) -> Any:
    guild = server.world.guilds.get(ask.params["guild"])
    if guild is None or not guild.bot:
        raise Refusal(10004 if guild is None else 50001)
    if ask.params["user"] not in guild.members:
        raise Refusal(10007)
    return server.wire.member(guild, ask.params["user"])


@route("POST", "/users/@me/channels")
async def open_dm(server: DiscordServer, ask: Ask) -> Any:
    user = server.world.users.get(str(ask.data.get("recipient_id")))
    if user is None:
        raise Refusal(50033)
    if user.bot:
        raise Refusal(50007)
    return server.wire.channel(server.world.dm(user.id))


@route("GET", "/channels/{channel}")
async def get_channel(server: DiscordServer, ask: Ask) -> Any:
    return server.wire.channel(server.world.bot_channel(ask.params["channel"]))


# -- messages


def _check_sendable(server: DiscordServer, channel: Channel) -> None:
    if channel.kind == DM:
        person = next(server.world.users[each] for each in channel.people or () if each != BOT)
        if not person.accepts_dms:
            raise Refusal(50007)
        if not person.installed and not server.world.shares_guild(person.id):
            raise Refusal(50278)
    if channel.is_thread and channel.locked and not server.world.may(channel, "manage_threads"):
        raise Refusal(160005)


def _allowed_channel(server: DiscordServer, number: str, ask: Ask) -> Channel:
    channel = server.world.bot_channel(number)
    need = "send_messages_in_threads" if channel.is_thread else "send_messages"
    channel = server.world.bot_channel(number, need, *(["attach_files"] if ask.upload.files else []))
    _check_sendable(server, channel)
    return channel


@route("POST", "/channels/{channel}/messages")
async def create_message(server: DiscordServer, ask: Ask) -> Any:
    channel = _allowed_channel(server, ask.params["channel"], ask)
    world, data = server.world, ask.data
    check_body(ask.upload)
    nonce = None if data.get("nonce") is None else str(data["nonce"])
    if nonce and data.get("enforce_nonce"):
        earlier = world.nonces.get(nonce)
        if earlier and not earlier.deleted and time.time() - earlier.created < _NONCE_SECONDS:
            return server.wire.message(earlier) | server.wire.created(earlier)
    message = Message(world.new_id(), channel.id, BOT, nonce=nonce)
    _refer(server, message, data.get("message_reference"))
    fill(message, world, ask.upload, links=world.may(channel, "embed_links"))
    world.post(message, default=_EVERYTHING)
    if nonce:
        world.nonces[nonce] = message
    await server.tell_message("MESSAGE_CREATE", message)
    return server.wire.message(message) | server.wire.created(message)


def _refer(server: DiscordServer, message: Message, reference: dict[str, Any] | None) -> None:
    """Make it a reply."""
    if not reference:
        return
    channel = server.world.bot_channel(message.channel, "read_message_history")
    target = channel.messages.get(str(reference.get("message_id")))
    if target is not None and target.ephemeral_to is None:
        message.reply_to, message.kind = target, 19
    elif reference.get("fail_if_not_exists", True):
        problems = Problems()
        problems.add(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        problems.raise_any()


def _find(server: DiscordServer, ask: Ask, *permissions: str) -> Message:
    channel = server.world.bot_channel(ask.params["channel"], *permissions)
    message = channel.messages.get(ask.params["message"])
    if message is None or message.ephemeral_to is not None:
        raise Refusal(10008)
    return message


def _told(server: DiscordServer, message: Message) -> dict[str, Any]:
    """A message as the bot may read it over REST."""
    return server.wire.for_gateway(message, content=server.content_for_bot(message))


@route("GET", "/channels/{channel}/messages")
async def list_messages(server: DiscordServer, ask: Ask) -> Any:
    channel = server.world.bot_channel(ask.params["channel"])
    if not server.world.may(channel, "read_message_history"):
        return []
    found = [each for each in channel.messages.values() if each.ephemeral_to is None]
    query, limit = ask.query, int(ask.query.get("limit", 50))
    if not 1 <= limit <= 100:
        problems = Problems()
        problems.add(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
        problems.raise_any()
    if "after" in query:
        found = [each for each in found if int(each.id) > int(query["after"])][:limit]
        return [_told(server, each) for each in reversed(found)]
    if "around" in query:
        near = sorted(found, key=lambda each: abs(int(each.id) - int(query["around"])))[:limit]
        return [_told(server, each) for each in sorted(near, key=lambda each: -int(each.id))]
    if "before" in query:
        found = [each for each in found if int(each.id) < int(query["before"])]
    return [_told(server, each) for each in reversed(found[-limit:])]


@route("GET", "/channels/{channel}/messages/{message}")
async def get_message(server: DiscordServer, ask: Ask) -> Any:
    return _told(server, _find(server, ask, "read_message_history"))


@route("PATCH", "/channels/{channel}/messages/{message}")
async def edit_message(server: DiscordServer, ask: Ask) -> Any:
    message = _find(server, ask)
    if message.author != BOT:
        raise Refusal(50005)
    channel = server.world.channels[message.channel]
    if channel.archived:
        raise Refusal(50083)
    _check_sendable(server, channel)
    await server.change(message, ask.upload)
    return server.wire.message(message)


@route("DELETE", "/channels/{channel}/messages/{message}")
async def delete_message(server: DiscordServer, ask: Ask) -> Any:
    message = _find(server, ask)
    if message.author != BOT:
        channel = server.world.bot_channel(message.channel)
        if channel.guild is None:
            raise Refusal(50003, 403, "Cannot execute action on a DM channel")
        server.world.bot_channel(message.channel, "manage_messages")
    await server.take_down(message)


@route("POST", "/channels/{channel}/typing")
async def start_typing(server: DiscordServer, ask: Ask) -> Any:
    channel = server.world.bot_channel(ask.params["channel"])
    need = "send_messages_in_threads" if channel.is_thread else "send_messages"
    server.world.bot_channel(channel.id, need)
    _check_sendable(server, channel)
    server.typing.append((channel.id, time.monotonic()))


@route("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me")
async def react(server: DiscordServer, ask: Ask) -> Any:
    message = _find(server, ask, "add_reactions", "read_message_history")
    emoji = ask.params["emoji"]
    if emoji.isascii():  # those of servers, name:id, are not modelled
        raise Refusal(10014)
    if (message.id, emoji) not in server.reactions:
        server.reactions.append((message.id, emoji))


@route("DELETE", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me")
async def take_reaction_back(server: DiscordServer, ask: Ask) -> Any:
    message = _find(server, ask)
    if (message.id, ask.params["emoji"]) in server.reactions:
        server.reactions.remove((message.id, ask.params["emoji"]))


# -- threads


def _check_thread(data: dict[str, Any]) -> None:
    problems = Problems()
    problems.length(("name",), data.get("name"), 100, 1)
    if data.get("auto_archive_duration") is not None:
        problems.choice(("auto_archive_duration",), data["auto_archive_duration"], (60, 1440, 4320, 10080))
    problems.raise_any()


@route("POST", "/channels/{channel}/messages/{message}/threads")
async def thread_from_message(server: DiscordServer, ask: Ask) -> Any:
    message = _find(server, ask, "create_public_threads")
    parent = server.world.channels[message.channel]
    if parent.kind != TEXT:
        raise Refusal(50024)
    _check_thread(ask.data)
    if message.thread or message.id in server.world.channels:
        raise Refusal(160004)
    thread = server.world.add_thread(ask.data["name"], parent, BOT, start=message)
    return await _announce(server, thread, ask.data)


@route("POST", "/channels/{channel}/threads")
async def thread_alone(server: DiscordServer, ask: Ask) -> Any:
    private = ask.data.get("type", 12) == 12
    need = "create_private_threads" if private else "create_public_threads"
    parent = server.world.bot_channel(ask.params["channel"], need)
    if parent.kind != TEXT:
        raise Refusal(50024)
    _check_thread(ask.data)
    thread = server.world.add_thread(ask.data["name"], parent, BOT, private=private)
    return await _announce(server, thread, ask.data)


async def _announce(server: DiscordServer, thread: Channel, data: dict[str, Any]) -> Any:
    thread.auto_archive = data.get("auto_archive_duration") or 1440
    await server.tell_thread("THREAD_CREATE", thread, newly_created=True)
    return server.wire.channel(thread)


@route("PATCH", "/channels/{channel}")
async def change_channel(server: DiscordServer, ask: Ask) -> Any:
    thread = server.world.bot_channel(ask.params["channel"])
    if not thread.is_thread:
        raise Refusal(50013 if thread.guild else 50024)
    if thread.owner != BOT or "locked" in ask.data:
        server.world.bot_channel(thread.id, "manage_threads")
    if "name" in ask.data:
        _check_thread(ask.data)
        thread.name = ask.data["name"]
    thread.archived = bool(ask.data.get("archived", thread.archived))
    thread.locked = bool(ask.data.get("locked", thread.locked))
    thread.auto_archive = ask.data.get("auto_archive_duration", thread.auto_archive)
    await server.tell_thread("THREAD_UPDATE", thread)
    return server.wire.channel(thread)


def _thread(server: DiscordServer, ask: Ask) -> Channel:
    thread = server.world.bot_channel(ask.params["channel"])
    if not thread.is_thread:
        raise Refusal(50024)
    if thread.archived:
        raise Refusal(50083)
    return thread


@route("PUT", "/channels/{channel}/thread-members/{user}")
async def join_thread(server: DiscordServer, ask: Ask) -> Any:
    thread = _thread(server, ask)
    user = BOT if ask.params["user"] == "@me" else ask.params["user"]
    if user not in server.world.users:
        raise Refusal(10013)
    assert thread.people is not None
    assert thread.parent
    if not server.world.reads(user, server.world.channels[thread.parent]):
        raise Refusal(50001)
    thread.people.add(user)


@route("DELETE", "/channels/{channel}/thread-members/{user}")
async def leave_thread(server: DiscordServer, ask: Ask) -> Any:
    thread = _thread(server, ask)
    user = BOT if ask.params["user"] == "@me" else ask.params["user"]
    if user != BOT and thread.owner != BOT:
        server.world.bot_channel(thread.id, "manage_threads")
    assert thread.people is not None
    thread.people.discard(user)


@route("GET", "/channels/{channel}/thread-members")
async def thread_members(server: DiscordServer, ask: Ask) -> Any:
    thread = server.world.bot_channel(ask.params["channel"])
    return [server.wire.thread_member(thread, each) for each in sorted(thread.people or ())]
