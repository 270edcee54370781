"""Whoever asks whatever, wherever: nobody else sees a figure or a line, until its owner confirms a share.

Every kind of person does everything that there is to do in every kind of place, before somebody who is there as well.
"""

from __future__ import annotations

import asyncio
import itertools

import pytest

from bots.desk.duties import handlers, works
from bots.runner import Runner
from graph.reply import Action, Actions, Reply, Text
from tests.contract.discord_stage import discord_adapter
from tests.contract.slack_stage import slack_adapter
from tests.support.discord_server import BOT as DISCORD_BOT
from tests.support.discord_server import GENERAL, DiscordServer
from tests.support.slack_server import BOT_USER, SlackServer

CANARY = "98765.43"
BUTTONS = Actions((Action("Share", "share"), Action("Again", "ask", "how much?")))
ANSWER = Reply("answer", f"You spent {CANARY}", (Text(f"{CANARY} on rent", "definition"), BUTTONS))
BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE,-20.00\n"
ASKED = ("question", "command", "file", "share", "form")


async def serve(store, agent, adapter):
    """A runner with the whole desk behind an adapter."""
    desk = adapter._desk
    agent.replies["how much?"] = ANSWER
    agent.sentences["how much?"] = (f"That is {CANARY} in words.",)
    runner = Runner(store, agent, [adapter], handlers=handlers(desk), works=works(desk))
    await runner.start()
    return runner


FACTS = {"guest": {"restricted": True}, "external": {"stranger": True}}


class OnSlack:
    WHO = ("member", "guest", "external", "unknown")
    WHERE = ("direct", "channel", "shared channel", "group", "messages of others")

    def __init__(self, slack, runner, who):
        self.slack, self.runner, self.user = slack, runner, f"U7{who.upper()}"
        member = slack.add_member(self.user, who, **FACTS.get(who, {}))
        people = (self.user, "U2BEN")
        self.places = {"direct": member.dm, "channel": "C7OPEN", "shared channel": "C8SHARED", "group": "G7GROUP"}
        self.places["messages of others"] = "D7OTHERS"
        slack.add_channel("C7OPEN", "open", *people)
        slack.add_channel("C8SHARED", "shared", *people, ext_shared=True)
        slack.add_channel("G7GROUP", "", *people, bot=False, kind="mpim")
        slack.add_channel("D7OTHERS", "", *people, bot=False, kind="im")
        if who == "unknown":
            slack.fail("users.info", "user_not_found", times=10_000)

    async def done(self, act):
        await (await act).acknowledged()
        await self.runner.idle()

    async def do(self, what, where):
        place = self.places[where]
        mention = "" if where == "direct" else f"<@{BOT_USER}> "
        is_member = where not in ("group", "messages of others")
        match what:
            case "question" if is_member:
                await self.done(self.slack.say(self.user, f"{mention}how much?", place))
            case "command" | "share":
                await self.done(self.slack.command(self.user, "/money", "how much?", place))
            case "file" if is_member:
                await self.done(self.slack.say(self.user, f"{mention}here", place, files=[("bank.csv", BANK)]))
            case "form":
                for text in ("settings", "import", "export", "forget everything"):
                    await self.done(self.slack.command(self.user, "/money", text, place))
        if what == "share":
            for label in ("Again", "Share", "Cancel"):
                found = [seen for seen in self.slack.answers_to(self.user) if label in seen.labels]
                if found:
                    await self.done(self.slack.press(self.user, found[-1], label))

    def said_to_others(self):
        own = self.places["direct"]
        posts = [each for each in self.slack.workspace.posts if each.user == BOT_USER]
        return [each.text for each in posts if each.ephemeral_to != self.user and each.channel != own]

    def tried_elsewhere(self):
        """What was asked of Slack that would be for everyone in a place, had Slack taken it."""
        calls = [*self.slack.calls_of("chat.postMessage"), *self.slack.calls_of("chat.startStream")]
        places = {call.arguments["channel"] for call in calls}
        hooks = [call for call in self.slack.calls_of("response_url") if call.arguments["response_type"] != "ephemeral"]
        return [*(places - {self.places["direct"]}), *hooks]

    async def share_for_good(self):
        await self.do("command", "channel")
        for label in ("Share", "Share it"):
            found = [seen for seen in self.slack.answers_to(self.user) if label in seen.labels]
            await self.done(self.slack.press(self.user, found[-1], label))

    def own_words(self):
        return "\n".join(seen.text for seen in self.slack.answers_to(self.user))


