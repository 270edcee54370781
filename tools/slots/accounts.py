"""The person's own accounts in sentences: by the name that they gave, by a part of it, as they were called before, or by type.

A card that is named is never a whole bank: words for a type beside a name leave only the accounts of that type.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from language.lexicon import listed as said
from language.words import fold, words
from ledger.transactions import AccountType
from ledger.wordlists import phrases
from ledger.wordlists import words as listed
from tools.slots.name_index import AFTER_A_NAME, NameIndex, Part, is_everyday, letters
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from language.words import Word
    from ledger.transactions import Account
    from tools.context import ToolContext

_FILE = "name_words.txt"
_SURE = {Part.WHOLE: 1.0, Part.CALLED: 0.95, Part.FIRST_WORDS: 0.9, Part.WITHIN: 0.85}
Key = tuple[str, ...]


def _keys(section: str) -> frozenset[Key]:
    return frozenset(tuple(word.key for word in words(phrase)) for phrase in phrases(_FILE, section))


#: Words for accounts by their type, as keys of their words.
_TYPES: Mapping[Key, AccountType] = {
    key: account_type
    for section, account_type in (
        ("credit card", AccountType.CREDIT_CARD),
        ("savings", AccountType.SAVINGS),
        ("checking", AccountType.CHECKING),
    )
    for key in _keys(section)
}
#: The same with loans, which elsewhere are what is paid for.
_WITH_LOANS: Mapping[Key, AccountType] = {**_TYPES, **dict.fromkeys(_keys("loan"), AccountType.LOAN)}
#: What is said of a name beside it; nothing for what is any account.
_BESIDE: Mapping[Key, AccountType | None] = {
    **_WITH_LOANS,
    **dict.fromkeys(_keys("said of a card"), AccountType.CREDIT_CARD),
    **dict.fromkeys(_keys("said of a debit card"), AccountType.CHECKING),
    **dict.fromkeys(_keys("said of any account"), None),
}
_ACCOUNT = _keys("said of any account")
_ENDINGS = tuple(sorted(listed(_FILE, "said behind a name"), key=len, reverse=True))
_BETWEEN = frozenset(listed(_FILE, "between type and name"))
_BRANDS = frozenset(brand for key in _keys("card brands") for brand in key)
_OTHERWISE = tuple(pair.split(" > ") for pair in phrases(_FILE, "brands written otherwise"))
_CUES = frozenset(map(fold, listed(_FILE, "account cues")))
_OF_SUMS = said("of_sums")
_OF_ACCOUNTS = frozenset(map(fold, listed(_FILE, "of accounts")))
#: Small words between such a cue and an account.
_POSSESSIVES = said("articles", "indefinite_articles", "possessives")
_SHORTEST = 2
_LONGEST_BESIDE = 2


@dataclass(frozen=True, slots=True)
class _Hit:
    """Accounts that some words stand for, how much of their names was written, and where."""

    names: tuple[str, ...]
    part: Part
    start: int
    end: int
    base: int
    """Where the name ends; what follows it in the same word says of which type it is (“Amexkarte”)."""


def account_index(context: ToolContext) -> NameIndex:
    """Return the index of the ledger's accounts by all that they are called, made once per state of the ledger."""
    derived = context.vocabulary.derived
    if "accounts" not in derived:
        derived["accounts"] = NameIndex.of_called(_called(context.vocabulary.accounts))
    return derived["accounts"]  # type: ignore[no-any-return]


def _called(accounts: Sequence[Account]) -> Iterator[tuple[str, str]]:
    """Yield what accounts are called, each with its name; one that is called so now comes before one that was."""
    now = {letters(account.name) for account in accounts}
    for account in accounts:
        yield account.name, account.name
        ending = _ending(fold(account.name))
        if ending:  # the “Haushaltskonto” is “Haushalt” too
            yield f"{fold(account.name).removesuffix(ending)} {ending}", account.name
        for name in account.called:
            if letters(name) not in now:
                yield name, account.name
    for account in accounts:
        for written, short in _OTHERWISE:
            other = fold(account.name).replace(written, short)
            if other != fold(account.name) and letters(other) not in now:
                yield other, account.name


def _ending(key: str) -> str:
    """Return the word for an account in which a longer word ends."""
    return next((each for each in _ENDINGS if key.endswith(each) and len(key) - len(each) >= _SHORTEST), "")


