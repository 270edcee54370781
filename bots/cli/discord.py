"""``discord sync``: tell Discord which commands there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.app import discord_config
from bots.errors import CommandError

if TYPE_CHECKING:
    import argparse

    from bots.settings import Settings


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Register the commands, everywhere or in one server, where Discord has others."""
    config = discord_config(settings.discord)
    if config is None:
        raise CommandError("MONEY_MINDER_DISCORD__TOKEN is not set.")
    from bots.discord_app.registration import sync

    changed = await sync(config, arguments.guild or "", force=arguments.force)
    where = f"in server {arguments.guild}" if arguments.guild else "everywhere"
    print(f"Discord has the commands now, {where}." if changed else f"Discord had the commands already, {where}.")
    return 0
