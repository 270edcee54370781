"""How a payment was made: by card, direct debit, standing order, transfer or cheque, as the bank's words for a row tell."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ledger.kind_words import as_tokens, tokens
from ledger.transactions import AccountType, Kind
from ledger.wordlists import phrases

if TYPE_CHECKING:
    from ledger.transactions import StatementRow

_FILE = "means_words.txt"


class Means(StrEnum):
    """The ways of paying that banks tell apart, in the order in which their words are tried."""

    STANDING_ORDER = "standing_order"
    CARD = "card"
    DIRECT_DEBIT = "direct_debit"
    CHEQUE = "cheque"
    TRANSFER = "transfer"


_ORDER = tuple(Means)


def means_of(row: StatementRow, kind: Kind, account_type: AccountType | None) -> str:
    """Return how a row was paid, one of ``Means``; empty where it is no payment or its words don't tell."""
    if kind in (Kind.CASH, Kind.INTEREST, Kind.FEE):
        return ""
    if account_type is AccountType.CREDIT_CARD:
        return Means.CARD if kind in (Kind.PURCHASE, Kind.REFUND) else ""
    means = _told(row.type_hint or "", f"{row.description} {row.memo}")
    return Means.TRANSFER if means == Means.DIRECT_DEBIT and row.amount > 0 else means


@lru_cache(maxsize=16384)
def _told(hint: str, text: str) -> str:
    """Return what the type says, where it says more than that money was taken; else what stands in the text."""
    by_type, by_text = means_in_words(hint), means_in_words(text)
    if by_type in (Means.DIRECT_DEBIT, Means.TRANSFER) and by_text in (Means.CARD, Means.STANDING_ORDER):
        return by_text  # “Lastschrift” is what some banks call all that was taken
    return by_type or by_text


def means_in_words(text: str) -> str:
    """Return what words say of how a payment was made, one of ``Means``; empty where they say nothing."""
    said, known = tokens(text), _known()
    found = (
        means
        for at, word in enumerate(said)
        for phrase, means in known.get(word, ())
        if said[at : at + len(phrase)] == phrase
    )
    return min(found, key=_ORDER.index, default="")


@cache
def _known() -> dict[str, list[tuple[tuple[str, ...], Means]]]:
    """Return what each phrase means, by its first word."""
    known: dict[str, list[tuple[tuple[str, ...], Means]]] = {}
    for means in _ORDER:
        for phrase in as_tokens(phrases(_FILE, means.value)):
            known.setdefault(phrase[0], []).append((phrase, means))
    return known
