"""A yes at the terminal before anything is deleted."""

from __future__ import annotations

import asyncio
import sys

from bots.errors import CommandError
from language.catalogue import say, translated


async def agreed(what: str, language: str, *, yes: bool) -> None:
    """Go on where ``--yes`` was given or a yes is typed; what is deleted is named in a language.

    Raises:
        CommandError: nobody agreed.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandError("Nothing is deleted without --yes.")
    ask = say("Delete {what}? This can't be undone. Type yes: ", what=what)
    answer = await asyncio.to_thread(input, translated(ask, language))
    if answer.strip().casefold() not in ("yes", "ja"):
        raise CommandError("Nothing was deleted.")
