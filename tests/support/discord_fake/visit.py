"""One bot process beside one Discord, and people who each come with a bank file of their own."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.imports import import_files
from ledger.preferences import store_preference
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support.bank_files import Line, mint_csv
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.state import DM
from tests.support.discord_fake.talk import WELCOME
from tests.support.discord_server import BOT, DiscordServer
from tests.support.slack.visit import LINES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
    from pathlib import Path

    from tests.support.discord_fake.state import Channel, Message
    from tests.support.discord_server import Seen, SeenFile, SeenModal, Sent

Attached = tuple[str, bytes]

EXPLAIN = "Explain this charge"
#: All that the bot leaves before others of somebody's question, a sign under it, and all that it says to them there.
SIGN = "📬"
CLOSED = "I can't send you direct messages. Allow them, or ask here with /money ask: then nobody else sees the answer."


@dataclass
class House:
    """The Discord and the bot that the tests of a module share; everyone in it is somebody new."""

    discord: DiscordServer
    bot: DiscordBot
    store: Store
    """The bot's database, opened beside it."""
    refusals: set[int | None] = field(default_factory=set)
    """Codes with which Discord may have refused in this module."""
    warnings: set[str] = field(default_factory=set)
    """What the bot may have warned of in its log."""
    _numbers: int = 0

    async def visitor(
        self, lines: Iterable[Line] | None = LINES, *, data: bytes = b"", greeted: bool = False, **facts: Any
    ) -> Visitor:
        """Someone new in ``home``, with these lines in their ledger (or the bank file ``data``); None for an empty one."""
        self._numbers += 1
        user = self.discord.add_user(f"person{self._numbers}", installed=True, **facts)
        repository = await self.store.repository(self.bot.person(user.id))
        if data or lines is not None:
            await import_files(repository, [SourceFile("bank.csv", data or mint_csv(lines or ()))])
        if greeted:
            async with self.store.write() as connection:
                await store_preference(connection, repository, "welcomed", "2026-11-21")
        return Visitor(self, user.id, user.shown)

    def channel(self, *visitors: Visitor) -> str:
        """A channel of these people and the bot, in ``home``."""
        self._numbers += 1
        return self.discord.add_channel(f"channel{self._numbers}", *(each.id for each in visitors)).id

    def group(self, *visitors: Visitor) -> str:
        """A group of these people, without the bot."""
        self._numbers += 1
        return self.discord.add_group(f"group{self._numbers}", *(each.id for each in visitors)).id

    def check(self) -> None:
        """What holds over everything that was said and called: all is private, nothing live, refused or failed."""
        for channel in list(self.discord.world.channels.values()):
            for message in channel.messages.values():
                if message.author == BOT:
                    self._check_message(channel, message)
        refused = [
            (call.method, call.path, call.code, call.answer) for call in self.discord.calls
            if call.status >= 400 and call.code not in self.refusals
        ]  # fmt: skip
        assert not refused, f"Discord refused {refused}"
        wrong = ("level=warning", "level=error", "Traceback", "Unclosed")
        expected = tuple(f"event={event} " for event in self.warnings)
        lines = [line for line in self.bot.log.splitlines() if any(word in line for word in wrong)]
        unexpected = [line for line in lines if not any(event in line for event in expected)]
        assert not unexpected, f"the log says {unexpected}"

    def _check_message(self, channel: Channel, message: Message) -> None:
        world = self.discord.world
        seen = message.seen(world)
        alone = message.ephemeral_to is not None or (channel.kind == DM and BOT in (channel.people or ()))
        names = [world.users[each].shown for each in seen.mentions if each in world.users]
        named = [name for name in names if seen.text.startswith((f"@{name} shared this:\n", f"@{name} {CLOSED}"))]
        assert alone or named, f"said before others: {seen.text}"
        assert (seen.pings, seen.links, seen.urls) == ((), (), ()), f"live: {seen.text}"
        assert len(seen.mentions) == len(named), f"named: {seen.text}"


@contextlib.asynccontextmanager
async def open_house(data: Path, *intents: str, **settings: str) -> AsyncIterator[House]:
    """Start both; what holds over everything is checked in the end."""
    async with DiscordServer() as discord:
        discord.allow_intents(*intents)
        async with DiscordBot(discord, data / "data", settings) as bot:
            await discord.until(lambda: discord.commands.get(None))
            store = await Store.open(bot.data_dir / "money.sqlite3")
            try:
                house = House(discord, bot, store)
                yield house
                assert await bot.stop() == 0
                house.check()
            finally:
                await store.close()


