"""Reading calls from a reply: one pass from left to right, each place handed to the family whose mark stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls import fences, heads, objects, python_calls, react, tags, thinking
from graph.text_calls.examples import is_example
from graph.text_calls.families import Names, Source

if TYPE_CHECKING:
    from collections.abc import Collection

    from graph.text_calls.families import Family
    from tools.calls import Call

#: In order of specificity, which decides where two start with the same character.
_FAMILIES: tuple[Family, ...] = (
    *thinking.FAMILIES,
    *heads.FAMILIES,
    *react.FAMILIES,
    *tags.FAMILIES,
    *python_calls.FAMILIES,
    fences.FAMILY,
    objects.FAMILY,
)
_BY_START = {
    start: tuple(family for family in _FAMILIES if start in family.starts)
    for start in {start for family in _FAMILIES for start in family.starts}
}
_PLACE = re.compile(r"(?P<indent>^[ \t>]*\**)(?=Action\b|tool_code\b)|>>>(?=\w)|[<\[{`◁✿]", re.MULTILINE)
_OBJECT_MARKUP = re.compile(
    r"[{,]\s*[\"'“]?(?:(?:tool|tool_name|tool_calls?|function|function_call|parameters|arguments|action_input|kwargs)[\"'”]?\s*:"
    r"|(?:name|action)[\"']?\s*:\s*[\"'][^\"'\n]{1,200}[\"']\s*,\s*[\"']?"
    r"(?:parameters|arguments|args|input|action_input|kwargs|params)[\"']?\s*:)"
)
_TAG_MARKUP = re.compile(
    r"</?\|?(?:\w{1,20}:)?(?:tool_?calls?|function_?calls?)\b|\[/?TOOL_CALLS\]|```tool_c|<[|｜]tool[▁_]call|[|｜]DSML[|｜]"
)


def parse_tool_calls(text: str, offered: Collection[str]) -> list[Call]:
    """Return the calls of offered tools that a model wrote as text, in order and as often as written.

    Nothing that stands in thinking or in an explanation is a call. Never raises, whatever the text.
    """
    if not text or not offered:
        return []
    source = Source(text)
    names = Names(offered)
    calls: list[Call] = []
    answer_from = 0
    last_example = -1
    place = _PLACE.search(text)
    while place:
        start = place.start() if place["indent"] is None else place.end()
        end = start + 1
        for family in _BY_START[text[start]]:
            match = family.opens.match(text, start)
            found = family.read(source, match, names) if match else None
            if found is None:
                continue
            end = max(found.end, end)
            if found.voids:
                calls.clear()
            if found.thought:
                answer_from = end
            if found.calls and is_example(text, start, last_example):
                last_example = end
            else:
                calls += found.calls
            break
        place = _PLACE.search(text, end)
    return calls or python_calls.read_whole(source, answer_from, names)


def has_call_markup(text: str) -> bool:
    """Return whether the text holds what looks like an attempt to call a tool, readable or not, offered or not."""
    if _OBJECT_MARKUP.search(text) or _TAG_MARKUP.search(text):
        return True
    for place in _PLACE.finditer(text):
        start = place.start() if place["indent"] is None else place.end()
        if any(family.markup and family.opens.match(text, start) for family in _BY_START[text[start]]):
            return True
    return False
