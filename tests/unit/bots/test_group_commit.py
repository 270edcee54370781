"""Work that is done together is done in order, once, and fails for nobody else."""

from __future__ import annotations

import asyncio

import pytest

from bots.group_commit import GroupCommit


class Counter:
    """Doubles numbers, keeps what it was given at once, and refuses negative ones."""

    def __init__(self) -> None:
        self.goes: list[list[int]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, numbers: list[int]) -> list[int]:
        self.goes.append(numbers)
        await self.gate.wait()
        if any(number < 0 for number in numbers):
            raise ValueError(numbers)
        return [2 * number for number in numbers]


@pytest.fixture
def counter() -> Counter:
    return Counter()


async def begin(together: GroupCommit[int, int], *numbers: int) -> list[asyncio.Task[int]]:
    tasks = [asyncio.create_task(together.do(number)) for number in numbers]
    await asyncio.sleep(0)
    return tasks


async def test_who_comes_meanwhile_goes_together_and_in_order(counter: Counter) -> None:
    together = GroupCommit(counter)
    counter.gate.clear()
    tasks = await begin(together, 1, 2, 3)
    late = await begin(together, 4, 5)
    counter.gate.set()
    assert await asyncio.gather(*tasks, *late) == [2, 4, 6, 8, 10]
    assert [number for go in counter.goes for number in go] == [1, 2, 3, 4, 5]
    assert len(counter.goes) < 5


async def test_one_that_fails_fails_alone(counter: Counter) -> None:
    together = GroupCommit(counter)
    counter.gate.clear()
    tasks = await begin(together, 0, 1, -2, 3)
    counter.gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [result for result in results if not isinstance(result, ValueError)] == [0, 2, 6]
    assert isinstance(results[2], ValueError)
    assert await together.do(7) == 14


async def test_a_caller_who_gives_up_takes_nobody_along(counter: Counter) -> None:
    together = GroupCommit(counter)
    counter.gate.clear()
    first, second = await begin(together, 1, 2)
    first.cancel()
    counter.gate.set()
    results = await asyncio.gather(first, second, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1] == 4
    assert await together.do(7) == 14
    assert [number for go in counter.goes for number in go] == [1, 2, 7]


async def test_an_error_that_is_shared_fails_all_at_once(counter: Counter) -> None:
    together = GroupCommit(counter, (ValueError,))
    counter.gate.clear()
    tasks = await begin(together, 0, 1, -2, 3)
    counter.gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert len(counter.goes) <= 2
    assert all(isinstance(result, ValueError) for result in results[1:])
