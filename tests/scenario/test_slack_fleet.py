"""Several processes on one PostgreSQL: what one takes in another answers, once and in order, whichever of them die."""

from __future__ import annotations

import asyncio
import os
import random
import time
import uuid
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import pytest
import sqlalchemy as sa

from bots import fixed_replies
from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.conftest import POSTGRES, _administer
from tests.support.slack.bot import BotProcess
from tests.support.slack.delivery import NotAcknowledged
from tests.support.slack.fleet import Fleet
from tests.support.slack.talk import answer, answered, groceries, headline, headlines, question, said_twice
from tests.support.slack_server import SlackServer

pytestmark = pytest.mark.timeout(400)


@pytest.fixture
async def fleet(tmp_path):
    """No process yet, on a database of its own: what is killed leaves nothing to other tests."""
    server = os.environ.get(POSTGRES)
    if not server:
        pytest.skip(f"{POSTGRES} names no server")
    name, admin = f"money_minder_{uuid.uuid4().hex[:12]}", sa.make_url(server)
    await _administer(admin, f"CREATE DATABASE {name}")
    try:
        url = admin.set(database=name).render_as_string(hide_password=False)
        async with SlackServer() as slack, Fleet(slack, url, tmp_path) as fleet:
            yield fleet
    finally:
        await _administer(admin, f"DROP DATABASE {name} WITH (FORCE)")


def spent(person: int) -> dict[int, str]:
    """What one of them spent in each month: no two figures of anybody are the same."""
    return {month: f"{100 + person}.{month:02}" for month in range(1, 12)}


#: How many people ask how many questions a second for so many seconds; nobody more than one in three seconds.
_CROWD, _RATE, _STORM, _LONGEST = 600, 200.0, 300.0, 3000.0
BUSY = str(fixed_replies.BUSY.headline)
#: How many questions a person asks before the first of them is answered.
_AHEAD = 4


class Talker:
    """Asks one question after the other in one thread, each as soon as the last was taken in."""

    def __init__(self, fleet: Fleet, number: int) -> None:
        self.slack, self.number, self.user = fleet.slack, number, f"U{number}FLEET"
        self.asked: list[int] = []
        self.root = None
        self.acknowledgements: list[float] = []

    async def talk(self, goes_on: Callable[[], bool], pause: float) -> None:
        """Ask for as long as it goes on, never more than a few questions ahead of the answers."""
        while goes_on():
            await self.ask(len(self.asked) % 11 + 1)
            await asyncio.sleep(pause)
            await self.slack.until(lambda: len(self.told) > len(self.asked) - _AHEAD or not goes_on(), 600)

    async def ask(self, month: int) -> None:
        thread = {} if self.root is None else {"thread_ts": self.root.ts}
        began = time.monotonic()
        sent = await self.slack.say(self.user, question(month), **thread)
        self.root = self.root or sent
        self.asked.append(month)
        while not sent.is_acknowledged:
            with suppress(NotAcknowledged):
                await sent.acknowledged(3)
                break
            await self.slack.redeliver(sent)
        self.acknowledgements.append(sent.acked_at - began)

    @property
    def expected(self) -> list[str]:
        return [answer(month, spent(self.number)[month]) for month in self.asked]

    @property
    def told(self) -> list[str]:
        return headlines(self.slack, self.user, self.root)


async def people_of(fleet: Fleet, count: int) -> list[Talker]:
    talkers = [Talker(fleet, number) for number in range(count)]
    for talker in talkers:
        fleet.slack.add_member(talker.user)
        await fleet.processes[0].give(talker.user, "bank.csv", groceries(spent(talker.number)))
    return talkers


async def kill_at_random(fleet: Fleet, process: BotProcess, ends: float, every: float, chance: random.Random) -> int:
    """Kill a process again and again, and start it at once; return how often."""
    killed = 0
    await asyncio.sleep(chance.uniform(0, 2 * every))
    while time.monotonic() < ends:
        await process.kill()
        killed += 1
        await fleet.start(process)
        await asyncio.sleep(chance.uniform(0, 2 * every))
    return killed


async def storm(fleet: Fleet, talkers: list[Talker], seconds: float, every: float) -> tuple[int, int]:
    """Let everybody talk while each process is killed every so often; return how many questions and kills that were."""
    ends = time.monotonic() + seconds
    chances = [random.Random(number) for number, _ in enumerate(fleet.processes)]
    killing = (
        kill_at_random(fleet, each, ends, every, chance) for each, chance in zip(fleet.processes, chances, strict=True)
    )
    killed = asyncio.gather(*killing)
    await asyncio.gather(*(talker.talk(lambda: time.monotonic() < ends, 0.2) for talker in talkers))
    kills = sum(await killed)
    await all_told_once(fleet, talkers)
    return sum(len(talker.asked) for talker in talkers), kills


