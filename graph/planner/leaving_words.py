"""Words by which the bank's text tells some of a merchant's rows from others, and names that are no part of a sum."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz import fuzz, process

from graph.planner.asking import categories_named
from graph.planner.calls import meaning_of, rounds_of
from graph.planner.meaning import SUBJECTS
from language.words import fold, words
from ledger.filters import Filter
from ledger.search import kinds_of
from ledger.taxonomy import CATEGORIES
from tools.slots.names import merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from graph.planner.meaning import Meaning
    from graph.planner.plan import Plan
    from graph.planner.reading import Reading
    from tools.context import ToolContext
    from tools.registry import Tool

#: So near a word must be to one that the bank wrote, and so long, to be taken for it ("Abschläge" for "Abschlag").
_NEAR, _SHORTEST = 85, 5


def is_left_out_whole(reading: Reading) -> bool:
    """Whether all that a sentence leaves out by a name or a kind can be."""
    unable = {(each.start, each.end) for each in reading.unclear if each.reason == "not left out"}
    return not any(m.excluded and (m.start, m.end) in unable for m in reading.mentions)


def left_out_of_no_part(reading: Reading, base: Meaning) -> str:
    """Return the name that a follow-up leaves out of a merchant's sum though it is another's, or all of the sum; else empty."""
    paid = set(names_of(base.about.get("merchant")))
    out = {m.text: set(names_of(m.value)) for m in reading.of("merchant", excluded=True)}
    no_part = next((said for said, names in out.items() if paid.isdisjoint(names) or paid <= names), "")
    return no_part if paid and not any(map(reading.of, SUBJECTS)) else ""


async def of_its_rows(plan: Plan, base: Meaning, context: ToolContext, tools: Mapping[str, Tool]) -> Plan:
    """Return the plan of what somebody gave back, of the rows alone that name who was paid, where the bank tells that.

    An insurer's text tells whose bill it is for.
    """
    meaning = meaning_of(plan.calls[0], context)
    paid = names_of(base.about.get("merchant"))
    if len(plan.calls) > 1 or meaning.of != "refunds" or set(paid) & {*names_of(meaning.about.get("merchant"))}:
        return plan
    said = [word.key for name in paid for word in words(name) if len(word.key) >= _SHORTEST]
    text = await telling_apart(said, names_of(meaning.about.get("merchant")), context)
    rounds = rounds_of(meaning.on(text=text), tools) if text else None
    return replace(plan, rounds=rounds) if rounds else plan


async def telling_apart(said: Sequence[str], names: Sequence[str], context: ToolContext) -> str | None:
    """Return the first of some words, as the bank spells them, that it wrote for some of a name's rows and not for all.

    Of words that searches leave out ("ApS"), it is what else tells those rows; a word for a kind of thing ("the gas pumps") is
    told by whatever words the bank has for that.
    """
    merchants = merchant_keys(names, context)
    rows = await context.ledger.rows(Filter(merchants=merchants)) if merchants and said else []
    texts = {row.id: _keys(row.description) for row in rows}
    written = frozenset[str]().union(*texts.values())
    spelled = list(dict.fromkeys(each for word in said for each in _as_written(fold(word), written)))
    for wanted in (spelled, *([each] for each in spelled)):
        those = {row for row, keys in texts.items() if keys.issuperset(wanted)}
        found = [" ".join(wanted), *_only_in(those, texts)] if 0 < len(those) < len(rows) else []
        for each in found:
            if await _rows_holding(each, merchants, context) == those:
                return each
    return await _kind_holding(said, merchants, len(rows), context)


async def _kind_holding(said: Sequence[str], merchants: tuple[str, ...], all_: int, context: ToolContext) -> str | None:
    """Return the words for a kind of thing that some of a merchant's rows tell, and not all of them."""
    for each in (" ".join(said), *said):
        if kinds_of(each) and 0 < len(await _rows_holding(each, merchants, context)) < all_:
            return each
    return None


def _only_in(those: Collection[int], texts: Mapping[int, frozenset[str]]) -> list[str]:
    """Return the words that all of some rows have and none of the others, the longest first."""
    common = frozenset.intersection(*(texts[row] for row in those))
    others = frozenset[str]().union(*(keys for row, keys in texts.items() if row not in those))
    return sorted(common - others, key=len, reverse=True)


async def _rows_holding(text: str, merchants: tuple[str, ...], context: ToolContext) -> set[int]:
    """Return a merchant's transactions in whose text some words are found."""
    found = await context.search.find(text, 1)
    held = Filter(merchants=merchants, phrases=found.ids)
    return {row.id for row in await context.ledger.rows(held)} if found.literal else set()


def _keys(text: str) -> frozenset[str]:
    """Return the words of a text, and the parts of those with a hyphen."""
    return frozenset(part for word in words(text) for part in (word.key, *word.key.split("-")) if part)


def _as_written(word: str, written: Collection[str]) -> list[str]:
    """Return the words of the bank's that a word is, or nearly is; of a kind of thing, those that it has for that."""
    if word in written:
        return [word]
    kinds = [CATEGORIES[key] for key in categories_named(word)]
    told = {key for kind in kinds for text in (kind.name, kind.german, *kind.words) for key in _keys(text)}
    if found := sorted(told & set(written)):
        return found[:1]
    near = process.extractOne(word, sorted(written), scorer=fuzz.ratio, score_cutoff=_NEAR)
    return [near[0]] if near and len(word) >= _SHORTEST else []
