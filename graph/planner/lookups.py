"""What only the ledger can tell: which money it holds of a name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graph.planner.branches import words_that_choose
from graph.planner.calls import meaning_of
from graph.planner.given_back import with_its_refunds
from graph.planner.meaning import SUBJECTS, Meaning
from graph.planner.parts import parts_unread
from graph.planner.searching import beside_one_of_several, names_fee, said_beside, says_the_trade
from graph.planner.strange_words import is_a_bank, is_of_a_kind, neighbours
from graph.planner.told_by_text import said_among
from language import cues
from language.lexicon import choices, listed
from language.words import words
from ledger.filters import Filter
from ledger.transactions import Flow, Kind
from tools.slots.name_index import is_everyday
from tools.slots.names import account_ids, argument_of, merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.planner.asking import Asking
    from language.words import Word
    from tools.calls import Call

#: How the rows of each money are told, the likeliest first.
_HELD: dict[str, dict[str, Any]] = {
    "spending": {"flow": Flow.SPENDING},
    "income": {"flow": Flow.INCOME},
    "refunds": {"kinds": (Kind.REFUND,)},
    "transfers": {"kinds": (Kind.TRANSFER,)},
    "cash": {"kinds": (Kind.CASH,)},
    "fees": {"kinds": (Kind.FEE,)},
    "interest": {"kinds": (Kind.INTEREST,)},
}
#: Money that only a bank takes or gives.
_OF_THE_BANK = frozenset({"fees", "interest", "interest_charged"})
_SAME = {"interest_charged": "interest", "savings": "transfers", "savings_back": "transfers", "salary": "income"}
#: Acts that tell of what is named whatever money it is.
_OF_ANY = frozenset({"recurring", "current", "upcoming", "duplicates", "status", "change", "share", "savings_rate"})
#: Acts whose answer of nothing would be believed, though nobody asks for what never was.
_SUMMED = frozenset({"total", "average", "extreme", "series", "trend", "rank"})
_MOST_FOUND = 3
_BENEFITS = tuple(choices("benefits").values())


async def of_what_there_is(meaning: Meaning, asking: Asking) -> Meaning:
    """Return the meaning about the money that the ledger holds of what is named, where it holds none of the kind asked about.

    What somebody was only ever paid is income, whatever verb is used; what only went to savings is a transfer.
    """
    meaning = await _with_its_kin(meaning, asking)
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


async def _with_its_kin(meaning: Meaning, asking: Asking) -> Meaning:
    """Return the meaning with its other moment, its refunds, or its bank as the ledger holds them."""
    if meaning.act == "days_between" and meaning.whole:
        return meaning.but(whole=await of_what_there_is(meaning.whole, asking))
    if meaning.of == "refunds":
        return with_its_refunds(meaning, asking)
    return (
        await _at_the_bank(meaning, asking) if meaning.of in _OF_THE_BANK and "merchant" in meaning.about else meaning
    )


async def _of_what_is_held(meaning: Meaning, of: str, named: Filter, asking: Asking) -> Meaning:
    """Return the meaning about the first money of which the ledger has any: that asked about, else what somebody may mean."""
    for each in (of, *(other for other in _others(of, meaning, asking) if other != of)):
        if await asking.context.ledger.totals(replace(named, **_HELD[each])):
            return meaning if each == of else meaning.but(of=each)
    return meaning


async def _at_the_bank(meaning: Meaning, asking: Asking) -> Meaning:
    """Return a meaning about what a bank charged or paid without the bank as its merchant: it has accounts there, or all are."""
    if _names_the_bank(meaning):
        return meaning.without("merchant")
    named = await _filter_of(meaning, asking)
    if named is None or await asking.context.ledger.totals(replace(named, **_HELD[_SAME.get(meaning.of, meaning.of)])):
        return meaning
    said = {word.key for mention in asking.reading.of("merchant") for word in words(mention.text)}
    names = [account.name for account in asking.context.vocabulary.accounts]
    accounts = [name for name in names if said and said <= {word.key for word in words(name)}]
    return meaning.without("merchant").on(account=argument_of(accounts)) if accounts else meaning


def _names_the_bank(meaning: Meaning) -> bool:
    """Whether the merchant is the bank itself, whose fees are all that there are ("what has Starling charged me")."""
    names = [[word.key for word in words(name)] for name in names_of(meaning.about.get("merchant"))]
    fees = any(cues.NAMED_FEE.search(key) for keys in names for key in keys)  # "Monthly Account Fee" is one of its fees
    return bool(names) and not fees and all(any(map(is_a_bank, keys)) for keys in names)


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
    said = await said_beside([mention.text for mention in named], replace(both, categories=()), asking)
    rest = meaning.without("category")
    if said is None or meaning.act in _OF_ANY:
        return rest, () if said else tuple(mention.text for mention in named)
    return rest.on(text=said), ()


async def told_apart(meaning: Meaning, asking: Asking) -> tuple[Meaning, tuple[str, ...]]:
    """Take out how something was paid where no row of the ledger tells that, and return the words for it."""
    means = meaning.about.get("means")
    told = meaning.of not in _OF_THE_BANK  # what a fee is charged for is not how it was paid
    if not means or (told and await asking.context.ledger.totals(Filter(means=(means,)))):
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


async def weighty(asking: Asking) -> list[Word]:
    """Return words that can't be left aside: parts of a list, which ones are meant, a benefit, which fee, what others' rows hold.

    Who asks for "plasma donations" is not told what went to an animal shelter where other rows hold "plasma".
    """
    found = [word for part in parts_unread(asking) for word in part] + words_that_choose(asking.reading)
    found += [
        asking.reading.words[place]
        for names in (_BENEFITS if asking.of == "spending" else ())
        for _, places in said_among(names, asking.reading.words)
        for place in places
    ]
    found += _of_another(asking)
    found += await beside_one_of_several(asking)
    merchants = merchant_keys(names_of(asking.about.get("merchant")), asking.context)
    categories = names_of(asking.about.get("category"))
    if asking.sought or not (merchants or categories):
        return found
    own = Filter(merchants=merchants, categories=categories)
    others = Filter(not_merchants=merchants, not_categories=categories)
    return [*found, *[word for word in asking.unread if await _is_only_in(others, own, word, asking)]]


def _of_another(asking: Asking) -> Iterator[Word]:
    """Yield the words for a shop that the ledger does not know, or of a merchant's those that say which fee is meant."""
    if asking.has("merchant"):
        yield from (word for word in asking.unread if names_fee(word, asking))
        return
    held = asking.context.vocabulary.merchants  # of an empty ledger it is said that it is empty
    for run in neighbours(asking.unread, asking.text) if held else ():
        at = asking.word_before(run[0]) in listed("at_name")
        yield from run if at and not all(is_everyday(word.key) for word in run) else ()


