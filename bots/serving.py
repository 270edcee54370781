"""Serving the platforms: until a signal comes, and then as far as what was accepted can be finished."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import signal
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bots.ending import end
from bots.errors import CommandError, outline
from bots.lease import Lease
from ledger.errors import IndexUnavailable, LedgerError
from ledger.index.lock import FileLock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from bots.app import App
    from bots.contracts import Adapter

_log = structlog.get_logger(__name__)

#: What a process of each role does, in the line that says that it has begun.
_DOES = {"all": "answers on", "ingress": "takes in from", "worker": "works for"}
#: The exit code where every platform has shut us out, so that a supervisor sees it and a restart alone mends nothing.
LOST = 3
#: Container runtimes kill ten seconds after they asked; what is not done by then is done by the next start.
_DRAIN_SECONDS = 8.0
#: Seconds in which the lease is given back, if at all.
_RELEASING = 2.0
#: Seconds for which a computing thread may keep the interpreter while another one wants it. Python's 5 ms come anew with every
#: hop between threads, of which an acknowledgement makes several while a file is read.
_SWITCH_SECONDS = 0.0005


async def serve(app: App) -> int:
    """Answer on every configured platform until SIGTERM or SIGINT; return the exit code.

    Raises:
        CommandError: a platform does not let us in, or another process serves from this data directory.
        LeaseHeld: another process serves this database.
        LeaseLost: another process has begun to.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(name, stopping.set)
    role = app.settings.role
    with _directory(app.settings.data_dir) if role == "all" else contextlib.nullcontext("") as holder:
        async with _leased(Lease(app.store, holder, shared=role != "all")) as lease, _traced(app), _status(app, lease):
            if role != "ingress":
                await _warm_up(app)
            try:
                await app.server.start(lease)
                names = " and ".join(platform.name.capitalize() for platform in app.platforms)
                sys.stderr.write(f"Money Minder {_DOES[role]} {names}. Ctrl-C ends it.\n")
                code = await until_stopped(app.platforms, stopping, lease.lost)
            finally:
                await app.server.drain(0 if lease.lost.is_set() else _DRAIN_SECONDS)
        if lease.lost.is_set():
            await lease.confirm()  # says so
    return code


async def until_stopped(platforms: Sequence[Adapter], *stopping: asyncio.Event) -> int:
    """Return 0 when it is time to stop, or :data:`LOST` once no platform lets us in any more; until then the others serve."""
    stops = {asyncio.create_task(event.wait()) for event in stopping}
    left = {asyncio.create_task(platform.lost()): platform.name for platform in platforms}
    try:
        while left:
            await asyncio.wait((*stops, *left), return_when=asyncio.FIRST_COMPLETED)
            if any(stop.done() for stop in stops):
                return 0
            for task in [each for each in left if each.done()]:
                name, word = left.pop(task), task.result()
                _log.error("platform_lost", platform=name, word=word)
                sys.stderr.write(f"money-minder: {name.capitalize()} no longer lets me in ({word}).\n")
        return LOST
    finally:
        for waiting in (*stops, *left):
            waiting.cancel()


@contextlib.contextmanager
def _directory(directory: Path) -> Iterator[str]:
    """Take this data directory for ourselves; return the name of whoever has it, which is in the file that is locked.

    Nobody else has the name while we hold the lock, so a lease under it is that of a process which is dead.
    """
    path = directory / "serving.lock"
    try:
        lock = FileLock(path)
    except IndexUnavailable as error:
        raise CommandError("Another process already serves from this data directory.") from error
    try:
        holder = path.read_text().strip() or secrets.token_hex(8)
        path.write_text(holder)
        yield holder
    finally:
        lock.release()


@asynccontextmanager
async def _leased(lease: Lease) -> AsyncIterator[Lease]:
    """Hold the lease as long as the block runs."""
    await lease.acquire()
    keeping = asyncio.create_task(lease.keep())
    try:
        yield lease
    finally:
        await end([keeping])
        try:
            async with asyncio.timeout(_RELEASING):
                await lease.release()
        except (SQLAlchemyError, OSError) as error:  # it expires
            _log.warning("lease_not_released", error=outline(error))


@asynccontextmanager
async def _status(app: App, lease: Lease) -> AsyncIterator[None]:
    """Tell whoever asks how we are, from before the platforms are connected; nobody where no address is set."""
    address = app.settings.status_address
    if address is None:
        yield
        return
    from bots.status import Part, Status, told

    metrics = app.server.metrics if app.settings.metrics else None
    parts = [app.server] if isinstance(app.server, Part) else app.platforms
    async with told(Status(app.store, lease, parts, metrics), *address):
        yield


def _traced(app: App) -> AbstractAsyncContextManager[None]:
    """Send traces where an address is set.

    Raises:
        CommandError: what sends them is not installed.
    """
    if app.settings.traces_url is None:
        return contextlib.nullcontext()
    try:
        from bots.traces import traced
    except ImportError as error:
        raise CommandError(
            "MONEY_MINDER_TRACES_URL needs packages that are not installed: pip install -r requirements-extras.lock"
        ) from error
    return traced(app.settings.traces_url)


async def _warm_up(app: App) -> None:
    """Load what the first question needs before anybody can ask it."""
    try:
        await app.agent.warm_up()
        await app.indexing.catch_up()
    except LedgerError as error:
        _log.warning("not_warmed_up", error=outline(error))
    gc.collect()
    gc.freeze()  # what is loaded by now stays, and need not be looked through again while people wait