def find_accounts(text: str, context: ToolContext) -> list[Mention]:
    """Return the accounts that a sentence names, by name or by type ("from my savings")."""
    named = [hit for each in _named(text, context) if (hit := _beside(text, each, context)) is not None]
    found: list[Mention] = []
    for hit in sorted(named, key=lambda hit: hit.start - hit.end):  # the longest first
        if all(hit.end <= other.start or other.end <= hit.start for other in found):
            found.append(_mention(text, hit))
    for mention in _of_types(text, context):
        if all(mention.end <= other.start or other.end <= mention.start for other in found):
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def resolve_accounts(name: str, context: ToolContext) -> tuple[str, ...]:
    """Return the accounts that words mean which are nothing but a name of theirs, or of their type."""
    said_of = words(name)
    while len(said_of) > 1 and said_of[0].key in _POSSESSIVES and not account_index(context).exact(letters(name)):
        name = name[said_of[1].start :]
        said_of = words(name)
    key = _key(said_of)
    exact = account_index(context).exact(letters(name))
    if exact:
        return exact
    hits = [_beside(name, each, context) for each in _named(name, context, alone=True)]
    whole = [hit for hit in hits if hit is not None and not name[: hit.start].strip() and not name[hit.end :].strip()]
    if whole:
        return whole[0].names
    if any(hit is None for hit in hits):  # an account of that bank, and none of the type that is said
        return ()
    return account_index(context).resolve(name) or _of_brand(key, _of_type(_TYPES.get(key), context), context)


def _mention(text: str, hit: _Hit) -> Mention:
    value = hit.names[0] if len(hit.names) == 1 else list(hit.names)
    return Mention("account", hit.start, hit.end, value, text[hit.start : hit.end], _SURE[hit.part])


def _named(text: str, context: ToolContext, *, alone: bool = False) -> list[_Hit]:
    """Return the names of accounts in a text; ``alone`` if it is a name, which needs no word before it."""
    index = account_index(context)
    found = [
        _Hit(hit.names, hit.part, hit.start, hit.end, hit.end)
        for hit in index.find(text, (lambda *_: True) if alone else _is_account)
    ]
    for word in words(text):
        ending = _ending(word.key)
        if not ending or any(word.start < hit.end and hit.start < word.end for hit in found):
            continue
        base = letters(word.key.removesuffix(ending))
        names = index.exact(base) or index.exact(base.removesuffix("s")) or index.beginning(base)
        if names:
            found.append(_Hit(names, Part.FIRST_WORDS, word.start, word.end, word.end - len(ending)))
    return sorted(found, key=lambda hit: hit.start)


def _is_account(text: str, place: int, length: int, part: Part) -> bool:
    """Tell whether words of an account's name are meant as the account: a single word of several only behind a cue.

    An everyday word is one only where the name ends there, or a word for accounts follows: “on everyday things”.
    """
    sentence = words(text)
    word = sentence[place]
    # “in total” is no “Total Checking”
    cued = cue_before(text, word.start) in _CUES and word.key not in _OF_SUMS
    if length > 1:
        return True
    after = sentence[place + 1].key if place + 1 < len(sentence) else ""
    if part is Part.WHOLE and is_everyday(word.key):
        return (after,) in _BESIDE or (cued and (not after or after in AFTER_A_NAME))
    mine = place > 0 and sentence[place - 1].key in said("possessives") and word.key not in _OF_SUMS
    # “the joint account”, “every Visa charge”
    called = (part is not Part.WITHIN and (after,) in _ACCOUNT and not is_everyday(word.key)) or (
        word.key in _BRANDS and after in _OF_ACCOUNTS
    )
    return part is Part.WHOLE or cued or called or (mine and not is_everyday(word.key))


def _beside(text: str, hit: _Hit, context: ToolContext) -> _Hit | None:
    """Return a hit with the words for a type beside it; None where no account of that name is of that type."""
    hit = _narrowed(text, hit)
    end, after, behind = _after(text, hit.end)
    start, before, ahead = _before(text, hit.start)
    within = _BESIDE.get((text[hit.base : hit.end].casefold(),)) if hit.base < hit.end else None
    if not behind and not ahead and within is None:
        return hit
    wanted = within or (after if behind and after is not None else before)
    if wanted is None:
        return replace(hit, start=start, end=end)
    index, key = account_index(context), letters(text[hit.start : hit.base])
    names = tuple(dict.fromkeys((*hit.names, *index.beginning(key), *index.holding(key))))
    types = {account.name: account.type for account in context.vocabulary.accounts}
    of_type = tuple(name for name in names if types[name] is wanted)
    unknown = tuple(name for name in names if types[name] is None)
    left = of_type or (unknown if len(unknown) == 1 or unknown == names else ())
    return replace(hit, names=left, start=start, end=end) if left else None


def _narrowed(text: str, hit: _Hit) -> _Hit:
    """Return a hit with what follows it of some of its names only: “RBC 8844” of “RBC Royal Bank 8844”."""
    names, end = hit.names, hit.end
    for word in (each for each in words(text) if each.start >= hit.end):
        left = tuple(name for name in names if word.key in {each.key for each in words(name)})
        if not left or len(left) == len(names) or text[end : word.start].strip():
            break
        names, end = left, word.end
    return replace(hit, names=names, end=end, base=end) if end > hit.end else hit


