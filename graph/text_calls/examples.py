"""Telling an example in an explanation from a call."""

from __future__ import annotations

import re

#: How far back the words before a call are looked at; longer lines are judged by their end.
_REACH = 1_000

_PHRASE = (
    r"for example|for instance|e\.\s?g\.?|such as|examples?|look(?:s|ed)? like|"
    r"zum beispiel|z\.\s?b\.|beispiele?|beispielsweise|aussehen|sieht so aus"
)
_FILLER = (
    r"you|one|we|how|to|in|for|it|i|could|can|would|might|may|be|is|call|write|use|send|say|like|this|so|such|with|the|a|an|of|following|"
    r"json|tool|function|action|functools|man|ich|könnte|kann|würde|ist|wäre|diesen|diese|aufruf|schreiben"
)
_ANNOUNCED = re.compile(
    rf"(?:^|(?<!\w))(?:{_PHRASE})(?:[\s:,;*_\"'“(–—-]+(?:{_FILLER})){{0,8}}[\s:,;*_\"'“(\[`–—-]*$", re.IGNORECASE
)
_SENTENCE = re.compile(
    r"(?:^|[.!?:]\s|\n)\W*(?:for example|for instance|zum beispiel|beispielsweise)\b[^.!?\n{}]*\s*$", re.IGNORECASE
)
_LEADS_IN = re.compile(r"(?:```+[ \t]*[\w+#-]*\s*|Thought:[^\n]*\n\s*)+$")
_JOINED = re.compile(r"[\s,;:\])`]*(?:or|and|oder|und)?[\s,;:(\[`]*(?:json)?\s*", re.IGNORECASE)
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
