"""What kind of movement a transaction is, by the file's own words, then the descriptor's, then the sign."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledger.brands import brand_category, is_unmistakable
from ledger.descriptors import INVOICES
from ledger.kind_words import (
    BILL_PAID_TYPES,
    BILL_PAID_WORDS,
    ONE_WAY_TRANSFERS,
    TYPE_WORDS,
    kind_in_words,
    names_own_account,
    names_savings,
    side_in_words,
    tokens,
)
from ledger.placement import content_stems, place_name
from ledger.private_people import is_person
from ledger.taxonomy import CATEGORIES, group_of, lineage
from ledger.telling_words import category_in_words
from ledger.transactions import STATED_KIND, AccountType, Kind
from ledger.wordlists import phrases, words

if TYPE_CHECKING:
    from ledger.taxonomy import Category
    from ledger.transactions import StatementRow


_FILE = "kind_words.txt"


class Ground(StrEnum):
    """What a kind was judged by, strongest first; ``PERSON`` is their word on just that row."""

    PERSON = "person"
    FILE = "file"
    WORDS = "words"
    BRAND = "brand"
    SIGN = "sign"


class Judgement(NamedTuple):
    """A kind and what it was judged by."""

    kind: Kind
    ground: Ground


#: What our category for a file's category says about the kind; the nearest one upwards counts.
_BY_CATEGORY = {
    "card_payment": Kind.CARD_PAYMENT,
    "transfers": Kind.TRANSFER,
    "savings": Kind.TRANSFER,
    "interest_income": Kind.INTEREST,
    "income": Kind.INCOME,
    "interest_charged": Kind.INTEREST,
    "fees": Kind.FEE,
    "cash": Kind.CASH,
    "loans": Kind.LOAN_PAYMENT,
    "mortgage": Kind.LOAN_PAYMENT,
}
_REFUND_CATEGORIES = frozenset(
    content_stems(name)
    for name in (
        "returned purchase",
        "refund",
        "refunds",
        "returns",
        "erstattung",
        "rückerstattung",
        "retoure",
        "erstattungen",
    )
)
#: Category names that say how money moved, not what kind of movement it was.
_SILENT_CATEGORIES = frozenset(
    content_stems(name)
    for name in (
        "deposit",
        "payment",
        "überweisung",
        "überweisungen",
        "moneybeam",
        "withdrawal",
        "interest",
        "zinsen",
        "check",
    )
)
#: Groups whose money in, by the file's category, is a refund. A tax refund, a gift received, a fee earned are income.
_REFUNDED_GROUPS = frozenset(words(_FILE, "refunded groups"))
#: Names of categories for what goes to and comes from people; money in by them alone is no refund.
_OF_PEOPLE = frozenset(map(content_stems, phrases(_FILE, "of people")))
#: Types of which some banks make use whoever gets the money.
_ANY_TRANSFER = frozenset({("transfer",), ("transfer", "to"), ("transfer", "from")})
#: What some banks call a fee, and some services what one person asks another for.
_ANY_CHARGE = frozenset({("charge",), ("charges",)})
#: A name of several words behind what says that money went there or came from there.
_TO_SOMEBODY = re.compile(
    r"(?:(?P<payment>payment from|payment to|zahlung von|zahlung an|paiement de|pago de)|to|from|an|von|à|de|a|da)\s"
    r"(?P<name>[^\W\d_][\w.'’-]*(?:\s[^\W\d_][\w.'’-]*){1,3})$",
    re.IGNORECASE,
)
#: Kinds whose words say by themselves which way the money goes.
_SAID_IN = frozenset({Kind.INCOME, Kind.REFUND})
_SAID_OUT = frozenset({Kind.PURCHASE, Kind.FEE, Kind.CASH, Kind.LOAN_PAYMENT})
#: The number of an invoice: “RE 2025-23”.
_OWN_INVOICE = re.compile(rf"\b(?:{'|'.join(sorted(INVOICES))})[.:]?[ -]?(?:nr\.?|no\.?|#)? ?\d", re.IGNORECASE)
#: Categories of those who send back what was paid too much.
_SETTLE = frozenset(CATEGORIES[key].name for key in ("utilities", "phone", "insurance", "taxes", "medical", "pharmacy"))
#: Brands that pay people for rides, rooms, wares or works: money from them is earned unless it is called a refund.
_PAYING_BRANDS = frozenset(phrases(_FILE, "paying brands"))


def kind_of(
    row: StatementRow,
    *,
    account_type: AccountType | None = None,
    category: str | None = None,
    merchant: str = "",
    has_purchases: bool = False,
) -> Kind:
    """Return the kind of a statement row; see ``judge``."""
    return judge(row, account_type=account_type, category=category, merchant=merchant, has_purchases=has_purchases).kind


def judge(
    row: StatementRow,
    *,
    account_type: AccountType | None = None,
    category: str | None = None,
    merchant: str = "",
    has_purchases: bool = False,
) -> Judgement:
    """Return the kind of a statement row and what it was judged by.

    ``category`` is the file's own (the row's by default), ``merchant`` the normalised name, and ``has_purchases`` tells
    whether the ledger holds purchases there, which makes money coming back a refund.
    """
    money_in = row.amount > 0
    category = category if category is not None else row.category
    stated = _stated(row) or (Kind.TRANSFER if row.to_self else None)
    if stated is not None or account_type is AccountType.LOAN:
        return Judgement(stated or Kind.TRANSFER, Ground.FILE)
    found = _told_by_file(row, category, account_type, merchant, money_in=money_in)
    if found is not None:
        return Judgement(_settle(found, money_in=money_in), Ground.FILE)
    found = _by_words(row, account_type, money_in=money_in)
    if account_type is AccountType.INVESTMENT and found not in {Kind.INCOME, Kind.INTEREST, Kind.FEE}:
        return Judgement(Kind.TRANSFER, Ground.WORDS)
    brand = brand_category(merchant) if merchant else None
    # A shop's service fee is part of its price, not a bank's fee.
    if found is not None and not (found is Kind.FEE and brand is not None):
        return Judgement(_settle(found, money_in=money_in), Ground.WORDS)
    ground = Ground.SIGN if brand is None else Ground.BRAND
    if not money_in:
        return Judgement(Kind.PURCHASE, ground)
    on_card = account_type is AccountType.CREDIT_CARD
    given = not on_card and brand is None and _is_of_people(merchant, category)
    refunded = on_card or _gives_back(merchant, brand) or (has_purchases and not _pays_an_invoice(row, merchant, brand))
    return Judgement(Kind.REFUND if refunded and not given else Kind.INCOME, ground)


def _told_by_file(
    row: StatementRow, category: str | None, account_type: AccountType | None, merchant: str, *, money_in: bool
) -> Kind | None:
    """Return the kind that the file's own words say, where those of the descriptor don't say it better."""
    found = _by_file(row, category, account_type, merchant, money_in=money_in)
    if found is Kind.FEE and _by_words(row, account_type, money_in=money_in) is Kind.INTEREST:
        return Kind.INTEREST  # banks file what they charge for credit with their fees
    if found is not Kind.PURCHASE:
        return found
    if money_in and is_person(merchant):
        return _by_words(row, account_type, money_in=True) or Kind.INCOME  # a flatmate's share filed under “Home” (D4)
    if not money_in and _says_only_type(row, category, merchant):
        return _instead_of_purchase(row)
    return found


def said_side(row: StatementRow, *, merchant: str = "", on_card: bool = False) -> int:
    """Return which way the words of a row say that its money went: -1 out, +1 in, 0 where they don't.

    Its sign counts for nothing here: this is how the signs of a whole file are judged.
    """
    text = _text(row)
    into, out = kind_in_words(text, money_in=True), kind_in_words(text, money_in=False)
    if out is Kind.FEE:  # “INCOMING WIRE FEE” is one; “Entgelt” is a fee or a wage
        return 0 if into in _SAID_IN else -1
    if into in _SAID_IN or (on_card and into in {Kind.CARD_PAYMENT, Kind.TRANSFER}):
        return 1
    said = TYPE_WORDS.get(tokens(row.type_hint or ""))
    if said in {None, Kind.TRANSFER} and row.category:
        said = _by_category(row.category, money_in=False)
    side = side_in_words(f"{text} {row.type_hint or ''}")
    if side or said in _SAID_IN:
        return side or 1
    if said in _SAID_OUT or out in _SAID_OUT:
        return -1
    brand = brand_category(merchant) if merchant and merchant not in _PAYING_BRANDS else None
    return -1 if brand is not None and group_of(brand.key) in _REFUNDED_GROUPS else 0


def _is_of_people(merchant: str, category: str | None) -> bool:
    """Tell whether a private person paid, by the name or, where that tells no trade, by the file's category for people."""
    if is_person(merchant):
        return True
    return (
        category is not None and content_stems(category) in _OF_PEOPLE and category_in_words(merchant.lower()) is None
    )


