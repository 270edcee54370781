"""What one person's ledger holds is never in anything that another can see, nor in what is kept of nobody."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.support.bank_files import Line, mint_csv
from tests.support.slack.bot import BotProcess
from tests.support.slack.state import BOT_USER
from tests.support.slack.talk import replies
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.slack_server import Seen

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]

CHANNEL, SHARED = "C1GENERAL", "CSHARED"
GROCERIES = "How much did I spend on groceries in October 2026?"


@dataclass(frozen=True)
class Household:
    """Someone whose shops and amounts are nobody else's: each of these words tells where it comes from."""

    user: str
    shop: str
    amounts: tuple[str, ...]
    file: str
    words: tuple[str, ...] = field(default=())

    @property
    def canaries(self) -> tuple[str, ...]:
        """Shops, and the digits of amounts however they are grouped, which no time or id of a test has."""
        return (self.shop.casefold(), *(amount.replace(".", "") for amount in (*self.amounts, *self.words)))

    def lines(self, month: int = 10) -> list[Line]:
        return [
            Line(date(2026, month, 3 + day), self.shop, self.shop.upper(), -Decimal(amount), "Groceries", "Card")
            for day, amount in enumerate(self.amounts)
        ]


ANA = Household("U1ANA", "Zanzibarana", ("7131.37", "2902.41"), "zwanziger.csv", ("10033.78",))
BEN = Household("U2BEN", "Quokkaben", ("8642.13", "5319.57"), "quagga.csv", ("13961.70",))
BOTH = (ANA, BEN)
OTHERS = ("U3CLEO", "U4GUEST", "U5AWAY")


def found(text: str, *households: Household) -> list[str]:
    """The canaries in a text; separators of thousands and decimals don't hide them."""
    plain = re.sub(r"(?<=\d)[.,\u00a0\u202f](?=\d)", "", text).casefold()
    return [canary for household in households for canary in household.canaries if canary in plain]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def lived(tmp_path_factory):
    """Everything that Ana and Ben do, each in the sight of the other where Slack lets them."""
    async with SlackServer() as slack, BotProcess(slack, tmp_path_factory.mktemp("privacy") / "data") as bot:
        for user, facts in zip(OTHERS, ({}, {"restricted": True}, {"stranger": True}), strict=True):
            slack.add_member(user, **facts)
        slack.workspace.channels[CHANNEL].members.update({"U3CLEO", "U4GUEST"})
        slack.add_channel(SHARED, "shared", ANA.user, BEN.user, "U5AWAY", ext_shared=True)
        life = Life(slack, bot)
        for household in BOTH:
            await bot.give(household.user, household.file, mint_csv(household.lines()))
        root = (await slack.say(ANA.user, "who did the shopping?", CHANNEL)).ts
        for household in BOTH:
            await life.in_direct_messages(household)
            await life.in_channels(household, root)
        await life.press_what_others_see()
        await life.of_others(root)
        yield life


class Life:
    """What people do; each step waits for what the bot says to it."""

    def __init__(self, slack: SlackServer, bot: BotProcess) -> None:
        self.slack = slack
        self.bot = bot

    async def _more(self, user: str, before: int) -> None:
        await self.slack.until(lambda: len(self.slack.answers_to(user)) > before, 30)

    async def say(self, user: str, text: str, channel: str | None = None, **more: Any) -> Seen:
        before = len(self.slack.answers_to(user))
        await (await self.slack.say(user, text, channel, **more)).acknowledged()
        await self._more(user, before)
        return self.slack.answers_to(user)[-1]

    async def press(self, user: str, seen: Seen, what: str, *, forged: bool = False) -> None:
        before = len(self.slack.answers_to(user))
        await (await self.slack.press(user, seen, what, forged=forged)).acknowledged()
        await self._more(user, before)

    async def in_direct_messages(self, person: Household) -> None:
        slack, user = self.slack, person.user
        answer = await self.say(user, GROCERIES)
        assert found(answer.text, person), "the canaries are what is told"
        for label in ("Receipt", "Transactions"):
            await self.press(user, answer, label)
        shop = await self.say(user, f"How much did I spend at {person.shop}?")
        assert found(shop.text, person)
        again = mint_csv(person.lines(month=9))
        preview = await self.say(user, "", files=[(person.file, again)])
        assert found(preview.text, person)
        await self.press(user, preview, "Import")
        await self.say(user, "Compare last month with the month before")
        await self.say(user, "settings")
        thread = await slack.say(user, "export")
        await slack.until(lambda: len(replies(slack, user, thread)) > 1)
        await slack.open_home(user)
        await slack.until(lambda: slack.home(user))

    async def in_channels(self, person: Household, root: str) -> None:
        slack, user = self.slack, person.user
        for thread in (None, root):
            answer = await self.say(user, f"<@{BOT_USER}> {GROCERIES}", CHANNEL, thread_ts=thread)
            assert answer.ephemeral
            assert found(answer.text, person)
            await self.press(user, answer, "Receipt")
            await self.press(user, answer, "Transactions")
        before = len(slack.answers_to(user))
        await slack.command(user, "/money", f"merchant {person.shop}", CHANNEL)
        await self._more(user, before)
        await self.say(user, f"<@{BOT_USER}> and at {person.shop}?", CHANNEL, thread_ts=root)
        await self.say(user, f"<@{BOT_USER}> {GROCERIES}", SHARED)
        await self.say(user, f"<@{BOT_USER}> here", CHANNEL, files=[("other.csv", b"Date,Description,Amount (USD)\n")])

    async def press_what_others_see(self) -> None:
        """Presses with a message of the other's in them, as no client of theirs would send."""
        for person, other in (BOTH, BOTH[::-1]):
            for seen in [
                each for each in self.slack.answers_to(other.user) if each.channel == CHANNEL and each.ephemeral
            ]:
                for label in {"Receipt", "Transactions", "Share"} & set(seen.labels):
                    await self.press(person.user, seen, label, forged=True)

    async def of_others(self, root: str) -> None:
        """A colleague, a guest and somebody of another workspace ask as well, about the shops of the others too."""
        for user, channel in (("U3CLEO", CHANNEL), ("U4GUEST", CHANNEL), ("U5AWAY", SHARED)):
            await self.say(user, f"<@{BOT_USER}> {GROCERIES}", channel)
            await self.say(user, f"<@{BOT_USER}> How much did I spend at Walmart?", channel)
        await self.say("U3CLEO", f"<@{BOT_USER}> and in September?", CHANNEL, thread_ts=root)
        await self.say("U3CLEO", GROCERIES)
        await self.slack.open_home("U3CLEO")
        await self.slack.until(lambda: self.slack.home("U3CLEO"))


