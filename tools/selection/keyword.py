"""Selection by the keywords that a tool declares."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.stemming import fold, stem, words_with_spans
from tools.selection.selector import MATCHED, NOTHING, Selection, Selector, fall_back, offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.registry import Tool

_STRATEGY = "keyword"
#: A question is a sentence, not a document; what comes after this many characters is not read.
_MAX_TEXT = 2000
#: From this length on, a German noun is found as the last part of a compound, whose first part has at least three
#: letters: Ausgaben in Monatsausgaben. Shorter ones would be found where they aren't, such as Daten in Soldaten.
_COMPOUND_HEAD = 6
_COMPOUND_START = 3


class KeywordSelector(Selector):
    """Offers the tools whose keywords a question holds, with those that have none; all where nothing is found.

    A keyword is a word or a phrase. It is compared whole: "stop" is in "Stop!" and "stops", not in "stopwatch"; case,
    accents, plural and common endings don't count. A capitalised one, as German nouns are, is also found at the end of a
    compound. One of signs alone, such as "%", is found wherever it stands. Names and examples of tools don't count:
    their words are those of every question, so that what they match would be everything.
    """

    async def choose(self, question: str, tools: Sequence[Tool]) -> Selection:
        """Return the tools that match, in their order."""
        named = {tool.name for tool in named_in(question, tools)}
        if not named:
            return fall_back(tools, _STRATEGY, NOTHING)
        return offer([tool for tool in tools if tool.name in named or not tool.keywords], _STRATEGY, MATCHED)


def named_in(question: str, tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools of which a question holds a keyword."""
    asked = fold(question[:_MAX_TEXT])
    stems = [stem(word) for word, _, _ in words_with_spans(asked)]
    return [tool for tool in tools if any(_is_in(keyword, asked, stems) for keyword in tool.keywords)]


def _is_in(keyword: str, asked: str, stems: Sequence[str]) -> bool:
    """Whether the folded question, or its stems in a row, hold a keyword."""
    wanted = _stems_of(keyword)
    if not wanted:
        return bool(keyword.strip()) and fold(keyword.strip()) in asked
    if len(wanted) == 1 and keyword[0].isupper() and len(keyword) >= _COMPOUND_HEAD:
        longer = len(wanted[0]) + _COMPOUND_START
        if any(word.endswith(wanted[0]) and len(word) >= longer for word in stems):
            return True
    return any(tuple(stems[at : at + len(wanted)]) == wanted for at in range(len(stems) - len(wanted) + 1))


@lru_cache(maxsize=4096)
def _stems_of(keyword: str) -> tuple[str, ...]:
    return tuple(stem(word) for word, _, _ in words_with_spans(keyword))
