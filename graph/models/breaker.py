"""A circuit breaker: a dead model slows nobody down."""

from __future__ import annotations

import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from graph.models.model import Model, ModelReply, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from graph.models.model import PromptMessage
    from tools.registry import Tool

_FAILURES = 2
_PAUSE = 30.0


class Breaker:
    """A model that answers "unavailable" at once for a while after it failed twice in a row."""

    def __init__(self, model: Model, clock: Callable[[], float] = time.monotonic) -> None:
        """Guard a model; the clock is in seconds."""
        self._model = model
        self._clock = clock
        self._failures = 0
        self._open_until = 0.0

    @property
    def name(self) -> str:
        """The guarded model's name."""
        return self._model.name

    @property
    def resting(self) -> bool:
        """Whether the model is left alone for now."""
        return self._clock() < self._open_until

    async def propose(
        self, messages: Sequence[PromptMessage], tools: Sequence[Tool], timeout: float, *, may_decline: bool = True
    ) -> ModelReply:
        """Ask the model for calls, if it is not resting."""
        self._check()
        try:
            reply = await self._model.propose(messages, tools, timeout, may_decline=may_decline)
        except ModelUnavailable:
            self._failed()
            raise
        self._failures = 0
        return reply

    async def write(self, messages: Sequence[PromptMessage], timeout: float) -> ModelReply:
        """Ask the model for text, if it is not resting."""
        self._check()
        try:
            reply = await self._model.write(messages, timeout)
        except ModelUnavailable:
            self._failed()
            raise
        self._failures = 0
        return reply

    async def stream(self, messages: Sequence[PromptMessage], timeout: float) -> AsyncGenerator[str, None]:
        """Ask the model for text piece by piece, if it is not resting."""
        self._check()
        try:
            async with aclosing(self._model.stream(messages, timeout)) as pieces:
                async for piece in pieces:
                    yield piece
        except ModelUnavailable:
            self._failed()
            raise
        self._failures = 0

    def _check(self) -> None:
        if self.resting:
            raise ModelUnavailable("resting after failures")

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= _FAILURES:
            self._open_until = self._clock() + _PAUSE
            self._failures = 0