def shown_to(slack: SlackServer, user: str) -> str:
    """All that reaches a person's client from the bot: what is seen, what lies under it, files, home and modals."""
    member = slack.workspace.members[user]
    parts = [json.dumps([seen.payload, seen.text], ensure_ascii=False) for seen in slack.answers_to(user)]
    parts += [file.data.decode("latin-1") + file.name for seen in slack.answers_to(user) for file in seen.files]
    parts += [json.dumps(view, ensure_ascii=False) for view in (member.home, *member.modals) if view]
    return "\n".join(parts)


def strings_under(value: Any, *keys: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in keys:
                yield json.dumps(inner, ensure_ascii=False)
            yield from strings_under(inner, *keys)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_under(inner, *keys)


def values_of_buttons(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") == "button":
            yield str(value.get("value"))
        for inner in value.values():
            yield from values_of_buttons(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from values_of_buttons(inner)


async def test_everybody_sees_their_own(lived):
    """Else the rest of these tests would show nothing."""
    for person in BOTH:
        assert set(found(shown_to(lived.slack, person.user), person)) == set(person.canaries)


@pytest.mark.parametrize(
    ("user", "hidden"), [(ANA.user, (BEN,)), (BEN.user, (ANA,)), *((user, BOTH) for user in OTHERS)]
)
async def test_nobody_sees_what_is_anothers(lived, user, hidden):
    assert found(shown_to(lived.slack, user), *hidden) == []


async def test_nothing_of_it_is_posted_in_a_channel(lived):
    posts = [
        call for call in lived.slack.calls if call.method in {"chat.postMessage", "chat.update", "chat.startStream"}
    ]
    public = [call for call in posts if str(call.arguments["channel"]).startswith("C")]
    assert found(json.dumps([call.arguments for call in public]), *BOTH) == []
    uploads = [call.arguments for call in lived.slack.calls_of("files.completeUploadExternal")]
    assert uploads
    assert all(str(each["channel_id"]).startswith("D") for each in uploads)


async def test_a_shared_channel_hears_no_figure(lived):
    said = [
        seen
        for user in (ANA.user, BEN.user, "U5AWAY")
        for seen in lived.slack.answers_to(user)
        if seen.channel == SHARED
    ]
    assert said
    assert not [seen.text for seen in said if re.search(r"\d", seen.text)]


async def test_ids_and_notes_under_the_surface_hold_no_figures(lived):
    calls = [call.arguments for call in lived.slack.calls]
    names = ("metadata", "private_metadata", "block_id", "action_id", "callback_id", "filename", "external_id")
    assert found("\n".join(strings_under(calls, *names)), *BOTH) == []
    values = "\n".join(values_of_buttons(calls))
    assert "1" in values.splitlines(), "the number of what a button offers"
    assert "September" not in values
    assert found(values, *BOTH) == []


async def test_the_log_says_nothing_of_it(lived):
    assert "event=turn" in lived.bot.log
    assert found(lived.bot.log, *BOTH) == []


async def test_once_everything_is_forgotten_no_byte_of_it_is_left(lived):
    bot = lived.bot
    assert _kept(bot), "before that, it is there"
    for person in BOTH:
        asked = await lived.say(person.user, "forget everything")
        await lived.press(person.user, asked, "Delete everything")
    assert _kept(bot) == []
    assert await bot.stop() == 0
    assert _kept(bot) == []
    assert "Traceback" not in bot.log


def _kept(bot: BotProcess) -> list[tuple[str, str]]:
    """The canaries in what the bot keeps."""
    return bot.keeps(
        canary for person in BOTH for canary in (person.shop.casefold(), person.file, *person.amounts, *_cents(person))
    )


def _cents(person: Household) -> list[str]:
    return [amount.replace(".", "") for amount in person.amounts]
