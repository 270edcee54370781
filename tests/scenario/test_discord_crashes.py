"""The running bot, killed as by a power cut at every point of a turn: what was said to it is answered once afterwards.

Each start goes on with the session of the process before, as long as Discord has it: what that one had not stored, and what
came while none ran, is told again. A command is lost that nobody acknowledged in its three seconds; its asker sees that.
"""

from __future__ import annotations

import asyncio
import random
import signal
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from ledger.batches import recent_batches
from ledger.store import Store
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.talk import WELCOME, Talk, answered, answers, headlines, said_to, said_twice
from tests.support.discord_server import DiscordServer
from tests.support.slack.talk import MONTHS, answer, groceries, headline, question

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.discord_server import Call, Seen, Sent

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(400)]

SPENT = {month: f"{100 + month}.{month:02}" for month in range(1, 12)}
OCTOBER, SEPTEMBER = answer(10, SPENT[10]), answer(9, SPENT[9])
CHANNEL = "general"
CALLBACK, EDIT, FURTHER = "POST /interactions/*", "PATCH /webhooks/*", "POST /webhooks/*"
ACKNOWLEDGED, UNKNOWN = 40060, 10062
IMPORTED = "Imported 1 transaction, 5 Oct 2026"


class House(Talk):
    """One Discord and one bot, killed and started again."""

    def lose(self, pattern: str, user: str, *, after_effect: bool = False) -> None:
        """Let someone's calls end without an answer as long as this process lives."""
        self.discord.fail(pattern, drop=True, times=999, after_effect=after_effect, where=self.of(user))

    def lose_later_posts(self, user: str, *, after_effect: bool) -> None:
        """Let all posts in someone's direct messages but the first end without an answer."""
        pattern = self.posts(user)
        later = lambda _: len(self.discord.calls_of(pattern)) > 1  # noqa: E731
        self.discord.fail(pattern, drop=True, times=999, after_effect=after_effect, where=later)

    def of(self, user: str) -> Callable[[Call], bool]:
        """A condition: the call answers this person's interaction, or is made in their direct messages."""

        def mine(call: Call) -> bool:
            asked = (each for each in self.discord.interactions.values() if each.token in call.path)
            return next((each.user == user for each in asked), f"/{self.discord.dm(user)}/" in call.path)

        return mine

    def kill_at(self, pattern: str, user: str, *, after_effect: bool) -> None:
        """Kill the bot at the moment at which such a call reaches Discord; its answer never arrives."""

        def reached(call: Call) -> bool:
            mine = self.of(user)(call)
            if mine:
                self.bot.signal(signal.SIGKILL)
            return mine

        self.discord.fail(pattern, drop=True, after_effect=after_effect, where=reached)

    def codes(self, sent: Sent) -> list[int | None]:
        """What Discord said to the calls that acknowledged an interaction: None where it took one."""
        return [call.code for call in self.discord.calls_of(f"POST /interactions/{sent.payload['id']}/*")]

    async def restart(self) -> None:
        await self.bot.kill()
        self.discord.behave()
        await self.bot.start()

    async def preview(self, user: str) -> Seen:
        await self.discord.say(user, "", files=[("statement.csv", groceries({10: "33.33"}))])
        await self.discord.until(lambda: any(seen.buttons for seen in answers(self.discord, user)))
        return next(seen for seen in answers(self.discord, user) if "Import" in {each.label for each in seen.buttons})

    async def imports(self, user: str) -> int:
        """How many imports a person can take back."""
        store = await Store.open(self.bot.data_dir / "money.sqlite3")
        found = await recent_batches(await store.repository(self.bot.person(user)), 9)
        await store.close()
        return len(found)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def house(tmp_path_factory):
    async with DiscordServer() as discord, DiscordBot(discord, tmp_path_factory.mktemp("crashes") / "data") as bot:
        await discord.until(lambda: discord.commands.get(None))
        yield House(discord, bot, SPENT)


