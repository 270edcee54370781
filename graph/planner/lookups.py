"""What only the ledger can tell: which money it holds of a name, and whether its descriptors hold a word."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from graph.planner.asking import OF_REGULAR, categories_named, is_shop, names_something
from graph.planner.by_form import SURE_OF_ACT
from graph.planner.filling import quoted_words, union
from graph.planner.kinds import more_of_the_kinds, only_of_the_kind
from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.settling import MISSING, THEIRS, is_missing, names_place
from graph.planner.vocabulary import FUNCTION_WORDS, OF_BANKS
from language import cues
from language.lexicon import choices, listed
from language.words import fold, words
from ledger.brands import is_own_name
from ledger.categories import trades_of
from ledger.category_words import find_category_words
from ledger.descriptors import CITIES
from ledger.filters import Filter
from ledger.transactions import Flow, Kind
from tools.apps.series import recurring_in
from tools.slots.name_index import is_everyday
from tools.slots.names import argument_of, merchant_keys, names_of
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from graph.planner.asking import Asking
    from language.words import Word

#: How the rows of each money are told, the likeliest first.
_HELD: dict[str, dict[str, Any]] = {
    "spending": {"flow": Flow.SPENDING},
    "income": {"flow": Flow.INCOME},
    "refunds": {"kinds": (Kind.REFUND,)},
    "transfers": {"kinds": (Kind.TRANSFER,)},
    "cash": {"kinds": (Kind.CASH,)},
    "fees": {"kinds": (Kind.FEE,)},
}
#: Money that only a bank takes or gives.
_OF_THE_BANK = frozenset({"fees", "interest", "interest_charged"})
_SAME = {"savings": "transfers", "savings_back": "transfers", "salary": "income"}
#: Acts whose subject may be words of the ledger's own.
_SEARCHED = frozenset(
    "total rows exists identify level level_change next ended count average frequency extreme".split()
)
#: Acts that have no answer in the ledger, or one that names nothing.
_NOT_SEARCHED = THEIRS | MISSING.keys()
#: Acts that tell of what is named whatever money it is.
_OF_ANY = frozenset({"recurring", "current", "upcoming", "duplicates", "status", "change", "share", "savings_rate"})
#: What any fee of a bank is called by.
_PLAIN_FEES = listed("plain_fees")
_LONGEST_NAME = 3
UNKNOWN = "Nothing in your ledger is called “{}”. What do you mean?"
_SHORTEST_WORD, _MOST_FOUND = 3, 3
#: Of the money that words are found beside, a merchant with less than this share is not meant; so many of its rows hold them.
_TRIFLING, _NEARLY_ALL = 0.05, 0.9
#: Of so many of the likeliest acts one may be asked of such words, where it is so likely and the likeliest has no answer.
_LIKELIEST, _AT_LEAST = 4, 0.05


async def of_what_there_is(meaning: Meaning, asking: Asking) -> Meaning:
    """Return the meaning about the money that the ledger holds of what is named, where it holds none of the kind asked about.

    What somebody was only ever paid is income, whatever verb is used; what only went to savings is a transfer.
    """
    if meaning.of in _OF_THE_BANK and _names_the_bank(meaning):
        meaning = meaning.without("merchant")
    of = _SAME.get(meaning.of, meaning.of)
    named = await _filter_of(meaning, asking)
    ledger = asking.context.ledger
    if of == "left" and named:
        return meaning if await ledger.totals(replace(named, **_HELD["income"])) else meaning.but(of="spending")
    if of not in _HELD or meaning.act in _OF_ANY or named is None:
        return meaning
    if named.categories and not named.merchants and (of == "income" or asking.says(cues.JOBS)):
        meaning, named = await _paid_by_a_kind(meaning, named, asking)
    return await _of_what_is_held(meaning, of, named, asking)


async def _of_what_is_held(meaning: Meaning, of: str, named: Filter, asking: Asking) -> Meaning:
    """Return the meaning about the first money of which the ledger has any: that asked about, else what somebody may mean."""
    for each in (of, *(other for other in _others(of, meaning, asking) if other != of)):
        if await asking.context.ledger.totals(replace(named, **_HELD[each])):
            return meaning if each == of else meaning.but(of=each)
    return meaning


def _names_the_bank(meaning: Meaning) -> bool:
    """Whether the merchant is the bank itself, whose fees are all that there are ("what has Starling charged me")."""
    names = names_of(meaning.about.get("merchant"))
    return bool(names) and all(any(_is_a_bank(word.key) for word in words(name)) for name in names)


def _is_a_bank(key: str) -> bool:
    return key in listed("account_words") or any(part in key for part in listed("bank_parts"))


async def _paid_by_a_kind(meaning: Meaning, named: Filter, asking: Asking) -> tuple[Meaning, Filter]:
    """Return who paid in place of a category that only holds spending: “my hospital jobs” are no doctor's bills."""
    ledger = asking.context.ledger
    if await ledger.totals(replace(named, flow=Flow.INCOME)):
        return meaning, named
    for mention in asking.reading.of("category"):
        texts = await asking.context.search.find(mention.text, _MOST_FOUND)
        payers = await ledger.groups(Filter(flow=Flow.INCOME, phrases=texts.ids), "merchant") if texts.literal else []
        if payers:
            names = argument_of(sorted({each.label for each in payers}))
            keys = tuple(sorted({each.key for each in payers}))
            return meaning.without("category").on(merchant=names), Filter(merchants=keys)
    return meaning, named


