"""The figures of the answers before, as later calls refer to them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.turn import PastTurn
    from tools.results import Scope


def standing(past: Sequence[PastTurn]) -> Scope | None:
    """Return the question that stands: the last one that had an answer out of the transactions."""
    return next((turn.scope for turn in reversed(past) if turn.scope), None)


def last_two(past: Sequence[PastTurn]) -> tuple[Scope, ...]:
    """Return the last two questions that had an answer, the older first; a look at a receipt does not repeat one."""
    told = [turn.scope for turn in past if turn.scope]
    return tuple(scope for place, scope in enumerate(told) if not place or scope != told[place - 1])[-2:]


def last_figures(past: Sequence[PastTurn], operation: str = "share") -> list[str]:
    """Return references to the main figures of the last two answers, the older first; apart are what their headlines say."""
    answered = [
        number
        for number, turn in enumerate(reversed(past), start=1)
        if turn.kind == "answer" and turn.facts and turn.facts[0].value not in (0, Decimal(0))
    ]
    stated = operation in ("difference", "rest")
    return [f"{{p{number}}}" if stated else _figure_of(past[-number], number) for number in reversed(answered[:2])]


def last_dates(past: Sequence[PastTurn]) -> list[str]:
    """Return references to the days of the last two answers, the older first; none where one of them has none."""
    answered = [(number, turn) for number, turn in enumerate(reversed(past), start=1) if turn.kind == "answer"][:2]
    dates = [
        f"{{p{number}.{fact.id}}}"
        for number, turn in answered
        for fact in turn.facts
        if (fact.id, fact.unit) == ("date", "date")
    ]
    return dates[::-1] if len(dates) == len(answered) == 2 else []


def _figure_of(turn: PastTurn, number: int) -> str:
    """Return the reference to a turn's figure: the total behind an average per week, else its first fact."""
    averaged = turn.facts[0].id in ("per_interval", "share") and any(fact.id == "total" for fact in turn.facts)
    return f"{{p{number}.total}}" if averaged else f"{{p{number}}}"


def is_part_of_last(past: Sequence[PastTurn]) -> bool:
    """Whether the last answer was of a part of what the one before it was of."""
    scopes = [turn.scope for turn in past if turn.scope][-2:]
    if len(scopes) < 2:
        return False
    older, newer = (scope.arguments for scope in scopes)
    times = ("start_date", "end_date", "period")
    same_time = all(older.get(key) == newer.get(key) for key in times) or not any(newer.get(key) for key in times)
    narrower = {key for key in newer if newer[key]} - set(times)
    return same_time and bool(narrower - {key for key in older if older[key]})


def are_of_two(past: Sequence[PastTurn]) -> bool:
    """Whether the last two answers were of two payees, of whom one gave back what the other took."""
    scopes = last_two(past)
    told = [set(names_of(scope.arguments.get("merchant"))) for scope in scopes]
    if len(scopes) > 1 and scopes[1].arguments.get("of") == "refunds":
        told = [
            names | set(names_of(scope.arguments.get("category"))) for names, scope in zip(told, scopes, strict=True)
        ]
    return len(told) > 1 and all(told) and told[0] != told[1]
