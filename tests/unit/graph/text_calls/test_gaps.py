"""Ways in which a reader made of two patterns went wrong; each is a test here, so that ours does not."""

from __future__ import annotations

import pytest

from graph.text_calls import Call, parse_tool_calls

OFFERED = ("search", "sum")
TEA = Call("search", {"q": "tea"})

READ = {
    "a fence after prose": ('I look it up.\n```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```', [TEA]),
    "a fence that is not alone on its line": ('```json {"tool": "search", "parameters": {"q": "tea"}} ```', [TEA]),
    "a fence that is never closed": ('```json\n{"tool": "search", "parameters": {"q": "tea"}}', [TEA]),
    "a fence in a list": ('1. First:\n   ```json\n   {"tool": "search", "parameters": {"q": "tea"}}\n   ```', [TEA]),
    "a fence with another word": ('```TOOL_CALL\n{"tool": "search", "parameters": {"q": "tea"}}\n```', [TEA]),
    "code in the first fence": (
        '```python\nprint("{")\n```\nNow:\n```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```',
        [TEA],
    ),
    "an answer in the first fence": (
        '```json\n{"found": 5}\n```\n```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```',
        [TEA],
    ),
    "the end of thinking before it": (
        'So the tool is right.\n</think>\n\n{\n  "tool": "search",\n  "parameters": {\n    "q": "tea"\n  }\n}',
        [TEA],
    ),
    "no parameters": ('{"tool": "search"}', [Call("search", {})]),
    "empty parameters": ('{"tool": "search", "parameters": {}}', [Call("search", {})]),
    "objects in parameters": (
        '{"tool": "search", "parameters": {"f": {"g": {"h": [1, {"i": 2}]}}, "q": "tea"}}',
        [Call("search", {"f": {"g": {"h": [1, {"i": 2}]}}, "q": "tea"})],
    ),
    "braces in strings": ('{"tool": "search", "parameters": {"q": "}{ \\" }"}}', [Call("search", {"q": '}{ " }'})]),
    "parameters before the tool": ('{"parameters": {"q": "tea"}, "tool": "search"}', [TEA]),
    "name and arguments": ('{"name": "search", "arguments": {"q": "tea"}}', [TEA]),
    "name and parameters": ('{"name": "search", "parameters": {"q": "tea"}}', [TEA]),
    "arguments as a text": ('{"name": "search", "arguments": "{\\"q\\": \\"tea\\"}"}', [TEA]),
    "the wrappers of an interface": (
        '{"tool_calls": [{"type": "function", "function": {"name": "search", "arguments": "{\\"q\\": \\"tea\\"}"}}]}',
        [TEA],
    ),
    "Python's spelling": (
        "{'tool': 'search', 'parameters': {'q': 'tea', 'a': True, 'b': None}}",
        [Call("search", {"q": "tea", "a": True, "b": None})],
    ),
    "trailing commas": ('{"tool": "search", "parameters": {"q": "tea",},}', [TEA]),
    "values that are no strings": (
        '{"tool": "sum", "parameters": {"a": 1, "b": 1.5, "c": false, "d": null, "e": [1, 2], "f": {}}}',
        [Call("sum", {"a": 1, "b": 1.5, "c": False, "d": None, "e": [1, 2], "f": {}})],
    ),
    "a second fence": (
        '```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```\nand\n```json\n{"tool": "sum"}\n```',
        [TEA, Call("sum", {})],
    ),
    "a second object": ('{"tool": "search", "parameters": {"q": "tea"}}\n{"tool": "sum"}', [TEA, Call("sum", {})]),
    "a key of two words": (
        '<|tool_call>call:search{my key:<|"|>tea<|"|>,limit:3}<tool_call|>',
        [Call("search", {"my key": "tea", "limit": 3})],
    ),
    "Python's brackets behind Gemma's mark": ('<|tool_call>call:search(q="tea")<tool_call|>', [TEA]),
    "a tag inside CDATA": (
        '<invoke name="search"><parameter name="q"><![CDATA[a </parameter> b]]></parameter></invoke>',
        [Call("search", {"q": "a </parameter> b"})],
    ),
    "an identifier like a grouped number": (
        "<function=search><parameter=q>\n123_456\n</parameter></function>",
        [Call("search", {"q": "123_456"})],
    ),
    "a name above its arguments": ('search\n{"q": "tea"}', [TEA]),
    "two calls of Harmony, each with its recipient in the role": (
        (
            '<|start|>assistant to=functions.search<|channel|>commentary<|message|>{"q": "tea"}<|call|>'
            '<|start|>assistant to=functions.sum<|channel|>commentary<|message|>{"a": 1}<|call|>'
        ),
        [TEA, Call("sum", {"a": 1})],
    ),
    "blanks left as a tokenizer writes them": (
        '<tool_call>Ċ{"name":Ġ"search",Ġ"arguments":Ġ{"q":Ġ"tea"}}Ċ</tool_call>',
        [TEA],
    ),
    "an array": ('[{"tool": "search", "parameters": {"q": "tea"}}, {"tool": "sum"}]', [TEA, Call("sum", {})]),
}
UNREAD = {
    "thinking": '<think>\n```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```\n</think>\nIt is 5.',
    "thinking that the prompt opened": '{"tool": "search", "parameters": {"q": "tea"}}\n</think>\nIt is 5.',
    "an example": 'For example:\n```json\n{"tool": "search", "parameters": {"q": "tea"}}\n```',
    "an example in a sentence": 'You would write `{"tool": "search", "parameters": {"q": "tea"}}` for that.',
    "a message of a model to itself": (
        "<|start|>assistant to=self<|channel|>commentary<|message|>"
        '<tool_call>{"name": "search", "arguments": {"q": "tea"}}</tool_call><|end|>'
    ),
    "a tool that is not there": '{"tool": "delete_everything", "parameters": {}}',
    "an answer": 'Here it is:\n```json\n{"tool_count": 2, "parameters": {"tool": "5"}}\n```',
    "JSON that broke off": '{"tool": "search", "parameters": {"q": "te',
    "nothing": "",
    "white space": " \n\t",
    "prose about a tool": 'The "tool" is search, with "parameters" such as q.',
}


@pytest.mark.parametrize("gap", READ)
def test_a_call_is_read(gap: str) -> None:
    text, calls = READ[gap]
    assert parse_tool_calls(text, OFFERED) == calls


@pytest.mark.parametrize("gap", UNREAD)
def test_what_is_no_call_stays_an_answer(gap: str) -> None:
    assert parse_tool_calls(UNREAD[gap], OFFERED) == []
