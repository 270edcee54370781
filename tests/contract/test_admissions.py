"""Who may use the bot, on every platform: whoever may not gets one sentence of their own, and nothing is kept of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bots.admission import NOT_CHOSEN, NOT_HERE, Admission
from bots.desk.duties import handlers, works
from bots.discord_app.members import STRANGER as DISCORD_STRANGER
from bots.discord_app.platform import DiscordConfig
from bots.errors import SendFailed
from bots.fixed_replies import UNSURE
from bots.runner import Runner
from bots.slack_app.people import STRANGER as SLACK_STRANGER
from bots.slack_app.platform import SlackConfig
from bots.workspaces import LEFT_OUT, Workspaces
from graph.reply import Reply
from ledger import schema
from ledger.people import Person
from tests.contract.discord_stage import WatchedPlatform, discord_adapter
from tests.contract.slack_stage import CHANNEL, SlackPlatform, slack_adapter
from tests.support.discord_server import GENERAL, TOKEN, DiscordServer
from tests.support.slack_server import APP_TOKEN, BOT_TOKEN, BOT_USER, TEAM, SlackServer

ANSWER = Reply("answer", "You spent 98765.43")


async def serve(store, agent, adapter):
    agent.replies["how much?"] = ANSWER
    desk = adapter._desk
    runner = Runner(store, agent, [adapter], handlers=handlers(desk), works=works(desk))
    await runner.start()
    return runner


class OnSlack:
    """A workspace with a member, and somebody else."""

    def __init__(self, slack, adapter, runner):
        self.slack, self.adapter, self.runner = slack, adapter, runner
        for user in ("UANA", "UBEN"):
            self.join(user)

    def join(self, user, **facts):
        self.slack.add_member(user, user.lower(), **facts)
        self.slack.workspace.channels[CHANNEL].members.add(user)

    async def ask(self, user, text="how much?", channel=None):
        said = f"<@{BOT_USER}> {text}" if channel else text
        await (await self.slack.say(user, said, channel)).acknowledged()
        await self.runner.idle()
        return [seen.text for seen in self.slack.answers_to(user)]

    async def command(self, user, text):
        await (await self.slack.command(user, "/money", text)).acknowledged()
        await self.runner.idle()
        return [seen.text for seen in self.slack.answers_to(user)]

    def public(self):
        posts = [each for each in self.slack.workspace.posts if each.user == BOT_USER]
        return [each for each in posts if each.channel == CHANNEL and not each.ephemeral_to]


@pytest.fixture
async def on_slack(sqlite_store, agent):
    async with SlackServer() as slack:
        lives = []

        async def come(**admission):
            known = slack_adapter(slack, sqlite_store)
            config = SlackConfig(BOT_TOKEN, APP_TOKEN, api_url=slack.api_url, admission=Admission(**admission))
            adapters = {}
            adapter = SlackPlatform(config, replace(known._desk, adapter=adapters.get), known._now)
            adapters["slack"] = adapter
            lives.append(OnSlack(slack, adapter, await serve(sqlite_store, agent, adapter)))
            return lives[-1]

        yield come
        for life in lives:
            await life.runner.drain(0)


class OnDiscord:
    """A server with two members."""

    def __init__(self, discord, runner):
        self.discord, self.runner = discord, runner
        self.users = {name: discord.world.user(name).id for name in ("ana", "ben")}

    async def ask(self, user, text="how much?", channel=None):
        say = self.discord.mention if channel else self.discord.say
        sent = await say(user, text, channel)
        await self.runner.adapter.has_received(f"message:{sent.message}")
        await self.runner.idle()
        return [seen.text for seen in self.discord.answers_to(user)]

    async def command(self, user, text="how much?", channel=None):
        await self.discord.until(lambda: self.discord.commands.get(None))
        await (await self.discord.command(user, "money ask", {"question": text}, channel)).acknowledged()
        await self.discord.until(lambda: any("…" not in each and each for each in self.seen(user)))
        await self.runner.idle()
        return self.seen(user)

    def seen(self, user):
        return [seen.text for seen in self.discord.answers_to(user)]


@pytest.fixture
async def on_discord(sqlite_store, agent):
    async with DiscordServer() as discord:
        lives = []

        async def come(**admission):
            known = discord_adapter(discord, sqlite_store)
            config = DiscordConfig(TOKEN, discord.api_url, admission=Admission(**admission))
            adapter = WatchedPlatform(config, known._desk, known._now)
            runner = await serve(sqlite_store, agent, adapter)
            runner.adapter = adapter
            lives.append(OnDiscord(discord, runner))
            return lives[-1]

        come.server = discord
        yield come
        for life in lives:
            await life.runner.drain(0)


async def kept(store):
    """How many people are known, and what the inbox and outbox say of anybody."""
    async with store.read() as connection:
        return (await connection.execute(sa.select(sa.func.count()).select_from(schema.people))).scalar_one()


async def test_on_slack_a_member_is_answered_and_a_guest_told_so_alone(on_slack, sqlite_store):
    life = await on_slack()
    assert ANSWER.headline in (await life.ask("UANA"))[-1]
    known = await kept(sqlite_store)
    life.join("UGUEST", restricted=True)
    assert await life.ask("UGUEST") == [SLACK_STRANGER]
    assert await life.ask("UGUEST", channel=CHANNEL) == [SLACK_STRANGER] * 2
    assert life.public() == []
    assert await kept(sqlite_store) == known


async def test_on_slack_only_those_named_and_in_a_group_are_answered(on_slack):
    life = await on_slack(people=frozenset({"UANA"}), groups=frozenset({"S1MONEY"}))
    life.slack.scopes.add("usergroups:read")
    life.slack.workspace.groups["S1MONEY"] = ("UBEN",)
    life.join("UCLEO")
    assert ANSWER.headline in (await life.ask("UANA"))[-1]
    assert ANSWER.headline in (await life.ask("UBEN"))[-1]
    assert await life.ask("UCLEO") == [NOT_CHOSEN]


async def test_on_slack_a_group_that_slack_does_not_tell_lets_nobody_in(on_slack, sqlite_store):
    life = await on_slack(groups=frozenset({"S1MONEY"}))
    assert await life.ask("UANA") == [UNSURE.headline]
    assert await kept(sqlite_store) == 0


async def test_on_slack_channels_that_are_not_named_are_left_out(on_slack):
    life = await on_slack(channels=frozenset({"C9OTHER"}))
    assert await life.ask("UANA", channel=CHANNEL) == [NOT_HERE]
    assert ANSWER.headline in (await life.ask("UANA"))[-1]
    assert life.public() == []


async def test_on_slack_a_workspace_lets_in_fewer_than_the_settings_and_at_once(on_slack, sqlite_store):
    life = await on_slack(people=frozenset({"UANA", "UBEN"}))
    life.join("UCLEO")
    assert ANSWER.headline in (await life.ask("UBEN"))[-1]
    await Workspaces(sqlite_store).lay_down("slack", TEAM, admitted=frozenset({"UANA", "UCLEO"}))
    assert ANSWER.headline in (await life.ask("UANA"))[-1]
    assert (await life.ask("UBEN"))[-1] == LEFT_OUT
    assert await life.ask("UCLEO") == [NOT_CHOSEN]


async def test_on_slack_an_administrator_who_is_left_out_still_says_who_is_not(on_slack, sqlite_store):
    life = await on_slack()
    life.join("UADMIN", admin=True)
    await Workspaces(sqlite_store).lay_down("slack", TEAM, admitted=frozenset({"UANA"}))
    assert await life.command("UBEN", "workspace people everyone") == [LEFT_OUT]
    assert await life.ask("UADMIN") == [LEFT_OUT]
    told = (await life.command("UADMIN", "workspace people UANA"))[-1]
    assert "UADMIN, UANA" in told
    assert ANSWER.headline in (await life.ask("UADMIN"))[-1]


@pytest.mark.parametrize(
    ("facts", "does"),
    [
        ({"admin": True}, True),
        ({"owner": True}, True),
        ({}, False),
        ({"admin": True, "restricted": True}, False),
        ({"admin": True, "deleted": True}, False),
        ({"admin": True, "stranger": True}, False),
    ],
)
async def test_on_slack_who_administers_the_workspace_is_what_slack_says(on_slack, facts, does):
    life = await on_slack()
    life.join("UADMIN", **facts)
    assert await life.adapter.administers(Person("slack", TEAM, "UADMIN")) is does


async def test_on_slack_who_administers_no_longer_does_not_at_once(on_slack):
    life = await on_slack()
    life.join("UADMIN", admin=True)
    assert await life.adapter.administers(Person("slack", TEAM, "UADMIN"))
    life.slack.workspace.members["UADMIN"].admin = False
    assert not await life.adapter.administers(Person("slack", TEAM, "UADMIN"))
    life.slack.fail("users.info", "ratelimited")
    with pytest.raises(SendFailed):
        await life.adapter.administers(Person("slack", TEAM, "UADMIN"))


async def test_on_slack_whoever_may_not_use_it_sees_neither_home_nor_form(on_slack, sqlite_store):
    life = await on_slack(people=frozenset({"UANA"}))
    await life.slack.open_home("UBEN")
    await life.slack.until(lambda: life.slack.home("UBEN"))
    assert NOT_CHOSEN in life.slack.home("UBEN").text
    assert not life.slack.home("UBEN").labels
    assert await kept(sqlite_store) == 0


async def test_on_discord_a_member_is_answered_and_a_stranger_told_so_alone(on_discord, sqlite_store):
    life = await on_discord()
    assert ANSWER.headline in (await life.ask(life.users["ana"]))[-1]
    known = await kept(sqlite_store)
    stranger = life.discord.world.add_user("stranger", installed=True).id
    assert await life.command(stranger) == [DISCORD_STRANGER]
    assert await kept(sqlite_store) == known


async def test_on_discord_whose_application_it_is_needs_no_server(on_discord):
    life = await on_discord()
    owner = life.discord.world.add_user("owner", installed=True).id
    life.runner.adapter._members.owners = frozenset({owner})
    await life.command(owner)
    assert ANSWER.headline in life.seen(owner)[-1]


async def test_on_discord_only_those_named_and_with_a_role_are_answered(on_discord):
    ana = on_discord.server.world.user("ana").id
    role = on_discord.server.add_role("money", "ben").id
    life = await on_discord(people=frozenset({ana}), groups=frozenset({role}))
    cleo = life.discord.add_user("cleo").id
    assert ANSWER.headline in (await life.ask(life.users["ana"]))[-1]
    assert ANSWER.headline in (await life.ask(life.users["ben"]))[-1]
    assert await life.ask(cleo) == [NOT_CHOSEN]


async def test_on_discord_channels_that_are_not_named_are_left_out_and_a_thread_goes_with_its_channel(on_discord):
    life = await on_discord(channels=frozenset({GENERAL}))
    other = life.discord.add_channel("other").id
    assert await life.ask(life.users["ana"], channel=other) == [NOT_HERE]
    thread = await life.discord.start_thread("ben", "a thread", GENERAL, bot=True)
    assert ANSWER.headline in (await life.ask(life.users["ben"], channel=thread.id))[-1]


async def test_where_discord_does_not_tell_who_somebody_is_they_are_not_answered(on_discord, sqlite_store):
    life = await on_discord()
    life.discord.fail("GET /guilds/{guild}/members/{user}", 500, times=50)
    assert await life.ask(life.users["ana"]) == [UNSURE.headline]
    assert await kept(sqlite_store) == 0


def test_who_may_use_it_is_told_to_whoever_runs_it():
    everyone = Admission()
    few = Admission(frozenset({"U1", "U2"}), frozenset({"S1"}), frozenset({"C1"}))
    assert everyone.described("for the members") == "for the members"
    assert str(few.described("")) == "for 2 people, for the members of 1 group, in direct messages and 1 channel"
    assert replace(few, people=frozenset()).described("").startswith("for the members of 1 group")
