"""The words in files and descriptors that say what kind of movement a transaction is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ledger.stemming import fold
from ledger.transactions import Kind
from ledger.wordlists import phrases, words

if TYPE_CHECKING:
    from collections.abc import Iterable

_FILE = "kind_words.txt"

_TOKEN = re.compile(r"[a-z0-9&]+")
#: “ATM02AUG”, a machine and a day.
_DATED_ATM = re.compile(r"\batm(?=\d\d[a-z]{3}\b)")
_PAIRS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"))


@lru_cache(maxsize=32768)
def tokens(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, without any punctuation."""
    return tuple(_TOKEN.findall(_DATED_ATM.sub("atm ", fold(text))))


def as_tokens(phrases: Iterable[str]) -> set[tuple[str, ...]]:
    """Return the phrases as tokens, with umlauts as one letter and as two."""
    spelled = set()
    for phrase in phrases:
        paired = phrase
        for umlaut, pair in _PAIRS:
            paired = paired.replace(umlaut, pair)
        spelled |= {tokens(phrase), tokens(paired)}
    return spelled


def _fees_and_ways() -> dict[Kind, list[str]]:
    """Return the phrases that are made of two lists: whose fee, and to or from which own account."""
    ways = ("to", "from", "transfer to", "transfer from")
    return {
        Kind.FEE: [f"{of} {fee}" for of in words(_FILE, "fees of") for fee in ("fee", "fees")],
        Kind.TRANSFER: [f"{way} {own}" for way in ways for own in phrases(_FILE, "own accounts")],
    }


#: The file's own word for the movement, as a whole.
TYPE_WORDS: dict[tuple[str, ...], Kind] = {
    spelled: kind for kind in Kind for spelled in as_tokens(phrases(_FILE, f"type {kind.value}"))
}
#: The same for one way of the money: a wallet that is filled, and what a service sends to one's bank.
ONE_WAY_TRANSFERS = {
    True: frozenset(as_tokens(phrases(_FILE, "type transfer in"))),
    False: frozenset(as_tokens(phrases(_FILE, "type transfer out"))),
}
#: On a credit card these, on the way in, are the bill being paid.
BILL_PAID_TYPES = frozenset(as_tokens(phrases(_FILE, "bill paid types")))
BILL_PAID_WORDS = frozenset(word for spelled in as_tokens(phrases(_FILE, "bill paid words")) for word in spelled)


def _any_of(section: str) -> re.Pattern[str]:
    """Return what finds a phrase of a section among folded tokens."""
    found = sorted({" ".join(spelled) for spelled in as_tokens(phrases(_FILE, section))})
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, found))})\b")


_IN_WORDS, _OUT_WORDS = _any_of("words in"), _any_of("words out")
_PAY_WORDS, _SAVINGS_WORDS = _any_of("words pay"), _any_of("words savings")


def side_in_words(text: str) -> int:
    """Return which way money went by the words of a descriptor or type: +1 in, -1 out, 0 if they say neither or both."""
    said = " ".join(tokens(text))
    return (_IN_WORDS.search(said) is not None) - (_OUT_WORDS.search(said) is not None)


def says_pay(text: str) -> bool:
    """Tell whether the words of income say that it is somebody's pay: a salary, wages or a pension."""
    return _PAY_WORDS.search(" ".join(tokens(text))) is not None


def says_savings(text: str) -> bool:
    """Tell whether the words of a transfer say that it goes to savings or comes from them."""
    return _SAVINGS_WORDS.search(" ".join(tokens(text))) is not None


#: Which kind wins where a descriptor's words say several: a fee for a cash advance is a fee.
_PRECEDENCE = (
    Kind.PURCHASE,
    Kind.FEE,
    Kind.INTEREST,
    Kind.CARD_PAYMENT,
    Kind.INCOME,
    Kind.REFUND,
    Kind.CASH,
    Kind.LOAN_PAYMENT,
    Kind.TRANSFER,
)
#: Which way the money must go for a word to count: salaries come in, cash goes out.
_ONLY_IN = frozenset({Kind.INCOME, Kind.REFUND})
_ONLY_OUT = frozenset({Kind.CASH, Kind.LOAN_PAYMENT})
_CASH_WORDS = frozenset(word for spelled in as_tokens(phrases(_FILE, "words cash")) for word in spelled)


def _beginnings(section: str) -> re.Pattern[str]:
    """Return what finds a phrase of a section at the beginning of folded tokens; # is a number, perhaps behind a word."""
    spelled = (" ".join(_TOKEN_OR_NUMBER.findall(phrase)).replace(" #", r" ?\d+") for phrase in phrases(_FILE, section))
    return re.compile(rf"(?:{'|'.join(spelled)})\b")


