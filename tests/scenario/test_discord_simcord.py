"""The bot beside a Discord that we did not write: simcord, as a second opinion on what our own says of Discord.

Where simcord differs from Discord, Discord is right, and no test leans on simcord (docs.discord.com/developers, resources/message
and interactions/receiving-and-responding):

- It ignores ``nonce``; Discord returns the message that it has under it.
- After fifteen minutes it says 404 and 10015, Discord 401 (github.com/discord/discord-api-docs/issues/6851). To our adapter
  both mean that this way is closed.
- Its ``authorizing_integration_owners`` is empty; Discord names the server that has the app. So every answer here goes the
  narrower way of an app that only a person has, but simcord takes more than five further answers.
- It takes as many choices for an option as it is given; Discord takes 25.
- It reads the files that discord.py holds, not the form that is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
import simcord
from simcord.backend.errors import SetupError

from bots.app import open_app
from bots.desk.commands import COMMANDS
from bots.desk.duties import handlers, notices, works
from bots.discord_app.commands import ASK, EXPLAIN
from bots.discord_app.interactions import THINK_ALONE
from bots.discord_app.registration import register
from bots.discord_app.web import DiscordWeb
from bots.runner import Runner
from bots.settings import Settings
from graph.turn import Agent, TurnOutcome, TurnRequest
from ledger.imports import import_files
from ledger.people import Person
from ledger.preferences import store_preference
from ledger.statement_writer import SourceFile
from ledger.store import Store
from tests.conftest import until
from tests.support.bank_files import Line, mint_csv
from tests.support.discord_fake.rendering import walk
from tests.support.discord_fake.simcord_bridge import SimcordConnection, simcord_connections
from tests.support.discord_fake.talk import WELCOME
from tests.support.slack.bot import NOW
from tests.support.slack.visit import LINES, OCTOBER, category, dollars

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from simcord import ChannelHandle, Env, InteractionResult, MemberActor, ResponseMessage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(30)]

QUESTION = "How much did I spend on groceries last month?"
ANSWER = f"## {dollars(LINES, category('Groceries'), OCTOBER)} on groceries in October 2026\n"
BANK = ("bank.csv", b"Date,Description,Amount (USD)\n2026-10-05,REWE MARKT,-20.00\n2026-10-09,REWE MARKT,-7.50\n")
REWE = "How much did I spend at REWE in October 2026?"


@dataclass
class HeldAgent:
    """The agent, which answers when it may."""

    agent: Agent
    questions: list[str] = field(default_factory=list)
    may: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: TurnRequest) -> TurnOutcome:
        self.questions.append(request.text)
        await self.may.wait()
        return await self.agent.answer(request)

    def narrate(self, request: TurnRequest, outcome: TurnOutcome) -> AsyncIterator[str]:
        return self.agent.narrate(request, outcome)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        self.may.clear()
        try:
            yield
        finally:
            self.may.set()


@dataclass
class House:
    """One bot in one server; everyone in it is somebody new, and every channel is new as well."""

    discord: SimcordConnection
    runner: Runner
    store: Store
    agent: HeldAgent
    repeated: set[int] = field(default_factory=set)
    """Interactions that a test delivered twice."""
    _numbers: int = 0

    @property
    def env(self) -> Env:
        return self.discord.env

    async def visitor(self, lines: Iterable[Line] = LINES, *, greeted: bool = False) -> MemberActor:
        self._numbers += 1
        user = self.env.create_user(f"person{self._numbers}")
        repository = await self.store.repository(Person("discord", "", str(user.id)))
        if lines:
            await import_files(repository, [SourceFile("mint.csv", mint_csv(lines))])
        if greeted:
            async with self.store.write() as connection:
                await store_preference(connection, repository, "welcomed", "2026-11-21")
        return self.env.guild.add_member(user)

    def channel(self) -> ChannelHandle:
        self._numbers += 1
        return self.env.guild.create_text_channel(f"channel{self._numbers}")

    def web(self) -> DiscordWeb:
        """The API, called beside the bot."""
        web = DiscordWeb()
        web.http = self.discord.client.http
        return web

    async def answer(self, asked: InteractionResult) -> ResponseMessage:
        """Wait for what takes the place of "thinking"; simcord does not wait for work that it did not begin."""
        await until(lambda: asked.acknowledged and not asked.deferred)
        await self.runner.idle()
        assert asked.response is not None
        return asked.response

    async def posted(self, channel: ChannelHandle, before: int) -> list[str]:
        """Wait for one post more than there were, and return what was said since."""
        await until(lambda: len(history(channel)) > before)
        await self.runner.idle()
        return [text_of(message) for message in history(channel)[before:]]

    async def offered(
        self, who: MemberActor, channel: ChannelHandle, command: str, option: str, typed: str
    ) -> list[str]:
        await who.autocomplete(channel, f"money {command}", option, typed)
        asked = list(self.env.backend.interactions.values())[-1]
        await until(lambda: asked.responded)
        return [choice["name"] for choice in asked.autocomplete_choices or ()]

    def callbacks(self, asked: InteractionResult) -> int:
        return self._acknowledgements()[asked._interaction.id]

    def edits(self, asked: InteractionResult) -> int:
        token = asked._interaction.token
        return sum(call.method == "PATCH" and token in call.path for call in self.env.http_requests)

    def check(self) -> None:
        """What holds over everything: no handler failed, and no interaction was answered a second time of our own accord."""
        assert self.env.errors == []
        twice = {interaction for interaction, times in self._acknowledgements().items() if times > 1}
        assert twice == self.repeated

    def _acknowledgements(self) -> Counter[int]:
        paths = [call.path.split("/") for call in self.env.http_requests if call.path.endswith("/callback")]
        return Counter(int(path[2]) for path in paths)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory) -> AsyncIterator[House]:
    async with simcord_connections() as (home, made):
        discord = {"token": "simcord", "api_url": home}
        data = tmp_path_factory.mktemp("simcord") / "data"
        settings = Settings(_env_file=None, data_dir=data, model="builtin", now=NOW, discord=discord)
        async with open_app(settings) as app:
            agent = HeldAgent(app.agent)
            duties = {"handlers": handlers(app.desk), "works": works(app.desk), "notices": notices(app.desk)}
            runner = Runner(app.store, agent, app.platforms, now=app.clock, **duties)
            await runner.start()
            house = House(made[-1], runner, app.store, agent)
            await until(lambda: any(call.method == "PUT" for call in house.env.http_requests))
            house.env.create_guild()
            agent.may.set()
            yield house
            await runner.drain(5)
            house.check()


def text_of(message: Any) -> str:
    """What a message says: its content, or the texts of the card that it is."""
    cards = [each if isinstance(each, dict) else each.to_dict() for each in message.components]
    texts = [each["content"] for each in walk(cards) if each["type"] == 10]
    return "\n".join([message.content, *texts]).strip()


def history(channel: ChannelHandle, viewer: Any = None) -> list[Any]:
    """What stands in a channel, without what greets someone of its own accord and at any time."""
    shown = channel.history() if viewer is None else channel.history(viewer=viewer)
    return [message for message in shown if WELCOME not in text_of(message)]


def further(asked: InteractionResult) -> list[ResponseMessage]:
    """What was added to an interaction's answer."""
    return [each for each in asked.followups if WELCOME not in text_of(each)]


