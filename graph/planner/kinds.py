"""What the bank's text tells of the kind of thing that is named: more shops of that kind, or only some rows of a shop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from graph.planner.filling import union
from ledger.categories import trades_of
from ledger.category_words import find_category_words
from ledger.filters import Filter
from ledger.judgement import own_words
from ledger.search import kinds_of
from ledger.taxonomy import CATEGORIES
from ledger.telling_words import kinds_in_words
from tools.slots.names import merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from graph.planner.asking import Asking
    from tools.slots.slot import Mention

#: Of the rows of a merchant or a category nearly all.
_NEARLY_ALL = 0.9


async def more_of_the_kinds(asking: Asking) -> AsyncIterator[Mention]:
    """Yield the mentions of shops of a kind with those that nearly all of their rows tell to be of it as well.

    "Charities" are the parish, by its name, and to whom one gave by what the bank wrote.
    """
    if len(asking.reading.of("merchant")) > 1:
        return
    for mention, kinds in _by_kind(asking, "merchant"):
        told, _ = await _phrases_of(kinds, asking)
        own = set(names_of(mention.value))
        more = [name for name in await _wholly(told, asking) if name not in own and _may_be(name, kinds)]
        if more:
            yield replace(mention, value=union((mention.value, more)))


async def only_of_the_kind(asking: Asking) -> Asking:
    """Return what is asked of a kind's words in place of shops or a category that the bank's text divides into kinds.

    Of what a utility takes for power and for water only one is asked about.
    """
    found = [*_by_kind(asking, "merchant"), *_by_kind(asking, "category")]
    if len(found) != 1 or len([m for m in asking.reading.mentions if m.slot in ("merchant", "category")]) != 1:
        return asking
    mention, kinds = found[0]
    names = names_of(mention.value)
    wanted = (
        Filter(merchants=merchant_keys(names, asking.context))
        if mention.slot == "merchant"
        else Filter(categories=names)
    )
    told, others = await _phrases_of(kinds, asking)
    if mention.excluded or not told or not others or not await _is_divided(wanted, told, others, asking):
        return asking
    return asking.without(mention, mention.text)


def _by_kind(asking: Asking, slot: str) -> Iterator[tuple[Mention, frozenset[str]]]:
    """Yield the mentions that are words for a kind of thing which is finer than our categories, with its keys."""
    for kind in find_category_words(asking.reading.text, asking.context.vocabulary.categories):
        for mention in asking.reading.mentions:
            if (
                mention.slot == slot
                and (mention.start, mention.end) == (kind.start, kind.end)
                and (found := kinds_of(kind.text))
            ):
                yield mention, found


async def _phrases_of(kinds: frozenset[str], asking: Asking) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the search strings that tell some kinds, and those that only tell others."""
    told: list[int] = []
    others: list[int] = []
    for point, text in await asking.context.ledger.phrases():
        finer = {key for key in kinds_in_words(own_words(text)) if CATEGORIES[key].finer}
        if finer:
            (others if kinds.isdisjoint(finer) else told).append(point)
    return tuple(told), tuple(others)


async def _wholly(phrases: tuple[int, ...], asking: Asking) -> list[str]:
    """Return the names of the merchants nearly all of whose rows have one of some search strings."""
    ledger = asking.context.ledger
    groups = await ledger.groups(Filter(phrases=phrases), "merchant") if phrases else []
    whole = await ledger.groups(Filter(merchants=tuple(each.key for each in groups)), "merchant") if groups else []
    counts = {each.key: each.totals.count for each in whole}
    return sorted({each.label for each in groups if each.totals.count >= _NEARLY_ALL * counts.get(each.key, 0)})


def _may_be(name: str, kinds: frozenset[str]) -> bool:
    """Whether a merchant's name tells the kind, or nothing."""
    trades = trades_of(name)
    return not trades or not trades.isdisjoint(kinds)


async def _is_divided(wanted: Filter, told: tuple[int, ...], others: tuple[int, ...], asking: Asking) -> bool:
    """Whether some rows tell the kind and nearly all the others another one, so that nothing of the kind is left out."""
    ledger = asking.context.ledger
    of_kind = await ledger.groups(replace(wanted, phrases=told), "merchant")
    counts = [
        sum(each.count for each in await ledger.totals(each_))
        for each_ in (wanted, replace(wanted, phrases=told), replace(wanted, phrases=others))
    ]
    sold_here = {each.key for each in of_kind}
    return counts[2] > 0 and set(wanted.merchants) <= sold_here and counts[1] + counts[2] >= _NEARLY_ALL * counts[0]
