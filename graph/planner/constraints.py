"""By what the rows of a question are told from others, and of which kind of money a category is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph.planner.filling import union
from graph.planner.meaning import SUBJECTS
from ledger.recurring import categories_above
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graph.planner.reading import Reading
    from tools.slots.slot import Mention


def constraints_of(reading: Reading) -> dict[str, Any]:
    """Return what a reading says by which rows are told from others, by parameter."""
    said, left_out = reading.by_slot(excluded=False), reading.by_slot(excluded=True)
    about: dict[str, Any] = {slot: union(said[slot]) for slot in (*SUBJECTS, "account") if slot in said}
    about |= {slot: said[slot][0] for slot in ("over", "under") if slot in said}
    means = set(said.get("means", ()))
    if len(means) == 1:  # "by standing order and by card" is all that there is
        about["means"] = means.pop()
    if any(m.excluded or m.without for m in reading.mentions) and (names := reading.left_out):
        about["exclude"] = names
    if "largest" in left_out.get("measure", ()):
        counts = (*said.get("limit", ()), *left_out.get("limit", ()))
        about["exclude_largest"] = counts[0] if counts else 1
    return about


def population_named(categories: Iterable[Mention]) -> str | None:
    """Return which kind of money a category is of, where it is none that is spent."""
    for mention in categories:
        for name in names_of(mention.value):
            above = categories_above(name)
            if above and above[-1] in ("income", "fees", "transfers"):
                return above[-1]
    return None
