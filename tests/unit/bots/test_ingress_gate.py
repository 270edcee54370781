"""Turns wait for who comes in, but not for ever."""

from __future__ import annotations

import asyncio
import itertools

from bots.ingress_gate import IngressGate


async def test_a_turn_waits_until_nobody_comes_in() -> None:
    gate = IngressGate(lambda: 0.0)
    with gate:
        waiting = asyncio.create_task(gate.quiet())
        for _ in range(50):
            await asyncio.sleep(0)
        assert not waiting.done()
    await waiting


async def test_an_entry_that_never_ends_holds_no_turn_for_long() -> None:
    ticks = itertools.count()
    gate = IngressGate(lambda: next(ticks) * 0.999)
    with gate:
        await asyncio.wait_for(gate.quiet(), 10)
