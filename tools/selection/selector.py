"""What every selector offers, and the one that leaves nothing out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.registry import Tool

_log = structlog.get_logger(__name__)

#: Why tools were offered; besides these there is "no embedder", "no model" and "failed: …" with an error's type.
FEW, MATCHED, NOTHING = "few tools", "matched", "nothing matched"


@dataclass(frozen=True, slots=True)
class Selection:
    """The tools offered for a question, the likeliest first where there are scores, and how that came about.

    ``scores`` holds each offered tool's score by name, None where the strategy gives none.
    """

    tools: tuple[Tool, ...]
    scores: Mapping[str, float | None]
    strategy: str
    why: str


class Selector(ABC):
    """Chooses the tools that a model is offered; whatever goes wrong, it offers too many rather than none."""

    @abstractmethod
    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return the tools to offer out of these, with scores and reason; raises nothing."""

    async def select(self, question: str, tools: Sequence[Tool]) -> list[Tool]:
        """Return the tools to offer out of these."""
        return list((await self.choose(question, tools)).tools)

    async def prewarm(self, tools: Sequence[Tool]) -> None:
        """Do now what the first question with these tools would wait for; raises nothing."""
        del tools


class AllSelector(Selector):
    """Offers every tool."""

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return all of them."""
        del question
        return offer(tools, "all", "nothing left out")


def offer(tools: Sequence[Tool], strategy: str, why: str) -> Selection:
    """Return the selection that holds these tools, in their order and without scores."""
    return Selection(tuple(tools), {tool.name: None for tool in tools}, strategy, why)


def fall_back(tools: Sequence[Tool], strategy: str, why: str) -> Selection:
    """Return the selection of all tools where a strategy can't narrow them, and log that."""
    log_fallback(tools, strategy, why)
    return offer(tools, strategy, why)


def log_fallback(tools: Sequence[Tool], strategy: str, why: str) -> None:
    """Log that a strategy could not narrow a list; with an empty one that is no news.

    The log names the reason and never the question, nor an error's own words, which may quote it.
    """
    if tools:
        log = _log.info if why == NOTHING else _log.warning
        log("tools not narrowed", strategy=strategy, reason=why, tools=len(tools))


def failure(error: Exception) -> str:
    """Return how a selection names what went wrong."""
    return f"failed: {type(error).__name__}"
