"""What one person's ledger holds is never in anything that another can see, nor in what is kept of nobody."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.support.bank_files import Line, mint_csv
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.talk import said_to
from tests.support.discord_server import ANA as ANA_ID
from tests.support.discord_server import BEN as BEN_ID
from tests.support.discord_server import BOT, DiscordServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.discord_server import Seen, Sent

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]

CHANNEL = "general"
GROCERIES = "How much did I spend on groceries in October 2026?"


@dataclass(frozen=True)
class Household:
    """Someone whose shops and amounts are nobody else's: each of these words tells where it comes from."""

    user: str
    shop: str
    amounts: tuple[str, ...]
    file: str
    total: str

    @property
    def canaries(self) -> tuple[str, ...]:
        """Shops, and the digits of amounts however they are grouped, which no time of a test has."""
        return (self.shop.casefold(), *(amount.replace(".", "") for amount in (*self.amounts, self.total)))

    def lines(self, month: int = 10) -> list[Line]:
        return [
            Line(date(2026, month, 3 + day), self.shop, self.shop.upper(), -Decimal(amount), "Groceries", "Card")
            for day, amount in enumerate(self.amounts)
        ]


ANA = Household(ANA_ID, "Zanzibarana", ("7131.37", "2902.41"), "zwanziger.csv", "10033.78")
BEN = Household(BEN_ID, "Quokkaben", ("8642.13", "5319.57"), "quagga.csv", "13961.70")
BOTH = (ANA, BEN)
#: Ids and tokens are long runs of signs, in which any digits may come up.
_LONG_RUN = re.compile(r"[A-Za-z0-9_-]{17,}")


def found(text: str, *households: Household) -> list[str]:
    """The canaries in a text; separators of thousands and decimals don't hide them."""
    plain = re.sub(r"(?<=\d)[.,\u00a0\u202f](?=\d)", "", text).casefold()
    plain = _LONG_RUN.sub(lambda run: run[0] if any(each.shop.casefold() in run[0] for each in BOTH) else "…", plain)
    return [canary for household in households for canary in household.canaries if canary in plain]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def lived(tmp_path_factory):
    """Everything that Ana and Ben do, each in the sight of the other where Discord lets them."""
    async with DiscordServer() as discord, DiscordBot(discord, tmp_path_factory.mktemp("privacy") / "data") as bot:
        await discord.until(lambda: discord.commands.get(None))
        discord.add_user("cleo")
        for name in ("ana", "ben", "cleo"):
            discord.install(name)
        group = discord.add_group("friends", "ana", "ben", "cleo").id
        life = Life(discord, bot, group)
        for household in BOTH:
            await bot.give(household.user, household.file, mint_csv(household.lines()))
        thread = (await discord.start_thread("ana", "shopping", CHANNEL)).id
        for household in BOTH:
            await life.in_direct_messages(household)
            for place in (CHANNEL, thread, group):
                await life.in_channel(household, place)
            for place in (CHANNEL, thread):
                await life.mention(household, place)
        await life.press_what_others_see()
        for place in (CHANNEL, thread, group):
            await life.ask("cleo", GROCERIES, place)
            await life.ask("cleo", f"How much did I spend at {ANA.shop[:4]}?", place)
        yield life


class Life:
    """What people do; each step waits for what the bot says to it."""

    def __init__(self, discord: DiscordServer, bot: DiscordBot, group: str) -> None:
        self.discord = discord
        self.bot = bot
        self.group = group
        self.choices: dict[str, list[str]] = {}

    async def _more(self, user: str, before: list[Seen]) -> list[Seen]:
        """Wait for answers that did not stand there before."""
        known = {seen.id for seen in before}
        new = lambda: [seen for seen in self.discord.answers_to(user) if seen.id not in known]  # noqa: E731
        await self.discord.until(new, 30)
        return new()

    async def say(self, user: str, text: str, channel: str | None = None, **more: Any) -> Seen:
        before = self.discord.answers_to(user)
        await self.discord.say(user, text, channel, **more)
        return (await self._more(user, before))[-1]

    async def _answer(self, user: str, sending: Any) -> Seen:
        """Do what is an interaction, and return what answers it."""
        sent: Sent = await sending
        await sent.acknowledged()
        await self.discord.until(lambda: said_to(self.discord, sent), 30)
        interaction = next(each for each in self.discord.interactions.values() if each.sent is sent)
        return interaction.made[0].seen(self.discord.world)

    async def ask(self, user: str, text: str, place: str | None = None) -> Seen:
        return await self._answer(user, self.discord.command(user, "money ask", {"question": text}, place))

    async def press(self, user: str, seen: Seen, what: str, *, forged: bool = False) -> Seen:
        return await self._answer(user, self.discord.press(user, seen, what, forged=forged))

    async def in_direct_messages(self, person: Household) -> None:
        user, discord = person.user, self.discord
        answer = await self.say(user, GROCERIES)
        assert found(answer.text, person), "the canaries are what is told"
        await discord.until(lambda: len(discord.answers_to(user)) > 1)  # the welcome, which has examples of their own
        for label in ("Receipt", "Transactions"):
            await self.press(user, answer, label)
        assert found((await self.say(user, f"How much did I spend at {person.shop}?")).text, person)
        preview = await self.say(user, "", files=[(person.file, mint_csv(person.lines(month=9)))])
        assert found(preview.text, person), preview.text
        await self.press(user, preview, "Import")
        for text in ("Compare last month with the month before", "settings", "export"):
            await self.say(user, text)
        await self._answer(user, discord.command(user, "money import", {"file": (person.file, b"Date,Amount (USD)\n")}))

    async def in_channel(self, person: Household, place: str) -> None:
        discord, user = self.discord, person.user
        answer = await self.ask(user, GROCERIES, place)
        assert answer.ephemeral
        assert found(answer.text, person)
        for label in ("Receipt", "Transactions"):
            assert (await self.press(user, answer, label)).ephemeral
        chosen = await discord.autocomplete(user, "money merchant", "merchant", person.shop[:3], where=place)
        self.choices.setdefault(user, []).extend(each.name for each in chosen)
        await self._answer(user, discord.command(user, "money merchant", {"merchant": person.shop}, place))
        await self._answer(user, discord.command(user, "money export", {}, place))

    async def mention(self, person: Household, place: str) -> None:
        """A mention is answered in direct messages, where the other sees nothing, and a sign says so."""
        before, signs = self.discord.answers_to(person.user), len(self.discord.reactions)
        await self.discord.mention(person.user, f"and at {person.shop}?", place)
        await self.discord.until(lambda: len(self.discord.answers_to(person.user)) > len(before))
        await self.discord.until(lambda: len(self.discord.reactions) > signs)

    async def press_what_others_see(self) -> None:
        """Presses on a message of the other's, as no client of theirs would send."""
        for person, other in (BOTH, BOTH[::-1]):
            for seen in [each for each in self.discord.answers_to(other.user) if each.ephemeral and each.buttons]:
                for label in {"Receipt", "Transactions"} & {each.label for each in seen.buttons}:
                    await self.press(person.user, seen, label, forged=True)
                for button in seen.buttons:
                    if button.label.startswith("Share"):
                        await self.press(person.user, seen, button.label, forged=True)


