"""What is counted and timed, and that nothing else is told."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from bots.contracts import ConversationKey, Duty, Message, Question
from bots.inbox import Inbox
from bots.memory import MemoryPlatform
from bots.metrics import Metrics
from bots.runner import Runner
from graph.models.choice import ModelChoice
from graph.models.gate import Limits
from graph.models.model import ModelUnavailable
from graph.reply import Audience, Reply
from graph.turn import TurnOutcome
from ledger.people import Person
from tests.drawn_ledgers import Entry, write_entries

LINE = re.compile(r'^(money_minder_\w+)(?:\{((?:\w+="[^"\\\n]*",?)*)\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$')


def samples(text):
    """The values by name and labels; whatever is no line of Prometheus's form fails."""
    assert text.endswith("\n")
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            assert re.match(r"# (HELP|TYPE) money_minder_\w+ \S", line) or line == "# The database does not answer."
            continue
        name, labels, value = LINE.match(line).groups()
        key = (name, *re.findall(r'(?:^|,)\w+="([^"]*)"', labels or ""))
        assert key not in found
        found[key] = float(value)
    return found


def said(platform, feedback=None):
    """A message, or what somebody says of an answer."""
    person = Person(platform, "home", "alice")
    content = Question() if feedback is None else Duty("feedback", {"value": feedback})
    conversation = ConversationKey(platform, "home", "c", "", person)
    return Message(person, conversation, "1", "c", None, Audience.PRIVATE, datetime(2026, 11, 21, tzinfo=UTC), content)


@pytest.fixture
def metrics(clock):
    return Metrics(clock.seconds, clock.now)


async def test_times_are_counted_below_each_bound(metrics, clock, sqlite_store):
    for seconds in (0.0, 0.5, 0.6, 61.0):
        began = metrics.seconds()
        clock.advance(seconds)
        metrics.acknowledged("slack", began)
    told = samples(await metrics.text(sqlite_store))
    name = "money_minder_acknowledge_seconds"
    below = [told[f"{name}_bucket", "slack", bound] for bound in ("0.005", "0.25", "0.5", "1.0", "60.0", "+Inf")]
    assert below == [1, 1, 2, 3, 3, 4]
    assert told[f"{name}_count", "slack"] == 4
    assert told[f"{name}_sum", "slack"] == pytest.approx(62.1)


async def test_who_answered_is_told_and_no_models_name(metrics, sqlite_store):
    outcome = TurnOutcome(Reply("answer", "You spent 712.34"), trace={"answered_by": "builtin"})
    slack, discord = said("slack"), said("discord")
    metrics.answered(slack, metrics.seconds(), outcome.reply, outcome)
    metrics.answered(slack, metrics.seconds(), outcome.reply, replace(outcome, trace={"answered_by": "ollama:qwen"}))
    metrics.answered(discord, metrics.seconds(), Reply("clarify", "Which one?"), None)
    told = samples(await metrics.text(sqlite_store))
    assert {key[1:]: value for key, value in told.items() if key[0] == "money_minder_answer_seconds_count"} == {
        ("slack", "answer", "planner"): 1,
        ("slack", "answer", "model"): 1,
        ("discord", "clarify", "program"): 1,
    }
    assert "712" not in await metrics.text(sqlite_store)


async def test_what_people_say_of_answers_is_counted(metrics, sqlite_store):
    for value in ("right", "wrong", "wrong"):
        metrics.answered(said("slack", value), metrics.seconds(), Reply("answer", "Noted."), None)
    metrics.answered(said("slack", "wrong"), metrics.seconds(), Reply("refuse", "That is long ago."), None)
    told = samples(await metrics.text(sqlite_store))
    assert told["money_minder_feedback_total", "slack", "right"] == 1
    assert told["money_minder_feedback_total", "slack", "wrong"] == 2


async def test_how_it_is_before_the_model(metrics, sqlite_store):
    assert "model" not in await metrics.text(sqlite_store)
    metrics.models = ModelChoice("ollama:x", "http://127.0.0.1:9", limits=Limits(1, 0))
    model = await metrics.models.current()
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await model.write([], 1)
    told = samples(await metrics.text(sqlite_store))
    assert told["money_minder_model_resting",] == 1
    assert told["money_minder_model_turned_away_total",] == 0
    metrics.models.crowd.running, metrics.models.crowd.turned_away = 3, 7
    told = samples(await metrics.text(sqlite_store))
    assert [told["money_minder_model_calls", what] for what in ("running", "waiting")] == [3, 0]
    assert told["money_minder_model_turned_away_total",] == 7


async def test_how_long_the_oldest_message_waits(metrics, clock, sqlite_store):
    assert samples(await metrics.text(sqlite_store))["money_minder_oldest_message_seconds",] == 0
    inbox = Inbox(sqlite_store, clock.now)
    for delivery in ("first", "second"):
        await inbox.accept(replace(said("slack"), delivery_id=delivery, received_at=clock.now()))
        clock.advance(40)
    assert samples(await metrics.text(sqlite_store))["money_minder_oldest_message_seconds",] == 80


async def test_what_the_store_holds(metrics, sqlite_store, alice):
    await write_entries(sqlite_store, alice, [Entry(date(2026, 10, 3), -71234)], imports=2)
    told = samples(await metrics.text(sqlite_store))
    assert told["money_minder_people",] == 1
    assert told["money_minder_imports",] == 2
    assert [told["money_minder_waiting", what] for what in ("messages", "replies", "put_aside")] == [0, 0, 0]


async def test_without_the_database_the_rest_is_told(metrics, sqlite_store, monkeypatch):
    def away(**_more):
        raise OSError

    monkeypatch.setattr(sqlite_store, "read", away)
    metrics.acknowledged("slack", metrics.seconds())
    text = await metrics.text(sqlite_store)
    assert samples(text)["money_minder_acknowledge_seconds_count", "slack"] == 1
    assert text.endswith("# The database does not answer.\n")


async def test_the_runner_counts_what_it_takes_in_answers_and_sends(sqlite_store, agent):
    """A question that is answered, one that fails, and one whose reply the platform refuses."""
    platform = MemoryPlatform()
    runner = Runner(sqlite_store, agent, [platform])
    await runner.start()
    bob = platform.person("bob")
    try:
        for text in ("canary 712.34", "fail at once"):
            await platform.say(bob, text)
            await runner.idle()
        platform.faults.refuse_sends = True
        await platform.say(bob, "and this?")
        await runner.idle()
    finally:
        await runner.drain(5)
    text = await runner.metrics.text(sqlite_store)
    told = samples(text)
    assert told["money_minder_acknowledge_seconds_count", "memory"] == 3
    answered = {key[2:]: value for key, value in told.items() if key[0] == "money_minder_answer_seconds_count"}
    assert answered == {("answer", "program"): 2, ("error", "program"): 1}
    assert told["money_minder_deliver_seconds_count", "memory", "sent"] == 2
    assert told["money_minder_deliver_seconds_count", "memory", "not_sent"] == 1
    names = re.sub(r" \S+$", "", text, flags=re.MULTILINE)  # a time may have any digits
    assert not any(word in names for word in ("712", "canary", "bob", "home"))