class OnDiscord:
    WHO = ("member", "visitor")
    WHERE = ("direct", "channel", "group", "messages of others", "server without us")

    def __init__(self, discord, runner, who):
        self.discord, self.runner = discord, runner
        self.user = discord.add_user(who, installed=True).id
        if who == "member":
            discord.world.guild().members[self.user] = set()
        away = discord.add_guild("away", self.user, "ben", bot=False, installed=False).id
        self.places = {
            "direct": None,
            "channel": GENERAL,
            "group": discord.add_group("friends", self.user, "ana", "ben").id,
            "messages of others": discord.add_group("two", self.user, "ben").id,
            "server without us": discord.add_channel("there", guild=away).id,
        }
        self.who = who

    async def done(self, act, *, interaction=True):
        before = self.runner.received.total()
        sent = await act
        if interaction:
            await sent.acknowledged()
        await self.runner.adapter.has_received_more_than(before)
        await self.runner.idle()

    async def do(self, what, where):
        place = self.places[where]
        if where == "channel" and self.who != "member":
            return
        by_mention = where in ("direct", "channel")
        say = self.discord.say if where == "direct" else self.discord.mention
        match what:
            case "question" if by_mention:
                await self.done(say(self.user, "how much?", place), interaction=False)
            case "command" | "share":
                await self.done(self.discord.command(self.user, "money ask", {"question": "how much?"}, place))
            case "file" if by_mention:
                await self.done(say(self.user, "here", place, files=[("bank.csv", BANK)]), interaction=False)
            case "file":
                await self.done(self.discord.command(self.user, "money import", {"file": ("bank.csv", BANK)}, place))
            case "form":
                for name in ("help", "export", "forget"):
                    await self.done(self.discord.command(self.user, f"money {name}", {}, place))
        if what == "share":
            for label in ("Again", "Share", "Cancel"):
                await self._press(label)

    async def _press(self, label):
        found = [seen for seen in self.discord.answers_to(self.user) if label in [each.label for each in seen.buttons]]
        if found:
            await self.done(self.discord.press(self.user, found[-1], label))

    def said_to_others(self):
        own = self.discord.dm(self.user)
        messages = [each for channel in self.discord.world.channels.values() for each in channel.messages.values()]
        bots = [each for each in messages if each.author == DISCORD_BOT and each.ephemeral_to != self.user]
        return [each.seen(self.discord.world).text for each in bots if each.channel != own]

    def tried_elsewhere(self):
        own = self.discord.dm(self.user)
        posts = [call for call in self.discord.calls if call.route == "POST /channels/{channel}/messages"]
        return [call.path for call in posts if call.path.split("/")[2] != own]

    async def share_for_good(self):
        await self.do("command", "channel")
        for label in ("Share", "Share it"):
            await self._press(label)

    def own_words(self):
        return "\n".join(seen.text for seen in self.discord.answers_to(self.user))


async def everything(life):
    """Do everything everywhere, and look after each act whether somebody else could see anything of it."""
    for what, where in itertools.product(ASKED, life.WHERE):
        async with asyncio.timeout(60):
            await life.do(what, where)
        assert life.said_to_others() == [], (what, where)
        assert life.tried_elsewhere() == [], (what, where)


@pytest.mark.parametrize("who", OnSlack.WHO)
async def test_on_slack_nobody_else_sees_anything_until_it_is_shared(sqlite_store, agent, who):
    async with SlackServer() as slack:
        adapter = slack_adapter(slack, sqlite_store)
        runner = await serve(sqlite_store, agent, adapter)
        life = OnSlack(slack, runner, who)
        await everything(life)
        assert life.own_words()
        if who == "member":
            assert CANARY in life.own_words()
            await life.share_for_good()
            assert len([text for text in life.said_to_others() if CANARY in text]) == len(life.tried_elsewhere()) == 1
        await runner.drain(0)


@pytest.mark.parametrize("who", OnDiscord.WHO)
async def test_on_discord_nobody_else_sees_anything_until_it_is_shared(sqlite_store, agent, who):
    async with DiscordServer() as discord:
        adapter = discord_adapter(discord, sqlite_store)
        runner = await serve(sqlite_store, agent, adapter)
        await discord.until(lambda: discord.commands.get(None))
        runner.adapter, runner.received = adapter, adapter.received
        life = OnDiscord(discord, runner, who)
        await everything(life)
        assert CANARY in life.own_words()
        if who == "member":
            await life.share_for_good()
            assert len([text for text in life.said_to_others() if CANARY in text]) == len(life.tried_elsewhere()) == 1
        await runner.drain(0)