def _gives_back(merchant: str, brand: Category | None) -> bool:
    """Tell whether money from a brand is surely a refund: a shop's or a service's, and nobody's wage."""
    if brand is None or merchant in _PAYING_BRANDS:
        return False
    return group_of(brand.key) in _REFUNDED_GROUPS and is_unmistakable(merchant)


def _pays_an_invoice(row: StatementRow, merchant: str, brand: Category | None) -> bool:
    """Tell whether money came for an invoice of one's own, by its number: a landlord may be a customer as well.

    What a supplier, an insurer or a surgery sends back names a number, too, and so does a shop.
    """
    if brand is not None or _OWN_INVOICE.search(_text(row)) is None:
        return False
    return category_in_words(merchant.lower()) not in _SETTLE


def _settle(kind: Kind, *, money_in: bool) -> Kind:
    """Return the kind with the sign taken into account: cash paid in and loans paid out move own money."""
    if money_in and kind in {Kind.CASH, Kind.LOAN_PAYMENT}:
        return Kind.TRANSFER
    if money_in and kind is Kind.PURCHASE:
        return Kind.REFUND
    return kind


def _stated(row: StatementRow) -> Kind | None:
    """Return the kind that our own export states."""
    hint = row.type_hint or ""
    name = hint.removeprefix(STATED_KIND)
    return Kind(name) if name != hint and name in set(Kind) else None


