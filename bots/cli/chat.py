"""``chat`` and ``run``: the console; later also the platforms that are configured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.app import console_person, open_app
from bots.errors import CommandError

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Talk in the terminal until the end of input; ``run`` refuses where a platform waits that can't be served."""
    if arguments.command == "run" and (platforms := configured_platforms(settings)):
        raise CommandError(
            f"This version can't serve {' and '.join(platforms)} yet; unset the tokens, or use “money-minder chat”."
        )
    from bots.console.commands import COMMANDS
    from bots.console.lines import open_lines
    from bots.console.session import Session
    from bots.terminal import terminal

    async with open_app(settings) as app:
        person = console_person(arguments.user)
        code = await Session(app, person, arguments.thread, terminal(), open_lines(tuple(COMMANDS))).run()
        await app.runner.drain(5)
    return code


def configured_platforms(settings: Settings) -> list[str]:
    """Return the platforms for which any token is set."""
    found = []
    if settings.slack.bot_token or settings.slack.app_token or settings.slack.signing_secret:
        found.append("Slack")
    if settings.discord.token:
        found.append("Discord")
    return found
