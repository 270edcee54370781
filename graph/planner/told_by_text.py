"""The merchants that words mean which only the bank's text holds, or a kind of thing that it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.planner.asking import OF_REGULAR
from graph.planner.by_form import SURE_OF_ACT
from graph.planner.kinds import more_of_the_kinds
from graph.planner.parts import parts_unread
from graph.planner.settling import MISSING, THEIRS
from graph.planner.strange_words import is_brand, is_of_a_kind, is_of_another_trade, is_telling, kinds_named, neighbours
from graph.planner.vocabulary import OF_BANKS
from language import cues
from language.lexicon import choices, listed
from language.words import fold
from language.words import words as said_in
from ledger.filters import Filter
from ledger.judgement import CASH_MACHINE
from ledger.kind_words import says_only_cash
from ledger.stemming import stem
from tools.slots.names import argument_of, merchant_keys
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from graph.planner.asking import Asking
    from language.words import Word

#: Acts that have no answer in the ledger, or one that names nothing.
_NOT_SEARCHED = THEIRS | MISSING.keys()
_SHORTEST_NAME, _LONGEST_NAME = 3, 3
_MOST_FOUND = 3
#: Of the money that words are found beside, a merchant with less than this share is not meant; so many of its rows hold them.
_TRIFLING, _NEARLY_ALL = 0.05, 0.9


async def told_by_text(asking: Asking) -> tuple[Mention, ...]:
    """Return mentions of the merchants that words nobody knows mean: those nearly all of whose rows hold the words.

    They are looked for where nothing else is named, and in what is left out ("without the retainer").
    """
    text = asking.reading.text
    found: list[Mention] = [mention async for mention in _benefits(asking)]
    found += [mention async for mention in more_of_the_kinds(asking)]
    for start, end in (*_places_left_out(asking), *_fees_listed(asking), *_places_unknown(asking)):
        if any(start < other.end and other.start < end for other in found):
            continue
        merchants = await _called(text[start:end], asking) or await _called(_first_part(text[start:end]), asking)
        last = await _with_a_number(end, merchants, asking)
        found += [Mention("merchant", start, last, argument_of(merchants), text[start:last], 0.8)] if merchants else []
    return tuple(found)


async def everyday_names(asking: Asking) -> tuple[Mention, ...]:
    """Return the mention of merchants by words that stand in many sentences, where these are all that nobody knows.

    The person's bank may write them ("Pacht") though most people mean nothing by them; so they are looked for when all else
    has failed, and as whole words.
    """
    said, text = asking.unknown, asking.reading.text
    accounts = {word.key for account in asking.context.vocabulary.accounts for word in said_in(account.name)}
    elsewhere = any(word.key in accounts | OF_BANKS or is_of_a_kind(word, asking) for word in said)
    elsewhere = elsewhere or bool(asking.reading.of("operation"))
    if asking.named or elsewhere or len(neighbours(said, text)) != 1 or not _may_be_searched(asking):
        return ()
    start, end = said[0].start, said[-1].end
    merchants = await _called(text[start:end], asking) if await _is_written(said, asking) else ()
    return (Mention("merchant", start, end, argument_of(merchants), text[start:end], 0.8),) if merchants else ()


def _may_be_searched(asking: Asking) -> bool:
    """Whether what is asked may be about money, or is nothing but words for it."""
    told = asking.told["act"]
    asked = told.best not in _NOT_SEARCHED or told.sure < SURE_OF_ACT
    return asked or len(asking.unknown) == len(asking.reading.residue)


async def _is_written(words: Sequence[Word], asking: Asking) -> bool:
    """Whether the bank's text of some row holds all of these words whole."""
    wanted = {stem(word.key) for word in words if len(word.key) >= _SHORTEST_NAME}
    texts = [{stem(word.key) for word in said_in(text)} for _, text in await asking.context.ledger.phrases()]
    return bool(wanted) and any(wanted <= held for held in texts)


async def _benefits(asking: Asking) -> AsyncIterator[Mention]:
    """Yield who pays what people call child benefit or a tax refund, by the bank's words for it, the person's own first."""
    words, text = asking.reading.words, asking.reading.text
    for names in choices("benefits").values():
        for name, place in said_among(names, words):
            start, end = words[place.start].start, words[place.stop - 1].end
            for written in (name, *(other for other in names if other != name)):
                payers = await _paying(await _called(written, asking), asking)
                if payers:
                    yield Mention("merchant", start, end, argument_of(payers), text[start:end], 0.9)
                    break


def said_among(names: Sequence[str], said: Sequence[Word]) -> Iterator[tuple[str, range]]:
    """Yield the longest of some names that words hold, with its place."""
    keys = [word.key for word in said]
    for name in sorted(names, key=len, reverse=True):
        parts = [word.key for word in said_in(name)]
        place = next((place for place in range(len(keys)) if keys[place : place + len(parts)] == parts), None)
        if place is not None:
            yield name, range(place, place + len(parts))
            return


async def _paying(merchants: tuple[str, ...], asking: Asking) -> tuple[str, ...]:
    """Return the merchants if money came from them."""
    into = Filter(merchants=merchant_keys(merchants, asking.context), sign=1) if merchants else None
    return merchants if into and await asking.context.ledger.totals(into) else ()


