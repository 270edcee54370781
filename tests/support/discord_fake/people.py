"""The people's side: what someone writes, edits and deletes, and what the app is told of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tests.support.discord_fake import gateway as gw
from tests.support.discord_fake.delivery import Sent
from tests.support.discord_fake.state import BOT, Channel, File, Message, Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.support.discord_fake.gateway import Gateway, Session
    from tests.support.discord_fake.wire import Wire
    from tests.support.discord_fake.world import World

Attachment = tuple[str, bytes]
_EVERYTHING = ("users", "roles", "everyone")


class Telling:
    """Who hears of what through the Gateway."""

    world: World
    wire: Wire
    gateway: Gateway

    def changed(self) -> None:
        raise NotImplementedError

    def content_for_bot(self, message: Message) -> bool:
        """Whether the bot may read a message without the message-content intent."""
        place = self.world.channels[message.channel]
        allowed = "message_content" in self.gateway.allowed_intents
        return allowed or place.guild is None or message.author == BOT or BOT in message.mention_ids

    def _hears(self, session: Session, channel: Channel) -> bool:
        if not self.world.reads(BOT, channel) or not self.world.may(channel, "view_channel"):
            return False
        return bool(session.intents & (gw.GUILD_MESSAGES if channel.guild else gw.DIRECT_MESSAGES))

    async def tell_message(self, event: str, message: Message) -> bool:
        """Tell of a message; ephemerals are told to nobody."""
        self.changed()
        channel = self.world.channels[message.channel]
        if message.ephemeral_to is not None:
            return False

        def make(session: Session) -> dict[str, Any] | None:
            if not self._hears(session, channel):
                return None
            readable = channel.guild is None or message.author == BOT or BOT in message.mention_ids
            told = self.wire.for_gateway(message, content=bool(session.intents & gw.CONTENT) or readable)
            return told | (self.wire.created(message) if event == "MESSAGE_CREATE" else {})

        return await self.gateway.dispatch(event, make)

    async def take_down(self, message: Message) -> bool:
        """Delete a message and tell of it."""
        self.world.remove(message)
        self.changed()
        channel = self.world.channels[message.channel]
        told = {"id": message.id, "channel_id": channel.id} | ({"guild_id": channel.guild} if channel.guild else {})
        if message.ephemeral_to is not None:
            return False
        return await self.gateway.dispatch(
            "MESSAGE_DELETE", lambda session: told if self._hears(session, channel) else None
        )

    async def tell_thread(self, event: str, thread: Channel, **more: Any) -> bool:
        self.changed()

        def make(session: Session) -> dict[str, Any] | None:
            seen = session.intents & gw.GUILDS and self.world.reads(BOT, thread)
            return self.wire.channel(thread) | more if seen else None

        return await self.gateway.dispatch(event, make)


class People(Telling):
    """Each method is something a person does; it returns once that is on its way, with what was sent."""

    def _place(self, user: str, channel: str | None) -> Channel:
        place = self.world.channel(channel) if channel else self.world.dm(user)
        assert self.world.reads(self.world.user(user).id, place), f"{user} does not see {place.name or place.id}"
        return place

    async def say(
        self,
        user: str,
        text: str,
        channel: str | None = None,
        *,
        files: Sequence[Attachment] = (),
        reply_to: Seen | str | None = None,
        ping: bool = True,
    ) -> Sent:
        """Write (in the direct messages with the bot, unless a channel is named); ``ping``: a reply notifies."""
        person, place = self.world.user(user), self._place(user, channel)
        assert not place.locked, "that thread is locked"
        message = Message(self.world.new_id(), place.id, person.id, text, nonce=self.world.new_id())
        message.files = self._files(files, place.id)
        if reply_to is not None:
            target = self._message(reply_to)
            message.reply_to, message.kind = target, 19
        message.allowed = {"parse": list(_EVERYTHING), "replied_user": ping}
        self.world.post(message, default=_EVERYTHING)
        told = await self.tell_message("MESSAGE_CREATE", message)
        return Sent("MESSAGE_CREATE", self.wire.message(message), place.id, message.id, told)

    def _files(self, files: Sequence[Attachment], channel: str) -> list[File]:
        kinds = {
            "csv": "text/csv; charset=utf-8",
            "txt": "text/plain; charset=utf-8",
            "png": "image/png",
            "pdf": "application/pdf",
        }
        made = []
        for name, data in files:
            kind = kinds.get(name.rpartition(".")[2].lower())
            made.append(File(self.world.new_id(), name, data, channel, content_type=kind))
            self.world.files[made[-1].id] = made[-1]
        return made

    async def mention(self, user: str, text: str, channel: str, **more: Any) -> Sent:
        """Write with the bot mentioned in front."""
        return await self.say(user, f"<@{BOT}> {text}".rstrip(), channel, **more)

    def _message(self, what: Seen | Sent | str) -> Message:
        number = what if isinstance(what, str) else what.message if isinstance(what, Sent) else what.id
        found = self.world.message(number)
        assert found is not None, "that message is gone"
        return found

    async def edit(self, user: str, what: Seen | Sent | str, text: str) -> Sent:
        """Change one's own message."""
        message = self._message(what)
        assert message.author == self.world.user(user).id, "one edits one's own messages"
        message.content, message.edited = text, time.time()
        self.world.count_mentions(message, _EVERYTHING, edit=True)
        message.changed()
        told = await self.tell_message("MESSAGE_UPDATE", message)
        return Sent("MESSAGE_UPDATE", self.wire.message(message), message.channel, message.id, told)

    async def delete(self, user: str, what: Seen | Sent | str) -> Sent:
        """Delete one's own message."""
        message = self._message(what)
        assert message.author == self.world.user(user).id, "one deletes one's own messages"
        told = await self.take_down(message)
        return Sent("MESSAGE_DELETE", {"id": message.id}, message.channel, message.id, told)

    async def dismiss(self, user: str, what: Seen | str) -> None:
        """Dismiss an ephemeral message; nobody is told."""
        message = self._message(what)
        assert message.ephemeral_to == self.world.user(user).id, "one dismisses one's own ephemerals"
        self.world.remove(message)
        self.changed()

    async def bot_says(self, text: str, channel: str, *, mention: bool = False) -> Sent:
        """Another application's bot writes."""
        if not any(user.name == "otherbot" for user in self.world.users.values()):
            self.world.add_user("otherbot", bot=True)
        other = self.world.user("otherbot")
        place = self.world.channel(channel)
        if place.guild:
            self.world.guilds[place.guild].members.setdefault(other.id, set())
        if place.people is not None:
            place.people.add(other.id)
        return await self.say(other.id, f"<@{BOT}> {text}" if mention else text, place.id)

    async def start_thread(
        self,
        user: str,
        name: str,
        channel: str | None = None,
        *,
        on: Seen | Sent | None = None,
        private: bool = False,
        bot: bool = False,
    ) -> Channel:
        """Start a thread in a channel or on a message; ``bot`` adds the bot to it."""
        start = self._message(on) if on else None
        parent = self.world.channel(start.channel if start else channel or "general")
        thread = self.world.add_thread(name, parent, self.world.user(user).id, private=private, start=start)
        if bot:
            assert thread.people is not None
            thread.people.add(BOT)
        await self.tell_thread("THREAD_CREATE", thread, newly_created=True)
        return thread

    async def invite_bot(self, guild: str) -> None:
        """Add the bot to a guild where it was not."""
        place = self.world.guild(guild)
        place.bot = place.installed = True
        place.members[BOT] = set()
        await self.gateway.dispatch("GUILD_CREATE", self._guild_maker(place.id))

    def _guild_maker(self, guild: str) -> Callable[[Session], dict[str, Any] | None]:
        def make(session: Session) -> dict[str, Any] | None:
            if not session.intents & gw.GUILDS:
                return None
            return self.wire.guild(self.world.guilds[guild], all_members=bool(session.intents & gw.GUILD_MEMBERS))

        return make

    async def kick_bot(self, guild: str) -> None:
        """Take the bot out of a guild."""
        place = self.world.guild(guild)
        place.bot = place.installed = False
        place.members.pop(BOT, None)
        await self.gateway.dispatch(
            "GUILD_DELETE", lambda session: {"id": place.id} if session.intents & gw.GUILDS else None
        )
