"""Text that nobody can see or that turns other text around, taken out before any platform shows it."""

from __future__ import annotations

import re

_SPACES = re.compile("[\t\x0b\x0c\u2028\u2029]")
_LINE_ENDS = re.compile("\r\n?")
#: Control characters but the line's end, marks that turn the direction of text, and halves of characters, which are no
#: valid UTF-8.
_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def without(pattern: str, text: str) -> str:
    """Return a text without what a pattern finds, such as our own mentions, and without the comma that belonged to one."""
    parts = re.split(pattern, text)
    return text if len(parts) == 1 else " ".join(filter(None, (part.strip(" \t,:") for part in parts)))


def clean(text: str) -> str:
    """Return the text without control characters and bidirectional marks; the ends of lines stay."""
    return _DROPPED.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text)))