def shown_to(life: Life, user: str) -> str:
    """All that reaches a person's client from the bot: what is seen, what lies under it, files and choices."""
    seen = life.discord.answers_to(user)
    parts = [json.dumps([each.raw, each.text], ensure_ascii=False) for each in seen]
    parts += [file.data.decode("latin-1") + file.name + file.alt for each in seen for file in each.files]
    return "\n".join([*parts, *life.choices.get(user, ())])


def strings_under(value: Any, *keys: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in keys:
                yield json.dumps(inner, ensure_ascii=False)
            yield from strings_under(inner, *keys)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_under(inner, *keys)


async def test_everybody_sees_their_own(lived):
    """Else the rest of these tests would show nothing."""
    for person in BOTH:
        assert set(found(shown_to(lived, person.user), person)) == set(person.canaries)
        assert person.shop in lived.choices[person.user]


@pytest.mark.parametrize(("user", "hidden"), [(ANA.user, (BEN,)), (BEN.user, (ANA,)), ("cleo", BOTH)])
async def test_nobody_sees_what_is_anothers(lived, user, hidden):
    assert lived.discord.answers_to(user)
    assert found(shown_to(lived, user), *hidden) == []


async def test_nothing_of_it_is_posted_in_a_channel(lived):
    discord = lived.discord
    homes = {discord.dm(user) for user in (ANA.user, BEN.user, "cleo")}
    posts = [call for call in discord.calls if call.route.endswith("/channels/{channel}/messages")]
    public = [call for call in posts if call.path.split("/")[2] not in homes and call.method == "POST"]
    assert public == [], "nothing is said where others read"
    ephemeral = {message.ephemeral_to for each in discord.interactions.values() for message in each.made}
    assert ephemeral - {None}
    for channel in discord.world.channels.values():
        if channel.id not in homes:
            said = [message for message in channel.messages.values() if message.ephemeral_to is None]
            by_bot = [[message.content, message.components] for message in said if message.author == BOT]
            assert found(json.dumps(by_bot), *BOTH) == []


async def test_ids_nonces_and_names_under_the_surface_hold_no_figures(lived):
    calls = [call.body for call in lived.discord.calls]
    for name in ("custom_id", "nonce", "filename"):
        values = list(strings_under(calls, name))
        assert values, name
        said = [each for each in values if not each.startswith('"mm:ask:')]
        assert [each for each in said if found(each, *BOTH)] == [], name
    assert found("\n".join(call.path for call in lived.discord.calls), *BOTH) == []
    # What describes a picture is read aloud to the one who sees it, and to nobody else.
    for person in BOTH:
        told = {file.alt for seen in lived.discord.answers_to(person.user) for file in seen.files}
        figures = [each for each in strings_under(calls, "description") if found(each, person)]
        assert figures
        assert {json.loads(each) for each in figures} <= told
    # What a button asks is what its label says, to the one who sees it: a shop of theirs at most, and no figure.
    asks = "\n".join(each for each in strings_under(calls, "custom_id") if each.startswith('"mm:ask:'))
    assert asks
    assert set(found(asks, *BOTH)) <= {person.shop.casefold() for person in BOTH}


async def test_the_log_says_nothing_of_it(lived):
    assert "event=turn" in lived.bot.log
    assert found(lived.bot.log, *BOTH) == []
    tokens = [each.token for each in lived.discord.interactions.values()]
    assert not [token for token in tokens if token in lived.bot.log]


async def test_once_everything_is_forgotten_no_byte_of_it_is_left(lived):
    bot, discord = lived.bot, lived.discord
    assert _kept(bot), "before that, it is there"
    for person in BOTH:
        asked = await lived._answer(person.user, discord.command(person.user, "money forget", {"what": "everything"}))
        assert await lived.press(person.user, asked, "Delete everything")
    assert _kept(bot) == []
    assert await bot.stop() == 0
    assert _kept(bot) == []
    assert "Traceback" not in bot.log


def _kept(bot: DiscordBot) -> list[tuple[str, str]]:
    """The canaries in what the bot keeps."""
    return bot.keeps(
        canary for person in BOTH for canary in (person.shop.casefold(), person.file, *person.amounts, *_cents(person))
    )


def _cents(person: Household) -> list[str]:
    return [amount.replace(".", "") for amount in person.amounts]