def _others(of: str, meaning: Meaning, asking: Asking) -> tuple[str, ...]:
    """Return the other money that somebody may mean, the likeliest first."""
    if of == "refunds" and meaning.act != "rows":
        return ("income",)  # what did not come back is no money that went there
    # what came back from somebody who is asked about as paying is what they paid
    return ("refunds", *_HELD) if of == "income" and asking.says(cues.TO_ME) else tuple(_HELD)


async def apart(meaning: Meaning, asking: Asking) -> tuple[Meaning, tuple[str, ...]]:
    """Take a category out of a meaning whose merchant has nothing in it ("at Greggs for breakfast"), and return what it was.

    Where the bank's text of the merchant's rows holds the word itself ("what Tom sent me for gas"), it is looked for there.
    """
    both = await _filter_of(meaning, asking)
    if both is None or not both.categories or not both.merchants or await asking.context.ledger.totals(both):
        return meaning, ()
    named = asking.reading.of("category")
    said = await _said_beside([mention.text for mention in named], replace(both, categories=()), asking)
    rest = meaning.without("category")
    if said is None or meaning.act in _OF_ANY:
        return rest, () if said else tuple(mention.text for mention in named)
    return rest.on(text=said), ()


async def told_apart(meaning: Meaning, asking: Asking) -> tuple[Meaning, tuple[str, ...]]:
    """Take out how something was paid where no row of the ledger tells that, and return the words for it."""
    means = meaning.about.get("means")
    if not means or await asking.context.ledger.totals(Filter(means=(means,))):
        return meaning, ()
    return meaning.without("means"), tuple(mention.text for mention in asking.reading.of("means"))


async def _filter_of(meaning: Meaning, asking: Asking) -> Filter | None:
    """Return the rows of what a meaning names; None where it names nothing."""
    text = meaning.about.get("text")
    if not text and not any(slot in meaning.about for slot in SUBJECTS):
        return None
    merchants = merchant_keys(names_of(meaning.about.get("merchant")), asking.context)
    phrases = (await asking.context.search.find(text, _MOST_FOUND)).ids if text else None
    return Filter(categories=names_of(meaning.about.get("category")), merchants=merchants, phrases=phrases)


async def _said_beside(written: Sequence[str], named: Filter, asking: Asking) -> str | None:
    """Return the first of some words that the bank's text of rows holds which are named otherwise."""
    for text in written:
        found = await asking.context.search.find(text, _MOST_FOUND)
        if found.literal and await asking.context.ledger.totals(replace(named, phrases=found.ids)):
            return text
    return None


async def of_the_banks_words(asking: Asking) -> Asking:
    """Return what is asked of words that only the bank's text holds; where it does, what has no answer is another act."""
    told = asking.told["act"]
    acts = [act for act, sure in told.ranked[:_LIKELIEST] if sure >= _AT_LEAST and not is_missing(act, asking)]
    missing = is_missing(told.best, asking) and told.sure < SURE_OF_ACT
    if missing and acts and (told.best == "detail" or not asking.named):
        other = asking.as_act(acts[0])
        text = await searched(other, only_held=not names_place(asking))
        return await _seeking(text, other) if text else asking
    asking = await as_words(asking)
    if asking.sought:
        return asking
    asking = await only_of_the_kind(asking) if asking.act in _SEARCHED else asking
    if asking.sought:
        return await _seeking(asking.sought, asking)
    text = await searched(asking)
    return asking if text is None else await _seeking(text, asking)