def _after(text: str, end: int) -> tuple[int, AccountType | None, bool]:
    """Return where the words for a type end that follow a name at once, which type, and whether there are any."""
    following = [word for word in words(text) if word.start >= end]
    if not following or text[end : following[0].start].strip(" -"):
        return end, None, False
    wanted: AccountType | None = None
    found = False
    while following:  # “checking account”
        length = next((n for n in (_LONGEST_BESIDE, 1) if _key(following[:n]) in _BESIDE and len(following) >= n), 0)
        if not length or text[end : following[0].start].strip(" -"):
            break
        wanted = wanted or _BESIDE[_key(following[:length])]
        end, found = following[length - 1].end, True
        following = following[length:]
    return end, wanted, found


def _before(text: str, start: int) -> tuple[int, AccountType | None, bool]:
    """Return the same for words that stand before it, small ones between ("the card at Chase")."""
    before = [word for word in words(text) if word.end <= start]
    between = len(before)
    while before and before[-1].key in _BETWEEN:
        before.pop()
    if len(before) == between:
        return start, None, False
    for length in (_LONGEST_BESIDE, 1):
        key = _key(before[-length:])
        if len(key) == length and key in _BESIDE:
            return before[-length].start, _BESIDE[key], True
    return start, None, False


def _key(some: Sequence[Word]) -> Key:
    return tuple(word.key for word in some)


def accounts_by_type(text: str, context: ToolContext) -> list[tuple[str, ...]]:
    """Return the names of the accounts of each type that a question about balances names, whatever stands before it."""
    return [
        _of_brand(_key(words(text[start:end])), _of_type(account_type, context), context)
        for account_type, start, end in typed(text, _WITH_LOANS, anywhere=True)
    ]


def account_words(text: str) -> list[tuple[int, int]]:
    """Return where a question about balances names a type of account."""
    return [(start, end) for _, start, end in typed(text, _WITH_LOANS, anywhere=True)]


def typed(
    text: str, types: Mapping[Key, AccountType] = _TYPES, *, anywhere: bool = False
) -> list[tuple[AccountType, int, int]]:
    """Return the types of account that a sentence names, with their places: behind a cue, or anywhere."""
    sentence = words(text)
    found: list[tuple[AccountType, int, int]] = []
    for place, word in enumerate(sentence):
        windows = (sentence[place : place + length] for length in (2, 1))
        known = ((types.get(_key(window)), window) for window in windows)
        account_type, window = next((each for each in known if each[0]), (None, ()))
        if account_type is None or (found and word.start < found[-1][2]):
            continue
        after = sentence[place + len(window)].key if place + len(window) < len(sentence) else ""
        if anywhere or after in _OF_ACCOUNTS or cue_before(text, word.start) in _CUES:
            found.append((account_type, word.start, window[-1].end))
    return found


def _of_types(text: str, context: ToolContext) -> list[Mention]:
    """Return the accounts that a sentence names by their type."""
    return [
        _mention(text, _Hit(names, Part.FIRST_WORDS, start, end, end))
        for account_type, start, end in typed(text)
        if (names := _of_brand(_key(words(text[start:end])), _of_type(account_type, context), context))
    ]


def _of_type(account_type: AccountType | None, context: ToolContext) -> tuple[str, ...]:
    if account_type is None:
        return ()
    return tuple(account.name for account in context.vocabulary.accounts if account.type is account_type)


def _of_brand(key: Key, names: tuple[str, ...], context: ToolContext) -> tuple[str, ...]:
    """Return those of some cards that are of the brand that is said, or the only card, if it is of no other."""
    brand = next((word for word in key if word in _BRANDS), None)
    if brand is None:
        return names
    said_of = _brands_of(names, context)
    own = tuple(name for name in names if brand in said_of[name])
    return own or (names if len(names) == 1 and not said_of[names[0]] else ())


def _brands_of(names: Iterable[str], context: ToolContext) -> dict[str, set[str]]:
    """Return which brands are in all that accounts are called."""
    called: dict[str, set[str]] = defaultdict(set)
    for text, name in _called(context.vocabulary.accounts):
        called[name] |= {word.key for word in words(text)} & _BRANDS
    return {name: called[name] for name in names}


def account_types(text: str, context: ToolContext) -> frozenset[AccountType | None]:
    """Return the types of the accounts that a sentence names, also of one that the ledger has not."""
    named = {name for mention in find_accounts(text, context) for name in _names(mention.value)}
    said_of = {account_type for account_type, _, _ in typed(text)}
    return frozenset(said_of | {account.type for account in context.vocabulary.accounts if account.name in named})


def _names(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def has_type(account_type: AccountType, context: ToolContext) -> bool:
    """Whether the ledger has an account of a type."""
    return bool(_of_type(account_type, context))


def cue_before(text: str, start: int) -> str:
    """Return the word before a place, small words between left aside."""
    before: list[Word] = [word for word in words(text) if word.end <= start]
    while before and before[-1].key in _POSSESSIVES:
        before.pop()
    return before[-1].key if before else ""
