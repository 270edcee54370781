"""More of something regular that was asked about: since when, what before, when next; of a list of it, the sum or the dearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.filling import union
from graph.planner.levels import sets_another_against_it
from graph.planner.meaning import SUBJECTS
from graph.planner.understanding import DEAREST, without_the_first
from language import cues
from language.lexicon import holds, listed
from ledger.filters import ALL_TIME

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning

#: Acts that set two prices against each other.
_OF_TWO = frozenset({"compare", "change", "level_change"})
#: What tells of two prices.
_SET_APART = frozenset({"change", "apart"})
_SURE = 0.5


def more_of_regular(asking: Asking, base: Meaning) -> Meaning | None:
    """Return what a message asks of the regular thing, or of the list of them, that was answered; None where it asks neither."""
    if base.act == "recurring" and (ranked := _one_of_the_list(asking, base)):
        return ranked
    if base.act == "current" and (compared := _compared(asking, base)):
        return compared
    of_a_year = asking.says(cues.A_YEAR) and not asking.reading.has(listed("total"))  # "in total, annual fee included"
    if asking.named or (asking.reading.of("period") and not of_a_year):
        return None
    if base.act == "recurring" and asking.act in ("total", "average", "level"):
        return base.but(detail="sum")
    detail = _detail(asking, base) if base.act == "current" else None
    return base.but(detail=detail, periods=() if detail == "price" else base.periods) if detail else None


def _compared(asking: Asking, base: Meaning) -> Meaning | None:
    """Return how far another price is from the one that was told, or that one from what it was before."""
    if "merchant" in base.about and sets_another_against_it(asking):
        both = union([asking.about["merchant"], base.about["merchant"]])
        return base.on(merchant=both).but(detail="apart", periods=())
    before = not asking.named and asking.act in _OF_TWO and asking.says(cues.BY_HOW_MUCH)
    return base.but(detail="change") if before else None  # "how much more is that than last year?"


def since_the_start(asking: Asking, base: Meaning) -> Meaning | None:
    """Return how far the price of the regular thing is from what it was at first ("how much more is that than when I began?")."""
    apart = asking.says(cues.BY_HOW_MUCH) or (asking.says(cues.MORE_OR_LESS) and asking.says(cues.COMPARED_TO))
    of_first = asking.says(cues.AT_FIRST) or asking.says(cues.AT_THE_START)
    if base.act != "current" or not (apart and of_first) or asking.named:
        return None
    return base.but(detail="change", periods=(ALL_TIME,))


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
        return base.detail if base.detail in _SET_APART else "change" if compared else "price"
    if holds("since_when", asking.reading.words):
        return "change" if base.detail == "change" else "since"
    if compared or holds("earlier", asking.reading.words) or asking.says(cues.REPRICED):
        return "change"
    if asking.says(cues.ALWAYS_SO):
        return "constant"
    told = asking.told["act"]
    sure = {"next": "next", "level_change": "change", "level": "price"}.get(told.best) if told.sure >= _SURE else None
    return "price" if asking.says(cues.ITS_PRICE) else sure
