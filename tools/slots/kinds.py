"""Which kind of movement a sentence asks for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from language.words import words
from ledger.categories import trades_of
from ledger.transactions import AccountType
from tools.slots.choices import ChoiceSlot
from tools.slots.names import AccountSlot, CategorySlot, MerchantSlot, account_types, names_of
from tools.slots.slot import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.context import ToolContext

#: What one does with money between own accounts, and with much else: a transfer only where an account is named.
_MOVED = frozenset(
    "move moved moving shift shifted shove shoved sweep swept geschoben verschoben rubergeschoben schieben schiebe "
    "umgeschichtet verschoben".split()
)
#: The same with savings; on a card one puts what one buys.
_PUT = frozenset(
    "put putting stash stashed send sent gelegt gepackt gesteckt geparkt uberwiesen eingezahlt packen legen".split()
)
_BANKS = frozenset("bank banks bank's bankseitig hausbank sparkasse".split())
_WAYS = frozenset("to into onto auf aufs ins zum".split())
#: “After the ticket was refunded, what did …”: the refund is told, not asked for.
_CLAUSE_STARTS = frozenset("after once since nachdem sobald".split())
_KINDS_OF_LOAN = frozenset({"student", "car", "auto", "home", "personal", "studenten"})
_CLAUSE_ENDS = ",;:"


@dataclass(frozen=True, eq=False)
class KindSlot(ChoiceSlot):
    """The kinds of movement, each with its words; some words count only beside others."""

    def find(self, text: str, context: ToolContext) -> Sequence[Mention]:
        """Return the kinds that a sentence asks for."""
        keys = {word.key for word in words(text)}
        said = [each for each in super().find(text, context) if not _is_part(each, text)]
        if any(each.value == "fee" for each in said) and _names_trade(text, context):
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


def _names_trade(text: str, context: ToolContext) -> bool:
    """Tell whether a shop or a category is named whose price a fee may be; a bank's fee is told by no trade."""
    shops = (name for mention in MerchantSlot().find(text, context) for name in names_of(mention.value))
    return any(map(trades_of, shops)) or bool(CategorySlot().find(text, context))


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


KIND = KindSlot(
    "kind",
    {
        "purchase": (
            "purchase", "purchases", "expense", "expenses", "charge", "charges", "trip", "run", "bon", "bons", "kassenbon",
            "betrag", "posten", "einzelausgabe", "einzelausgaben", "order", "orders", "receipt", "receipts", "ausgabe",
            "ausgaben", "einkauf", "einkäufe", "kauf", "käufe",
        ),
        "spending": (),
        "refund": (
            "refund", "refunds", "refunded", "returns", "money back", "chargeback", "chargebacks", "erstattung",
            "erstattungen", "erstattet", "rückzahlung", "rückzahlungen", "rückerstattung", "rückerstattungen", "retouren",
        ),
        "fee": (
            "fee", "fees", "bank fee", "bank fees", "bank charge", "bank charges", "overdraft charges", "account charges",
            "service charge", "service charges", "gebühr", "gebühren", "bankgebühr", "bankgebühren", "kontogebühr",
            "kontogebühren", "kontoführungsgebühr", "kontoführungsgebühren", "entgelt", "entgelte", "kontoführung",
        ),
        "interest": (
            "interest", "interest charge", "interest charges", "interest charged", "overdraft interest", "zinsen",
            "sollzinsen", "habenzinsen", "dispozinsen", "überziehungszinsen", "guthabenzinsen", "kreditzinsen",
        ),
        "transfer": (
            "transfer", "transfers", "transferred", "moved between accounts", "umbuchung", "umbuchungen", "umgebucht",
            "übertrag", "überträge",
        ),
        "card_payment": (
            "card payment", "card payments", "credit card payment", "credit card payments", "credit card bill",
            "credit card bills", "pay off the credit card", "paid off the credit card", "pay off my credit card",
            "paid off my credit card", "pay the credit card", "paid the credit card", "pay my credit card",
            "paid my credit card", "kreditkarte abbezahlt", "kreditkarte bezahlt", "card bill", "card bills",
            "kreditkartenabrechnung", "kreditkartenabrechnungen",
            "kreditkartenrechnung", "kreditkartenrechnungen",
        ),
        "cash": (
            "cash withdrawal", "cash withdrawals", "withdrawal", "withdrawals", "atm", "atms", "cash", "cash machine",
            "cash machines", "cashpoint", "bargeld", "abhebung", "abhebungen", "bargeldabhebung", "bargeldabhebungen",
            "abgehoben", "abheben", "abhob", "withdraw", "withdrew", "withdrawn", "geldautomat", "geldautomaten", "bankomat",
        ),
        "loan_payment": (
            "loan payment", "loan payments", "loan repayment", "loan repayments", "kreditrate",
            "kreditraten", "darlehen", "darlehensrate", "darlehensraten",
        ),
        "income": ("deposits", "deposit", "geldeingänge", "eingänge"),
    },
    "Kind of movement",
)  # fmt: skip