async def all_told_once(fleet: Fleet, talkers: list[Talker]) -> None:
    """Wait until every question is answered; each must be so once, and in the order in which it was asked."""
    asked = sum(len(talker.asked) for talker in talkers)
    with suppress(AssertionError):  # those below say more
        await fleet.slack.until(lambda: sum(len(talker.told) for talker in talkers) >= asked, 200)
    for talker in talkers:
        assert talker.told == talker.expected, "\n".join(process.log for process in fleet.processes)
        assert said_twice(fleet.slack, talker.user) == []


async def test_one_takes_in_and_others_answer(fleet):
    await fleet.add("ingress")
    await fleet.add("worker")
    await fleet.add("worker")
    talkers = await people_of(fleet, 4)
    for month in (10, 9, 8):
        await asyncio.gather(*(talker.ask(month) for talker in talkers))
    for talker in talkers:
        assert await answered(fleet.slack, talker.user, talker.root, 3) == talker.expected


async def test_whichever_is_killed_nothing_is_lost_or_said_twice(fleet):
    for role in ("ingress", "ingress", "worker", "worker"):
        await fleet.add(role)
    talkers = await people_of(fleet, 4)
    asked, killed = await storm(fleet, talkers, seconds=15, every=4.0)
    print(f"\n{asked} questions, {killed} kills")
    assert killed > 2


@pytest.mark.soak
async def test_a_rolling_restart_is_noticed_by_nobody(fleet):
    """Each process is told to end, and begins again, while the others go on and people ask."""
    for role in ("ingress", "ingress", "worker", "worker"):
        await fleet.add(role)
    talkers = await people_of(fleet, 4)
    codes: list[int] = []

    async def restart_each() -> None:
        for process in fleet.processes:
            codes.append(await process.stop())
            await fleet.start(process)

    restarting = asyncio.create_task(restart_each())
    # No faster than anybody may ask, however fast the machine is.
    await asyncio.gather(*(talker.talk(lambda: not restarting.done(), 0.8) for talker in talkers))
    await restarting
    await all_told_once(fleet, talkers)
    slowest = max(max(talker.acknowledgements) for talker in talkers)
    print(
        f"\n{sum(len(talker.asked) for talker in talkers)} questions; the slowest acknowledgement took {slowest:.2f} s"
    )
    assert codes == [0] * 4


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_minutes_of_kills(fleet):
    for role in ("ingress", "ingress", "worker", "worker", "worker"):
        await fleet.add(role)
    talkers = await people_of(fleet, 8)
    asked, killed = await storm(fleet, talkers, seconds=180, every=15.0)
    slowest = max(max(talker.acknowledgements) for talker in talkers)
    print(f"\n{asked} questions, {killed} kills; the slowest acknowledgement took {slowest:.2f} s")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "workers", [0, 1, 2, 4, 8], ids=lambda count: f"{count} workers" if count else "one process alone"
)
async def test_what_a_question_costs(fleet, workers):
    """Measured for docs/scale.md; nothing here is a bar."""
    await fleet.add("ingress" if workers else "all")
    for _ in range(workers):
        await fleet.add("worker")
    talkers = await people_of(fleet, 20)
    for talker in talkers:
        await talker.ask(11)  # whatever is loaded by the first question, and a thread to go on in
    await all_answered(fleet, talkers)
    before, began = cpu_seconds(fleet), time.monotonic()
    for number in range(10):
        await asyncio.gather(*(talker.ask(number % 11 + 1) for talker in talkers))
    taken_in = time.monotonic() - began
    await all_answered(fleet, talkers)
    seconds, asked = time.monotonic() - began, 10 * len(talkers)
    after = cpu_seconds(fleet)
    spent = {name: 1000 * (after[name] - before[name]) / asked for name in after}
    acknowledged = sorted(time for talker in talkers for time in talker.acknowledgements[1:])
    print(
        f"\n{workers} workers: {asked} questions taken in within {taken_in:.1f} s and answered within {seconds:.1f} s, "
        f"{asked / seconds:.1f} a second; acknowledged after {acknowledged[asked // 2] * 1000:.0f} ms, "
        f"p99 {acknowledged[asked * 99 // 100] * 1000:.0f} ms; CPU ms a question: "
        + ", ".join(f"{name} {spent[name]:.1f}" for name in sorted(spent))
        + f"; load {os.getloadavg()[0]:.1f}"
    )
    for talker in talkers:
        assert talker.told == talker.expected


