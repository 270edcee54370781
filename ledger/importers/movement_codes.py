"""What banks say of a booking by a code or a word, in the words that the kinds understand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ledger.kind_words import TYPE_WORDS, tokens
from ledger.wordlists import phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

_FILE = "bank_codes.txt"
#: The type of a booking that takes another one back.
REVERSAL = "reversal"
#: Words for any payment in these formats; elsewhere they are banks' words for one to oneself.
_ANY_PAYMENT = frozenset(
    map(tokens, ("transfer", "transfer to", "transfer from", "instant transfer", "standard transfer"))
)


@cache
def _table(section: str) -> dict[str, str]:
    return {code: word for code, _, word in (phrase.partition(" ") for phrase in phrases(_FILE, section))}


def word_of(section: str, code: str) -> str:
    """Return the word for a code of one of the tables: ``purpose``, ``gvc`` or ``swift``."""
    return _table(section).get(code, "")


def word_of_iso(domain: str, family: str, subfamily: str) -> str:
    """Return the word for a bank transaction code of ISO 20022."""
    table = _table("iso")
    whole, above = f"{domain}-{family}-{subfamily}", f"{domain}-{family}"
    return table.get(whole) or table.get(subfamily) or table.get(above, "")


def best_type(words: Iterable[str], text: str = "") -> str | None:
    """Return the first of the words for a booking that tells its kind, else its text if that does, else the first word."""
    found = [word for word in words if word and tokens(word) not in _ANY_PAYMENT]
    told = (said for said in (*found, text) if tokens(said) in TYPE_WORDS and tokens(said) not in _ANY_PAYMENT)
    return next(told, found[0] if found else None)
