"""Questions that leave their subject to the one before: "and the second largest?", "what was it before?"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.planner.acts import call_of
from graph.planner.followups import before, standing
from graph.planner.plan import Plan
from graph.planner.pointing import points_back
from graph.planner.settling import NEW, TAKEN
from language.lexicon import holds
from tools.calls import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.witness import Asking
    from graph.turn import PastTurn

_CURRENT = "recurring-current"
#: Acts that may leave their subject to the question before, and those that do so only where they point at it.
_INHERITING = frozenset("rows extreme rank breakdown average count".split())
_POINTING = frozenset({"total", "share", "compare"})
_SHORT = 8
_ONE_ROW = frozenset({"largest", "smallest", "latest", "last", "first"})


def asked_of_the_same(asking: Asking, past: Sequence[PastTurn]) -> Plan | None:
    """Return the plan for a few words that ask more of the very answer before: "how much was it?", "since when?"."""
    scope = standing(past)
    if scope is None or asking.named or asking.reading.of("period") or len(asking.reading.words) > _SHORT:
        return None
    given = dict(scope.arguments)
    if holds("same", asking.reading.words) and given.get("what", given.get("measure")) in _ONE_ROW:
        return Plan("calls", ((Call(scope.tool, given),),), TAKEN)
    about = _about(asking, given) if scope.tool == _CURRENT else None
    return None if about is None else Plan("calls", ((Call(_CURRENT, {**given, "about": about}),),), TAKEN)


def _about(asking: Asking, given: Mapping[str, Any]) -> str | None:
    """Return what else is asked of something regular."""
    if asking.act == "next" and asking.told["act"].sure >= TAKEN:
        return "next"
    if holds("since_when", asking.reading.words):
        return "change" if given.get("about") == "change" else "since"
    return "change" if holds("earlier", asking.reading.words) else None


def inherited(asking: Asking, past: Sequence[PastTurn]) -> Plan | None:
    """Return the plan for a question that names no subject, asked of what the question before was about."""
    scope = standing(past)
    if scope is None or asking.named or asking.reading.of("kind"):
        return None
    base = before(scope, asking.context)
    period, points = asking.reading.of("period"), points_back(asking.reading)
    acts = NEW | _INHERITING | (_POINTING if points else frozenset())
    if asking.act not in acts or asking.told["act"].sure < TAKEN or (period and not points):
        return None
    shared = {key: value for key, value in base.shared.items() if key != "kind"}
    if base.period is not None and not period:
        shared["period"] = base.period
    call = call_of(asking.inheriting(shared)) if shared else None
    return None if call is None else Plan("calls", ((call,),), asking.told["act"].sure)
