"""What an imported row is: its merchant, search text, kind and category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ledger import kinds
from ledger.bank_wording import without_wording
from ledger.brands import brand_category, house_of, is_payment_service
from ledger.categories import Source, categorise
from ledger.descriptors import PURPOSES
from ledger.kind_words import says_only_cash
from ledger.merchants import merchant_key, names_nobody, normalise_merchant, normalise_phrase
from ledger.stemming import fold
from ledger.transactions import Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from decimal import Decimal

    from ledger.kinds import Ground, Judgement
    from ledger.transactions import AccountType, StatementRow

    Held = tuple[StatementRow, AccountType | None]
    """A row and the type of the account that it is in."""

#: The category of what nobody has put into one.
UNCATEGORISED = "Uncategorised"
#: Who pays out cash: a machine at a supermarket is no purchase there.
CASH_MACHINE = "Cash machine"
#: How many times the most that was paid at once comes back at most, of a year's bills or a deposit; more is earned.
_MOST_BACK = 5
#: How many judgements of money out are held: a row says the same as many before it, and is judged more than once.
_MOST_HELD = 20_000
#: What stands between the parts of a search text, and in none of them but names.
_BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class Judged:
    """What a row was found to be, and on whose word."""

    merchant: str
    merchant_key: str
    phrase: str
    kind: Kind
    ground: Ground
    category: str
    category_source: str
    own_category: str | None = None
    """What it has without the person's rule; None, like who said so, where there is no rule."""
    own_category_source: str | None = None
    words: str = ""
    """Its own words in what it is searched by."""


class Bought(NamedTuple):
    """The category of what was bought at a merchant, and the most that was paid there at once."""

    category: str
    most: Decimal

    def beside(self, other: Bought | None) -> Bought:
        """Return what both say: the category of the other one, where it has any."""
        if other is None:
            return self
        known = self.category if other.category in {"", UNCATEGORISED} else other.category
        return Bought(known, max(self.most, other.most))


class Judge:
    """Judges rows by the person's rules and by where their ledger holds purchases already."""

    def __init__(self, rules: Sequence[tuple[str, str]], bought_at: Mapping[str, Bought]) -> None:
        """Take rules as pairs of merchant and category, and what was bought by the keys of merchants."""
        self._spent: dict[Hashable, Judged] = {}
        self.follow(rules)
        self._bought_at = dict(bought_at)

    def learn(self, rows: Iterable[Held]) -> None:
        """Take note of the purchases among rows: money back from there is a refund."""
        for row, account_type in rows:
            if row.amount >= 0:
                continue
            found = self.judge(row, account_type)
            if found.kind is Kind.PURCHASE:
                bought = Bought(found.own_category or found.category, -row.amount)
                self._bought_at[found.merchant_key] = bought.beside(self._bought_at.get(found.merchant_key))

    def judge(self, row: StatementRow, account_type: AccountType | None) -> Judged:
        """Judge one row, by what was learned so far."""
        if row.amount >= 0:
            return self._money_in(row, account_type, _merchant(row))
        said = (
            row.description, row.payee, row.memo, row.notes, row.labels, row.category, row.type_hint, row.mcc, row.to_self,
            account_type,
        )  # fmt: skip
        found = self._spent.get(said)
        if found is None:
            merchant = _merchant(row)
            found = self._judged(row, merchant, kinds.judge(row, account_type=account_type, merchant=merchant))
            if found.kind is not Kind.REFUND:  # what that is follows from other rows
                if len(self._spent) >= _MOST_HELD:
                    self._spent.clear()
                self._spent[said] = found
        return found

    def follow(self, rules: Sequence[tuple[str, str]]) -> None:
        """Judge by these rules from now on."""
        self._spent.clear()
        self._rules = {key_of(merchant): category for merchant, category in rules}

    def _money_in(self, row: StatementRow, account_type: AccountType | None, merchant: str) -> Judged:
        bought = self._bought_at.get(key_of(house_of(merchant)))
        came_back = bought is not None and row.amount <= _MOST_BACK * bought.most
        return self._judged(
            row, merchant, kinds.judge(row, account_type=account_type, merchant=merchant, has_purchases=came_back)
        )

    def _judged(self, row: StatementRow, found: str, judgement: Judgement) -> Judged:
        """Return what a row is; ``found`` is the name in its descriptor, perhaps that of a branch."""
        phrase = normalise_phrase(row.description, row.payee, row.memo) or found.casefold().replace(_BETWEEN, " ")
        category, source = categorise(
            merchant=found,
            phrase=phrase,
            kind=judgement.kind,
            file_category=row.category,
            mcc=row.mcc,
            money_in=row.amount > 0,
        )
        merchant = _payee(found, judgement.kind)
        key = key_of(merchant)
        if category is None and judgement.kind is Kind.REFUND and key in self._bought_at:
            category, source = self._bought_at[key].category, Source.PURCHASE
        rule = self._rules.get(key)
        return Judged(
            merchant=merchant,
            merchant_key=key,
            phrase=search_text(_with_notes(phrase, row), rule or category),
            kind=judgement.kind,
            ground=judgement.ground,
            category=rule or category or UNCATEGORISED,
            category_source=Source.RULE.value if rule else source.value,
            own_category=(category or UNCATEGORISED) if rule else None,
            own_category_source=source.value if rule else None,
            words=phrase,
        )


