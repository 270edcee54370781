"""Selection by keywords: whole words and phrases, in English and German."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from tools.registry import Tool
from tools.selection import KeywordSelector

SCHEMA: dict[str, Any] = {"type": "function", "function": {"name": "any", "parameters": {}}}


def made(name: str, *keywords: str, **more: Any) -> Tool:
    return Tool(name, made, SCHEMA, keywords=keywords, **more)


@pytest.mark.parametrize(
    ("keyword", "question"),
    [
        ("stop", "Stop!"),
        ("stop", "it stops, then starts"),
        ("look for", "Please look for coffee"),
        ("look for", "LOOK  FOR it"),
        ("how many", "and how many?"),
        ("category", "Which categories are there?"),
        ("expenses", "my biggest expense"),
        ("Café", "any cafe nearby"),
        ("naive", "that was naïve"),
        ("Ausgaben", "meine ausgaben im Mai"),
        ("Ausgaben", "Jede Ausgabe über 50"),
        ("Ausgaben", "Monatsausgaben bitte"),
        ("Übersicht", "monatsuebersicht für Mai"),
        ("Händler", "beim Online-Haendler"),
        ("größte", "die groesste Buchung"),
        ("Straße", "in der STRASSE"),
        ("e-mail", "write an e-mail"),
        ("vs", "Rewe vs. Aldi"),
        ("%", "how many % is rent"),
        ("€", "all over 50€"),
        ("merchant's", "the merchants I like"),
    ],
)
async def test_a_keyword_is_found_as_a_whole_word_or_phrase(keyword: str, question: str) -> None:
    selection = await KeywordSelector().choose(question, [made("wanted", keyword), made("other", "zebra")])
    assert ([tool.name for tool in selection.tools], selection.why) == (["wanted"], "matched")


@pytest.mark.parametrize(
    ("keyword", "question"),
    [
        ("stop", "a stopwatch"),
        ("stop", "nonstop music"),
        ("stop", "a backstop"),
        ("watch", "a stopwatch"),
        ("at", "what is that"),
        ("car", "my card"),
        ("cat", "by category"),
        ("art", "start the party"),
        ("look for", "look at it for me"),
        ("how many", "how not many"),
        ("look for", "for a look"),
        ("Daten", "die Soldaten"),
        ("Ausgaben", "die Ausgabenseite"),
        ("%", "how many percent"),
        ("", "anything"),
        ("  ", "any  thing"),
    ],
)
async def test_a_keyword_is_not_found_within_a_word_or_in_pieces(keyword: str, question: str) -> None:
    tools = [made("other", keyword), made("sure", question)]
    assert [tool.name for tool in await KeywordSelector().select(question, tools)] == ["sure"]


async def test_tools_without_keywords_come_along_in_the_order_of_the_tools() -> None:
    tools = [made("a", "refund"), made("b"), made("c", "parcel"), made("d"), made("e", "money", "REFUND")]
    selection = await KeywordSelector().choose("A refund, please", tools)
    assert [tool.name for tool in selection.tools] == ["a", "b", "d", "e"]
    assert selection.scores == dict.fromkeys("abde")
    assert selection.strategy == "keyword"


@pytest.mark.parametrize("tools", [[made("a", "refund"), made("b")], [made("a"), made("b")]])
async def test_when_nothing_is_found_everything_is_offered(tools: list[Tool]) -> None:
    with capture_logs() as logs:
        selection = await KeywordSelector().choose("Where is my parcel 4711?", tools)
    assert (list(selection.tools), selection.why) == (tools, "nothing matched")
    assert [(log["strategy"], log["reason"]) for log in logs] == [("keyword", "nothing matched")]
    assert "4711" not in str(logs)


async def test_no_tools_are_no_news() -> None:
    with capture_logs() as logs:
        assert await KeywordSelector().select("anything", []) == []
    assert logs == []


async def test_words_of_names_and_examples_do_not_count() -> None:
    tools = [made("order-search", "find", examples=("Where is my parcel?",)), made("order-cancel", "parcel")]
    assert [tool.name for tool in await KeywordSelector().select("search my parcel", tools)] == ["order-cancel"]


@settings(deadline=None)
@given(st.text(max_size=40), st.lists(st.text(max_size=10), max_size=3))
async def test_any_question_and_keywords_offer_something(question: str, keywords: list[str]) -> None:
    tools = [made("a", *keywords), made("b", "refund")]
    offered = await KeywordSelector().select(question, tools)
    assert offered
    assert all(tool in tools for tool in offered)
