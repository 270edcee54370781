"""What a model is to the graph: something that may propose calls and may write a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from tools.registry import Tool


class ModelUnavailable(Exception):
    """The model is down, slow, cut off or answered nonsense; ``reason`` is for the log."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Usage:
    """What one model call cost."""

    input_tokens: int
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered: its text and its native calls, unread."""

    text: str
    native_calls: tuple[tuple[str, Any], ...]
    usage: Usage
    form: Literal["grammar", "native", "text"]


class Model(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """How settings name it, e.g. ``ollama:qwen3:4b``."""
        ...

    async def propose(
        self, messages: Sequence[PromptMessage], tools: Sequence[Tool], timeout: float, *, may_decline: bool = True
    ) -> ModelReply:
        """Ask for calls; where it may not decline, "none" is no answer.

        Raises:
            ModelUnavailable: no usable answer came in time.
        """
        ...

    async def write(self, messages: Sequence[PromptMessage], timeout: float) -> ModelReply:
        """Ask for a text, without tools.

        Raises:
            ModelUnavailable: no usable answer came in time.
        """
        ...

    def stream(self, messages: Sequence[PromptMessage], timeout: float) -> AsyncGenerator[str, None]:
        """Ask for a text, and yield its pieces as they are written.

        Raises:
            ModelUnavailable: it did not end in time.
        """
        ...
