"""The selector that the settings ask for, and one of the user's own around it."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from tools.errors import UnusableSelector
from tools.registry import Tool
from tools.selection import KeywordSelector, Selection, SemanticSelector, open_selector

ASKED = "Where is order 4711?"
SCHEMA: dict[str, Any] = {"type": "function", "function": {"name": "any", "parameters": {}}}
MANY = [Tool(f"tool{number}", open_selector, SCHEMA, keywords=(f"word{number}",)) for number in range(11)]
FEW = MANY[:10]


def names(tools: Any) -> list[str]:
    return [tool.name for tool in tools]


class Embedder:
    """Puts tool3 nearest to every question, then the others by their number."""

    def __init__(self) -> None:
        self.calls = 0

    async def embed(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        return [[1.0, 0.0] if text in (ASKED, "tool3: ", "tool3") else [1.0, 0.1 * (1 + len(text))] for text in texts]


async def ask(prompt: str) -> str:
    del prompt
    return '["tool5", "tool1"]'


@pytest.mark.parametrize(
    ("strategy", "why", "first", "number"),
    [
        ("all", "nothing left out", "tool0", 11),
        ("keyword", "nothing matched", "tool0", 11),
        ("semantic", "matched", "tool3", 4),
        ("model", "matched", "tool5", 2),
    ],
)
async def test_every_strategy_can_be_asked_for(strategy: str, why: str, first: str, number: int) -> None:
    selector = open_selector(strategy, threshold=0.1, max_results=4, embed=Embedder().embed, ask=ask)
    selection = await selector.choose(ASKED, MANY)
    assert (selection.strategy, selection.why) == (strategy, why)
    assert names(await selector.select(ASKED, MANY)) == names(selection.tools)
    assert (selection.tools[0].name, len(selection.tools)) == (first, number)


async def test_without_a_strategy_more_than_ten_tools_are_narrowed_by_meaning() -> None:
    embedder = Embedder()
    selector = open_selector(threshold=0.1, max_results=4, embed=embedder.embed)
    await selector.prewarm(FEW)
    few = await selector.choose(ASKED, FEW)
    assert (names(few.tools), few.strategy, few.why, embedder.calls) == (names(FEW), "all", "few tools", 0)
    await selector.prewarm(MANY)
    assert embedder.calls == 1
    many = await selector.choose(ASKED, MANY)
    assert (len(many.tools), many.strategy, many.why, embedder.calls) == (4, "semantic", "matched", 2)


async def test_the_threshold_is_handed_on() -> None:
    near = open_selector("semantic", threshold=0.86999, max_results=4, embed=Embedder().embed)
    assert names(await near.select(ASKED, MANY)) == ["tool3"]


@pytest.mark.parametrize(
    ("strategy", "why"), [("semantic", "no embedder"), (None, "no embedder"), ("model", "no model")]
)
async def test_a_strategy_without_its_means_offers_all_and_says_so(strategy: str | None, why: str) -> None:
    selector = open_selector(strategy)
    with capture_logs() as logs:
        await selector.prewarm(MANY)
        assert (await selector.choose(ASKED, FEW)).why == "few tools"
        assert logs == []
        selection = await selector.choose(ASKED, MANY)
    assert (list(selection.tools), selection.why) == (MANY, why)
    assert [(log["log_level"], log["reason"]) for log in logs] == [("warning", why)]


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(ValueError, match="'best'; there are all, keyword, semantic, model"):
        open_selector("best")


class Always:
    """The usual wish: some tools are always there, whatever else was chosen."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def select(self, question: str, tools: Any) -> list[Tool]:
        chosen = await self.inner.select(question, tools)
        return [tool for tool in tools if tool.name == "tool9"] + chosen


class Blocking:
    """Not written for waiting."""

    def __init__(self, inner: Any) -> None:
        del inner

    def select(self, question: str, tools: Any) -> Any:
        del question
        return (tool for tool in tools[:2])