async def _seeking(text: str, asking: Asking) -> Asking:
    """Return what is asked of the rows that hold some words, with what recurs among them where that is asked about."""
    regular = await recurring_in(text, asking.context) if asking.regular else ()
    return replace(asking, sought=text, regular=regular)


async def searched(asking: Asking, *, only_held: bool = False) -> str | None:
    """Return the words that nothing explains and that may be what is asked about, as they are looked for in the descriptors.

    They are if they are quoted, if the ledger has them, or, unless ``only_held``, if they stand where a name does ("at
    Zorbo"): then it is told that there is nothing.
    """
    if asking.act not in _SEARCHED:
        return None
    if asking.named:
        return await _beside_the_merchant(asking)
    said = quoted_words(asking.reading.text)
    if said or asking.of == "fees":
        return said or await _kind_of_fee(asking)
    kinds = [asking.reading.text[start:end] for start, end in _kinds_named(asking)]
    if len(kinds) == 1 and await _is_in_text(kinds[0], asking):
        return kinds[0]
    words = [word for word in asking.unknown if _is_telling(word, asking) and not _is_of_a_kind(word, asking)]
    named = any(is_shop(asking, word) for word in words)
    fits = 0 < len(words) <= _LONGEST_NAME and (named or asking.of in ("spending", "income", "all"))
    return await _held_words(words, asking, only_held=only_held) if fits else None


async def _beside_the_merchant(asking: Asking) -> str | None:
    """Return the words beside a merchant's name by which the bank tells some of its rows from others ("for the concert")."""
    if not asking.has("merchant"):
        return None
    named = Filter(merchants=merchant_keys(names_of(asking.about["merchant"]), asking.context))
    telling = [word for word in asking.unread if _is_telling(word, asking) and not _says_the_trade(word, asking)]
    for run in _runs(telling, asking.text):
        groups = (run, *([word] for word in run if len(run) > 1)) if _is_beside(run, asking) else ()
        said = await _said_beside([_written(asking, each) for each in groups], named, asking)
        if said:
            return said
    return None


def _says_the_trade(word: Word, asking: Asking) -> bool:
    """Whether a word only says what the merchant beside it is ("the insurance with AGILA Haustierversicherung")."""
    names = names_of(asking.about["merchant"])
    return any(word.key in fold(name) or trades_of(name) & categories_named(word.key) for name in names)


def _runs(words: Sequence[Word], text: str) -> list[list[Word]]:
    """Return the words in groups of neighbours."""
    found: list[list[Word]] = []
    for word in words:
        if found and not text[found[-1][-1].end : word.start].strip(" -"):
            found[-1].append(word)
        else:
            found.append([word])
    return found


def _is_beside(run: Sequence[Word], asking: Asking) -> bool:
    """Whether words stand next to a merchant's name or behind "for", and are joined to no other words."""
    first, last, text = run[0], run[-1], asking.text
    before = asking.word_before(first)
    joined = {before, *text[last.end :].split()[:1]} & (listed("and", "or") | {"&", "+"})
    if len(run) > _LONGEST_NAME or joined or text[last.end :].startswith(","):
        return False
    touching = (text[min(last.end, m.end) : max(first.start, m.start)] for m in asking.reading.of("merchant"))
    return any(not between.strip() for between in touching) or before in listed("spent_on")


async def as_words(asking: Asking) -> Asking:
    """Return the same with what "for" stands before as words, where the bank's text of another merchant's rows holds them.

    "What Tom sent me for the power bill" is about Tom's rows, and not about the power company's.
    """
    *others, last = asking.reading.of("merchant") or (None,)
    if not others or last is None or asking.base or asking.word_before(last) not in listed("spent_on"):
        return asking
    if set(names_of(last.value)) <= set(names_of(union(each.value for each in others if each))):
        return asking  # "of what I spent at Tesco and Lidl, how much was for Lidl?"
    merchants = merchant_keys(names_of(union(each.value for each in others if each)), asking.context)
    said = await _said_beside([last.text, *last.text.split()], Filter(merchants=merchants), asking)
    kept = tuple(each for each in asking.reading.mentions if each is not last)
    return replace(asking, reading=replace(asking.reading, mentions=kept), sought=said) if said else asking