async def test_what_a_kill_interrupts_is_answered_once(house):
    """Everybody's turn is at another point when the process dies."""
    discord, bot = house.discord, house.bot
    lost, arrived, ordered, edited = [await house.member() for _ in range(4)]
    import_lost, import_arrived = await house.member(empty=True), await house.member(empty=True)
    previews = {user: await house.preview(user) for user in (import_lost, import_arrived)}
    before = {user: len(answers(discord, user)) for user in previews}

    # the reply is written down, and did not arrive, or did without the bot's knowing
    for user in (lost, ordered, import_lost):
        house.lose("POST /channels/*", user)
        house.lose(EDIT, user)
    for user in (arrived, edited, import_arrived):
        house.lose("GET /channels/*/messages", user)
        house.lose("POST /channels/*", user, after_effect=True)
        house.lose(EDIT, user, after_effect=True)
    for user in (lost, arrived):
        await discord.say(user, question(10))
    asked = {user: await house.ask(user) for user in (ordered, edited)}
    presses = {user: await discord.press(user, seen, "Import") for user, seen in previews.items()}
    people = (lost, arrived, ordered, edited, import_lost, import_arrived)

    def cut(user: str) -> bool:
        pattern = house.posts(user) if user in (lost, arrived) else EDIT
        return any(house.of(user)(call) for call in discord.calls_of(pattern))

    await discord.until(lambda: all(map(cut, people)))
    await house.restart()

    for user in (lost, arrived):
        assert await answered(discord, user) == [OCTOBER]
    for user, sent in asked.items():
        assert await house.told(sent) == [OCTOBER]
        assert headlines(discord, user) == []
    for user, press in presses.items():
        assert await house.told(press) == [IMPORTED]
        assert await house.imports(user) == 1
    for user in people:
        stands = len(discord.answers_to(user))
        await discord.say(user, question(9))
        await discord.until(lambda count=stands, who=user: len(discord.answers_to(who)) > count)
        assert len(discord.answers_to(user)) == stands + 1
        assert said_twice(discord, user) == []
    assert [len(answers(discord, user)) for user in previews] == [before[user] + 2 for user in previews]
    assert "Traceback" not in bot.log


async def test_a_kill_between_the_parts_of_an_answer(house):
    """In direct messages each part stands there once, whether the last one had arrived or not."""
    discord = house.discord
    lost, arrived = [await house.member() for _ in range(2)]
    house.lose("GET /channels/*/messages", arrived)
    for user in (lost, arrived):
        house.lose_later_posts(user, after_effect=user == arrived)
        await discord.say(user, "", files=STATEMENTS)
    await discord.until(lambda: all(len(discord.calls_of(house.posts(user))) > 1 for user in (lost, arrived)))
    await discord.until(lambda: len(answers(discord, arrived)) > 1)
    assert len(answers(discord, lost)) == 1
    await house.restart()
    for user in (lost, arrived):
        await answered(discord, user, 2)
        await discord.say(user, question(9))
        await answered(discord, user, 3)
        first, second, other = answers(discord, user)
        assert headline(first) == "10 new transactions in 10 files"
        assert [each.label for each in first.buttons] == []
        assert [each.label for each in second.buttons][:2] == ["Import", "Cancel"]
        assert headline(other) == SEPTEMBER
    assert [seen.text for seen in answers(discord, lost)] == [seen.text for seen in answers(discord, arrived)]


#: Names whose every sign takes another one in front, so that what is said of the files is longer than a message.
STATEMENTS = [
    (f"{number}{'_*' * 45}.csv", groceries({10: f"{number}.77"}, f"Shop {number}")) for number in range(1, 11)
]


async def test_an_import_is_done_once_when_the_kill_comes_with_the_press(house):
    """Between the press and its reply, at whatever point of the import that is."""
    discord = house.discord
    people = [await house.member(empty=True) for _ in range(3)]
    previews = [await house.preview(user) for user in people]
    before = [len(answers(discord, user)) for user in people]
    presses = [await discord.press(user, seen, "Import") for user, seen in zip(people, previews, strict=True)]
    await presses[-1].acknowledged()
    house.bot.signal(signal.SIGKILL)
    await house.restart()
    for user, press, seen in zip(people, presses, previews, strict=True):
        await discord.until(lambda sent=press: said_to(discord, sent) or sent.failed)
        if not press.is_acknowledged:
            await house.told(await discord.press(user, seen, "Import"))
        assert await house.imports(user) == 1
        await discord.say(user, question(10))
        await discord.until(lambda who=user: headlines(discord, who)[-1] == answer(10, "33.33"))
        assert headlines(discord, user).count(IMPORTED) == 1
    assert [len(answers(discord, user)) for user in people] == [count + 2 for count in before]


