"""Calls whose name stands before an object of arguments, each family with its own marks between.

Mistral, DeepSeek (V3 to V3.1), Kimi K2, Gemma, Functionary, Solar, and Qwen's older form.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from graph.text_calls.families import MAX_REPAIR, Family, Found
from graph.text_calls.thinking import ENDS_THINKING
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_NAME = r"(?P<name>[^\s<>{}\[\]()\"'`|｜]{1,200})"
_GAP = r"(?:▁|\\?_| )"
_BEGIN = rf"<[|｜]tool{_GAP}call{_GAP}begin[|｜]>\s*"
_SEPARATOR = rf"\s*<[|｜]tool{_GAP}sep[|｜]>\s*"
_BLOCK = (
    rf"{_BEGIN}\w{{1,20}}{_SEPARATOR}(?=<)"
    rf"|<[|｜](?:tool{_GAP}calls?{_GAP}(?:section{_GAP})?begin|tool_calls|action_start|content_invoke_tool_json)[|｜]>"
    r"|<\|open\|>tools[^<]{0,100}<\|sep\|>"
)
_FENCE = r"(?:```\w{0,20}\s*)?"


def _read(source: Source, match: re.Match[str], names: Names, *, closer: str = "", bare: bool = False) -> Found:
    """Read the arguments after a head.

    Where a family closes its calls, one whose arguments can't be read is a call still: its text stands under ``input``,
    which validation refuses with a reason the model can use.
    """
    text = source.text
    name = names.resolve(match["name"])
    pos = match.end()
    scanner = Scanner(text, bare=bare)
    try:
        if bare and text.startswith("(", pos):
            arguments, end = scanner.members(pos + 1, ")", "=")
        else:
            arguments, end = scanner.object(pos)
    except Fault as fault:
        end = text.find(closer, pos, pos + MAX_REPAIR) if closer else -1
        written = text[pos : max(end, pos)]
        if end < 0 or match[0][:6] in written or ENDS_THINKING.search(written):
            return Found((), fault.at)
        arguments = _mended(written, bare=bare)
    return Found([Call(name, arguments)] if name else (), end)


def _mended(written: str, *, bare: bool) -> dict[str, Any]:
    """Return arguments whose last string was not closed, which must stand before the braces; else the text itself."""
    try:
        return Scanner(written, len(written.rstrip(" \t\r\n}]")), closed=True, bare=bare).object(0)[0]
    except Fault:
        return {"input": written} if written.strip() else {}


def _open(_source: Source, match: re.Match[str], _names: Names) -> Found:
    return Found((), match.end())


FAMILIES = (
    Family(
        "[", re.compile(rf"\[TOOL_CALLS\]\s*{_NAME}\s*(?:\[CALL_ID\][^\[{{]{{0,100}})?(?:\[ARGS\])?\s*(?=\{{)"), _read
    ),
    Family("<", re.compile(rf"{_BEGIN}\w{{0,20}}{_SEPARATOR}{_NAME}\s*{_FENCE}(?=\{{)"), _read),
    Family("<", re.compile(rf"{_BEGIN}{_NAME}{_SEPARATOR}{_FENCE}(?!<)"), _read),
    Family(
        "<",
        re.compile(rf"<\|tool_call_begin\|>\s*{_NAME}\s*<\|tool_call_argument_begin\|>\s*"),
        partial(_read, closer="<|tool_call_end|>"),
    ),
    Family(
        "<",
        re.compile(rf"<\|tool_call\|?>\s*call:\s*{_NAME}\s*(?=[{{(])"),
        partial(_read, closer="<tool_call|>", bare=True),
    ),
    Family(
        "<",
        re.compile(rf"<start_function_call>\s*call:\s*{_NAME}\s*(?=[{{(])"),
        partial(_read, closer="<end_function_call>", bare=True),
    ),
    Family("<", re.compile(rf"(?:<\|from\|>assistant\s*)?<\|recipient\|>\s*{_NAME}\s*<\|content\|>\s*"), _read),
    Family("<", re.compile(rf"<tool_call>\s*{_NAME}\s*{_FENCE}(?=\{{)"), _read),
    Family("<", re.compile(rf"<\|tool_call:name\|>\s*{_NAME}\s*<\|tool_call:args\|>\s*"), _read),
    Family(">", re.compile(rf">>>{_NAME}\s*\n\s*(?=\{{)"), _read),
    Family("<", re.compile(_BLOCK), _open),
    Family("[", re.compile(r"\[TOOL_CALLS\]\s*(?=[\[{])"), _open),
    Family("✿", re.compile(rf"✿FUNCTION✿:?\s*{_NAME}\s*✿ARGS✿:?\s*"), _read),
)
