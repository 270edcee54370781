"""What all families share: the text, the names on offer, and what a reader hands back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.calls import canonical_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tools.calls import Call

#: Beyond this many characters a damaged call is not worth a second reading.
MAX_REPAIR = 20_000

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
        """Keep the names."""
        self._offered = frozenset(offered)
        self._known: dict[str, str | None] = {}

    def resolve(self, written: object) -> str | None:
        """Return the offered name that ``written`` means, or None."""
        if not isinstance(written, str):
            return None
        if written not in self._known:
            name = "-".join(written.strip().strip("\"'`*").split())
            bare = _SUFFIX.sub("", name)
            forms = (name, bare, _NAMESPACE.sub("", bare, count=1))
            meant = (canonical_name(form, self._offered) for form in forms)
            self._known[written] = next(filter(None, meant), None)
        return self._known[written]


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


def skip_between(separators: re.Pattern[str], text: str, pos: int) -> int:
    """Return where the separators at ``pos`` end."""
    between = separators.match(text, pos)
    return between.end() if between else pos
