"""How models write calls: one writer for each form, from calls to text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Calls = Sequence[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Writer:
    """A form: how it writes calls, and what it can't carry.

    ``typed`` forms tell 1 from "1"; ``quoted`` ones can write any string, the others hold strings without what is in ``ends``
    and read what looks like a number as one. ``parallel`` forms stay readable where the second of two calls is cut off.
    """

    write: Callable[[Calls], str]
    typed: bool = True
    quoted: bool = True
    parallel: bool = True
    ends: tuple[str, ...] = ()


def to_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def objects(name: str, arguments: str, calls: Calls) -> list[dict[str, Any]]:
    return [{name: called, arguments: given} for called, given in calls]


def joined(form: str, between: str = "\n") -> Callable[[Calls], str]:
    """Write each call by a form with {name}, {arguments}, {at} and, for its whole object, {call}."""

    def write(calls: Calls) -> str:
        return between.join(
            form.replace("{name}", name)
            .replace("{at}", str(at))
            .replace("{call}", to_json({"name": name, "arguments": arguments}))
            .replace("{arguments}", to_json(arguments))
            for at, (name, arguments) in enumerate(calls)
        )

    return write


def listed(
    form: str, name: str = "name", arguments: str = "arguments", indent: int | None = None
) -> Callable[[Calls], str]:
    """Write all calls as one list in a form with {calls}."""
    return lambda calls: form.replace("{calls}", to_json(objects(name, arguments, calls), indent))


def openai(calls: Calls) -> str:
    functions = [{"name": name, "arguments": to_json(arguments)} for name, arguments in calls]
    return to_json(
        {"tool_calls": [{"id": f"c{at}", "type": "function", "function": one} for at, one in enumerate(functions)]}
    )


def apertus(calls: Calls) -> str:
    return f"<|tools_prefix|>{to_json([{name: arguments} for name, arguments in calls])}<|tools_suffix|>"


def python(form: str, between: str = ", ") -> Callable[[Calls], str]:
    def one(name: str, arguments: dict[str, Any]) -> str:
        return f"{name.replace('-', '_')}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"

    return lambda calls: form.replace("{calls}", between.join(one(*call) for call in calls))


def gemma_value(value: Any, quote: str) -> str:
    if isinstance(value, str):
        return quote + value + quote
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{gemma_value(item, quote)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(gemma_value(item, quote) for item in value) + "]"
    return json.dumps(value)


def gemma(opens: str, closes: str, quote: str) -> Callable[[Calls], str]:
    return lambda calls: "".join(
        f"{opens}call:{name}{gemma_value(arguments, quote)}{closes}" for name, arguments in calls
    )


def bare(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value)


def tags(outer: str, call: str, parameter: str, between: str = "\n") -> Callable[[Calls], str]:
    """Write calls as tags: ``outer`` with {calls}, ``call`` with {name}, {at} and {parameters}, ``parameter`` likewise."""

    def one(name: str, at: int, arguments: dict[str, Any]) -> str:
        parameters = "".join(
            parameter.replace("{key}", key)
            .replace("{string}", str(isinstance(value, str)).lower())
            .replace("{type}", "string" if isinstance(value, str) else "object")
            .replace("{value}", bare(value))
            for key, value in arguments.items()
        )
        return call.replace("{name}", name).replace("{at}", str(at)).replace("{parameters}", parameters)

    return lambda calls: outer.replace(
        "{calls}", between.join(one(name, at, arguments) for at, (name, arguments) in enumerate(calls, 1))
    )


def minimax_value(value: Any) -> str:
    mark = "]<]minimax[>["
    if isinstance(value, dict):
        return "".join(f"{mark}<{key}>{minimax_value(item)}{mark}</{key}>" for key, item in value.items())
    if isinstance(value, list):
        return "".join(f"{mark}<item>{minimax_value(item)}{mark}</item>" for item in value)
    return bare(value)


def minimax(calls: Calls) -> str:
    mark = "]<]minimax[>["
    inner = "".join(
        f'{mark}<invoke name="{name}">{minimax_value(arguments)}{mark}</invoke>\n' for name, arguments in calls
    )
    return f"{mark}<tool_call>\n{inner}{mark}</tool_call>"


def dsml(mark: str, outer: str, space: str) -> Callable[[Calls], str]:
    return tags(
        f"<{mark}{outer}>\n{{calls}}\n</{mark}{outer}>",
        f'<{mark}{space}invoke name="{{name}}">\n{{parameters}}</{mark}{space}invoke>',
        f'<{mark}{space}parameter name="{{key}}" string="{{string}}">{{value}}</{mark}{space}parameter>\n',
    )


PARAMETER = "<parameter={key}>\n{value}\n</parameter>\n"
INVOKE = '<invoke name="{name}">\n{parameters}</invoke>'
NAMED = '<parameter name="{key}">{value}</parameter>\n'
WRITERS = {
    "raw": Writer(joined("{call}")),
    "raw list": Writer(listed("{calls}")),
    "openai": Writer(openai, parallel=False),
    "fence": Writer(joined("```json\n{call}\n```")),
    "fenced list": Writer(listed("```json\n{calls}\n```", "tool", "parameters", 2)),
    "llama": Writer(joined('{"name": "{name}", "parameters": {arguments}}', "; ")),
    "llama python tag": Writer(
        joined('<|python_tag|>{"type": "function", "name": "{name}", "parameters": {arguments}}')
    ),
    "llama function tag": Writer(joined("<function={name}>{arguments}</function>", "")),
    "hermes": Writer(joined("<tool_call>\n{call}\n</tool_call>")),
    "hermes on one line": Writer(joined("<tool_call>{call}</tool_call>", "")),
    "hermes lines": Writer(lambda calls: f"<tool_call>\n{joined('{call}')(calls)}\n</tool_call>"),
    "qwen coder": Writer(joined("<tools>\n{call}\n</tools>")),
    "mistral list": Writer(listed("[TOOL_CALLS] {calls}")),
    "mistral": Writer(joined("[TOOL_CALLS]{name}[ARGS]{arguments}", "")),
    "mistral with ids": Writer(joined("[TOOL_CALLS]{name}[CALL_ID]a1b2c3d4{at}[ARGS]{arguments}", "")),
    "granite": Writer(listed("<|tool_call|>{calls}")),
    "granite 20b": Writer(joined("<function_call> {call}")),
    "phi": Writer(listed("functools{calls}")),
    "nemotron": Writer(listed("<TOOLCALL>{calls}</TOOLCALL>")),
    "command": Writer(listed("<|START_ACTION|>{calls}<|END_ACTION|>", "tool_name", "parameters", 4)),
    "command-r": Writer(listed("Action: ```json\n{calls}\n```", "tool_name", "parameters", 4)),
    "hunyuan": Writer(listed("<tool_calls>{calls}</tool_calls>")),
    "internlm": Writer(
        joined('<|action_start|><|plugin|>\n{"name": "{name}", "parameters": {arguments}}<|action_end|>')
    ),
    "apertus": Writer(apertus),
    "inkling": Writer(joined('<|content_invoke_tool_json|>{"name": "{name}", "args": {arguments}}<|end_message|>')),
    "functionary": Writer(joined("<|from|>assistant\n<|recipient|>{name}\n<|content|>{arguments}<|stop|>")),
    "functionary 3.2": Writer(joined(">>>{name}\n{arguments}")),
    "deepseek v3": Writer(
        joined("<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```<｜tool▁call▁end｜>")
    ),
    "deepseek v3.1": Writer(joined("<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{arguments}<｜tool▁call▁end｜>", "")),
    "kimi": Writer(
        joined("<|tool_call_begin|>functions.{name}:{at}<|tool_call_argument_begin|>{arguments}<|tool_call_end|>", "")
    ),
    "harmony": Writer(
        joined("<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{arguments}<|end|>", "")
    ),
    "harmony by role": Writer(
        joined("<|start|>assistant to=functions.{name}<|channel|>commentary json<|message|>{arguments}<|end|>", "")
    ),
    "react": Writer(joined("Thought: next\nAction: {name}\nAction Input: {arguments}")),
    "list of python": Writer(python("[{calls}]")),
    "lfm": Writer(python("<|tool_call_start|>[{calls}]<|tool_call_end|>")),
    "llama 4": Writer(python("<|python_start|>[{calls}]<|python_end|>")),
    "olmo": Writer(python("<function_calls>{calls}</function_calls>", "\n")),
    "tool code": Writer(python("```tool_code\n{calls}\n```", "\n")),
    "gemma": Writer(gemma("<|tool_call>", "<tool_call|>", '<|"|>'), ends=('<|"|>',)),
    "function gemma": Writer(gemma("<start_function_call>", "<end_function_call>", "<escape>"), ends=("<escape>",)),
    "qwen": Writer(
        tags("{calls}", "<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>", PARAMETER),
        quoted=False,
        ends=("</parameter>",),
    ),
    "qwen without tool_call": Writer(
        tags("{calls}", "<function={name}>\n{parameters}</function>", PARAMETER), quoted=False, ends=("</parameter>",)
    ),
    "seed": Writer(
        tags(
            "{calls}",
            "<seed:tool_call>\n<function={name}>\n{parameters}</function>\n</seed:tool_call>",
            "<parameter={key}>{value}</parameter>\n",
        ),
        quoted=False,
        ends=("</parameter>", "\nlines"),
    ),
    "step 3.5": Writer(
        tags(
            "{calls}",
            "<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>",
            "<parameter={key}>{value}</parameter>\n",
        ),
        typed=False,
        ends=("</parameter>", "\nlines"),
    ),
    "minimax m2": Writer(
        tags("<minimax:tool_call>\n{calls}\n</minimax:tool_call>", INVOKE, NAMED),
        typed=False,
        ends=("</parameter>", "\nlines"),
    ),
    "function calls": Writer(
        tags("<function_calls>\n{calls}\n</function_calls>", INVOKE, NAMED),
        typed=False,
        ends=("</parameter>", "\nlines"),
    ),
    "minimax m3": Writer(minimax, typed=False),
    "minicpm": Writer(
        tags("{calls}", '<function name="{name}">{parameters}</function>', '<param name="{key}">{value}</param>'),
        typed=False,
        ends=("</param>", "\nlines"),
    ),
    "minicpm with cdata": Writer(
        tags(
            "{calls}",
            '<function name="{name}">{parameters}</function>',
            '<param name="{key}"><![CDATA[{value}]]></param>',
        ),
        typed=False,
        ends=("]]>", "</param>"),
    ),
    "step 3": Writer(
        tags(
            "<｜tool_calls_begin｜>{calls}<｜tool_calls_end｜>",
            '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="{name}">{parameters}</steptml:invoke>'
            "<｜tool_call_end｜>",
            '<steptml:parameter name="{key}">{value}</steptml:parameter>',
            "<｜tool_sep｜>",
        ),
        typed=False,
        ends=("</steptml:parameter>", "\nlines"),
    ),
    "deepseek v3.2": Writer(dsml("｜DSML｜", "function_calls", ""), ends=("</｜DSML｜parameter>",)),
    "deepseek v4": Writer(dsml("｜DSML｜", "tool_calls", ""), ends=("</｜DSML｜parameter>",)),
    "deepseek v4.1": Writer(dsml("｜DSML｜", " calls", " "), ends=("</｜DSML｜ parameter>",)),
    "gigachat": Writer(dsml("｜GCML｜", "tool_calls", ""), ends=("</｜GCML｜parameter>",)),
    "kimi k3": Writer(
        tags(
            "<|open|>tools<|sep|>{calls}<|close|>tools<|sep|>",
            '<|open|>call tool="{name}" index="{at}"<|sep|>{parameters}<|close|>call<|sep|>',
            '<|open|>argument key="{key}" type="{type}"<|sep|>{value}<|close|>argument<|sep|>',
            "",
        ),
        ends=("<|close|>argument<|sep|>",),
    ),
    "glm 4.5": Writer(
        tags(
            "{calls}",
            "<tool_call>{name}\n{parameters}</tool_call>",
            "<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n",
        ),
        quoted=False,
        ends=("</arg_value>",),
    ),
    "glm 4.7": Writer(
        tags(
            "{calls}",
            "<tool_call>{name}{parameters}</tool_call>",
            "<arg_key>{key}</arg_key><arg_value>{value}</arg_value>",
            "",
        ),
        quoted=False,
        ends=("</arg_value>",),
    ),
    "longcat": Writer(
        tags(
            "{calls}",
            "<longcat_tool_call>{name}\n{parameters}</longcat_tool_call>",
            "<longcat_arg_key>{key}</longcat_arg_key>\n<longcat_arg_value>{value}</longcat_arg_value>\n",
        ),
        quoted=False,
        ends=("</longcat_arg_value>",),
    ),
    "hunyuan 3": Writer(
        tags(
            "<tool_calls:open>\n{calls}\n</tool_calls:open>",
            "<tool_call:open>{name}<tool_sep:open>\n{parameters}</tool_call:open>",
            "<arg_key:open>{key}</arg_key:open>\n<arg_value:open>{value}</arg_value:open>\n",
        ),
        quoted=False,
        ends=("</arg_value:open>",),
    ),
}