async def test_eight_kills_within_one_conversation(house):
    """A message and a command a life: each is answered once, in order."""
    discord, bot = house.discord, house.bot
    user = await house.member()
    chance = random.Random(8)
    patterns = {"defer": CALLBACK, "post": house.posts(user), "edit": EDIT}
    moments = ["told", "acknowledged", *patterns, *(f"{each} done" for each in patterns)]
    chance.shuffle(moments)
    expected: list[str] = []
    commands: list[tuple[Sent, str]] = []
    for life, moment in enumerate(moments):
        months = [(life + number) % 11 + 1 for number in (0, 5)]
        expected.append(answer(months[0], SPENT[months[0]]))
        pattern = patterns.get(moment.removesuffix(" done"))
        if pattern:
            house.kill_at(pattern, user, after_effect=moment.endswith("done"))
        await discord.say(user, question(months[0]))
        command = await house.ask(user, months[1])
        commands.append((command, answer(months[1], SPENT[months[1]])))
        if moment == "acknowledged":
            await command.acknowledged()
        if pattern:
            await bot.ended()
        else:
            await asyncio.sleep(chance.uniform(0, 0.05))
        await house.restart()
        if not command.is_acknowledged:
            assert said_to(discord, command) == []
        assert await answered(discord, user, len(expected)) == expected, (life, moment)
        await discord.until(lambda sent=command: said_to(discord, sent) or sent.failed, 10)
    await discord.say(user, f"and in {MONTHS[2]}?")
    expected.append(answer(3, SPENT[3]))
    assert await answered(discord, user, len(expected)) == expected
    for command, told in commands:
        assert said_to(discord, command) == ([told] if command.is_acknowledged else [])
    assert said_twice(discord, user) == []
    shown = [headline(seen) for seen in discord.answers_to(user) if seen.ephemeral]
    assert [each for each in shown if each != WELCOME] == [
        told for command, told in commands if command.is_acknowledged
    ]


class TestSessions:
    """The next start goes on with the session, if it may."""

    async def test_a_command_that_was_deferred_and_not_stored(self, house):
        discord, user = house.discord, await house.member()
        house.kill_at(CALLBACK, user, after_effect=True)
        asked = await house.ask(user)
        await house.bot.ended()
        assert asked.is_acknowledged
        await house.restart()
        assert await house.told(asked) == [OCTOBER]
        assert house.codes(asked) == [None, ACKNOWLEDGED]
        assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]
        assert said_to(discord, asked) == [OCTOBER]
        assert headlines(discord, user) == []

    @pytest.mark.parametrize("end", ["killed", "stopped"])
    async def test_what_is_said_while_it_does_not_run(self, house, end):
        """Twice in a row, so that the session outlives more than one process."""
        discord, bot, user = house.discord, house.bot, await house.member()
        begun = len(discord.gateway.identifies)
        for number in (1, 2):
            if end == "killed":
                await bot.kill()
            else:
                assert await bot.stop() == 0
            await discord.say(user, question(10))
            await discord.say(user, "and in September?")
            await discord.mention(user, question(8), CHANNEL)
            late = await house.ask(user)
            discord.age(late, 3.0)
            await bot.start()
            expected = [OCTOBER, SEPTEMBER, answer(8, SPENT[8])] * number
            assert sorted(await answered(discord, user, 3 * number)) == sorted(expected)
            await discord.until(lambda sent=late: house.codes(sent) == [UNKNOWN])
            assert await house.told(await house.ask(user, 9)) == [SEPTEMBER]
            assert sorted(headlines(discord, user)) == sorted(expected)
            assert not late.is_acknowledged
            assert said_to(discord, late) == []
        assert len(discord.gateway.identifies) == begun
        assert said_twice(discord, user) == []

    async def test_a_session_that_discord_has_no_more(self, house):
        """Nothing is told again, and the start is none the worse for it."""
        discord, bot, user = house.discord, house.bot, await house.member()
        gateway = discord.gateway
        await bot.kill()
        begun, refused, lasts = len(gateway.identifies), gateway.invalid, gateway.lasts
        gateway.lasts = 0.0
        assert not (await discord.say(user, question(10))).delivered
        await bot.start()
        gateway.lasts = lasts
        assert (len(gateway.identifies), gateway.invalid) == (begun + 1, refused + 1)
        await discord.say(user, question(9))
        assert await answered(discord, user) == [SEPTEMBER]

    async def test_another_token_goes_on_with_none(self, tmp_path):
        async with DiscordServer() as discord, DiscordBot(discord, tmp_path / "data") as bot:
            house = House(discord, bot, SPENT)
            user = await house.member()
            await bot.stop()
            kept = (bot.data_dir / "discord-session.json").read_text()
            assert discord.gateway.token not in kept
            discord.gateway.token = bot.settings["MONEY_MINDER_DISCORD__TOKEN"] = "another.of.ours"
            await bot.start()
            assert (len(discord.gateway.identifies), discord.gateway.resumes, discord.gateway.invalid) == (2, 0, 0)
            await discord.say(user, question(10))
            assert await answered(discord, user) == [OCTOBER]


