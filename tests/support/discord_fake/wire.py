"""The objects as Discord writes them (https://docs.discord.com/developers/resources)."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake.state import (
    APP,
    APP_NAME,
    BOT,
    DM,
    GROUP,
    PERMISSIONS,
    TEXT,
    Channel,
    File,
    Guild,
    Message,
    User,
)
from tests.support.discord_fake.world import World, interaction_name

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Attachments' addresses are good for a day.
LINK_SECONDS = 86400.0


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds")


def bits(names: Iterable[str]) -> str:
    return str(sum(PERMISSIONS[name] for name in names))


class Wire:
    """Writes the world; ``base`` is the server's own address, for the attachments' links."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.base = ""
        self.link_seconds = LINK_SECONDS

    def user(self, user: User) -> dict[str, Any]:
        told: dict[str, Any] = {
            "id": user.id,
            "username": user.name,
            "global_name": None if user.bot else user.shown,
            "discriminator": "0001" if user.bot else "0",
            "avatar": None,
            "banner": None,
            "accent_color": None,
            "public_flags": 0,
            "avatar_decoration_data": None,
            "primary_guild": None,
        }
        return told | ({"bot": True} if user.bot else {})

    def me(self) -> dict[str, Any]:
        return self.user(self.world.users[BOT]) | {"verified": True, "mfa_enabled": True, "email": None, "flags": 0}

    def member(self, guild: Guild, user: str, *, with_user: bool = True) -> dict[str, Any]:
        told: dict[str, Any] = {
            "roles": sorted(guild.members.get(user, ())),
            "nick": None,
            "avatar": None,
            "banner": None,
            "joined_at": "2024-01-01T00:00:00.000000+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "communication_disabled_until": None,
        }
        return told | ({"user": self.user(self.world.users[user])} if with_user else {})

    def application(self) -> dict[str, Any]:
        owner = self.user(User("100000000000000009", "owner", "Owner"))
        scopes = {"scopes": ["applications.commands", "bot"], "permissions": "0"}
        installs = {"0": {"oauth2_install_params": scopes}, "1": {}}
        return {
            "id": APP,
            "name": APP_NAME,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": owner,
            "team": None,
            "verify_key": "0" * 64,
            "flags": 0,
            "bot": self.user(self.world.users[BOT]),
            "integration_types_config": installs,
            "approximate_guild_count": len(self.world.guilds),
            "approximate_user_install_count": sum(user.installed for user in self.world.users.values()),
        }

    # -- places

    def channel(self, channel: Channel, *, for_user: str | None = None) -> dict[str, Any]:
        last = next(reversed(channel.messages), None)
        told: dict[str, Any] = {"id": channel.id, "type": channel.kind, "last_message_id": last, "flags": 0}
        if channel.kind in {DM, GROUP}:
            others = [each for each in sorted(channel.people or ()) if each not in {BOT, for_user}]
            told["recipients"] = [self.user(self.world.users[each]) for each in others]
            return told | (
                {"name": channel.name or None, "icon": None, "owner_id": others[0]} if channel.kind == GROUP else {}
            )
        told |= {"guild_id": channel.guild, "name": channel.name, "parent_id": channel.parent, "rate_limit_per_user": 0}
        if channel.kind == TEXT:
            overwrites = self._overwrites(channel)
            return told | {"position": 0, "topic": None, "nsfw": False, "permission_overwrites": overwrites}
        return told | self._thread(channel)

    def _overwrites(self, channel: Channel) -> list[dict[str, Any]]:
        told = []
        if channel.people is not None:
            told.append({"id": channel.guild, "type": 0, "allow": "0", "deny": bits(["view_channel"])})
            told += [
                {"id": each, "type": 1, "allow": bits(["view_channel"]), "deny": "0"}
                for each in sorted(channel.people - {BOT})
            ]
        if channel.denied or channel.people is not None:
            allowed = bits(["view_channel"]) if "view_channel" not in channel.denied else "0"
            told.append({"id": BOT, "type": 1, "allow": allowed, "deny": bits(channel.denied)})
        return told

    def _thread(self, thread: Channel) -> dict[str, Any]:
        people = thread.people or set()
        told: dict[str, Any] = {
            "owner_id": thread.owner,
            "message_count": len(thread.messages),
            "member_count": len(people),
            "total_message_sent": len(thread.messages),
            "thread_metadata": {
                "archived": thread.archived,
                "auto_archive_duration": thread.auto_archive,
                "archive_timestamp": moment(thread.created),
                "locked": thread.locked,
                "create_timestamp": moment(thread.created),
                "invitable": True,
            },
        }
        return told | ({"member": self.thread_member(thread, BOT)} if BOT in people else {})

    def thread_member(self, thread: Channel, user: str) -> dict[str, Any]:
        return {"id": thread.id, "user_id": user, "join_timestamp": moment(thread.created), "flags": 0}

    def guild(self, guild: Guild, *, all_members: bool) -> dict[str, Any]:
        """A GUILD_CREATE; without the members intent it has the bot alone."""
        members = guild.members if all_members else [BOT]
        seen = [each for each in self.world.channels.values() if each.guild == guild.id and self.world.reads(BOT, each)]
        roles = [self._role(guild, each.id, each.name, mentionable=each.mentionable) for each in guild.roles.values()]
        return {
            "id": guild.id,
            "name": guild.name,
            "icon": None,
            "owner_id": next((each for each in guild.members if each != BOT), BOT),
            "roles": roles,
            "emojis": [],
            "stickers": [],
            "features": [],
            "preferred_locale": guild.locale,
            "member_count": len(guild.members),
            "large": False,
            "joined_at": "2024-01-01T00:00:00.000000+00:00",
            "members": [self.member(guild, each) for each in members],
            "channels": [self.channel(each) for each in seen if not each.is_thread],
            "threads": [self.channel(each) for each in seen if each.is_thread and not each.archived],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "unavailable": False,
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "system_channel_flags": 0,
        }

    def _role(self, guild: Guild, number: str, name: str, *, mentionable: bool) -> dict[str, Any]:
        # The bot's own permissions stand on @everyone here, where its client finds them without a role of its own.
        permissions = bits(guild.bot_permissions) if number == guild.id else "0"
        told = {"id": number, "name": name, "permissions": permissions, "mentionable": mentionable, "position": 0}
        return told | {"color": 0, "hoist": False, "managed": False, "flags": 0, "icon": None, "unicode_emoji": None}

    # -- messages

    def file(self, file: File) -> dict[str, Any]:
        now = time.time()
        # Discord's own three parameters: expiry and issue in hex seconds, a signature. Here with milliseconds.
        signed = f"ex={int((now + self.link_seconds) * 1000):x}&is={int(now * 1000):x}&hm={file.id}&"
        url = f"{self.base}/attachments/{file.channel}/{file.id}/{file.name}?{signed}"
        told: dict[str, Any] = {
            "id": file.id,
            "filename": file.name,
            "size": len(file.data),
            "url": url,
            "proxy_url": url,
        }
        told["content_type"] = file.content_type
        if file.description:
            told["description"] = file.description
        if file.data.startswith(b"\x89PNG\r\n\x1a\n"):
            told |= {"width": int.from_bytes(file.data[16:20]), "height": int.from_bytes(file.data[20:24])}
        return told

    def message(self, message: Message, *, nested: bool = False) -> dict[str, Any]:
        channel = self.world.channels[message.channel]
        files = [self.file(each) for each in message.files]
        told: dict[str, Any] = {
            "id": message.id,
            "channel_id": message.channel,
            "type": message.kind,
            "author": self.user(self.world.users[message.author]),
            "content": message.content,
            "timestamp": moment(message.created),
            "edited_timestamp": None if message.edited is None else moment(message.edited),
            "tts": False,
            "mention_everyone": message.mention_everyone,
            "mentions": [self.user(self.world.users[each]) for each in message.mention_ids],
            "mention_roles": list(message.mention_roles),
            "attachments": files,
            "embeds": message.embeds,
            "components": [self._component(each, files) for each in message.components],
            "pinned": False,
            "flags": message.flags | (1 << 5 if message.thread else 0),
        }
        if message.thread:
            told["thread"] = self.channel(self.world.channels[message.thread])
        if message.reply_to and message.kind == 19:
            told["message_reference"] = {"type": 0, "message_id": message.reply_to.id, "channel_id": message.channel}
            if channel.guild:
                told["message_reference"]["guild_id"] = channel.guild
            if not nested:
                gone = message.reply_to.deleted
                told["referenced_message"] = None if gone else self.message(message.reply_to, nested=True)
        if message.interaction:
            told |= self._interaction_parts(message)
        return told

    def _component(self, component: dict[str, Any], files: list[dict[str, Any]]) -> dict[str, Any]:
        """A component as it is told: a file that was named by ``attachment://`` has an address, and more than may be sent."""
        told = dict(component)
        if "components" in told:
            told["components"] = [self._component(each, files) for each in told["components"]]
        if "items" in told:
            told["items"] = [
                each | {"media": _unfurled(each["media"], files), "spoiler": False} for each in told["items"]
            ]
        if "file" in told:
            told["file"] = _unfurled(told["file"], files)
            told |= {"name": told["file"]["url"].partition("?")[0].rpartition("/")[2], "spoiler": False}
            told["size"] = next((each["size"] for each in files if each["filename"] == told["name"]), 0)
        return told

    def created(self, message: Message) -> dict[str, Any]:
        """What only the answer to a post and the event of it say: the nonce is not kept (Rapptz/discord.py#2451)."""
        return {} if message.nonce is None else {"nonce": message.nonce}

    def _interaction_parts(self, message: Message) -> dict[str, Any]:
        interaction = message.interaction
        assert interaction
        user = self.user(self.world.users[interaction.user])
        owners = interaction.payload["authorizing_integration_owners"]
        about: dict[str, Any] = {"id": interaction.id, "type": interaction.kind, "user": user}
        about["authorizing_integration_owners"] = owners
        if interaction.source:
            about["interacted_message_id"] = interaction.source.id
        if message is not interaction.original and interaction.original:
            about["original_response_message_id"] = interaction.original.id
        told: dict[str, Any] = {"application_id": APP, "webhook_id": APP, "interaction_metadata": about}
        if interaction.kind == 2 and message is interaction.original:
            name = interaction_name(interaction)
            about["name"] = name
            told["interaction"] = {"id": interaction.id, "type": 2, "name": name, "user": user}
        return told

    def for_gateway(self, message: Message, *, content: bool) -> dict[str, Any]:
        """A message as the Gateway tells it; without ``content`` what a person put into it is empty."""
        channel = self.world.channels[message.channel]
        told = self.message(message) | {"channel_type": channel.kind}
        if channel.guild:
            told["guild_id"] = channel.guild
            guild = self.world.guilds[channel.guild]
            if message.author in guild.members:
                told["member"] = self.member(guild, message.author, with_user=False)
            told["mentions"] = [
                self.user(self.world.users[each]) | {"member": self.member(guild, each, with_user=False)}
                for each in message.mention_ids
            ]
        if not content:
            told |= {"content": "", "embeds": [], "attachments": [], "components": []}
        if not content and told.get("referenced_message") and message.reply_to and message.reply_to.author != BOT:
            told["referenced_message"] |= {"content": "", "embeds": [], "attachments": [], "components": []}
        return told


def _unfurled(media: dict[str, Any], files: list[dict[str, Any]]) -> dict[str, Any]:
    name = media["url"].removeprefix("attachment://")
    found = next((each for each in files if each["filename"] == name), None)
    if found is None:
        return media
    kept = ("url", "proxy_url", "width", "height", "content_type")
    return {key: found[key] for key in kept if key in found} | {"attachment_id": found["id"], "loading_state": 2}