def said_to(channel: ChannelHandle, viewer: Any) -> list[str]:
    return [text_of(message) for message in history(channel, viewer)]


async def test_every_word_is_offered_in_a_server_and_in_direct_messages(house):
    ana = await house.visitor(())
    words = {f"money {name}" for name in (ASK, *COMMANDS)}
    assert set(ana.available_commands(house.channel())) == words
    assert set(ana.user.available_commands()) == words


async def test_what_is_registered_is_recognised_and_not_sent_again(house):
    assert await register(house.web(), str(house.discord.client.application_id)) is False


async def test_a_command_in_a_server_is_deferred_for_its_asker_alone_and_its_answer_takes_that_place(house):
    ana, ben, channel = await house.visitor(), await house.visitor(()), house.channel()
    with house.agent.held():
        asked = await ana.slash(channel, "money ask", question=QUESTION)
        await until(lambda: asked.acknowledged)
        assert (asked.deferred, asked.ephemeral) == (True, True)
        thinking = asked.response.id
    answer = await house.answer(asked)
    assert (answer.id, answer.ephemeral, further(asked)) == (thinking, True, [])
    assert (house.callbacks(asked), house.edits(asked)) == (1, 1)
    assert text_of(answer).startswith(ANSWER)
    assert said_to(channel, ana) == [text_of(answer)]
    assert said_to(channel, ben) == []
    with pytest.raises(simcord.SetupError, match="not visible"):
        await ben.click(answer, label="Receipt")


