"""A selector of the user's own, found by its import path and given a built-in one to wrap."""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, Any

import structlog

from tools.errors import UnusableSelector
from tools.selection.selector import MATCHED, NOTHING, Selection, Selector, failure, fall_back, offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.registry import Tool

_log = structlog.get_logger(__name__)
_STRATEGY = "custom"


def load_selector(path: str, inner: Selector) -> Selector:
    """Return what the class or factory at ``package.module:Name`` makes of the selector it may wrap.

    It needs ``async select(question, tools)``; with ``choose`` it can give scores and a reason as well.

    Raises:
        UnusableSelector: there is none at that path, it can't be made, or it can't select.
    """
    module_name, _, name = path.partition(":")
    if not module_name or not name.isidentifier():
        raise UnusableSelector(path, "write it as package.module:Name")
    try:
        made = getattr(importlib.import_module(module_name), name)(inner)
    except (Exception, SystemExit) as error:
        raise UnusableSelector(path, f"{type(error).__name__}: {error}") from error
    if not callable(getattr(made, "select", None)) and not callable(getattr(made, "choose", None)):
        raise UnusableSelector(path, "what it makes has no method select(question, tools)")
    return _Custom(made, inner)


class _Custom(Selector):
    """Keeps a selector from outside within bounds: it can narrow and reorder, not add, and not end a turn."""

    def __init__(self, made: Any, inner: Selector) -> None:
        self._made = made
        self._inner = inner
        self._choose = made.choose if _main_method(made) == "choose" else None

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return what it selects; all tools where that is nothing or fails."""
        if not tools:
            return offer(tools, _STRATEGY, MATCHED)
        try:
            selection = await self._chosen(question, tools)
            offered = {tool.name: tool for tool in tools}
            chosen = {tool.name: offered[tool.name] for tool in selection.tools if tool.name in offered}
        except Exception as error:  # noqa: BLE001 - it may be anybody's; its failure must not end the turn
            return fall_back(tools, _STRATEGY, failure(error))
        if len(chosen) < len({tool.name for tool in selection.tools}):
            _log.warning("tools selected that are not offered", strategy=_STRATEGY)
        if not chosen:
            return fall_back(tools, _STRATEGY, NOTHING)
        scores = {name: selection.scores.get(name) for name in chosen}
        return Selection(tuple(chosen.values()), scores, selection.strategy, selection.why)

    async def prewarm(self, tools: Sequence[Tool]) -> None:
        """Prewarm it, or what it may wrap."""
        own = getattr(self._made, "prewarm", None)
        if own is None:
            await self._inner.prewarm(tools)
            return
        try:
            await own(tools)
        except Exception as error:  # noqa: BLE001 - as above
            _log.warning("tools not embedded", strategy=_STRATEGY, reason=failure(error))

    async def _chosen(self, question: str, tools: Sequence[Tool]) -> Selection:
        answer = (self._choose or self._made.select)(question, tools)
        answer = await answer if inspect.isawaitable(answer) else answer
        return answer if isinstance(answer, Selection) else offer(list(answer), _STRATEGY, MATCHED)


def _main_method(made: Any) -> str:
    """Return which of ``choose`` and ``select`` was written last: a subclass may have replaced either."""
    for each in type(made).__mro__:
        for name in ("choose", "select"):
            if name in vars(each):
                return name
    return "choose" if hasattr(made, "choose") else "select"
