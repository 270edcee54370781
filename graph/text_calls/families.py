"""What all families share: the text, the names on offer, and what a reader hands back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tools.calls import Call

#: Beyond this many characters a damaged call is not worth a second reading.
MAX_REPAIR = 20_000

_SEPARATORS = re.compile(r"[\s._:/-]+")
_NAMESPACE = re.compile(r"(?:functions?|tools?|default_api|multi_tool_use)[.:/]")
_SUFFIX = re.compile(r"(?::\d+|\.call)$")


class Source:
    """A text that remembers where it found a mark, so that a mark sought again and again costs one pass."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text
        self._seen: dict[str, tuple[int, int]] = {}

    def find(self, mark: str, start: int) -> int:
        """Return where ``mark`` stands next from ``start`` on, or -1."""
        since, at = self._seen.get(mark, (0, -2))
        if since <= start and (at == -1 or start <= at):
            return at
        at = self.text.find(mark, start)
        self._seen[mark] = (start, at)
        return at


class Names:
    """The names on offer, and what models make of them."""

    def __init__(self, offered: Collection[str]) -> None:
        """Index the names by their letters; two that differ only in separators answer to their exact form alone."""
        self._exact = frozenset(offered)
        self._alike: dict[str, set[str]] = {}
        for name in self._exact:
            self._alike.setdefault(_letters(name), set()).add(name)

    def resolve(self, written: object) -> str | None:
        """Return the offered name that ``written`` means, or None."""
        if not isinstance(written, str):
            return None
        written = written.strip().strip("\"'`*")
        bare = _SUFFIX.sub("", written)
        for form in (written, bare, _NAMESPACE.sub("", bare, count=1)):
            if form in self._exact:
                return form
            alike = self._alike.get(_letters(form), ())
            if len(alike) == 1:
                return next(iter(alike))
        return None


@dataclass(frozen=True, slots=True)
class Found:
    """What a reader made of a place: calls in order, and where reading goes on.

    ``thought`` says that the passage was thinking; ``voids`` that all before it was.
    """

    calls: Sequence[Call]
    end: int
    thought: bool = False
    voids: bool = False


@dataclass(frozen=True, slots=True)
class Family:
    """One way of writing calls: the characters it may start with, its opening, and its reader.

    The reader returns None where the opening was none after all. ``markup`` says whether the opening alone shows that a
    call was meant.
    """

    starts: str
    opens: re.Pattern[str]
    read: Callable[[Source, re.Match[str], Names], Found | None]
    markup: bool = True


def _letters(name: str) -> str:
    return _SEPARATORS.sub("_", name)
