"""The words of a question that are looked for in what the bank wrote."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from graph.planner.asking import categories_named, is_shop, names_something
from graph.planner.by_form import SURE_OF_ACT
from graph.planner.changing import narrows
from graph.planner.filling import quoted_words, union
from graph.planner.kinds import only_of_the_kind
from graph.planner.leaving_words import telling_apart
from graph.planner.settling import is_missing, names_place
from graph.planner.strange_words import (
    is_brand,
    is_name,
    is_of_a_kind,
    is_of_another_trade,
    is_telling,
    kinds_named,
    neighbours,
    text_of,
)
from graph.planner.told_by_text import said_among
from graph.planner.vocabulary import FUNCTION_WORDS, NARROWERS, PURCHASE_NOUNS
from language import cues
from language.lexicon import choices, listed
from language.words import fold, words
from ledger.categories import trades_of
from ledger.filters import Filter
from ledger.placement import split_compound
from ledger.search import kinds_of
from ledger.transactions import Flow, Kind
from tools.apps.scope import holding
from tools.apps.series import recurring_in
from tools.slots.names import merchant_keys, names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.planner.asking import Asking
    from graph.planner.meaning import Meaning
    from language.words import Word

#: Acts whose subject may be words of the ledger's own.
_SEARCHED = frozenset(
    "total rows exists identify level level_change next ended count average frequency extreme".split()
)
#: Acts whose rows may be told by how they were paid besides.
_RANKED = frozenset({"rank", "series"})
#: What any fee of a bank is called by.
_PLAIN_FEES = listed("plain_fees")
_LONGEST_NAME = 3
_APOSTROPHES = frozenset("'’")
#: From the end of a word to the one that it is of: “’s ”.
_GENITIVE = 3
_MOST_FOUND = 3
#: Of so many of the likeliest acts one may be asked of such words, where it is so likely and the likeliest has no answer.
_LIKELIEST, _AT_LEAST = 4, 0.05


async def said_beside(written: Sequence[str], named: Filter, asking: Asking) -> str | None:
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
    asking = await _as_payee(await _of_somebody(await as_words(asking)))
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
    part = {word.key for word in words(text)}  # “monthly account fees” asks for no average of a month
    kept = tuple(m for m in asking.reading.mentions if m.slot != "per" or fold(m.text) not in part)
    return replace(asking, reading=replace(asking.reading, mentions=kept), sought=text, regular=regular)


async def searched(asking: Asking, *, only_held: bool = False) -> str | None:
    """Return the words that nothing explains and that may be what is asked about, as they are looked for in the descriptors.

    They are if they are quoted, if the ledger has them, or, unless ``only_held``, if they stand where a name does ("at
    Zorbo"): then it is told that there is nothing.
    """
    if asking.act in _SEARCHED | _RANKED and (service := await _payment_service(asking)):
        return service
    if asking.act not in _SEARCHED:
        return None
    if asking.named:
        return await _beside_the_merchant(asking)
    said = quoted_words(asking.reading.text)
    if said or asking.of == "fees":
        return said or await _kind_of_fee(asking)
    kind = await _kind_held(asking)
    return kind or await _name_held(asking, only_held=only_held)


async def words_instead(asking: Asking) -> str | None:
    """Return the words that an edit names in place of what was asked about, where the bank's text holds them."""
    if asking.named or asking.sought or not asking.unread:
        return None
    return await searched(asking.as_act("total"), only_held=True)


async def _payment_service(asking: Asking) -> str | None:
    """Return the service by which something was paid, where the bank's text tells that ("per TWINT")."""
    services = (word for word in asking.unread if word.key in listed("payment_services"))
    for word in services:
        if await _is_held(asking, word):
            return text_of(asking, [word])
    return None


async def _kind_held(asking: Asking) -> str | None:
    """Return the word for the one kind of thing that is named, or its first part, where the bank's text holds it."""
    kinds = kinds_named(asking)
    if len(kinds) != 1:
        return None
    written = asking.reading.text[kinds[0].start : kinds[0].end]
    if await _is_in_text(written, asking):
        return written
    broader = tuple({name for match in kinds[0].matches for name in match.names})
    *first, last = (word for word in asking.reading.words if kinds[0].start <= word.start < kinds[0].end)
    telling = [
        *(text_of(asking, [word]) for word in first),
        *split_compound(last.key)[:-1],
    ]  # the last part is the kind
    return await said_beside(telling, Filter(categories=broader), asking) if broader else None


async def _name_held(asking: Asking, *, only_held: bool) -> str | None:
    """Return the words that nobody knows where they may be a name: those of a well-known shop, or others that tell something."""
    shop = next((run for run in neighbours(asking.unknown, asking.text) if is_brand(run, asking)), None)
    telling = [word for word in asking.unknown if is_telling(word, asking) and not is_of_a_kind(word, asking)]
    words = shop or telling
    named = bool(shop) or any(is_shop(asking, word) for word in words)
    fits = 0 < len(words) <= _LONGEST_NAME and (named or asking.of in ("spending", "income", "all"))
    if asking.of == "cash" and words:  # which machine
        return await said_beside([text_of(asking, words)], Filter(kinds=(Kind.CASH,)), asking)
    return await _held_words(words, asking, only_held=only_held) if fits else None


async def _beside_the_merchant(asking: Asking) -> str | None:
    """Return the words beside a merchant's name by which the bank tells some of its rows from others ("for the concert")."""
    if not asking.has("merchant") or _are_several(asking):
        return None
    named = Filter(merchants=merchant_keys(names_of(asking.about["merchant"]), asking.context))
    telling = [
        word
        for word in asking.unread
        if (is_telling(word, asking) and not says_the_trade(word, asking)) or names_fee(word, asking)
    ]
    for run in neighbours(telling, asking.text):
        meant = _is_beside(run, asking) or kinds_of(text_of(asking, run))
        said = await said_beside(_spellings(run, asking), named, asking) if meant else None
        if said:
            return said
    return None


def _are_several(asking: Asking) -> bool:
    """Whether several merchants are listed, each with words of its own ("the movers, the repairs at Arlewo and the deposit")."""
    return len({str(mention.value) for mention in asking.reading.of("merchant")}) > 1


async def beside_one_of_several(asking: Asking) -> list[Word]:
    """Return the unread words by which the bank tells some rows of one of several merchants from its others."""
    merchants = asking.reading.of("merchant") if _are_several(asking) else ()
    telling = [word for word in asking.unread if is_telling(word, asking)]
    pairs = [(word, names_of(mention.value)) for word in telling for mention in merchants]
    return [word for word, names in pairs if await telling_apart([text_of(asking, [word])], names, asking.context)]


def names_fee(word: Word, asking: Asking) -> bool:
    """Whether a word tells which of a firm's fees are asked about ("Mahngebühren")."""
    written = text_of(asking, [word])
    return asking.of == "fees" and word.key not in _PLAIN_FEES and cues.NAMED_FEE.sub("", written) not in ("", written)


def _spellings(run: Sequence[Word], asking: Asking) -> list[str]:
    """Return what neighbouring words may be in the bank's text: all of them, each, and what tells a compound's kind.

    Of “Haushaltsversicherung” and “Kfz-Versicherung” a bank may have only the first part.
    """
    each = [text_of(asking, [word]) for word in run]
    parts = [
        part for word in each for part in (word.partition("-")[0], *split_compound(fold(word))[:-1]) if part != word
    ]
    return list(dict.fromkeys([text_of(asking, run), *each, *parts]))


async def narrowed_by_words(asking: Asking, base: Meaning) -> Asking:
    """Return a follow-up with the words by which the bank tells some of a merchant's rows from others ("just the camp")."""
    if asking.has("category") or asking.has("account") or not _names_no_other(asking, base):
        return asking
    if narrows(asking.reading):
        told = [word.key for word in asking.reading.words if _may_narrow(word, asking)]
        text = await telling_apart(told, names_of(base.about.get("merchant")), asking.context)
        if text:
            kept = tuple(m for m in asking.reading.mentions if m.slot in ("period", "over", "under"))
            return replace(asking, reading=replace(asking.reading, mentions=kept), sought=text)
    text = (
        await (_beside_the_merchant(asking) if asking.named else _narrowing_words(asking, base))
        if asking.unread
        else None
    )
    return replace(asking, sought=text) if text else asking


def _names_no_other(asking: Asking, base: Meaning) -> bool:
    """Whether a follow-up to a question about a merchant names no other one."""
    named = {name for mention in asking.reading.of("merchant") for name in names_of(mention.value)}
    return "merchant" in base.about and named <= set(names_of(base.about["merchant"]))


def _may_narrow(word: Word, asking: Asking) -> bool:
    times = (m for m in asking.reading.mentions if m.slot in ("period", "over", "under"))
    small = word.key in FUNCTION_WORDS | PURCHASE_NOUNS | NARROWERS
    return not small and not any(m.start <= word.start < m.end for m in times)


async def _narrowing_words(asking: Asking, base: Meaning) -> str | None:
    named = Filter(merchants=merchant_keys(names_of(base.about.get("merchant")), asking.context))
    runs = neighbours(asking.unknown, asking.text)
    found = [await said_beside(_spellings(run, asking), named, asking) for run in runs]
    return found[0] if len(found) == 1 else None


def says_the_trade(word: Word, asking: Asking) -> bool:
    """Whether a word only says what the merchant beside it is ("the insurance with AGILA Haustierversicherung").

    One for a finer thing than its trade says more: of what a tax office takes only some is for VAT.
    """
    names = names_of(asking.about.get("merchant"))
    named = kinds_of(word.key) or categories_named(word.key)
    return any(word.key in fold(name) or trades_of(name) & named for name in names)


def _is_beside(run: Sequence[Word], asking: Asking) -> bool:
    """Whether words stand next to a merchant's name, but for "at" or "from", or behind "for", and are joined to no others."""
    first, last, text = run[0], run[-1], asking.text
    before = asking.word_before(first)
    joined = {before, *text[last.end :].split()[:1]} & (listed("and", "or") | {"&", "+"})
    if len(run) > _LONGEST_NAME or joined or text[last.end :].startswith(","):
        return False
    touching = (text[min(last.end, m.end) : max(first.start, m.start)] for m in asking.reading.of("merchant"))
    apart = [{word.key for word in words(between)} for between in touching]
    return any(small <= listed("at_name", "articles") for small in apart) or before in listed("spent_on")


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
    said = await said_beside([last.text, *last.text.split()], Filter(merchants=merchants), asking)
    return asking.without(last, said) if said else asking


async def _as_payee(asking: Asking) -> Asking:
    """Return the same with a name as words, where nobody of that name paid, and the text of what came in holds it.

    "What does Renate's pension come to?" is about the pension fund's rows, and not about the account of Horst and Renate.
    """
    named = asking.reading.of("merchant")
    if asking.of not in ("income", "salary") or len(named) != 1 or named[0].score >= 1 or asking.base:
        return asking
    paid = Filter(flow=Flow.INCOME, merchants=merchant_keys(names_of(named[0].value), asking.context))
    if await asking.context.ledger.totals(paid):
        return asking
    said = await said_beside([named[0].text], Filter(flow=Flow.INCOME), asking)
    return await _seeking(said, asking.without(named[0], said)) if said else asking


async def _of_somebody(asking: Asking) -> Asking:
    """Return the same without a category that only says whose something is ("the kids' piano lessons"), if the bank has that."""
    if _APOSTROPHES.isdisjoint(asking.reading.text):
        return asking
    for mention in asking.reading.of("category"):
        apostrophe = asking.reading.text[mention.end : mention.end + 1] in _APOSTROPHES
        behind = [run for run in neighbours(asking.unread, asking.text) if 0 <= run[0].start - mention.end <= _GENITIVE]
        said = await said_beside(_spellings(behind[0], asking), Filter(), asking) if apostrophe and behind else None
        if said:
            return asking.without(mention, said)
    return asking


async def _held_words(words: Sequence[Word], asking: Asking, *, only_held: bool) -> str | None:
    """Return the words of these that the ledger has, all of them at best; else all if they can only be a name."""
    written = text_of(asking, words)
    if await _is_in_text(written, asking):
        return written
    said = _told_by(words[0], asking) if len(words) == 1 else None
    if said and await _is_in_text(said, asking):
        return said
    held = [] if is_brand(words, asking) else [word for word in words if await _is_held(asking, word)]
    if held:  # of what stands together a part may be the name; what stands apart is no one name
        return text_of(asking, held) if len(neighbours(words, asking.text)) == 1 else None
    named = is_brand(words, asking) or (is_name(asking, words[0]) and not names_something(words[0].key))
    return written if named and not only_held else None


def _told_by(word: Word, asking: Asking) -> str | None:
    """Return the part of a compound that tells what it is of, where its last part says nothing of that ("Lottospielen")."""
    parts = split_compound(fold(text_of(asking, [word])))
    return parts[0] if len(parts) == 1 else None


def _fee_named(asking: Asking) -> str | None:
    """Return the words for one kind of a bank's fees, by whatever words the bank has for it ("overseas transaction")."""
    names = [name for kind in choices("fee_kinds").values() for name in kind]
    return next((name for name, _ in said_among(names, asking.reading.words)), None)


async def _kind_of_fee(asking: Asking) -> str | None:
    """Return what fees are asked about, where descriptors tell it ("overdraft fees", "Wechselkursgebühren")."""
    named = _fee_named(asking)
    if named and await holding(named, asking.context):
        return named
    text = asking.reading.text
    for before, word in pairwise((None, *asking.reading.words)):
        written = text[word.start : word.end] if word else ""
        of = cues.NAMED_FEE.sub("", written)
        if word is None or of == written:
            continue
        if not of and before is not None and before.key not in FUNCTION_WORDS | _PLAIN_FEES:
            of = text[before.start : before.end]
        if (
            of
            and fold(of) not in listed("account_words")
            and (await asking.context.search.find(of, _MOST_FOUND)).literal
        ):
            return of
    return None


async def _is_held(asking: Asking, word: Word) -> bool:
    return await _is_in_text(text_of(asking, [word]), asking)


async def _is_in_text(written: str, asking: Asking) -> bool:
    """Whether the bank's text holds words, and not only as a part of the name of somebody in another trade."""
    found = await asking.context.search.find(written, _MOST_FOUND)
    if found.literal and asking.of in ("spending", "income") and not await _is_counted(found.ids, asking):
        return False  # what a friend wrote to a transfer is no spending
    if not found.literal or not categories_named(fold(written)):
        return found.literal
    groups = await asking.context.ledger.groups(Filter(phrases=found.ids), "merchant")
    return not all(is_of_another_trade(group.label, written) for group in groups)


async def _is_counted(phrases: tuple[int, ...], asking: Asking) -> bool:
    """Whether any row that holds a text is spending or income."""
    flows = (Filter(phrases=phrases, flow=flow) for flow in (Flow.SPENDING, Flow.INCOME))
    return any([bool(await asking.context.ledger.totals(each)) for each in flows])
