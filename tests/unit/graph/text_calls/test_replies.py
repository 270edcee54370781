"""A model's reply: native calls, JSON by grammar, and calls as text, with names and arguments as they were meant."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models.model import ModelReply, Usage
from graph.models.reading import ReadReply, WrittenCall, read_calls
from tools.arguments import coerce_arguments

OFFERED = ("web-search", "spending-by_month")
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}}
SPELLINGS = [
    "web-search",
    "web:search",
    "web.search",
    "web_search",
    "Web-Search",
    "functions.web_search",
]


def read(text: str = "", *native: tuple[str, Any]) -> ReadReply:
    return read_calls(ModelReply(text, native, Usage(0, 0, 0.0), "text"), OFFERED)


def search(**arguments: Any) -> tuple[WrittenCall, ...]:
    return (WrittenCall("web-search", arguments),)


@pytest.mark.parametrize(
    "written",
    [
        {"q": "tea", "n": 2},
        '{"q": "tea", "n": 2}',
        ' {"q": "tea", "n": 2,} ',
        "{'q': 'tea', 'n': 2}",
        '"{\\"q\\": \\"tea\\", \\"n\\": 2}"',
        '{"q": "tea", "n": 2 /* few */}',
    ],
)
def test_native_arguments_may_be_a_text(written: Any) -> None:
    """OpenAI's format has the arguments as a text, which servers pass on as it came."""
    assert read("", ("web-search", written)).calls == search(q="tea", n=2)


@pytest.mark.parametrize("written", [None, "", " \n", {}, "{}"])
def test_no_native_arguments_are_an_empty_object(written: Any) -> None:
    assert read("", ("web-search", written)).calls == search()


@pytest.mark.parametrize(
    "written",
    [
        '{"q": "te',
        "tea",
        "{q tea}",
        "[1, 2]",
        "5",
        '"tea"',
        '{"q": "tea"} and more',
        pytest.param("{" * 5_000, id="deep"),
    ],
)
def test_native_arguments_that_are_no_object_are_refused_with_a_reason(written: str) -> None:
    """They must not become an empty object, with which the tool would answer another question."""
    (call,) = read("", ("web-search", written)).calls
    assert call.arguments == written
    (problem,) = coerce_arguments(SCHEMA, call.arguments).problems
    assert problem.reason.startswith("the arguments must be a JSON object, not ")


@pytest.mark.parametrize("written", [[1], [{"q": "tea"}], 5, True])
def test_native_arguments_of_another_kind_stand_as_they_came(written: Any) -> None:
    assert read("", ("web-search", written)).calls == (WrittenCall("web-search", written),)


@pytest.mark.parametrize("name", SPELLINGS)
def test_names_are_those_offered_in_every_form(name: str) -> None:
    assert read("", (name, {"q": "tea"})).calls == search(q="tea")
    assert read(json.dumps({"tool": name, "arguments": {"q": "tea"}})).calls == search(q="tea")
    assert read(f'Sure: {{"name": "{name}", "arguments": {{"q": "tea"}}}}').calls == search(q="tea")


@pytest.mark.parametrize("name", ["nope", "web", "search", "", "none-such", "web-search-deep"])
def test_the_model_is_told_of_names_that_nobody_offered(name: str) -> None:
    unknown = (WrittenCall(name, {"q": "tea"}),)
    assert read("", (name, {"q": "tea"})).calls == unknown
    assert read(json.dumps({"tool": name, "arguments": {"q": "tea"}})).calls == unknown
    assert read(f'Sure: {{"name": "{name}", "arguments": {{"q": "tea"}}}}').calls == ()


def test_native_calls_win_over_text_and_keep_their_order() -> None:
    text = '{"tool": "web-search", "arguments": {"q": "text"}}'
    reply = read(text, ("spending_by_month", "{}"), ("web:search", {"q": "tea"}))
    assert reply.calls == (WrittenCall("spending-by_month", {}), *search(q="tea"))
    assert reply.form == "native"


def test_the_grammar_wins_over_text() -> None:
    text = '{"tool": "web-search", "arguments": {"q": "{\\"tool\\": \\"spending-by_month\\"}"}}'
    assert read(text) == ReadReply(search(q='{"tool": "spending-by_month"}'), "grammar")


@pytest.mark.parametrize("arguments", ['"{\\"q\\": \\"tea\\"}"', '{"q": "tea"}'])
def test_arguments_by_grammar_may_be_a_text_too(arguments: str) -> None:
    assert read(f'{{"tool": "web-search", "arguments": {arguments}}}') == ReadReply(search(q="tea"), "grammar")


def test_bad_arguments_by_grammar_are_kept_for_their_refusal() -> None:
    assert read('{"tool": "web-search", "arguments": "tea"}').calls == (WrittenCall("web-search", "tea"),)


@pytest.mark.parametrize(
    "reply",
    [
        read('{"tool": "none", "arguments": {}}'),
        read('{"tool": "None", "arguments": {}}'),
        read('```json\n{"tool": "none", "arguments": {}}\n```'),
        read("", ("none", {})),
    ],
)
def test_a_model_may_say_that_no_tool_fits(reply: ReadReply) -> None:
    assert reply.says_none
    assert not reply.calls
    assert not reply.more


@pytest.mark.parametrize(
    "text",
    [
        "You spent a lot.",
        '{"total": 5}',
        '{"tool": 5, "arguments": {}}',
        "[]",
        pytest.param("[" * 100_000, id="deep"),
        "",
    ],
)
def test_an_answer_is_no_call_and_does_not_say_none(text: str) -> None:
    assert read(text) == ReadReply((), "text")


def test_another_round_is_asked_for_in_each_form() -> None:
    assert read('{"tool": "web-search", "arguments": {}, "more": true}').more
    assert not read('{"tool": "web-search", "arguments": {}, "more": false}').more
    assert not read('{"tool": "web-search", "arguments": {}, "more": "true"}').more
    assert read('```json\n{"tool": "web-search", "arguments": {}, "more": true}\n```').more
    assert not read('```json\n{"tool": "web-search", "arguments": {}}\n```').more
    assert read("", ("web-search", {})).more
    assert not read('No tool, "more": true').more


@settings(deadline=None, max_examples=100)
@given(st.text(), st.text(max_size=8), st.none() | st.text() | st.integers() | st.lists(st.integers(), max_size=2))
def test_no_reply_raises(text: str, name: str, arguments: Any) -> None:
    for reply in (read(text), read(text, (name, arguments))):
        assert all(isinstance(call.name, str) for call in reply.calls)