async def _held_words(words: Sequence[Word], asking: Asking, *, only_held: bool) -> str | None:
    """Return the words of these that the ledger has, all of them at best; else all if they can only be a name."""
    written = _written(asking, words)
    if await _is_in_text(written, asking):
        return written
    held = [word for word in words if await _is_held(asking, word)]
    if held:  # of what stands together a part may be the name; what stands apart is no one name
        return _written(asking, held) if len(_runs(words, asking.text)) == 1 else None
    return written if not only_held and _is_name(asking, words[0]) and not names_something(words[0].key) else None


async def _kind_of_fee(asking: Asking) -> str | None:
    """Return what fees are asked about, where descriptors tell it ("overdraft fees", "Wechselkursgebühren")."""
    text = asking.reading.text
    for before, word in pairwise((None, *asking.reading.words)):
        written = text[word.start : word.end] if word else ""
        of = cues.NAMED_FEE.sub("", written)
        if word is None or of == written:
            continue
        if not of and before is not None and before.key not in FUNCTION_WORDS | _PLAIN_FEES:
            of = text[before.start : before.end]
        if of and (await asking.context.search.find(of, _MOST_FOUND)).literal:
            return of
    return None


async def told_by_text(asking: Asking) -> tuple[Mention, ...]:
    """Return mentions of the merchants that words nobody knows mean: those nearly all of whose rows hold the words.

    They are looked for where nothing else is named, and in what is left out ("without the retainer").
    """
    text = asking.reading.text
    found: list[Mention] = [mention async for mention in _benefits(asking)]
    found += [mention async for mention in more_of_the_kinds(asking)]
    for start, end in (*_places_left_out(asking), *_places_unknown(asking)):
        if any(start < other.end and other.start < end for other in found):
            continue
        merchants = await _called(text[start:end], asking)
        found += [Mention("merchant", start, end, argument_of(merchants), text[start:end], 0.8)] if merchants else []
    return tuple(found)


async def _benefits(asking: Asking) -> AsyncIterator[Mention]:
    """Yield who pays what people call child benefit or a tax refund, by the bank's words for it, the person's own first."""
    words, text = asking.reading.words, asking.reading.text
    for names in choices("benefits").values():
        for name, place in _said_among(names, words):
            start, end = words[place.start].start, words[place.stop - 1].end
            for written in (name, *(other for other in names if other != name)):
                payers = await _paying(await _called(written, asking), asking)
                if payers:
                    yield Mention("merchant", start, end, argument_of(payers), text[start:end], 0.9)
                    break


def _said_among(names: Sequence[str], said: Sequence[Word]) -> Iterator[tuple[str, range]]:
    """Yield the longest of some names that words hold, with its place."""
    keys = [word.key for word in said]
    for name in sorted(names, key=len, reverse=True):
        parts = [word.key for word in words(name)]
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
            yield from ((word.start, word.end) for word in within if _is_telling(word, asking))


def _places_unknown(asking: Asking) -> Iterator[tuple[int, int]]:
    """Yield where words stand that may name what is asked about, all together and one by one."""
    elsewhere = asking.act in _NOT_SEARCHED and not (asking.follows and asking.act == "edit")
    if asking.named or asking.of == "fees" or elsewhere:
        return
    yield from _kinds_named(asking)
    words = [
        word
        for word in (asking.unread if asking.act in OF_REGULAR else asking.unknown)
        if _is_telling(word, asking) and asking.word_before(word) not in listed("in_place")
    ]
    words = [word for word in words if not _is_of_a_kind(word, asking)]
    if 0 < len(words) <= _LONGEST_NAME:
        yield words[0].start, words[-1].end
    if len(words) > 1:
        yield from ((word.start, word.end) for word in words)


def _is_of_a_kind(word: Word, asking: Asking) -> bool:
    """Whether a word is only a part of what several say of a kind of thing: “car insurance” is about no cars."""
    kinds = find_category_words(asking.reading.text, asking.context.vocabulary.categories)
    return any(kind.start <= word.start and word.end <= kind.end and kind.text.split()[1:] for kind in kinds)


def _kinds_named(asking: Asking) -> list[tuple[int, int]]:
    """Return where words for a kind of thing stand that the ledger's categories don't tell apart from others.

    Beside what is left out ("leaving out the cruise from Seaview Cruises") a single word may be left out with it.
    """
    kinds = find_category_words(asking.reading.text, asking.context.vocabulary.categories)
    told = [(each.start, each.end) for each in asking.reading.mentions]
    told += [(each.start, each.end) for each in asking.reading.unclear]
    free = [kind for kind in kinds if not any(start < kind.end and kind.start < end for start, end in told)]
    return [(kind.start, kind.end) for kind in free if not asking.reading.crossed or kind.text.split()[1:]]