async def test_the_welcome_comes_after_the_answer_and_not_in_its_place(house):
    """Discord, and so simcord, takes a further answer for the first one while "thinking" stands there."""
    ana, channel = await house.visitor(), house.channel()
    asked = await ana.slash(channel, "money ask", question=QUESTION)
    assert text_of(await house.answer(asked)).startswith(ANSWER)
    (welcome,) = asked.followups
    assert text_of(welcome).startswith("## I answer questions about your own money.")
    assert welcome.ephemeral


async def test_a_direct_message_is_answered_there(house):
    ana = await house.visitor()
    home = ana.user.dm_channel
    await ana.send_dm(QUESTION)
    (answer,) = await house.posted(home, 1)
    assert answer.startswith(ANSWER)
    receipt = await house.answer(await ana.user.click(history(home)[-1], label="Receipt"))
    assert text_of(receipt).startswith("## Receipt: ")
    assert not receipt.ephemeral


async def test_a_mention_is_answered_in_direct_messages_and_by_a_sign_where_it_was(house):
    """Without the privileged intent Discord hands over the words of a post only where it names us; so it does here."""
    ana, ben, channel = await house.visitor(), await house.visitor(), house.channel()
    await ben.send(channel, QUESTION)
    await ana.send(channel, f"<@{house.discord.client.user.id}> {QUESTION}")
    await until(lambda: said_to(ana.user.dm_channel, ana.user))
    (answer,) = said_to(ana.user.dm_channel, ana.user)
    assert answer.startswith(ANSWER)
    assert said_to(ben.user.dm_channel, ben.user) == []
    assert ("CENSORED", "MESSAGE_CREATE") in {entry[:2] for entry in house.env.backend.transcript}


async def test_a_receipt_is_an_answer_of_its_own_and_leaves_the_one_it_stands_below(house):
    ana, ben, channel = await house.visitor(), await house.visitor(()), house.channel()
    answer = await house.answer(await ana.slash(channel, "money ask", question=QUESTION))
    before = text_of(answer)
    receipt = await house.answer(await ana.click(answer, label="Receipt"))
    assert text_of(receipt).startswith("## Receipt: ")
    assert receipt.ephemeral
    assert (receipt.id != answer.id, text_of(answer)) == (True, before)
    assert said_to(channel, ben) == []


@pytest.mark.parametrize("way", ["option", "form", "direct message"])
async def test_a_file_is_shown_and_imported_on_a_yes(house, way):
    ana, channel = await house.visitor(()), house.channel()
    who: Any = ana
    if way == "option":
        shown = await house.answer(await ana.slash(channel, "money import", file=BANK))
    elif way == "form":
        form = await ana.slash(channel, "money import")
        await until(lambda: form.acknowledged)
        shown = await house.answer(await ana.submit_modal(form, {"files": BANK}))
    else:
        who, channel = ana.user, ana.user.dm_channel
        await ana.send_dm(attachments=house.env.backend.store_attachments(channel.id, [BANK]))
        await house.posted(channel, 1)
        shown = history(channel)[-1]
    assert text_of(shown).startswith("## 2 new transactions in bank.csv\n")
    done = await house.answer(await who.click(shown, label="Import"))
    assert text_of(done).startswith("## Imported 2 transactions, ")
    with pytest.raises(SetupError):  # what was imported can't be imported again: its button is gone
        await who.click(shown, label="Import")
    answer = await house.answer(await ana.slash(house.channel(), "money ask", question=REWE))
    assert text_of(answer).startswith("## $27.50")


async def test_a_form_is_filled_in_and_what_it_says_is_kept(house):
    ana, channel = await house.visitor(()), house.channel()
    settings = await house.answer(await ana.slash(channel, "money settings"))
    form = await ana.click(settings, label="Change settings")
    await until(lambda: form.acknowledged)
    saved = await house.answer(await ana.submit_modal(form, {"week_start": ["6"], "payday": "15"}))
    assert text_of(saved).startswith("## 2 settings changed.")
    assert saved.ephemeral


