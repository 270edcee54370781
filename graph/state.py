"""What the nodes hand to each other within one turn, and what they all may look at."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

from tools.calls import Call
from tools.errors import Kind
from tools.running import TIME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.models.model import Model, Usage
    from graph.planner.planner import Planner
    from graph.turn import TurnRequest
    from tools.calls import Choice
    from tools.context import ToolContext
    from tools.focus import Focus
    from tools.registry import Tool
    from tools.results import Fact, Result
    from tools.selection import Selector

Routing = Literal["auto", "model", "builtin"]
By = Literal["planner", "model", "command"]
_NotRun = Literal[
    "UnknownTool",
    "InvalidArguments",
    "UnknownReference",
    "NotInLedger",
    "TooManyCalls",
    "AlreadyCompleted",
    "OneChangeAtATime",
]
ProblemKind = _NotRun | Kind
_SKIPPED = frozenset({"TooManyCalls", "AlreadyCompleted", "OneChangeAtATime"})
_FAILED = frozenset(get_args(Kind))


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
    tool_timeout: float = TIME_LIMIT
    traced: bool = False
    """Whether each node is a span."""
    model_deadline: float = 20.0
    repairs: int = 2


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call that somebody wants made, unchecked; arguments may hold references such as ``{f3}``.

    ``item`` is the id of a request where the call is one of a batch; ``from_words`` says that the planner made its arguments
    of the person's words, whoever chose what is asked.
    """

    name: str
    arguments: Any
    by: By
    item: str = ""
    from_words: bool = False

    @property
    def call(self) -> Call:
        """The call by itself."""
        return Call(self.name, self.arguments)


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call that may run: known, offered, its arguments valid; with what validation changed."""

    name: str
    arguments: dict[str, Any]
    by: By
    changes: tuple[str, ...] = ()
    item: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a call has no result: ``reason`` for whoever proposed it, and what to say to the person, if anything.

    Neither holds an exception's text, nor anything out of the ledger but names that the person may choose from.
    """

    kind: ProblemKind
    reason: str
    message: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one proposed call; every proposal has exactly one."""

    call: CheckedCall
    result: Result | None
    problem: Problem | None = None
    seconds: float = 0.0
    round: int = 1

    @property
    def status(self) -> Literal["done", "failed", "rejected", "skipped"]:
        """Whether it ran and how that went; what was said twice or too much is skipped."""
        if self.problem is None:
            return "done"
        if self.problem.kind in _SKIPPED:
            return "skipped"
        return "failed" if self.problem.kind in _FAILED else "rejected"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn's surroundings: who asks, the ledger, the tools that this person may use now, the planner, the model."""

    request: TurnRequest
    context: ToolContext
    tools: Sequence[Tool]
    planner: Planner
    model: Model | None
    options: Options
    selector: Selector
    background: Sequence[Tool] = ()
    """The person's settings and notes, each as an entry that the selection may name relevant to a prompt."""
    focus: Focus | None = None
    started: float = field(default_factory=time.perf_counter)
    usage: list[Usage] = field(default_factory=list)

    def tool(self, name: str) -> Tool | None:
        """Return the tool of that name, if this person may use it now."""
        return next((tool for tool in self.tools if tool.name == name), None)

    @property
    def model_seconds_left(self) -> float:
        """How much longer the model may take in this turn, whatever it was asked for and however that ended."""
        return self.options.model_deadline - (time.perf_counter() - self.started)

    @property
    def has_time_for_model(self) -> bool:
        """Whether one more call is likely to end in time: as long as the longest so far."""
        return self.model_seconds_left > max((usage.seconds for usage in self.usage), default=0.0)


class State(TypedDict, total=False):
    """What changes within a turn."""

    round: int
    plan: list[list[Proposal]]
    proposals: list[Proposal]
    checked: list[CheckedCall]
    rejections: list[Outcome]
    repairs: int
    outcomes: list[Outcome]
    meant: Any
    """What the question may mean (:class:`graph.planner.meant.Meant`), where a model is asked which."""
    offer: Any
    """The :class:`tools.selection.Selection` for the question; ``selection`` is what of it this round's model may use."""
    selection: Any
    asks_on: bool
    verdict: Literal["", "clarify", "none", "capped"]
    question: str
    choices: Any
    """What answers the question back, each a :class:`tools.calls.Choice`."""
    unread: list[str]
    """Parts of the question that the planner's calls do not take into account."""
    trace: dict[str, Any]
    reply: Any


def facts_of(outcomes: Sequence[Outcome]) -> dict[str, Fact]:
    """Return every fact of a turn by its number: ``f1`` is the first fact of the first result."""
    facts = [fact for outcome in outcomes if outcome.result for fact in outcome.result.facts]
    return {f"f{number}": fact for number, fact in enumerate(facts, start=1)}


def rounds_run(outcomes: Sequence[Outcome]) -> int:
    """Return how many rounds of calls were run."""
    return max((outcome.round for outcome in outcomes if outcome.status in ("done", "failed")), default=0)
