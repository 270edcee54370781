"""The lines of a PDF: words with their places, and which lines stand on every page."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: How far the same line is off its place on another page, in points.
_SAME_PLACE = 3
#: Between a label and its value some banks print a row of points.
_POINTS = re.compile(r"[.…_]{3,}")
_NO_TEXT = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_DIGITS = re.compile(r"[0-9]+")


class Word(NamedTuple):
    """A word, and where it begins and ends, in points from the left."""

    x0: float
    x1: float
    text: str


@dataclass(frozen=True, eq=False)
class Line:
    """A line of words on a page: ``y`` is how far from the top it stands, ``size`` how high its letters are, in points."""

    number: int
    page: int
    y: float
    size: float
    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        """The words with one space between them."""
        return " ".join(word.text for word in self.words)

    @property
    def x0(self) -> float:
        """Where the first word begins."""
        return self.words[0].x0


class PageLook(NamedTuple):
    """What is on a page: letters, those that nobody sees, those whose meaning is not known, pictures; whether all is lost."""

    letters: int
    unseen: int
    unknown: int
    pictures: int
    lost: bool


class Document(NamedTuple):
    """The pages of a file, their lines in the order of reading, and what went wrong while they were read."""

    pages: tuple[PageLook, ...]
    lines: tuple[Line, ...]
    problem: str


def read_document(written: bytes) -> Document:
    """Return what the process that reads a PDF has written of it."""
    pages: list[PageLook] = []
    lines: list[Line] = []
    problem = ""
    for text in written.splitlines():
        said: Any = json.loads(text)
        if isinstance(said, dict):
            problem = problem or said.get("problem", "")
            if "page" in said:
                pages.append(PageLook(said["letters"], said["unseen"], said["unknown"], said["pictures"], said["lost"]))
            continue
        y, size, *rest = said
        words = tuple(_words(zip(rest[::3], rest[1::3], rest[2::3], strict=True)))
        if words:
            lines.append(Line(len(lines), len(pages), y, size, words))
    return Document(tuple(pages), tuple(lines), problem)


def _words(parts: Iterable[tuple[float, float, str]]) -> Iterator[Word]:
    """Yield words without what is no text, those beside a row of points apart."""
    for x0, x1, written in parts:
        text = _NO_TEXT.sub("", written)
        done = 0
        width = (x1 - x0) / max(len(text), 1)
        for points in (*_POINTS.finditer(text), None):
            end = points.start() if points else len(text)
            if end > done:
                yield Word(x0 + done * width, x0 + end * width, text[done:end])
            done = points.end() if points else end


def segments(words: Sequence[Word], gap: float) -> Iterator[tuple[Word, ...]]:
    """Yield runs of words between which there is no gap so wide, in points."""
    run: list[Word] = []
    for word in words:
        if run and word.x0 - run[-1].x1 > gap:
            yield tuple(run)
            run = []
        run.append(word)
    if run:
        yield tuple(run)


def joined(words: Sequence[Word]) -> Word:
    """Return several words as one."""
    return Word(words[0].x0, words[-1].x1, " ".join(word.text for word in words))


def repeated_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Return the numbers of the lines at the top and at the foot of pages that stand in the same place of several ones.

    Whatever numbers are in them, such as that of the page.
    """
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    places = [(_DIGITS.sub("0", line.text), int(line.y // _SAME_PLACE)) for line in lines]
    pages: dict[int, list[tuple[int, tuple[str, int]]]] = defaultdict(list)
    for line, (text, place) in zip(lines, places, strict=True):
        pages[line.page].append((line.number, (text, place)))
        for near in (place - 1, place, place + 1):
            seen[text, near].add(line.page)
    found: set[int] = set()
    for page in pages.values():
        for ordered in (page, page[::-1]):
            found.update(number for number, _ in takewhile(lambda each: len(seen[each[1]]) > 1, ordered))
    return frozenset(found)