async def test_files_and_charts_come_with_the_answer_they_belong_to(house):
    ana, channel = await house.visitor(), house.channel()
    for command, name, begins in (("export", ".csv", b"Date,Description,Amount"), ("summary", ".png", b"\x89PNG")):
        answer = await house.answer(await ana.slash(channel, f"money {command}"))
        (file,) = answer.attachments
        assert (file.filename.endswith(name), answer.ephemeral) == (True, True)
        assert house.env.backend.cdn.get(file.url).startswith(begins)


async def test_no_more_than_25_choices_are_offered(house):
    shops = [
        Line(date(2026, 10, 1 + n % 28), f"Shop {n}", f"SHOP {n}", Decimal(-n), "Shopping", "Card")
        for n in range(1, 61)
    ]
    ana, channel = await house.visitor(shops), house.channel()
    offered = await house.offered(ana, channel, "merchant", "merchant", "")
    assert len(set(offered)) == 25
    assert (await house.offered(ana, channel, "merchant", "merchant", "shop 5"))[0] == "Shop 5"


async def test_the_menu_of_a_message_explains_a_charge_and_an_answer(house):
    """What is picked from the menu is handed over with its words, whoever wrote it, without the privileged intent."""
    ana, ben, channel = await house.visitor(), await house.visitor(()), house.channel()
    post = await ben.send(channel, "who is SQ *BLUE BOTTLE COFFEE 123?")
    charge = await house.answer(await ana.context_menu(channel, EXPLAIN, post))
    assert text_of(charge).startswith("## Blue Bottle Coffee: $")
    answer = await house.answer(await ana.slash(channel, "money ask", question=QUESTION))
    receipt = await house.answer(await ana.context_menu(channel, EXPLAIN, answer))
    assert text_of(receipt).startswith("## Receipt: ")
    assert charge.ephemeral
    assert receipt.ephemeral


async def delivered(house, ana, channel):
    """An interaction that is on its way to us, and its event."""
    house.discord.withheld = []
    asked = await ana.slash(channel, "money ask", question=QUESTION)
    (event,), house.discord.withheld = house.discord.withheld, None
    return asked, event


async def test_an_interaction_that_comes_twice_is_answered_once(house):
    ana, channel = await house.visitor(), house.channel()
    asked, event = await delivered(house, ana, channel)
    house.discord.hand_over(*event)
    answer = await house.answer(asked)
    house.discord.hand_over(*event)
    house.repeated.add(asked._interaction.id)
    await until(lambda: house.callbacks(asked) == 2)
    await house.answer(await ana.slash(channel, "money help"))
    assert house.edits(asked) == 1
    assert said_to(channel, ana)[0] == text_of(answer)
    assert len(said_to(channel, ana)) == 2


async def test_an_interaction_that_was_acknowledged_before_is_answered_all_the_same(house):
    """A process that ended between the acknowledgement and the inbox leaves the person with "thinking"."""
    ana, channel = await house.visitor(), house.channel()
    asked, event = await delivered(house, ana, channel)
    await house.web().acknowledge(str(asked._interaction.id), asked._interaction.token, THINK_ALONE)
    house.repeated.add(asked._interaction.id)
    house.discord.hand_over(*event)
    assert text_of(await house.answer(asked)).startswith(ANSWER)


async def test_an_interaction_that_comes_too_late_is_not_answered_anywhere(house):
    """Its asker was told by Discord that we don't answer, and asks again."""
    ana, channel = await house.visitor(), house.channel()
    asked, event = await delivered(house, ana, channel)
    await house.env.advance_time(3)
    questions = len(house.agent.questions)
    house.discord.hand_over(*event)
    await until(lambda: house.callbacks(asked) == 1)
    answer = await house.answer(await ana.slash(channel, "money ask", question=QUESTION))
    assert not asked.acknowledged
    assert len(house.agent.questions) == questions + 1
    assert said_to(channel, ana) == [text_of(answer)]
    assert said_to(ana.user.dm_channel, ana.user) == []


async def test_an_answer_that_takes_more_than_fifteen_minutes_goes_to_direct_messages(house):
    ana, channel = await house.visitor(), house.channel()
    with house.agent.held():
        asked = await ana.slash(channel, "money ask", question=QUESTION)
        await until(lambda: asked.acknowledged)
        await house.env.advance_time(15 * 60)
    (answer,) = await house.posted(ana.user.dm_channel, 0)
    assert answer.startswith(ANSWER)
    assert asked.deferred, "nothing could be set there any more"
    assert said_to(channel, ana) == [""]
