"""Which model answers: the one that was set, whichever Ollama has, or none."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from graph.models.breaker import Breaker
from graph.models.gate import Crowd, Gate, Limits
from graph.models.model import Model, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

_log = structlog.get_logger(__name__)
_LOOK_AGAIN = 30.0
#: Families that pick tools well at their size, the best first; any other model is better than none.
_PREFERRED = ("qwen3", "qwen2.5", "llama3", "mistral", "gemma")
_NO_CHAT = ("embed", "bge-", "minilm", "nomic")
_OLLAMA, _OPENAI = "ollama:", "openai:"


class ModelNotUsable(Exception):
    """The model that is set can't be used here; ``message`` says what to do."""

    def __init__(self, message: str) -> None:
        """Keep the message."""
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class OpenAIServer:
    """Where a server is that speaks OpenAI's API, and its key, if it has one."""

    url: str
    key: str = field(default="", repr=False)


class ModelChoice:
    """The model of the moment; ``auto`` looks at the Ollama server again every half minute, beside the turns."""

    def __init__(
        self,
        setting: str,
        url: str,
        openai: OpenAIServer | None = None,
        limits: Limits | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Use a setting: ``builtin``, ``auto``, ``ollama:NAME`` on Ollama at the URL, or ``openai:NAME`` on the other server.

        Raises:
            ModelNotUsable: the server has no address, or what speaks to it is not installed.
        """
        if setting not in ("builtin", "auto") and not setting.startswith((_OLLAMA, _OPENAI)):
            raise ValueError(f"unknown model {setting!r}: use builtin, auto, ollama:NAME or openai:NAME")
        self.crowd = Crowd()
        """How many ask the model, whichever it is."""
        self._setting = setting
        self._url = url
        self._limits = limits or Limits()
        self._clock = clock
        self._model: Gate | None = None
        self._breaker: Breaker | None = None
        self._looked = float("-inf")
        self._looking: asyncio.Task[None] | None = None
        if setting.startswith(_OLLAMA):
            self._use(self._on_ollama(setting.removeprefix(_OLLAMA)))
        elif setting.startswith(_OPENAI):
            self._use(_on_openai(setting.removeprefix(_OPENAI), openai))

    @property
    def resting(self) -> bool:
        """Whether there is a model that is left alone for a while, since it failed."""
        return self._breaker is not None and self._breaker.resting

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
        current = self._model.name.removeprefix(_OLLAMA) if self._model else None
        if name != current:
            _log.info("model changed", model=name or "builtin")
            self._use(self._on_ollama(name) if name else None)

    def _use(self, model: Model | None) -> None:
        """Let a model be asked from now on, a few at a time and not while it rests."""
        self._breaker = None if model is None else Breaker(model, self._clock)
        self._model = None if self._breaker is None else Gate(self._breaker, self._limits, self.crowd, self._clock)

    def _on_ollama(self, name: str) -> Model:
        from graph.models.ollama import OllamaModel

        return OllamaModel(name, self._url)


def best_of(names: list[str]) -> str | None:
    """Return the likeliest chat model of those a server has, or None."""
    chat = [name for name in names if not any(part in name.casefold() for part in _NO_CHAT)]
    ranks = {name: next((i for i, p in enumerate(_PREFERRED) if name.startswith(p)), len(_PREFERRED)) for name in chat}
    return min(chat, key=lambda name: (ranks[name], name), default=None)


def _on_openai(name: str, server: OpenAIServer | None) -> Model:
    if server is None:
        raise ModelNotUsable("A model openai:NAME needs the address of its server, MONEY_MINDER_OPENAI__URL.")
    try:
        from graph.models.openai import OpenAIModel
    except ImportError as error:
        raise ModelNotUsable(
            "A model openai:NAME needs packages that are not installed: pip install -r requirements-extras.lock"
        ) from error
    return OpenAIModel(name, server.url, server.key)
