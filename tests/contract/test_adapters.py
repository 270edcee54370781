"""What every platform must do alike. A further adapter joins with a fixture ``<name>_stage`` and its name in STAGES.

A stage is a platform with its people: they say things, press buttons, and see what they see. ``seen_by`` returns all a
person can read, rich parts included, as one text per reply.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

import pytest

from bots.audience import NEUTRAL
from bots.contracts import EVERYTHING, Adapter, Attachment, Capabilities, Delivery, Duty, Message
from bots.errors import AttachmentUnavailable
from bots.fallback import degrade
from bots.memory import MemoryPlatform
from bots.runner import Runner
from bots.sharing import Sharing
from graph.reply import Action, Actions, Audience, File, Reply, Text, choosing
from graph.steps import Step
from ledger.deletion import forget_person
from tests.contract.console_stage import ConsoleStage, console_adapter
from tests.contract.discord_stage import DiscordStage, discord_adapter
from tests.contract.slack_stage import SlackStage, slack_adapter
from tests.support.discord_server import DiscordServer
from tests.support.slack_server import SlackServer
from tools.calls import Choice, choice_of
from tools.results import Chart, Column, Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bots.contracts import ConversationKey
    from ledger.people import Person

STAGES = ["memory", "memory_in_text", "console", "slack", "discord"]

CANARY = "98765.43"


class Stage(Protocol):
    """A platform and the people on it."""

    adapter: Adapter
    has_channels: bool
    redelivers: bool
    signs_of_work: list[str]
    """What is shown of work that is told of twice and is then over."""

    def person(self, name: str) -> Person: ...
    async def say(self, person: Person, text: str, channel: str | None = None, thread: str = "") -> None: ...
    async def ask(self, person: Person, text: str, channel: str) -> None: ...
    async def redeliver(self) -> None: ...
    async def press(self, person: Person, label: str) -> None: ...
    def seen_by(self, person: Person) -> list[str]: ...
    def signs(self, conversation: ConversationKey) -> list[str]: ...


@dataclass
class MemoryStage:
    adapter: MemoryPlatform
    has_channels: bool = True
    redelivers: bool = True
    signs_of_work: list[str] = field(default_factory=lambda: ["working", "working", "idle", "idle"])

    def person(self, name):
        return self.adapter.person(name)

    async def say(self, person, text, channel=None, thread=""):
        await self.adapter.say(person, text, channel=channel, thread=thread)

    async def ask(self, person, text, channel):
        await self.say(person, text, channel)

    async def redeliver(self):
        await self.adapter.redeliver()

    async def press(self, person, label):
        posts = reversed(self.adapter.visible_to(person))
        post = next(each for each in posts if any(a.label == label for row in each.reply.rows() for a in row))
        await self.adapter.press(person, post, label)

    def seen_by(self, person):
        in_text = Capabilities(files=True)
        return [
            "\n".join(
                [degrade(post.reply, in_text).plain(), *(b.name for b in post.reply.blocks if isinstance(b, File))]
            )
            for post in self.adapter.visible_to(person)
        ]

    def signs(self, conversation):
        return [state for where, state in self.adapter.progress_shown if where == conversation]


@pytest.fixture
def memory_stage():
    return MemoryStage(MemoryPlatform())


@pytest.fixture
def memory_in_text_stage():
    return MemoryStage(MemoryPlatform(capabilities=Capabilities(idempotent=True, max_text=300)))


@pytest.fixture
def console_stage(sqlite_store):
    return ConsoleStage(console_adapter(sqlite_store))


@pytest.fixture
async def slack_stage(sqlite_store):
    async with SlackServer() as slack:
        stage = SlackStage(slack, slack_adapter(slack, sqlite_store))
        yield stage
        await stage.adapter.stop()


@pytest.fixture
async def discord_stage(sqlite_store):
    async with DiscordServer() as discord:
        stage = DiscordStage(discord, discord_adapter(discord, sqlite_store))
        yield stage
        await stage.adapter.stop()


@pytest.fixture(params=STAGES)
def stage(request) -> Stage:
    return request.getfixturevalue(f"{request.param}_stage")


@dataclass
class Receiver:
    """Takes messages as the runner does, and keeps them; whoever is here was never greeted."""

    runner: Runner
    messages: list[Message] = field(default_factory=list)

    async def receive(self, message):
        if isinstance(message, Message):
            self.messages.append(message)
        return await self.runner.receive(message)


@pytest.fixture
async def runner(stage, sqlite_store, agent) -> AsyncIterator[Runner]:
    runner = Runner(sqlite_store, agent, [stage.adapter])
    await runner.start()
    yield runner
    await runner.drain(0)


@pytest.fixture
async def receiver(stage, runner) -> Receiver:
    """Stands between the adapter and the runner."""
    receiver = Receiver(runner)
    await stage.adapter.stop()
    await stage.adapter.start(receiver.receive)
    return receiver


@pytest.fixture
def anna(stage):
    return stage.person("anna")


@pytest.fixture
def ben(stage):
    return stage.person("ben")


def needs(condition, what):
    if not condition:
        pytest.skip(f"this platform has no {what}")


async def answered(stage, runner, agent, person, reply):
    """What the person sees of a reply."""
    agent.replies["show me"] = reply
    await stage.say(person, "show me")
    await runner.idle()
    return stage.seen_by(person)[-1]


class TestMessages:
    async def test_a_message_says_who_where_and_before_whom(self, stage, receiver, anna):
        await stage.say(anna, "hello")
        await receiver.runner.idle()
        (message,) = receiver.messages
        assert (message.person, message.conversation.person, message.text) == (anna, anna, "hello")
        assert message.source == message.conversation.platform == stage.adapter.name
        assert message.audience is Audience.PRIVATE
        assert message.delivery_id
        assert message.received_at.tzinfo is not None

    async def test_messages_of_one_thread_share_a_conversation_and_no_delivery(self, stage, receiver, anna):
        for text in ("one", "two"):
            await stage.say(anna, text)
        await receiver.runner.idle()
        one, two = receiver.messages
        assert one.conversation == two.conversation
        assert one.delivery_id != two.delivery_id

    async def test_threads_and_people_have_conversations_of_their_own(self, stage, receiver, anna, ben):
        needs(stage.has_channels, "channels")
        for person, thread in ((anna, "1"), (anna, "2"), (ben, "1")):
            await stage.say(person, "hello", "general", thread)
        await receiver.runner.idle()
        assert len({str(message.conversation) for message in receiver.messages}) == 3

    async def test_redelivered_messages_are_answered_once(self, stage, runner, anna):
        needs(stage.redelivers, "redelivery")
        await stage.say(anna, "hello")
        await stage.redeliver()
        await runner.idle()
        await stage.redeliver()
        await runner.idle()
        assert len(stage.seen_by(anna)) == 1

    async def test_what_is_said_to_a_stopped_adapter_is_not_received(self, stage, receiver, anna):
        await stage.adapter.stop()
        await stage.adapter.stop()
        await stage.say(anna, "hello")
        assert receiver.messages == []

    async def test_a_file_that_is_gone_says_so(self, stage):
        with pytest.raises(AttachmentUnavailable):
            await stage.adapter.fetch(Attachment("bank.csv", 3, "text/csv", "gone"))


class TestReplies:
    async def test_headline_text_and_choices_are_seen(self, stage, runner, agent, anna):
        reply = Reply("clarify", "Which one?", (Text("Two match"),), choices=(Choice("Costco"), Choice("Costco Gas")))
        seen = await answered(stage, runner, agent, anna, reply)
        assert all(words in seen for words in ("Which one?", "Two match", "Costco Gas"))

    async def test_every_cell_of_a_table_is_seen(self, stage, runner, agent, anna):
        rows = (("Costco", Decimal("198.20"), date(2026, 10, 3)), ("Safeway", Decimal("112.75"), None))
        table = Table((Column("Merchant"), Column("Total", "money", "USD"), Column("Last", "date")), rows, "Groceries")
        seen = await answered(stage, runner, agent, anna, Reply("answer", "Groceries", (table,)))
        assert all(words in seen for words in ("Merchant", "Costco", "198.20", "Safeway", "112.75"))

    async def test_every_value_of_a_chart_is_seen(self, stage, runner, agent, anna):
        chart = Chart("By month", ("Sep", "Oct"), (Decimal("1.50"), Decimal("2.25")), "EUR")
        seen = await answered(stage, runner, agent, anna, Reply("answer", "By month", (chart,)))
        assert all(words in seen for words in ("Sep", "1.50", "Oct", "2.25"))

    async def test_a_file_is_handed_over_or_named(self, stage, runner, agent, anna):
        file = File("rows.csv", "text/csv", b"a,b")
        assert "rows.csv" in await answered(stage, runner, agent, anna, Reply("answer", "Here", (file,)))

    async def test_a_long_text_is_seen_whole(self, stage, runner, agent, anna):
        words = [f"word{number}" for number in range(stage.adapter.capabilities.max_text // 5)]
        seen = await answered(stage, runner, agent, anna, Reply("answer", "Long", (Text(" ".join(words)),)))
        assert [word for word in seen.split() if word.startswith("word")] == words

    @pytest.mark.parametrize(
        "name", ["<!channel> @everyone <@U1>", "*x* _y_ `z` ~w~", "[a](http://b.c)", "a & b < c", "ü 🙂"]
    )
    async def test_names_from_data_are_seen_as_they_are(self, stage, runner, agent, anna, name):
        assert name in await answered(stage, runner, agent, anna, Reply("answer", "Found", (Text(name),)))

    async def test_a_reply_that_is_sent_again_is_seen_once(self, stage, runner, anna):
        needs(stage.adapter.capabilities.idempotent, "idempotency keys")
        conversation = replace(await said_conversation(stage, runner, anna), thread="")
        seen = len(stage.seen_by(anna))
        delivery = Delivery(1, conversation, Reply("answer", "once"), "k" * 24)
        await stage.adapter.send(delivery)
        await stage.adapter.send(delivery)
        assert len(stage.seen_by(anna)) == seen + 1

    async def test_progress_can_be_shown_and_ended(self, stage, runner, anna):
        conversation = await said_conversation(stage, runner, anna)
        before = stage.signs(conversation)
        for state in ("working", "working", "idle", "idle"):
            await stage.adapter.progress(conversation, state, (Step("Reading giro.csv", 1, 2),))
        assert stage.signs(conversation)[len(before) :] == stage.signs_of_work

    async def test_a_question_button_asks_its_question(self, stage, runner, agent, anna):
        needs(stage.adapter.capabilities.buttons, "buttons")
        button = Actions((Action("September?", "ask", "and in September?"),))
        await answered(stage, runner, agent, anna, Reply("answer", "October", (button,)))
        await stage.press(anna, "September?")
        await runner.idle()
        assert stage.seen_by(anna)[-1].startswith("You said and in September?")
        assert [turn.text for turn in agent.requests[-1].past] == ["show me"]

    async def test_a_choice_asks_for_the_calls_that_were_stored_with_it(self, stage, runner, agent, anna):
        """However long its label, and though the bot was started anew and other things were said since."""
        needs(stage.adapter.capabilities.buttons, "buttons")
        label = "How much did I spend on groceries, household and " + "a" * 60
        tea, food = choice_of("Tea", "spending", of="tea"), choice_of(label, "spending", of="food")
        await answered(stage, runner, agent, anna, Reply("clarify", "Which one?", choices=(tea, food)))
        await stage.say(anna, "something else")
        await runner.idle()
        await stage.adapter.stop()
        await stage.adapter.start(runner.receive)
        await stage.press(anna, "Tea")
        await runner.idle()
        request = agent.requests[-1]
        assert (request.choice, request.call) == (tea, None)
        assert [turn.text for turn in request.past] == ["show me"]
        assert request.past[-1].choices == (tea, food)

    async def test_one_of_many_choices_asks_for_the_calls_that_were_stored_with_it(self, stage, runner, agent, anna):
        """More than a row of buttons takes."""
        needs(stage.adapter.capabilities.buttons, "buttons")
        many = tuple(choice_of(f"Shop {number}", "spending", of=str(number)) for number in range(12))
        await answered(stage, runner, agent, anna, Reply("clarify", "Which one?", choices=many))
        await stage.press(anna, "Shop 11")
        await runner.idle()
        assert agent.requests[-1].choice == many[11]

    async def test_a_follow_up_asks_for_the_calls_that_were_stored_with_it(self, stage, runner, agent, anna):
        needs(stage.adapter.capabilities.buttons, "buttons")
        before = choice_of("September?", "spending", period="2026-09")
        row = Actions((Action("Receipt", "receipt"), choosing(before, 1)))
        await answered(stage, runner, agent, anna, Reply("answer", "October", (row,), follow_ups=(before,)))
        await stage.press(anna, "September?")
        await runner.idle()
        assert agent.requests[-1].choice == before

    async def test_a_choice_whose_question_is_forgotten_is_none(self, stage, runner, agent, anna):
        needs(stage.adapter.capabilities.buttons, "buttons")
        tea, milk = choice_of("Tea", "spending", of="tea"), choice_of("Milk", "spending", of="milk")
        await answered(stage, runner, agent, anna, Reply("clarify", "Which one?", choices=(tea,)))
        await runner.history.forget(anna)
        await answered(stage, runner, agent, anna, Reply("clarify", "What now?", choices=(milk,)))
        asked = len(agent.requests)
        await stage.press(anna, "Tea")
        await runner.idle()
        assert len(agent.requests) == asked
        assert "not here any more" in stage.seen_by(anna)[-1]

    async def test_other_buttons_name_a_call_and_their_reply(self, stage, receiver, agent, anna):
        needs(stage.adapter.capabilities.buttons, "buttons")
        buttons = Actions((Action("Do it", "confirm", "token-1"), Action("Receipt", "receipt")))
        await answered(stage, receiver.runner, agent, anna, Reply("answer", "Sure?", (buttons,)))
        await stage.press(anna, "Do it")
        await receiver.runner.idle()
        press = receiver.messages[-1]
        assert (press.kind, press.content) == ("button", Duty("confirm", {"value": "token-1"}))
        assert press.about is not None


async def said_conversation(stage, runner, person):
    """The conversation that the person has in direct messages."""
    receiver = Receiver(runner)
    await stage.adapter.stop()
    await stage.adapter.start(receiver.receive)
    await stage.say(person, "hello")
    await runner.idle()
    return receiver.messages[0].conversation


class TestPrivacy:
    async def test_a_direct_answer_is_seen_by_its_asker_alone(self, stage, runner, agent, anna, ben):
        seen = await answered(stage, runner, agent, anna, Reply("answer", f"You spent {CANARY}"))
        assert CANARY in seen
        assert stage.seen_by(ben) == []

    async def test_no_figure_is_said_in_a_channel(self, stage, runner, agent, anna, ben):
        needs(stage.has_channels, "channels")
        table = Table((Column("Total", "money", "USD"),), ((Decimal(CANARY),),))
        agent.replies["how much?"] = Reply("answer", f"You spent {CANARY}", (table,), audience=Audience.SHARED)
        await stage.say(ben, "hello", "general")
        await stage.say(anna, "how much?", "general")
        await runner.idle()
        assert not any(CANARY in text for text in stage.seen_by(ben))
        private = stage.adapter.capabilities.private_replies
        assert any((CANARY if private else NEUTRAL) in text for text in stage.seen_by(anna))

    async def test_two_people_in_a_thread_never_see_each_others_past(self, stage, runner, agent, anna, ben):
        needs(stage.has_channels, "channels")
        for person, text in ((anna, "canary of anna"), (ben, "canary of ben"), (anna, "next"), (ben, "next")):
            await stage.say(person, text, "general", "1")
            await runner.idle()
        for request in agent.requests:
            own = {anna: "canary of anna", ben: "canary of ben"}[request.person]
            assert all(turn.text == own for turn in request.past)
        assert [len(request.past) for request in agent.requests] == [0, 0, 1, 1]

    async def test_who_reads_is_shown_before_an_answer_is(self, stage, runner, agent, anna, ben):
        await shared(stage, runner, agent, anna, ben, "Share")
        preview = stage.seen_by(anna)[-1]
        assert all(words in preview for words in ("#general", "Everyone who can read", CANARY, "on rent"))
        assert not any(CANARY in text for text in stage.seen_by(ben))
        await stage.press(anna, "Cancel")
        await runner.idle()
        assert "Nothing was shared." in stage.seen_by(anna)[-1]
        assert not any(CANARY in text for text in stage.seen_by(ben))

    async def test_a_shared_answer_is_seen_by_all_once(self, stage, runner, agent, anna, ben):
        await shared(stage, runner, agent, anna, ben, "Share", "Share it", "Share it", "Share")
        assert len([text for text in stage.seen_by(ben) if CANARY in text and "on rent" in text]) == 1
        assert "shared already" in stage.seen_by(anna)[-1]

    async def test_it_is_taken_back_calmly(self, stage, runner, agent, anna, ben):
        await shared(stage, runner, agent, anna, ben, "Share", "Share it", "Unshare", "Unshare")
        assert not any(CANARY in text for text in stage.seen_by(ben))
        assert "no longer stands there" in stage.seen_by(anna)[-1]

    async def test_forgetting_reaches_it(self, stage, runner, agent, anna, ben, sqlite_store):
        await shared(stage, runner, agent, anna, ben, "Share", "Share it")
        await forget_person(sqlite_store, anna)
        retracted = await Sharing(sqlite_store, {stage.adapter.name: stage.adapter}.get, utcnow).retract_forgotten()
        assert (retracted.gone, retracted.waiting, retracted.refused) == (1, 0, ())
        assert not any(CANARY in text for text in stage.seen_by(ben))


async def shared(stage, runner, agent, asker, other, *labels):
    """Somebody asks where another reads along, and presses these buttons."""
    can = stage.adapter.capabilities
    needs(stage.has_channels and can.private_replies and can.buttons, "channels with private replies and buttons")
    share = Actions((Action("Share", "share"),))
    agent.replies["how much?"] = Reply("answer", f"You spent {CANARY}", (Text("on rent", "definition"), share))
    await stage.say(other, "hello", "general")
    await stage.ask(asker, "how much?", "general")
    await runner.idle()
    for label in labels:
        await stage.press(asker, label)
        await runner.idle()


def utcnow():
    return datetime.now(UTC)


def test_the_memory_platform_can_do_everything_by_default():
    assert MemoryPlatform().capabilities == EVERYTHING
