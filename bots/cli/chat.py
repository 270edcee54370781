"""``chat``: the console; ``run``: every configured platform, or the console where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.app import console_person, open_app

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Serve the platforms until a signal ends it, or talk in the terminal until the end of input."""
    async with open_app(settings) as app:
        if arguments.command == "run" and app.platforms:
            from bots.serving import serve

            return await serve(app)
        from bots.console.commands import COMMANDS
        from bots.console.lines import open_lines
        from bots.console.session import Session
        from bots.terminal import terminal

        person = console_person(arguments.user)
        code = await Session(app, person, arguments.thread, terminal(), open_lines(tuple(COMMANDS))).run()
        await app.runner.drain(5)
    return code
