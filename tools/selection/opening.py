"""The selector that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.selection.custom import load_selector
from tools.selection.keyword import KeywordSelector
from tools.selection.model import ModelSelector
from tools.selection.selector import FEW, AllSelector, Selection, Selector, fall_back, offer
from tools.selection.semantic import SemanticSelector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.registry import Tool
    from tools.selection.model import Ask
    from tools.selection.semantic import Embed

#: Up to so many tools all are offered where no strategy is set: a model can read them, and none can be missed.
FEW_TOOLS = 10
STRATEGIES = ("all", "keyword", "semantic", "model")


def open_selector(  # noqa: PLR0913 - what the settings hold, and what a strategy may need
    strategy: str | None = None,
    *,
    threshold: float = 0.05,
    max_results: int = 10,
    embed: Embed | None = None,
    ask: Ask | None = None,
    custom: str | None = None,
) -> Selector:
    """Return the selector of a strategy; without one, ``semantic`` above 10 tools and ``all`` up to there.

    A strategy whose embedder or model is missing offers all tools, and logs that. ``custom`` is the import path of a
    selector that is given the other one to wrap.

    Raises:
        ValueError: there is no such strategy.
        UnusableSelector: there is nothing usable at the import path.
    """
    if strategy not in (None, *STRATEGIES):
        raise ValueError(f"There is no strategy {strategy!r}; there are {', '.join(STRATEGIES)}.")
    semantic: Selector = _Unable("semantic", "no embedder", max_results)
    if embed is not None:
        semantic = SemanticSelector(embed, threshold, max_results)
    model: Selector = _Unable("model", "no model", max_results) if ask is None else ModelSelector(ask, max_results)
    by_name = {"all": AllSelector(), "keyword": KeywordSelector(), "semantic": semantic, "model": model}
    chosen = _ByNumber(semantic) if strategy is None else by_name[strategy]
    return chosen if custom is None else load_selector(custom, chosen)


class _ByNumber(Selector):
    """Offers few tools all, and narrows many."""

    def __init__(self, narrowing: Selector) -> None:
        self._narrowing = narrowing

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return all tools, or what the narrowing selector chooses."""
        if len(tools) <= FEW_TOOLS:
            return offer(tools, "all", FEW)
        return await self._narrowing.choose(question, tools)

    async def prewarm(self, tools: Sequence[Tool]) -> None:
        """Prewarm the narrowing selector, if it will be asked."""
        if len(tools) > FEW_TOOLS:
            await self._narrowing.prewarm(tools)


class _Unable(Selector):
    """Stands for a strategy that lacks its embedder or model."""

    def __init__(self, strategy: str, why: str, max_results: int) -> None:
        self._strategy = strategy
        self._why = why
        self._max_results = max_results

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return all tools, and log why unless there would be nothing to leave out."""
        del question
        if len(tools) <= self._max_results:
            return offer(tools, self._strategy, FEW)
        return fall_back(tools, self._strategy, self._why)
