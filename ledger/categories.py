"""Which category a transaction gets, and who said so."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from ledger import placement
from ledger.brands import assignable, brand_category, raw_category
from ledger.private_people import is_person
from ledger.stemming import fold
from ledger.taxonomy import CATEGORIES, lineage
from ledger.telling_words import category_in_words
from ledger.transactions import Kind
from ledger.wordlists import phrases


class Source(StrEnum):
    """Who said which category a transaction has, strongest first; ``PURCHASE`` is where a refund's purchases are.

    ``ROW`` is the person's word on just that one, ``RULE`` on all of its merchant.
    """

    ROW = "row"
    RULE = "rule"
    FILE = "file"
    KIND = "kind"
    MCC = "mcc"
    BRAND = "brand"
    WORDS = "words"
    PURCHASE = "purchase"
    NONE = "none"


#: What files write where they know no category. “Other” and “Sonstiges” are choices, and stay.
_NO_CATEGORY = frozenset(phrases("category_words.txt", "no category"))
#: What suppliers of which no more is known sell.
_SUPPLIED = {
    "utilities": ("electricity", "heating", "energy"),
    "energy": ("electricity", "heating"),
    "electricity": ("energy",),
    "heating": ("energy",),
}
#: Movements that are no purchase at a merchant get their category from their kind.
_BY_KIND = {
    Kind.TRANSFER: "transfers",
    Kind.CARD_PAYMENT: "transfers",
    Kind.FEE: "fees",
    Kind.CASH: "cash",
    Kind.LOAN_PAYMENT: "loans",
    Kind.INCOME: "income",
}


def categorise(  # noqa: PLR0913 - one argument for each thing that may decide
    *,
    merchant: str,
    phrase: str,
    kind: Kind,
    file_category: str | None = None,
    mcc: str | None = None,
    money_in: bool = False,
) -> tuple[str | None, Source]:
    """Return the category's name and who said so, in the order: file, kind, MCC, brand, words.

    The file's name is kept as it is written. Nothing is guessed: what none of these tells is ``(None, Source.NONE)``.
    The person's own rule, which comes before all of these, is for the merchant that is found in the end (``judgement``).
    """
    written = file_category.strip() if file_category else ""
    if written and fold(written) not in _NO_CATEGORY:
        return written, Source.FILE
    key = _by_kind(kind, money_in=money_in)
    if kind is Kind.LOAN_PAYMENT and category_in_words(phrase) == CATEGORIES["rent"].name:
        key = "rent"  # the loan on one's home
    if key:
        return CATEGORIES[key].name, Source.KIND
    code = category_of_mcc(mcc) if mcc else None
    if code:
        return code, Source.MCC
    brand = brand_category(merchant)
    if brand:
        return brand.name, Source.BRAND
    said = None if money_in and kind is not Kind.REFUND else category_in_words(_without_person(phrase, merchant))
    return (said, Source.WORDS) if said else (None, Source.NONE)


def _without_person(phrase: str, merchant: str) -> str:
    """Return a search text without the name with which it begins where that is a person's: “Sanne Bakker” sells no bread."""
    return phrase.removeprefix(merchant.lower()) if is_person(merchant) else phrase


@lru_cache(maxsize=16384)
def trades_of(merchant: str) -> frozenset[str]:
    """Return the keys of what a merchant is by its brand and by the words of its name, the finer things among them."""
    brand = raw_category(merchant)
    placed = placement.place_name(merchant)
    found = ({brand} if brand else set()) | (placed.keys if placed else set())
    said = category_in_words(merchant)
    if said == CATEGORIES["rent"].name:  # a landlord, unless it is a bank that lends
        found |= {"rent"} if "mortgage" in found else {"rent", "rental"}
    elif said:
        found -= {"rent", "rental"}
    if found >= {"rental", "car"}:  # “Rent a Car” lets no homes
        found = (found - {"rental", "car"}) | {"rental_car"}
    return frozenset(above for key in found for above in lineage(key)).union(*(_SUPPLIED.get(key, ()) for key in found))


def _by_kind(kind: Kind, *, money_in: bool) -> str | None:
    if kind is Kind.INTEREST:
        return "income" if money_in else "fees"
    return _BY_KIND.get(kind)


@cache
def _codes() -> dict[str, str]:
    codes: dict[str, str] = {}
    for line in files("ledger.data").joinpath("mcc.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        first, last, key = line.split("\t")
        codes.update((f"{code:04}", assignable(key).name) for code in range(int(first), int(last) + 1))
    return codes


@lru_cache(maxsize=2048)
def category_of_mcc(code: str) -> str | None:
    """Return our category's name for a merchant category code (ISO 18245), or nothing for a code we don't know."""
    digits = code.strip().removesuffix(".0")
    return _codes().get(digits.zfill(4)) if digits.isascii() and digits.isdigit() else None
