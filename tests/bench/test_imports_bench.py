"""How fast and how large imports are, and how soon others are acknowledged while they run; run by ``make bench``.

PostgreSQL is measured where MONEY_MINDER_TEST_POSTGRES names a server.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from ledger.imports import import_files
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.support.bank_files import Line, american_lines, many_lines, mint_csv
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_server import DiscordServer
from tests.support.slack.bot import COMMAND, BotProcess
from tests.support.slack_server import SlackServer

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

#: aiohttp warns of itself where a form's part ends between two chunks.
pytestmark = pytest.mark.filterwarnings("ignore:unread_data:DeprecationWarning")

IMPORTERS, ROWS, MANY_ROWS = 3, 19_900, 200_000
ASKERS = 10
#: Seconds between two questions: ten people are far below what one of them may ask in a minute.
EVERY = 0.25

#: What a process used at most, in kB, told by itself at its end.
PEAK = """
import os, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
sys.stdout.buffer.write(done.stdout)
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(done.returncode)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> dict[str, str]:
    """What names the database in an environment."""
    if request.param == "sqlite":
        return {}
    return {"MONEY_MINDER_DATABASE_URL": request.getfixturevalue("postgres_url")}


def command(data_dir: Path, database: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "MONEY_MINDER_DATA_DIR": str(data_dir), "MONEY_MINDER_MODEL": "builtin", **database}


def short_csv(lines: list[Line]) -> bytes:
    """A million rows in less than the 64 MB that a file may have."""
    rows = (f"{line.day},{line.descriptor},{line.amount},{line.category}" for line in lines)
    return "\n".join(("Date,Description,Amount (USD),Category", *rows)).encode()


