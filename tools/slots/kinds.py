"""Which kind of movement a sentence asks for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from language.lexicon import choices, listed
from language.words import words
from ledger.categories import trades_of
from ledger.transactions import AccountType
from tools.slots.accounts import account_types
from tools.slots.choices import ChoiceSlot
from tools.slots.names import AccountSlot, CategorySlot, MerchantSlot, names_of
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

#: What one does with money between own accounts, and with much else: a transfer only where an account is named.
_MOVED = listed("moved")
#: The same with savings; on a card one puts what one buys.
_PUT = listed("put")
_BANKS = listed("banks")
_WAYS = listed("money_to")
#: “After the ticket was refunded, what did …”: the refund is told, not asked for.
_CLAUSE_STARTS = listed("clause_starts")
_KINDS_OF_LOAN = listed("kinds_of_loan")
_CLAUSE_ENDS = ",;:"


@dataclass(frozen=True, eq=False)
class KindSlot(ChoiceSlot):
    """The kinds of movement, each with its words; some words count only beside others."""

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the kinds that a sentence asks for."""
        keys = {word.key for word in words(text)}
        said = [each for each in super().find(text, context) if not _is_part(each, text)]
        fees = [each for each in said if each.value == "fee"]
        if fees and _names_trade(text, fees, context):
            said = [each for each in said if each.value != "fee"]
        banks = [word for word in words(text) if word.key in _BANKS] if any(map(_is_charge, said)) else []
        found = [
            Mention(each.slot, each.start, each.end, "fee" if banks and _is_charge(each) else each.value, each.text)
            for each in said
        ] + [Mention(self.name, word.start, word.end, "fee", text[word.start : word.end]) for word in banks]
        if not found and keys & (_MOVED | _PUT) and (types := account_types(text, context)):
            verbs = _MOVED | _PUT if AccountType.SAVINGS in types else _MOVED
            moved = [word for word in words(text) if word.key in verbs][:1]
            found += [
                Mention(self.name, word.start, word.end, "transfer", text[word.start : word.end]) for word in moved
            ]
        return found or self._between_accounts(text, context)

    def _between_accounts(self, text: str, context: ToolContext) -> list[Mention]:
        """Return a transfer where money goes from one account to another."""
        for one, other in pairwise(AccountSlot().find(text, context)):
            between = [word for word in words(text) if one.end <= word.start and word.end <= other.start]
            if between and between[0].key in _WAYS:
                way = between[0]
                return [Mention(self.name, way.start, way.end, "transfer", text[way.start : way.end])]
        return []


def _names_trade(text: str, fees: Sequence[Mention], context: ToolContext) -> bool:
    """Tell whether a shop or a category is named whose price a fee may be; a bank's fee is told by no trade."""
    shops = (name for mention in MerchantSlot().find(text, context) for name in names_of(mention.value))
    categories = (
        each  # "service charges" are of no category that is called services
        for each in CategorySlot().find(text, context)
        if not any(each.start < fee.end and fee.start < each.end for fee in fees)
    )
    return any(map(trades_of, shops)) or any(True for _ in categories)


def _is_charge(mention: Mention) -> bool:
    return mention.value == "purchase" and mention.text.casefold() in {"charge", "charges"}


def _is_part(mention: Mention, text: str) -> bool:
    """Tell whether words belong to others: a refund that only says when, a loan that another word says more of."""
    before = [word.key for word in words(text) if word.end <= mention.start]
    if mention.value == "loan_payment" and before and before[-1] in _KINDS_OF_LOAN:
        return True
    return mention.value == "refund" and _is_told(text, mention.start)


def _is_told(text: str, start: int) -> bool:
    """Tell whether a place is in a clause that only says when: “after …,”."""
    clause = max(text.rfind(sign, 0, start) for sign in _CLAUSE_ENDS) + 1
    first = next((word.key for word in words(text) if word.start >= clause), "")
    return first in _CLAUSE_STARTS and any(sign in text[start:] for sign in _CLAUSE_ENDS)


KIND = KindSlot("kind", choices("kind"), "Kind of movement")
