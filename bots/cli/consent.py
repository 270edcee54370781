"""A yes at the terminal before anything is deleted."""

from __future__ import annotations

import asyncio
import sys

from bots.errors import CommandError


async def agreed(what: str, *, yes: bool) -> None:
    """Go on where ``--yes`` was given or a yes is typed.

    Raises:
        CommandError: nobody agreed.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandError("Nothing is deleted without --yes.")
    answer = await asyncio.to_thread(input, f"Delete {what}? This can't be undone. Type yes: ")
    if answer.strip().casefold() not in ("yes", "ja"):
        raise CommandError("Nothing was deleted.")
