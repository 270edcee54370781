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


def asks_whether(asking: Asking) -> bool:
    """Whether a sentence begins as one does that is answered with yes or no; “was” is what in German."""
    first = asking.reading.words[0].key if asking.reading.words else ""
    return first in listed("whether") and (first != "was" or asking.context.language != "de")


def asks_of_two_prices(asking: Asking) -> bool:
    """Whether it is asked how far one price is from another one: of two that are named, or of one and what was before it."""
    if not _sets_prices_apart(asking):
        return False
    payees = {each.key for each in _named(asking)}
    if asking.has("merchant"):
        ended = any(each.has_ended(asking.context.today) for each in _named(asking))
        return len(payees) == 2 or (len(payees) == 1 and (ended or _names_the_former(asking)))
    return bool(payees) and _names_the_former(asking)


def asks_what_the_former_was(asking: Asking) -> bool:
    """Whether it is asked what something was that another took the place of ("what was the rent at the old flat?")."""
    plain = not (asking.periods or asking.sought or asking.says(cues.SPENT) or asking.has("merchant"))
    return plain and _names_the_former(asking) and bool(_named(asking))


def asks_whether_it_is_more(asking: Asking) -> bool:
    """Whether it is asked if a price is more, or less, than that of what was before ("is rent higher than at the old flat?")."""
    if not (asks_whether(asking) and _sets_prices_apart(asking)):
        return False
    if asking.has("merchant"):
        return is_more_than_another(asking)
    return asking.says(cues.FORMER) and bool(_named(asking))


def is_more_than_another(asking: Asking) -> bool:
    """Whether one of two regular things that are named is set against the other ("is Netflix dearer than Spotify?")."""
    return asking.reading.has(listed("than")) and len({each.key for each in _named(asking)}) == 2


def asks_of_a_price_since(asking: Asking) -> bool:
    """Whether it is asked how far a price is from that of a time that is over ("how much higher is it now than in 2025?")."""
    periods, today = asking.periods, asking.context.today
    of_then = len(periods) == 1 and periods[0].end < today
    asks = asking.says(cues.BY_HOW_MUCH) or asks_whether(asking)
    apart = asking.says(cues.MORE_OR_LESS) and asking.says(cues.PAID_NOW) and not asking.says(cues.SPENT)
    return of_then and asks and apart and bool(_named(asking))


def sets_another_against_it(asking: Asking) -> bool:
    """Whether a message asks how far another price is from the one that was told ("and how much less is giffgaff?")."""
    one = len(asking.reading.of("merchant")) == 1 and not (asking.periods or asking.says(cues.SPENT))
    happened = asking.says(cues.HAPPENED)  # "how much dearer did it get?" is about that one alone
    return one and not happened and asking.says(cues.BY_HOW_MUCH) and asking.says(cues.MORE_OR_LESS)


def apart_meaning(asking: Asking) -> Meaning:
    """Return how far apart the prices are of what is named, whichever way they go."""
    comes_in = all(each.comes_in for each in _named(asking))
    meaning = asking.meaning("current", detail="apart", of="income" if comes_in else "spending", periods=())
    return meaning.without("account", "exclude", *(("category",) if comes_in else ()))


def _names_the_former(asking: Asking) -> bool:
    """Whether something is called the old one, and no shop is by its name ("Old Navy")."""
    shops = asking.reading.of("merchant")
    return any(
        not any(shop.start < found.end() and found.start() < shop.end for shop in shops)
        for found in cues.OLD_ONE.finditer(asking.text)
    )


def _sets_prices_apart(asking: Asking) -> bool:
    """Whether one is said to be more or less, at what is paid now, and nothing tells a sum of what was spent."""
    plain = not (asking.periods or asking.sought or asking.says(cues.SPENT))
    return plain and asking.says(cues.MORE_OR_LESS) and asking.says(cues.PAID_NOW)


def _named(asking: Asking) -> list[Series]:
    """Return what recurs of the merchants that are named, else of the category, or of pay where that is all that is named."""
    merchants = {key_of(name) for name in names_of(asking.about.get("merchant"))}
    if merchants:
        return [each for each in asking.regular if each.key in merchants]
    comes_in, categories = asking.of in _INCOME, names_of(asking.about.get("category"))
    pay = comes_in and not categories and (asking.says(cues.SALARY) or asking.says(cues.WAGES))
    return [each for each in asking.regular if each.comes_in == comes_in and (pay or each.category in categories)]