async def _is_only_in(others: Filter, own: Filter, word: Word, asking: Asking) -> bool:
    """Whether the bank's text has a word in some rows and in none of others, and it says no more than their trade."""
    if is_everyday(word.key) or is_of_a_kind(word, asking) or says_the_trade(word, asking):
        return False
    texts = await asking.context.search.find(asking.reading.text[word.start : word.end], _MOST_FOUND)
    there, here = [await asking.context.ledger.totals(replace(each, phrases=texts.ids)) for each in (others, own)]
    return texts.literal and bool(there) and not here


async def never_met(call: Call, asking: Asking) -> bool:
    """Whether no row of any time went to what a call names through the account, or in the way, that it names."""
    meaning = meaning_of(call, asking.context)
    ways = meaning.about.keys() & {"account", "means"}
    of = _SAME.get(meaning.of, meaning.of)
    if not ways or meaning.act not in _SUMMED or (not meaning.named and "text" not in meaning.about):
        return False
    named = await _filter_of(meaning, asking)
    if named is None or not await asking.context.ledger.totals(replace(named, **_HELD.get(of, {}))):
        return False
    accounts = account_ids(names_of(meaning.about.get("account")), asking.context)
    means = meaning.about.get("means")
    return not await asking.context.ledger.totals(replace(named, accounts=accounts, means=(means,) if means else ()))