@pytest.mark.soak
@pytest.mark.timeout(3600)
async def test_two_hundred_a_second_for_five_minutes(fleet):
    """More than this machine answers: what finds no room is told so, and all else holds; kills of everything, backends included."""
    for role in ("ingress", "ingress", "worker", "worker"):
        await fleet.add(role)
    talkers = await crowd_of(fleet, _CROWD)
    await asyncio.gather(*(talker.ask(11) for talker in talkers[:20]))
    await all_answered(fleet, talkers[:20])
    ends = time.monotonic() + _STORM
    chances = [random.Random(number) for number, _ in enumerate(fleet.processes)]
    killing = asyncio.gather(
        *(
            kill_at_random(fleet, each, ends, 20.0, chance)
            for each, chance in zip(fleet.processes, chances, strict=True)
        ),
        terminate_at_random(fleet, ends, 2.0, random.Random(99)),
    )
    began = time.monotonic()
    await pour(talkers, ends, _RATE)
    poured = time.monotonic() - began
    *killed, terminated = await killing
    asked = sum(len(talker.asked) for talker in talkers)
    waiting = asked - replied(fleet)
    while replied(fleet) < asked and time.monotonic() - ends < _LONGEST:
        await asyncio.sleep(2)
    drained = time.monotonic() - began - poured
    told = headlines_by_person(fleet)
    busy = sum(line == BUSY for lines in told.values() for line in lines)
    times = sorted(time for talker in talkers for time in talker.acknowledgements)
    print(
        f"\n{asked} questions within {poured:.0f} s, {asked / poured:.0f} a second; {sum(killed)} processes killed and "
        f"{terminated} backends terminated; acknowledged after {times[asked // 2] * 1000:.0f} ms, "
        f"p99 {times[asked * 99 // 100] * 1000:.0f} ms, at most {times[-1]:.1f} s; {waiting} waited in the end, "
        f"{drained:.0f} s long; {busy} found no room; load {os.getloadavg()[0]:.1f}"
    )
    for talker in talkers:
        lines = told.get(talker.user, [])
        assert [
            due if line == BUSY else line for line, due in zip(lines, talker.expected, strict=True)
        ] == talker.expected


async def crowd_of(fleet: Fleet, count: int) -> list[Talker]:
    """Return very many people, whose files one process imports."""
    talkers = [Talker(fleet, number) for number in range(count)]
    store = await Store.open(fleet.url)
    for talker in talkers:
        fleet.slack.add_member(talker.user)
        repository = await store.repository(fleet.processes[0].person(talker.user))
        await import_files(repository, [SourceFile("bank.csv", groceries(spent(talker.number)))])
    await store.close()
    return talkers


async def pour(talkers: list[Talker], ends: float, rate: float) -> None:
    """Let so many questions a second come, each from somebody whose last one was acknowledged."""
    idle, asking = deque(talkers), set()

    async def ask(talker: Talker) -> None:
        await talker.ask(len(talker.asked) % 11 + 1)
        idle.append(talker)

    due = time.monotonic()
    while time.monotonic() < ends:
        while idle and due <= time.monotonic():
            task = asyncio.create_task(ask(idle.popleft()))
            asking.add(task)
            task.add_done_callback(asking.discard)
            due += 1 / rate
        await asyncio.sleep(0.002)
    await asyncio.gather(*asking)


async def terminate_at_random(fleet: Fleet, ends: float, every: float, chance: random.Random) -> int:
    """End one of the database's connections again and again; return how often."""
    url = sa.make_url(fleet.url)
    ended = 0
    while time.monotonic() < ends:
        await asyncio.sleep(chance.uniform(0, 2 * every))
        await _administer(
            url.set(database="postgres"),
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            f"WHERE datname = '{url.database}' ORDER BY random() LIMIT 1",
        )
        ended += 1
    return ended


def headlines_by_person(fleet: Fleet) -> dict[str, list[str]]:
    """What the bot said in everybody's thread, by who reads it."""
    home = {member.dm: user for user, member in fleet.slack.workspace.members.items()}
    told: dict[str, list[str]] = {}
    for post in fleet.slack.workspace.posts:
        if post.bot and post.thread_ts and post.channel in home and not post.deleted and not post.seen().tasks:
            told.setdefault(home[post.channel], []).append(headline(post.seen()))
    return told


def replied(fleet: Fleet) -> int:
    return sum(len(lines) for lines in headlines_by_person(fleet).values())


async def all_answered(fleet: Fleet, talkers: list[Talker]) -> None:
    asked = sum(len(talker.asked) for talker in talkers)
    await fleet.slack.until(lambda: sum(len(talker.told) for talker in talkers) >= asked, 900)


def cpu_seconds(fleet: Fleet) -> dict[str, float]:
    """What the processes have computed since they began, by role."""
    used = {"ingress": fleet.ingress, "workers": fleet.workers}
    return {role: sum(process.cpu_seconds for process in processes) for role, processes in used.items() if processes}
