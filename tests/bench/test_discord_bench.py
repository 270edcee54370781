"""How soon Discord's interactions are deferred and answered, by the running bot beside our Discord; run by ``make bench``."""

from __future__ import annotations

import asyncio
import statistics
from typing import TYPE_CHECKING

import pytest

from tests.support.bank_files import american_lines, mint_csv
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_fake.talk import greeted, said_to
from tests.support.discord_server import DiscordServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from tests.support.discord_server import Sent

#: aiohttp warns of itself where a form's part ends between two chunks, and our Discord would answer a chart with 500.
pytestmark = pytest.mark.filterwarnings("ignore:unread_data:DeprecationWarning")

#: As many as stay below the limit per person and minute in the fullest round.
PEOPLE = 20
QUESTIONS = (
    "How much did I spend on groceries in October?",
    "What was my biggest purchase last month?",
    "How much did I spend at Costco this year?",
    "Give me a summary of last month",
    "Which merchants cost me the most this year?",
)


class Bench:
    """A Discord of twenty people with two years of transactions each, and the bot that serves them."""

    def __init__(self, runner: asyncio.Runner, directory: Path) -> None:
        self.runner = runner
        self.discord = DiscordServer()
        self.bot = DiscordBot(self.discord, directory / "data")
        self.people = [f"bench{number}" for number in range(PEOPLE)]
        self.places: list[str] = []
        self.seconds: dict[str, list[float]] = {"defer": [], "answer": []}

    async def open(self) -> None:
        await self.discord.__aenter__()
        await self.bot.start()
        await self.discord.until(lambda: self.discord.commands.get(None))
        data = mint_csv(american_lines())
        for user in self.people:
            person = self.discord.add_user(user).id
            await self.bot.give(person, "mint.csv", data)
            await greeted(self.bot, person)
        for user in self.people:  # so that everybody's transactions are indexed
            await self._answered([await self._ask(user, "Find coffee")])
        self.discord.calls.clear()

    async def close(self) -> None:
        await self.bot.kill()
        await self.discord.__aexit__(None, None, None)

    async def ask(self, commands: int) -> None:
        """Let so many commands come at once, each in a thread of its own, and wait for all answers."""
        while len(self.places) < commands:
            user = self.people[len(self.places) % PEOPLE]
            self.places.append((await self.discord.start_thread(user, "bench")).id)
        asked = [
            await self._ask(self.people[number % PEOPLE], QUESTIONS[number % len(QUESTIONS)], self.places[number])
            for number in range(commands)
        ]
        self.seconds["defer"] += [await each.acknowledged(60) for each in asked]
        await self._answered(asked)
        edited = {call.path.split("/")[3]: call.at for call in reversed(self.discord.calls_of("PATCH /webhooks/*"))}
        self.seconds["answer"] += [edited[each.payload["token"]] - each.delivered_at for each in asked]
        self.discord.calls.clear()
        self.discord.interactions.clear()

    async def _ask(self, user: str, text: str, place: str | None = None) -> Sent:
        return await self.discord.command(user, "money ask", {"question": text}, place)

    async def _answered(self, asked: list[Sent]) -> None:
        await self.discord.until(lambda: all(said_to(self.discord, each) for each in asked), 120)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with asyncio.Runner() as runner:
        bench = Bench(runner, tmp_path)
        runner.run(bench.open())
        yield bench
        runner.run(bench.close())


@pytest.mark.parametrize(("commands", "rounds"), [(1, 100), (50, 8), (200, 3)])
def test_commands_at_once(benchmark: BenchmarkFixture, bench: Bench, commands: int, rounds: int) -> None:
    benchmark.pedantic(lambda: bench.runner.run(bench.ask(commands)), rounds=rounds)
    told = []
    for name, seconds in bench.seconds.items():
        cuts = statistics.quantiles(seconds, n=100, method="inclusive")
        for quantile in (50, 99):
            figure = benchmark.extra_info[f"{name}_p{quantile}_ms"] = round(cuts[quantile - 1] * 1000)
            told.append(f"{name} p{quantile} {figure} ms")
    print(f"\n{commands} at once: {', '.join(told)}")