class Scoring:
    """Tells scores and a reason of its own."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.prewarmed = 0

    async def choose(self, question: str, tools: Any) -> Selection:
        del question
        return Selection((tools[4],), {"tool4": 0.5}, "mine", "matched")

    async def prewarm(self, tools: Any) -> None:
        raise OSError(str(tools))


class Later(SemanticSelector):
    """Changes what it inherits by the short method, as one would."""

    async def select(self, question: str, tools: Any) -> list[Tool]:
        return (await super().select(question, tools))[:1]


def refusing(how: Any) -> Any:
    def select(question: str, tools: Any) -> Any:
        if isinstance(how, Exception):
            raise how
        return how(tools)

    return lambda _inner: SimpleNamespace(select=select)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of the user's own, importable under the name ``house.selectors``."""
    package, module = ModuleType("house"), ModuleType("house.selectors")
    monkeypatch.setitem(sys.modules, "house", package)
    monkeypatch.setitem(sys.modules, "house.selectors", module)
    made: Any = module
    made.Always, made.Blocking, made.Scoring = Always, Blocking, Scoring
    made.later = lambda _inner: Later(Embedder().embed, 0.1, 4)
    made.number, made.without_methods = 7, lambda _inner: object()
    made.too_many = lambda _one, _two: None
    made.bare = KeywordSelector
    return made


@pytest.mark.parametrize("strategy", ["semantic", None])
async def test_a_selector_of_ones_own_wraps_the_one_that_is_set(house: Any, strategy: str | None) -> None:
    embedder = Embedder()
    path = "house.selectors:Always"
    selector = open_selector(strategy, threshold=0.1, max_results=3, embed=embedder.embed, custom=path)
    await selector.prewarm(MANY)
    assert embedder.calls == 1
    selection = await selector.choose(ASKED, MANY)
    assert names(selection.tools) == names(await selector.select(ASKED, MANY))
    assert names(selection.tools)[:2] == ["tool9", "tool3"]
    assert 3 <= len(selection.tools) <= 4
    assert (selection.strategy, selection.why) == ("custom", "matched")
    assert selection.scores == dict.fromkeys(names(selection.tools))


async def test_it_may_be_plain_or_give_scores_or_inherit(house: Any) -> None:
    assert names(await open_selector(custom="house.selectors:Blocking").select(ASKED, MANY)) == ["tool0", "tool1"]
    scoring = open_selector(custom="house.selectors:Scoring")
    assert await scoring.choose(ASKED, MANY) == Selection((MANY[4],), {"tool4": 0.5}, "mine", "matched")
    with capture_logs() as logs:
        await scoring.prewarm(MANY)
    assert [log["reason"] for log in logs] == ["failed: OSError"]
    assert names(await open_selector(custom="house.selectors:later").select(ASKED, MANY)) == ["tool3"]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (RuntimeError("4711"), "failed: RuntimeError"),
        (lambda tools: None, "failed: TypeError"),
        (lambda tools: ["tool1"], "failed: AttributeError"),
        (lambda tools: [], "nothing matched"),
    ],
)
async def test_what_it_does_wrong_costs_no_answer(house: Any, how: Any, why: str) -> None:
    house.wrong = refusing(how)
    with capture_logs() as logs:
        selection = await open_selector(custom="house.selectors:wrong").choose(ASKED, MANY)
    assert (list(selection.tools), selection.why) == (MANY, why)
    assert [log["reason"] for log in logs] == [why]
    assert "4711" not in str(logs)


async def test_it_can_add_nothing_that_is_switched_off_and_nothing_twice(house: Any) -> None:
    """A tool that the person switched off is not in the list that a selector gets, and can't come back through it."""
    house.wide = refusing(lambda tools: [MANY[10], replace(tools[2], writes=True), tools[1], tools[2]])
    with capture_logs() as logs:
        offered = await open_selector(custom="house.selectors:wide").select(ASKED, FEW)
    assert offered == [FEW[2], FEW[1]]
    assert [log["event"] for log in logs] == ["tools selected that are not offered"]


async def test_without_tools_it_is_not_asked(house: Any) -> None:
    house.wrong = refusing(RuntimeError())
    assert await open_selector(custom="house.selectors:wrong").select(ASKED, []) == []


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("house.selectors", "write it as package.module:Name"),
        (":Always", "write it as package.module:Name"),
        ("house.selectors:", "write it as package.module:Name"),
        ("house.selectors:Always()", "write it as package.module:Name"),
        ("house.nowhere:Always", "ModuleNotFoundError: "),
        ("house.selectors:Never", "AttributeError: "),
        ("house.selectors:number", "TypeError: "),
        ("house.selectors:too_many", "TypeError: "),
        ("house.selectors:bare", "TypeError: "),
        ("house.selectors:without_methods", "what it makes has no method select"),
    ],
)
def test_a_path_without_a_selector_is_refused_at_the_start(house: Any, path: str, reason: str) -> None:
    with pytest.raises(UnusableSelector) as caught:
        open_selector(custom=path)
    assert str(caught.value).startswith(f"The selector {path} can't be used: {reason}")
    assert caught.value.path == path
