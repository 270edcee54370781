"""Dialect and chat spelling, put into the words of the written language before anything is read in them.

What is respelled is data of each language (``respelled`` of ``data/<language>.toml``): what people write, and what it
is. Spellings that are also other words (“i” for “ich”) are in ``respelled_beside``, and count beside one that is sure.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from language.lexicon import of_each

if TYPE_CHECKING:
    from collections.abc import Mapping

_FROM_TO = ">"


def respelled(text: str) -> str:
    """Return a text as it is written elsewhere; one without dialect stays as it is."""
    sure = _spellings("respelled")
    found = _form("respelled").sub(lambda match: sure[_key(match[0])], text)
    if found == text:
        return text
    beside = _spellings("respelled_beside")
    return " ".join(_form("respelled_beside").sub(lambda match: beside[_key(match[0])], found).split())


def _key(written: str) -> str:
    return " ".join(written.lower().split())


@cache
def _spellings(key: str) -> Mapping[str, str]:
    pairs = (pair.split(_FROM_TO) for text in of_each(key) for pair in text.split(";") if _FROM_TO in pair)
    return {" ".join(said.split()): meant.strip() for said, meant in pairs}


@cache
def _form(key: str) -> re.Pattern[str]:
    said = sorted(_spellings(key), key=len, reverse=True)
    words = "|".join(r"\s+".join(map(re.escape, each.split())) for each in said)
    return re.compile(rf"(?<![\w'’])(?:{words})(?![\w'’])", re.IGNORECASE)