def _by_file(
    row: StatementRow, category: str | None, account_type: AccountType | None, merchant: str, *, money_in: bool
) -> Kind | None:
    found = _by_category(category, money_in=money_in) if category else None
    if found is not None or not row.type_hint:
        of_all = found is Kind.INCOME and money_in  # a category for whatever comes in
        return Kind.INTEREST if of_all and _says_interest(row) else found
    return _by_type(row, tokens(row.type_hint), account_type, merchant, money_in=money_in)


def _by_type(
    row: StatementRow, hint: tuple[str, ...], account_type: AccountType | None, merchant: str, *, money_in: bool
) -> Kind | None:
    if account_type is AccountType.CREDIT_CARD and money_in and hint in BILL_PAID_TYPES:
        said = kind_in_words(_text(row), money_in=True)
        return Kind.REFUND if said is Kind.REFUND else Kind.CARD_PAYMENT if _says_bill_paid(row, hint) else None
    if hint == ("abschluss",):
        said = kind_in_words(_text(row), money_in=money_in)
        return Kind.INTEREST if money_in or said is Kind.INTEREST else Kind.FEE
    kind = Kind.TRANSFER if hint in ONE_WAY_TRANSFERS[money_in] else TYPE_WORDS.get(hint)
    if kind is Kind.TRANSFER:
        return _by_transfer_type(row, hint, merchant, money_in=money_in)
    if kind is Kind.FEE and row.payee and hint in _ANY_CHARGE:
        return None  # what one person charges another with
    return None if kind in {Kind.INCOME, Kind.REFUND} and not money_in else kind


def _by_transfer_type(row: StatementRow, hint: tuple[str, ...], merchant: str, *, money_in: bool) -> Kind | None:
    """Return what a bank calls a transfer: many a salary or card bill, of which the descriptor knows better."""
    behind = _TO_SOMEBODY.match(row.description)
    if money_in and behind and behind["payment"]:
        return None
    said = kind_in_words(_text(row), money_in=money_in)
    if said in {Kind.INCOME, Kind.CARD_PAYMENT, Kind.LOAN_PAYMENT, Kind.FEE, Kind.INTEREST}:
        return said
    return None if said is None and hint in _ANY_TRANSFER and _names_somebody(row, merchant) else Kind.TRANSFER


