"""What a reader's screen shows of a message's content: its words, what is live in them, and how they are marked.

Written after Discord's own rules and not after ours: docs.discord.com/developers/reference#message-formatting, the
support page "Markdown Text 101", and simple-markdown, whose rules Discord's clients keep to. Where those leave a doubt,
this takes the text for live or marked, so that a test of "nothing in here is live" errs on the safe side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: What Discord's servers look for in the source, whatever markup is around it: a backslash is no help.
_PINGS = re.compile(r"@everyone|@here|<@[!&]?\d+>", re.IGNORECASE)
_CARDS = re.compile(r"discord(?:app)?\.(?:gg|gift|new|com/(?:invite|gifts|events|channels))/?", re.IGNORECASE)

_LINES = [
    ("subtext", re.compile(r"[^\S\n]*-#[^\S\n]+(?P<inner>[^\n]+)(?:\n|\Z)")),
    ("heading", re.compile(r"[^\S\n]*#{1,3}[^\S\n]+(?P<inner>[^\n]+?)#*[^\S\n]*(?:\n|\Z)")),
    ("quote", re.compile(r"[^\S\n]*>(?:>>)?[^\S\n]+(?P<inner>[^\n]*)(?:\n|\Z)")),
    ("list", re.compile(r"[^\S\n]*(?:[-*+]|\d+\.)[^\S\n]+(?P<inner>[^\n]*)(?:\n|\Z)")),
]
_ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
_CODE = re.compile(r"```(?:[a-z0-9_+\-.#]+?\n)?\n*(?P<inner>.+?)\n*```", re.DOTALL | re.IGNORECASE)
_INLINE_CODE = re.compile(r"(?P<ticks>`+)(?P<inner>.*?[^`])(?P=ticks)(?!`)", re.DOTALL)
_LIVE = [
    ("link", re.compile(r"<(?:[a-z][a-z0-9+.-]*:[^\s>]+|[^\s@>]+@[^\s@>]+|\+\d+)>", re.IGNORECASE)),
    ("link", re.compile(r"[a-z][a-z0-9+.-]*://[^\s<]+", re.IGNORECASE)),
    ("link", re.compile(r"\[[^\n]*?\]\(\s*[^)]*\)")),
    ("mention", re.compile(r"<(?:@[!&]?|#)\d+>")),
    ("command", re.compile(r"</[^\n>]+:\d+>")),
    ("time", re.compile(r"<t:-?\d+(?::[a-z])?>", re.IGNORECASE)),
    ("guide", re.compile(r"<(?:id|\d+):[a-z-]+(?::\d+)?>", re.IGNORECASE)),
    ("emoji", re.compile(r"<a?:\w+:\d+>|:[^\s:]+(?:::skin-tone-\d)?:")),
]
_MARKS = [
    ("bold", re.compile(r"\*\*(?P<inner>(?:\\.|[^\\])+?)\*\*(?!\*)", re.DOTALL)),
    ("underline", re.compile(r"__(?P<inner>(?:\\.|[^\\])+?)__(?!_)", re.DOTALL)),
    ("italic", re.compile(r"\*(?=\S)(?P<inner>(?:\*\*|\\.|[^\\*])+?)\*(?!\*)", re.DOTALL)),
    ("italic", re.compile(r"_(?P<inner>(?:__|\\.|[^\\_])+?)_", re.DOTALL)),
    ("struck", re.compile(r"~~(?P<inner>.+?)~~", re.DOTALL)),
    ("spoiler", re.compile(r"\|\|(?P<inner>.+?)\|\|", re.DOTALL)),
]


@dataclass
class Reading:
    """A message's content as shown: ``live`` and ``marks`` are pairs of a kind and its text."""

    text: str = ""
    live: list[tuple[str, str]] = field(default_factory=list)
    marks: list[tuple[str, str]] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """What is read, in order; what has no width can't be seen."""
        return self.text.replace("\u200b", "").split()

    @property
    def kinds(self) -> list[str]:
        """The kinds of markup, in the order in which they end."""
        return [kind for kind, _ in self.marks]


def read(content: str) -> Reading:
    """Return what a message's content shows."""
    reading = Reading()
    reading.live += [("ping", found.group()) for found in _PINGS.finditer(content)]
    reading.live += [("card", found.group()) for found in _CARDS.finditer(content)]
    reading.text = _shown(content, reading)
    return reading


def _shown(source: str, reading: Reading) -> str:
    out: list[str] = []
    place = 0
    while place < len(source):
        shown, place = _step(source, place, reading)
        out.append(shown)
    return "".join(out)


def _step(source: str, place: int, reading: Reading) -> tuple[str, int]:
    """Return what stands at a place, and where what follows begins."""
    if place == 0 or source[place - 1] == "\n":
        for kind, pattern in _LINES:
            if found := pattern.match(source, place):
                return _marked(kind, found, reading) + "\n", found.end()
    if found := _ESCAPE.match(source, place):
        return found[1], found.end()
    for pattern in (_CODE, _INLINE_CODE):
        if found := pattern.match(source, place):
            reading.marks.append(("code", found["inner"]))
            return found["inner"], found.end()
    for kind, pattern in _LIVE:
        if found := pattern.match(source, place):
            reading.live.append((kind, found.group()))
            return found.group(), found.end()
    for kind, pattern in _MARKS:
        if found := pattern.match(source, place):
            return _marked(kind, found, reading), found.end()
    return source[place], place + 1


def _marked(kind: str, found: re.Match[str], reading: Reading) -> str:
    shown = _shown(found["inner"], reading)
    reading.marks.append((kind, shown))
    return shown