@dataclass
class Visitor:
    """Someone who uses the bot, and waits for what it says."""

    house: House
    id: str
    name: str

    @property
    def discord(self) -> DiscordServer:
        return self.house.discord

    @property
    def dm(self) -> str:
        """Their direct messages with the bot."""
        return self.discord.dm(self.id)

    @property
    def answers(self) -> list[Seen]:
        """All that they can read by now of what the bot has said to what they did: a welcome answers nothing."""
        return [seen for seen in self.discord.answers_to(self.id) if WELCOME not in seen.text]

    @property
    def welcomes(self) -> list[Seen]:
        """What greeted them."""
        return [seen for seen in self.discord.answers_to(self.id) if WELCOME in seen.text]

    async def welcomed(self) -> Seen:
        """Wait for what greets them."""
        return (await self.discord.until(lambda: self.welcomes))[0]

    @property
    def words(self) -> str:
        """The same as one text."""
        return "\n".join(seen.text for seen in self.answers)

    @property
    def files(self) -> list[SeenFile]:
        """All files that they were given."""
        return [file for seen in self.answers for file in seen.files]

    async def replies(self, act: Awaitable[Sent], count: int = 1) -> list[Seen]:
        """Do something that is acknowledged, and return the first things that the bot says to it."""
        before = {seen.id for seen in self.answers}
        await (await act).acknowledged()

        def new() -> list[Seen]:
            return [seen for seen in self.answers if seen.id not in before]

        await self.discord.until(lambda: len(new()) >= count)
        return new()

    async def reply(self, act: Awaitable[Sent]) -> Seen:
        return (await self.replies(act))[0]

    async def ask(self, text: str, *, files: Sequence[Attached] = ()) -> Seen:
        """Write in the direct messages."""
        return await self.reply(self.discord.say(self.id, text, files=files))

    async def mention(self, text: str, channel: str, *, files: Sequence[Attached] = ()) -> Seen:
        """Write in a channel with the bot mentioned; the answer comes in the direct messages, and a sign says so."""
        sent = []

        async def say() -> Sent:
            sent.append(await self.discord.mention(self.id, text, channel, files=files))
            return sent[0]

        answer = await self.reply(say())
        assert answer.channel == self.dm, answer.text
        await self.discord.until(lambda: (sent[0].message, SIGN) in self.discord.reactions)
        return answer

    async def command(self, name: str, where: str | None = None, **options: Any) -> Seen:
        """Use ``/money``, in the direct messages unless a place is named."""
        return await self.reply(self.discord.command(self.id, f"money {name}", options, where))

    async def press(self, seen: Seen, what: str) -> Seen:
        return await self.reply(self.discord.press(self.id, seen, what))

    async def share(self, seen: Seen) -> Seen:
        """Share an answer, having seen what will stand there."""
        preview = await self.press(seen, "Share")
        assert preview.ephemeral
        assert seen.text in preview.text
        shown = await self.replies(self.discord.press(self.id, preview, "Share it"), 2)
        (done,) = [each for each in shown if each.ephemeral]
        return done

    async def explain(self, what: Seen | Sent) -> Seen:
        return await self.reply(self.discord.context_menu(self.id, EXPLAIN, what))

    async def offered(
        self, command: str, option: str, typed: str = "", where: str | None = None, **others: str
    ) -> list[str]:
        """What is suggested to them while they type into an option."""
        choices = await self.discord.autocomplete(self.id, f"money {command}", option, typed, others, where)
        assert all(choice.name == choice.value for choice in choices)
        return [choice.name for choice in choices]

    async def form(self, act: Awaitable[Sent]) -> SeenModal:
        """Do what opens a form."""
        await (await act).acknowledged()
        found = self.discord.modal(self.id)
        assert found is not None, "no form was opened"
        return found

    async def submit(self, values: dict[str, Any]) -> Seen:
        """Send the form in front of them, by the ids of its entries."""
        return await self.reply(self.discord.submit(self.id, values))

    async def silence(self, act: Awaitable[Sent]) -> None:
        """Do something that is not answered: what is asked after it is answered first, and alone."""
        before = len(self.answers)
        await act
        answer = await self.ask("What data do you have?")
        assert "ledger" in answer.text.casefold() or "transactions" in answer.text.casefold(), answer.text
        assert len(self.answers) == before + 1, [seen.text for seen in self.answers[before:]]


def labels(seen: Seen) -> list[str]:
    """What can be pressed below a message."""
    return [button.label for button in seen.buttons]
