"""How the running bot is, for whoever watches over it: small pages on an address that a setting names.

``/healthz`` says whether this process should go on, and ``/readyz`` whether it can answer now. A database that is away is
no reason to start the process again, so only the second one fails then. ``/metrics`` is off unless another setting says so.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from aiohttp import web

from bots.errors import CommandError
from bots.metrics import CONTENT_TYPE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from bots.lease import Lease
    from bots.metrics import Metrics
    from ledger.store import Store

Parts = dict[str, bool]

#: The most seconds that the database may take before it counts as away.
_DATABASE_SECONDS = 2.0
_CLOSING_SECONDS = 1.0


@runtime_checkable
class Part(Protocol):
    """A platform, or in a worker what brings it jobs."""

    @property
    def name(self) -> str:
        """What it is called on the page."""
        ...

    async def connected(self) -> bool:
        """Whether anything can come by it at this moment."""
        ...


class Status:
    """What is asked by ``/healthz`` and ``/readyz``: names of parts, and whether each is well."""

    def __init__(self, store: Store, lease: Lease, platforms: Sequence[Part], metrics: Metrics | None = None) -> None:
        """Look at these when asked; without metrics there is no page of them."""
        self.metrics = metrics
        self._store = store
        self._lease = lease
        self._platforms = platforms

    async def alive(self) -> Parts:
        """Whether this process still serves; that it says so at all shows that its event loop turns."""
        return {"lease": not self._lease.lost.is_set()}

    async def ready(self) -> Parts:
        """Whether a message would be taken in and answered."""
        connected = await asyncio.gather(*(platform.connected() for platform in self._platforms))
        names = [platform.name for platform in self._platforms]
        return {
            "lease": self._lease.sure,
            "database": await self._database_answers(),
            **dict(zip(names, connected, strict=True)),
        }

    async def counted(self) -> str:
        """Return the metrics in Prometheus's form."""
        return await self.metrics.text(self._store) if self.metrics else ""

    async def _database_answers(self) -> bool:
        try:
            async with asyncio.timeout(_DATABASE_SECONDS):
                return await self._store.answers()
        except TimeoutError:
            return False


@asynccontextmanager
async def told(status: Status, host: str, port: int) -> AsyncIterator[int]:
    """Tell the status at an address as long as the block runs; yields the port, which 0 leaves open.

    Raises:
        CommandError: the address can't be used.
    """
    server = web.Application()
    server.router.add_get("/healthz", _page(status.alive))
    server.router.add_get("/readyz", _page(status.ready))
    if status.metrics is not None:
        server.router.add_get("/metrics", _metrics(status))
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=_CLOSING_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise CommandError("MONEY_MINDER_STATUS_ADDRESS is in use, or is no address of this machine.") from error
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _page(look: Callable[[], Awaitable[Parts]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def page(_request: web.Request) -> web.Response:
        parts = await look()
        well = all(parts.values())
        return web.json_response({"ok": well, **parts}, status=200 if well else 503)

    return page


def _metrics(status: Status) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def page(_request: web.Request) -> web.Response:
        return web.Response(body=(await status.counted()).encode(), headers={"Content-Type": CONTENT_TYPE})

    return page