def _places_left_out(asking: Asking) -> Iterator[tuple[int, int]]:
    """Yield where names stand that are left out and that nobody knows, each whole and then its words."""
    for each in asking.reading.unclear:
        if each.reason == "not left out":
            yield each.start, each.end
            within = (word for word in asking.reading.words if each.start <= word.start < each.end)
            yield from ((word.start, word.end) for word in within if is_telling(word, asking))


def _places_unknown(asking: Asking) -> Iterator[tuple[int, int]]:
    """Yield where words stand that may name what is asked about, all together and one by one."""
    elsewhere = asking.act in _NOT_SEARCHED and not (asking.follows and asking.act == "edit")
    if asking.of == "fees" or elsewhere:
        return
    if asking.named:
        yield from _places_at_a_category(asking)
        for part in parts_unread(asking) if asking.unread else ():
            yield part[0].start, part[-1].end
            yield from ((word.start, word.end) for word in part if is_telling(word, asking))
        return
    yield from ((kind.start, kind.end) for kind in kinds_named(asking))
    words = _words_that_may_name(asking)
    if 0 < len(words) <= _LONGEST_NAME:
        yield words[0].start, words[-1].end
    if len(words) > 1:
        yield from ((word.start, word.end) for word in words)


async def _with_a_number(end: int, merchants: Sequence[str], asking: Asking) -> int:
    """Return where a name ends that goes on with letters and digits which the bank writes too ("Säule 3a")."""
    behind = next(
        (word for word in asking.unread if word.start > end and not asking.text[end : word.start].strip()), None
    )
    if behind is None or not merchants or not (any(map(str.isdigit, behind.key)) and any(map(str.isalpha, behind.key))):
        return end
    rows = await asking.context.ledger.rows(Filter(merchants=merchant_keys(merchants, asking.context)), limit=1)
    written = {word.key for row in rows for word in said_in(f"{row.description} {row.memo}")}
    return behind.end if behind.key in written else end


def _words_that_may_name(asking: Asking) -> list[Word]:
    """Return the words that may name what is asked about: behind no "in", part of no kind of thing and of no shop elsewhere."""
    shops = [word for run in neighbours(asking.unknown, asking.text) if is_brand(run, asking) for word in run]
    return [
        word
        for word in (asking.unread if asking.act in OF_REGULAR else asking.unknown)
        if is_telling(word, asking)
        and not _is_in_a_place(word, asking)
        and not is_of_a_kind(word, asking)
        and word not in shops
    ]


def _is_in_a_place(word: Word, asking: Asking) -> bool:
    """Whether a word tells where something is: "in Laax", and not "in die Säule", into which it goes."""
    written = [each.key for each in asking.reading.words if each.start < word.start][-1:]
    return asking.word_before(word) in listed("in_place") and listed("into_articles").isdisjoint(written)


def _places_at_a_category(asking: Asking) -> Iterator[tuple[int, int]]:
    """Yield where a word touches the word for a category, and may be the name of one of those in it ("the HNA subscription")."""
    text = asking.reading.text
    for word in asking.unknown if not asking.has("merchant") else ():
        touching = (
            text[min(word.end, named.end) : max(word.start, named.start)] for named in asking.reading.of("category")
        )
        if any(not between.strip(" -") for between in touching) and is_telling(word, asking):
            yield word.start, word.end


def _fees_listed(asking: Asking) -> Iterator[tuple[int, int]]:
    """Yield where a word tells one of several fees that are named ("overdraft, the late fee and the wire fee")."""
    named = (word for mention in asking.reading.of("merchant") for word in said_in(mention.text))
    fees = any(cues.NAMED_FEE.search(word.key) for word in named)
    for mention in asking.reading.of("kind") if fees else ():
        if mention.value in ("fee", "interest") and fold(mention.text) not in listed("plain_fees"):
            yield mention.start, mention.end


def _first_part(written: str) -> str:
    """Return what tells of a hyphenated word which one it is ("DEKRA-Prüfung"), or nothing."""
    first, hyphen, _ = written.partition("-")
    return first if hyphen and len(first) > 1 else ""


async def _called(written: str, asking: Asking) -> tuple[str, ...]:
    """Return the merchants that are meant by words of their descriptors: few, and hardly with any other rows."""
    ledger = asking.context.ledger
    texts = await asking.context.search.find(written, _MOST_FOUND) if written else None
    if texts is None or not texts.literal:
        return ()
    groups = await ledger.groups(Filter(phrases=texts.ids), "merchant")
    sizes = {group.key: group.totals.out_minor + group.totals.into_minor for group in groups}
    told = [group for group in groups if sizes[group.key] > _TRIFLING * sum(sizes.values())]
    if not 0 < len(told) <= _MOST_FOUND or any(_is_else(group.label, written) for group in told):
        return ()
    whole = await ledger.groups(Filter(merchants=tuple(group.key for group in told)), "merchant")
    if sum(group.totals.count for group in told) < _NEARLY_ALL * sum(group.totals.count for group in whole):
        return ()
    return tuple(sorted({group.label for group in told}))


def _is_else(name: str, written: str) -> bool:
    """Whether a merchant is of another trade than the words say, or the machines of all banks where they say of which one."""
    return is_of_another_trade(name, written) or (name == CASH_MACHINE and not says_only_cash(written))
