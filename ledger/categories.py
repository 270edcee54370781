"""Which category a transaction gets, and who said so."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from ledger import placement
from ledger.brands import SIDE_TRADES, assignable, brand_category, brand_key, compact, raw_category
from ledger.private_people import is_person, without_surnames
from ledger.stemming import fold
from ledger.taxonomy import CATEGORIES, lineage, members_of
from ledger.telling_words import category_in_words, kinds_in_words, without_channels
from ledger.transactions import Kind
from ledger.wordlists import phrases, words


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
#: What people call a place for money that they put by.
_SET_ASIDE = frozenset(words("descriptors.txt", "set aside"))
_SAID_BY_BANKS = frozenset(words("descriptors.txt", "side trades of banks"))
_CUT_SHORT = {
    word: key
    for each, _, key in (entry.partition(" > ") for entry in phrases("descriptor_words.txt", "cut short"))
    for shortest, _, rest in (each.partition("|"),)
    for word in (shortest + rest[:size] for size in range(max(1, len(rest))))
}
#: What friends share, and no person sells to another.
_EATEN = frozenset(CATEGORIES[key].name for key in members_of("food") if not CATEGORIES[key].finer)
#: What suppliers of which no more is known sell.
_SUPPLIED = {
    "utilities": ("electricity", "heating", "energy"),
    "energy": ("electricity", "heating"),
    "electricity": ("energy",),
    "heating": ("energy",),
    "pharmacy": ("dispensing_pharmacy",),
    "childcare": ("nursery",),
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
    beside = _side_trade(phrase, merchant)
    if beside:
        return beside, Source.WORDS
    brand = brand_category(merchant)
    if brand:
        return brand.name, Source.BRAND
    said = None if money_in and kind is not Kind.REFUND else _said(phrase, merchant)
    return (said, Source.WORDS) if said else (None, Source.NONE)


def _side_trade(phrase: str, merchant: str) -> str | None:
    """Return the category of what a chain sells beside its usual wares, where that stands behind its name ("ASDA PETROL").

    What a bank writes of its own accord ("Fuel Purchase …") tells it wherever it stands, and whoever sold it.
    """
    key = brand_key(merchant)
    behind = [word for word in without_channels(phrase).split() if compact(word) not in key]
    own = next((word for word in behind if word in _SAID_BY_BANKS), None)
    first = (" ".join(behind[:size]) for size in (2, 1)) if raw_category(merchant) else ()
    trade = next((SIDE_TRADES[each] for each in (own, *first) if each in SIDE_TRADES), None)
    return assignable(trade).name if trade else None


def _said(phrase: str, merchant: str) -> str | None:
    """Return what the words of a text tell, or else the last one of the name where banks cut it short ("KITCHEN REST")."""
    said = category_in_words(_without_person(phrase, merchant))
    if is_person(merchant):
        return None if said in _EATEN else said  # “PRIYA NAIR BBQ” is a friend and no restaurant
    if said is not None:
        return said
    *before, last = fold(merchant).split() or ("",)
    key = _CUT_SHORT.get(last) if before else None
    return assignable(key).name if key else None


def _without_person(phrase: str, merchant: str) -> str:
    """Return a search text without the name with which it begins where that is a person's: “Sanne Bakker” sells no bread."""
    return phrase.removeprefix(merchant.lower()) if is_person(merchant) else phrase


@lru_cache(maxsize=16384)
def trades_of(merchant: str) -> frozenset[str]:
    """Return the keys of what a merchant is by its brand and by the words of its name, the finer things among them."""
    brand = raw_category(merchant)
    said, told, placed = _told_by_name(merchant, brand)
    found = {brand, *placed} - {""}
    if said == CATEGORIES["rent"].name:  # a landlord, unless it is a bank that lends, or an association of owners
        found |= {"rent"} if "mortgage" in found else {"rent", *(told - {"rent"} or {"rental"})}
    elif said:
        found = {key for key in found | told if key not in ("rent", "rental")}
    found = {key for key in found if not any(key in lineage(other)[1:] for other in found & told)}
    if _SET_ASIDE.intersection(fold(merchant).split()):
        found.clear()  # what is put by for taxes is no tax
    if "taxes" in found and "council" in fold(merchant).split():
        found |= {"council_tax"}
    if found >= {"rental", "car"}:  # “Rent a Car” lets no homes
        found = (found - {"rental", "car"}) | {"rental_car"}
    return frozenset(above for key in found for above in lineage(key)).union(*(_SUPPLIED.get(key, ()) for key in found))


def _told_by_name(merchant: str, brand: str) -> tuple[str | None, frozenset[str], frozenset[str]]:
    """Return the category that the words of a name say, with the keys of what they tell of it and of where it stands in our tree.

    The words of a brand's own name tell nothing else: Z Energy sells fuel.
    """
    name = without_surnames(merchant) if is_person(merchant) else merchant
    said = category_in_words(name)
    if brand and said != assignable(brand).name:
        return None, frozenset(), frozenset()
    told = frozenset(key for key in kinds_in_words(name) if assignable(key).name == said)
    finer = any(CATEGORIES[key].finer for key in told)  # a “museum shop” is no museum
    placed = None if finer else placement.place_name(name)
    keys = frozenset(placed.keys) if placed else frozenset()
    agrees = said is None or any(assignable(key).name == said for key in keys)  # “Bill's BBQ” is no bill
    return said, told, keys if agrees else frozenset()


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
