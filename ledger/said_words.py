"""The words of letters in what a bank wrote to a payment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A shorter word says nothing that is searched for.
SHORTEST_SAID = 3
#: What may stand around a word.
EDGES = " .,;:!?-_#\"'`´’“”„()[]{}<>|/\\=~^+&"
#: A number that a word ends in without a space between them: “KRAFTRADVERS.4711”.
_NUMBER_BEHIND = re.compile(r"(?<=[^\W\d_]{5})[.:]\d[\d.:/-]*$")


def worded(word: str) -> Sequence[str]:
    """Return the words of letters that a piece of text holds: one, the parts of “KFZ-VERS”, or what is before “.4711”.

    What ends in “-Nr” or “-ID” says of a number what it is.
    """
    if word.isalpha():
        return (word,)
    parts = _NUMBER_BEHIND.sub("", word.strip(EDGES)).split("-")
    return parts if all(part.isalpha() and len(part) >= SHORTEST_SAID for part in parts) else ()
