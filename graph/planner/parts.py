"""The parts of a list ("the club, the camp and the lotto"): each is in the answer, or it is said which one is not."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.strange_words import neighbours
from graph.planner.vocabulary import BOTH
from language.lexicon import listed
from language.words import words

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from language.words import Word

#: Words between two parts that belong to the second.
_BEFORE = listed("articles", "possessives", "before_unread", "at_name") | BOTH


def parts_unread(asking: Asking) -> list[list[Word]]:
    """Return the words that nothing explains where they stand in a list with what is named, those of a part together."""
    runs = neighbours([word for word in asking.unread if word.key not in listed("and")], asking.text)
    named = [mention for mention in asking.reading.mentions if mention.slot in SUBJECTS]
    if not runs or not named:
        return []
    spans = [(run[0].start, run[-1].end, run) for run in runs] + [(m.start, m.end, []) for m in named]
    spans.sort(key=lambda span: span[:2])
    found: list[list[Word]] = []
    group, joined = [spans[0]], False
    for before, span in pairwise(spans):
        between = asking.text[before[1] : span[0]]
        if _lists(between):
            group.append(span)
            joined = joined or _joins(between)
            continue
        found += _of(group, asking) if joined else []
        group, joined = [span], False
    return [*found, *(_of(group, asking) if joined else [])]


def _of(group: list[tuple[int, int, list[Word]]], asking: Asking) -> list[list[Word]]:
    """Return the unread parts of a list in which something is named; "the fee at Kelly's" is the part that it stands at."""
    runs = [run for _, _, run in group if run]
    return [run for run in runs if not _is_of_a_name(run, asking)] if len(runs) < len(group) else []


def _is_of_a_name(run: list[Word], asking: Asking) -> bool:
    """Whether a name follows at once, or behind "at"."""
    behind = (asking.text[run[-1].end : m.start] for m in asking.reading.mentions if m.slot in SUBJECTS)
    return any({word.key for word in words(text)} <= _BEFORE for text in behind if text and "," not in text)


def _lists(between: str) -> bool:
    """Whether nothing but a comma or "and" stands between two parts, with small words that belong to the second."""
    said = [word.key for word in words(between)]
    return (between.lstrip().startswith(",") or _joins(between)) and set(said) <= _BEFORE | listed("and")


def _joins(between: str) -> bool:
    joins = bool(listed("and") & {word.key for word in words(between)[:1]})
    return joins or between.strip(" ,")[:1] in ("&", "+")
