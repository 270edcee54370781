from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.text_calls import Call, has_call_markup, parse_tool_calls
from graph.text_calls.values import read_typed

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


def as_json(name, arguments):
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


def as_python(name, arguments):
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def as_gemma(value):
    if isinstance(value, str):
        return f'<|"|>{value}<|"|>'
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{as_gemma(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(as_gemma, value)) + "]"
    return json.dumps(value)


def as_written(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_dsml(name, arguments):
    tag = "｜DSML｜parameter"
    inner = "".join(
        f'<{tag} name="{key}" string="{str(isinstance(value, str)).lower()}">{as_written(value)}</{tag}>\n'
        for key, value in arguments.items()
    )
    return (
        f'<｜DSML｜function_calls>\n<｜DSML｜invoke name="{name}">\n{inner}</｜DSML｜invoke>\n</｜DSML｜function_calls>'
    )


def as_kimi_k3(name, arguments):
    inner = "".join(
        f'<|open|>argument key="{key}" type="{"string" if isinstance(value, str) else "any"}"<|sep|>{as_written(value)}'
        "<|close|>argument<|sep|>"
        for key, value in arguments.items()
    )
    return f'<|open|>call tool="{name}" index="1"<|sep|>{inner}<|close|>call<|sep|>'


def as_qwen(name, arguments):
    inner = "".join(f"<parameter={key}>\n{as_written(value)}\n</parameter>\n" for key, value in arguments.items())
    return f"<tool_call>\n<function={name}>\n{inner}</function>\n</tool_call>"


def as_glm(name, arguments):
    inner = "".join(
        f"<arg_key>{key}</arg_key>\n<arg_value>{as_written(value)}</arg_value>\n" for key, value in arguments.items()
    )
    return f"<tool_call>{name}\n{inner}</tool_call>"


OBJECTS = {
    "raw": as_json,
    "fenced": lambda name, arguments: f"```json\n{as_json(name, arguments)}\n```",
    "indented": lambda name, arguments: json.dumps({"tool": name, "parameters": arguments}, indent=2),
    "openai": lambda name, arguments: json.dumps(
        {"tool_calls": [{"type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]}
    ),
    "python dict": lambda name, arguments: repr({"tool": name, "parameters": arguments}),
    "hermes": lambda name, arguments: f"<tool_call>\n{as_json(name, arguments)}\n</tool_call>",
    "llama": lambda name, arguments: f"<|python_tag|>{as_json(name, arguments)}",
    "llama tag": lambda name, arguments: f"<function={name}>{json.dumps(arguments)}</function>",
    "mistral": lambda name, arguments: f"[TOOL_CALLS] [{as_json(name, arguments)}]",
    "mistral v11": lambda name, arguments: f"[TOOL_CALLS]{name}[ARGS]{json.dumps(arguments)}",
    "deepseek v3": lambda name, arguments: (
        f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{json.dumps(arguments)}\n```<｜tool▁call▁end｜>"
    ),
    "deepseek v3.1": lambda name, arguments: (
        f"<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{json.dumps(arguments, ensure_ascii=False)}<｜tool▁call▁end｜>"
    ),
    "kimi": lambda name, arguments: (
        f"<|tool_call_begin|>functions.{name}:0<|tool_call_argument_begin|>{json.dumps(arguments)}<|tool_call_end|>"
    ),
    "harmony": lambda name, arguments: (
        f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{json.dumps(arguments)}<|end|>"
    ),
    "granite": lambda name, arguments: f"<|tool_call|>[{as_json(name, arguments)}]",
    "phi": lambda name, arguments: f"functools[{as_json(name, arguments)}]",
    "nemotron": lambda name, arguments: f"<TOOLCALL>[{as_json(name, arguments)}]</TOOLCALL>",
    "react": lambda name, arguments: f"Action: {name}\nAction Input: {json.dumps(arguments)}\n",
    "python": lambda name, arguments: f"<|tool_call_start|>[{as_python(name, arguments)}]<|tool_call_end|>",
    "gemma": lambda name, arguments: f"<|tool_call>call:{name}{as_gemma(arguments)}<tool_call|>",
}
#: Strings that these formats can carry: they have no escapes, and what looks typed is read as typed.
TAGS = {"dsml": as_dsml, "kimi k3": as_kimi_k3, "qwen": as_qwen, "glm": as_glm}
PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<\r"), max_size=20)
UNTYPED = PLAIN.filter(lambda text: read_typed(text) == text and isinstance(read_typed(text), str))


@pytest.mark.parametrize("family", OBJECTS)
@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.dictionaries(KEY, values(TEXT.filter(lambda text: '<|"|>' not in text)), max_size=4), min_size=1, max_size=2
    )
)
def test_what_was_written_is_read_back(family, arguments):
    text = "\n".join(OBJECTS[family]("spend-sum" if family != "python" else "spend_sum", item) for item in arguments)
    assert parse_tool_calls(text, ["spend-sum"]) == [Call("spend-sum", item) for item in arguments]


@pytest.mark.parametrize("family", TAGS)
@settings(deadline=None, max_examples=25)
@given(st.lists(st.dictionaries(KEY, values(UNTYPED), max_size=4), min_size=1, max_size=3))
def test_what_was_written_in_tags_is_read_back(family, arguments):
    text = "\n".join(TAGS[family]("spend-sum", item) for item in arguments)
    assert parse_tool_calls(text, ["spend-sum"]) == [Call("spend-sum", item) for item in arguments]


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
