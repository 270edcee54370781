"""How soon Slack's events are acknowledged and answered, by the running bot beside our Slack; run by ``make bench``."""

from __future__ import annotations

import asyncio
import statistics
from typing import TYPE_CHECKING

import pytest

from tests.support.bank_files import american_lines, mint_csv
from tests.support.slack.bot import BotProcess
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from tests.support.slack_server import Sent

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
    """A Slack of twenty people with two years of transactions each, and the bot that serves them."""

    def __init__(self, runner: asyncio.Runner, directory: Path) -> None:
        self.runner = runner
        self.slack = SlackServer()
        self.bot = BotProcess(self.slack, directory / "data")
        self.people = [f"U{number:03}BENCH" for number in range(PEOPLE)]
        self.acks: list[float] = []
        self.answers: list[float] = []

    async def open(self) -> None:
        await self.slack.__aenter__()
        await self.bot.start()
        data = mint_csv(american_lines())
        for user in self.people:
            self.slack.add_member(user)
            await self.bot.give(user, "mint.csv", data)
        for user in self.people:  # so that everybody's transactions are indexed, and Slack's word on them is known
            await self._answer(user, await self.slack.say(user, "Find coffee"))

    async def close(self) -> None:
        await self.bot.kill()
        await self.slack.__aexit__(None, None, None)

    async def ask(self, events: int) -> None:
        """Let so many events come at once, each in a thread of its own, and wait for all answers."""
        asked = [(self.people[number % PEOPLE], QUESTIONS[number % len(QUESTIONS)]) for number in range(events)]
        sent = [(user, await self.slack.say(user, text)) for user, text in asked]
        for user, each in sent:
            await self._answer(user, each)
            self.acks.append(await each.acknowledged(60))
        # When a post reaches Slack; the first of a thread, for that is the answer.
        posted = {
            str(call.arguments["thread_ts"]): call.at for call in reversed(self.slack.calls_of("chat.postMessage"))
        }
        self.answers += [posted[each.ts] - each.delivered_at for _, each in sent]
        self.slack.calls.clear()

    async def _answer(self, user: str, sent: Sent) -> None:
        threads = self.slack.workspace.channels[self.slack.workspace.members[user].dm].threads
        await self.slack.until(lambda: threads.get(sent.ts), 120)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with asyncio.Runner() as runner:
        bench = Bench(runner, tmp_path)
        runner.run(bench.open())
        yield bench
        runner.run(bench.close())


@pytest.mark.parametrize(("events", "rounds"), [(1, 100), (50, 8), (200, 3)])
def test_events_at_once(benchmark: BenchmarkFixture, bench: Bench, events: int, rounds: int) -> None:
    benchmark.pedantic(lambda: bench.runner.run(bench.ask(events)), rounds=rounds)
    told = []
    for name, seconds in (("ack", bench.acks), ("answer", bench.answers)):
        cuts = statistics.quantiles(seconds, n=100, method="inclusive")
        for quantile in (50, 99):
            benchmark.extra_info[f"{name}_p{quantile}_ms"] = round(cuts[quantile - 1] * 1000)
            told.append(f"{name} p{quantile} {cuts[quantile - 1] * 1000:.0f} ms")
    print(f"\n{events} at once: {', '.join(told)}")
