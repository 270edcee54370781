"""Turns wait for who comes in, but not for ever."""

from __future__ import annotations

import asyncio
import itertools

from bots.door import Door


async def test_a_turn_waits_until_nobody_comes_in() -> None:
    door = Door(lambda: 0.0)
    with door:
        waiting = asyncio.create_task(door.calm())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not waiting.done()
    await waiting


async def test_an_entry_that_never_ends_holds_no_turn_for_long() -> None:
    ticks = itertools.count()
    door = Door(lambda: next(ticks) * 0.999)
    with door:
        await asyncio.wait_for(door.calm(), 10)
