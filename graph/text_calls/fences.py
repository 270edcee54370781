"""Code fences: those that can hold a call are read through, the others are skipped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls.families import Family, Found
from graph.text_calls.python_calls import read_calls
from graph.text_calls.thinking import WORDS

if TYPE_CHECKING:
    from graph.text_calls.families import Names, Source

_OPENS = re.compile(r"```+[ \t]*(?P<language>[\w+#-]*)")
_READ_THROUGH = re.compile(r"|.*(?:json|tool|func|call|xml|action|te?xt|plain).*", re.IGNORECASE)
_THOUGHT = re.compile(WORDS, re.IGNORECASE)
_OBJECT = re.compile(r"\s*\[?\s*\{")


def _read(source: Source, match: re.Match[str], names: Names) -> Found:
    """Read Python calls in a fence that holds nothing else; leave JSON and tags to their own readers."""
    language = match["language"].lower()
    closes = source.find("```", match.end())
    if language in {"tool_code", "python", "py"}:
        found = read_calls(source, match.end(), names)
        if found and found.end >= (len(source.text) if closes < 0 else closes):
            return found
    thought = bool(_THOUGHT.fullmatch(language))
    if not thought and (_READ_THROUGH.fullmatch(language) or _OBJECT.match(source.text, match.end())):
        return Found((), match.end())
    return Found((), len(source.text) if closes < 0 else closes + 3, thought=thought)


FAMILY = Family("`", _OPENS, _read, markup=False)
