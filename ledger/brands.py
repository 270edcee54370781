"""Which brand a descriptor names, from a compiled map of brands and a short list of our own.

``data/brands.tsv`` is ours; ``data/brands.tsv.gz`` is compiled by ``data/compile_brands.py`` from OpenStreetMap's
name-suggestion-index (licence beside it). Ours wins where both know a spelling.
"""

from __future__ import annotations

import gzip
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger.stemming import fold
from ledger.taxonomy import CATEGORIES, Category, lineage
from ledger.wordlists import words

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How a spelling may match: anywhere, at the start, or at the start with nothing unknown after it (everyday words).
Reach = Literal["a", "s", "e"]

_LONGEST = 6
#: What may follow an everyday word that is a brand's name, as in “SHELL OIL” or “TARGET STORE”.
_HARMLESS = frozenset(words("descriptors.txt", "harmless"))


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
    return table | own_brands()


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
        brand = table.get(key)
        if brand is not None and (brand.reach != "e" or all(word in _HARMLESS for word in parts[end:])):
            found = BrandHit(brand, 0, end)
    if found is not None:
        return found
    openings = _openings()
    for start in range(1, len(parts)):
        if parts[start][:4] not in openings:
            continue
        key = ""
        for end in range(start, min(len(parts), start + 4)):
            key += parts[end]
            brand = table.get(key)
            if brand is not None and brand.reach == "a":
                found = BrandHit(brand, start, end + 1)
        if found is not None:
            return found
    return None


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
    return brand is not None and brand.reach != "e"


@lru_cache(maxsize=16384)
def brand_category(name: str) -> Category | None:
    """Return our category for a brand's own spelling, or nothing when there is no such brand or it has none."""
    brand = _table().get(brand_key(name))
    if brand is None or not brand.category or fold(brand.name) != fold(name):
        return None
    return assignable(brand.category)


@cache
def assignable(key: str) -> Category:
    """Return the category of ours that transactions get: finer things count as what they belong to."""
    return next(CATEGORIES[above] for above in lineage(key) if not CATEGORIES[above].finer)
