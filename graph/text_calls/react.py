"""Calls of prompted agents: ``Action:`` and ``Action Input:`` lines, or ``<tool>`` and ``<tool_input>``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.objects import read_arguments
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_OPENS = re.compile(
    r"Action(?:[ \t]*\d{1,3})?\**[ \t]*:[ \t*]*(?P<name>[^\s:][^\n:]{0,200}?)[ \t]*\r?\n"
    r"\s*\**Action[ \t]+Input(?:[ \t]*\d{1,3})?\**[ \t]*:\**[ \t]*"
)
_ENDS = re.compile(r"^[ \t]*\**(?:(?P<observed>Observation)|Thought|Action|Final Answer)\b[^\n:]{0,20}:", re.MULTILINE)
_FENCE = re.compile(r"\s*```\w{0,20}\s*(\{.*\})\s*```\s*", re.DOTALL)


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read one action; what follows an observation the model invented is not read."""
    text = source.text
    ends = _ENDS.search(text, match.end())
    end = ends.start() if ends else len(text)
    name = names.resolve(match["name"].strip("[]"))
    calls = [Call(name, _input(text[match.end() : end]))] if name else []
    return Found(calls, len(text) if ends and ends["observed"] else end)


def _input(written: str) -> dict[str, Any]:
    fenced = _FENCE.fullmatch(written)
    arguments = read_arguments(fenced[1] if fenced else written)
    if arguments is not None:
        return arguments
    text = written.strip().strip('"')
    return {"input": text} if text and text not in {"None", "null", "N/A"} else {}


def _read_tool_input(source: Source, match: re.Match[str], names: Names) -> Found:
    end = source.find("</tool_input>", match.end())  # servers stop a model there, so the tag itself may be missing
    end = len(source.text) if end < 0 else end
    name = names.resolve(match["name"])
    return Found([Call(name, _input(source.text[match.end() : end]))] if name else (), end)


FAMILIES = (
    Family("A", _OPENS, _read),
    Family("<", re.compile(r"<tool>\s*(?P<name>[^<>]{1,200})</tool>\s*<tool_input>"), _read_tool_input),
)