def _is_telling(word: Word, asking: Asking) -> bool:
    """Whether a word by itself can tell what is meant: one of what is bought or got, or none that stands in most sentences."""
    written = asking.reading.text[word.start : word.end]
    if asking.of in _OF_THE_BANK and _is_a_bank(word.key):
        return False
    if word.key in OF_BANKS or (asking.has("merchant") and word.key in listed("kin")):
        return False
    telling = (
        names_something(word.key)
        or asking.of == "income"
        or not is_everyday(word.key)
        or word.key in CITIES
        or (asking.of != "fees" and is_own_name(written))
    )
    return (len(word.key) >= _SHORTEST_WORD or (written.isupper() and len(written) > 1)) and telling


async def _called(written: str, asking: Asking) -> tuple[str, ...]:
    """Return the merchants that are meant by words of their descriptors: few, and hardly with any other rows."""
    ledger = asking.context.ledger
    texts = await asking.context.search.find(written, _MOST_FOUND)
    if not texts.literal:
        return ()
    groups = await ledger.groups(Filter(phrases=texts.ids), "merchant")
    sizes = {group.key: group.totals.out_minor + group.totals.into_minor for group in groups}
    told = [group for group in groups if sizes[group.key] > _TRIFLING * sum(sizes.values())]
    if any(_is_of_another_trade(group.label, written) for group in told):
        return ()
    if not 0 < len(told) <= _MOST_FOUND:
        return ()
    whole = await ledger.groups(Filter(merchants=tuple(group.key for group in told)), "merchant")
    if sum(group.totals.count for group in told) < _NEARLY_ALL * sum(group.totals.count for group in whole):
        return ()
    return tuple(sorted({group.label for group in told}))


def _is_of_another_trade(merchant: str, written: str) -> bool:
    """Whether a word is in the name of a merchant that is known for something else: who hires out cars is not paid "rent"."""
    trades, said = trades_of(merchant), categories_named(fold(written))
    return bool(trades and said) and not trades & said and fold(written) in fold(merchant)


def unknown_name(asking: Asking) -> str:
    """Return the words that nobody knows as they are written: those behind "at" or with a capital before any other."""
    strange = asking.unknown
    if not strange:
        return ""
    text = asking.reading.text
    likely = [word for word in strange if _is_name(asking, word) or text[word.start].isupper()] or strange
    last = likely[-1]
    first = next(
        word for word in strange if text[word.end : last.start].count(" ") < _LONGEST_NAME and word.start <= last.start
    )
    return text[first.start : last.end] if first in likely else text[last.start : last.end]


async def _is_held(asking: Asking, word: Word) -> bool:
    return await _is_in_text(_written(asking, [word]), asking)


async def _is_in_text(written: str, asking: Asking) -> bool:
    """Whether the bank's text holds words, and not only as a part of the name of somebody in another trade."""
    found = await asking.context.search.find(written, _MOST_FOUND)
    if found.literal and asking.of in ("spending", "income") and not await _is_counted(found.ids, asking):
        return False  # what a friend wrote to a transfer is no spending
    if not found.literal or not categories_named(fold(written)):
        return found.literal
    groups = await asking.context.ledger.groups(Filter(phrases=found.ids), "merchant")
    return not all(_is_of_another_trade(group.label, written) for group in groups)


async def _is_counted(phrases: tuple[int, ...], asking: Asking) -> bool:
    """Whether any row that holds a text is spending or income."""
    flows = (Filter(phrases=phrases, flow=flow) for flow in (Flow.SPENDING, Flow.INCOME))
    return any([bool(await asking.context.ledger.totals(each)) for each in flows])


def _written(asking: Asking, words: Sequence[Word]) -> str:
    text = asking.reading.text
    together = text[words[0].start : words[-1].end]
    return together if len(together.split()) == len(words) else " ".join(text[word.start : word.end] for word in words)


def _is_name(asking: Asking, word: Word) -> bool:
    """Whether a word is a known brand, or stands right behind one that shops stand behind."""
    if is_shop(asking, word):
        return True
    place = asking.reading.words.index(word)
    return place > 0 and asking.reading.words[place - 1].key in listed("at_name")
