"""What the nodes hand to each other within one turn, and what they all may look at."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.models.model import Model, Usage
    from graph.planner.planner import Planner
    from graph.turn import TurnRequest
    from tools.context import ToolContext
    from tools.registry import Tool
    from tools.results import Fact, Result

Routing = Literal["auto", "model", "builtin"]


@dataclass(frozen=True, slots=True)
class Options:
    """How turns are run; every one is a setting.

    ``tool_choice`` is ``auto``, ``none``, ``required`` or a tool's name; the latter two hold for the first round.
    Durations are in seconds.
    """

    routing: Routing = "auto"
    max_rounds: int = 10
    max_calls: int = 9
    tool_choice: str = "auto"
    parallel_tool_calls: bool = True
    tool_timeout: float = 20.0
    model_deadline: float = 45.0
    repairs: int = 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call that somebody wants made, unchecked; arguments may hold references such as ``{f3}``."""

    name: str
    arguments: Any
    by: Literal["planner", "model", "command"]


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call that may run: known, offered, its arguments valid; with what validation changed."""

    name: str
    arguments: dict[str, Any]
    by: str
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """A proposal that may not run: the reason for the one who proposed it, and what to offer the person."""

    name: str
    reason: str
    message: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A call that was run, with its result or the sentence that says why there is none."""

    call: CheckedCall
    result: Result | None
    error: str = ""
    seconds: float = 0.0
    round: int = 1


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn's surroundings: who asks, the ledger, the tools, the planner and the model."""

    request: TurnRequest
    context: ToolContext
    tools: Sequence[Tool]
    planner: Planner
    model: Model | None
    options: Options
    started: float = field(default_factory=time.perf_counter)
    usage: list[Usage] = field(default_factory=list)

    def tool(self, name: str) -> Tool | None:
        """Return the offered tool of that name."""
        return next((tool for tool in self.tools if tool.name == name), None)


class State(TypedDict, total=False):
    """What changes within a turn."""

    round: int
    plan: list[list[Proposal]]
    proposals: list[Proposal]
    checked: list[CheckedCall]
    rejections: list[Rejection]
    repairs: int
    outcomes: list[Outcome]
    verdict: Literal["", "clarify", "none", "capped"]
    question: str
    choices: list[str]
    trace: dict[str, Any]
    reply: Any


def facts_of(outcomes: Sequence[Outcome]) -> dict[str, Fact]:
    """Return every fact of a turn by its number: ``f1`` is the first fact of the first result."""
    facts = [fact for outcome in outcomes if outcome.result for fact in outcome.result.facts]
    return {f"f{number}": fact for number, fact in enumerate(facts, start=1)}
