"""One bot process beside one Slack, and people who each come with a bank file of their own."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from tests.support.bank_files import Line, american_lines, mint_csv, spent, within
from tests.support.slack.bot import BotProcess
from tests.support.slack.state import BOT_USER
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
    from pathlib import Path

    from tests.support.slack.people import Upload
    from tests.support.slack.state import Seen, SeenView
    from tests.support.slack_server import Sent

OCTOBER, SEPTEMBER = within("2026-10-01", "2026-10-31"), within("2026-09-01", "2026-09-30")
#: The household's last months: enough for every question here, and imported in a moment.
LINES = [line for line in american_lines() if line.day >= date(2026, 8, 1)]


def dollars(lines: Iterable[Line], *wanted: Callable[[Line], bool]) -> str:
    """Spending among the lines that are all of this, as an American reads it."""
    return f"${spent(lines, lambda line: all(each(line) for each in wanted)):,.2f}"


def category(name: str) -> Callable[[Line], bool]:
    return lambda line: line.category == name


def shop(name: str) -> Callable[[Line], bool]:
    return lambda line: line.name == name


def table(seen: Seen) -> list[dict[str, str]]:
    """The rows of the table that a message shows, each by its headings; a sum has no date."""
    lines = [line.split(" | ") for line in seen.text.splitlines() if " | " in line]
    return [dict(zip(lines[0], row, strict=True)) for row in lines[1:]]


@dataclass
class House:
    """The Slack and the bot that the tests of a module share; everyone in it is somebody new."""

    slack: SlackServer
    bot: BotProcess
    refusals: set[str] = field(default_factory=set)
    """What Slack may have refused in this module."""
    warnings: set[str] = field(default_factory=set)
    """What the bot may have warned of in its log."""
    _numbers: int = 0

    async def visitor(self, lines: Iterable[Line] | None = LINES, *, data: bytes = b"", **facts: Any) -> Visitor:
        """Someone new, with these lines in their ledger (or the bank file ``data``); None for an empty one."""
        self._numbers += 1
        user = f"U{self._numbers}P{id(self) % 100_000}"
        self.slack.add_member(user, f"person{self._numbers}", **facts)
        if data or lines is not None:
            await self.bot.give(user, "bank.csv", data or mint_csv(lines or ()))
        return Visitor(self, user)

    def channel(self, *visitors: Visitor, **facts: Any) -> str:
        """A channel of these people, with the bot unless ``bot=False``."""
        self._numbers += 1
        name = f"C{self._numbers}X"
        self.slack.add_channel(name, f"channel{self._numbers}", *(each.id for each in visitors), **facts)
        return name

    def check(self) -> None:
        """What holds over everything that was said and called: nothing is live, nothing was refused, nothing failed."""
        for message in self.slack.workspace.posts:
            if message.user == BOT_USER:
                seen = message.seen()
                names = [name for name in seen.mentions if not seen.text.startswith(f"@{name} shared this")]
                assert (seen.pings, names, seen.links) == ((), [], ()), f"live: {seen.text}"
        refused = [
            (call.method, call.error, call.answer) for call in self.slack.calls
            if call.error and call.error not in self.refusals
        ]  # fmt: skip
        assert not refused, f"Slack refused {refused}"
        wrong = ("level=warning", "level=error", "Traceback", "Unclosed")
        expected = tuple(f"event={event} " for event in self.warnings)
        lines = [line for line in self.bot.log.splitlines() if any(word in line for word in wrong)]
        assert [line for line in lines if not any(event in line for event in expected)] == []


@contextlib.asynccontextmanager
async def open_house(data: Path, **settings: str) -> AsyncIterator[House]:
    """Start both; what holds over everything is checked in the end."""
    async with SlackServer() as slack, BotProcess(slack, data / "data", settings) as bot:
        house = House(slack, bot)
        yield house
        assert await bot.stop() == 0
        house.check()


@dataclass
class Visitor:
    """Someone who uses the bot, and waits for what it says."""

    house: House
    id: str

    @property
    def slack(self) -> SlackServer:
        return self.house.slack

    @property
    def dm(self) -> str:
        """Their direct messages with the bot."""
        return self.slack.workspace.members[self.id].dm

    @property
    def answers(self) -> list[Seen]:
        """All that the bot has said to them, by now."""
        return self.slack.answers_to(self.id)

    @property
    def words(self) -> str:
        """The same as one text."""
        return "\n".join(seen.text for seen in self.answers)

    async def replies(self, act: Awaitable[Sent], count: int = 1) -> list[Seen]:
        """Do something that is acknowledged, and return the first things that the bot says to it."""
        before = {(seen.channel, seen.ts) for seen in self.answers}
        await (await act).acknowledged()

        def new() -> list[Seen]:
            return [seen for seen in self.answers if (seen.channel, seen.ts) not in before]

        await self.slack.until(lambda: len(new()) >= count)
        return new()

    async def reply(self, act: Awaitable[Sent]) -> Seen:
        return (await self.replies(act))[0]

    async def ask(
        self, text: str, channel: str | None = None, *, thread: str | None = None, files: Sequence[Upload] = ()
    ) -> Seen:
        """Write, in the direct messages unless a channel is named (where the bot is mentioned)."""
        said = f"<@{BOT_USER}> {text}" if channel else text
        return await self.reply(self.slack.say(self.id, said, channel, thread_ts=thread, files=files))

    async def drop(self, *files: Upload, text: str = "", thread: str | None = None) -> Seen:
        """Drop files into the direct messages."""
        return await self.ask(text, thread=thread, files=files)

    async def command(self, text: str = "", channel: str | None = None) -> Seen:
        return await self.reply(self.slack.command(self.id, "/money", text, channel))

    async def press(self, seen: Seen | SeenView, what: str, value: Any = None) -> Seen:
        return await self.reply(self.slack.press(self.id, seen, what, value))

    async def share(self, seen: Seen) -> Seen:
        """Share an answer, having seen what will stand there."""
        preview = await self.press(seen, "Share")
        assert preview.ephemeral
        assert seen.text in preview.text
        (done,) = [
            each for each in await self.replies(self.slack.press(self.id, preview, "Share it"), 2) if each.ephemeral
        ]
        return done

    async def silence(self, act: Awaitable[Sent], thread: str | None = None) -> None:
        """Do something that is acknowledged and not answered: what is asked after it is answered first, and alone."""
        before = len(self.answers)
        sent = await act
        if sent.delivered:
            await sent.acknowledged()
        answer = await self.ask("What data do you have?", thread=thread)
        assert "ledger" in answer.text.casefold() or "transactions" in answer.text.casefold(), answer.text
        assert len(self.answers) == before + 1, [seen.text for seen in self.answers[before:]]
