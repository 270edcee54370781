"""Free words to search for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.slots.slot import Checked, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class QuerySlot:
    """The words of a question that nothing else explains; the planner hands them over."""

    name: str = "query"

    def json_schema(self) -> dict[str, Any]:
        """Any words."""
        return {"description": "Words to look for, copied from the question"}

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Nothing of its own: what is searched is what other slots leave over."""
        del text, context
        return ()

    def check(self, value: Any, context: ToolContext) -> Checked:
        """Accept words; refuse nothing but emptiness."""
        del context
        text = " ".join(str(value).split())[:_LONGEST]
        return Checked(text) if text else Checked(problem="There are no words to search for.")
