"""Dialect and chat spelling, put into the words of the written language before anything is read in them.

What is respelled is data of each language (``respelled`` of ``data/<language>.toml``): what people write, and what it
is. Spellings that are also other words or names (“i” for “ich”, “Ned”) are in ``respelled_beside``, and count beside one of
the same language that is sure. Words that are written as others are read stand in ``reworded``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from language.lexicon import languages, of_each

if TYPE_CHECKING:
    from collections.abc import Mapping

_FROM_TO = ">"


def respelled(text: str) -> str:
    """Return a text as it is written elsewhere; one without dialect stays as it is."""
    for language in languages():
        text = _respelled_in(text, language)
    return text


def _respelled_in(text: str, language: str) -> str:
    found = _put("respelled", language, text)
    if found != text:
        found = " ".join(_put("respelled_beside", language, found).split())
    return _put("reworded", language, found)


def _put(key: str, language: str, text: str) -> str:
    """Put what is written in place of all that is listed under a key."""
    spellings = _spellings(key, language)
    return _form(key, language).sub(lambda match: spellings[" ".join(match[0].lower().split())], text)


@cache
def _spellings(key: str, language: str) -> Mapping[str, str]:
    listed = dict(zip(languages(), of_each(key), strict=True))[language]
    pairs = (pair.split(_FROM_TO) for pair in listed.split(";") if _FROM_TO in pair)
    return {" ".join(said.split()): meant.strip() for said, meant in pairs}


@cache
def _form(key: str, language: str) -> re.Pattern[str]:
    said = sorted(_spellings(key, language), key=len, reverse=True)
    words = "|".join(r"\s+".join(map(re.escape, each.split())) for each in said)
    return re.compile(rf"(?<![\w'’])(?:{words})(?![\w'’])", re.IGNORECASE)
