"""Intervals in which something that comes in each of them did not: which they are, whether there is one, whether there is none.

"Which months did I skip?", "did she ever miss a payment?", "has he paid every single month?", and what each payment is to be.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.pointing import mention_at
from language import cues
from language.lexicon import interval, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from language.words import Word

#: What is asked by which form, the first that fits; a figure for each interval otherwise.
_FORMS = (("empty", cues.EMPTY_ONES), ("every", cues.NONE_OMITTED), ("missed", cues.ANY_OMITTED))
#: What a series of figures shows where its intervals without any are asked about.
MISSED = frozenset(name for name, _ in _FORMS)
_THE = listed("articles", "possessives")
_LONGEST_AMOUNT, _YEAR = 5, 4
#: The last day of a month, and as far behind a day its month may be named: "the 1 of every month".
_LAST_DAY, _TO_THE_MONTH = 31, 3


def missed_in(text: str) -> tuple[str, str] | None:
    """Return what a text that is folded in place asks of intervals without anything, and of which; None where it asks nothing."""
    for name, form in _FORMS:
        found = form.search(text)
        if found is not None:
            return name, next(filter(None, map(interval, filter(None, found.groups()))), "month")
    return None


def asks_for_missed(asking: Asking) -> bool:
    """Whether it is asked when something did not come; a “no” in a shop's name asks for none, nor does a price that moved."""
    if missed_in(asking.text) is None or missed_in(asking.unnamed_text) is None:
        return False
    if not (asking.named or asking.ruled_of == "cash" or asking.of not in ("spending", "all")):
        return False
    figure = asking.says(cues.REPRICED) or asking.says(cues.AMOUNT) or asking.said("measure") in ("count", "how_often")
    return not figure


def missed_of(asking: Asking, base: Meaning) -> Meaning | None:
    """Return the intervals without any of what a meaning is about, as a message asks for them; None where it does not."""
    found = missed_in(asking.unnamed_text)
    if found is None:
        return None
    shown, grain = found
    return base.on(**_of_one_size(asking)).but(act="series", grain=grain, detail=shown, by=None)


def _of_one_size(asking: Asking) -> Mapping[str, str]:
    """Return the bounds of what each payment is to be, where a plain number says so ("he has to pay the 450 on the 5th")."""
    words = asking.reading.words
    for place, (before, word) in enumerate(pairwise(words), 2):
        amount = word.key.isdigit() and len(word.key) <= _LONGEST_AMOUNT and len(word.key) != _YEAR
        if amount and before.key in _THE and not _counts(asking, word, words[place:]):
            step = asking.context.smallest_amount
            return {"over": str(Decimal(word.key) - step), "under": str(Decimal(word.key) + step)}
    return {}


def _counts(asking: Asking, word: Word, behind: Sequence[Word]) -> bool:
    """Whether a number is none that is paid: "the 6 months since June", "the 1 of every month", or a part of another."""
    keys = [each.key for each in behind[: _TO_THE_MONTH if int(word.key) <= _LAST_DAY else 1]]
    counted = any(map(interval, keys)) or mention_at(asking.reading, word) is not None
    return counted or not keys or keys[0].startswith(tuple("0123456789"))


def is_size(asking: Asking, key: str) -> bool:
    """Whether a word is the plain number that each payment is to be."""
    bounds = _of_one_size(asking)
    return bool(bounds) and key.isdigit() and Decimal(bounds["over"]) < Decimal(key) < Decimal(bounds["under"])
