"""Telling an example in an explanation from a call."""

from __future__ import annotations

import re

from language import cues

#: How far back the words before a call are looked at; longer lines are judged by their end.
_REACH = 1_000

_ANNOUNCED = re.compile(
    rf"(?:^|(?<!\w))(?:{cues.ANNOUNCES_EXAMPLE.pattern})"
    rf"(?:[\s:,;*_\"'“(–—-]+(?:{cues.BESIDE_EXAMPLE.pattern})){{0,8}}[\s:,;*_\"'“(\[`–—-]*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(rf"(?:^|[.!?:]\s|\n)\W*(?:{cues.FOR_EXAMPLE.pattern})\b[^.!?\n{{}}]*\s*$", re.IGNORECASE)
_LEADS_IN = re.compile(r"(?:```+[ \t]*[\w+#-]*\s*|Thought:[^\n]*\n\s*)+$")
_JOINED = re.compile(rf"[\s,;:\])`]*(?:{cues.JOINS_EXAMPLES.pattern})?[\s,;:(\[`]*(?:json)?\s*", re.IGNORECASE)
_BACKTICKS = re.compile(r"`+")


def is_example(text: str, start: int, last_call: int, last_example: int) -> bool:
    """Return whether what starts at ``start`` is quoted, inline code, announced as an example, or joined to one.

    ``last_call`` is where the call before it ended, or 0; ``last_example`` where the example before it did, or -1.
    """
    if 0 <= last_example <= start <= last_example + 40 and _JOINED.fullmatch(text, last_example, start):
        return True
    before = text[max(last_call, start - _REACH) : start]
    line = before[before.rfind("\n") + 1 :]
    if line.lstrip().startswith(">"):
        return True
    if "`" in line and sum(len(run) < 3 for run in _BACKTICKS.findall(line)) % 2:
        return True
    words = _LEADS_IN.sub("", before[-160:])
    return bool(_ANNOUNCED.search(words) or _SENTENCE.search(words))
