"""References from one call to a fact of an earlier one: ``{f3}``, ``{1.total}``, ``{p1}``, ``{p1.total}``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from graph.state import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.state import Outcome
    from graph.turn import PastTurn
    from tools.results import Fact

_REFERENCE = re.compile(r"\{\s*(f|p)?(\d{1,3})(?:\.(\w+))?\s*\}")


class UnknownReference(Exception):
    """A reference that no fact of this turn or conversation answers; ``reference`` is its text."""

    def __init__(self, reference: str) -> None:
        """Keep the text."""
        super().__init__(reference)
        self.reference = reference


def is_reference(value: Any) -> bool:
    """Whether a value stands for a fact of an earlier call, and for nothing else."""
    return isinstance(value, str) and _REFERENCE.fullmatch(value.strip()) is not None


def resolve_references(
    value: Any, outcomes: Sequence[Outcome], past: Sequence[PastTurn], *, with_currency: bool = False
) -> Any:
    """Return the value with every reference replaced by its fact's figure.

    A text that is a reference becomes the figure itself (``412.37``, or ``412.37 USD`` where currencies matter).
    Raises UnknownReference for one that leads nowhere.
    """
    if isinstance(value, dict):
        return {
            key: resolve_references(item, outcomes, past, with_currency=with_currency or key == "values")
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [resolve_references(item, outcomes, past, with_currency=with_currency) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value
    match = _REFERENCE.fullmatch(value.strip())
    if match is None:
        return value
    return _figure(_find(match, outcomes, past), with_currency=with_currency)


def _find(match: re.Match[str], outcomes: Sequence[Outcome], past: Sequence[PastTurn]) -> Fact:
    kind, number, name = match.group(1), int(match.group(2)), match.group(3)
    if kind == "f":
        fact = facts_of(outcomes).get(f"f{number}")
    else:
        candidates = _facts_before(number, past) if kind == "p" else _facts_of_call(number, outcomes)
        fact = next((each for each in candidates if name is None or each.id == name), None)
    if fact is None:
        raise UnknownReference(match.group())
    return fact


def _facts_before(number: int, past: Sequence[PastTurn]) -> Sequence[Fact]:
    """Return the facts of an earlier answer, the last one being the first."""
    return past[-number].facts if 0 < number <= len(past) else ()


def _facts_of_call(number: int, outcomes: Sequence[Outcome]) -> Sequence[Fact]:
    """Return the facts of a call of this turn, by its place among those that ran."""
    ran = [outcome for outcome in outcomes if outcome.status in ("done", "failed")]
    result = ran[number - 1].result if 0 < number <= len(ran) else None
    return result.facts if result else ()


def _figure(fact: Fact, *, with_currency: bool) -> str:
    return f"{fact.value} {fact.currency}" if with_currency and fact.currency else str(fact.value)
