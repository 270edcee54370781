"""What a sentence asks for by its form, where that tells it better than the reader does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.understanding import is_repriced
from language import cues
from language.lexicon import holds, listed

if TYPE_CHECKING:
    from graph.planner.asking import Asking

#: Below this, the form of a sentence says what it asks for.
SURE_OF_ACT = 0.6
#: Acts that a change of a price may be taken for.
_OF_LEVELS = frozenset("series change compare level rank trend average".split())
_INCOME = frozenset({"income", "salary"})
#: Acts that a figure for each month may be taken for.
_OF_SUMS = frozenset({"total", "average", "count"})
#: Acts that somebody who is asked after may be taken for.
_OF_WHO = frozenset({"share", "identify", "rows", "exists"})


def act_by_form(asking: Asking) -> str | None:
    """Return the act that a sentence asks for by its form; None where the reader is sure of it, or no form tells."""
    certain = _act_for_certain(asking)
    if certain or not _is_told_by_form(asking):
        return certain
    return _act_in_so_many_words(asking) or (_act_of_names(asking) if asking.is_fragment else _act_of_sentence(asking))


def _act_for_certain(asking: Asking) -> str | None:
    """Return the first act whose form is told, however sure the reader is of another."""
    told = asking.told["act"].best
    forms = (
        ("level_change", told in _OF_LEVELS and is_repriced(asking)),
        ("repriced", asking.says(cues.DEARER_MOST) and asking.says(cues.REGULAR_THINGS)),
        ("frequency", asking.says(cues.EVERY_HOW_MANY)),
        ("empty", asking.named and asking.says(cues.EMPTY_ONES)),
        ("series", told in _OF_SUMS and asking.says(cues.ONE_BY_ONE)),
        ("share", asking.says(cues.PERCENT) and asking.says(cues.TO_SAVINGS) and asking.says(cues.OF_INCOME)),
        ("rows", told == "detail" and asking.named and asking.says(cues.WHAT_BOUGHT)),
        ("identify", _is_of_one_amount(asking)),
        ("identify", told in _OF_WHO and not asking.named and _asks_who(asking)),
    )
    return next((act for act, said in forms if said), None)


def _is_of_one_amount(asking: Asking) -> bool:
    """Whether it is asked where, when or by whom just some amount was paid ("where did I spend £64 last December?")."""
    bounds = [asking.reading.of(slot) for slot in ("over", "under")]
    exact = all(bounds) and bounds[0][0].text == bounds[1][0].text
    asks = bool(asking.reading.words) and asking.reading.words[0].key in listed("asking_after")
    return exact and asks and asking.said("measure") is None


def _asks_who(asking: Asking) -> bool:
    return asking.says(cues.WHO) and (asking.says(cues.TO_ME) or asking.says(cues.I_PAID))


def _is_told_by_form(asking: Asking) -> bool:
    """Whether the form of a sentence tells what is asked for better than the reader does."""
    if asking.told["act"].sure < SURE_OF_ACT:
        return True
    bounded = {"over", "under"} & asking.about.keys()  # "payments over 50 euros in May"
    unsaid = asking.told["act"].best == "extreme"  # names and dates alone say no superlative
    return asking.is_fragment and (bool(bounded) or unsaid)


def _act_in_so_many_words(asking: Asking) -> str | None:
    """Return the act that words of the sentence say: how a price changed, one by one, since when."""
    if is_repriced(asking):
        return "level_change"
    if asking.says(cues.ONE_BY_ONE):
        return "series"
    since_when = holds("since_when", asking.reading.words) and (asking.named or asking.of in _INCOME)
    return "ended" if since_when else None


def _act_of_names(asking: Asking) -> str:
    """Return what names and dates alone ask for: a sum, rows, or what was of just one amount."""
    return ("total", "rows", "identify")[len({"over", "under"} & asking.about.keys())]


def _act_of_sentence(asking: Asking) -> str | None:
    """Return the act that the form of a whole sentence tells: a sum, or a superlative of what is named."""
    alone = asking.periods and not asking.unknown and not asking.follows
    if (alone and asking.told["act"].best == "total") or _is_paid(asking):
        return "total"
    superlative = asking.said("measure") in ("largest", "smallest") and asking.said("by") in (None, "purchase")
    told = asking.named or asking.said("limit")
    return "extreme" if superlative and told and not asking.unknown else None


def _is_paid(asking: Asking) -> bool:
    """Whether it is asked how much went to somebody or came from them ("how much did I send Nora?")."""
    paid = asking.says(cues.I_PAID) or asking.says(cues.TO_ME)
    return paid and asking.says(cues.AMOUNT) and asking.has("merchant") and not asking.unknown
