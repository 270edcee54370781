"""What a planner proposes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tools.calls import Call, Choice

#: What a clause before the last one is called among the turns: it was planned, and not answered yet.
CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls for one or several rounds, or a reason why there are none.

    A call of a later round may take a fact of an earlier one by reference: ``{1.total}`` is the fact ``total`` of the
    first call of this plan, ``{p1.total}`` that of the last answer; a reference without a fact means its first.
    """

    kind: Literal["calls", "clarify", "none"]
    rounds: tuple[tuple[Call, ...], ...] = ()
    confidence: float = 0.0
    question: str = ""
    inviting: str = ""
    """What is said behind the question where there are choices."""
    choices: tuple[Choice, ...] = ()
    unread: tuple[str, ...] = ()
    """Parts of the question that the calls do not take into account, as written."""
    trace: dict[str, Any] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of all rounds."""
        return tuple(call for calls in self.rounds for call in calls)
