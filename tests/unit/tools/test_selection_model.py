"""Selection by a model: what it is asked, how its answer is read, and what happens when it gives none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tools.errors import UnreadableNames
from tools.registry import Tool
from tools.selection import KeywordSelector, ModelSelector
from tools.selection.model import read_names

ASKED = "What did order 4711 cost?"


def made(name: str, description: str = "", **more: Any) -> Tool:
    schema = {"type": "function", "function": {"name": name, "description": description, "parameters": {}}}
    return Tool(name, made, schema, **more)


TOOLS = [
    made("web-search", "Search the web.\n\nWith a secret recipe."),
    made("orders-find_all", "Find orders."),
    made("orders-refund", "Refund an order.", keywords=("cost",)),
]


def saying(answer: str | Exception, asked: list[str] | None = None) -> Any:
    async def ask(prompt: str) -> str:
        if asked is not None:
            asked.append(prompt)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ('["orders-refund", "web-search"]', ["orders-refund", "web-search"]),
        ('Sure: ```json\n["web-search"]\n```', ["web-search"]),
        ('{"tools": ["web-search"]}', ["web-search"]),
        ('[{"name": "web-search"}, {"tool": "orders-refund", "why": "money"}]', ["web-search", "orders-refund"]),
        ("['web-search', 'orders-refund']", ["web-search", "orders-refund"]),
        ("[web-search, orders-refund]", ["web-search", "orders-refund"]),
        ('["web-search",]', ["web-search"]),
        ("web-search\norders-refund", ["web-search", "orders-refund"]),
        ("1. `web-search`\n2) **orders-refund**: gives money back", ["web-search", "orders-refund"]),
        ("- web-search - looks things up\n- orders-refund (money)", ["web-search", "orders-refund"]),
        ("I would take these:\nweb-search", ["web-search"]),
        ('<think>not ["orders-refund"]</think>["web-search"]', ["web-search"]),
        ('["web:search", "orders.find_all", "orders_refund"]', ["web-search", "orders-find_all", "orders-refund"]),
        ('["web-search-search", "Orders-Refund"]', ["web-search", "orders-refund"]),
        ('["web-search", "web:search", "orders-refund"]', ["web-search", "orders-refund"]),
        ('["weather", "web-search"]', ["web-search"]),
    ],
)
async def test_named_tools_are_offered_in_the_order_of_the_answer(answer: str, chosen: list[str]) -> None:
    selection = await ModelSelector(saying(answer)).choose(ASKED, TOOLS)
    assert [tool.name for tool in selection.tools] == chosen
    assert selection.scores == dict.fromkeys(chosen)
    assert (selection.strategy, selection.why) == ("model", "matched")


async def test_no_more_than_the_maximum() -> None:
    selector = ModelSelector(saying('["web-search", "orders-refund", "orders-find_all"]'), max_results=2)
    assert [tool.name for tool in await selector.select(ASKED, TOOLS)] == ["web-search", "orders-refund"]


async def test_the_model_reads_names_first_lines_and_the_question() -> None:
    asked: list[str] = []
    await ModelSelector(saying("[]", asked), max_results=7).select("Is {this} [it]?", TOOLS)
    (prompt,) = asked
    assert "- web-search: Search the web.\n- orders-find_all: Find orders.\n" in prompt
    assert "secret recipe" not in prompt
    assert "at most 7 " in prompt
    assert prompt.endswith("Question: Is {this} [it]?")


@pytest.mark.parametrize("answer", ["[]", '{"tools": []}', '["weather"]', "none", "```json\n[]\n```"])
async def test_no_tool_is_an_answer_that_offers_all(answer: str) -> None:
    """Whether none fits is decided where the schemas are known; a wrong none here could not be mended."""
    with capture_logs() as logs:
        selection = await ModelSelector(saying(answer)).choose(ASKED, TOOLS)
    assert (list(selection.tools), selection.why) == (TOOLS, "nothing matched")
    assert logs[-1]["reason"] == "nothing matched"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (TimeoutError("4711"), "failed: TimeoutError"),
        ("", "failed: UnreadableNames"),
        ("I am sorry, but I can't help you with order 4711.", "failed: UnreadableNames"),
        ("<think>web-search or", "failed: UnreadableNames"),
    ],
)
async def test_without_an_answer_all_are_offered_and_the_log_quotes_nobody(answer: Any, why: str) -> None:
    with capture_logs() as logs:
        selection = await ModelSelector(saying(answer)).choose(ASKED, TOOLS)
    assert (list(selection.tools), selection.why) == (TOOLS, why)
    assert [(log["log_level"], log["reason"]) for log in logs] == [("warning", why)]
    assert "4711" not in str(logs)


async def test_unknown_names_are_dropped_and_counted_in_the_log() -> None:
    with capture_logs() as logs:
        await ModelSelector(saying('["order 4711", "web-search", "weather"]')).select(ASKED, TOOLS)
    assert [(log["event"], log["unknown"]) for log in logs] == [("unknown tools named", 2)]
    assert "4711" not in str(logs)


async def test_another_selector_may_stand_in() -> None:
    selection = await ModelSelector(saying(OSError()), fallback=KeywordSelector()).choose("the cost", TOOLS)
    assert selection.why == "failed: OSError"
    assert [tool.name for tool in selection.tools] == ["web-search", "orders-find_all", "orders-refund"]
    narrowed = [*TOOLS[1:], made("third", keywords=("zebra",))]
    selection = await ModelSelector(saying(OSError()), fallback=KeywordSelector()).choose("the cost", narrowed)
    assert [tool.name for tool in selection.tools] == ["orders-find_all", "orders-refund"]


@pytest.mark.parametrize("tools", [[], TOOLS[:1]])
async def test_a_model_is_not_asked_where_there_is_no_choice(tools: list[Tool]) -> None:
    asked: list[str] = []
    assert await ModelSelector(saying("[]", asked)).select(ASKED, tools) == tools
    assert asked == []


@settings(deadline=None)
@given(st.text() | st.text(alphabet='[]{}",:-\n abc'))
async def test_any_answer_offers_some_of_the_tools(answer: str) -> None:
    offered = await ModelSelector(saying(answer)).select(ASKED, TOOLS)
    assert offered
    assert all(tool in TOOLS for tool in offered)


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{1,8}-[a-z_]{1,8}", fullmatch=True), min_size=1, max_size=5))
def test_names_are_read_back_from_every_usual_form(names: list[str]) -> None:
    quoted = ", ".join(f'"{name}"' for name in names)
    forms = [f"[{quoted}]", "\n".join(names), "\n".join(f"- {name}: why" for name in names), f"[{', '.join(names)}]"]
    assert [read_names(form) for form in forms] == [names] * len(forms)


@pytest.mark.parametrize("answer", ["[" * 20_000, '{"a":' * 9000, "x" * 30_000, "x " * 15_000])
def test_an_endless_answer_holds_no_names(answer: str) -> None:
    """Neither recursion nor time runs away."""
    with pytest.raises(UnreadableNames):
        read_names(answer)
