"""Whose money a question is about, as far as it names somebody by a mention."""

from __future__ import annotations

import re

OTHERS = "I answer everyone about their own money alone, so I say nothing about anybody else's."

#: A mention as it reads once a platform's form of it is taken off; what belongs to somebody ends with an "s".
_MENTION = re.compile(r"(?<![\w.@/])@\w[\w.-]*(?P<owns>['’]s\b)?")
_OWN = re.compile(r"\b(?:i|i've|i'm|my|mine|we|our|ich|mein\w*|wir|unser\w*)\b", re.IGNORECASE)
#: What sets somebody beside the asker, rather than naming whom the asker dealt with.
_BESIDE = re.compile(r"\b(?:than|as|like|and|or|vs\.?|versus|als|wie|und|oder)\s*$", re.IGNORECASE)


def is_about_another(text: str) -> bool:
    """Whether a question is about the money of somebody whom it mentions.

    Whom the asker paid or got something from is part of a question about the asker's own: "how much did I send to @bob".
    """
    for mention in _MENTION.finditer(text):
        before = text[: mention.start()]
        if mention["owns"] or not _OWN.search(before) or _BESIDE.search(before):
            return True
    return False
