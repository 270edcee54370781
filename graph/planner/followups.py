"""Follow-ups: telling a question that edits the one before it from a question of its own."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from graph.planner.manner import LONGEST_EDIT, Manner, manner_of
from ledger.errors import UnknownPeriod
from tools.slots.period import period_of, read_period

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.reading import Reading
    from graph.turn import PastTurn
    from ledger.periods import Period
    from tools.context import ToolContext
    from tools.results import Scope

#: Arguments that say what a question is about, whichever tool answers it.
SHARED = ("category", "merchant", "account", "over", "under", "exclude", "exclude_largest", "kind")


@dataclass(frozen=True, slots=True)
class Before:
    """The question that a follow-up edits: its tool, its shared arguments and its period."""

    tool: str
    shared: dict[str, Any]
    period: Period | None
    arguments: dict[str, Any]

    @property
    def of(self) -> str:
        """Which money it was about."""
        if self.tool.startswith("income-"):
            return "income"
        kinds = {"refund": "refunds", "fee": "fees", "transfer": "transfers", "purchase": "spending"}
        kind = str(self.arguments.get("kind") or "")
        return str(self.arguments.get("of") or kinds.get(kind, kind) or "spending")


def before(scope: Scope, context: ToolContext) -> Before:
    """Return a scope in the form in which it is edited."""
    arguments = scope.arguments
    shared = {name: arguments[name] for name in SHARED if arguments.get(name)}
    return Before(scope.tool, shared, _period(arguments, context), dict(arguments))


def standing(past: Sequence[PastTurn]) -> Scope | None:
    """Return the question that stands: the last one that had an answer out of the transactions."""
    return next((turn.scope for turn in reversed(past) if turn.scope), None)


def is_follow_up(reading: Reading, past: Sequence[PastTurn]) -> bool:
    """Whether a text edits the last question rather than asking a new one.

    It does if it is a fragment (only names and dates), opens like a change ("and …", "without …"), corrects, points back
    ("that", "them") without a subject of its own, or asks for a measure of nothing ("how often?"). A whole question never
    does, whatever was asked before, unless it joins on ("and how much did I spend?") and leaves its subject or period out.
    """
    if reading.outright or standing(past) is None or not reading.words:
        return False
    manner = manner_of(reading, past)
    return _edits(manner) and not manner.left and _answered(manner, past)


def is_unclear(reading: Reading, past: Sequence[PastTurn]) -> bool:
    """Whether a text is certainly no question of its own, and yet says nothing that can be changed or pointed at.

    "what about the other one", "compare them" after nothing, "and for the cabin" with a word that nobody knows.
    """
    if reading.outright or not reading.words or is_follow_up(reading, past):
        return False
    manner = manner_of(reading, past)
    if manner.has("part"):
        return not past or not _answered(manner, past)
    if not past:
        return _points_only(manner) and not manner.left
    half_read = manner.has("corrects", "narrows") and not manner.has("whole", "elsewhere")
    half_read = half_read and (bool(manner.left) or not _answered(manner, past))
    if half_read or _is_complete(manner) or not _points_only(manner, "narrows", "corrects", "excludes", "opens"):
        return half_read
    return not manner.left or manner.has("narrows", "corrects", "excludes", "points", "both")


def _points_only(manner: Manner, *signs: str) -> bool:
    """Whether a text points back, or has another of these signs, and says nothing by which it could stand alone."""
    if manner.has("elsewhere", "subject") or len(manner.keys) > LONGEST_EDIT:
        return False
    return manner.has("points", "both") or (manner.has(*signs) and not manner.has("whole"))


def _edits(manner: Manner) -> bool:
    """Whether the signs are those of a change to the question before."""
    if manner.has("elsewhere") or not manner.has("content"):
        return False
    if _is_complete(manner):
        return False
    if manner.has("opens") or (
        manner.has("points", "both") and (not manner.has("subject") or manner.has("compares", "part", "adds"))
    ):
        return True
    if manner.has("whole"):
        return manner.has("bare", "rivals", "sums", "brief")
    if manner.has("compares"):
        return not manner.has("sides") and not (manner.has("subject") and manner.has("period"))
    return (
        manner.has("fragment", "brief", "rivals", "corrects", "narrows", "adds", "excludes", "widens", "bare", "sums")
        and len(manner.keys) <= LONGEST_EDIT
    )


def _is_complete(manner: Manner) -> bool:
    """Whether a text leaves nothing to the question before: it names its subject and its period, or is all about spending."""
    if manner.has("whole") and manner.has("subject") and manner.has("period"):
        return True
    if manner.has("opens", "narrows", "corrects", "sums", "points", "both", "compares"):
        return False
    about = manner.has("subject", "spending") and not manner.has("adds")
    return about and manner.has("period", "widens")


def _answered(manner: Manner, past: Sequence[PastTurn]) -> bool:
    """Whether what a text points at or corrects was understood: the turn right before has its scope."""
    if past[-1].scope is not None:
        return True
    return (
        not manner.has("points", "both", "rivals", "corrects", "part")
        and past[-1].kind != "clarify"
        and not _computed(past[-1])
    )


def _computed(turn: PastTurn) -> bool:
    """Whether a turn was arithmetic on two answers, which no period or name can be changed of."""
    return bool(turn.facts) and turn.facts[0].id in ("sum", "difference", "ratio")


def last_figures(past: Sequence[PastTurn]) -> list[str]:
    """Return references to the main figures of the last two answers, the older first."""
    answered = [
        number
        for number, turn in enumerate(reversed(past), start=1)
        if turn.kind == "answer" and turn.facts and turn.facts[0].value not in (0, Decimal(0))
    ]
    return [_figure_of(past[-number], number) for number in reversed(answered[:2])]


def _figure_of(turn: PastTurn, number: int) -> str:
    """Return the reference to a turn's figure: the total behind an average per week, else its first fact."""
    averaged = turn.facts[0].id in ("per_interval", "share") and any(fact.id == "total" for fact in turn.facts)
    return f"{{p{number}.total}}" if averaged else f"{{p{number}}}"


def _period(arguments: Mapping[str, Any], context: ToolContext) -> Period | None:
    """Return the period of a scope's arguments, or None for all time."""
    phrase = arguments.get("period")
    periods = arguments.get("periods")
    try:
        if periods:
            return read_period(str(periods[0]), context)
        if phrase:
            found = read_period(str(phrase), context)
        else:
            found = period_of(arguments.get("start_date"), arguments.get("end_date"), context)
    except UnknownPeriod:
        return None
    return None if found.is_all_time and not found.weekdays else found
