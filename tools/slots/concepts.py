"""What a category means over the accounts of several banks, each with names of its own (docs/definitions.md, D13)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ledger.categories import trades_of
from ledger.category_words import How
from ledger.concepts import is_catch_all, kinds_in, say_the_same, wider_than
from ledger.filters import Beside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.context import ToolContext


def trades(context: ToolContext) -> Mapping[str, Sequence[str]]:
    """Return the ledger's merchants by the keys of what they are, found once per state of the ledger."""
    derived = context.vocabulary.derived
    if "trades" not in derived:
        trades: dict[str, list[str]] = defaultdict(list)
        for _, name in context.vocabulary.merchants:
            for key in trades_of(name):
                trades[key].append(name)
        derived["trades"] = trades
    return derived["trades"]  # type: ignore[no-any-return]


def everywhere(names: tuple[str, ...], how: How, context: ToolContext) -> tuple[str, ...]:
    """Return the ledger's names that one of its own names stands for: other accounts' names for the same thing as well."""
    if how is not How.EXACT:
        return tuple(names)
    held = context.vocabulary.held_by
    here = _holding(names, context)
    others = (
        each for each in context.vocabulary.categories if each not in names and here.isdisjoint(held.get(each, here))
    )
    return (*names, *(each for each in others if say_the_same(names[0], each)))


def beside(categories: Sequence[str], context: ToolContext) -> Beside | None:
    """Return the wider categories of the ledger and the merchants whose rows in those are of these categories' kinds."""
    held = context.vocabulary.held_by
    here = _holding(categories, context)
    wider = tuple(
        each
        for each in wider_than(categories, context.vocabulary.categories)
        if is_catch_all(each) or not held.get(each, here) <= here  # who tells them apart means what they wrote
    )
    kinds = kinds_in(categories) if wider else ()
    shops = {name for kind in kinds for name in trades(context).get(kind, ())}
    keys = tuple(key for key, name in context.vocabulary.merchants if name in shops)
    return Beside(wider, keys) if keys else None


def _holding(names: Sequence[str], context: ToolContext) -> frozenset[int]:
    """Return the accounts that hold transactions of these categories."""
    held = context.vocabulary.held_by
    return frozenset[int]().union(*(held.get(name, ()) for name in names))
