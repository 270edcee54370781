"""Reading calls from a reply: one pass from left to right, each place handed to the family whose mark stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from graph.text_calls import envelopes, fences, heads, minimax, objects, python_calls, react, tags, thinking
from graph.text_calls.examples import is_example
from graph.text_calls.families import Names, Source
from graph.text_calls.thinking import skip_thought

if TYPE_CHECKING:
    from collections.abc import Collection

    from graph.text_calls.families import Family, Found
    from tools.calls import Call

#: In order of specificity, which decides where two start with the same character.
_FAMILIES: tuple[Family, ...] = (
    *thinking.FAMILIES,
    *heads.FAMILIES,
    *react.FAMILIES,
    *minimax.FAMILIES,
    tags.FAMILY,
    envelopes.FAMILY,
    *python_calls.FAMILIES,
    fences.FAMILY,
    objects.FAMILY,
)
_BY_START = {
    start: tuple(family for family in _FAMILIES if start in family.starts)
    for start in {start for family in _FAMILIES for start in family.starts}
}
_PLACE = re.compile(
    r"(?P<indent>^[ \t>]*\**)(?=Action\b|tool_code\b)|>>>(?=\w)|\](?=<\]minimax)|[<\[{`◁✿]", re.MULTILINE
)
#: How many characters of brackets and the like may stand between the marks that lead to a call.
_LEAD = 200
#: How byte-level tokenizers write a blank and a line break, where a server did not decode them.
_BYTE_MARKS = re.compile("[ĠĊ]")
_WHITE_SPACE = re.compile(r"\s")
_OPENS_ON = re.compile(r"(?:[\s\[]|functools|Action:)*")
_OBJECT_MARKUP = re.compile(
    r"[{,]\s*[\"'“]?(?:(?:tool(?:_?[nN]ame|_?[cC]alls?)?|function(?:_?[cC]all)?|parameters|arguments|action_input|kwargs)[\"'”]?\s*:"
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
    if _BYTE_MARKS.search(text) and not _WHITE_SPACE.search(text):
        text = text.replace("Ġ", " ").replace("Ċ", "\n")
    reading = _Reading(text, offered)
    place = _PLACE.search(text)
    while place:
        start = place.start() if place["indent"] is None else place.end()
        place = _PLACE.search(text, reading.read(start))
    return reading.calls or python_calls.read_whole(reading.source, reading.answer_from, reading.names)


class _Reading:
    """The calls read so far, and where the marks began that lead to the next one."""

    def __init__(self, text: str, offered: Collection[str]) -> None:
        self.source = Source(text)
        self.names = Names(offered)
        self.calls: list[Call] = []
        self.answer_from = self._last_call = 0
        self._opening = self._opened = self._last_example = -1

    def read(self, start: int) -> int:
        """Read the place at ``start`` and return where to go on."""
        text = self.source.text
        if not 0 <= self._opened >= start - _LEAD or not _OPENS_ON.fullmatch(text, self._opened, start):
            self._opening = self._opened = start
        for family in _BY_START[text[start]]:
            match = family.opens.match(text, start)
            found = family.read(self.source, match, self.names) if match else None
            if match and found:
                return self._take(found, match)
        return start + 1

    def _take(self, found: Found, match: re.Match[str]) -> int:
        text = self.source.text
        end = max(found.end, match.start() + 1)
        if found.voids:
            self.calls.clear()
        if found.thought:
            self.answer_from = end
        elif found.calls and is_example(text, self._opening, self._last_call, self._last_example):
            self._last_example = end
        elif found.calls:
            self.calls += found.calls
            self._last_call = end
        if found.calls or found.thought:
            self._opened = -1
            return end
        self._opened = end if end == match.end() else -1
        return skip_thought(text, match.start(), end)  # what is skipped must not hide that it was thinking


def has_call_markup(text: str) -> bool:
    """Return whether the text holds what looks like an attempt to call a tool, readable or not, offered or not."""
    if _OBJECT_MARKUP.search(text) or _TAG_MARKUP.search(text):
        return True
    for place in _PLACE.finditer(text):
        start = place.start() if place["indent"] is None else place.end()
        if any(family.markup and family.opens.match(text, start) for family in _BY_START[text[start]]):
            return True
    return False
