"""Calls of MiniMax M3: tags behind a mark of their own, each parameter and each part of a value a tag by its name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.values import MAX_DEPTH, Fault
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_MARK = "]<]minimax[>["
_TAG = re.compile(r"\s*\]<\]minimax\[>\[\s*<(?P<tag>(?P<closes>/)?[^<>]{1,200})>")


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read one call: its tags are its arguments; only its own closing tag may be missing."""
    try:
        parts, end = _parts(source, match.end(), 0)
    except Fault as fault:
        return Found((), fault.at)
    closes = _TAG.match(source.text, end)
    if not (closes and closes["closes"]) and (not parts or source.text[end:].strip()):
        return Found((), end)
    name = names.resolve(match["name"])
    return Found([Call(name, dict(parts))] if name else (), end)


def _parts(source: Source, pos: int, depth: int) -> tuple[list[tuple[str, Any]], int]:
    """Return the tags from ``pos`` on with their values, and where they end."""
    parts: list[tuple[str, Any]] = []
    while (opens := _TAG.match(source.text, pos)) and not opens["closes"]:
        if depth > MAX_DEPTH:
            raise Fault(opens.end())
        inner, end = _parts(source, opens.end(), depth + 1)
        if not inner:
            end = source.find(_MARK, opens.end())
        closes = _TAG.match(source.text, end) if end >= 0 else None
        if closes is None or closes["tag"] != f"/{opens['tag']}":
            raise Fault(opens.end())
        parts.append((opens["tag"], _value(inner) if inner else source.text[opens.end() : end]))
        pos = closes.end()
    return parts, pos


def _value(parts: list[tuple[str, Any]]) -> Any:
    items = [value for key, value in parts if key == "item"]
    return items if len(items) == len(parts) else dict(parts)


def _open(_source: Source, match: re.Match[str], _names: Names) -> Found:
    return Found((), match.end())


FAMILIES = (
    Family("]", re.compile(r"\]<\]minimax\[>\[\s*<tool_call>"), _open),
    Family("]", re.compile(r"\]<\]minimax\[>\[\s*<invoke\s+name\s*=\s*\"(?P<name>[^\"<>]{1,200})\">"), _read),
)
