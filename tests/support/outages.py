"""A way to PostgreSQL that can be closed: connections end, and none can be made, as while a server restarts."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

import sqlalchemy as sa


class Gate:
    """Hands everything on to a server as long as it is open."""

    def __init__(self, url: str) -> None:
        self._server = sa.make_url(url)
        self._open = True
        self._flows = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._listening.sockets[0].getsockname()[1]
        self.url = self._server.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        """End every connection, and let none begin."""
        self._open = False
        for writer in self._writers:
            writer.transport.abort()

    def hold(self) -> None:
        """Keep every connection, and hand nothing on: whoever asks gets no answer, and no error."""
        self._flows.clear()

    def open(self) -> None:
        """Let connections begin again, and those that are there go on."""
        self._open = True
        self._flows.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._open:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(self._server.host, self._server.port or 5432)
        self._writers |= {writer, back}
        for task in (self._hand_on(reader, back), self._hand_on(there, writer)):
            running = asyncio.create_task(task)
            self._tasks.add(running)
            running.add_done_callback(self._tasks.discard)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, OSError):
            while data := await reader.read(65536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        writer.transport.abort()
        self._writers.discard(writer)
