"""Calls written as JSON objects, alone, in arrays, in fences, in tags, and inside the wrappers of common APIs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import MAX_REPAIR, Family, Found, skip_between
from graph.text_calls.quotes import StrayQuoteScanner
from graph.text_calls.thinking import ENDS_THINKING, skip_thought
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

NAME_KEYS = ("tool_name", "toolName", "tool", "function_name", "function", "name", "action", "recipient_name")
ARGUMENT_KEYS = (
    "parameters",
    "arguments",
    "args",
    "input",
    "action_input",
    "kwargs",
    "params",
    "tool_input",
    "tool_args",
)
_WRAPPERS = (
    *("tool_calls", "tool_call", "function_call", "tool_uses", "calls", "function", "tool", "action"),
    *("toolCalls", "toolCall", "functionCall"),
)
_TEXT_KEYS = frozenset({"input", "action_input", "tool_input"})
_BESIDE_NAME = frozenset({"id", "type", "index", "call_id", "tool_call_id"})
_BETWEEN = re.compile(r"(?:[\s,;\]]|\[(?!/))*+")


def calls_in(value: Any, names: Names, depth: int = 0) -> list[Call]:
    """Return the calls that a JSON value is; a value that merely contains one is none."""
    if isinstance(value, list):
        return [call for item in value for call in calls_in(item, names, depth + 1)] if depth < 4 else []
    if not isinstance(value, dict):
        return []
    for wrapper in _WRAPPERS:
        inner = value.get(wrapper)
        if inner and depth < 4 and isinstance(inner, (dict, list)):
            return calls_in(inner, names, depth + 1)
    return _call_of(value, names)


def _call_of(value: dict[str, Any], names: Names) -> list[Call]:
    """Return the call that an object is by its own keys."""
    key = next((key for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    name = names.resolve(value[key]) if key else None
    if key is None or name is None:
        return []
    arguments = _arguments(value, key)
    return [] if arguments is None else [Call(name, arguments)]


def read_arguments(written: str) -> dict[str, Any] | None:
    """Return the arguments that a string holds as JSON, or None."""
    scanner = Scanner(written)
    try:
        arguments, end = scanner.object(scanner.skip(0))
    except Fault:
        return None
    return arguments if scanner.skip(end) >= len(written) else None


def read_enveloped(source: Source, pos: int, tag: str | None, names: Names) -> Found:
    """Return the calls of the objects between a family's tags, mending what the closing ``tag`` bounds."""
    calls: list[Call] = []
    while True:
        end, pos = pos, skip_between(_BETWEEN, source.text, pos)
        if not source.text.startswith("{", pos):
            return Found(calls, end if "[" in source.text[end:pos] else pos)  # another mark may start there
        try:
            value, pos = Scanner(source.text).object(pos)
        except Fault as fault:
            mended = _mend(source, pos, tag) if tag else None
            if mended is None:
                return Found(calls, skip_thought(source.text, pos, fault.at))
            value, pos = mended
        calls += _whole(calls_in(value, names) or _calls_by_key(value, names), source, pos)


def _whole(calls: list[Call], source: Source, end: int) -> list[Call]:
    """Leave out a last call of which the text holds no more than the name."""
    cut = end >= len(source.text) and not source.text.endswith(("}", "]"))
    return calls[:-1] if cut and calls and not calls[-1].arguments else calls


def _calls_by_key(value: dict[str, Any], names: Names) -> list[Call]:
    """Return the call that ``{"name": {…}}`` is, as Apertus writes it; only tags make this a call."""
    [(key, arguments)] = value.items() if len(value) == 1 else [("", None)]
    name = names.resolve(key)
    return [Call(name, arguments)] if name and isinstance(arguments, dict) else []


def _arguments(value: dict[str, Any], name_key: str) -> dict[str, Any] | None:
    key = _argument_key(value, name_key)
    if key is None:
        return _arguments_beside(name_key, value)
    written = value[key]
    if isinstance(written, dict):
        describes = written.get("type") == "object" and isinstance(written.get("properties"), dict)
        return None if describes else written  # the tool's own schema, repeated, is no call
    if written is None or written in ("", []):
        return {}
    if not isinstance(written, str):
        return None
    arguments = read_arguments(written)
    return {"input": written} if arguments is None and key in _TEXT_KEYS else arguments


def _argument_key(value: dict[str, Any], name_key: str) -> str | None:
    """Return the key that holds the arguments, one that is not empty rather than the first."""
    keys = [key for key in ARGUMENT_KEYS if key in value and key != name_key]
    return next((key for key in keys if value[key]), keys[0] if keys else None)


def _arguments_beside(name_key: str, value: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments that stand beside the name, under no key of their own."""
    rest = {key: item for key, item in value.items() if key != name_key and key not in _BESIDE_NAME}
    return None if rest and name_key in {"name", "action"} else rest


def _mend(source: Source, pos: int, tag: str) -> tuple[dict[str, Any], int] | None:
    bound = source.text.find(f"</{tag}>", pos, pos + MAX_REPAIR)
    if bound < 0 or source.text.find(f"<{tag}>", pos, bound) >= 0:  # no end, or that of a later call
        return None
    if ENDS_THINKING.search(source.text, pos, bound):
        return None
    for scanner in (Scanner(source.text, bound, closed=True), StrayQuoteScanner(source.text, bound)):
        try:
            value, _ = scanner.object(pos)
        except Fault:
            continue
        return value, bound
    return None


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    try:
        value, end = Scanner(source.text).object(match.start())
    except Fault as fault:
        return Found((), fault.at)
    return Found(_whole(calls_in(value, names), source, end), end)


FAMILY = Family("{", re.compile(r"\{(?=\s*[\"'“”„‘’<\w$/#])"), _read, markup=False)
