"""Where a call stands decides whether it is one."""

from __future__ import annotations

import pytest

from graph.text_calls import Call, parse_tool_calls

CALL = '{"tool": "sum", "parameters": {"x": 1}}'
OFFERED = ["sum", "now"]


@pytest.mark.parametrize(
    "text",
    [
        f"For example: {CALL}",
        f"For example, you could write:\n\n```json\n{CALL}\n```",
        f"for instance {CALL}",
        f"A call (e.g. {CALL}) does that.",
        f"It takes arguments such as {CALL}.",
        f"Zum Beispiel:\n```json\n{CALL}\n```",
        f"Das geht z. B. so: {CALL}",
        f"That would look like this:\n{CALL}",
        f"That would look like\n[{CALL}, {CALL}]",
        f"e.g. {CALL} or {CALL}",
        f"For example, to add one you send {CALL}",
        f"Here is an example of how to call it: {CALL}",
        f"> {CALL}",
        f"Rules:\n > ```json\n > {CALL}\n > ```",
        f"Write `{CALL}` to add.",
        f"Write ``{CALL}`` to add.",
        f"For example: <tool_call>{CALL}</tool_call>",
        "Use `<function=now></function>` for the time.",
    ],
)
def test_an_example_is_no_call(text):
    assert parse_tool_calls(text, OFFERED) == []


@pytest.mark.parametrize(
    "text",
    [
        f"I look at one case, e.g. October. {CALL}",
        f"I search shops such as Lidl:\n{CALL}",
        f"> You asked for a sum.\n\n{CALL}",
        f"The `sum` tool helps. {CALL}",
        f'For example: `{{"tool": "now"}}`. Now I do it.\n\n{CALL}',
        f"Use `a` or ```b```.\n{CALL}\nDone.",
        f"\r\n{CALL}\r\n",
        f"1. {CALL}",
        f"- {CALL}",
        f"JSON: {CALL}",
    ],
)
def test_a_call_beside_an_explanation_is_one(text):
    assert parse_tool_calls(text, OFFERED) == [Call("sum", {"x": 1})]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<think>", "</think>"),
        ("<thinking>", "</thinking>"),
        ("<Think>", "</Think>"),
        ("<thought>", "</thought>"),
        ("<reasoning>", "</reasoning>"),
        ("<seed:think>", "</seed:think>"),
        ("[THINK]", "[/THINK]"),
        ("◁think▷", "◁/think▷"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|channel>thought\n", "<channel|>"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
        ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ],
)
def test_thinking_never_calls(opening, closing):
    assert parse_tool_calls(f"{opening}{CALL}{closing}It is 5.", OFFERED) == []
    assert parse_tool_calls(f"{opening}{CALL}", OFFERED) == []
    after = parse_tool_calls(f'{opening}{CALL}{closing}<tool_call>{{"name": "now"}}</tool_call>', OFFERED)
    assert after == [Call("now", {})]
    if closing != "<|end|>":
        assert parse_tool_calls(f"{CALL}{closing}It is 5.", OFFERED) == []


def test_a_result_the_model_made_up_holds_no_call():
    text = f'<tool_call>{{"name": "now"}}</tool_call>\n<tool_response>\n{CALL}\n</tool_response>'
    assert parse_tool_calls(text, OFFERED) == [Call("now", {})]


def test_marks_of_thinking_inside_a_value_are_text():
    text = '{"tool": "sum", "parameters": {"q": "<think> a </think>"}}'
    assert parse_tool_calls(text, OFFERED) == [Call("sum", {"q": "<think> a </think>"})]
    text = '<tool_call>{"name": "sum", "arguments": {"q": "</think>"}}</tool_call>'
    assert parse_tool_calls(text, OFFERED) == [Call("sum", {"q": "</think>"})]


@pytest.mark.parametrize("text", ["", " ", "5", "null", "[]", "{}", '"sum"', "[[]]", '["sum"]', '{"sum": {"x": 1}}'])
def test_what_is_no_call_stays_an_answer(text):
    assert parse_tool_calls(text, OFFERED) == []


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "{",
        '{"',
        '{"a":',
        "(",
        "[sum(",
        "<tool_call>",
        '<tool_call>{"a',
        "<function=sum>",
        "<parameter=x>",
        "<think>",
        "</think>",
        "```",
        "{/*",
        "{'",
        "[TOOL_CALLS]sum[ARGS]{",
        "<|tool_call>call:sum{",
        "<｜tool▁call▁begin｜>sum<｜tool▁sep｜>{",
        "Action: sum\nAction Input: ",
        '{"tool":"sum"} ',
        "\\",
        '<TOOLCALL>[{"a":"</TOOLCALL>',
        "<tool_call>sum<arg_key>x</arg_key><arg_value>",
        "<function=sum><parameter=x><param name='y'>",
        "Action: sum\nAction Input: ```{\n",
        ']<]minimax[>[<invoke name="sum">]<]minimax[>[<a>',
        "<tool_response>",
        "`",
    ],
)
def test_repetition_is_survived(piece):
    parse_tool_calls(piece * 5_000, OFFERED)


def test_depth_is_capped():
    deep = '{"tool": "sum", "parameters": {"x": ' + "[" * 5_000 + "]" * 5_000 + "}}"
    assert parse_tool_calls(deep, OFFERED) == []
    mark = "]<]minimax[>["
    tags = "".join(f"{mark}<{tag}>" for tag in ["a"] * 2_000 + ["/a"] * 2_000)
    assert parse_tool_calls(f'{mark}<invoke name="sum">{tags}{mark}</invoke>', OFFERED) == []
    fine = '{"tool": "sum", "parameters": {"x": ' + "[" * 30 + "]" * 30 + "}}"
    assert parse_tool_calls(fine, OFFERED)[0].name == "sum"
