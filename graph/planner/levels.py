"""Questions about how far apart two regular prices are: of two things, or of one and what it replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language import cues
from language.lexicon import listed
from ledger.judgement import key_of
from tools.slots.names import names_of

if TYPE_CHECKING:
    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from ledger.recurring import Series

_INCOME = frozenset({"income", "salary"})


def asks_of_two_prices(asking: Asking) -> bool:
    """Whether it is asked how far one price is from another one: of two that are named, or of one and what was before it."""
    if not (_sets_prices_apart(asking) and asking.says(cues.BY_HOW_MUCH)):
        return False
    payees = {each.key for each in _named(asking)}
    if asking.has("merchant"):
        ended = any(each.has_ended(asking.context.today) for each in _named(asking))
        return len(payees) == 2 or (len(payees) == 1 and (ended or asking.says(cues.FORMER)))
    return bool(payees) and asking.says(cues.FORMER)


def asks_whether_it_is_more(asking: Asking) -> bool:
    """Whether it is asked if a price is more, or less, than that of what was before ("is rent higher than at the old flat?")."""
    asks = bool(asking.reading.words) and asking.reading.words[0].key in listed("whether")
    if not (asks and _sets_prices_apart(asking)):
        return False
    if asking.has("merchant"):
        return len({each.key for each in _named(asking)}) == 2  # "is Netflix dearer than Spotify?"
    return asking.says(cues.FORMER) and bool(_named(asking))


def asks_of_a_price_since(asking: Asking) -> bool:
    """Whether it is asked how far a price is from that of a time that is over ("how much higher is it now than in 2025?")."""
    periods, today = asking.periods, asking.context.today
    of_then = len(periods) == 1 and periods[0].end < today and asking.says(cues.COMPARED_TO)
    apart = asking.says(cues.BY_HOW_MUCH) and asking.says(cues.MORE_OR_LESS) and asking.says(cues.PAID_NOW)
    return of_then and apart and not asking.says(cues.SPENT) and bool(_named(asking))


def apart_meaning(asking: Asking) -> Meaning:
    """Return how far apart the prices are of what is named, whichever way they go."""
    comes_in = all(each.comes_in for each in _named(asking))
    meaning = asking.meaning("current", detail="apart", of="income" if comes_in else "spending", periods=())
    return meaning.without("account", "exclude", *(("category",) if comes_in else ()))


def _sets_prices_apart(asking: Asking) -> bool:
    """Whether one is said to be more or less, at what is paid now, and nothing tells a sum of what was spent."""
    plain = not (asking.periods or asking.sought or asking.says(cues.SPENT))
    return plain and asking.says(cues.MORE_OR_LESS) and asking.says(cues.PAID_NOW)


def _named(asking: Asking) -> list[Series]:
    """Return what recurs of the merchants that are named, else of the category."""
    merchants = {key_of(name) for name in names_of(asking.about.get("merchant"))}
    if merchants:
        return [each for each in asking.regular if each.key in merchants]
    comes_in = asking.of in _INCOME
    categories = names_of(asking.about.get("category"))
    return [each for each in asking.regular if each.comes_in == comes_in and each.category in categories]
