"""Calls of prompted agents: ``Action:`` and ``Action Input:`` lines, or ``<tool>`` and ``<tool_input>``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import Family, Found
from graph.text_calls.thinking import skip_thought
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_OPENS = re.compile(
    r"Action(?:[ \t]*\d{1,3})?\**[ \t]*:[ \t*]*(?P<name>[^\s:][^\n]{0,200}?)[ \t]*\r?\n"
    r"\s*\**Action[ \t]+Input(?:[ \t]*\d{1,3})?\**[ \t]*:\**[ \t]*"
)
_ENDS = re.compile(r"^[ \t]*\**(?:(?P<observed>Observation)|Thought|Action|Final Answer)\b[^\n:]{0,20}:", re.MULTILINE)
_OBJECT = re.compile(r"\s*(?:```\w{0,20}\s*)?(?=\{)")


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read one action; what follows an observation the model invented is not read."""
    arguments, pos = _object(source.text, match.end())
    text = source.text
    ends = _ENDS.search(text, pos)
    end = skip_thought(text, pos, ends.start() if ends else len(text))
    if arguments is None:
        arguments = _text(text[pos:end])
    name = names.resolve(match["name"].strip("[]"))
    calls = [Call(name, arguments)] if name and arguments is not None else []
    return Found(calls, skip_thought(text, end, len(text)) if ends and ends["observed"] else end)


def _read_tool_input(source: Source, match: re.Match[str], names: Names) -> Found:
    arguments, pos = _object(source.text, match.end())
    end = source.find("</tool_input>", pos)  # servers stop a model there, so the tag itself may be missing
    end = skip_thought(source.text, pos, len(source.text)) if end < 0 else end
    if arguments is None:
        arguments = _text(source.text[pos:end])
    name = names.resolve(match["name"])
    return Found([Call(name, arguments)] if name and arguments is not None else (), end)


def _object(text: str, pos: int) -> tuple[dict[str, Any] | None, int]:
    opens = _OBJECT.match(text, pos)
    try:
        return Scanner(text).object(opens.end()) if opens else (None, pos)
    except Fault:
        return None, pos


def _text(written: str) -> dict[str, Any] | None:
    """Return the text as the one argument that it is; None where it is the beginning of an object."""
    if opens := _OBJECT.match(written):
        try:
            return Scanner(written).object(opens.end())[0]
        except Fault as fault:
            if fault.at >= len(written.rstrip()) or "}" not in written:
                return None
    if written.count("```") % 2:  # the end of a fence around the whole action
        written = written[: written.rindex("```")]
    written = written.strip().strip('"')
    return {"input": written} if written and written not in {"None", "null", "N/A"} else {}


FAMILIES = (
    Family("A", _OPENS, _read),
    Family("<", re.compile(r"<tool>\s*(?P<name>[^<>]{1,200})</tool>\s*<tool_input>"), _read_tool_input),
)
