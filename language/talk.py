"""What people say to a bot beside questions about their money: greetings, thanks, and how to go about it.

The patterns are data of each language (``[talk]`` of ``data/<language>.toml``), each for a whole message.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal, get_args

from language.lexicon import patterns
from language.words import MAX_TEXT, fold

Talk = Literal[
    "greeting", "thanks", "farewell", "who_are_you", "what_to_ask", "how_to_delete", "how_to_undo", "how_to_language",
    "readable_files", "bank_file", "connect_bank",
]  # fmt: skip
_KINDS: Final[tuple[Talk, ...]] = get_args(Talk)
#: Longer messages are no small talk.
_LONGEST = 120


def small_talk(text: str) -> Talk | None:
    """Return which kind of talk a message is, None where it is a question or a request of its own."""
    line = " ".join(fold(text[:MAX_TEXT]).split()).strip(" .!?,…")
    if not line or len(line) > _LONGEST:
        return None
    return next((kind for kind in _KINDS if _pattern(kind).fullmatch(line)), None)


@cache
def _pattern(kind: Talk) -> re.Pattern[str]:
    opening, closing = ("|".join(patterns("talk", part)) for part in ("opening", "closing"))
    said = "|".join(patterns("talk", kind))
    return re.compile(rf"(?:(?:{opening})[,.!: –-]+)?(?:{said})(?:[,.! ]+(?:{closing}))?")
