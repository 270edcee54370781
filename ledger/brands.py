"""Which brand a descriptor names, from a compiled map of brands and a short list of our own.

``data/brands.tsv`` is ours; ``data/brands.tsv.gz`` is compiled by ``data/compile_brands.py`` from OpenStreetMap's
name-suggestion-index (licence beside it). Ours wins where both know a spelling.
"""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger import placement
from ledger.stemming import fold, stem
from ledger.taxonomy import CATEGORIES, Category, lineage
from ledger.wordlists import phrases, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: How a spelling may match: anywhere, at the start, at the start with nothing unknown after it (everyday words), the same but
#: for a place, or not at all.
Reach = Literal["a", "s", "e", "p", "n"]

_LONGEST = 6
_INITIALS = 3
#: What may follow an everyday word that is a brand's name, as in “SHELL OIL” or “TARGET STORE”.
_HARMLESS = frozenset(words("descriptors.txt", "harmless"))
_NO_PLACES = frozenset(
    fold(word)
    for file, section in (
        ("name_words.txt", "everyday"),
        ("name_words.txt", "small words"),
        ("descriptors.txt", "businesses"),
        ("descriptors.txt", "no places"),
    )
    for word in words(file, section)
)
_GIVEN_NAMES = frozenset(words("given_names.txt", "given names"))
_TAIL = re.compile(r"(?P<name>\w{5,}?)(?:usa?(?:i|in|inc)?|uk|gmbh|intl?|inter\w*|ltd|limi\w*|inc|eu|eur\w*|de|ab|com)")
#: A first name and a surname.
_FULL_NAME = 2
#: How many words the place behind a brand's name may have.
_LONGEST_PLACE = 2
_STREETS = frozenset(words("descriptors.txt", "streets"))
_FORMATS = frozenset(words("descriptors.txt", "branch formats"))
#: What a chain sells beside its usual wares, and the key of what that is.
SIDE_TRADES = {
    word: key for word, _, key in (each.partition(" > ") for each in phrases("descriptors.txt", "side trades"))
}
#: Categories in which a chain's kinds of branch are one merchant to its customers.
_CHAINS = frozenset(
    {
        "groceries",
        "pharmacy",
        "drugstore",
        "dispensing_pharmacy",
        "fuel",
        "shopping",
        "electronics",
        "home",
        "improvement",
    }
)


class Brand(NamedTuple):
    """A brand's own spelling, the key of our category for it (empty for none), and how its spelling may match."""

    name: str
    category: str
    reach: str


class BrandHit(NamedTuple):
    """A brand found in a descriptor, and which of its words name it."""

    brand: Brand
    start: int
    end: int


@lru_cache(maxsize=32768)
def compact(word: str) -> str:
    """Return a word as brand spellings are compared: folded, letters, digits, ``&`` and ``+`` only, “and” as ``&``."""
    word = fold(word)
    if word in {"and", "und", "et"}:
        return "&"
    return word if word.isalnum() else "".join(sign for sign in word if sign.isalnum() or sign in "&+")


def brand_key(text: str) -> str:
    """Return a whole name in the same form, its words joined."""
    return "".join(map(compact, text.split()))


@cache
def _table() -> dict[str, Brand]:
    table: dict[str, Brand] = {}
    compiled = files("ledger.data").joinpath("brands.tsv.gz").read_bytes()
    for line in gzip.decompress(compiled).decode().splitlines():
        key, name, category, reach = line.split("\t")
        table[key] = Brand(name, category, reach)
    own = own_brands()
    named = {brand_key(brand.name): brand._replace(reach="n") for brand in own.values()}
    return named | table | own


