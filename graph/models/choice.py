"""Which model answers: the one that was set, whichever Ollama has, or none."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

from graph.models.model import Model, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

_log = structlog.get_logger(__name__)
_LOOK_AGAIN = 30.0
#: Families that pick tools well at their size, the best first; any other model is better than none.
_PREFERRED = ("qwen3", "qwen2.5", "llama3", "mistral", "gemma")
_NO_CHAT = ("embed", "bge-", "minilm", "nomic")


class ModelChoice:
    """The model of the moment; ``auto`` looks at the Ollama server again every half minute, beside the turns."""

    def __init__(self, setting: str, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Use a setting: ``builtin``, ``auto``, or ``ollama:NAME``."""
        if setting not in ("builtin", "auto") and not setting.startswith("ollama:"):
            raise ValueError(f"unknown model {setting!r}: use builtin, auto or ollama:NAME")
        self._setting = setting
        self._url = url
        self._clock = clock
        self._model: Model | None = None
        self._looked = float("-inf")
        self._looking: asyncio.Task[None] | None = None
        if setting.startswith("ollama:"):
            self._model = _guarded(setting.removeprefix("ollama:"), url)

    async def current(self) -> Model | None:
        """Return the model to use now, or None for none; only the very first look waits, at most a second."""
        if self._setting != "auto" or self._clock() - self._looked < _LOOK_AGAIN:
            return self._model
        first = self._looked == float("-inf")
        self._looked = self._clock()
        if first:
            await self._look()
        else:
            self._looking = asyncio.create_task(self._look())
        return self._model

    async def _look(self) -> None:
        from graph.models.ollama import list_models

        try:
            name = best_of(await list_models(self._url))
        except ModelUnavailable:
            name = None
        current = self._model.name.removeprefix("ollama:") if self._model else None
        if name != current:
            _log.info("model changed", model=name or "builtin")
            self._model = _guarded(name, self._url) if name else None


def best_of(names: list[str]) -> str | None:
    """Return the likeliest chat model of those a server has, or None."""
    chat = [name for name in names if not any(part in name.casefold() for part in _NO_CHAT)]
    ranks = {name: next((i for i, p in enumerate(_PREFERRED) if name.startswith(p)), len(_PREFERRED)) for name in chat}
    return min(chat, key=lambda name: (ranks[name], name), default=None)


def _guarded(name: str, url: str) -> Model:
    from graph.models.breaker import Breaker
    from graph.models.ollama import OllamaModel

    return Breaker(OllamaModel(name, url))