class TestStarts:
    async def test_a_second_process_says_so_and_ends(self, house):
        second = DiscordBot(house.discord, house.bot.data_dir)
        await second.start(connected=False)
        assert await second.ended() == 1
        assert second.log.strip() == "money-minder: Another process already serves from this data directory."

    async def test_a_token_that_discord_does_not_accept(self, house, tmp_path):
        bot = DiscordBot(house.discord, tmp_path / "data", {"MONEY_MINDER_DISCORD__TOKEN": "of.another.bot"})
        await bot.start(connected=False)
        assert await bot.ended() == 1
        assert bot.log.strip() == "money-minder: Discord does not accept MONEY_MINDER_DISCORD__TOKEN."

    @pytest.mark.timeout(120)
    async def test_a_token_that_is_reset_meanwhile_ends_it_with_a_code_of_its_own(self, tmp_path):
        async with DiscordServer() as discord, DiscordBot(discord, tmp_path / "data") as bot:
            await discord.until(lambda: "answers on Discord" in bot.log, 60)
            for _ in range(3):
                await discord.connected()
                await discord.drop_socket(resumable=False, code=4004)
            assert await bot.ended() == 3
            assert bot.log.count("money-minder: Discord no longer lets me in (4004).") == 1
            assert "Traceback" not in bot.log


@pytest.mark.timeout(240)
class TestEnds:
    async def test_what_is_under_way_is_finished_and_the_rest_answered_by_the_next_start(self, tmp_path):
        """Started while Discord does not answer at first, and ended by SIGTERM in the midst of work."""
        async with DiscordServer() as discord:
            discord.fail("GET /users/@me", 503)
            discord.fail("GET /users/@me", drop=True)
            async with DiscordBot(discord, tmp_path / "data") as bot:
                await discord.until(lambda: discord.commands.get(None))
                await self._end_and_start(Talk(discord, bot, SPENT))

    async def _end_and_start(self, house: Talk) -> None:
        discord, bot = house.discord, house.bot
        ana, ben, cleo = await house.member(), await house.member(), await house.member()
        discord.slow(house.posts(ana), 1.0)
        discord.slow(EDIT, 1.0)
        discord.fail(house.posts(ben), drop=True, times=99)
        for user in (ana, ben):
            await discord.say(user, question(10))
        await discord.say(ben, "and in September?")
        ordered = await house.ask(cleo)
        await ordered.acknowledged()
        await discord.until(
            lambda: discord.calls_of(EDIT) and all(discord.calls_of(house.posts(u)) for u in (ana, ben))
        )
        assert await bot.stop() == 0
        assert headlines(discord, ana) == said_to(discord, ordered) == [OCTOBER]
        assert headlines(discord, ben) == []
        discord.behave()
        await bot.start()
        assert await answered(discord, ben, 2) == [OCTOBER, SEPTEMBER]
        await discord.say(ana, "and in September?")
        assert await answered(discord, ana, 2) == [OCTOBER, SEPTEMBER]
        assert said_to(discord, ordered) == [OCTOBER]
        assert "Traceback" not in bot.log
