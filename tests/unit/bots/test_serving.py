"""How long the platforms are served: until it is time to stop, or until none of them lets us in."""

from __future__ import annotations

import asyncio

import pytest

from bots.memory import MemoryPlatform
from bots.serving import LOST, until_stopped


@pytest.fixture
def platforms() -> list[MemoryPlatform]:
    return [MemoryPlatform("slack"), MemoryPlatform("discord")]


async def test_a_signal_ends_it_well(platforms) -> None:
    stopping = asyncio.Event()
    stopping.set()
    assert await until_stopped(platforms, stopping) == 0


async def test_while_one_platform_lets_us_in_it_is_served(platforms, capsys) -> None:
    stopping = asyncio.Event()
    served = asyncio.create_task(until_stopped(platforms, stopping))
    platforms[0].loss.tell("token_revoked")
    await asyncio.sleep(0.01)
    assert not served.done()
    assert capsys.readouterr().err == "money-minder: Slack no longer lets me in (token_revoked).\n"
    stopping.set()
    assert await served == 0


async def test_when_none_does_any_more_it_ends_with_a_code_of_its_own(platforms, capsys) -> None:
    served = asyncio.create_task(until_stopped(platforms, asyncio.Event()))
    await asyncio.sleep(0)
    for platform, word in zip(platforms, ("account_inactive", "4004"), strict=True):
        platform.loss.tell(word)
        platform.loss.tell("a later word")
    assert await served == LOST == 3
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "money-minder: Slack no longer lets me in (account_inactive).",
        "money-minder: Discord no longer lets me in (4004).",
    ]
