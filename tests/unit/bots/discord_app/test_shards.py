"""Shards: of many servers each is told to one connection, and direct messages to the first; nothing is heard twice or not at all."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bots.app import discord_config
from bots.discord_app.client import DiscordConfig
from bots.discord_app.shards import Shards
from bots.discord_app.web import DiscordWeb
from bots.errors import CommandError
from bots.settings import DiscordSettings
from tests.conftest import until
from tests.support.discord_fake.listening import Listener
from tests.support.discord_server import ANA, GENERAL, HOME, TOKEN

#: A server of the other one of two shards.
AWAY, THERE = str(int(HOME) + (1 << 22)), "400000000000000777"
ITS = (int(HOME) >> 22) % 2


class Process(Listener):
    """One process's shards, and what each message was that it heard."""

    def __init__(self, discord, directory, shards) -> None:
        super().__init__()
        config = DiscordConfig(
            TOKEN, discord.api_url, session_file=directory / "discord-session.json", shards=shards, shard_count=2
        )
        self.shards = Shards(config, DiscordWeb(), sleep=self.sleep)

    async def open(self) -> None:
        await self.shards.log_in(self.take)
        await self.shards.connect()


@pytest.fixture
async def new(discord, tmp_path):
    made: list[Process] = []
    discord.world.add_guild("Away", "ana", number=AWAY)
    discord.world.add_channel("there", number=THERE, guild=AWAY)

    async def make(*shards: int) -> Process:
        made.append(Process(discord, tmp_path, shards))
        await made[-1].open()
        return made[-1]

    yield make
    for each in made:
        await each.shards.close()


async def everywhere(discord, mark: str = "") -> set[str]:
    for words, place in (("home", GENERAL), ("away", THERE)):
        await discord.mention(ANA, f"{words}{mark}", place)
    await discord.say(ANA, f"direct{mark}")
    return {f"{words}{mark}" for words in ("home", "away", "direct")}


def words(process: Process) -> list[str]:
    return sorted(text.rpartition(" ")[2] for text in process.heard)


async def test_each_of_two_processes_hears_its_own_servers_and_the_first_one_direct_messages(discord, new):
    first, second = await new(0), await new(1)
    assert sorted(tuple(each["shard"]) for each in discord.gateway.identifies) == [(0, 2), (1, 2)]
    said = await everywhere(discord)
    await until(lambda: len(first.heard) + len(second.heard) >= 3)
    servers = {ITS: "home", 1 - ITS: "away"}
    assert words(first) == sorted(["direct", servers[0]])
    assert words(second) == [servers[1]]
    assert {*words(first), *words(second)} == said


async def test_one_process_with_all_shards_hears_everything_once(discord, new):
    process = await new(0, 1)
    assert process.shards.is_up
    assert process.waits == [5.0]  # Discord lets one session begin in five seconds
    await everywhere(discord)
    await until(lambda: len(process.heard) >= 3)
    assert words(process) == ["away", "direct", "home"]


async def test_every_shard_goes_on_where_it_was(discord, new):
    """What was said while nobody listened is heard by the next process, whichever shard it is of."""
    await (await new(0, 1)).shards.close()
    missed = await everywhere(discord, "-missed")
    process = await new(0, 1)
    await until(lambda: len(process.heard) >= 3)
    assert (set(words(process)), discord.gateway.resumes) == (missed, 2)


async def test_one_shard_that_is_away_is_told(discord, new):
    process = await new(0, 1)
    connection = process.shards._connections[1]
    await connection.close()
    assert not process.shards.is_up


def test_all_shards_are_this_process_s_where_none_is_named():
    def shards(**settings):
        config = discord_config(DiscordSettings(token="t", **settings))
        return config.shards, config.shard_count

    assert shards() == ((0,), 1)
    assert shards(shard_count=3) == ((0, 1, 2), 3)
    assert shards(shard_count=3, shards="2,0,2") == ((0, 2), 3)
    with pytest.raises(CommandError, match="from 0 to 2"):
        shards(shard_count=3, shards="3")
    with pytest.raises(ValidationError):
        shards(shard_count=3, shards="one")
