"""What holds for every form in which models write calls."""

from __future__ import annotations

from typing import Any

import pytest

from graph.text_calls import Call, has_call_markup, parse_tool_calls
from graph.text_calls.values import read_typed
from tests.support.tables import every
from tests.unit.graph.text_calls.writers import WRITERS, Writer

OFFERED = ("web-search", "sum", "now", "echo")
ECHO, NOW = ("echo", {"text": "z"}), ("now", {})
STRINGS = [
    *("", " ", "  padded ", "two\nlines", "\nlines around\n", "tab\there", "C:\\new\\table", "100 %", "1 < 2 && 3 > 2"),
    *("日本 🌸 é", "مرحبا", 'he said "hi"', "it's", "“quoted”", "`code`", "a } b", "a ] b", "a ) b", "{", "[", "("),
    *(
        "// no comment",
        "/* none */",
        "# none",
        "a, b=c",
        "&amp;",
        "<b>bold</b>",
        "null",
        "True",
        "123",
        "-0.5",
        "[1, 2]",
    ),
    *('{"a": 1}', '{"name": "now", "arguments": {}}', "e.g. this", 'for example {"tool": "now"}', "> quoted"),
    *("<tool_call>", "</tool_call>", "<function=now>", "</function>", "</parameter>", "</arg_value>", "<arg_key>"),
    *("[TOOL_CALLS]now[ARGS]{}", "<｜tool▁call▁end｜>", "<|tool_call_end|>", '```json\n{"tool": "now"}\n```', "]]>"),
    *(
        "<think>x</think>",
        "[THINK]x[/THINK]",
        "<|channel|>x",
        "Observation: x",
        "Action: now\nAction Input: {}",
        "now()",
    ),
]
NESTED: dict[str, Any] = {
    "a": 1,
    "b": -2.5,
    "c": True,
    "d": None,
    "e": [1, [2, {"f": "g"}], []],
    "h": {"i": {"j": [False]}, "k": {}},
    "l": 1e-05,
    "m": "plain text",
    "n": "2026-10-01",
    "o": "3 apples",
    "p": 10**12,
}

every_form = every("form", WRITERS.values())


def read(text: str) -> list[Call]:
    return parse_tool_calls(text, OFFERED)


def same(calls: list[Call], *expected: tuple[str, dict[str, Any]]) -> bool:
    """Compare with types: 1 is neither 1.0 nor true."""
    return repr(calls) == repr([Call(name, arguments) for name, arguments in expected])


def carries(form: Writer, text: str) -> bool:
    if any(mark in text for mark in form.ends):
        return False
    return form.quoted or (isinstance(read_typed(text), str) and text != "<arg_key>")


@every_form
@pytest.mark.parametrize("before", ["", "Let me look.\n"])
def test_any_string_is_kept(form: Writer, before: str) -> None:
    for text in filter(lambda text: carries(form, text), STRINGS):
        assert same(read(before + form.write([("echo", {"text": text})])), ("echo", {"text": text})), text


@every_form
def test_values_keep_their_types(form: Writer) -> None:
    if form.typed:
        assert same(read(form.write([("echo", NESTED)])), ("echo", NESTED))
    else:  # the tool's schema will tell
        assert same(read(form.write([("echo", {"n": 1, "s": "x"})])), ("echo", {"n": "1", "s": "x"}))


@every_form
def test_several_calls_come_in_order(form: Writer) -> None:
    assert same(read(form.write([NOW])), NOW)
    assert same(read(form.write([NOW, NOW])), NOW, NOW)
    assert same(
        read(form.write([ECHO, NOW, ("web-search", {"q": "tea", "n": "x"})])),
        ECHO,
        NOW,
        ("web-search", {"q": "tea", "n": "x"}),
    )


@every_form
@pytest.mark.parametrize(
    "wrapped", ["I look it up:\n{}", "{}\nThat should do.", "\r\n\r\n  {}  \r\n", "{}</s>", "{}<|im_end|>"]
)
def test_words_and_tokens_around_calls_do_not_matter(form: Writer, wrapped: str) -> None:
    assert same(read(wrapped.replace("{}", form.write([ECHO, NOW]))), ECHO, NOW)
    assert has_call_markup(wrapped.replace("{}", form.write([ECHO]))) or form is WRITERS["list of python"]


@every_form
def test_line_ends_do_not_matter(form: Writer) -> None:
    assert same(read(form.write([ECHO, NOW]).replace("\n", "\r\n")), ECHO, NOW)


@every_form
@pytest.mark.parametrize("opening", ["<think>", ""], ids=["opened", "opened by the prompt"])
def test_thinking_before_a_call_calls_nothing(form: Writer, opening: str) -> None:
    """Servers strip the opening tag, or a template writes it: the closing one alone makes all before it thinking."""
    thought = f"{opening}I may {form.write([NOW, ECHO])}"
    assert read(f"{thought}\n</think>\n\nDone.") == []
    assert same(read(f"{thought}\n</think>\n\n{form.write([ECHO])}"), ECHO)


@every_form
def test_only_offered_tools_are_called(form: Writer) -> None:
    assert read(form.write([("delete", {"x": "1"}), ("drop", {})])) == []
    assert same(read(form.write([("delete", {"x": "1"}), ECHO])), ECHO)


@every_form
@pytest.mark.parametrize("written", ["web_search", "web:search", "web.search", "Web-Search", "web/search"])
def test_a_name_is_known_by_its_words(form: Writer, written: str) -> None:
    assert same(read(form.write([(written, {"q": "tea"})])), ("web-search", {"q": "tea"}))


@every_form
def test_a_call_cut_off_inside_a_value_is_none(form: Writer) -> None:
    cut = form.write([("echo", {"text": "hello there"})]).partition("hello")[0] + "hel"
    assert read(cut) == []
    cut = form.write([ECHO, ("echo", {"text": "hello there"})]).partition("hello")[0] + "hel"
    assert same(read(cut), *([ECHO] if form.parallel else []))


@every_form
def test_no_beginning_of_a_call_is_another_call(form: Writer) -> None:
    text = form.write([("echo", {"text": "a long value"})])
    written = text.index("a long value") + len("a long value")
    # an empty input is how a tool without arguments is called there
    nothing = [[], [Call("echo", {})]] if form is WRITERS["react"] else [[]]
    assert all(read(text[:end]) in nothing for end in range(written))
    assert all(read(text[:end]) in ([], [Call("echo", {"text": "a long value"})]) for end in range(written, len(text)))


@every_form
@pytest.mark.parametrize(
    "shown", ["For example: {}", "For example:\n\n{}", "You could write, e.g.\n```\n{}\n```", "An example would be {}"]
)
def test_an_example_is_no_call(form: Writer, shown: str) -> None:
    assert read(shown.replace("{}", form.write([ECHO]))) == []


@every_form
def test_a_quoted_call_is_none(form: Writer) -> None:
    assert read("> " + form.write([ECHO]).replace("\n", "\n> ")) == []
    if "```" not in form.write([ECHO]):
        assert read(f"You write `{form.write([ECHO])}` for that.".replace("\n", " ")) == []
