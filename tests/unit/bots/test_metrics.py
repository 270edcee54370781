"""What is counted and timed, and that nothing else is told."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest

from bots.memory import MemoryPlatform
from bots.metrics import Metrics
from bots.runner import Runner
from graph.reply import Reply
from graph.turn import TurnOutcome
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


@pytest.fixture
def metrics(clock):
    return Metrics(clock.seconds)


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
    metrics.answered("slack", metrics.seconds(), outcome.reply, outcome)
    metrics.answered("slack", metrics.seconds(), outcome.reply, replace(outcome, trace={"answered_by": "ollama:qwen"}))
    metrics.answered("discord", metrics.seconds(), Reply("clarify", "Which one?"), None)
    told = samples(await metrics.text(sqlite_store))
    assert {key[1:]: value for key, value in told.items() if key[0] == "money_minder_answer_seconds_count"} == {
        ("slack", "answer", "planner"): 1,
        ("slack", "answer", "model"): 1,
        ("discord", "clarify", "program"): 1,
    }
    assert "712" not in await metrics.text(sqlite_store)


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
