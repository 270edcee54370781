"""A slot: a parameter type that finds itself in a sentence and checks itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a sentence names a slot's value: character offsets, the argument it means, and how sure that is (0 to 1).

    ``alternatives`` are other readings of the same words, nearly as good. ``excluded`` says that the words before it
    take it out ("without Costco"). ``without`` are names that the value holds and the words don't mean.
    """

    slot: str
    start: int
    end: int
    value: Any
    text: str
    score: float = 1.0
    alternatives: tuple[Any, ...] = ()
    excluded: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A slot's judgement of a proposed value: the value to use, or a problem and the nearest choices."""

    value: Any = None
    problem: str = ""
    choices: tuple[str, ...] = ()


#: From which words a model may copy a slot's value: from all, or from those that the reading explains by nothing else.
#: A slot says so as its ``copied``; of one that doesn't only what it finds itself counts.
Copied = Literal["anywhere", "left over"]


@runtime_checkable
class Slot(Protocol):
    """One kind of parameter."""

    @property
    def name(self) -> str:
        """What mentions of it are called; slots of one name find the same words."""
        ...

    def json_schema(self) -> dict[str, Any]:
        """The keys that this slot adds to a parameter's schema."""
        ...

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return every mention in a sentence."""
        ...

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Judge a proposed value against the person's own data."""
        ...


class LeftOut:
    """What the reading of a sentence gives a tool by its marks alone ("without", "apart from"): nothing is found here."""

    __slots__ = ()

    def json_schema(self) -> dict[str, Any]:
        """Nothing beyond the parameter's own type."""
        return {}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Nothing of its own: what is left out is a name or a measure like any other."""
        del text, context
        return ()
