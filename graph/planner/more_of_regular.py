"""More of something regular that was asked about: since when, what before, when next; of a list of it, the sum or the dearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS
from graph.planner.understanding import DEAREST, without_the_first
from language import cues
from language.lexicon import holds, listed

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning

#: Acts that set two prices against each other.
_OF_TWO = frozenset({"compare", "change", "level_change"})
_SURE = 0.5


def more_of_regular(asking: Asking, base: Meaning) -> Meaning | None:
    """Return what a message asks of the regular thing, or of the list of them, that was answered; None where it asks neither."""
    if base.act == "recurring" and (ranked := _one_of_the_list(asking, base)):
        return ranked
    compared = asking.says(cues.BY_HOW_MUCH)
    if base.act == "current" and not asking.named and asking.act in _OF_TWO and compared:
        return base.but(detail="change")  # "how much more is that than last year?"
    of_a_year = asking.says(cues.A_YEAR) and not asking.reading.has(
        listed("total")
    )  # "in total since June, annual fee included"
    if asking.named or (asking.reading.of("period") and not of_a_year):
        return None
    if base.act == "recurring" and asking.act in ("total", "average", "level"):
        return base.but(detail="sum")
    detail = _detail(asking, base) if base.act == "current" else None
    return base.but(detail=detail) if detail else None


def _one_of_the_list(asking: Asking, base: Meaning) -> Meaning | None:
    """Return which of what recurs costs the most or least ("and which is the dearest after rent?")."""
    asking, before = without_the_first(asking), base.detail
    end = DEAREST.get(asking.said("measure")) or (before if before in DEAREST.values() and asking.nth > 1 else None)
    out = {"exclude": asking.about["exclude"]} if "exclude" in asking.about else {}
    others = any(asking.about.get(slot) for slot in SUBJECTS)
    return base.on(**out).but(detail=end, nth=asking.nth) if end and not others else None


def _detail(asking: Asking, base: Meaning) -> str | None:
    """Return what else of one regular thing is asked for."""
    compared = asking.says(cues.BY_HOW_MUCH)
    if asking.says(cues.A_YEAR):
        return "change" if compared or base.detail == "change" else "price"
    if holds("since_when", asking.reading.words):
        return "change" if base.detail == "change" else "since"
    if compared or holds("earlier", asking.reading.words) or asking.says(cues.REPRICED):
        return "change"
    if asking.says(cues.ALWAYS_SO):
        return "constant"
    told = asking.told["act"]
    sure = {"next": "next", "level_change": "change"}.get(told.best) if told.sure >= _SURE else None
    return "price" if asking.says(cues.ITS_PRICE) else sure