def _with_notes(phrase: str, row: StatementRow) -> str:
    """Return the search text with what the person wrote to the row, by which it is found and not judged."""
    if not (row.notes or row.labels):
        return phrase
    return normalise_phrase(phrase, memo=f"{row.notes} {row.labels}")


def search_text(phrase: str, category: str | None, name: str = "") -> str:
    """Return what a transaction is searched by: its own words, the name that the person gave it, and its category's."""
    return _BETWEEN.join(filter(None, (phrase, name.casefold(), (category or "").casefold())))


def own_words(text: str) -> str:
    """Return a transaction's own words in the text that it is searched by."""
    return text.partition(_BETWEEN)[0]


def given_name(text: str, category: str) -> str:
    """Return the name that the person gave a transaction, as it stands in the text; empty where they gave none."""
    return text.removesuffix(f"{_BETWEEN}{category.casefold()}").partition(_BETWEEN)[2]


def key_of(merchant: str) -> str:
    """Return the key by which the ledger holds a merchant together; a name of nothing but signs is its own."""
    return merchant_key(merchant) or merchant.casefold()


def merchant_of(row: StatementRow) -> str:
    """Return the merchant that a row names, whatever kind of movement it is."""
    return house_of(_merchant(row))


def _merchant(row: StatementRow) -> str:
    description, payee = row.description, row.payee
    if row.memo and payee in {"", description} and _only_says_how(row):
        description = row.memo  # “PayPal Europe S.a.r.l.”, “EFTPOS”: what was bought stands in the purpose
        payee = payee if is_payment_service(normalise_merchant(payee)) else ""
    return normalise_merchant(description, payee) or row.description.strip()[:60] or "Unknown"


def _only_says_how(row: StatementRow) -> bool:
    """Tell whether a description names a payment service, or nobody at all while the memo may name somebody."""
    said = row.description
    merchant = normalise_merchant(said)
    if is_payment_service(merchant):
        return True
    if brand_category(merchant) is not None:
        return False  # “AMAZON.CO.UK*8IPXHEKE5”, however little of it is a word
    stands_there = without_wording(row.memo) != row.memo and fold(row.memo.partition(" ")[0]) not in PURPOSES
    names_none = names_nobody(said) or (said == row.type_hint and stands_there)
    return names_none and not names_nobody(row.memo)


def _payee(merchant: str, kind: Kind) -> str:
    """Return the merchant as a person would name it: the chain of a branch, and no shop whose machine paid out cash."""
    if kind is Kind.CASH and not is_payment_service(merchant) and not says_only_cash(merchant):
        return CASH_MACHINE
    return house_of(merchant)