def own_brands() -> dict[str, Brand]:
    """Return the brands of our own list by their spellings."""
    own: dict[str, Brand] = {}
    for line in files("ledger.data").joinpath("brands.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, category, how, spellings = line.split("\t")
        brand = Brand(name, category.strip("-"), how[0])
        if len(how) == 1:
            own[brand_key(name)] = brand
        for spelling in filter(None, spellings.split("; ")):
            own.setdefault(brand_key(spelling), brand)
    return own


@cache
def _openings() -> frozenset[str]:
    """Return how the spellings that may stand anywhere begin, cut at every length to four signs."""
    return frozenset(key[:size] for key, brand in _table().items() if brand.reach == "a" for size in range(1, 5))


def find_brand(name: Sequence[str]) -> BrandHit | None:
    """Return the brand that a cleaned descriptor names, the longest spelling at its start first."""
    table = _table()
    parts = list(map(compact, name[:12]))
    key = ""
    found: BrandHit | None = None
    for end, part in enumerate(parts[:_LONGEST], start=1):
        key += part
        brand = table.get(key) or _run_together(key) if end == 1 else None if _is_initials(key) else table.get(key)
        if brand is not None and _may_precede(brand, parts[end:]):
            found = BrandHit(brand, 0, end)
    if found is not None:
        return found
    openings = _openings()
    for start in range(1, len(parts)):
        if parts[start][:4] not in openings or (len(parts) == start + 1 == _FULL_NAME and parts[0] in _GIVEN_NAMES):
            continue  # “Jake Morrison” is no supermarket
        key = ""
        for end in range(start, min(len(parts), start + 4)):
            key += parts[end]
            brand = table.get(key) if end == start or not _is_initials(key) else None
            if brand is not None and brand.reach == "a":
                found = BrandHit(brand, start, end + 1)
        if found is not None:
            return found
    return None


def _run_together(word: str) -> Brand | None:
    """Return the brand whose country or legal form a card processor wrote without a space, perhaps cut ("SPOTIFYUSAI")."""
    found = _TAIL.fullmatch(word)
    brand = _table().get(found["name"]) if found else None
    return brand if brand is not None and brand.reach == "a" else None


def _may_precede(brand: Brand, rest: Sequence[str]) -> bool:
    """Tell whether a brand is meant at the start of a descriptor with these words behind it."""
    if brand.reach in {"a", "s"} or (brand.reach in {"e", "p"} and _is_harmless(rest)):
        return True
    return brand.reach == "p" and len(rest) <= _LONGEST_PLACE and all(map(_may_be_a_place, rest))


@lru_cache(maxsize=8192)
def _may_be_a_place(word: str) -> bool:
    """Tell whether a word may name a town or a street: it is no everyday word and none of a trade."""
    return word.isalpha() and len(word) > 2 and word not in _NO_PLACES and (stem(word),) not in placement.phrases()


def _is_initials(key: str) -> bool:
    """Tell whether words joined give no more than initials: “DR K Miller” is no DRK, but “H & M” is H&M."""
    return len(key) <= _INITIALS and key.isalpha()


def _is_harmless(rest: Sequence[str]) -> bool:
    """Tell whether what follows an everyday word leaves it a brand's name: nothing unknown, or a branch's street."""
    return all(word in _HARMLESS for word in rest) or (len(rest) > 1 and rest[-1] in _STREETS)


def is_brand_spelling(text: str) -> bool:
    """Tell whether a whole text is one of the spellings of a brand."""
    return brand_key(text) in _table()


def is_brand_name(name: str) -> bool:
    """Tell whether this is a brand's own spelling, which must then be left as it is."""
    brand = _table().get(brand_key(name))
    return brand is not None and brand.name == name


def is_unmistakable(name: str) -> bool:
    """Tell whether this is a brand's own spelling and no everyday word that an employer may be called as well."""
    brand = _table().get(brand_key(name))
    return brand is not None and brand.reach not in {"e", "n"}


def is_payment_service(name: str) -> bool:
    """Tell whether this is a brand's own spelling of a bank or a payment service, which has no category."""
    brand = _table().get(brand_key(name))
    return brand is not None and brand.name == name and not brand.category


@lru_cache(maxsize=16384)
def brand_category(name: str) -> Category | None:
    """Return our category for a brand's own spelling, or nothing when there is no such brand or it has none."""
    key = raw_category(name)
    return assignable(key) if key else None


def raw_category(name: str) -> str:
    """Return the key of what a brand's own spelling is, perhaps finer than any category; empty for none."""
    brand = _table().get(brand_key(name))
    return brand.category if brand is not None and fold(brand.name) == fold(name) else ""


@lru_cache(maxsize=16384)
def house_of(name: str) -> str:
    """Return the chain that a branch or a pump belongs to ("Tesco Fuel", "Sainsbury's Local"), or the name itself."""
    named, _, last = name.rpartition(" ")
    brand, chain = _table().get(brand_key(name)), _table().get(brand_key(named))
    if listed := _houses().get(fold(name)):
        return listed
    if brand is None or brand.name != name or chain is None or chain.name != named or chain.category not in _CHAINS:
        return name
    same = brand.category == chain.category and fold(last) in _FORMATS
    return named if same or (chain.category == "groceries" and fold(last) in SIDE_TRADES) else name


@lru_cache(maxsize=16384)
def brand_called(text: str) -> str:
    """Return the merchant that people call this, by a brand's spelling or a nickname; empty for none."""
    key = brand_key(text)
    brand = _table().get(key)
    name = _nicknames().get(key) or (brand.name if brand and brand.reach != "n" else "")
    return house_of(name) if name else ""


def brands_called(texts: Iterable[str]) -> list[str]:
    """Return the merchant for each of several texts, in the same way."""
    return [brand_called(text) for text in texts]


def is_own_name(text: str) -> bool:
    """Tell whether people call a merchant this and it is its name, too."""
    return brand_key(brand_called(text)) == brand_key(text)


@cache
def _nicknames() -> dict[str, str]:
    lines = files("ledger.data").joinpath("nicknames.tsv").read_text(encoding="utf-8").splitlines()
    called = (line.split("\t") for line in lines if not line.startswith("#"))
    return {brand_key(nickname): name for name, nicknames in called for nickname in nicknames.split("; ")}


@cache
def _houses() -> dict[str, str]:
    parts = (entry.partition(" > ") for entry in phrases("descriptors.txt", "houses"))
    return {fold(name): house for name, _, house in parts}


@cache
def assignable(key: str) -> Category:
    """Return the category of ours that transactions get: finer things count as what they belong to."""
    return next(CATEGORIES[above] for above in lineage(key) if not CATEGORIES[above].finer)


def product_of_house(text: str) -> str:
    """Return the brand behind a slash that is one of the house before it: “UBER CANADA/UBEREATS TORONTO” is Uber Eats."""
    house, _, rest = text.partition("/")
    product = brand_called(rest.partition(" ")[0]) if rest else ""
    return product if product and fold(product).startswith(f"{fold(house.partition(' ')[0])} ") else ""
