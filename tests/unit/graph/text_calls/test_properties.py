from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.text_calls import Call, has_call_markup, parse_tool_calls
from graph.text_calls.values import read_typed
from tests.unit.graph.text_calls.writers import WRITERS

DATA = Path(__file__).parents[3] / "data" / "text_calls"
WILD = [json.loads(line) for line in (DATA / "text_calls_wild.jsonl").read_text(encoding="utf-8").splitlines()]
TEXTS = [case["text"] for case in WILD if case["text"]]
OFFERED = sorted({name for case in WILD for name in case["offered"]})
MARKS = [
    "<think>",
    "</think>",
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "```",
    "<tool_call>",
    "</tool_call>",
    "`",
    "\n",
    "> ",
    ",",
    "\\",
]

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<\r]"), max_size=20)
KEY = st.text("abcxyz_", max_size=6).map(lambda text: "k" + text)


def values(text=TEXT, key=KEY):
    numbers = st.integers(-(10**12), 10**12) | st.floats(allow_nan=False, allow_infinity=False)
    return st.recursive(
        st.none() | st.booleans() | numbers | text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(key, inner, max_size=3),
        max_leaves=6,
    )


def check(text):
    """Whatever the text: only offered names, arguments by name, and all of it expressible as JSON."""
    calls = parse_tool_calls(text, OFFERED)
    for call in calls:
        assert call.name in OFFERED
        assert isinstance(call.arguments, dict)
        assert all(isinstance(key, str) for key in call.arguments)
        assert json.loads(json.dumps(call.arguments, allow_nan=False)) == call.arguments
    assert isinstance(has_call_markup(text), bool)
    return calls


@pytest.mark.parametrize("corpus", sorted((DATA / "corpus").glob("*.jsonl")), ids=lambda path: path.name)
def test_what_the_fuzzer_kept(corpus):
    lines = corpus.read_text(encoding="ascii").splitlines()
    assert lines
    for line in lines:
        check(json.loads(line))


@settings(deadline=None, max_examples=150)
@given(st.text())
def test_any_text(text):
    check(text)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(TEXTS) | st.sampled_from(MARKS) | st.text(max_size=8), max_size=6))
def test_joined_texts(pieces):
    check("".join(pieces))


@settings(deadline=None, max_examples=250)
@given(st.sampled_from(TEXTS), st.data())
def test_cut_and_patched_texts(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    check(text[:start] + data.draw(st.sampled_from(MARKS) | st.text(max_size=3)) + text[end:])
    check(text[:start])
    check(text[start:])


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
def test_nothing_in_open_thinking_is_a_call(first, second):
    inside = (first + second).replace("</think>", "")
    assert parse_tool_calls("<think>" + inside, OFFERED) == []


def texts(form):
    """Strings that a form can carry: where it has no escapes none with its marks, and none that reads as a number."""
    if not form.ends:
        return TEXT
    plain = PLAIN if form.typed else PLAIN.filter(lambda text: not text.startswith("\n"))
    return plain if form.quoted else plain.filter(lambda text: isinstance(read_typed(text), str))


@pytest.mark.parametrize("form", WRITERS.values(), ids=WRITERS)
@settings(deadline=None, max_examples=6)
@given(st.data())
def test_what_was_written_is_read_back(form, data):
    one = st.dictionaries(KEY, values(texts(form)) if form.typed else texts(form), max_size=4)
    arguments = data.draw(st.lists(one, min_size=1, max_size=2))
    text = form.write([("spend-sum", each) for each in arguments])
    assert parse_tool_calls(text, ["spend-sum"]) == [Call("spend-sum", each) for each in arguments]


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([text for text in TEXTS if "think" not in text.casefold()]), st.data())
def test_nothing_before_the_end_of_thinking_is_a_call(text, data):
    """Where the opening mark is the template's, only the closing one is in the text."""
    cut = text[: data.draw(st.integers(len(text) // 2, len(text)))]
    closing = data.draw(st.sampled_from(["</think>", "[/THINK]", "◁/think▷", "<|END_THINKING|>"]))
    assert parse_tool_calls(f"{cut}\n{closing}\nDone.", OFFERED) == []


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(KEY, values(), min_size=1, max_size=3), st.data())
def test_a_cut_call_is_whole_or_none(arguments, data):
    """Only closers may be missing: no prefix yields a value that was not written to its end."""
    text = json.dumps({"tool": "sum", "parameters": arguments})
    cut = text[: data.draw(st.integers(0, len(text)))]
    for call in parse_tool_calls(cut, ["sum"]):
        assert json.loads(json.dumps(call.arguments)) == json.loads(_closed(cut)).get("parameters", {})


def _closed(cut):
    """Close what is open, by counting brackets outside strings."""
    stack, quoted, escaped = [], False, False
    for mark in cut:
        if quoted:
            quoted, escaped = (mark != '"' or escaped), mark == "\\" and not escaped
        elif mark == '"':
            quoted = True
        elif mark in "{[":
            stack.append("}" if mark == "{" else "]")
        elif mark in "}]":
            stack.pop()
    return cut + "".join(reversed(stack))
