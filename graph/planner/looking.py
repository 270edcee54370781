"""What is looked for: rows of just some amount or of somebody, and words of the bank's text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from graph.planner.filling import quoted_words, searched_words
from language import cues
from tools.slots.amounts import read_amount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning

_AMOUNT = re.compile(r"(?<![\d-])(\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{1,2})?)(?![\d-])")


def words_sought(asking: Asking) -> str:
    """Return the words that are looked for: quoted ones, those that nothing explains, else the names."""
    written = " ".join(asking.reading.text[word.start : word.end] for word in asking.unread)
    return quoted_words(asking.reading.text) or written or searched_words(asking.reading)


def identified(asking: Asking) -> Meaning | None:
    """List what was of just the amount that is named, or what the named merchant was paid."""
    if asking.about.keys() >= {"over", "under"}:
        return asking.meaning("rows", of="all")
    bound = asking.said("over") or asking.said("under")
    amount = next(_amounts(asking), None) or (Decimal(bound) if bound else None)
    if amount is not None:
        step = asking.context.smallest_amount
        near = {"over": format(amount - step, "f"), "under": format(amount + step, "f")}
        return asking.meaning("rows", of="all").on(**near)
    who = asking.says(cues.WHO) and asking.says(cues.TO_ME)
    told = asking.named or asking.periods or asking.has("text")
    return asking.meaning("rows", of="income" if who else "all") if told else None


def _amounts(asking: Asking) -> Iterator[Decimal]:
    places = [mention for mention in asking.reading.mentions if mention.slot in ("period", "over", "under", "limit")]
    for match in _AMOUNT.finditer(asking.reading.text):
        if not any(mention.start <= match.start() < mention.end for mention in places):
            amount = read_amount(match[1])
            if amount is not None:
                yield amount
