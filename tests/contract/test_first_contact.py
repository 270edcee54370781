"""Someone's very first words, on every platform: what they ask for is theirs to confirm, whatever the program says meanwhile.

Nobody here was greeted before. A welcome may come at any time; the yes does what its person asked for, and nothing else.
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from bots.desk.desk import Desk
from bots.desk.duties import handlers, notices, works
from bots.history import History
from bots.memory import MemoryPlatform
from bots.runner import Runner
from graph.agent import MoneyAgent
from graph.models.choice import ModelChoice
from graph.reply import Actions
from ledger import schema
from ledger.imports import import_files
from ledger.memories import list_memories
from ledger.people import Person
from ledger.statement_writer import SourceFile
from tests.contract.discord_stage import discord_adapter
from tests.contract.slack_stage import CHANNEL, slack_adapter
from tests.support.discord_server import GENERAL, DiscordServer
from tests.support.slack.state import TEAM
from tests.support.slack_server import SlackServer
from tools.registry import Registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ledger.store import Store

WELCOME = "I answer questions about your own money."
BANK = b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n"
ZONE = "America/Los_Angeles"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class First:
    """What somebody says first, by which word it is confirmed, and what that changes."""

    text: str
    button: str
    changes: dict[str, Any]
    command: str = ""
    """As it is said in a channel, where that is not a question."""
    owns: bool = False
    """Whether they have transactions by then: from a terminal, say."""


FILE = "(a file)"
FIRST = {
    "file": First(FILE, "Import", {"transactions": 2}, "import"),
    "sample": First("sample", "Fill my ledger", {"transactions": "sample"}, "sample"),
    "setting": First("Set my time zone to Berlin", "Confirm", {"settings": {"time_zone": "Europe/Berlin"}}),
    "note": First("Remember that my rent is due on the 3rd", "Confirm", {"notes": ["my rent is due on the 3rd"]}),
    "rule": First("Put REWE under shopping", "Confirm", {"rules": 1}, owns=True),
    "undo": First("undo", "Take back", {"transactions": 0}, "undo", owns=True),
    "forget": First("forget everything", "Delete everything", {"transactions": 0}, "forget", owns=True),
}


class MemoryPeople:
    """People of the platform in memory, where the welcome comes when a test says so."""

    name = "memory"

    def __init__(self, store: Store) -> None:
        self.adapter = MemoryPlatform()
        self.store = store

    def new(self, number: int) -> Person:
        return self.adapter.person(f"person{number}")

    async def say(self, person, what, place):
        if what.text == FILE:
            await self.adapter.drop(person, "bank.csv", BANK, channel=place)
        else:
            await self.adapter.say(person, what.text, channel=place)

    async def yes(self, person, place):
        await self.adapter.say(person, "yes", channel=place)

    async def press(self, person, label):
        post = next(post for post in reversed(self.adapter.visible_to(person)) if label in _labels(post.reply))
        await self.adapter.press(person, post, label)

    async def look(self, person):
        await self.adapter.occur(person, "welcome")

    def seen_by(self, person):
        return [(post.text, _labels(post.reply)) for post in self.adapter.visible_to(person)]

    async def until(self, condition):
        from tests.conftest import until

        await until(condition)

    channel = "general"


class SlackPeople:
    name = "slack"
    channel = CHANNEL

    def __init__(self, slack: SlackServer, store: Store, desk: Desk) -> None:
        self.slack = slack
        self.adapter = slack_adapter(slack, store, desk)
        self.threads: dict[str, str] = {}

    def new(self, number: int) -> Person:
        user = f"U{number}NEW"
        self.slack.add_member(user, f"person{number}")
        self.slack.workspace.channels[CHANNEL].members.add(user)
        return Person("slack", TEAM, user)

    async def say(self, person, what, place):
        if place:
            sent = await self.slack.command(person.user, "/money", what.text, place)
        else:
            files = (("bank.csv", BANK),) if what.text == FILE else ()
            text = "" if what.text == FILE else what.text
            sent = await self.slack.say(person.user, text, files=files)
            self.threads[person.user] = sent.ts
        await sent.acknowledged()

    async def yes(self, person, place):
        if place:
            sent = await self.slack.command(person.user, "/money", "yes", place)
        else:
            sent = await self.slack.say(person.user, "yes", thread_ts=self.threads[person.user])
        await sent.acknowledged()

    async def press(self, person, label):
        seen = next(each for each in reversed(self.slack.answers_to(person.user)) if label in each.labels)
        await (await self.slack.press(person.user, seen, label)).acknowledged()

    async def look(self, person):
        await (await self.slack.open_home(person.user, "messages")).acknowledged()

    def seen_by(self, person):
        return [(seen.text, list(seen.labels)) for seen in self.slack.answers_to(person.user)]

    async def until(self, condition):
        await self.slack.until(condition)


class DiscordPeople:
    name = "discord"
    channel = GENERAL

    def __init__(self, discord: DiscordServer, store: Store, desk: Desk) -> None:
        self.discord = discord
        self.adapter = discord_adapter(discord, store, desk)

    def new(self, number: int) -> Person:
        return Person("discord", "", self.discord.add_user(f"person{number}").id)

    async def say(self, person, what, place):
        if place:
            await self.discord.until(lambda: self.discord.commands.get(None))
            name, options = what.command or "ask", {} if what.command else {"question": what.text}
            options = {"file": ("bank.csv", BANK)} if name == "import" else options
            options = {"what": "everything"} if name == "forget" else options
            sent = await self.discord.command(person.user, f"money {name}", options, place)
            await self.adapter.has_received(f"interaction:{sent.payload['id']}")
            return
        files = (("bank.csv", BANK),) if what.text == FILE else ()
        sent = await self.discord.say(person.user, "" if what.text == FILE else what.text, files=files)
        await self.adapter.has_received(f"message:{sent.message}")

    async def yes(self, person, place):
        await self.say(person, First("yes", "", {}), place)

    async def press(self, person, label):
        answers = reversed(self.discord.answers_to(person.user))
        seen = next(each for each in answers if any(label == button.label for button in each.buttons))
        sent = await self.discord.press(person.user, seen, label)
        await sent.acknowledged()
        await self.adapter.has_received(f"interaction:{sent.payload['id']}")

    async def look(self, person):
        """The welcome comes by itself."""

    def seen_by(self, person):
        answers = self.discord.answers_to(person.user)
        return [(seen.text, [button.label for button in seen.buttons]) for seen in answers]

    async def until(self, condition):
        await self.discord.until(condition)


def _labels(reply):
    return [action.label for block in reply.blocks if isinstance(block, Actions) for action in block.actions]


@dataclass
class Scene:
    """A platform with its people, and the whole program behind it."""

    people: Any
    runner: Runner
    store: Store

    async def someone_new(self, number: int, *, owns: bool = False) -> Person:
        person = self.people.new(number)
        if owns:
            await import_files(await self.store.repository(person), [SourceFile("earlier.csv", BANK)])
        return person

    async def sees(self, person: Person, words: str) -> None:
        await self.people.until(
            lambda: any(words in text or words in labels for text, labels in self.people.seen_by(person))
        )

    async def holds(self, person: Person) -> dict[str, Any]:
        """All that a yes might have changed; that someone was greeted is no change."""
        repository = await self.store.repository(person)
        rows = schema.transactions
        count = sa.select(sa.func.count()).select_from(rows).where(rows.c.ledger_id == repository.ledger_id)
        rules = (
            sa.select(sa.func.count()).select_from(schema.rules).where(schema.rules.c.ledger_id == repository.ledger_id)
        )
        async with self.store.read() as connection:
            found = {
                "transactions": (await connection.execute(count)).scalar_one(),
                "rules": (await connection.execute(rules)).scalar_one(),
            }
        found["notes"] = [note.text for note in await list_memories(repository)]
        settings = {name: value for name, value in (await repository.settings()).items() if name != "welcomed"}
        if self.people.name == "slack" and settings.get("time_zone") == ZONE:
            del settings["time_zone"]  # Slack tells of people's time zones, and those are taken over unasked
        return {**found, "settings": settings}

    async def is_shown(self, person: Person) -> None:
        """Wait until the platform has taken the first reply, and the bot knows."""
        sent = sa.select(schema.outbox.c.id).join(schema.inbox, schema.inbox.c.id == schema.outbox.c.inbox_id)
        sent = sent.where(schema.inbox.c.person == person.key, schema.outbox.c.state == "sent")
        while True:
            async with self.store.read() as connection:
                if (await connection.execute(sent)).first():
                    return
            await asyncio.sleep(0.001)


@pytest.fixture(params=["memory", "slack", "discord"])
async def scene(request, sqlite_store) -> AsyncIterator[Scene]:
    store = sqlite_store
    agent = MoneyAgent(
        store, Registry.built_in(), ModelChoice("builtin", "http://127.0.0.1:9"), lambda: NOW, search_index=_nothing
    )
    people: list[Any] = []

    async def fetch(_source, attachment):
        return await people[0].adapter.fetch(attachment)

    desk = Desk(store, History(store), agent.context, fetch, _nothing)
    async with SlackServer() as slack, DiscordServer() as discord:
        people.append(
            {
                "memory": lambda: MemoryPeople(store),
                "slack": lambda: SlackPeople(slack, store, desk),
                "discord": lambda: DiscordPeople(discord, store, desk),
            }[request.param]()
        )
        runner = Runner(
            store, agent, [people[0].adapter], handlers=handlers(desk), works=works(desk), notices=notices(desk)
        )
        await runner.start()
        yield Scene(people[0], runner, store)
        await runner.drain(0)


async def _nothing() -> None:
    """No index to search or to bring up to date."""


@pytest.mark.parametrize("kind", FIRST)
async def test_a_first_proposal_is_confirmed_by_its_persons_yes_and_by_nothing_else(scene, kind) -> None:
    first = FIRST[kind]
    numbers = itertools.count(1)
    for place, greeted in itertools.product((None, scene.people.channel), (False, True)):
        typed = greeted is (place is None)  # any two of the three meet
        if kind == "file" and place and scene.people.name != "discord":
            continue  # a file that others can open is left alone; Discord's command takes it in private
        who = await scene.someone_new(next(numbers), owns=first.owns)
        before = await scene.holds(who)
        await scene.people.say(who, first, place)
        await scene.sees(who, first.button)
        await scene.is_shown(who)
        if greeted:
            await scene.people.look(who)
            await scene.sees(who, WELCOME)
        if typed:
            await scene.people.yes(who, place)
        else:
            await scene.people.press(who, first.button)
        await scene.runner.idle()
        after = await scene.holds(who)
        wanted = {**before, **first.changes}
        if wanted["transactions"] == "sample":
            assert after.pop("transactions") > 1000, (kind, place, greeted, typed)
            del wanted["transactions"]
        assert after == wanted, (kind, place, greeted, typed, scene.people.seen_by(who))


async def test_a_yes_to_the_welcome_alone_changes_nothing(scene) -> None:
    who = await scene.someone_new(1)
    await scene.people.say(who, First("hello", "", {}), None)
    await scene.runner.idle()
    await scene.people.look(who)
    await scene.sees(who, WELCOME)
    before = await scene.holds(who)
    await scene.people.yes(who, None)
    await scene.runner.idle()
    assert await scene.holds(who) == before


async def test_the_button_of_the_welcome_is_a_request_like_any_other(scene) -> None:
    who = await scene.someone_new(1)
    await scene.people.say(who, First("hello", "", {}), None)
    await scene.runner.idle()
    await scene.people.look(who)
    await scene.sees(who, WELCOME)
    await scene.people.press(who, "Try with made-up data")
    await scene.sees(who, "Fill my ledger")
    assert (await scene.holds(who))["transactions"] == 0
    await scene.people.press(who, "Fill my ledger")
    await scene.runner.idle()
    assert (await scene.holds(who))["transactions"] > 1000


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hi", "Hello. Ask about your money"),
        ("guten Tag", "Hallo. Frag mich"),
        ("who are you?", WELCOME),
        ("Was kannst du?", "Frag in deinen eigenen Worten"),
        ("How do I get my file from Chase?", "Download account activity"),
        ("Wie komme ich an meine Datei von der Sparkasse?", "CSV-CAMT"),
        ("connect my bank", "I connect to no bank"),
    ],
)
async def test_who_asks_how_to_begin_is_told_where_they_are(scene, text, told) -> None:
    who = await scene.someone_new(1)
    await scene.people.say(who, First(text, "", {}), None)
    await scene.sees(who, told)


async def test_a_theme_is_a_button_and_so_is_each_of_its_questions(scene) -> None:
    who = await scene.someone_new(1, owns=True)
    await scene.people.say(who, First("What can I ask?", "", {}), None)
    await scene.sees(who, "Subscriptions and bills")
    await scene.people.press(who, "Subscriptions and bills")
    await scene.sees(who, "Which bills are due next?")
    await scene.people.press(who, "Which bills are due next?")
    await scene.sees(who, "Nothing regular is due")
