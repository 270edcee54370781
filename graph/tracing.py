"""The parts of a message's way as spans of a trace, for whoever collects them; nothing happens unless that is switched on.

What a span may say is the closed list below: never a text, a name of anybody, an amount, or the message of an error.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

Part = Literal["take_in", "turn", "select", "validate", "call_tool", "explain", "deliver"]
#: The platform; how it ended; the kind of a reply; who chose the call; a tool's name; the type of an error.
Label = Literal["platform", "outcome", "kind", "by", "tool", "error"]


class Span(Protocol):
    """One part that is going on."""

    def note(self, label: Label, word: str) -> None:
        """Say more of it."""
        ...


class Tracer(Protocol):
    """What keeps spans."""

    def span(self, part: Part) -> AbstractContextManager[Span]:
        """Begin a span, within the one that is going on; it ends with the block."""
        ...


class _Nothing:
    def note(self, label: Label, word: str) -> None:
        pass


_NOTHING = _Nothing()
_tracers: list[Tracer] = []


@contextmanager
def switched_on(tracer: Tracer) -> Iterator[None]:
    """Let spans of the whole process be kept as long as the block runs."""
    _tracers.append(tracer)
    try:
        yield
    finally:
        _tracers.remove(tracer)


@contextmanager
def span(part: Part, platform: str | None = None) -> Iterator[Span]:
    """Tell of a part of a message's way; of an error that ends it only the type is told."""
    if not _tracers:
        yield _NOTHING
        return
    with _tracers[-1].span(part) as told:
        if platform is not None:
            told.note("platform", platform)
        try:
            yield told
        except BaseException as error:
            told.note("error", type(error).__name__)
            raise
