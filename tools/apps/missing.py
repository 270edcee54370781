"""Intervals in which nothing came of what comes in each: the months that a payment missed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Literal

from language.catalogue import say
from tools.results import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from language.catalogue import Template
    from ledger.periods import Period
    from ledger.repository import Group
    from tools.apps.populations import Population
    from tools.apps.scope import Scoped

#: What is asked of such intervals: which they are, whether there are any, or whether there are none.
Missing = Literal["empty", "missed", "every"]
#: So many intervals without anything are named.
_MOST_NAMED = 6
#: In so many intervals it has a day of its own if its days are no further apart.
_REGULAR, _ABOUT = 3, 7


def without_any(
    asked: Missing,
    spans: Sequence[Period],
    labels: Sequence[str],
    days: Sequence[date],
    *,
    unfinished: bool,
    grain: str,
    population: Population,
    scoped: Scoped,
) -> tuple[list[Fact], str]:
    """Return the intervals in which there was nothing, and the headline that names them.

    ``days`` are those on which there was something. Of all time nothing is missed before the first of them. The last interval,
    where it is ``unfinished``, is missed once the day is past by which the first payment came in every other one.
    """
    firsts = [next((day for day in days if span.start <= day <= span.end), None) for span in spans]
    begun = next((place for place, day in enumerate(firsts) if day), 0) if scoped.period.is_all_time else 0
    empty = [label for label, day in list(zip(labels, firsts, strict=True))[begun:] if day is None]
    if unfinished and firsts[-1] is None and not _is_late(spans, firsts):
        empty.pop()
    facts = [Fact.count("empty", f"{grain.capitalize()}s without any", len(empty))]
    facts += [
        Fact(f"empty_{number}", "Without any", label, "text") for number, label in enumerate(empty[:_MOST_NAMED], 1)
    ]
    told = _told(len(empty), grain, population, scoped)
    if asked == "empty":
        return facts, told
    answer = "Yes: {told}" if bool(empty) == (asked == "missed") else "No: {told}"
    return facts, say(answer, told=told)


def days_with_any(groups: Sequence[Group], population: Population) -> list[date]:
    """Return the days of groups by day that have a row of some money, in order."""
    return sorted(date.fromisoformat(group.key) for group in groups if population.number(group.totals))


def _is_late(spans: Sequence[Period], firsts: Sequence[date | None]) -> bool:
    """Whether it is later in the last interval than the first payment of any other one, where these come about the same day."""
    waited = [(day - span.start).days for span, day in zip(spans, firsts, strict=True) if day]
    regular = len(waited) >= _REGULAR and max(waited) - min(waited) <= _ABOUT
    return regular and (spans[-1].end - spans[-1].start).days > max(waited)


def _told(number: int, grain: str, population: Population, scoped: Scoped) -> Template:
    parts = {"many": say(population.many), "subject": scoped.subject}
    if not number:
        return say(f"No {grain} without {{many}}{{subject}} {{when}}", **parts)
    named = [f"{{empty_{place}}}" for place in range(1, min(number, _MOST_NAMED) + 1)]
    return say(
        "{empty} {units} without any {many}{subject} {when}: {named}",
        units=say(grain if number == 1 else f"{grain}s"),
        named=", ".join([*named, "…"] if number > _MOST_NAMED else named),
        **parts,
    )
