"""The commands: within Discord's limits, registered when they differ, and read as the same words typed."""

from __future__ import annotations

import pytest

from bots.desk.commands import COMMANDS, read_command
from bots.discord_app.commands import asked, is_registered, payload
from bots.discord_app.registration import inspect, invite_links, sync
from bots.errors import CommandError
from bots.limits import Discord
from tests.support.discord_server import HOME
from tools.calls import Call


class TestThePayload:
    def test_every_word_of_the_command_line_is_a_subcommand(self):
        money, explain = payload()
        assert {each["name"] for each in money["options"]} == {"ask", *COMMANDS}
        assert (explain["name"], explain["type"]) == ("Explain this charge", 3)

    def test_it_can_be_used_everywhere_by_servers_and_people(self):
        for command in payload():
            assert (command["integration_types"], command["contexts"]) == ([0, 1], [0, 1, 2])

    def test_it_is_within_the_limits(self):
        money, _ = payload()
        assert len(money["options"]) <= Discord.COMMAND_OPTIONS
        assert _length(money) <= Discord.COMMAND_TEXT
        for each in money["options"]:
            for named in (each, *each["options"]):
                assert 1 <= len(named["name"]) <= Discord.COMMAND_NAME
                assert 1 <= len(named["description"]) <= Discord.COMMAND_DESCRIPTION


class TestRegistration:
    async def test_what_discord_has_already_is_not_sent_again(self, house):
        puts = lambda: len(house.discord.calls_of("PUT /applications/*/commands"))  # noqa: E731
        assert puts() == 1
        assert not await sync(house.adapter._config)
        assert puts() == 1
        assert await sync(house.adapter._config, force=True)
        assert puts() == 2

    async def test_commands_of_a_former_version_are_replaced(self, discord, config):
        await sync(config)
        (money,) = (each for each in discord.commands[None].values() if each["name"] == "money")
        money["options"].pop()
        assert await sync(config)
        assert is_registered(payload(), list(discord.commands[None].values()))

    async def test_a_guild_for_development_has_commands_of_its_own(self, discord, config):
        assert await sync(config, HOME)
        assert is_registered(payload(), list(discord.commands[HOME].values()))
        assert not discord.commands.get(None)

    async def test_what_discord_refuses_is_said_in_one_sentence(self, discord, config):
        discord.fail("PUT /applications/*/commands", 429, code=30034, retry_after=3600.0)
        with pytest.raises(CommandError, match="Discord can't be reached"):
            await sync(config)
        discord.fail("PUT /applications/*/commands", 403, code=50001)
        with pytest.raises(CommandError, match="50001"):
            await sync(config)

    async def test_a_daily_limit_does_not_keep_the_bot_from_starting(self, unstarted):
        unstarted.discord.fail("PUT /applications/*/commands", 400, code=30034)
        await unstarted.start()
        await unstarted.discord.until(lambda: unstarted.discord.calls_of("PUT /applications/*/commands"))
        await unstarted.discord.say("ana", "how much?")
        assert (await unstarted.received()).text == "how much?"

    async def test_the_doctor_is_told_what_discord_says(self, discord, config):
        assert not (await inspect(config)).commands_current
        await sync(config)
        seen = await inspect(config)
        assert (seen.application, seen.commands_current, seen.reachable) == ("100000000000000001", True, True)
        discord.gateway.token = "another"
        assert (await inspect(config)).refused

    def test_invite_links_ask_for_what_is_used_and_no_more(self):
        links = invite_links("1")
        assert links["server"].endswith("scope=bot+applications.commands&permissions=274878008320&integration_type=0")
        assert links["person"].endswith("scope=applications.commands&integration_type=1")


@pytest.mark.parametrize(
    ("name", "options", "typed"),
    [
        ("summary", {}, "summary"),
        ("summary", {"period": "q3 2025"}, "summary q3 2025"),
        ("category", {"category": "Groceries", "period": "last month"}, "category Groceries last month"),
        ("merchant", {"merchant": "Amazon", "account": "Visa"}, "merchant Amazon from Visa"),
        ("search", {"words": "coffee over 5", "period": "last month"}, "search coffee over 5 last month"),
        ("compare", {"one": "October", "another": "September"}, "compare October and September"),
        ("forget", {"what": "conversations"}, "forget conversations"),
        ("forget", {}, "forget"),
        ("help", {"command": "search"}, "help search"),
        ("export", {}, "export"),
    ],
)
def test_a_subcommand_asks_what_the_same_words_ask(name, options, typed):
    assert asked(name, options) == read_command(typed)


def test_a_question_is_asked_as_it_stands():
    assert asked("ask", {"question": "help me with summary"}).text == "help me with summary"


def test_a_search_keeps_its_bounds_and_its_time():
    arguments = {"query": "coffee", "start_date": "last month", "over": "5"}
    assert asked("search", {"words": "coffee over 5", "period": "last month"}).call == Call(
        "transactions-search_transactions", arguments
    )


def _length(part) -> int:
    """Names, descriptions and values, as Discord counts them."""
    own = len(part["name"]) + len(part.get("description", ""))
    choices = sum(len(each["name"]) + len(str(each["value"])) for each in part.get("choices", ()))
    return own + choices + sum(_length(each) for each in part.get("options", ()))
