"""Everything that exists, found by id or name, and who may read or do what where."""

from __future__ import annotations

import time
from typing import Any

from tests.support.discord_fake.refusals import Refusal
from tests.support.discord_fake.rendering import mentioned
from tests.support.discord_fake.state import (
    APP_NAME,
    BOT,
    DM,
    GROUP,
    PERMISSIONS,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    SILENT,
    TEXT,
    Channel,
    File,
    Guild,
    Interaction,
    Message,
    Role,
    Seen,
    User,
)

_EPOCH_MS = 1420070400000


class World:
    """Users, guilds, channels and their messages."""

    def __init__(self) -> None:
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.files: dict[str, File] = {}
        self.nonces: dict[str, Message] = {}
        self.default_guild = ""
        self._count = 0
        self.users[BOT] = User(BOT, "money-minder", APP_NAME, bot=True)

    def new_id(self, ago: float = 0.0) -> str:
        """A snowflake of now, or of some seconds ago; discord.py reads the time in it."""
        self._count += 1
        return str((int((time.time() - ago) * 1000) - _EPOCH_MS << 22) + (self._count & 0x3FFFFF))

    # -- making

    def add_user(self, name: str, shown: str = "", *, number: str = "", **facts: Any) -> User:
        user = User(number or self.new_id(), name, shown or name.capitalize(), **facts)
        self.users[user.id] = user
        return user

    def add_guild(self, name: str, *members: str, number: str = "", **facts: Any) -> Guild:
        guild = Guild(number or self.new_id(), name, **facts)
        guild.members = {self.user(each).id: set() for each in members}
        if guild.bot:
            guild.members[BOT] = set()
        guild.roles[guild.id] = Role(guild.id, "@everyone")
        self.guilds[guild.id] = guild
        self.default_guild = self.default_guild or guild.id
        return guild

    def add_role(self, name: str, *members: str, guild: str | None = None, mentionable: bool = False) -> Role:
        home = self.guild(guild)
        role = home.roles.setdefault((number := self.new_id()), Role(number, name, mentionable))
        for member in members:
            home.members[self.user(member).id].add(role.id)
        return role

    def add_channel(self, name: str, *people: str, guild: str | None = None, number: str = "") -> Channel:
        """A text channel; with people it is theirs and the bot's alone."""
        readers = {self.user(each).id for each in people} | {BOT} if people else None
        channel = Channel(number or self.new_id(), TEXT, name, self.guild(guild).id, readers)
        self.channels[channel.id] = channel
        return channel

    def add_thread(
        self, name: str, parent: Channel, owner: str, *, private: bool = False, start: Message | None = None
    ) -> Channel:
        """A thread; one that starts from a message has the message's id."""
        kind = PRIVATE_THREAD if private else PUBLIC_THREAD
        thread = Channel(
            start.id if start else self.new_id(), kind, name, parent.guild, {owner}, parent=parent.id, owner=owner
        )
        self.channels[thread.id] = thread
        if start:
            start.thread = thread.id
        return thread

    def add_group(self, name: str, *people: str) -> Channel:
        """A private channel between people, without the bot: a group, or two people's direct messages."""
        readers = {self.user(each).id for each in people}
        channel = Channel(self.new_id(), DM if len(readers) == 2 else GROUP, name, None, readers)
        self.channels[channel.id] = channel
        return channel

    def dm(self, user: str) -> Channel:
        """Someone's direct messages with the bot, opened where there were none."""
        person = self.user(user)
        for channel in self.channels.values():
            if channel.kind == DM and channel.people == {person.id, BOT}:
                return channel
        channel = Channel(self.new_id(), DM, "", None, {person.id, BOT})
        self.channels[channel.id] = channel
        return channel

    # -- finding

    def user(self, known: str) -> User:
        found = self.users.get(known) or next((each for each in self.users.values() if each.name == known), None)
        assert found, f"nobody is called {known}"
        return found

    def guild(self, known: str | None = None) -> Guild:
        known = known or self.default_guild
        found = self.guilds.get(known) or next((each for each in self.guilds.values() if each.name == known), None)
        assert found, f"no guild {known}"
        return found

    def channel(self, known: str) -> Channel:
        found = self.channels.get(known) or next((each for each in self.channels.values() if each.name == known), None)
        assert found, f"no channel {known}"
        return found

    def message(self, number: str) -> Message | None:
        for channel in self.channels.values():
            if number in channel.messages:
                return channel.messages[number]
        return None

    def name_of(self, sigil: str, number: str) -> str | None:
        """What ids in a text are called (for ``rendering.Names``)."""
        if sigil == "@":
            return self.users[number].shown if number in self.users else None
        if sigil == "#":
            return self.channels[number].name if number in self.channels else None
        return next((guild.roles[number].name for guild in self.guilds.values() if number in guild.roles), None)

    # -- who may what

    def reads(self, user: str, channel: Channel) -> bool:
        """Whether someone can read a channel; private threads are their members' alone."""
        if channel.kind == PUBLIC_THREAD:
            assert channel.parent
            return self.reads(user, self.channels[channel.parent])
        if channel.guild and user not in self.guilds[channel.guild].members:
            return False
        return channel.people is None or user in channel.people

    def may(self, channel: Channel, permission: str) -> bool:
        """Whether the bot may; outside of guilds there are no permissions."""
        if channel.guild is None:
            return permission != "mention_everyone"
        top = self.channels[channel.parent] if channel.parent else channel
        return permission in self.guilds[channel.guild].bot_permissions - channel.denied - top.denied

    def permissions(self, user: str, channel: Channel) -> set[str]:
        """What someone may do in a guild's channel, as an interaction tells of its member."""
        top = self.channels[channel.parent] if channel.parent else channel
        return set(PERMISSIONS) - channel.denied_to.get(user, set()) - top.denied_to.get(user, set())

    def bot_channel(self, number: str, *permissions: str) -> Channel:
        """A channel as the bot finds it, or Discord's refusal."""
        channel = self.channels.get(number)
        if channel is None:
            raise Refusal(10003)
        if not self.reads(BOT, channel) or not self.may(channel, "view_channel"):
            raise Refusal(50001)
        if not all(self.may(channel, permission) for permission in permissions):
            raise Refusal(50013)
        return channel

    def shares_guild(self, user: str) -> bool:
        return any(guild.bot and user in guild.members for guild in self.guilds.values())

    # -- messages

    def post(self, message: Message, *, default: tuple[str, ...]) -> Message:
        """Put a message up; whom it mentions and notifies follows from its text and its allowed mentions."""
        channel = self.channels[message.channel]
        self.count_mentions(message, default)
        channel.messages[message.id] = message
        if channel.is_thread:
            channel.archived = False
            assert channel.people is not None
            channel.people.add(message.author)
        return message

    def count_mentions(self, message: Message, default: tuple[str, ...], *, edit: bool = False) -> None:
        """Work out the mentions; an edit changes what is shown as mentioned and notifies nobody."""
        channel = self.channels[message.channel]
        guild = self.guilds.get(channel.guild or "")
        found = list(dict.fromkeys(mentioned(message).mentions))
        allowed = message.allowed if message.allowed is not None else {"parse": list(default), "replied_user": True}
        parse = allowed.get("parse") or []
        users = [
            each for each in found if each in self.users and ("users" in parse or each in (allowed.get("users") or []))
        ]
        answered = message.reply_to.author if message.reply_to and allowed.get("replied_user") else message.author
        if answered != message.author and answered not in users:
            users.append(answered)
        by_bot = message.author == BOT
        roles = []
        for each in found:
            role = guild.roles.get(each) if guild else None
            named = role and ("roles" in parse or each in (allowed.get("roles") or []))
            if role and named and (role.mentionable or (by_bot and self.may(channel, "mention_everyone"))):
                roles.append(each)
        alarms = [each for each in found if each in {"everyone", "here"}]
        loud = bool(alarms) and "everyone" in parse and guild is not None
        loud = loud and (not by_bot or self.may(channel, "mention_everyone"))
        message.mention_ids, message.mention_roles, message.mention_everyone = tuple(users), tuple(roles), loud
        if not edit and not message.flags & SILENT:
            reached = [each for each in users if each != message.author]
            message.pings = (*(alarms if loud else ()), *roles, *reached)

    def remove(self, message: Message) -> None:
        message.deleted = True
        self.channels[message.channel].messages.pop(message.id, None)
        for file in message.files:
            self.files.pop(file.id, None)

    def seen_by(self, user: str) -> list[Seen]:
        """Every message that someone can read now, oldest first."""
        reader = self.user(user).id
        shown = [
            message
            for channel in list(self.channels.values())
            if channel.messages and self.reads(reader, channel)
            for message in channel.messages.values()
            if message.ephemeral_to in {None, reader}
        ]
        return [message.seen(self) for message in sorted(shown, key=lambda each: int(each.id))]


def interaction_name(interaction: Interaction) -> str:
    """A command's name with its group's and subcommand's."""
    data = interaction.payload["data"]
    words, options = [data.get("name", "")], data.get("options") or []
    while options and options[0]["type"] in {1, 2}:
        words.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(words)
