"""What came back of something: under a name of its own, and later than what it is of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graph.planner.filling import union
from graph.planner.vocabulary import PURCHASE_NOUNS
from language import cues
from language.lexicon import listed
from language.words import words
from ledger.kind_words import kind_in_words
from ledger.transactions import Kind
from tools.slots.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from graph.planner.reading import Reading
    from language.words import Word
    from tools.context import ToolContext
    from tools.slots.slot import Mention

_THE = listed("articles", "possessives")


def with_its_refunds(meaning: Meaning, asking: Asking) -> Meaning:
    """Return a meaning about refunds with the names under which they come ("Overdraft Fee Refund"), and all of their time.

    Whether something ever came back is asked from then on where the time that is named is that of what was paid.
    """
    for slot in ("merchant", "exclude"):
        told = _of_refunds(names_of(meaning.about.get(slot)), asking.context)
        meaning = meaning.on(**{slot: union([meaning.about[slot], *told])}) if told else meaning
    names = names_of(meaning.about.get("merchant"))
    fee = any(kind_in_words(name, money_in=False) is Kind.FEE for name in names)
    period = meaning.period
    if meaning.act != "exists" or period is None or not (fee or asking.says(cues.EVER)):
        return meaning
    if not any(_dates_what_was_paid(mention, asking.reading) for mention in asking.reading.of("period")):
        return meaning
    return meaning.but(periods=(replace(period, end=asking.context.today, phrase=""),))


def _dates_what_was_paid(time: Mention, reading: Reading) -> bool:
    """Whether a time is that of a purchase or a fee ("my May order", "the fee from May"), not that of what came back."""
    before = next((word for word in reversed(reading.words) if word.end <= time.start), None)
    behind = next((word for word in reading.words if word.start >= time.end), None)
    keys = [word.key for word in words(time.text)]
    if before and keys[0] in listed("dated_by") and _is_paid(before, reading):
        return True
    led = {before.key if before else "", *keys} & _THE and keys[0] not in listed("apart_months")
    return bool(led) and behind is not None and _is_paid(behind, reading)


def _is_paid(word: Word, reading: Reading) -> bool:
    named = next((each.text for each in reading.of("merchant") if each.start <= word.start < each.end), word.key)
    return word.key in PURCHASE_NOUNS or kind_in_words(named, money_in=False) is Kind.FEE


def _of_refunds(names: Sequence[str], context: ToolContext) -> list[str]:
    """Return the merchants whose names hold one of some names, and a word for a refund beside it."""
    own = [{word.key for word in words(name)} for name in names]
    found = []
    for _, name in context.vocabulary.merchants if own else ():
        said = {word.key for word in words(name)}
        beside = next((said - keys for keys in own if keys < said), set())
        found += [name] if any(kind_in_words(key, money_in=True) is Kind.REFUND for key in beside) else []
    return found
