"""The status pages of the unmodified bot, while it serves Slack and Discord at once."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from pathlib import Path

from tests.support import nursery
from tests.support.discord_fake.bot import DiscordBot
from tests.support.discord_server import DiscordServer
from tests.support.slack.bot import BotProcess
from tests.support.slack_server import SlackServer

ROOT = Path(__file__).parents[2]


async def health(address, *arguments):
    """What ``money-minder health`` prints, to whichever end, and its exit code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MONEY_MINDER_")}
    environment = {**kept, "MONEY_MINDER_STATUS_ADDRESS": address, "MONEY_MINDER_DATA_DIR": "/nowhere"}
    ended = await asyncio.to_thread(nursery.run, ["health", *arguments], environment, ROOT)
    return (ended.stdout or ended.stderr).decode().strip(), ended.returncode


async def until_ready(address, wanted):
    """Ask until the bot is found like this; the test's own time limit ends a wait in vain."""
    while True:
        told, code = await health(address, "--ready", "--json")
        if code in (0, 1) and told.startswith("{") and json.loads(told) == wanted:
            return code
        await asyncio.sleep(0.1)


async def test_a_running_bot_tells_how_it_is(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    well = {"ok": True, "lease": True, "database": True, "slack": True, "discord": True}
    async with SlackServer() as slack, DiscordServer() as discord:
        beside = DiscordBot(discord, tmp_path / "none").tokens()
        bot = BotProcess(slack, tmp_path / "data", {"MONEY_MINDER_STATUS_ADDRESS": address, **beside})
        async with bot:
            assert await until_ready(address, well) == 0
            assert await health(address) == ("ok", 0)
            slack.refuse_connections(1000)
            await slack.drop_socket(announce=False)
            assert await until_ready(address, {**well, "ok": False, "slack": False}) == 1
            assert await health(address) == ("ok", 0), "to start it again would mend nothing"
            slack.refuse_connections(0)
            assert await until_ready(address, well) == 0
            discord.refuse_connections(1000)
            await discord.drop_socket()
            assert await until_ready(address, {**well, "ok": False, "discord": False}) == 1
            assert await bot.stop() == 0
        assert await health(address) == ("money-minder: The bot does not answer at MONEY_MINDER_STATUS_ADDRESS.", 1)
