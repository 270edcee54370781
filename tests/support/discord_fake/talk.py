"""What the scenarios read on people's screens: which answers stand there, where, and whether one stands there twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.preferences import store_preference
from ledger.store import Store
from tests.support.slack.talk import groceries, headline, question

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.support.discord_fake.bot import DiscordBot
    from tests.support.discord_server import DiscordServer, Seen, Sent


#: How the program greets someone new, of its own accord and at any time after their first words.
WELCOME = "I answer questions about your own money."


@dataclass
class Talk:
    """One Discord and one bot, and people who come with a bank file of their own."""

    discord: DiscordServer
    bot: DiscordBot
    spent: Mapping[int, str]
    """What those spend on groceries, by month of 2026, who come with no other file."""

    async def member(self, *, empty: bool = False, known: bool = False, **facts: Any) -> str:
        """Someone who was never greeted, unless they are ``known``; ``empty``: without any transactions."""
        user = self.discord.add_user(f"person{len(self.discord.world.users)}", **facts).id
        if not empty:
            await self.bot.give(user, "bank.csv", groceries(self.spent))
        if known:
            await greeted(self.bot, user)
        return user

    def posts(self, user: str) -> str:
        """The calls that post in someone's direct messages."""
        return f"POST /channels/{self.discord.dm(user)}/messages"

    async def ask(self, user: str, month: int = 10, where: str | None = "general") -> Sent:
        return await self.discord.command(user, "money ask", {"question": question(month)}, where)

    async def told(self, sent: Sent) -> list[str]:
        """Wait for what answers an interaction."""
        lines: list[str] = await self.discord.until(lambda: said_to(self.discord, sent), 40)
        return lines


async def greeted(bot: DiscordBot, user: str) -> None:
    """Let someone be known to the bot, so that no welcome comes after their first answer."""
    store = await Store.open(bot.data_dir / "money.sqlite3")
    repository = await store.repository(bot.person(user))
    async with store.write() as connection:
        await store_preference(connection, repository, "welcomed", "2026-11-21")
    await store.close()


def headlines(discord: DiscordServer, user: str, channel: str | None = None) -> list[str]:
    """The first line of each answer that someone can read in a channel (of their direct messages, unless one is named)."""
    return [headline(seen) for seen in answers(discord, user, channel)]


def answers(discord: DiscordServer, user: str, channel: str | None = None) -> list[Seen]:
    """What was said to what they did; a welcome answers nothing."""
    place = discord.world.channel(channel).id if channel else discord.dm(user)
    return [seen for seen in discord.answers_to(user) if seen.channel == place and WELCOME not in seen.text]


async def answered(
    discord: DiscordServer, user: str, count: int = 1, channel: str | None = None, timeout: float = 30.0
) -> list[str]:
    """Wait for so many answers in a channel; return the first line of each that is there then."""
    await discord.until(lambda: len(answers(discord, user, channel)) >= count, timeout)
    return headlines(discord, user, channel)


def said_to(discord: DiscordServer, sent: Sent) -> list[str]:
    """The first lines of what answers one interaction; nothing where it is still being thought about."""
    interaction = next(each for each in discord.interactions.values() if each.sent is sent)
    shown = [each.seen(discord.world) for each in interaction.made if not each.deleted]
    return [headline(seen) for seen in shown if not seen.loading and WELCOME not in seen.text]


def welcomes(discord: DiscordServer, user: str, channel: str | None = None) -> list[Seen]:
    """What greets someone in a channel (of their direct messages, unless one is named)."""
    place = discord.world.channel(channel).id if channel else discord.dm(user)
    return [seen for seen in discord.answers_to(user) if seen.channel == place and WELCOME in seen.text]


def said_twice(discord: DiscordServer, user: str) -> list[str]:
    """What stands on someone's screen more than once: a reply by its buttons' key, a post, or one more answer to a command."""
    marks = Counter(mark for seen in discord.answers_to(user) for mark in _marks(discord, seen))
    return [mark for mark, times in marks.items() if times > 1]


def _marks(discord: DiscordServer, seen: Seen) -> Iterator[str]:
    message = discord.world.message(seen.id)
    assert message is not None
    if seen.buttons:
        yield f"reply {seen.buttons[0].custom_id.split(':')[2]}"
    if message.nonce is not None:
        yield f"post {message.nonce}"
    if message.interaction is not None:
        yield f"answer to {message.interaction.id}: {seen.text} {[each.name for each in seen.files]}"
