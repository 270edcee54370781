"""Calls whose name stands before an object of arguments, each family with its own marks between.

Mistral, DeepSeek (V3 to V3.1), Kimi K2, Gemma, Functionary, Solar, and Qwen's older form.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from graph.text_calls.families import MAX_REPAIR, Family, Found
from graph.text_calls.values import Fault, Scanner
from tools.calls import Call

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_NAME = r"(?P<name>[^\s<>{}\[\]()\"'`|｜]{1,200})"
_GAP = r"(?:▁|\\?_| )"
_BEGIN = rf"<[|｜]tool{_GAP}call{_GAP}begin[|｜]>\s*"
_SEPARATOR = rf"\s*<[|｜](?:tool{_GAP}sep|tool_call_argument_begin)[|｜]>\s*"
_FENCE = r"(?:```\w{0,20}\s*)?"


def _read(source: Source, match: re.Match[str], names: Names, *, closer: str = "", bare: bool = False) -> Found:
    """Read the arguments after a head.

    Where a family closes its calls, one whose arguments can't be read is a call still: its text stands under ``input``,
    which validation refuses with a reason the model can use.
    """
    text = source.text
    name = names.resolve(match["name"])
    pos = match.end()
    try:
        arguments, end = Scanner(text, bare=bare).object(pos)
    except Fault as fault:
        end = text.find(closer, pos, pos + MAX_REPAIR) if closer else -1
        written = text[pos : max(end, pos)]
        if end < 0 or match[0][:6] in written:
            return Found((), fault.at)
        arguments = {"input": written} if written.strip() else {}
    return Found([Call(name, arguments)] if name else (), end)


FAMILIES = (
    Family(
        "[", re.compile(rf"\[TOOL_CALLS\]\s*{_NAME}\s*(?:\[CALL_ID\][^\[{{]{{0,100}})?(?:\[ARGS\])?\s*(?=\{{)"), _read
    ),
    Family("<", re.compile(rf"{_BEGIN}\w{{0,20}}{_SEPARATOR}{_NAME}\s*{_FENCE}(?=\{{)"), _read),
    Family("<", re.compile(rf"{_BEGIN}{_NAME}{_SEPARATOR}{_FENCE}"), partial(_read, closer="<|tool_call_end|>")),
    Family(
        "<",
        re.compile(rf"<\|tool_call\|?>\s*call:\s*{_NAME}\s*(?=\{{)"),
        partial(_read, closer="<tool_call|>", bare=True),
    ),
    Family(
        "<",
        re.compile(rf"<start_function_call>\s*call:\s*{_NAME}\s*(?=\{{)"),
        partial(_read, closer="<end_function_call>", bare=True),
    ),
    Family("<", re.compile(rf"<\|recipient\|>\s*{_NAME}\s*<\|content\|>\s*"), _read),
    Family("<", re.compile(rf"<tool_call>\s*{_NAME}\s*{_FENCE}(?=\{{)"), _read),
    Family("<", re.compile(rf"<\|tool_call:name\|>\s*{_NAME}\s*<\|tool_call:args\|>\s*"), _read),
    Family(">", re.compile(rf">>>{_NAME}\s*\n\s*(?=\{{)"), _read),
    Family("✿", re.compile(rf"✿FUNCTION✿:?\s*{_NAME}\s*✿ARGS✿:?\s*"), _read),
)
