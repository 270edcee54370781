"""A gate before a model: so many calls at once, and so long a wait for one's turn; whoever is beyond that goes on without it.

The built-in planner has an answer at once, so a queue before a slow model would only keep people waiting for less.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.models.model import Model, ModelReply, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from graph.models.model import PromptMessage
    from tools.registry import Tool

_LEAST_LEFT = 0.1
#: How much the latest call counts for what the next ones are expected to take.
_NEWEST = 0.3


@dataclass(frozen=True, slots=True)
class Limits:
    """How many calls run at once, and how many seconds one may wait for its turn."""

    calls: int = 4
    wait: float = 1.0


@dataclass(slots=True)
class Crowd:
    """How it is before a model: calls that run, those that wait for one to end, and how many were turned away so far."""

    running: int = 0
    waiting: int = 0
    turned_away: int = 0


class Gate:
    """A model that is asked by a few at a time."""

    def __init__(self, model: Model, limits: Limits, crowd: Crowd, clock: Callable[[], float] = time.monotonic) -> None:
        """Stand before a model, and count its crowd; the clock is in seconds."""
        self._model = model
        self._limits = limits
        self._crowd = crowd
        self._clock = clock
        self._places = asyncio.Semaphore(limits.calls)
        self._begun: list[float] = []
        self._typical = 0.0

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def propose(
        self, messages: Sequence[PromptMessage], tools: Sequence[Tool], timeout: float, *, may_decline: bool = True
    ) -> ModelReply:
        """Ask the model for calls, once it is one's turn; the wait is part of the time."""
        async with self._place(self._limits.wait, timeout) as left:
            return await self._model.propose(messages, tools, left, may_decline=may_decline)

    async def write(self, messages: Sequence[PromptMessage], timeout: float) -> ModelReply:
        """Ask the model for text, likewise."""
        async with self._place(self._limits.wait, timeout) as left:
            return await self._model.write(messages, left)

    async def stream(self, messages: Sequence[PromptMessage], timeout: float) -> AsyncGenerator[str, None]:
        """Ask the model for text piece by piece, if there is room: what is only told beside an answer waits for nobody."""
        async with self._place(0, timeout) as left, aclosing(self._model.stream(messages, left)) as pieces:
            async for piece in pieces:
                yield piece

    @asynccontextmanager
    async def _place(self, patience: float, timeout: float) -> AsyncIterator[float]:
        """Hold one of the places; yields what is left of the time.

        Raises:
            ModelUnavailable: too many are asking.
        """
        came = self._clock()
        await self._enter(min(patience, timeout))
        began = self._clock()
        self._begun.append(began)
        self._crowd.running += 1
        try:
            yield max(_LEAST_LEFT, timeout - (began - came))
        finally:
            self._begun.remove(began)
            self._crowd.running -= 1
            self._typical += _NEWEST * (self._clock() - began - self._typical)
            self._places.release()

    async def _enter(self, patience: float) -> None:
        if not self._places.locked():
            await self._places.acquire()
            return
        if not patience or self._expected_wait() > patience:
            raise self._turned_away()
        self._crowd.waiting += 1
        try:
            await asyncio.wait_for(self._places.acquire(), patience)
        except TimeoutError as error:
            raise self._turned_away() from error
        finally:
            self._crowd.waiting -= 1

    def _expected_wait(self) -> float:
        """Return how long it is until everybody who came before has had a turn, as calls have taken lately or take now."""
        longest = max((self._clock() - began for began in self._begun), default=0.0)
        return max(self._typical, longest) * (self._crowd.waiting + 1) / self._limits.calls

    def _turned_away(self) -> ModelUnavailable:
        self._crowd.turned_away += 1
        return ModelUnavailable("busy")
