"""“Which merchants aren't you sure about?” from a file to the answer and back, on each surface."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.scenario.test_chat import ROOT, piped
from tests.support.discord_fake.visit import labels
from tests.support.discord_fake.visit import open_house as open_discord
from tests.support.slack.visit import open_house as open_slack

NAMES = ("PLONKERS NORD", "PLONKERS WEST", "QUORVIA OST", "QUORVIA NORD", "ZORBO")
FILE = b"Date,Description,Amount (USD)\n" + b"".join(
    b"2026-10-%02d,%s,-%d.00\n" % (day, name.encode(), 10 + day) for day, name in enumerate(NAMES, start=1)
)
ALL = "Which merchants are you not sure about?"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack(tmp_path_factory):
    async with open_slack(tmp_path_factory.mktemp("slack")) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord(tmp_path_factory):
    async with open_discord(tmp_path_factory.mktemp("discord")) as opened:
        yield opened


PUT = ("Put Plonkers Nord under Falconry", "Put Quorvia Nord under Books")


async def goes_through(ask, press, labels, shown):
    """Bring the file, file two shops, see what is guessed of two others, file these at once, and take that back."""
    await press(shown, "Import")
    unsure = await ask(ALL)
    assert unsure.text.startswith("5 merchants have no category")
    assert not any(label.startswith("File") for label in labels(unsure))
    for told in PUT:
        await press(await ask(told), "Confirm")
    guessed = await ask(ALL)
    assert guessed.text.startswith("3 merchants have no category")
    assert "2 of them have a guess" in guessed.text
    proposal = await press(guessed, "File 2 as guessed")
    assert proposal.text.startswith("File 2 merchants as I guess?")
    done = await press(proposal, "Confirm")
    assert done.text.startswith("2 merchants are under the categories guessed.")
    assert (await ask(ALL)).text.startswith("Zorbo has no category: $15.00")
    await press(done, "Undo")
    assert (await ask(ALL)).text.startswith("3 merchants have no category")


@pytest.mark.asyncio(loop_scope="module")
async def test_slack(slack):
    ana = await slack.visitor(None)
    await goes_through(ana.ask, ana.press, lambda seen: seen.labels, await ana.drop(("shops.csv", FILE)))


@pytest.mark.asyncio(loop_scope="module")
async def test_discord(discord):
    ana = await discord.visitor(None)
    await goes_through(ana.ask, ana.press, labels, await ana.ask("", files=[("shops.csv", FILE)]))


def test_console(tmp_path):
    environment = {
        "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "xterm", "PYTHONPATH": str(ROOT),
        "MONEY_MINDER_DATA_DIR": str(tmp_path / "data"), "MONEY_MINDER_MODEL": "builtin",
        "MONEY_MINDER_NOW": "2026-11-21T12:00:00+00:00",
    }  # fmt: skip
    (tmp_path / "shops.csv").write_bytes(FILE)
    said = [f"/import {tmp_path}/shops.csv", "yes", *(line for told in PUT for line in (told, "yes")), ALL]
    done = piped(environment, "\n".join([*said, "file them as guessed", "yes", ALL, ""]))
    assert (done.returncode, done.stderr) == (0, "")
    for told in ("3 merchants have no category", "File 2 merchants as I guess?", "Zorbo has no category: $15.00"):
        assert told in done.stdout