_TOKEN_OR_NUMBER = re.compile(r"[a-z0-9&]+|#")
_STARTS_CASH, _NO_CASH = _beginnings("starts cash"), _beginnings("no cash")
_WHOLE = {spelled: kind for kind in Kind for spelled in as_tokens(phrases(_FILE, f"whole {kind.value}"))}


_Table = dict[str, list[tuple[tuple[str, ...], int]]]


def _by_first_word(*, money_in: bool) -> _Table:
    """Return the phrases that count on one way of the money, each with its kind's place in the precedence."""
    table: _Table = {}
    made = _fees_and_ways()
    for rank, kind in enumerate(_PRECEDENCE):
        if kind in (_ONLY_OUT if money_in else _ONLY_IN):
            continue
        one_way = phrases(_FILE, f"words {kind.value} {'in' if money_in else 'out'}")
        for spelled in as_tokens([*phrases(_FILE, f"words {kind.value}"), *one_way, *made.get(kind, ())]):
            table.setdefault(spelled[0], []).append((spelled, rank))
    return table


_TABLE_IN, _TABLE_OUT = _by_first_word(money_in=True), _by_first_word(money_in=False)
_WAYS = _any_of("transfer ways")
#: One word of each of those ways, the longest: without any of them there is nothing to look for.
_WAY_WORDS = frozenset(max(way, key=len) for way in as_tokens(phrases(_FILE, "transfer ways"))) | {"transfer"}
#: “Converted 100.00 EUR to 108.20 USD”, and to a part of one's own account that is named with its currency: “To EUR Holiday”.
_OWN_CURRENCIES = re.compile(
    r"\bconverted (?:\d+ )+[a-z]{3} to\b|"
    r"^(?:to|from|an|von|vers|de|naar|van) (?:pocket |vault )?(?:eur|usd|gbp|chf|pln|czk|sek|nok|dkk|huf|ron|aud|cad|nzd|jpy)\b"
)
_MASKED_ACCOUNT = re.compile(r"\btransfer (?:to|from) x{2,}\d{3,}\b")
_OWN_ACCOUNT = frozenset(words(_FILE, "own account words"))
_BESIDE_TRANSFERS = frozenset(words(_FILE, "beside transfers"))
_SAVINGS_NAMES = frozenset(words(_FILE, "savings names"))


def names_savings(name: str) -> bool:
    """Tell whether a name is that of one's savings, with one's own name or the account's number beside ("B SMITH SAVER")."""
    return not _SAVINGS_NAMES.isdisjoint(tokens(name))


def names_own_account(name: str) -> bool:
    """Tell whether a name has a word for an account of one's own."""
    return not _OWN_ACCOUNT.isdisjoint(tokens(name))


def _moves_own_money(said: tuple[str, ...]) -> bool:
    """Tell whether a text speaks of a bank transfer and names an account of one's own, or nobody at all."""
    text = " ".join(said)
    if _OWN_CURRENCIES.search(text):
        return True
    if _WAY_WORDS.isdisjoint(said):
        return False
    if _MASKED_ACCOUNT.search(text):
        return True
    rest, count = _WAYS.subn(" ", text)
    if not count:
        return False
    named = [word for word in rest.split() if len(word) > 2 and word.isalpha() and word not in _BESIDE_TRANSFERS]
    return not named or not _OWN_ACCOUNT.isdisjoint(said)


def kind_in_words(text: str, *, money_in: bool) -> Kind | None:
    """Return the kind that a descriptor's words say, fees and interest before what they are charged for."""
    said, table = tokens(text), _TABLE_IN if money_in else _TABLE_OUT
    best = len(_PRECEDENCE)
    for index, word in enumerate(said):
        for phrase, rank in table.get(word, ()):
            if rank < best and said[index : index + len(phrase)] == phrase:
                best = rank
    if best < len(_PRECEDENCE):
        return _PRECEDENCE[best]
    if not money_in and _begins_as_cash(" ".join(said)):
        return Kind.CASH
    if _moves_own_money(said):
        return Kind.TRANSFER
    whole = _WHOLE.get(said)
    return whole if whole not in (_ONLY_OUT if money_in else _ONLY_IN) else None


def _begins_as_cash(said: str) -> bool:
    """Tell whether tokens begin as banks write of cash: “CASH ASDA KILLINGBECK”, and not “CASH & CARRY”."""
    return _STARTS_CASH.match(said) is not None and _NO_CASH.match(said) is None


@lru_cache(maxsize=4096)
def says_only_cash(name: str) -> bool:
    """Tell whether a name holds no word but those for cash and its machines ("ATM Withdrawal")."""
    return set(tokens(name)) <= _CASH_WORDS
