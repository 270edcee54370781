"""Long computing beside the event loop ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
import threading

import pytest

from ledger.importers.decoding import Encoding, decoded_lines, decoded_pieces
from ledger.working import aside


@pytest.mark.parametrize(
    ("read", "data"),
    [(decoded_lines, b"a line of a table\n" * 5000), (decoded_pieces, b"x" * (3 << 20))],
)
async def test_reading_that_was_stopped_keeps_nobody_waiting(read, data):
    begun = threading.Event()

    def for_ever() -> None:
        while True:
            for _ in read(data, Encoding("utf-8")):
                begun.set()

    reading, queued = asyncio.create_task(aside(for_ever)), asyncio.create_task(aside(lambda: "never"))
    await asyncio.to_thread(begun.wait)
    reading.cancel()
    queued.cancel()
    await asyncio.wait((reading, queued))
    assert reading.cancelled()
    assert queued.cancelled()
    assert await aside(lambda: "next") == "next"