@pytest.mark.parametrize("rows", [200_000, 1_000_000])
def test_import_by_the_command(
    benchmark: BenchmarkFixture, tmp_path: Path, database: dict[str, str], rows: int
) -> None:
    file = tmp_path / "bank.csv"
    file.write_bytes(short_csv(many_lines(rows)))
    told: dict[str, Any] = {}

    def work() -> None:
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", PEAK, str(COMMAND), "import", str(file), "--user", f"bench{rows}", "--json"],
            env=command(tmp_path / "data", database), capture_output=True, check=True,
        )  # fmt: skip
        assert json.loads(done.stdout)["files"][0]["added"] >= rows
        told.update(rows_per_second=round(rows / (time.monotonic() - began)), peak_mb=int(done.stderr) // 1024)

    benchmark.pedantic(work, rounds=1)
    benchmark.extra_info.update(told)
    print(f"\n{rows:,} rows: {told['rows_per_second']:,} rows/s, at most {told['peak_mb']} MB")


class House:
    """A platform of ours and its bot, and what happens there."""

    server: Any
    bot: BotProcess

    def __init__(self) -> None:
        self.acknowledged: list[float] = []

    async def __aenter__(self) -> Self:
        await self.server.__aenter__()
        await self.bot.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.bot.kill()
        await self.server.__aexit__(None, None, None)

    def person(self, name: str) -> str:
        """Make someone; return the id."""
        raise NotImplementedError

    def buttons(self, seen: Any) -> list[str]:
        """What can be pressed below an answer."""
        raise NotImplementedError

    async def question(self, user: str, text: str) -> Any:
        """Ask in the way that the platform wants acknowledged or deferred at once."""
        raise NotImplementedError

    async def give(self, user: str, data: bytes) -> None:
        store = await Store.open(
            self.bot.settings.get("MONEY_MINDER_DATABASE_URL") or self.bot.data_dir / "money.sqlite3"
        )
        await import_files(await store.repository(self.bot.person(user)), [SourceFile("mint.csv", data)])
        await store.close()

    async def bring(self, user: str, data: bytes) -> None:
        """Drop a file and press Import once it is shown."""
        before = len(self.server.answers_to(user))
        await self.server.say(user, "", files=[("bank.csv", data)])
        shown = await self._shown(user, before, "Import")
        await self.server.press(user, shown, "Import")
        await self._shown(user, before, "Undo")

    async def _shown(self, user: str, before: int, button: str) -> Any:
        def found() -> Any:
            new = self.server.answers_to(user)[before:]
            return next((seen for seen in new if button in self.buttons(seen)), None)

        return await self.server.until(found, 600)

    async def ask(self, user: str) -> None:
        sent = await self.question(user, "How much did I spend on groceries in October?")
        self.acknowledged.append(await sent.acknowledged(60))


class Slack(House):
    def __init__(self, directory: Path, database: dict[str, str]) -> None:
        super().__init__()
        self.server = SlackServer()
        self.bot = BotProcess(self.server, directory / "data", database)

    def person(self, name: str) -> str:
        self.server.add_member(f"U{name.upper()}")
        return f"U{name.upper()}"

    def buttons(self, seen: Any) -> list[str]:
        return list(seen.labels)

    async def question(self, user: str, text: str) -> Any:
        return await self.server.say(user, text)


class Discord(House):
    def __init__(self, directory: Path, database: dict[str, str]) -> None:
        super().__init__()
        self.server = DiscordServer()
        self.bot = DiscordBot(self.server, directory / "data", database)

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        await self.server.until(lambda: self.server.commands.get(None))
        return self

    def person(self, name: str) -> str:
        return str(self.server.add_user(name).id)

    def buttons(self, seen: Any) -> list[str]:
        return [button.label for button in seen.buttons]

    async def question(self, user: str, text: str) -> Any:
        return await self.server.command(user, "money ask", {"question": text}, "general")


async def acknowledge_during(house: House, tmp_path: Path, database: dict[str, str]) -> None:
    """Ask all the time while three files come in by chat and a large one by the command."""
    household = mint_csv(american_lines())
    askers = [house.person(f"asker{number}") for number in range(ASKERS)]
    for user in askers:
        await house.give(user, household)
    importers = [house.person(f"importer{number}") for number in range(IMPORTERS)]
    data = mint_csv(many_lines(ROWS))
    file = tmp_path / "large.csv"
    file.write_bytes(mint_csv(many_lines(MANY_ROWS)))
    for user in askers:
        await house.ask(user)
    house.acknowledged.clear()
    large = await asyncio.create_subprocess_exec(
        COMMAND, "import", str(file), "--user", "large", "--json", env=command(house.bot.data_dir, database),
        stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    work = [asyncio.create_task(house.bring(user, data)) for user in importers]
    work.append(asyncio.create_task(large.wait()))  # type: ignore[arg-type]
    asked: list[asyncio.Task[None]] = []
    while not all(task.done() for task in work):
        asked.append(asyncio.create_task(house.ask(askers[len(asked) % ASKERS])))
        await asyncio.sleep(EVERY)
    await asyncio.gather(*work, *asked)
    assert large.returncode == 0


@pytest.mark.parametrize("platform", [Slack, Discord])
def test_acknowledging_while_imports_run(
    benchmark: BenchmarkFixture, tmp_path: Path, database: dict[str, str], platform: type[Slack | Discord]
) -> None:
    told: dict[str, float] = {}

    async def go() -> None:
        async with platform(tmp_path, database) as house:
            await acknowledge_during(house, tmp_path, database)
            cuts = statistics.quantiles(house.acknowledged, n=100, method="inclusive")
            told.update(n=len(house.acknowledged), p50=cuts[49], p99=cuts[98], most=max(house.acknowledged))

    benchmark.pedantic(lambda: asyncio.run(go()), rounds=1)
    benchmark.extra_info.update(told, load=os.getloadavg()[0])
    seconds = ", ".join(f"{name} {told[name] * 1000:.0f} ms" for name in ("p50", "p99", "most"))
    load = f"load {os.getloadavg()[0]:.0f}"
    print(f"\nacknowledged in {platform.__name__} while imports run: {seconds} ({told['n']} events, {load})")
