"""Serving the platforms: until a signal comes, and then as far as what was accepted can be finished."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from typing import TYPE_CHECKING

import structlog

from bots.errors import CommandError, outline
from ledger.errors import IndexUnavailable, LedgerError
from ledger.index.lock import FileLock

if TYPE_CHECKING:
    from bots.app import App

_log = structlog.get_logger(__name__)

#: Container runtimes kill ten seconds after they asked; what is not done by then is done by the next start.
_DRAIN_SECONDS = 8.0


async def serve(app: App) -> int:
    """Answer on every configured platform until SIGTERM or SIGINT; return the exit code.

    Raises:
        CommandError: a platform does not let us in, or another process serves from this data directory.
    """
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(name, stopping.set)
    lock = _claim(app)
    try:
        await _warm_up(app)
        try:
            await app.server.start()
            names = " and ".join(platform.name.capitalize() for platform in app.platforms)
            sys.stderr.write(f"Money Minder answers on {names}. Ctrl-C ends it.\n")
            await stopping.wait()
        finally:
            await app.server.drain(_DRAIN_SECONDS)
    finally:
        lock.release()
    return 0


def _claim(app: App) -> FileLock:
    """Take this data directory for ourselves: two processes would each resume what the other has begun."""
    try:
        return FileLock(app.settings.data_dir / "serving.lock")
    except IndexUnavailable as error:
        raise CommandError("Another process already serves from this data directory.") from error


async def _warm_up(app: App) -> None:
    """Load what the first question needs before anybody can ask it."""
    try:
        await app.agent.warm_up()
        await app.indexing.catch_up()
    except LedgerError as error:
        _log.warning("not_warmed_up", error=outline(error))
    gc.collect()
    gc.freeze()  # what is loaded by now stays, and need not be looked through again while people wait
