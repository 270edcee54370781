"""What is set against each other: two periods, shops or categories; what changed; whether one side is more."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.persons import nets_both_ways
from language import cues
from language.lexicon import holds, listed
from language.words import cut_out
from ledger.periods import granularity, previous_period
from tools.slots.names import argument_of, names_of
from tools.slots.period import periods_in, read_period

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.planner.asking import Asking
    from ledger.periods import Period
    from tools.slots.slot import Mention


def compare_meaning(asking: Asking) -> Meaning | None:
    """Set two periods, shops or categories against each other, the newer period first, so that a change is one of the older."""
    if asking.says(cues.MORE_THAN_CAME_IN) and not asking.named:
        return asking.meaning("total", of="left", detail=claim_of_flow(asking))
    if nets_both_ways(asking):  # of one time each, no figure of one of the tools is the one that is asked for
        return asking.meaning("total", of="left") if len(asking.periods) < 2 else None
    if " + " in asking.reading.text:
        return asking.meaning("total")
    periods = _compared(asking)
    sides = max(len(names_of(asking.about.get(slot))) for slot in SUBJECTS)
    if not periods and not (sides > 1 or (sides and asking.says(cues.COMPARES))):
        return None
    return asking.meaning("compare", periods=periods or asking.meaning("compare").periods, detail=_claim(asking))


def _claim(asking: Asking) -> str | None:
    """Return what is asked to be so of the first of two sides: that it is more, or less, than the second."""
    words_ = asking.reading.words
    more, less = holds("more", words_), holds("less", words_)
    if not words_ or words_[0].key not in listed("whether") or more == less:
        return None
    sides = asking.periods
    newer_first = len(sides) < 2 or sides[0].start > sides[1].start  # the newer period is set against the older
    return "more" if more == newer_first else "less"


def claim_of_flow(asking: Asking) -> str | None:
    """Return which is asked to be more: what came in, or what went out."""
    words_ = asking.reading.words
    than = next((word.start for word in words_ if word.key in listed("than")), 0)
    if not than or words_[0].key not in listed("whether"):
        return None
    out_first = cues.WENT_OUT.search(asking.text[:than]) is not None
    return "out" if out_first != holds("less", words_) else "in"


def change_meaning(asking: Asking) -> Meaning | None:
    """Return what changed: of what is named by how much, else which categories or shops."""
    if asking.named or (asking.says(cues.BY_HOW_MUCH) and not asking.says(cues.WHAT_CHANGED)):
        return compare_meaning(asking)
    return asking.meaning(
        "change", by=_by_merchant(asking), end="both", periods=_compared(asking) or asking.periods[:1]
    )


def growth_meaning(asking: Asking, dimension: str) -> Meaning | None:
    """Return what rose or fell the most."""
    fell = asking.said("measure") == "smallest" or asking.says(cues.FELL)
    by = "merchant" if dimension == "merchant" else "category"
    return asking.meaning("change", by=by, end="down" if fell else "up", periods=_compared(asking))


def _compared(asking: Asking) -> tuple[Period, ...]:
    """Return the periods that are compared, the newest first; "from July to August" is two where something changed."""
    distinct = {(period.start, period.end, period.weekdays): period for period in asking.periods}
    periods = list(distinct.values())
    if len(periods) < 2 and (match := cues.FROM_TO.search(asking.reading.text)):
        parts = [periods_in(part, asking.context) for part in match.groups() if part]
        periods = [found[0].period for found in parts if found]
    if len(periods) == 1:
        several = any(len(names_of(asking.about.get(slot))) > 1 for slot in SUBJECTS)
        return () if several else _with_this(periods[0], asking)
    return (
        tuple(sorted(periods, key=lambda period: period.start, reverse=True)) if len(periods) == 2 else tuple(periods)
    )


def _with_this(period: Period, asking: Asking) -> tuple[Period, ...]:
    """Return the present period of a kind and the one that it is compared to ("up compared to last year?")."""
    size = granularity(period)
    if not asking.says(cues.COMPARED_TO) or size not in ("week", "month", "quarter", "year"):
        return ()
    this = read_period(f"this {size}", asking.context)
    return (this, period) if period.start != this.start else (this, previous_period(this))


def _by_merchant(asking: Asking) -> str | None:
    return "merchant" if asking.said("by") == "merchant" else None


def days_between_meaning(asking: Asking) -> Meaning:
    """Return the days between the last two times of something, from the last one to today, or from one thing to another."""
    if asking.says(cues.DAYS_AGO):
        return asking.meaning("days_between", detail=asking.context.today.isoformat())
    ends = [each for each in asking.reading.of("measure") if each.value in ("first", "last")]
    named = list(_apart(asking))
    if len(named) == 1 and [each.value for each in ends] in (["first", "last"], ["last", "first"]):
        moments = [_moment(named[0], str(end.value), asking) for end in ends]
    else:
        starts = [0, *(each.start for each in named)]
        said = [
            [end for end in ends if start <= end.start < each.start] for start, each in zip(starts, named, strict=False)
        ]
        moments = [
            _moment(each, str(told[-1].value) if told else "last", asking)
            for each, told in zip(named, said, strict=True)
        ]
    return moments[0].but(whole=moments[1]) if len(moments) == 2 else asking.meaning("days_between")


def _moment(mention: Mention, end: str, asking: Asking) -> Meaning:
    """Return the first or last time of what a name stands for; of somebody's pay what came in."""
    rest = cut_out(asking.text, [(each.start, each.end) for each in asking.reading.of("merchant")])
    paid = asking.says(cues.WAGES) or cues.ONES_PAY.search(rest)
    meaning = asking.meaning("days_between", end="first" if end == "first" else "latest")
    return meaning.on(merchant=argument_of(names_of(mention.value))).but(of="income" if paid else meaning.of)


def _apart(asking: Asking) -> Iterator[Mention]:
    """Yield what is named, but for a name right before one that is among those it stands for ("the Northbeam severance")."""
    named = asking.reading.of("merchant")
    for mention, after in zip_longest(named, named[1:]):
        beside = after is not None and not asking.reading.text[mention.end : after.start].strip()
        if not (beside and set(names_of(after.value)) < set(names_of(mention.value))):
            yield mention
