"""Discord as a stage for the contract of adapters: our server, its people, and the adapter in this process."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bots.contracts import Occasion
from bots.desk.desk import Desk
from bots.discord_app.platform import DiscordConfig, DiscordPlatform
from bots.history import History
from ledger.people import Person
from tests.support.discord_server import GENERAL, TOKEN, DiscordServer, Seen, Sent
from tools.surroundings import tool_context

if TYPE_CHECKING:
    from bots.contracts import ConversationKey, Message, Receive
    from ledger.store import Store


class WatchedPlatform(DiscordPlatform):
    """The adapter, with a count of what it handed over: Discord itself is not told when a message was received."""

    async def start(self, receive: Receive) -> None:
        self.received: Counter[str] = Counter()
        self.more = asyncio.Event()

        async def counted(message: Message | Occasion):
            try:
                return await receive(message)
            finally:
                place = message.place if isinstance(message, Occasion) else message
                self.received[place.delivery_id] += 1
                self.more.set()

        await super().start(counted)

    async def has_received(self, delivery_id: str, times: int = 1) -> None:
        async with asyncio.timeout(20):
            while self.received[delivery_id] < times:
                self.more.clear()
                await self.more.wait()

    async def has_received_more_than(self, count: int) -> None:
        async with asyncio.timeout(20):
            while self.received.total() <= count:
                self.more.clear()
                await self.more.wait()


@dataclass
class DiscordStage:
    """People are members of one guild; a named thread is one of its channel's."""

    discord: DiscordServer
    adapter: WatchedPlatform
    has_channels: bool = True
    redelivers: bool = True
    signs_of_work: list[str] = field(default_factory=lambda: ["typing", "typing"])
    last: Sent | None = None
    threads: dict[str, str] = field(default_factory=dict)

    def person(self, name: str) -> Person:
        known = {user.name: user.id for user in self.discord.world.users.values()}
        return Person("discord", "", known.get(name) or self.discord.add_user(name).id)

    async def say(self, person: Person, text: str, channel: str | None = None, thread: str = "") -> None:
        if channel is None:
            self.last = await self.discord.say(person.user, text)
        else:
            self.last = await self.discord.mention(person.user, text, await self._place(thread))
        if any(session.socket for session in self.discord.gateway.sessions.values()):
            await self.adapter.has_received(f"message:{self.last.message}")

    async def ask(self, person: Person, text: str, channel: str) -> None:
        """By a command, whose answer is shown in the channel."""
        await self.discord.until(lambda: self.discord.commands.get(None))
        sent = await self.discord.command(person.user, "money ask", {"question": text}, channel)
        await self.adapter.has_received(f"interaction:{sent.payload['id']}")

    async def redeliver(self) -> None:
        """Tell of the same message again, as a resumed session may."""
        assert self.last is not None
        delivery_id = f"message:{self.last.message}"
        before = self.adapter.received[delivery_id]
        message = self.discord.world.message(self.last.message)
        assert message is not None
        await self.discord.tell_message("MESSAGE_CREATE", message)
        await self.adapter.has_received(delivery_id, before + 1)

    async def press(self, person: Person, label: str) -> None:
        before = self.adapter.received.total()
        await (await self._pressed(person.user, label)).acknowledged()
        await self.adapter.has_received_more_than(before)

    async def _pressed(self, user: str, label: str) -> Sent:
        """Press the latest button of that label, or choose it from a menu."""
        for seen in reversed(self.discord.answers_to(user)):
            if any(label == button.label for button in seen.buttons):
                return await self.discord.press(user, seen, label)
            for menu in seen.menus:
                if any(label == option for option, _ in menu.options):
                    return await self.discord.select(user, seen, menu.custom_id, label)
        raise AssertionError(f"{label!r} is nowhere")

    def seen_by(self, person: Person) -> list[str]:
        """The parts of one reply as one text, a line in a channel that says where it is included, and files' names and descriptions."""
        replies: dict[str, list[str]] = {}
        for seen in self.discord.answers_to(person.user):
            files = [words for file in seen.files for words in (file.name, file.alt)]
            options = [label for menu in seen.menus for label, _ in menu.options]
            parts = [seen.text, *(button.label for button in seen.buttons), *options, *files]
            replies.setdefault(self._key(seen), []).extend(parts)
        return ["\n".join(parts).replace("\u200b", "") for parts in replies.values()]  # a space of no width is not seen

    def signs(self, conversation: ConversationKey) -> list[str]:
        """Each time that the bot was seen typing there; that it no longer does is not told."""
        return ["typing" for channel, _ in self.discord.typing if channel == conversation.channel]

    def _key(self, seen: Seen) -> str:
        message = self.discord.world.message(seen.id)
        return (message.nonce if message and message.nonce else seen.id)[:22]

    async def _place(self, thread: str) -> str:
        if not thread:
            return GENERAL
        if thread not in self.threads:
            self.threads[thread] = (await self.discord.start_thread("ana", f"thread {thread}", GENERAL, bot=True)).id
        return self.threads[thread]


def discord_adapter(discord: DiscordServer, store: Store, desk: Desk | None = None) -> WatchedPlatform:
    """The adapter, with a desk that answers nothing unless another one is given."""

    async def context(person: Person):
        return await tool_context(await store.repository(person), datetime.now(UTC), _nothing, None)

    async def _nothing(*_arguments: object):
        return None

    desk = desk or Desk(store, History(store), context, _nothing, _nothing)
    return WatchedPlatform(DiscordConfig(TOKEN, discord.api_url), desk, lambda: datetime.now(UTC))
