"""``chat``: the console; ``run``: every configured platform, or the console where there is none."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bots.app import App, console_person, open_app
from bots.cli.speaking import language_here
from bots.errors import CommandError
from language.catalogue import say, translated
from ledger.staging import sweep

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator

    from bots.settings import Settings


_log = structlog.get_logger(__name__)
#: After how long a thread that computes lets others go on. Whoever is acknowledged waits for a dozen such turns while files
#: are read, which at Python's own 5 ms add up to what a person notices.
_SWITCH_SECONDS = 0.0005


@asynccontextmanager
async def swept(app: App) -> AsyncIterator[None]:
    """Take out meanwhile what imports left whose process died; it shows to nobody, so nobody waits for it."""
    sweeping = asyncio.create_task(_sweep(app))
    try:
        yield
    finally:
        sweeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sweeping


async def _sweep(app: App) -> None:
    try:
        await sweep(app.store)
    except (SQLAlchemyError, OSError) as error:
        _log.warning("what an import left could not be taken out", reason=type(error).__name__)


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Serve the platforms until a signal ends it, or talk in the terminal until the end of input."""
    async with open_app(settings) as app, swept(app):
        if arguments.command == "run" and app.platforms:
            from bots.serving import serve

            sys.setswitchinterval(_SWITCH_SECONDS)
            return await serve(app)
        if settings.role != "all" and arguments.command == "run":
            raise CommandError("There is no platform to take in from or to answer on: set a token of Slack or Discord.")
        left = arguments.configuration.unread if arguments.command == "run" else None
        if left is not None:  # once it was read, and somebody may still count on it
            wanted = arguments.configuration.file
            form = "{file} is not read. If it is yours, move it to {wanted}, or name it with --env-file."
            told = translated(say(form, file=str(left), wanted=str(wanted)), language_here(settings))
            sys.stderr.write(f"money-minder: {told}\n")
        from bots.console.commands import COMMANDS
        from bots.console.lines import open_lines
        from bots.console.session import Session
        from bots.terminal import terminal

        person = console_person(arguments.user)
        return await Session(app, person, arguments.thread, terminal(), open_lines(tuple(COMMANDS))).run()
