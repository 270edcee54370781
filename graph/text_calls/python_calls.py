"""Calls written as Python: ``[search(query="x", limit=3)]``, in tags, as ``tool_code``, or as the whole text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls.families import Family, Found, skip_between
from graph.text_calls.thinking import skip_thought
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from typing import Any

    from graph.text_calls.families import Names, Source

_HEAD = re.compile(r"(?!print\b)([A-Za-z_][\w.:/-]{0,200})\s*\(")
_TITLE = re.compile(r"\s*(?P<name>[\w.:/-]{1,200})[ \t]*\r?\n\s*(?=\{)")
_BETWEEN = re.compile(r"(?:[\s,;\]]|\[(?!/)|print\s*\(|tool_code\s*=(?!=)|\)(?=\s*(?:$|[\n<`])))*+")


def read_calls(source: Source, pos: int, names: Names) -> Found | None:
    """Return the calls that stand one after another at ``pos``, or None if there is none."""
    calls: list[Call] = []
    seen = False
    while True:
        end, pos = pos, skip_between(_BETWEEN, source.text, pos)
        head = _HEAD.match(source.text, pos)
        if not head:
            end = end if "[" in source.text[end:pos] else pos  # another mark may start there
            return Found(calls, end) if seen else None
        try:
            arguments, pos = _arguments(source.text, head.end())
        except Fault as fault:
            return Found(calls, skip_thought(source.text, pos, fault.at)) if seen else None
        seen = True
        if name := names.resolve(head[1]):
            calls.append(Call(name, arguments))


def read_whole(source: Source, pos: int, names: Names) -> list[Call]:
    """Return the calls that are all of the text from ``pos`` on, in Python or below a line with the name."""
    found = read_calls(source, pos, names) or _read_headed(source.text, pos, names)
    return list(found.calls) if found and found.end >= len(source.text.rstrip()) else []


def _read_headed(text: str, pos: int, names: Names) -> Found | None:
    """Read a name on a line of its own, and the object of arguments on the next."""
    head = _TITLE.match(text, pos)
    name = names.resolve(head["name"]) if head else None
    if head is None or name is None:
        return None
    try:
        arguments, end = Scanner(text).object(head.end())
    except Fault:
        return None
    return Found([Call(name, arguments)], end)


def _arguments(text: str, pos: int) -> tuple[dict[str, Any], int]:
    scanner = Scanner(text)
    pos = scanner.skip(pos)
    if not text.startswith("{", pos):
        return scanner.members(pos, ")", "=")
    arguments, pos = scanner.object(pos)
    pos = scanner.skip(pos)
    if not text.startswith(")", pos):
        raise Fault(pos)
    return arguments, pos + 1


def _read_list(source: Source, match: re.Match[str], names: Names) -> Found | None:
    """Read a bare list, which counts only as a whole: prose has brackets too. After a marked list it is an echo."""
    pos = match.end()
    if 0 <= source.find("<|tool_call_end|>", 0) < match.start():
        return Found((), pos)
    calls: list[Call] = []
    scanner = Scanner(source.text)
    while head := _HEAD.match(source.text, pos):
        try:
            arguments, pos = _arguments(source.text, head.end())
        except Fault as fault:
            return Found((), max(fault.at, match.end()))
        if name := names.resolve(head[1]):
            calls.append(Call(name, arguments))
        pos = scanner.skip(pos)
        if pos >= len(source.text) or source.text.startswith(("]", "<", "```"), pos):
            return Found(calls, pos)
        if source.text[pos] != ",":
            break
        pos = scanner.skip(pos + 1)
    return Found((), max(pos, match.end()))


def _read_tool_code(source: Source, match: re.Match[str], names: Names) -> Found | None:
    return read_calls(source, match.end(), names)


_BARE_LIST = re.compile(rf"\[\s*(?={_HEAD.pattern})")
_ANNOUNCED = re.compile(r"\[\s*call(?:ing)? tools?:\s*", re.IGNORECASE)

FAMILIES = (
    Family("t", re.compile(r"tool_code\s*=\s*"), _read_tool_code),
    Family("[", _ANNOUNCED, _read_tool_code),
    Family("[", _BARE_LIST, _read_list, markup=False),
)