def _names_somebody(row: StatementRow, merchant: str) -> bool:
    """Tell whether money went to or came from somebody: a person, or a name behind “to”, “from” or “payment from”."""
    if is_person(merchant) or (" " in row.payee and not names_own_account(row.payee)):
        return True
    behind = _TO_SOMEBODY.match(row.description)
    if behind is None:
        return False
    if behind["payment"] is not None:
        return True
    return not names_own_account(behind["name"]) and not any(word[:1].islower() for word in behind["name"].split())


def _says_only_type(row: StatementRow, category: str | None, merchant: str) -> bool:
    """Tell whether only a bank's type of movement makes a purchase of a row: no brand, and no category of purchases."""
    if row.type_hint is None or brand_category(merchant) is not None:
        return False
    return not category or _by_category(category, money_in=False) is None


def _instead_of_purchase(row: StatementRow) -> Kind:
    """Return what a bank lists among its card payments: a fee where nobody is named but what it is for, or cash."""
    said = tokens(row.payee or row.description)
    found = kind_in_words(" ".join(said), money_in=False)
    is_fee = found is Kind.FEE and said[-1:] in {("fee",), ("fees",)}
    return found if found and (is_fee or found is Kind.CASH) else Kind.PURCHASE


def _says_interest(row: StatementRow) -> bool:
    return kind_in_words(f"{_text(row)} {row.type_hint or ''}", money_in=True) is Kind.INTEREST


def _says_bill_paid(row: StatementRow, type_words: tuple[str, ...]) -> bool:
    """Tell whether a credit on a card is its bill being paid: the plain type “credit” needs a word in the text too."""
    return type_words != ("credit",) or bool(BILL_PAID_WORDS.intersection(tokens(_text(row))))


@lru_cache(maxsize=4096)
def _by_category(category: str, *, money_in: bool) -> Kind | None:
    name = content_stems(category)
    if name in _REFUND_CATEGORIES:
        return Kind.REFUND if money_in else None
    if money_in and name in _OF_PEOPLE:
        return None
    placed = place_name(category)
    if placed is None or name in _SILENT_CATEGORIES:
        return Kind.INTEREST if name in {("interest",), ("zins",)} else None
    key = placed.primary.key
    group = group_of(key)
    said = next((_BY_CATEGORY[above] for above in lineage(key) if above in _BY_CATEGORY), None)
    if said is not None:
        # “Water charges” are no bank's fee: words of another group speak against it.
        foreign = said is Kind.FEE and any(group_of(other.key) != group for other in placed.touched)
        return None if foreign else said
    if group in _REFUNDED_GROUPS and key != "child_support":
        return Kind.PURCHASE
    return None if money_in else Kind.PURCHASE if group in {"taxes", "gifts", "business"} else None


def _by_words(row: StatementRow, account_type: AccountType | None, *, money_in: bool) -> Kind | None:
    text = _text(row)
    found = kind_in_words(text, money_in=money_in)
    if found is None and names_savings(row.payee or row.description):  # "Conor Joyce Savings"
        return Kind.TRANSFER
    if account_type is AccountType.CREDIT_CARD and money_in:
        if found in {Kind.REFUND, Kind.INTEREST, Kind.FEE, Kind.CARD_PAYMENT}:
            return found
        return Kind.CARD_PAYMENT if BILL_PAID_WORDS.intersection(tokens(text)) or found is Kind.TRANSFER else None
    if found is None and not money_in and account_type is not AccountType.CREDIT_CARD and _names_card_issuer(text):
        return Kind.CARD_PAYMENT
    return found


def _names_card_issuer(text: str) -> bool:
    start = tokens(text)[:2]
    return start[:1] in {("barclaycard",), ("amex",)} or start in {
        ("american", "express"),
        ("citi", "card"),
        ("discover", "bank"),
    }


def _text(row: StatementRow) -> str:
    return f"{row.payee} {row.description} {row.memo}" if row.payee or row.memo else row.description
