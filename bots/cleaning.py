"""Text that nobody can see or that turns other text around, taken out before any platform shows it."""

from __future__ import annotations

import re

_SPACES = re.compile("[\t\x0b\x0c\u2028\u2029]")
_LINE_ENDS = re.compile("\r\n?")
#: Control characters but the line's end, marks that turn the direction of text, and halves of characters, which are no
#: valid UTF-8.
_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text without control characters and bidirectional marks; the ends of lines stay."""
    return _DROPPED.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text)))
