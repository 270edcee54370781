"""A few calls of a model at once; whoever would wait long goes on without it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import pytest

from graph.models.breaker import Breaker
from graph.models.gate import Crowd, Gate, Limits
from graph.models.model import ModelReply, ModelUnavailable, PromptMessage, Usage

SAID = [PromptMessage("user", "x")]
LONG = 3600.0


@dataclass
class _Slow:
    """Answers when it is let."""

    name: str = "slow"
    let: asyncio.Event = field(default_factory=asyncio.Event)
    running: int = 0
    most: int = 0
    asked: int = 0
    timeouts: list[float] = field(default_factory=list)

    async def propose(self, _messages: object, _tools: object, timeout: float, **_options: object) -> ModelReply:
        self.asked += 1
        self.timeouts.append(timeout)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.let.wait()
        finally:
            self.running -= 1
        return ModelReply("", (), Usage(0, 0, 0), "text")

    async def write(self, messages: object, timeout: float) -> ModelReply:
        return await self.propose(messages, (), timeout)

    async def stream(self, messages: object, timeout: float) -> AsyncGenerator[str, None]:
        await self.propose(messages, (), timeout)
        yield "one"
        yield "two"


class _Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def model() -> _Slow:
    return _Slow()


@pytest.fixture
def seconds() -> _Seconds:
    return _Seconds()


async def settle(tasks: list[asyncio.Task[Any]], done: int) -> None:
    while sum(task.done() for task in tasks) < done:
        await asyncio.sleep(0.001)


def asking(gate: Gate, how_many: int) -> list[asyncio.Task[Any]]:
    return [asyncio.create_task(gate.propose(SAID, [], 20)) for _ in range(how_many)]


async def test_no_more_ask_at_once_than_the_limit_and_the_rest_is_told_soon(model: _Slow, seconds: _Seconds) -> None:
    crowd = Crowd()
    gate = Gate(model, Limits(4, 0.02), crowd, seconds)
    tasks = asking(gate, 50)
    await settle(tasks, 46)
    assert (model.running, crowd.running, crowd.waiting, crowd.turned_away) == (4, 4, 0, 46)
    model.let.set()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert sum(isinstance(each, ModelReply) for each in ended) == 4
    assert {str(each) for each in ended if not isinstance(each, ModelReply)} == {"busy"}
    assert (model.most, crowd.running) == (4, 0)


async def test_who_comes_within_the_budget_is_served_and_the_wait_is_part_of_the_time(
    model: _Slow, seconds: _Seconds
) -> None:
    gate = Gate(model, Limits(1, LONG), Crowd(), seconds)
    tasks = asking(gate, 3)
    await asyncio.sleep(0)
    seconds.now = 5
    model.let.set()
    assert all(isinstance(each, ModelReply) for each in await asyncio.gather(*tasks))
    assert model.timeouts == [20, 15, 15]


async def test_nobody_waits_for_what_is_expected_to_come_too_late(model: _Slow, seconds: _Seconds) -> None:
    crowd = Crowd()
    gate = Gate(model, Limits(2, LONG), crowd, seconds)
    first = asking(gate, 2)
    await asyncio.sleep(0)
    seconds.now = LONG * 2
    with pytest.raises(ModelUnavailable, match="busy"):
        await gate.propose(SAID, [], 20)
    model.let.set()
    await asyncio.gather(*first)
    again = asking(gate, 2)
    await asyncio.sleep(0)
    assert model.asked == 4
    await asyncio.gather(*again)


async def test_a_slow_day_is_forgotten(model: _Slow, seconds: _Seconds) -> None:
    gate = Gate(model, Limits(1, 10.0), Crowd(), seconds)
    first = asking(gate, 1)
    await asyncio.sleep(0)
    seconds.now = 100
    model.let.set()
    await asyncio.gather(*first)
    model.let.clear()
    occupied = asking(gate, 1)
    await asyncio.sleep(0)
    with pytest.raises(ModelUnavailable):
        await gate.propose(SAID, [], 20)
    model.let.set()
    await asyncio.gather(*occupied)
    for _ in range(10):
        await gate.propose(SAID, [], 20)
    model.let.clear()
    tasks = asking(gate, 2)
    await asyncio.sleep(0)
    model.let.set()
    assert all(isinstance(each, ModelReply) for each in await asyncio.gather(*tasks))


async def test_what_is_told_beside_an_answer_waits_for_nobody(model: _Slow, seconds: _Seconds) -> None:
    crowd = Crowd()
    gate = Gate(model, Limits(1, LONG), crowd, seconds)
    first = asking(gate, 1)
    await asyncio.sleep(0)
    with pytest.raises(ModelUnavailable, match="busy"):
        _ = [piece async for piece in gate.stream(SAID, 20)]
    model.let.set()
    await asyncio.gather(*first)
    async with aclosing(gate.stream(SAID, 20)) as pieces:
        assert await anext(pieces) == "one"
        assert crowd.running == 1
    assert crowd.running == 0


async def test_being_turned_away_is_no_failure_of_the_model(model: _Slow, seconds: _Seconds) -> None:
    breaker = Breaker(model, seconds)  # type: ignore[arg-type]
    gate = Gate(breaker, Limits(1, 0), Crowd(), seconds)
    first = asking(gate, 1)
    await asyncio.sleep(0)
    for _ in range(5):
        with pytest.raises(ModelUnavailable, match="busy"):
            await gate.propose(SAID, [], 20)
    assert not breaker.resting
    model.let.set()
    await asyncio.gather(*first)


async def test_who_gives_up_leaves_a_place(model: _Slow, seconds: _Seconds) -> None:
    crowd = Crowd()
    gate = Gate(model, Limits(1, LONG), crowd, seconds)
    tasks = asking(gate, 2)
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    model.let.set()
    assert isinstance(await gate.write(SAID, 20), ModelReply)
    assert (crowd.running, crowd.waiting) == (0, 0)
