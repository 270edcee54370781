"""Sentences with typical words in the places of their particulars, so that what they ask can be compared.

MiniLM knows English, and weighs names and dates as much as what is asked. "Was kostete mich Rewe im Mai?" is nearer to the
examples of the right tool as "Was kostete mich Amazon last month?"
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from language.words import words
from tools.context import ToolContext
from tools.slots.amounts import AmountSlot, LimitSlot
from tools.slots.choices import ChoiceSlot
from tools.slots.names import CategorySlot, MerchantSlot
from tools.slots.period import PeriodSlot
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.repository import Repository
    from tools.context import PhraseSearch
    from tools.registry import Tool
    from tools.slots.slot import Slot

#: What a slot's place is called where a sentence's meaning is compared.
STAND_INS = {
    "period": "last month", "category": "groceries", "merchant": "Amazon", "account": "checking account", "over": "over 50",
    "under": "under 20", "limit": "five", "measure": "largest", "by": "purchases", "per": "per month", "kind": "refunds",
    "operation": "percentage", "query": "something", "sort": "newest first",
}  # fmt: skip
_PLACE = re.compile(r"\{\s*(\w+)\s*\}")
#: Slots whose mentions can be found without a person's own ledger; where two find the same words, the first wins.
_FINDABLE = (AmountSlot, PeriodSlot, LimitSlot, CategorySlot, MerchantSlot, ChoiceSlot)
_SOLID = (AmountSlot, PeriodSlot)
#: Words before a shop's name, and words after them that begin no name.
_NAME_CUES = frozenset("at from bei beim von vom".split())
_NO_NAMES = frozenset(
    "a an the this that these those my your our his her its their me you us him them it here there now then home work all "
    "any each every some other another one both which what where when least most last first day time month year der die das "
    "dem den des ein eine einem einer eines mein meine meinem meiner meinen dein unser dir mir uns ihm ihr hier da jetzt "
    "heute gestern allem allen welchem welcher was wem wo".split()
)
#: A day before which lies every period that people ask about.
_LATE = date(2999, 12, 31)


def spoken_example(example: str) -> str:
    """Return an example with each ``{slot}`` as typical words, one that is not known as its own name."""
    return _PLACE.sub(lambda place: STAND_INS.get(place[1], place[1].replace("_", " ")), example)


def spoken_question(question: str, tools: Sequence[Tool]) -> str:
    """Return a question with what the tools' slots find in it as typical words; a choice becomes an English one."""
    slots = (slot for tool in tools for slot in tool.slots.values())
    known = {slot.name: slot for slot in slots if isinstance(slot, _FINDABLE) and slot.name in STAND_INS}
    found = [(slot, mention) for slot in known.values() for mention in slot.find(question, _anybody())]
    kept: list[tuple[Slot, Mention]] = []
    for slot, mention in sorted(found, key=_strength):
        if all(mention.end <= other.start or other.end <= mention.start for _, other in kept):
            kept.append((slot, mention))
    if any(isinstance(slot, MerchantSlot) for slot in known.values()):
        kept += [(MerchantSlot(), mention) for mention in _unknown_names(question, [mention for _, mention in kept])]
    for finder, mention in sorted(kept, key=lambda each: -each[1].start):
        question = question[: mention.start] + _typical(finder, mention) + question[mention.end :]
    return question


def _unknown_names(question: str, taken: Sequence[Mention]) -> list[Mention]:
    """Return what stands where a shop would and nothing else explains: a word, or several with capitals."""
    sentence = [word for word in words(question) if not any(m.start < word.end and word.start < m.end for m in taken)]
    found: list[Mention] = []
    for cue, first in pairwise(sentence):
        if cue.key not in _NAME_CUES or first.key in _NO_NAMES or not first.key.isalpha():
            continue
        if question[cue.end : first.start].strip():  # a mention or a sign stands between
            continue
        end, capital = first.end, question[first.start].isupper()
        for word in sentence:
            if capital and word.start > end and question[end : word.start] == " " and question[word.start].isupper():
                end = word.end
        found.append(Mention("merchant", first.start, end, question[first.start : end], question[first.start : end]))
    return found


def _strength(found: tuple[Slot, Mention]) -> tuple[int, ...]:
    """Order mentions: amounts and periods, then the longest, then as the kinds of slots are listed."""
    slot, mention = found
    kind = next(place for place, each in enumerate(_FINDABLE) if isinstance(slot, each))
    return (not isinstance(slot, _SOLID), mention.start - mention.end, kind)


def _typical(slot: Slot, mention: Mention) -> str:
    return slot.phrases[mention.value][0] if isinstance(slot, ChoiceSlot) else STAND_INS[slot.name]


@cache
def _anybody() -> ToolContext:
    """Return what can be known of a person without looking: our categories, and brands as merchants."""
    from ledger.brands import own_brands
    from ledger.repository import Vocabulary
    from ledger.taxonomy import CATEGORIES

    brands = sorted({brand.name for brand in own_brands().values()})
    vocabulary = Vocabulary(
        revision=0,
        categories=tuple(category.name for category in CATEGORIES.values()),
        merchants=tuple((name, name) for name in brands),
        accounts=(),
        currencies=(),
        first=None,
        last=None,
        count=0,
    )
    # To find words in a sentence no ledger is asked, and nothing is searched.
    nowhere = cast("Repository", None)
    return ToolContext(nowhere, vocabulary, cast("PhraseSearch", None), _LATE)
