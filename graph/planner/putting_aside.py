"""Money that is put aside: what goes to savings and to accounts that are no checking account, and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from language import cues
from language.lexicon import listed
from language.words import fold
from ledger.transactions import AccountType
from tools.slots.names import names_of

if TYPE_CHECKING:
    from graph.planner.asking import Asking

#: Accounts that money is spent from, so that nothing is put aside in them.
_SPENT_FROM = frozenset({AccountType.CHECKING, AccountType.CREDIT_CARD, AccountType.LOAN})


def narrowed(of: str, asking: Asking) -> str:
    """Return the money in the words of the tools: what goes to savings, and interest that is charged, by their words."""
    if of == "interest" and asking.says(cues.CHARGED) and not asking.says(cues.TO_ME):
        return "interest_charged"
    earned = asking.says(cues.WAGES) or asking.says(cues.JOBS)
    if of == "income" and earned and not asking.has("category") and not asking.has("merchant"):
        return "salary"
    return put_aside(of, asking)


def put_aside(of: str, asking: Asking) -> str:
    """Return ``savings`` or ``savings_back`` for money that goes to savings or comes back from them, else what it is."""
    if _came_from_savings(of, asking):
        return "savings_back"
    if of == "transfers" and asking.says(cues.SAVED):
        return "savings"
    spent = (
        asking.says(cues.SPENT) or asking.base or asking.said("by") == "purchase"
    )  # "the largest payment out of my card"
    moved = of == "transfers" or (of == "spending" and not spent)
    return (account_put_aside_in(asking) if moved else None) or of


def account_put_aside_in(asking: Asking) -> str | None:
    """Return ``savings`` for money put into the one account that is named, ``savings_back`` for what is taken out of it.

    None where no account is named that money is put aside in ("into Wealthsimple").
    """
    named = asking.reading.of("account")
    if len(named) != 1 or len(names_of(named[0].value)) != 1:
        return None
    types = {each.name: each.type for each in asking.context.vocabulary.accounts}
    if types.get(names_of(named[0].value)[0]) in _SPENT_FROM:
        return None
    before = asking.word_before(named[0])
    if before in listed("money_to", "money_in"):
        return "savings"
    return "savings_back" if before in listed("money_from", "out_of") else None


def _came_from_savings(of: str, asking: Asking) -> bool:
    """Whether money is meant that was taken out of savings."""
    if of in ("refunds", "income"):
        return asking.says(cues.OUT_OF_SAVINGS) and not asking.named
    saved = of in ("transfers", "savings") and asking.says(cues.SAVED_BACK)
    return saved and (asking.says(cues.SAVED) or _of_savings(asking))


def _of_savings(asking: Asking) -> bool:
    if asking.base is None:
        return False
    named = " ".join(names_of(asking.base.about.get("merchant")))
    return asking.base.of in ("savings", "savings_back") or bool(cues.SAVED.search(fold(named)))
